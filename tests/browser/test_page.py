"""The page of `csim view` in headless Chromium: it loads, draws and plays without network requests; checked by its pixels."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

from csim_testing import CSIM, main
from browser import Browser

WIDTH, HEIGHT = 1000, 640
BACKGROUND = np.array([0xEE, 0xF1, 0xF4])

# A brick that slides along a floor behind a wall, and a ball that falls.
SCENE = """\
csim: 1
name: tray
time: {step: 1.0e-2, end: 1.0}
materials: {wood: {friction: 0.1}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: wood}, {shape: box, size: [1.2, 0.02, 0.3], pose: {xyz: [0.5, -0.3, 0.15]}, material: wood}]}
  - {name: brick, density: 500, pose: {xyz: [0, 0, 0.05]}, velocity: {linear: [1.5, 0, 0]}, geometry: [{shape: box, size: [0.2, 0.2, 0.1], material: wood}]}
  - {name: ball, density: 500, pose: {xyz: [0.3, 0.3, 0.3]}, geometry: [{shape: sphere, radius: 0.1, material: wood}]}
output: {period: 0.05}
"""


class PageTest(unittest.TestCase):
    SCENE = None

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="csim_test_"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        (folder / "scene.yaml").write_text(cls.SCENE)
        cls.result, cls.page = folder / "result.h5", folder / "result.html"
        for arguments in (["run", "scene.yaml", "-q", "-o", "result.h5"], ["view", "result.h5"]):
            subprocess.run([CSIM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
        cls.browser = Browser(WIDTH, HEIGHT)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.open()

    def open(self, fragment=""):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.errors.clear()
        self.browser.requests.clear()
        self.browser.open(self.page, fragment)

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])
        # The page alone: no second request, whatever was done to it.
        self.assertEqual({url.split("#")[0] for url in self.browser.requests} - {"about:blank"}, {self.page.resolve().as_uri()})

    def stage(self):
        """The pixels of the scene."""
        return self.browser.pixels("#view").astype(int)

    def time(self):
        return self.browser.evaluate("Number(document.body.dataset.time)")

    def wait_for_time(self, t, tolerance=1e-6):
        """The page handles keys and clicks when it comes to them."""
        self.browser.wait(f"Math.abs(document.body.dataset.time - {t}) < {tolerance}")

    def changed(self, a, b):
        return np.count_nonzero(np.abs(a - b).max(axis=2) > 24)


class Page(PageTest):
    SCENE = SCENE

    def test_draws_bodies_in_their_colours(self):
        picture = self.stage()
        red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
        # The first two colours of the palette: the brick is blue, the ball orange; the floor is grey.
        self.assertGreater(np.count_nonzero(blue > red + 60), 800)
        self.assertGreater(np.count_nonzero(red > blue + 80), 800)
        self.assertGreater(np.count_nonzero(np.abs(picture - BACKGROUND).max(axis=2) > 12), 0.1 * picture[..., 0].size)

    def test_plays_to_the_end_and_stops(self):
        first = self.stage()
        self.assertEqual(self.time(), 0.0)
        # Slow at first, so that one sees it play.
        for _ in range(5):
            self.browser.press("ArrowDown")
        self.browser.press(" ")
        self.browser.wait("document.body.dataset.time > 0")
        self.assertEqual(self.browser.evaluate("document.getElementById('play').getAttribute('aria-label')"), "Pause")
        for _ in range(7):
            self.browser.press("ArrowUp")
        self.browser.wait("document.body.dataset.time == 1 && document.getElementById('play').getAttribute('aria-label') === 'Play'")
        last = self.stage()
        self.assertGreater(self.changed(first, last), 1500)
        # Where the brick was is floor now, and the time stands at the end everywhere.
        self.assertEqual(self.browser.evaluate("document.getElementById('time').textContent"), "t = 1.00 s")
        self.assertEqual(self.browser.evaluate("document.getElementById('slider').value"), "20")

    def test_keys_slider_and_plots_move_the_time(self):
        self.browser.press("ArrowRight")
        self.browser.press("ArrowRight")
        self.wait_for_time(0.1)
        self.browser.press("ArrowLeft")
        self.wait_for_time(0.05)
        self.browser.press("End")
        self.wait_for_time(1.0)
        self.browser.press("Home")
        self.wait_for_time(0.0)
        self.browser.evaluate("(() => { const s = document.getElementById('slider'); s.value = 10; s.dispatchEvent(new Event('input')); })()")
        self.wait_for_time(0.5)
        # The middle of a plot is the middle of the time: between its margins of 44 and 6 pixels.
        box = self.browser.evaluate("(() => { const r = document.querySelector('.plot canvas').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()")
        self.browser.click(box[0] + 44 + 0.75 * (box[2] - 50), box[1] + box[3] / 2)
        self.wait_for_time(0.75, 0.026)

    def test_every_plot_has_a_curve(self):
        counts = self.browser.evaluate("""[...document.querySelectorAll('.plot canvas')].map((c) => {
            const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            let n = 0;
            for (let i = 0; i < p.length; i += 4) if (p[i + 3] > 128 && p[i + 2] > p[i] + 60) ++n;
            return n; })""")
        self.assertEqual(len(counts), 4)
        # Each has a blue curve (of several, kinetic is).
        for count in counts:
            self.assertGreater(count, 60)

    def test_orbit_zoom_and_back(self):
        first = self.stage()
        self.browser.drag(250, 300, 400, 260)
        turned = self.stage()
        self.assertGreater(self.changed(first, turned), 3000)
        distance = self.browser.evaluate("app.stage.camera.position.distanceTo(app.stage.controls.target)")
        self.browser.wheel(300, 250, -240)
        self.browser.wait(f"app.stage.camera.position.distanceTo(app.stage.controls.target) < 0.95 * {distance}")
        self.assertGreater(self.changed(turned, self.stage()), 3000)
        self.browser.press("r")
        self.browser.settle()
        self.assertLess(self.changed(first, self.stage()), 30)

    def test_contacts_come_and_go(self):
        self.browser.press("End")
        self.wait_for_time(1.0)
        with_arrows = self.stage()
        self.browser.press("c")
        # The page handles the key when it comes to it.
        self.browser.wait("!document.getElementById('contacts').checked")
        self.assertGreater(self.changed(with_arrows, self.stage()), 40)

    def test_a_click_selects_a_body(self):
        picture = self.stage()
        rows, columns = np.nonzero(picture[..., 2] > picture[..., 0] + 60)
        self.browser.click(int(np.median(columns)), int(np.median(rows)))
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("document.querySelector('#body-list .chosen').textContent"), "brick")
        self.assertIn("origin (0.0000, 0.0000, 0.0500) m", self.browser.evaluate("document.getElementById('body-state').textContent"))
        # It turns yellow, and back.
        self.assertLess(np.count_nonzero(self.stage()[..., 2] > self.stage()[..., 0] + 60), 0.5 * len(rows))
        self.browser.press("Escape")
        self.assertLess(self.changed(picture, self.stage()), 30)

    def test_starts_where_its_address_says(self):
        self.open("#time=0.5")
        self.wait_for_time(0.5)
        self.open("#play")
        self.browser.wait("document.body.dataset.time > 0")


# A compliant box at rest on a floor that moves up and down with it: its patch has one pressure, its weight by its area.
PATCHES = """\
csim: 1
name: lift
time: {step: 2.0e-3, end: 1.0}
materials: {soft: {hydroelastic_modulus: 1.0e6, friction: 0.5}}
bodies:
  - name: floor
    motion: {times: [0, 0.5, 1], xyz: [[0, 0, 0], [0, 0, 0], [0.25, 0, 0.05]]}
    geometry: [{shape: half_space, material: soft}]
  - {name: box, density: 1000, pose: {xyz: [0, 0, 0.05]}, geometry: [{shape: box, size: [0.2, 0.2, 0.1], material: soft, contact: compliant}]}
output: {period: 0.05, patches: full}
"""


# Two fixed boxes whose tops lie in one plane, two such boxes of a body that moves, and a slab whose top is that of the floor.
LINKS = """\
csim: 1
name: links
time: {step: 1.0e-2, end: 0.4}
materials: {wood: {friction: 0.1}}
bodies:
  - {name: a, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 0.02, material: wood}]}
  - {name: b, mass: 1, inertia: solid, pose: {xyz: [0.4, 0, 0]}, geometry: [{shape: sphere, radius: 0.02, material: wood}]}
  - {name: bar, mass: 1, inertia: [0.1, 0.1, 0.1], geometry: [{shape: box, size: [0.01, 0.01, 0.1], material: wood, contact: none}]}
  - {name: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}
gravity: [0, 0, 0]
joints:
  - {name: slide, type: prismatic, parent: world, child: bar, pose: {xyz: [0.2, 0.2, 0]}}
  - {name: hinge, type: revolute, parent: bar, child: arm, pose: {xyz: [0, 0, 0.1]}}
actuators: [{name: drive, joint: slide, type: position, stiffness: 100, damping: 20, command: 0}]
constraints:
  - {name: rod, type: distance, a: a, b: b, length: 0.4}
  - {name: cord, type: tendon, joints: {slide: 1, hinge: 0.1}, length: 0}
forces: [{name: push, body: b, force: {times: [0, 0.1, 0.2], values: [[0, 0, 0], [0, 0, 5], [0, 0, 5]]}}]
sequence:
  - {name: wait, until: {time: 0.2}}
  - {name: rise, commands: {drive: {ramp: {to: 0.05, duration: 0.1}}}}
output: {period: 0.1}
"""


class Links(PageTest):
    SCENE = LINKS

    def test_constraints_forces_and_phases_are_shown(self):
        self.assertIn("constraint", self.browser.evaluate("document.getElementById('legend').textContent"))
        self.assertIn("N applied", self.browser.evaluate("document.getElementById('legend').textContent"))
        # The rod's ends are the bodies' origins; an arrow where the force is not zero.
        for time, phase, arrows in ((0.0, "wait", 0), (0.1, "wait", 1), (0.4, "rise", 1)):
            self.browser.evaluate(f"app.seek({time})")
            self.wait_for_time(time)
            self.assertEqual(self.browser.evaluate("document.getElementById('time').textContent").partition(" · ")[2], phase)
            self.assertEqual(self.browser.evaluate("app.stage.links.arrows.count"), arrows)
            ends = self.browser.evaluate("Array.from(app.stage.links.ends.array)")
            with h5py.File(self.result) as file:
                row = np.argmin(np.abs(file["trajectory/time"][:] - time))
                a, b, bar = file["trajectory/position"][row, :3]
                # The cord: from the frame of the slide, in the world, to that of the hinge, in the bar.
                np.testing.assert_allclose(ends, np.ravel([a, b, [0.2, 0.2, 0], bar + [0, 0, 0.1]]), atol=1e-6)
                if time == 0.4:
                    self.assertGreater(bar[2], 0)


BREAKS = """\
csim: 1
name: breaks
time: {step: 1.0e-2, end: 0.2}
gravity: [0, 0, 0]
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1], pose: {xyz: [0.4, 0, 0]}}
constraints:
  - {name: rod, type: distance, a: a, b: b, length: 0.4, breaking_load: 0.5}
  - {name: rope, type: distance, a: a, b: world, point_b: [0, 0, 0.3], max: 0.5}
forces: [{name: push, body: b, force: {times: [0, 0.1, 0.2], values: [[0, 0, 0], [0, 0, 0], [20, 0, 0]]}}]
output: {period: 0.1}
"""


class Breaks(PageTest):
    SCENE = BREAKS

    def test_a_constraint_that_broke_is_gone(self):
        for time, lines in ((0.0, 2), (0.1, 2), (0.2, 1), (0.1, 2)):
            self.browser.evaluate(f"app.seek({time})")
            self.wait_for_time(time)
            self.assertEqual(self.browser.evaluate("app.stage.links.geometry.drawRange.count"), 2 * lines)
        self.browser.evaluate("app.seek(0.2)")
        self.wait_for_time(0.2)
        ends = self.browser.evaluate("Array.from(app.stage.links.ends.array)")
        with h5py.File(self.result) as file:
            np.testing.assert_allclose(ends[:6], [*file["trajectory/position"][-1, 0], 0, 0, 0.3], atol=1e-6)


COPLANAR = """\
csim: 1
name: coplanar
time: {step: 1.0e-2, end: 0.02}
materials: {wood: {friction: 0.1}}
bodies:
  - name: ground
    fixed: true
    geometry: [{shape: half_space, material: wood}, {name: slab, color: [0, 0.7, 0], shape: box, size: [0.8, 0.3, 0.1], pose: {xyz: [0, -0.4, -0.05]}, material: wood}]
  - {name: red, fixed: true, color: [1, 0, 0], pose: {xyz: [0.3, 0, 0.1], rpy_deg: [0, 0, 20]}, geometry: [{shape: box, size: [0.4, 0.3, 0.2], material: wood}]}
  - {name: blue, fixed: true, color: [0, 0, 1], pose: {xyz: [0.45, 0.1, 0.1], rpy_deg: [0, 0, 50]}, geometry: [{shape: box, size: [0.4, 0.3, 0.2], material: wood}]}
  - name: pair
    mass: 1
    inertia: solid
    pose: {xyz: [-0.3, 0, 0.1], rpy_deg: [0, 0, 10]}
    geometry: [{name: red, color: [1, 0, 0], shape: box, size: [0.4, 0.3, 0.2], material: wood}, {name: blue, color: [0, 0, 1], shape: box, size: [0.4, 0.3, 0.2], pose: {xyz: [0.1, 0.15, 0], rpy_deg: [0, 0, 30]}, material: wood}]
"""


class Coplanar(PageTest):
    SCENE = COPLANAR

    def places(self, body, x, y, z):
        """Pixels of a grid on the rectangle x, y (from, to) of a body's frame, a row each."""
        return np.array(self.browser.evaluate(f"""(() => {{ const {{stage}} = app, c = stage.canvas, found = [];
            const pose = stage.poses[stage.data.bodies.findIndex(({{name}}) => name === {body!r})];
            for (let i = 0; i <= 20; ++i) for (let j = 0; j <= 20; ++j) {{
              const p = new THREE.Vector3({x[0]} + ({x[1]} - {x[0]}) * i / 20, {y[0]} + ({y[1]} - {y[0]}) * j / 20, {z}).applyQuaternion(pose.quaternion).add(pose.position).project(stage.camera);
              found.push([Math.floor((p.x + 1) / 2 * c.clientWidth), Math.floor((1 - p.y) / 2 * c.clientHeight)]);
            }}
            return found; }})()"""))

    def test_of_faces_in_one_plane_the_first_is_seen(self):
        """On the whole top of the red box, and on the slab, from every side."""
        self.browser.evaluate("if (document.getElementById('contacts').checked) document.getElementById('contacts').click()")
        for side in range(12):
            angle = 0.5 * side + 0.1
            self.browser.evaluate(f"app.stage.look([{2 * np.cos(angle)}, {2 * np.sin(angle)}, 1.2], [0, 0, 0.1])")
            picture = self.stage()
            for body in ("red", "pair"):
                with self.subTest(body=body, side=side):
                    i, j = self.places(body, (-0.19, 0.19), (-0.14, 0.14), 0.1).T
                    red, _, blue = picture[j, i].T
                    self.assertEqual(np.count_nonzero(blue >= red), 0)
            # The slab is green and the floor grey; a box may stand before it.
            i, j = self.places("ground", (-0.39, 0.39), (-0.54, -0.26), 0.0).T
            red, green, blue = picture[j, i].T
            self.assertEqual(np.count_nonzero((np.abs(red - blue) < 30) & (np.abs(red - green) < 30)), 0, side)


class Patches(PageTest):
    SCENE = PATCHES

    def at_rest(self):
        """The picture at 0.5 s, and the pixel of a place on the patch beside its centroid, where the arrows are."""
        self.browser.evaluate("app.seek(0.5)")
        self.wait_for_time(0.5)
        with h5py.File(self.result) as file:
            row = int(np.argmin(np.abs(file["trajectory/time"][:] - 0.5)))
            first, end = file["patch/row_offset"][row:row + 2]
            self.assertEqual(end - first, 1)
            centroid = file["patch/centroid"][first]
            pressure = file["patch/max_pressure"][first]
        x, y, _ = self.browser.evaluate(f"""(() => {{ const p = new THREE.Vector3({centroid[0]} + 0.06, {centroid[1]} + 0.023, {centroid[2]}).project(app.stage.camera);
            const c = app.stage.canvas; return [(p.x + 1) / 2 * c.width, (1 - p.y) / 2 * c.height, p.z]; }})()""")
        return self.stage(), round(y), round(x), pressure

    def test_polygons_have_the_colour_of_their_pressure(self):
        picture, row, column, pressure = self.at_rest()
        # 0.1 m of water, over its area: 981 Pa.
        self.assertAlmostEqual(pressure / 981, 1, delta=0.03)
        bar = self.browser.evaluate("(({top, colors, ticks, unit}) => [top, [...colors], ticks.map((t) => t.label), unit])(app.data.patches.bar)")
        index = round(255 * min(1, pressure / bar[0]))
        expected = np.array(bar[1]).reshape(-1, 3)[index]
        # A colour or two beside it, as the graphics interpolate.
        self.assertLess(np.abs(picture[row, column] - expected).max(), 6)
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('#color-bar .strip span')].map((s) => s.textContent)"), bar[2])
        self.assertEqual(self.browser.evaluate("document.querySelector('#color-bar .title').textContent"), "pressure, " + bar[3])

    def test_patches_come_and_go(self):
        picture, row, column, _ = self.at_rest()
        self.browser.press("p")
        self.browser.wait("!document.getElementById('patches').checked")
        without = self.stage()
        self.assertGreater(self.changed(picture, without), 2000)
        self.assertGreater(np.abs(picture[row, column] - without[row, column]).max(), 40)
        self.assertTrue(self.browser.evaluate("document.getElementById('color-bar').hidden"))
        self.browser.press("p")
        self.browser.wait("document.getElementById('patches').checked")
        self.assertLess(self.changed(picture, self.stage()), 30)
        # At the start nothing touches yet: no row.
        self.browser.press("Home")
        self.wait_for_time(0.0)
        self.assertEqual(self.browser.evaluate("app.stage.patches.count"), 0)

    def test_bodies_are_see_through_until_the_box_is_unchecked(self):
        self.at_rest()
        self.assertTrue(self.browser.evaluate("document.getElementById('see-through').checked && app.stage.moving[0].material.transparent"))
        self.browser.press("x")
        self.browser.wait("!app.stage.moving[0].material.transparent")

    def test_the_disc_of_a_floor_that_moves_stays_under_the_scene(self):
        for time, height in ((0.0, 0.0), (1.0, 0.05)):
            self.browser.evaluate(f"app.seek({time})")
            self.wait_for_time(time)
            place, target, grid, x = self.browser.evaluate("(({planes, framing, poses}) => [planes[0].mesh.position.toArray(), framing.target.toArray(), framing.grid, poses[0].position.x])(app.stage)")
            self.assertAlmostEqual(place[2], height, places=6)
            for axis in range(2):
                self.assertLess(abs(place[axis] - target[axis]), 0.501 * grid)
            # The lines of its grid move with it.
            self.assertAlmostEqual((place[0] - x) / grid, round((place[0] - x) / grid), places=5)


class Asleep(PageTest):
    SCENE = SCENE.replace("end: 1.0}", "end: 1.0}\nintegrator: {type: discrete, sleep_speed: 1.0e-4, sleep_time: 0.1}").replace("velocity: {linear: [1.5, 0, 0]}, ", "")

    def test_bodies_are_pale_while_they_sleep(self):
        colors = {}
        for t in (0.05, 0.95):
            self.browser.evaluate(f"app.player.seek({t})")
            self.wait_for_time(t)
            colors[t] = np.array(self.browser.evaluate("app.stage.moving.flatMap((item) => item.parts.map((part, i) => [part.body, ...item.color.array.slice(3 * i, 3 * i + 3)]))"))
        with h5py.File(self.result) as file:
            names = list(file["bodies/name"].asstr())
            asleep = file["trajectory/asleep"][:]
        brick = names.index("brick")
        self.assertEqual((asleep[1, brick], asleep[19, brick]), (0, 1))
        before, after = ((colors[t][colors[t][:, 0] == brick][0, 1:]) for t in (0.05, 0.95))
        self.assertLess(np.linalg.norm(after - BACKGROUND / 255), 0.5 * np.linalg.norm(before - BACKGROUND / 255))
        self.assertIn("pale: asleep", self.browser.evaluate("document.body.textContent"))


if __name__ == "__main__":
    main()
