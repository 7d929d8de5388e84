"""Cartesian actuators: an impedance between a frame of a body and a pose, against closed forms."""
import math
import sys

import numpy as np

from csim_testing import DONE, DRIVEN_ARM, INVALID, SOURCE, CliTest, Result, compare_bits, main

sys.path.insert(0, str(SOURCE / "scripts/python"))
import csim  # noqa: E402

HEAD = "csim: 1\nname: scene\n"
TOOL = HEAD + """\
gravity: [0, 0, 0]
time: {step: 2.0e-3, end: 2}
bodies:
  - {name: tool, mass: 2, inertia: [0.02, 0.03, 0.04], pose: {xyz: [0.1, 0.2, 0.3]}}
actuators:
  - {name: pull, type: cartesian, body: tool, %s}
"""

ARM = HEAD + "time: {step: 1.0e-3, end: 4}\n" + DRIVEN_ARM


class Cartesian(CliTest):
    def run_scene(self, text, *options, expect=DONE, name="out.h5"):
        self.write("scene.yaml", text)
        self.said = self.csim("run", "scene.yaml", "-o", name, "--force", "-q", *options, expect=expect)
        return Result(self.folder / name)

    def balanced(self, r, tolerance=1e-9):
        self.assertLess(np.abs(r.data["energy/balance_error"]).max(), tolerance)

    def test_a_body_is_drawn_along_three_axes(self):
        r = self.run_scene(TOOL % "stiffness: {linear: [200, 100, 50]}, damping: {linear: 10}, command: {xyz: [0.3, 0.2, 0.1]}")
        x, v, c, h, k = np.array([0.1, 0.2, 0.3]), np.zeros(3), np.array([0.3, 0.2, 0.1]), 2e-3, np.array([200, 100, 50])
        path = [x]
        for _ in range(1000):  # m (v1 - v0) = h (k (c - x0 - h v1) - d v1)
            v = (v + h / 2 * k * (c - x)) / (1 + h * 10 / 2 + h * h * k / 2)
            x = x + h * v
            path.append(x)
        np.testing.assert_allclose(r.body("tool", "position"), np.array(path)[::5], atol=1e-12)
        self.assertEqual([name.decode() for name in r.data["actuator/name"]], [f"pull.{c}" for c in ("x", "y", "z", "roll", "pitch", "yaw")])
        np.testing.assert_allclose(r.data["actuator/command"][-1], [0.3, 0.2, 0.1, 0, 0, 0], atol=0)
        np.testing.assert_allclose(r.data["actuator/effort"][0], [40, 0, -10, 0, 0, 0], atol=1e-12)
        np.testing.assert_allclose(r.data["actuator/effort"][-1, :3], k * (c - x) - 10 * v, atol=1e-10)
        self.balanced(r)
        self.assertAlmostEqual(r.data["energy/work_actuators"][-1], r.data["energy/kinetic"][-1], delta=1e-9)
        pull = csim.load(self.folder / "out.h5").actuator("pull")
        np.testing.assert_array_equal(pull.effort, r.data["actuator/effort"])
        np.testing.assert_array_equal(pull.command, r.data["actuator/command"])

    def test_a_body_is_turned(self):
        # About one axis: I w' = k (a - q) - d w, whatever the axis.
        for axis in np.eye(3):
            inertia = float(np.array([0.02, 0.03, 0.04]) @ axis)
            rpy = 1.5 * axis
            r = self.run_scene(TOOL % f"stiffness: [0, 0, 0, 2, 2, 2], damping: [0, 0, 0, 0.1, 0.1, 0.1], command: {{rpy: {list(map(float, rpy))}}}")
            q = w = 0.0
            for _ in range(1000):
                w = (w + 2e-3 / inertia * 2 * (1.5 - q)) / (1 + 2e-3 * 0.1 / inertia + 4e-6 * 2 / inertia)
                q += 2e-3 * w
            turned = r.body("tool", "quaternion")[-1]
            self.assertAlmostEqual(2 * math.atan2(turned[1:] @ axis, turned[0]), q, delta=1e-4)
        # And about any axis at rest: at the command.
        r = self.run_scene(TOOL % "stiffness: [0, 0, 0, 2, 2, 2], damping: [0, 0, 0, 0.3, 0.3, 0.3], command: {rpy: [0.4, -1.2, 2]}", "--end", "6")
        half = [(math.cos(a / 2), math.sin(a / 2)) for a in (0.4, -1.2, 2)]
        (cr, sr), (cp, sp), (cy, sy) = half
        expected = [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]
        np.testing.assert_allclose(np.abs(r.body("tool", "quaternion")[-1] @ expected), 1, atol=1e-9)

    def test_a_turned_base_has_axes_of_its_own(self):
        # Its x is the world's y: gains, command and wrench are along its axes.
        text = TOOL.replace("bodies:", "bodies:\n  - {name: table, fixed: true, pose: {xyz: [1, 0, 0], rpy_deg: [0, 0, 90]}}").replace("xyz: [0.1, 0.2, 0.3]", "xyz: [1, 0, 0]")
        r = self.run_scene(text % "base: table, stiffness: [200, 100, 50, 3, 2, 1], damping: [10, 10, 10, 0.2, 0.2, 0.2], command: {xyz: [0.3, 0.2, 0.1], rpy: [0.4, 0.3, 1]}", "--end", "12")
        np.testing.assert_allclose(r.data["actuator/effort"][0, :3], [60, 20, 5], atol=1e-12)
        x, v, h = np.zeros(3), np.zeros(3), 2e-3
        for _ in range(100):
            k = np.array([200, 100, 50])
            v = (v + h / 2 * k * ([0.3, 0.2, 0.1] - x)) / (1 + h * 10 / 2 + h * h * k / 2)
            x = x + h * v
        np.testing.assert_allclose(r.body("tool", "position")[20], [1 - x[1], x[0], x[2]], atol=1e-6)
        (cr, sr), (cp, sp), (cy, sy) = [(math.cos(a / 2), math.sin(a / 2)) for a in (0.4, 0.3, 1)]
        w, x, y, z = cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
        s = math.sqrt(0.5)  # the base's turn before the command
        np.testing.assert_allclose(np.abs(r.body("tool", "quaternion")[-1] @ [s * (w - z), s * (x - y), s * (y + x), s * (z + w)]), 1, atol=1e-9)

    def test_damping_follows_the_command(self):
        # m v' = d (v_d - v), and the same of the turning about one axis.
        r = self.run_scene(TOOL % ("stiffness: {}, damping: {linear: 10, angular: 0.1}, "
                                   "command: {times: [0, 2], xyz: [[0, 0, 0], [1, 0, 0]], rpy: [[0, 0, 0], [0, 0, 3]]}"))
        v = w = 0.0
        for _ in range(1000):
            v = (v + 2e-3 * 10 / 2 * 0.5) / (1 + 2e-3 * 10 / 2)
            w = (w + 2e-3 * 0.1 / 0.04 * 1.5) / (1 + 2e-3 * 0.1 / 0.04)
        np.testing.assert_allclose(r.body("tool", "velocity")[-1], [v, 0, 0], atol=1e-6)
        np.testing.assert_allclose(r.body("tool", "angular_velocity")[-1], [0, 0, w], atol=1e-6)

    def test_an_arm_hangs_in_its_impedance(self):
        r = self.run_scene(ARM, "--set", "solver.tolerance=1e-9", "--end", "8")
        # At rest: K e at the tip balances the weights: J' K e = torque of gravity.
        a, b = r.data["joint/position"][-1]
        tip = np.array([0.5 * math.cos(a) + 0.5 * math.cos(a + b), 0.5 * math.sin(a) + 0.5 * math.sin(a + b)])
        J = np.array([[-tip[1], -0.5 * math.sin(a + b)], [tip[0], 0.5 * math.cos(a + b)]])
        gravity = 9.81 * np.array([2 * 0.5 * math.cos(a) + 1 * tip[0], 1 * 0.5 * math.cos(a + b)])
        force = np.array([2000 * (0.6 - tip[0]), 3000 * (0.5 - tip[1])])
        np.testing.assert_allclose(J.T @ force, gravity, rtol=1e-5)
        np.testing.assert_allclose(r.data["actuator/effort"][-1], [force[0], 0, force[1], 0, 0, 0], atol=1e-4)
        np.testing.assert_allclose(r.data["joint/effort"][-1], gravity, rtol=1e-4)  # what motors would hold
        self.balanced(r, 1e-6)

    def test_the_step_converges_to_the_continuous_motion(self):
        text = ARM.replace("end: 4", "end: 0.3").replace("command: {xyz: [0.6, 0, 0.5]}",
                                                          "command: {times: [0, 0.3], xyz: [[0.6, 0, 0.5], [0.4, 0, 0.6]], interpolation: smooth}")
        fine = self.run_scene(text, "--set", "integrator={type: continuous, accuracy: 1.0e-10}", "--set", "output.period=0.3").data["joint/position"][-1]
        by_error = self.run_scene(text, "--set", "integrator={type: error_controlled, accuracy: 1.0e-6}", "--set", "output.period=0.3")
        np.testing.assert_allclose(by_error.data["joint/position"][-1], fine, atol=1e-3)
        errors = []
        for h in (2e-3, 1e-3, 5e-4):
            r = self.run_scene(text, "--set", f"time.step={h}", "--set", "output.period=0.3")
            errors.append(np.abs(r.data["joint/position"][-1] - fine).max())
        self.assertLess(errors[0], 0.02)
        np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 1, atol=0.15)

    def test_two_bodies_keep_their_momentum(self):
        text = HEAD + """\
gravity: [0, 0, 0]
time: {step: 5.0e-4, end: 0.5}
bodies:
  - {name: ship, mass: 3, inertia: [0.3, 0.2, 0.4], velocity: {linear: [0.1, 0, 0], angular: [0, 0.2, 0.3]}}
  - {name: load, mass: 1, inertia: [0.02, 0.03, 0.04], pose: {xyz: [0.5, 0.1, 0.2]}}
actuators:
  - {name: grip, type: cartesian, body: load, base: ship, pose: {xyz: [0, 0, 0.1]}, stiffness: [300, 300, 300, 5, 5, 5], damping: [5, 5, 5, 0.1, 0.1, 0.1],
     command: {times: [0, 0.3], xyz: [[0.5, 0.1, 0.3], [0.6, 0, 0.1]], rpy: [[0, 0, 0], [0.5, 0, 0.3]]}}
"""
        r = self.run_scene(text)
        m = {"ship": 3, "load": 1}
        momentum = sum(m[b] * r.body(b, "velocity") for b in m)
        np.testing.assert_allclose(momentum, momentum[0][None].repeat(len(momentum), 0), atol=1e-10)
        self.assertGreater(np.abs(r.body("load", "velocity")).max(), 0.1)

        def spin(r):
            total = np.zeros((len(r.time), 3))
            for b, inertia in (("ship", [0.3, 0.2, 0.4]), ("load", [0.02, 0.03, 0.04])):
                q = r.body(b, "quaternion")
                w, x, y, z = q.T
                R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                              [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                              [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)
                local = np.einsum("fji,fj->fi", R, r.body(b, "angular_velocity")) * inertia
                total += np.einsum("fij,fj->fi", R, local) + m[b] * np.cross(r.body(b, "position"), r.body(b, "velocity"))
            return total
        drift = np.abs(spin(r) - spin(r)[0]).max()
        half = np.abs(spin(self.run_scene(text, "--set", "time.step=2.5e-4")) - spin(r)[0]).max()
        self.assertLess(drift, 2e-3)
        self.assertAlmostEqual(drift / half, 2, delta=0.2)  # of first order

    def test_a_base_that_is_prescribed_works(self):
        # The base goes up at 1 m/s with the load on it: the work done on it is the load's potential energy.
        text = HEAD + """\
time: {step: 1.0e-3, end: 2}
bodies:
  - {name: lift, motion: {velocity: [0, 0, 1]}}
  - {name: load, mass: 2, inertia: [0.02, 0.02, 0.02], velocity: {linear: [0, 0, 1]}}
actuators:
  - {name: hold, type: cartesian, body: load, base: lift, stiffness: [5000, 5000, 5000, 10, 10, 10], damping: [200, 200, 200, 1, 1, 1], command: {}}
"""
        r = self.run_scene(text, "--set", "solver.tolerance=1e-11")
        self.assertAlmostEqual(r.body("load", "position")[-1, 2], 2 - 2 * 9.81 / 5000, delta=1e-6)
        self.assertAlmostEqual(r.data["energy/work"][-1], 2 * 9.81 * 2, delta=0.2)
        self.assertAlmostEqual(r.data["energy/work_prescribed"][-1], 2 * 9.81 * 2, delta=0.2)
        self.balanced(r)

    def test_a_sequence_names_its_coordinates(self):
        text = TOOL % "stiffness: {linear: 500, angular: 5}, damping: {linear: 60, angular: 0.6}, command: {xyz: [0.1, 0.2, 0.3]}" + """\
sequence:
  - {name: down, commands: {pull.z: {ramp: {to: 0.1, duration: 0.5}}}, until: {actuator_effort: pull.z, below: -20}}
  - {name: turn, commands: {pull.yaw: 0.5}, until: {time: 1}}
"""
        r = self.run_scene(text)
        self.assertEqual([v for k, v in zip(r.data["event/kind"], r.data["event/value"]) if k == b"phase"], [0, 1])
        self.assertAlmostEqual(r.data["actuator/command"][-1, 5], 0.5)
        whole = self.folder / "out.h5"
        self.run_scene(text, "--end", "0.4", name="part.h5")
        self.csim("run", "scene.yaml", "-o", "part.h5", "--resume", "-q")
        self.assert_same_bits(whole, self.folder / "part.h5")

    def test_the_resolved_scene_runs_to_the_same_bits(self):
        self.run_scene(ARM.replace("end: 4", "end: 0.2"), name="a.h5")
        self.write("resolved.yaml", self.csim("resolve", "scene.yaml").stdout)
        self.csim("run", "resolved.yaml", "-o", "b.h5", "-q")
        differences = [d for d in compare_bits(self.folder / "a.h5", self.folder / "b.h5") if not d.startswith("scene/")]
        self.assertEqual(differences, [])

    def test_stiff_gains_pull_straight(self):
        # Far above what the step resolves: at the command in a step, along the way there.
        r = self.run_scene(TOOL % "stiffness: {linear: 1.0e9, angular: 1.0e6}, damping: {linear: 1.0e5, angular: 1.0e3}, command: {xyz: [0.3, 0.1, 0.2]}",
                           "--set", "output.period=0.002", "--set", "time.end=0.02", "--set", "solver.tolerance=1e-10")
        way = r.body("tool", "position") - [0.1, 0.2, 0.3]
        self.assertGreater(way[1, 0], 0.01)
        np.testing.assert_allclose(np.cross(way[1:], [0.2, -0.1, -0.1]), 0, atol=1e-9)
        np.testing.assert_allclose(way[-1], [0.2, -0.1, -0.1], atol=1e-6)

    def test_what_is_wrong_is_told_at_its_place(self):
        for keys, words in (("stiffness: 100, command: {}", "actuators.pull.stiffness: 100, expected 6 numbers (linear, angular) or {linear, angular}"),
                            ("stiffness: [1, 2, 3], command: {}", "actuators.pull.stiffness: "),
                            ("stiffness: {linear: -1}, command: {}", "actuators.pull.stiffness.linear: -1, expected "),
                            ("stiffness: {linear: 1}, command: 0.5", "actuators.pull.command: 0.5, expected a pose, or poses over time"),
                            ("stiffness: {linear: 1}, command: {times: [0, 1], xyz: [[0, 0, 0]]}", "actuators.pull.command.xyz: a list of 1"),
                            ("stiffness: {linear: 1}, base: tool, command: {}", "actuators.pull.base: 'tool', which is the body too"),
                            ("stiffness: {linear: 1}, joint: j, command: {}", "unknown key for type: cartesian"),
                            ("command: {}", "actuators.pull.stiffness: missing")):
            self.write("scene.yaml", TOOL % keys)
            self.assertIn(words, self.csim("run", "scene.yaml", expect=INVALID).stderr)
        welded = TOOL.replace("actuators:", "joints: [{name: j, type: weld, parent: world, child: tool}]\nactuators:").replace(", pose: {xyz: [0.1, 0.2, 0.3]}", "")
        self.write("scene.yaml", welded % "stiffness: {linear: 1}, command: {}")
        self.assertIn("actuators.pull.body: 'tool', which nothing moves against the base", self.csim("run", "scene.yaml", expect=INVALID).stderr)


if __name__ == "__main__":
    main()
