"""Constraints and cartesian drives under integrator.type: quasistatic: equilibria in closed form, virtual work, loops."""
import math

import numpy as np

from csim_testing import DRIVEN_ARM, INVALID, Result, compare_bits, main, text
from quasistatic_testing import BODY, G, HEAD, PROBLEMS, TIGHT, QuasistaticTest, four_bar_scene

# Two slides at their drives, and a constraint between them.
SLIDES = HEAD + f"""\
time: {{step: 0.01, end: 0.5}}
bodies: [{{name: a, {BODY}}}, {{name: b, {BODY}}}]
joints:
  - {{name: ja, type: prismatic, parent: world, child: a, axis: [1, 0, 0]}}
  - {{name: jb, type: prismatic, parent: world, child: b, axis: [1, 0, 0], position: 0.5}}
actuators:
  - {{name: ma, joint: ja, type: position, stiffness: 300, command: {{times: [0, 0.5], values: [0, -0.1]}}}}
  - {{name: mb, joint: jb, type: position, stiffness: 600, command: {{times: [0, 0.5], values: [0.5, 0.6]}}}}
constraints: [{{name: tie, %s}}]
"""

# A crank at its drive, a coupler and a rocker that have weights.
FOUR_BAR = four_bar_scene(HEAD, "name: floating, type: planar, parent: world, child: coupler, axis: [0, -1, 0], position: [0.03624, 0.0932, 0.363]",
                          ["name: knee, type: ball, a: crank, b: coupler, point_a: [0.1, 0, 0]", "name: loop, type: ball, a: coupler, b: rocker, point_a: [0.3, 0, 0], point_b: [0.2, 0, 0]"])

ARM = HEAD + "time: {step: 1.0e-2, end: 4}\n" + DRIVEN_ARM


class QuasistaticConstraints(QuasistaticTest):
    def test_what_joins_two_drives_shares_their_loads(self):
        # min 1/2 K_a (q_a - c_a)^2 + 1/2 K_b (q_b - c_b)^2 with q_b - q_a = 0.5; of a spring plus 1/2 k (..)^2.
        joint = f"type: coupler, joint_a: jb, joint_b: ja, offset: 0.5, {TIGHT}"
        cord = f"type: tendon, joints: {{ja: -1, jb: 1}}, length: 0.5, {TIGHT}"
        rod = f"type: distance, a: a, b: b, length: 0.5, {TIGHT}"
        rope = f"type: distance, a: a, b: b, max: 0.5, {TIGHT}"
        band = f"type: tendon, joints: {{ja: -1, jb: 1}}, limits: [-1, 0.5], {TIGHT}"
        pin = f"type: ball, a: a, b: b, point_a: [0.25, 0, 0], point_b: [-0.25, 0, 0], {TIGHT}"
        weld = f"type: weld, a: a, b: b, pose_a: {{xyz: [0.5, 0, 0]}}, {TIGHT}"
        for constraint in (joint, cord, rod, rope, band, pin, weld):
            for k in (math.inf, 150.0):
                for problem in PROBLEMS:
                    with self.subTest(constraint=constraint, k=k, problem=problem):
                        soft = "" if math.isinf(k) else f", stiffness: {k}"
                        r = self.run_scene(SLIDES % (constraint + soft), "--set", f"integrator.problem={problem}")
                        wish = 0.2 * r.time / 0.5  # of the drives, beyond the length
                        f = wish / (1 / 300 + 1 / 600 + 1 / k)
                        np.testing.assert_allclose(r.joint("ja", "position")[:, 0], -wish / 2 + f / 300, atol=1e-8)
                        np.testing.assert_allclose(r.joint("jb", "position")[:, 0], 0.5 + wish / 2 - f / 600, atol=1e-8)
                        force = r.data["constraint/force"][1:]
                        np.testing.assert_allclose(np.abs(force).max(axis=1), f[1:], rtol=1e-6)
                        self.assertTrue((force.min(axis=1) < 0).all())  # it pulls
                        stored = 0 if math.isinf(k) else f**2 / (2 * k)
                        np.testing.assert_allclose(r.data["energy/elastic"], stored, atol=1e-8)

    def test_arms_near_their_full_reach_come_to_their_commands(self):
        # A knee that is straight on its way, and a joint more than the command needs: motions that springs hold, but hardly.
        for lengths, start, k, command in (((0.129370263, 0.0705999810), (-0.176209712, 0.354699258), 897.317288, (-0.168459441, -0.0869513206)),
                                           ((0.0527243978, 0.0300044253, 0.0557711338), (1.29481252, -0.0762983649, 0.635125578), 180.777177, (0.0678675276, 0.119309310))):
            n = len(lengths)
            scene = HEAD + "time: {step: 0.01, end: 0.6}\nbodies:\n" + "".join(f"  - {{name: l{i}, mass: 1, inertia: [0.01, 0.01, 0.01], gravity_compensation: true}}\n" for i in range(n))
            scene += "joints:\n" + "".join(f"  - {{name: j{i}, type: revolute, parent: {f'l{i - 1}' if i else 'world'}, child: l{i}, pose: {{xyz: [{lengths[i - 1] if i else 0}, 0, 0]}}, "
                                           f"axis: [0, 0, 1], position: {start[i]}}}\n" for i in range(n))
            scene += f"actuators: [{{name: hand, type: cartesian, body: l{n - 1}, pose: {{xyz: [{lengths[-1]}, 0, 0]}}, stiffness: {{linear: {k}}}, command: {{xyz: [{command[0]}, {command[1]}, 0]}}}}]\n"
            for problem in PROBLEMS:
                with self.subTest(joints=n, problem=problem):
                    r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
                    angles = np.cumsum([r.joint(f"j{i}", "position")[-1, 0] for i in range(n)])
                    np.testing.assert_allclose([np.dot(lengths, np.cos(angles)), np.dot(lengths, np.sin(angles))], command, atol=1e-7)

    def test_ropes_and_struts_act_one_way_alone(self):
        for problem in PROBLEMS:
            for slack in ("type: distance, a: a, b: b, min: 0.4", "type: tendon, joints: {ja: -1, jb: 1}, limits: [0, 1]"):
                r = self.run_scene(SLIDES % slack, "--set", f"integrator.problem={problem}")
                np.testing.assert_allclose(r.joint("ja", "position")[-1], -0.1, atol=1e-9)
                np.testing.assert_allclose(r.data["constraint/force"], 0, atol=1e-6)
            back = (SLIDES % f"type: distance, a: a, b: b, min: 0.45, max: 0.6, {TIGHT}").replace("-0.1]", "0.1]").replace("0.6]}}", "0.4]}}")
            r = self.run_scene(back, "--set", f"integrator.problem={problem}")
            self.assertAlmostEqual(r.data["constraint/force"][-1].sum(), (0.45 - 0.3) / (1 / 300 + 1 / 600), delta=1e-4)

    def test_the_default_is_near_rigid(self):
        r = self.run_scene(SLIDES % "type: distance, a: a, b: b, length: 0.5")
        compliance = (1 / 300 + 1 / 600) * 0.1**2 / (4 * math.pi**2)  # beta^2/(4 pi^2) of that of the drives
        np.testing.assert_allclose(r.data["constraint/violation"][1:, 0], -compliance * r.data["constraint/force"][1:, 0], atol=1e-9)

    def test_a_weight_on_a_spring_and_beams_on_ropes(self):
        # A weight: sag m g/k. A beam of 3 kg, its centre of mass d beside the middle, on three ropes of stiffness k:
        # f_i = m g/3 + m g d x_i/sum x^2, until one is slack; then as on two supports.
        r = self.run_scene(HEAD + f"""\
time: {{step: 0.01, end: 0.1}}
bodies: [{{name: weight, mass: 2, inertia: [0.1, 0.1, 0.1], pose: {{xyz: [0, 0, -0.5]}}}}]
constraints: [{{name: spring, type: distance, a: world, b: weight, length: 0.5, stiffness: 400}}]
""")
        np.testing.assert_allclose(r.body("weight", "position")[-1], [0, 0, -0.5 - 2 * G / 400], atol=1e-9)
        self.assertAlmostEqual(r.data["constraint/violation"][-1, 0], 2 * G / 400, delta=1e-9)
        self.assertAlmostEqual(r.data["constraint/force"][-1, 0], -2 * G, delta=1e-7)
        self.assertAlmostEqual(r.data["energy/elastic"][-1], 2 * (2 * G) ** 2 / 2 / 800, delta=1e-8)
        x = np.array([-0.2, 0, 0.2])
        guide = ("joints: [{name: height, type: prismatic, parent: world, child: guide}, {name: tilt, type: revolute, parent: guide, child: beam, axis: [0, 1, 0]}]\n"
                 "time: {step: 0.01, end: 0.1}\nbodies:\n  - {name: guide, mass: 1, inertia: [1, 1, 1], gravity_compensation: true}\n")
        ropes = "".join(f"  - {{name: r{i}, type: distance, a: world, b: beam, point_a: [{x[i]}, 0, 1], point_b: [{x[i]}, 0, 0], max: 1, stiffness: 1.0e+5}}\n" for i in range(3))
        for d, share in ((0.05, 1 / 3 + 0.05 * x / 0.08), (0.18, [0, 0.1, 0.9])):
            for problem in PROBLEMS:
                r = self.run_scene(HEAD + guide + f"  - {{name: beam, mass: 3, inertia: [0.1, 0.1, 0.1], com: [{d}, 0, 0]}}\nconstraints:\n{ropes}",
                                   "--set", f"integrator.problem={problem}")
                np.testing.assert_allclose(-r.data["constraint/force"][-1], 3 * G * np.array(share), atol=2e-2)

    def test_a_pendulum_that_is_pushed_aside(self):
        # A bob on a rod of 1 m, and a plate without friction on a slide: F = m g tan(theta), of its drive too.
        scene = HEAD + f"""\
time: {{step: 0.01, end: 1}}
materials: {{m: {{friction: 0}}}}
bodies:
  - {{name: bob, mass: 2, inertia: [0.01, 0.01, 0.01], geometry: [{{shape: sphere, radius: 0.05, material: m}}]}}
  - {{name: plate, {BODY}, geometry: [{{shape: box, size: [0.02, 1, 1], material: m}}]}}
joints:
  - {{name: swing, type: planar, parent: world, child: bob, axis: [0, -1, 0]}}
  - {{name: slide, type: prismatic, parent: world, child: plate, axis: [1, 0, 0], pose: {{xyz: [-0.06, 0, 0]}}}}
actuators: [{{name: push, joint: slide, type: position, stiffness: 500, command: {{times: [0, 0.8], values: [0, 0.4]}}}}]
constraints: [{{name: rod, type: distance, a: world, b: bob, point_a: [0, 0, 1], length: 1, {TIGHT}}}]
"""
        low, high = 0.0, 1.0  # of the angle, by bisection
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if 500 * (0.4 - math.sin(middle)) > 2 * G * math.tan(middle) else (low, middle)
        for problem in PROBLEMS:
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            np.testing.assert_allclose(r.body("bob", "position")[-1], [math.sin(low), 0, 1 - math.cos(low)], atol=1e-7)
            self.assertAlmostEqual(r.data["actuator/effort"][-1, 0], 2 * G * math.tan(low), delta=1e-5)
            self.assertAlmostEqual(r.data["constraint/force"][-1, 0], -2 * G / math.cos(low), delta=1e-5)

    def test_a_rod_between_two_bodies_that_are_pushed(self):
        # Two pushers close on two balls with a rod between them: one chain of springs. All on one line.
        scene = HEAD + f"""\
gravity: [0, 0, 0]
time: {{step: 0.01, end: 0.5}}
materials: {{m: {{friction: 0.3}}}}
bodies:
  - {{name: left, {BODY}, geometry: [{{shape: sphere, radius: 0.05, material: m}}]}}
  - {{name: right, {BODY}, geometry: [{{shape: sphere, radius: 0.05, material: m}}]}}
  - {{name: a, {BODY}, geometry: [{{shape: sphere, radius: 0.05, material: m}}]}}
  - {{name: b, {BODY}, geometry: [{{shape: sphere, radius: 0.05, material: m}}]}}
joints:
  - {{name: jl, type: prismatic, parent: world, child: left, axis: [1, 0, 0], position: -0.3}}
  - {{name: jr, type: prismatic, parent: world, child: right, axis: [1, 0, 0], position: 0.3}}
  - {{name: ja, type: prismatic, parent: world, child: a, axis: [1, 0, 0], position: -0.15}}
  - {{name: jb, type: prismatic, parent: world, child: b, axis: [1, 0, 0], position: 0.15}}
actuators:
  - {{name: ml, joint: jl, type: position, stiffness: 500, command: {{times: [0, 0.5], values: [-0.3, -0.1]}}}}
  - {{name: mr, joint: jr, type: position, stiffness: 1000, command: {{times: [0, 0.5], values: [0.3, 0.15]}}}}
constraints: [{{name: rod, type: distance, a: a, b: b, length: 0.3, {TIGHT}}}]
"""
        for problem in PROBLEMS:
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            f = (0.1 + 0.3 + 0.1 - 0.25) / (1 / 500 + 1 / 1000)
            self.assertAlmostEqual(r.data["constraint/force"][-1, 0], f, delta=1e-5 * f)
            self.assertAlmostEqual(r.contact_sum(len(r.time) - 1, "normal_force", "a"), f, delta=1e-5 * f)
            self.assertAlmostEqual(r.joint("jl", "position")[-1, 0], -0.1 - f / 500, delta=1e-7)
            self.assertAlmostEqual(r.joint("jr", "position")[-1, 0], 0.15 + f / 1000, delta=1e-7)

    def test_a_four_bar_that_is_moved_goes_where_its_lengths_say_at_the_effort_of_virtual_work(self):
        r = self.check_four_bar(FOUR_BAR)
        command, theta = r.data["actuator/command"][1:, 0], r.joint("motor", "position")[1:, 0]
        np.testing.assert_allclose(40 * (command - theta), r.data["actuator/effort"][1:, 0], atol=1e-7)

    def test_a_weld_and_gears_carry_weights(self):
        # A hand on a vertical slide carries a beam of 2 kg whose centre is 0.3 m beside it.
        r = self.run_scene(HEAD + f"""\
time: {{step: 0.01, end: 0.1}}
bodies: [{{name: hand, {BODY}}}, {{name: beam, mass: 2, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}}]
joints: [{{name: lift, type: prismatic, parent: world, child: hand}}]
actuators: [{{name: up, joint: lift, type: position, stiffness: 1000, command: 0}}]
constraints: [{{name: grip, type: weld, a: hand, b: beam, {TIGHT}}}]
""")
        self.assertAlmostEqual(r.joint("lift", "position")[-1, 0], -2 * G / 1000, delta=1e-8)
        np.testing.assert_allclose(r.data["constraint/force"][-1], [0, -2 * G * 0.3, 0, 0, 0, 2 * G], atol=1e-5)
        # A load of 3 kg on a slide, by gears of -2 at a drive.
        r = self.run_scene(HEAD + f"""\
time: {{step: 0.01, end: 0.1}}
bodies: [{{name: shaft, {BODY}}}, {{name: load, mass: 3, inertia: [0.1, 0.1, 0.1]}}]
joints: [{{name: turn, type: revolute, parent: world, child: shaft}}, {{name: lift, type: prismatic, parent: world, child: load}}]
actuators: [{{name: motor, joint: turn, type: position, stiffness: 2000, command: 0.1}}]
constraints: [{{name: gears, type: coupler, joint_a: lift, joint_b: turn, ratio: -2, {TIGHT}}}]
""")
        turned = 0.1 + 2 * 3 * G / 2000
        self.assertAlmostEqual(r.joint("turn", "position")[-1, 0], turned, delta=1e-7)
        self.assertAlmostEqual(r.joint("lift", "position")[-1, 0], -2 * turned, delta=1e-7)
        self.assertAlmostEqual(r.data["constraint/force"][-1, 0], 3 * G, delta=1e-4)

    def test_redundant_loops(self):
        # A parallel four-bar with a fifth bar: a table on three cranks of 0.2 m, one of them driven.
        bars = "".join(f"  - {{name: j{i}, type: revolute, parent: world, child: c{i}, axis: [0, -1, 0], pose: {{xyz: [{x}, 0, 0]}}, position: 1}}\n"
                       for i, x in enumerate((0, 0.3, 0.6)))
        pins = "".join(f"  - {{name: p{i}, type: ball, a: c{i}, b: table, point_a: [0.2, 0, 0], point_b: [{x}, 0, 0], assemble: true}}\n"
                       for i, x in enumerate((0, 0.3, 0.6)))
        scene = HEAD + f"""\
time: {{step: 0.01, end: 0.5}}
bodies:
{"".join(f"  - {{name: c{i}, {BODY}, gravity_compensation: true}}{chr(10)}" for i in range(3))}
  - {{name: table, mass: 4, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}}
joints:
{bars}  - {{name: floating, type: planar, parent: world, child: table, axis: [0, -1, 0], position: [0.10806, -0.16829, 0]}}
actuators: [{{name: drive, joint: j0, type: position, stiffness: 500, command: {{times: [0, 0.5], values: [1, 1.4]}}}}]
constraints:
{pins}"""
        for problem in PROBLEMS:
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            for i in (1, 2):
                np.testing.assert_allclose(r.joint(f"j{i}", "position"), r.joint("j0", "position"), atol=2e-4)
            np.testing.assert_allclose(r.data["actuator/effort"][-1, 0], 4 * G * 0.2 * math.cos(r.joint("j0", "position")[-2, 0]), rtol=1e-3)

    def test_they_break(self):
        scene = SLIDES % "type: distance, a: a, b: b, length: 0.5, stiffness: 150, breaking_load: 10.03"
        for problem in PROBLEMS:
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            self.assertEqual([text(kind) for kind in r.data["event/kind"]], ["broken constraint"], problem)
            time, load = r.data["event/time"][0], r.data["event/value"][0]
            step = 0.2 * 0.01 / 0.5 / (1 / 300 + 1 / 600 + 1 / 150)
            self.assertTrue(10.03 < load < 10.03 + step)
            np.testing.assert_allclose(r.joint("ja", "position")[r.time > time, 0], -0.1 * r.time[r.time > time] / 0.5, atol=1e-8)
            i = int(np.argmin(np.abs(r.time - time)))
            np.testing.assert_allclose(r.data["energy/elastic"][i:i + 2], [load**2 / 300, 0], atol=1e-6)
        # A run that ends after the break goes on without the constraint, to the same bits.
        self.write("scene.yaml", scene)
        self.csim("run", "scene.yaml", "-o", "whole.h5", "-q")
        self.csim("run", "scene.yaml", "-o", "parts.h5", "-q", "--end", str(round(time + 0.05, 2)))
        self.csim("run", "scene.yaml", "-o", "parts.h5", "-q", "--resume")
        self.assertEqual(compare_bits(self.folder / "whole.h5", self.folder / "parts.h5"), [])

    def test_every_problem_and_a_resume(self):
        scene = SLIDES % "type: ball, a: a, b: b, point_a: [0.25, 0, 0], point_b: [-0.25, 0, 0]"
        ends = {}
        for problem in ("qp", "socp", "lcp", "near_rigid", "log_barrier", "log_barrier_socp"):
            self.write("scene.yaml", scene)
            self.csim("run", "scene.yaml", "-o", f"{problem}.h5", "-q", "--set", f"integrator.problem={problem}")
            ends[problem] = Result(self.folder / f"{problem}.h5").joint("ja", "position")[-1, 0]
            self.assertAlmostEqual(ends[problem], ends["qp"], delta=1e-8)
        for name, scene in (("ball", scene), ("arm", ARM)):
            self.write("scene.yaml", scene)
            self.csim("run", "scene.yaml", "-o", f"{name}.h5", "-q", "--end", "0.4")
            self.csim("run", "scene.yaml", "-o", f"{name}_parts.h5", "-q", "--end", "0.2")
            self.csim("run", "scene.yaml", "-o", f"{name}_parts.h5", "-q", "--end", "0.4", "--resume")
            self.assertEqual(compare_bits(self.folder / f"{name}.h5", self.folder / f"{name}_parts.h5"), [])

    def test_a_cartesian_drive_yields_by_force_over_stiffness(self):
        # A tool that weighs at one point of a tilted frame: m g/k along z; its moment m g x about y.
        tool = HEAD + """\
time: {step: 0.01, end: 1}
bodies: [{name: tool, mass: 2, inertia: [0.02, 0.03, 0.04], com: [0.1, 0, 0]}]
actuators: [{name: pull, type: cartesian, body: tool, stiffness: [200, 100, 500, 20, 30, 40], damping: {linear: 7}, command: {times: [0, 0.5], xyz: [[0, 0, 0], [0.2, 0.1, 0]]}}]
"""
        angle = 0.0
        for _ in range(100):  # k a = m g x cos(a)
            angle = 2 * G * 0.1 * math.cos(angle) / 30
        for problem in PROBLEMS:
            r = self.run_scene(tool, "--set", f"integrator.problem={problem}")
            np.testing.assert_allclose(r.body("tool", "position")[-1], [0.2, 0.1, -2 * G / 500], atol=1e-9)
            w, y = r.body("tool", "quaternion")[-1][[0, 2]]
            self.assertAlmostEqual(2 * math.atan2(y, w), angle, delta=1e-9)
            np.testing.assert_allclose(r.data["actuator/effort"][-1], [0, 0, 2 * G, 0, -30 * angle, 0], atol=1e-7)
        self.assertIn("actuators.pull.damping has no effect", self.csim("run", "scene.yaml", "-o", "noted.h5").stderr)

    def test_an_arm_comes_to_rest_however_far_its_command_is(self):
        # Three links of 0.3 m in a plane, pulled by 1 N/m from all sides.
        arm = HEAD + """\
gravity: [0, 0, 0]
time: {step: 0.01, end: 1.5}
bodies:
""" + "".join(f"  - {{name: l{i}, mass: 1, inertia: [0.001, 0.01, 0.01], com: [0.15, 0, 0]}}\n" for i in range(3)) + """\
joints:
  - {name: j0, type: revolute, parent: world, child: l0, axis: [0, -1, 0], position: 0.5}
  - {name: j1, type: revolute, parent: l0, child: l1, axis: [0, -1, 0], pose: {xyz: [0.3, 0, 0]}, position: 0.6}
  - {name: j2, type: revolute, parent: l1, child: l2, axis: [0, -1, 0], pose: {xyz: [0.3, 0, 0]}, position: -0.4}
actuators: [{name: pull, type: cartesian, body: l2, pose: {xyz: [0.3, 0, 0]}, stiffness: [1, 0, 1, 0, %s, 0], command: {xyz: [%s, 0, %s]}}]
"""
        for x, z, angular in ((3, 1, 0), (-2, -3, 0), (100, -20, 0), (-0.6, -0.2, 0), (-0.6, -0.2, 0.02), (0.1, -0.2, 0)):
            r = self.run_scene(arm % (angular, x, z))
            q = np.hstack([r.joint(f"j{i}", "position") for i in range(3)])
            self.assertLess(np.abs(np.diff(q, axis=0)).max(), 0.5 + 1e-12)
            held = r.data["event/time"][r.data["event/kind"] == b"held back"]
            self.assertGreater(len(held), 0)
            self.assertLess(held.max(), 0.5)  # at rest none
            at = np.exp(1j * np.cumsum(q[-1])).sum() * 0.3
            pull = r.data["actuator/effort"][-1]
            np.testing.assert_allclose(x + 1j * z - at, pull[0] + 1j * pull[2], rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(r.data["joint/effort"][-1], 0, atol=1e-7)  # at rest
            goal = x + 1j * z
            if abs(goal) > 0.9:  # straight to where the command is
                np.testing.assert_allclose(at, 0.9 * goal / abs(goal), atol=1e-6)
            elif angular == 0:
                np.testing.assert_allclose(at, goal, atol=1e-9)

    def test_where_dynamics_rest(self):
        # The arm under its weight, with a constraint of each kind beside the drive: at the same pose as dynamics at rest.
        for extra in ("", "constraints: [{name: stay, type: distance, a: world, b: fore, point_a: [0, 0, 1.2], point_b: [0.2, 0, 0], length: 0.6, stiffness: 300}]\n",
                      "constraints: [{name: gears, type: coupler, joint_a: elbow, joint_b: shoulder, ratio: 1.5, offset: 0.1, stiffness: 40}]\n"):
            still = self.run_scene(ARM + extra)
            self.write("scene.yaml", (ARM + extra).replace("integrator: {type: quasistatic, tolerance: 1.0e-8}\n", "").replace("1.0e-2, end", "1.0e-3, end"))
            self.csim("run", "scene.yaml", "-o", "dynamic.h5", "--force", "-q", "--end", "12")
            r = Result(self.folder / "dynamic.h5")
            self.assertLess(np.abs(r.data["trajectory/v"][-1]).max(), 1e-6)
            np.testing.assert_allclose(still.data["trajectory/q"][-1], r.data["trajectory/q"][-1], atol=1e-6)
            np.testing.assert_allclose(still.data["actuator/effort"][-1], r.data["actuator/effort"][-1], atol=1e-3)
            np.testing.assert_allclose(still.data["joint/effort"][-1], r.data["joint/effort"][-1], atol=1e-3)
            if extra:
                np.testing.assert_allclose(still.data["constraint/force"][-1], r.data["constraint/force"][-1], atol=1e-3)

    def test_a_phase_ends_at_the_effort_of_a_cartesian_drive(self):
        # A free tool is pressed on the floor: 50 N at 0.1 m below it with 500 N/m.
        r = self.run_scene(HEAD + """\
time: {step: 0.01, end: 2}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: tool, mass: 1, inertia: solid, gravity_compensation: true, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}
actuators: [{name: pull, type: cartesian, body: tool, stiffness: {linear: 500, angular: 10}, command: {xyz: [0, 0, 0.1]}}]
sequence:
  - {name: down, commands: {pull.z: {ramp: {to: -0.3, duration: 1}}}, until: {actuator_effort: pull.z, below: -50}}
  - {name: up, commands: {pull.z: {ramp: {to: 0.1, duration: 0.5}}}}
""")
        begin = r.data["event/time"][[text(kind) == "phase" for kind in r.data["event/kind"]]][1]
        i = int(np.argmin(np.abs(r.time - begin)))
        self.assertLess(r.data["actuator/effort"][i, 2], -50 + 1e-9)
        self.assertGreater(r.data["actuator/effort"][i - 1, 2], -50)
        np.testing.assert_allclose(r.data["actuator/effort"][i, 2], 500 * (r.data["actuator/command"][i, 2] - 0.05), atol=1e-6)
        self.assertAlmostEqual(r.contact_sum(i, "normal_force", "tool"), -r.data["actuator/effort"][i, 2], delta=1e-6)
        np.testing.assert_allclose(r.body("tool", "position")[-1], [0, 0, 0.1], atol=1e-9)

    def test_what_has_no_answer_or_is_not_supported_is_told(self):
        # A weight on a rod that leans: nothing holds it across. The reason names the rod.
        lean = HEAD + f"""\
time: {{step: 0.01, end: 0.1}}
bodies: [{{name: weight, {BODY}, pose: {{xyz: [0.3, 0, -0.4]}}}}]
constraints: [{{name: stay, type: distance, a: world, b: weight, length: 0.5}}]
"""
        self.write("scene.yaml", lean)
        said = self.csim("run", "scene.yaml", "-o", "lean.h5", "-q", expect=3).stderr
        self.assertIn("body 'weight' is pushed without limit", said)
        self.assertIn("constraint 'stay'", said)
        self.write("scene.yaml", SLIDES % "type: ball, a: a, b: b, point_a: [0.5, 0, 0]")
        self.assertIn("constraints.tie: not possible under integrator.problem: planning_lcp",
                      self.csim("run", "scene.yaml", "--set", "integrator.problem=planning_lcp", expect=INVALID).stderr)
        self.write("scene.yaml", ARM.replace("[2000, 0, 3000, 0, 0, 0]", "[0, 0, 0, 0, 0, 0]"))
        self.assertIn("actuators.hand.stiffness: 0, expected a stiffness > 0", self.csim("run", "scene.yaml", expect=INVALID).stderr)


if __name__ == "__main__":
    main()
