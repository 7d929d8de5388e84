"""The numbers that each scene's README promises, from a full run of the scene."""
import math

import numpy as np

from csim_testing import SOURCE, CliTest, Result, main

G = 9.81


class SceneTest(CliTest):
    def run_scene(self, name, *options):
        self.csim("run", SOURCE / "scenes" / name / "scene.yaml", "-o", f"{name}.h5", "-q", "--force", *options)
        return Result(self.folder / f"{name}.h5")


class FreeFall(SceneTest):
    def test(self):
        r = self.run_scene("free_fall")
        # Sums of 800 terms: rounding to 1e-12 at most.
        np.testing.assert_allclose(r.body("ball", "position")[-1], [0.8, 0, 1.056876], atol=1e-12)
        np.testing.assert_allclose(r.body("ball", "velocity")[-1], [1, 0, -3.848], atol=1e-12)
        angle = 800 * 2 * math.atan(math.pi * 1e-3)
        w, x, y, z = r.body("brick", "quaternion")[-1]
        np.testing.assert_allclose(2 * math.atan2(z, w) % (2 * math.pi), angle % (2 * math.pi), atol=1e-12)
        self.assertEqual((x, y), (0, 0))
        energy = r.data["energy/total"]
        self.assertAlmostEqual(energy[0] - energy[-1], 0.041055, delta=1e-6)


class Incline(SceneTest):
    def test(self):
        r = self.run_scene("incline")
        downhill = np.array([math.cos(math.radians(20)), 0, -math.sin(math.radians(20))])
        q = math.tan(math.radians(20)) / 0.5
        creep = r.body("holds", "velocity")[-1] @ downhill
        # The exact value of the law once the landing has died away.
        self.assertAlmostEqual(creep, 1e-4 * q / math.sqrt(1 - q * q), delta=1e-9)
        speed = r.body("slides", "velocity") @ downhill
        half = r.row(0.5)
        # Within 1e-4: the friction of the law is mu (1 - O((v_s/v)^2)).
        self.assertAlmostEqual((speed[-1] - speed[half]) / 0.5, 1.51154, delta=1e-4)
        way = (r.body("slides", "position")[-1] - r.body("slides", "position")[0]) @ downhill
        self.assertAlmostEqual(way, 0.7565, delta=2e-3)
        for name in ("holds", "slides"):
            self.assertEqual(len(r.contacts(-2, name)), 4)
            self.assertAlmostEqual(r.contact_sum(len(r.time) - 1, "normal_force", name), 4.8 * G * math.cos(math.radians(20)), delta=1e-3)
        self.assertLess(abs(r.body("slides", "position")[-1, 1] - 0.3), 1e-6)


class BouncingBall(SceneTest):
    def rebound(self, r, name):
        """Height of the first rebound: the highest point between the first and the second touch."""
        height, speed = r.body(name, "position")[:, 2] - 0.05, r.body(name, "velocity")[:, 2]
        up = int(np.argmax((speed > 0) & (r.time > 0.3)))
        down = up + int(np.argmax(speed[up:] < 0))
        return height[up:down + 1].max()

    def test_heights_and_first_order(self):
        # m x'' = m g - k x (1 + d x')_+ from the touch to x = 0, integrated to 1e-9 (Runge-Kutta of fourth order, 1 us).
        expected = {"lively": 0.5, "rubber": 0.8207698 ** 2 * 0.5}
        loss = {}
        for step in (1e-4, 5e-5):
            r = self.run_scene("bouncing_ball", "--end", "0.7", "--set", f"time.step={step}", "--set", "output.period=0.001")
            loss[step] = {name: expected[name] - self.rebound(r, name) for name in expected}
            self.assertLess(self.rebound(r, "clay"), 0)
        w0 = math.sqrt(2e4 / 0.5)
        # exp(-pi w0 dt) is the energy that backward Euler leaves; the sampling of the top costs g (1 ms)^2/2 = 5e-6 m.
        self.assertAlmostEqual(0.5 - loss[1e-4]["lively"], 0.5 * math.exp(-math.pi * w0 * 1e-4), delta=2e-3)
        for name in ("lively", "rubber"):
            self.assertAlmostEqual(loss[5e-5][name] / loss[1e-4][name], 0.5, delta=0.02)


class BoxStack(SceneTest):
    def test(self):
        r = self.run_scene("box_stack")
        last = len(r.time) - 1
        self.assertAlmostEqual(r.contact_sum(last, "normal_force", "ground"), 345.46896, delta=1e-3)
        for i in range(10):
            position = r.body(f"box_{i}", "position")
            with self.subTest(box=i):
                self.assertLess(np.abs(position[-1, :2] - position[0, :2]).max(), 1e-6)
                self.assertLess(np.abs(r.body(f"box_{i}", "velocity")[-1]).max(), 1e-6)
                self.assertLess(position[0, 2] - position[-1, 2], 1e-4)
                self.assertGreater(position[0, 2] - position[-1, 2], 0)


class Pendulum(SceneTest):
    def crossings(self, time, angle):
        """Times at which the angle falls through zero, by linear interpolation."""
        i = np.nonzero((angle[:-1] > 0) & (angle[1:] <= 0))[0]
        return time[i] + (time[i + 1] - time[i]) * angle[i] / (angle[i] - angle[i + 1])

    def test(self):
        r = self.run_scene("pendulum")
        wide, damped = r.joint("wide", "position")[:, 0], r.joint("damped", "position")[:, 0]
        times = self.crossings(r.time, wide)
        self.assertEqual(len(times), 6)
        # Symplectic Euler keeps the period to second order; interpolation between rows of 10 ms to 1e-5 s.
        self.assertAlmostEqual(np.mean(np.diff(times)), 1.7581663, delta=2e-4)
        self.assertAlmostEqual(math.degrees(wide[r.time > 8].max()), 60, delta=0.1)
        # Amplitude from energy, so that it can be read at any phase.
        inertia, stiffness = 0.3334667, G * 0.5
        speed = r.joint("damped", "velocity")[:, 0]
        amplitude = np.degrees(np.sqrt(damped ** 2 + inertia / stiffness * speed ** 2))
        self.assertAlmostEqual(amplitude[-1], 5 * math.exp(-0.07497 * 10), delta=0.03)


class Chain(SceneTest):
    def rotate(self, q, v):
        w, u = q[:, :1], q[:, 1:]
        return v + 2 * np.cross(u, np.cross(u, v) + w * v)

    def test(self):
        r = self.run_scene("chain")
        end = np.array([0, 0, -0.2])
        for i in range(7):
            gap = r.body(f"link_{i}", "position") + self.rotate(r.body(f"link_{i}", "quaternion"), end) - r.body(f"link_{i + 1}", "position")
            self.assertLess(np.abs(gap).max(), 1e-13)
        audit = r.data["energy/total"] + r.data["energy/dissipated"] - r.data["energy/work"]
        self.assertTrue((np.abs(audit - audit[0]) <= np.abs(r.data["energy/balance_error"]) + 1e-9).all())
        self.assertLess(r.data["energy/kinetic"][-1], 1e-3)
        self.assertGreater(r.data["energy/total"][0] - r.data["energy/total"][-1], 20)
        touching = {r.geometries[g] for i in r.contacts(len(r.time) - 1) if r.data["contact/normal_force"][i] > 0
                    for g in (r.data["contact/geometry_a"][i], r.data["contact/geometry_b"][i])} - {"ground/geometry_0"}
        self.assertIn(len(touching), (1, 2))


class Belt(SceneTest):
    def test(self):
        r = self.run_scene("belt")
        speed = r.body("parcel", "velocity")[:, 0]
        # Not from the start: the landing on the springs takes a few steps, and friction lags a step behind the normal force.
        self.assertAlmostEqual((speed[r.row(0.15)] - speed[r.row(0.05)]) / 0.1, 0.3 * G, delta=1e-4)
        self.assertLess(speed[r.row(0.16)], 0.5)
        self.assertAlmostEqual(speed[r.row(0.18)], 0.5, delta=1e-3)
        self.assertAlmostEqual(speed[-1], 0.5, delta=1e-7)
        self.assertAlmostEqual(r.body("parcel", "position")[-1, 0], 0.5 - 0.5 ** 2 / (2 * 0.3 * G), delta=1e-3)
        np.testing.assert_array_equal(r.body("belt", "position"), np.tile([1, 0, -0.05], (len(r.time), 1)))


class Movers(SceneTest):
    def test(self):
        r = self.run_scene("movers")
        late = r.time > 0.2
        omega = 4 * math.pi
        with self.subTest("shaker"):
            np.testing.assert_allclose(r.body("shaker", "position")[:, 2], 0.5 + 0.02 * np.sin(omega * r.time), atol=1e-14)
            force = np.array([r.contact_sum(i, "normal_force", "shaken") for i in range(len(r.time))])
            # First order in the step: the force of a step is that of some moment in it, a w^3 dt = 0.04 N.
            np.testing.assert_allclose(force[late], (G - 0.02 * omega ** 2 * np.sin(omega * r.time))[late], atol=0.08)
        with self.subTest("pusher"):
            self.assertAlmostEqual(r.body("pushed", "velocity")[-1, 0], 0.1, delta=1e-6)
            self.assertAlmostEqual(r.body("pushed", "position")[-1, 0], r.body("pusher", "position")[-1, 0] + 0.11, delta=1e-4)
            a = {r.geometries.index("pusher/geometry_0"), r.geometries.index("pushed/geometry_0")}
            rows = [i for i in r.contacts(len(r.time) - 1, "pusher") if {r.data["contact/geometry_a"][i], r.data["contact/geometry_b"][i]} == a]
            self.assertAlmostEqual(r.data["contact/normal_force"][rows].sum(), 0.5 * 4 * G, delta=0.02)
        with self.subTest("turntable"):
            way = r.body("turned", "position")[-1] - [0, 2, 0]
            self.assertAlmostEqual(math.hypot(way[0], way[1]), 0.2 * math.exp(2 ** 2 * 1e-3 * 2 / 2), delta=1e-4)
        with self.subTest("lift"):
            self.assertAlmostEqual(r.body("lifted", "velocity")[r.row(1.2), 2], 0.3, delta=1e-4)
            height = r.body("lifted", "position")[:, 2]
            self.assertAlmostEqual(height[-1] - height[r.row(0.4)], 0.3, delta=1e-3)


class MeshRamp(SceneTest):
    def test(self):
        r = self.run_scene("mesh_ramp")
        theta = math.radians(15)
        downhill = np.array([math.cos(theta), 0, -math.sin(theta)])
        normal = np.array([math.sin(theta), 0, math.cos(theta)])
        acceleration = 5 / 7 * G * math.sin(theta)
        for name, radius in (("small", 0.05), ("large", 0.1)):
            position, velocity = r.body(name, "position"), r.body(name, "velocity")
            with self.subTest(name):
                one = r.row(1.0)
                self.assertAlmostEqual((position[one] - position[0]) @ downhill, acceleration / 2, delta=3e-3)
                # No bump over the edges: the ball stays at its height over the slope and in its lane.
                on_slope = r.time <= 1.2
                np.testing.assert_allclose(position[on_slope] @ normal, radius, atol=1e-4)
                np.testing.assert_allclose(position[on_slope, 1], position[0, 1], atol=1e-5)
                self.assertLess(np.abs(velocity[on_slope] @ normal)[10:].max(), 1e-3)
                end_of_slope = math.sqrt(2 * (2 - 0.3 - radius * math.tan(theta / 2)) * acceleration)
                self.assertAlmostEqual(velocity[-1, 0] / end_of_slope, (5 * math.cos(theta) + 2) / 7, delta=0.01)
                self.assertAlmostEqual(position[-1, 2], radius - 2 * math.sin(theta), delta=1e-4)
        q = math.tan(theta) / 0.6
        self.assertAlmostEqual(r.body("box", "velocity")[-1] @ downhill, 1e-4 * q / math.sqrt(1 - q * q), delta=1e-7)


class Pile(SceneTest):
    """What piles have in common: weight, rest, depth, energy."""

    def support(self, r, row, body):
        """Vertical force that `body` gives to the others."""
        b = r.bodies.index(body)
        rows = r.contacts(row, body)
        sign = np.where(r.data["geometries/body"][r.data["contact/geometry_a"][rows]] == b, 1.0, -1.0)
        return float((sign * r.data["contact/force"][rows, 2]).sum())

    def speeds(self, r, row, kind, carried_by="nothing"):
        """Speeds of the bodies whose names start with `kind`, without those that feel a body whose name starts with `carried_by`."""
        rows = [i for i in r.contacts(row) if r.data["contact/normal_force"][i] > 0]
        pairs = np.stack([r.data["geometries/body"][r.data[f"contact/geometry_{side}"][rows]] for side in "ab"], axis=1)
        carried = {b for pair in pairs for b, other in (pair, pair[::-1]) if r.bodies[other].startswith(carried_by)}
        chosen = [b for b, name in enumerate(r.bodies) if name.startswith(kind) and b not in carried]
        self.assertGreater(len(chosen), 0)
        return np.linalg.norm(r.data["trajectory/velocity"][row][chosen], axis=1)

    def mean_depth(self, r, begin):
        late = r.data["contact/phi"][r.data["contact/row_offset"][r.row(begin)]:]
        return -late[late < 0].mean()

    def mechanical_growth(self, r):
        """The largest rise of kinetic plus potential energy from row to row."""
        return np.diff(r.data["energy/kinetic"] + r.data["energy/potential"]).max()


class CubeBin(Pile):
    def test(self):
        for law in ("lagged", "sap", "similar"):
            with self.subTest(law):
                r = self.run_scene("cube_bin", "--set", f"contact.model={law}")
                last = len(r.time) - 1
                self.assertEqual(sum(body.startswith("cube") for body in r.bodies), 63)
                # What still creeps may be in the middle of a slip: a few thousandths of the weight of one cube.
                self.assertAlmostEqual(self.support(r, last, "container"), 63 * G, delta=0.5)
                # A last lever of three cubes may still be giving way, or a leaning one tip.
                self.assertLessEqual((self.speeds(r, last, "cube") > 1e-3).sum(), 3)
                depth = self.mean_depth(r, 5.0)
                self.assertTrue(5e-7 < depth < 3e-6, depth)
                self.assertLess(self.mechanical_growth(r), 0)
                position = r.data["trajectory/position"][-1][1:]
                self.assertLess(np.abs(position[:, :2]).max(), 0.28)
                self.assertGreater(position[:, 2].min(), 0.0499)


class Wall(Pile):
    def test(self):
        r = self.run_scene("wall")
        last = len(r.time) - 1
        cubes = [i for i, body in enumerate(r.bodies) if body.startswith("cube")]
        self.assertEqual(len(cubes), 125)
        position = r.data["trajectory/position"][:, cubes]
        before = r.row(0.22)
        self.assertLess(np.abs(position[:before + 1] - position[0]).max(), 1e-5)
        self.assertGreater(np.linalg.norm(position[-1] - position[0], axis=1).max(), 0.5)
        self.assertAlmostEqual(self.support(r, last, "ground"), (125 + 2500 * 4 / 3 * math.pi * 1e-3) * G, delta=0.5)
        self.assertLessEqual((self.speeds(r, last, "cube") > 1e-3).sum(), 10)   # two towers that lean
        self.assertLess(self.mechanical_growth(r), 0)


class GearPile(Pile):
    def test(self):
        r = self.run_scene("gear_pile")
        gear = r.bodies.index("gear")
        self.assertAlmostEqual(r.data["bodies/mass"][gear], 7.73778945, delta=1e-8)   # area by the shoelace formula
        self.assertAlmostEqual(self.support(r, len(r.time) - 1, "container"), r.data["bodies/mass"].sum() * G, delta=0.5)
        self.assertAlmostEqual(r.body("gear", "position")[-1, 2], 0.03, delta=1e-4)
        self.assertLess(np.abs(r.body("gear", "velocity")[-1]).max(), 1e-3)
        position = r.data["trajectory/position"][-1][1:]
        self.assertLess(np.abs(position[:, :2]).max(), 0.27)
        self.assertGreater(position[:, 2].min(), 0.0199)
        self.assertLess(position[:, 2].max(), 0.15)
        self.assertLess(self.mechanical_growth(r), 0.01)
        self.assertLess(r.data["energy/kinetic"][-1] + r.data["energy/potential"][-1], 0.1 * r.data["energy/total"][0])


class Clutter(Pile):
    def check(self, name):
        r = self.run_scene(name)
        mass = 24 * 1000 * 4 / 3 * math.pi * 0.05 ** 3 + 16
        free = [i for i, body in enumerate(r.bodies) if body != "container"]
        self.assertEqual(len(free), 40)
        self.assertAlmostEqual(r.data["bodies/mass"][free].sum(), mass, delta=1e-9)
        last = len(r.time) - 1
        self.assertAlmostEqual(self.support(r, last, "container"), mass * G, delta=0.5)
        position = r.data["trajectory/position"][last][free]
        # All inside: no body has gone through a wall or the floor.
        self.assertLess(np.abs(position[:, :2]).max(), 0.38)
        self.assertGreater(position[:, 2].min(), 0.049)
        # Cubes rest; spheres roll on, which nothing resists, and cubes that lie on them rock with them.
        for t in (6.0, 10.0):
            self.assertLess(self.speeds(r, r.row(t), "cube", carried_by="ball").max(), 1e-3)
        self.assertLess(self.speeds(r, last, "cube").max(), 0.1)
        self.assertLess(self.speeds(r, last, "ball").max(), 0.1)
        # Weights over stiffness: 28.6 kg on a hundred contacts or two of 5e6 and 1e7 N/m.
        depth = self.mean_depth(r, 8.0)
        self.assertTrue(1e-7 < depth < 6e-7, depth)
        self.assertLess(self.mechanical_growth(r), 0)
        return r

    def test_clutter(self):
        r = self.check("clutter")
        steps, iterations = r.data["stats/step/time"], r.data["stats/step/iterations"]
        self.assertLess(iterations[steps < 1].mean(), 20)
        self.assertLess(iterations[steps > 1].mean(), 6)

    def test_clutter_boxes(self):
        self.check("clutter_boxes")


if __name__ == "__main__":
    main()
