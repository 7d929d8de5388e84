"""What one picks in the page of `csim view` and what is shown of it: plots, paths, frames, a second result, light and dark, links."""
import subprocess
import urllib.parse

import h5py
import numpy as np

from csim_testing import CSIM, main
from test_page import HEIGHT, PageTest

# A brick that slides and turns nothing, a ball that falls beside it, an arm that swings by a hinge with a motor.
SCENE = """\
csim: 1
name: workshop
time: {step: 1.0e-2, end: 1.0}
materials: {wood: {friction: 0.2}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: wood}]}
  - {name: brick, density: 500, color: [0.9, 0.1, 0.1], pose: {xyz: [0, 0, 0.05]}, velocity: {linear: [1.5, 0, 0]}, geometry: [{shape: box, size: [0.2, 0.2, 0.1], material: wood}]}
  - {name: "the+ball", density: 500, pose: {xyz: [0.2, 0.4, 0.3]}, geometry: [{shape: sphere, radius: 0.1, material: wood}]}
  - {name: arm, mass: 1, inertia: [0.01, 0.01, 0.001], com: [0, 0, -0.2], geometry: [{shape: capsule, radius: 0.03, length: 0.3, pose: {xyz: [0, 0, -0.2]}, material: wood}]}
joints:
  - {name: hinge, type: revolute, parent: world, child: arm, pose: {xyz: [-0.3, 0.2, 0.7]}, axis: [0, 1, 0], position: 1.0}
actuators:
  - {name: motor, joint: hinge, type: position, stiffness: 2, damping: 0.1, command: 0.5}
output: {period: 0.02}
"""


class Choice(PageTest):
    SCENE = SCENE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.page.parent
        cls.both, cls.start = folder / "both.html", folder / "start.html"
        for arguments in (["run", "scene.yaml", "-q", "-o", "other.h5", "--set", "bodies.brick.velocity.linear=[1.8, 0, 0]"], ["view", "result.h5", "--overlay", "other.h5", "-o", "both.html"],
                          ["view", "scene.yaml", "-o", "start.html"]):
            subprocess.run([CSIM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)

    def open(self, fragment="", page=None):
        own, self.page = self.page, page or self.page
        try:
            super().open(fragment)
        finally:
            self.opened, self.page = self.page, own

    def tearDown(self):
        own, self.page = self.page, self.opened
        super().tearDown()
        self.page = own

    def titles(self):
        return self.browser.evaluate("app.choicePlots.map(({plot}) => plot.title)")

    def curve(self, plot, curve, key="curves"):
        """Times and values of a curve of the plots of what is chosen."""
        return np.array(self.browser.evaluate(f"(({{time, value}}) => [[...time], [...value]])(app.choicePlots[{plot}].plot.{key}[{curve}])"))

    def pixel_of(self, place):
        """Where a place of the world is on the canvas, in pixels."""
        return self.browser.evaluate(f"""(() => {{ const p = new THREE.Vector3(...{list(map(float, place))}).project(app.stage.camera), c = app.stage.canvas;
            return [(p.x + 1) / 2 * c.clientWidth, (1 - p.y) / 2 * c.clientHeight]; }})()""")

    def pick(self, name):
        self.browser.evaluate(f"[...document.querySelectorAll('#body-list li')].find((row) => row.textContent.startsWith('{name}')).click()")

    def wait_for_link(self, part, present=True):
        self.browser.wait(f"location.hash.includes({part!r}) === {str(present).lower()}")

    def test_a_body_plots_its_columns(self):
        self.pick("brick")
        self.assertEqual(self.titles(), ["Position of the origin", "Velocity of the origin", "Angular velocity"])
        with h5py.File(self.result) as file:
            time, position, velocity = (file["trajectory/" + name][:] for name in ("time", "position", "velocity"))
        for axis in range(3):
            np.testing.assert_array_equal(self.curve(0, axis), [time, position[:, 1, axis].astype(np.float32)])
            np.testing.assert_array_equal(self.curve(1, 1 + axis), [time, velocity[:, 1, axis].astype(np.float32)])
        np.testing.assert_allclose(self.curve(1, 0)[1], np.linalg.norm(velocity[:, 1].astype(np.float32), axis=1), rtol=1e-6)
        # Each is drawn, and a second click gives it up.
        drawn = self.browser.evaluate("[...document.querySelectorAll('#choice-plots canvas')].map((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v, i) => i % 4 === 3 && v > 128))")
        self.assertEqual(drawn, [True] * 3)
        self.pick("brick")
        self.assertEqual(self.titles(), [])

    def test_a_joint_and_an_actuator_plot_theirs(self):
        self.pick("hinge")
        self.assertEqual(self.titles(), ["Position", "Velocity", "Effort"])
        with h5py.File(self.result) as file:
            np.testing.assert_array_equal(self.curve(0, 0)[1], file["joint/position"][:, 0].astype(np.float32))
            np.testing.assert_array_equal(self.curve(2, 0)[1], file["joint/effort"][:, 0].astype(np.float32))
            effort = file["actuator/effort"][:, 0].astype(np.float32)
        self.assertIn("revolute joint of arm on the world", self.browser.evaluate("document.getElementById('body-state').textContent"))
        # Its own frame is shown: three axes, and that of the hinge twice.
        self.assertEqual(self.browser.evaluate("app.stage.frames.arrows.count"), 5)
        self.pick("motor")
        self.assertEqual(self.titles(), ["Command", "Effort"])
        np.testing.assert_array_equal(self.curve(1, 0)[1], effort)

    def test_two_bodies_plot_their_force(self):
        """A body, then another with shift; and a contact that is clicked."""
        with h5py.File(self.result) as file:
            time, offset = file["trajectory/time"][:], file["pair/row_offset"][:]
            force = np.zeros((len(time), 3))
            for f in range(1, len(time)):
                for i in range(offset[f], offset[f + 1]):
                    if (file["pair/body_a"][i], file["pair/body_b"][i]) == (0, 1):
                        force[f] = file["pair/impulse"][i] / (time[f] - time[f - 1])
            row = len(time) - 1
            first, end = file["contact/row_offset"][row:row + 2]
            bodies = file["geometries/body"][:][file["contact/geometry_b"][first:end]]
            points = file["contact/point"][first:end][(bodies == 1) & (file["contact/mode"][first:end] > 0)]
        self.pick("ground")
        self.browser.evaluate("[...document.querySelectorAll('#body-list li')].find((row) => row.textContent.startsWith('brick')).dispatchEvent(new MouseEvent('click', {shiftKey: true}))")
        self.assertEqual(self.titles(), ["Force between two bodies", "Mean force on brick", "Time in contact"])
        np.testing.assert_allclose(self.curve(0, 0)[1], np.linalg.norm(force, axis=1), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(self.curve(1, 2)[1], force[:, 2], rtol=1e-5, atol=1e-5)
        self.assertEqual(self.browser.evaluate("document.getElementById('pair').selectedOptions[0].textContent"), "ground and brick")
        # The brick rests: its weight.
        self.assertAlmostEqual(self.curve(1, 2)[1][-1], 2 * 9.81, delta=0.05)
        self.browser.press("Escape")
        self.browser.press("End")
        self.wait_for_time(1.0)
        # The corner that is nearest to the camera stands before the brick.
        nearest = max(points, key=lambda p: self.pixel_of(p)[1])
        x, y = self.pixel_of(nearest)
        self.assertLess(y, HEIGHT)
        self.browser.click(x, y)
        self.browser.wait("app.stage.choice.kind === 'pair'")
        self.assertIn("ground and brick", self.browser.evaluate("document.getElementById('body-state').textContent"))
        self.assertEqual(self.browser.evaluate("app.stage.contacts.count"), len(points))
        # Two that never touch have a plot as well.
        self.browser.evaluate("app.choose(new Choice('pair', 1, 3))")
        self.assertIn("they never touched", self.browser.evaluate("document.getElementById('body-state').textContent"))
        self.assertEqual(self.curve(0, 0)[1].max(), 0.0)

    def test_the_path_of_a_body(self):
        self.pick("arm")
        bare = self.stage()
        self.browser.press("t")
        self.browser.wait("document.getElementById('trace').checked")
        self.assertGreater(self.changed(bare, self.stage()), 60)
        # Through its centre of mass in every frame.
        path = np.array(self.browser.evaluate("[...app.stage.traces.lines.get(3).past.getAttribute('position').array]")).reshape(-1, 3)
        center = np.array([-0.3, 0.2, 0.7])
        np.testing.assert_allclose(np.linalg.norm(path - center, axis=1), 0.2, atol=1e-4)
        # It stays when something else is chosen.
        self.pick("brick")
        self.assertEqual(self.browser.evaluate("[...app.stage.traces.bodies]"), [3])

    def test_colours_of_the_scene(self):
        picture = self.stage()
        red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
        self.assertGreater(np.count_nonzero((red > 100) & (green < 60) & (blue < 60)), 500)

    def test_arrows_end_within_the_window(self):
        """However near one looks and however long they are made."""
        self.browser.press("End")
        self.wait_for_time(1.0)
        for arrows, target in ((1, (0.5, 0.0, 0.1)), (1, (0.55, 0.0, -0.1))):
            self.browser.evaluate(f"(() => {{ const s = document.getElementById('scale'); s.value = {arrows}; s.dispatchEvent(new Event('input')); app.stage.look([0.55, -1.2, 0.3], {list(target)}); }})()")
            picture = self.stage()
            arrow = (picture[..., 0] > picture[..., 2] + 40) & (picture[..., 0] < 140) & (picture[..., 1] > 15)
            rows, columns = np.nonzero(arrow)
            self.assertGreater(len(rows), 100)
            # A hundredth of the height stays free, less the head's own roundness.
            self.assertGreaterEqual(rows.min(), 2)
            self.assertLess(rows.min(), 40)

    def test_forces_behind_bodies_are_faint(self):
        self.browser.press("End")
        self.wait_for_time(1.0)
        self.browser.evaluate("(() => { app.choose(new Choice('body', 2)); const s = document.getElementById('scale'); s.value = 0.5; s.dispatchEvent(new Event('input')); })()")
        # From the floor under the ball upwards: hidden by the ball up to where it leaves it.
        self.browser.evaluate("app.stage.look([0.2, -1.0, 0.25], [0.2, 0.4, 0.1])")
        with_arrow = self.stage()
        self.browser.press("c")
        self.browser.wait("!document.getElementById('contacts').checked")
        difference = np.abs(with_arrow - self.stage()).max(axis=2)
        x, y = self.pixel_of((0.2, 0.4, 0.03))
        hidden = difference[round(y) - 6:round(y) + 6, round(x) - 6:round(x) + 6].max()
        self.assertGreater(hidden, 8)
        self.assertLess(hidden, 90)
        self.assertGreater(difference.max(), 100)

    def test_axes_of_the_world_turn_with_the_view(self):
        compass = "[...document.getElementById('compass').getContext('2d').getImageData(0, 0, 92, 92).data]"
        self.browser.evaluate("app.stage.look([0, -2, 0.2], [0, 0, 0.2])")
        self.browser.settle()
        picture = np.array(self.browser.evaluate(compass)).reshape(92, 92, 4).astype(int)
        painted = picture[..., 3] > 200
        red = painted & (picture[..., 0] > picture[..., 2] + 80)
        blue = painted & (picture[..., 2] > picture[..., 0] + 80)
        # Seen along y: x to the right, z up, gravity down.
        self.assertGreater(np.nonzero(red)[1].mean(), 55)
        self.assertLess(np.nonzero(blue)[0].mean(), 38)
        dark = painted & (picture[..., :3].max(axis=2) < 80)
        self.assertGreater(np.nonzero(dark)[0].max(), 70)

    def test_light_and_dark(self):
        light = self.stage()
        self.assertGreater(light[5, -5].min(), 200)
        self.browser.press("d")
        self.browser.wait("document.documentElement.dataset.theme === 'dark'")
        self.assertLess(self.stage()[5, -5].max(), 60)
        self.assertLess(self.browser.evaluate("getComputedStyle(document.getElementById('side')).backgroundColor.match(/\\d+/g).map(Number)[0]"), 60)
        self.wait_for_link("theme=dark")
        self.browser.press("d")
        self.browser.wait("document.documentElement.dataset.theme === 'light'")
        self.assertLess(self.changed(light, self.stage()), 30)
        # As the system prefers, without a word in the address.
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        try:
            self.browser.wait("document.documentElement.dataset.theme === 'dark'")
            self.wait_for_link("theme", present=False)
            self.open("#theme=light")
            self.assertGreater(self.stage()[5, -5].min(), 200)
        finally:
            self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_the_address_says_what_is_shown(self):
        self.browser.evaluate("app.seek(0.52)")
        self.wait_for_time(0.52)
        self.pick("the+ball")
        self.browser.press("t")
        self.browser.press("f")
        self.browser.evaluate("app.stage.look([0.3, -1.4, 0.6], [0.3, 0.1, 0.2])")
        self.wait_for_link("camera=0.3,-1.4,0.6,0.3,0.1,0.2")
        self.wait_for_link("frames=on")
        fragment = self.browser.evaluate("location.hash")
        self.assertIn("body=" + urllib.parse.quote("the+ball", safe=""), fragment)
        before = self.stage()
        self.open(fragment)
        self.wait_for_time(0.52)
        self.assertEqual(self.browser.evaluate("document.querySelector('#body-list .chosen').textContent"), "the+ball")
        self.assertTrue(self.browser.evaluate("document.getElementById('trace').checked && document.getElementById('frames').checked"))
        self.assertLess(self.changed(before, self.stage()), 30)
        # An address that is changed by hand; what it does not name is as at first.
        self.browser.evaluate("location.hash = '#time=0.2&joint=hinge&contacts=off'")
        self.wait_for_time(0.2)
        self.assertEqual(self.titles(), ["Position", "Velocity", "Effort"])
        self.assertFalse(self.browser.evaluate("document.getElementById('contacts').checked || document.getElementById('frames').checked"))
        self.assertEqual(self.browser.evaluate("app.stage.traces.bodies.length"), 0)
        self.assertEqual(self.browser.evaluate("document.getElementById('link-note').textContent"), "")
        # So it is where a change before it is about to be written.
        self.browser.evaluate("location.hash = '#time=0.4'; app.link.save()")
        self.wait_for_time(0.4)
        self.assertEqual(self.titles(), [])
        # Words that mean nothing are named.
        self.open("#time=soon&body=nobody&pair=arm&camera=1,2&speed=7&word=1&trace=%E0%A4%A&contacts=maybe")
        self.assertEqual(self.time(), 0.0)
        self.assertEqual(self.titles(), [])
        note = self.browser.evaluate("document.getElementById('link-note').textContent")
        for wrong in ("time=soon", "body=nobody", "pair=arm", "camera=1,2", "speed=7", "word", "trace=%E0%A4%A", "contacts=maybe"):
            self.assertIn(wrong, note)

    def test_a_second_result(self):
        self.open("#time=1&body=brick", page=self.both)
        self.assertEqual(self.browser.evaluate("app.choicePlots.map(({plot}) => plot.others.length)"), [3, 4, 4])
        with h5py.File(self.result.parent / "other.h5") as file:
            np.testing.assert_array_equal(self.curve(0, 0, "others")[1], file["trajectory/position"][:, 1, 0].astype(np.float32))
            place = file["trajectory/position"][-1, 1]
        self.assertIn("other.h5, dashed in the plots", self.browser.evaluate("document.getElementById('legend').textContent"))
        both = self.stage()
        self.browser.press("o")
        self.browser.wait("!document.getElementById('overlay').checked")
        alone = self.stage()
        difference = np.abs(both - alone).max(axis=2)
        self.assertGreater(np.count_nonzero(difference > 24), 300)
        x, y = self.pixel_of(place)
        # Translucent: darker there, by part of the way.
        self.assertTrue(20 < difference[round(y), round(x)] < 120, difference[round(y), round(x)])

    def test_before_it_runs(self):
        self.open(page=self.start)
        self.browser.settle()
        labels = self.browser.evaluate("[...document.querySelectorAll('#labels span:not([hidden])')].map((label) => label.textContent)")
        self.assertTrue({"brick  2 kg", "arm  1 kg"} <= set(labels), labels)
        # Three axes of each of three bodies, five arrows of the hinge; the brick touches and does not overlap.
        self.assertEqual(self.browser.evaluate("app.stage.frames.arrows.count - app.data.overlaps.length"), 14)
        self.assertIn("3 bodies move, 5.094 kg in all", self.browser.evaluate("document.getElementById('notes').textContent"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.plot').length"), 0)
        self.browser.press("f")
        self.browser.wait("!document.getElementById('frames').checked")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#labels span:not([hidden])').length"), 0)


if __name__ == "__main__":
    main()
