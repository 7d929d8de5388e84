"""Trees of driven and passive joints, and tendons of many trees, under integrator.type: quasistatic."""
import math

import numpy as np

from csim_testing import SOURCE, Result, compare_bits, main
from quasistatic_testing import BODY, G, PROBLEMS, TIGHT, QuasistaticTest, four_bar_scene

HEAD = "csim: 1\nname: scene\nintegrator: {type: quasistatic, passive_joints: true, tolerance: 1.0e-8}\n"

# Crank, coupler and rocker in one loop: a chain of two and a bar, tied at the coupler's end.
FOUR_BAR = four_bar_scene(HEAD, "name: knee, type: revolute, parent: crank, child: coupler, axis: [0, -1, 0], pose: {xyz: [0.1, 0, 0]}, position: -0.837",
                          ["name: loop, type: ball, a: coupler, b: rocker, point_a: [0.3, 0, 0], point_b: [0.2, 0, 0]"])


class QuasistaticMechanisms(QuasistaticTest):
    def run_to_rest(self, scene, end):
        """The same scene by dynamics, until it is at rest."""
        self.write("scene.yaml", scene.replace("integrator: {type: quasistatic, passive_joints: true, tolerance: 1.0e-8}\n", "").replace("step: 1.0e-2", "step: 1.0e-3"))
        self.csim("run", "scene.yaml", "-o", "dynamic.h5", "--force", "-q", "--end", str(end))
        r = Result(self.folder / "dynamic.h5")
        self.assertLess(np.abs(r.data["trajectory/v"][-1]).max(), 1e-6)
        return r

    def assert_same_rest(self, still, moving, tolerance=1e-6):
        np.testing.assert_allclose(still.data["trajectory/q"][-1], moving.data["trajectory/q"][-1], atol=tolerance)
        np.testing.assert_allclose(still.data["actuator/effort"][-1], moving.data["actuator/effort"][-1], atol=1e3 * tolerance)
        np.testing.assert_allclose(still.data["constraint/force"][-1], moving.data["constraint/force"][-1], atol=1e3 * tolerance)

    def test_a_driven_four_bar_goes_where_its_lengths_say_at_the_effort_of_virtual_work(self):
        for problem in PROBLEMS:
            self.check_four_bar(FOUR_BAR, "--set", f"integrator.problem={problem}")

    def test_the_shipped_four_bar_turns_between_its_angles(self):
        # As its page runs it; crank and coupler in one line at both ends of the rocker's way.
        drive = "{name: drive, joint: motor, type: position, stiffness: 1.0e+4, command: {times: [0, 2], values: [0, 12.566370614359172]}}"
        scene = (SOURCE / "scenes/four_bar/scene.yaml").read_text()
        r = self.run_scene(scene, "--set", "integrator.type=quasistatic", "--set", "integrator.passive_joints=true", "--set", f"actuators.drive={drive}")
        angle = np.degrees(r.joint("pivot", "position")[:, 0])
        low, high = (math.degrees(math.acos((0.3**2 + 0.2**2 - d**2) / (2 * 0.3 * 0.2))) for d in (0.4, 0.2))
        self.assertAlmostEqual(angle.min(), 180 - low, delta=2e-3)
        self.assertAlmostEqual(angle.max(), 180 - high, delta=2e-3)

    def test_a_driven_four_bar_rests_where_dynamics_rest(self):
        # The drive bears the crank's own weight: it alone places it.
        scene = FOUR_BAR.replace("{times: [0, 1], values: [1.2, 1.8]}", "1.5").replace("stiffness: 40", "stiffness: 40, damping: 4").replace(
            "name: crank, ", "name: crank, gravity_compensation: true, ")
        self.assert_same_rest(self.run_scene(scene), self.run_to_rest(scene, 10))

    def test_parallel_cranks_share_a_table_by_trees_and_by_pins(self):
        # Three cranks of 0.2 m, the first driven with the table at its end, the others pinned to it: one bar more than
        # is needed. The table of 4 kg stays level.
        bars = "".join(f"  - {{name: j{i}, type: revolute, parent: world, child: c{i}, axis: [0, -1, 0], pose: {{xyz: [{x}, 0, 0]}}, position: 1}}\n"
                       for i, x in enumerate((0, 0.3, 0.6)))
        pins = "".join(f"  - {{name: p{i}, type: ball, a: c{i}, b: table, point_a: [0.2, 0, 0], point_b: [{x}, 0, 0], {TIGHT}}}\n" for i, x in ((1, 0.3), (2, 0.6)))
        scene = HEAD + f"""\
time: {{step: 1.0e-2, end: 0.5}}
bodies:
{"".join(f"  - {{name: c{i}, {BODY}, gravity_compensation: true}}{chr(10)}" for i in range(3))}
  - {{name: table, mass: 4, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}}
joints:
{bars}  - {{name: level, type: revolute, parent: c0, child: table, axis: [0, -1, 0], pose: {{xyz: [0.2, 0, 0]}}, position: -1}}
actuators: [{{name: drive, joint: j0, type: position, stiffness: 500, command: {{times: [0, 0.5], values: [1, 1.4]}}}}]
constraints:
{pins}"""
        for problem in PROBLEMS:
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            angle = r.joint("j0", "position")
            for i in (1, 2):
                np.testing.assert_allclose(r.joint(f"j{i}", "position"), angle, atol=2e-4)
            np.testing.assert_allclose(r.joint("level", "position"), -angle, atol=2e-4)
            np.testing.assert_allclose(r.data["actuator/effort"][-1, 0], 4 * G * 0.2 * math.cos(angle[-2, 0]), rtol=1e-3)

    def test_what_hangs_on_a_drive_weighs_on_it(self):
        # Two arms of 0.4 m on driven hinges carry a pendulum of 3 kg, whose hinge is free: arms bend by its weight.
        scene = HEAD + f"""\
time: {{step: 1.0e-2, end: 1}}
bodies:
  - {{name: upper, {BODY}, gravity_compensation: true}}
  - {{name: fore, {BODY}, gravity_compensation: true}}
  - {{name: bob, mass: 3, inertia: [0.01, 0.01, 0.01], com: [0, 0, -0.25]}}
joints:
  - {{name: shoulder, type: revolute, parent: world, child: upper, axis: [0, -1, 0]}}
  - {{name: elbow, type: revolute, parent: upper, child: fore, axis: [0, -1, 0], pose: {{xyz: [0.4, 0, 0]}}, position: 0.5}}
  - {{name: hook, type: revolute, parent: fore, child: bob, axis: [0, -1, 0], damping: 1, pose: {{xyz: [0.4, 0, 0]}}, position: -0.5}}
actuators:
  - {{name: m1, joint: shoulder, type: position, stiffness: 200, damping: 30, command: 0}}
  - {{name: m2, joint: elbow, type: position, stiffness: 100, damping: 10, command: 0.5}}
"""
        a = b = 0.0
        for _ in range(200):  # K_1 a = -m g (l cos(a) + l cos(a + b)), K_2 (b - 0.5) = -m g l cos(a + b)
            a, b = -3 * G * 0.4 * (math.cos(a) + math.cos(a + b)) / 200, 0.5 - 3 * G * 0.4 * math.cos(a + b) / 100
        for problem in PROBLEMS:
            # The pendulum leaves the vertical as the arms bend; with mass it comes back to it.
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}", "--set", "integrator.mass=full", "--set", "time.step=0.1", "--set", "output.period=0.1", "--end", "60")
            np.testing.assert_allclose(r.data["joint/position"][-1], [a, b, -a - b], atol=1e-8)
            np.testing.assert_allclose(r.data["actuator/effort"][-1], [-200 * a, 100 * (0.5 - b)], atol=1e-6)
        moving = self.run_to_rest(scene, 30)
        np.testing.assert_allclose(moving.data["joint/position"][-1], [a, b, -a - b], atol=1e-6)
        # Without mass nothing balances the weight of a pendulum that leans.
        self.run_scene(scene, expect=3)
        self.assertIn("body 'bob' is unsupported", self.said)

    def test_a_pendulum_hangs_still_on_a_hook_that_moves(self):
        # Aside without a load, up by the weight over the stiffness.
        scene = HEAD + f"""\
time: {{step: 1.0e-2, end: 1}}
bodies: [{{name: cart, {BODY}}}, {{name: lift, {BODY}}}, {{name: bob, mass: 3, inertia: [0.01, 0.01, 0.01], com: [0, 0, -0.25]}}]
joints:
  - {{name: aside, type: prismatic, parent: world, child: cart, axis: [1, 0, 0]}}
  - {{name: up, type: prismatic, parent: cart, child: lift}}
  - {{name: hook, type: ball, parent: lift, child: bob}}
actuators:
  - {{name: m1, joint: aside, type: position, stiffness: 200, command: {{times: [0, 1], values: [0, 0.5]}}}}
  - {{name: m2, joint: up, type: position, stiffness: 500, command: {{times: [0, 1], values: [0, 0.3]}}}}
"""
        for problem in PROBLEMS + ("near_rigid", "planning_lcp"):
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            sag = 0 if problem == "planning_lcp" else 3 * G / 500
            np.testing.assert_allclose(r.body("bob", "position")[1:], np.stack([0.5 * r.time, 0 * r.time, 0.3 * r.time - sag], axis=1)[1:], atol=1e-9)
            np.testing.assert_allclose(r.body("bob", "quaternion"), np.tile([1, 0, 0, 0], (len(r.time), 1)), atol=1e-9)
            np.testing.assert_allclose(r.data["actuator/effort"][1:], np.tile([0, 3 * G], (len(r.time) - 1, 1)), atol=1e-7)

    def test_commands_that_are_executed_are_so_whatever_loads_the_robot(self):
        scene = HEAD + f"""\
time: {{step: 1.0e-2, end: 0.2}}
bodies: [{{name: lift, {BODY}}}]
joints: [{{name: up, type: prismatic, parent: world, child: lift}}]
actuators: [{{name: m, joint: up, type: position, stiffness: 500, command: {{times: [0, 0.2], values: [0, 0.1]}}}}]
forces: [{{name: pull, body: lift, force: [0, 0, -20]}}]
"""
        r = self.run_scene(scene, "--set", "integrator.problem=planning_lcp")
        np.testing.assert_allclose(r.joint("up", "position")[:, 0], 0.5 * r.time, atol=1e-12)
        np.testing.assert_allclose(r.data["actuator/effort"][1:, 0], 20, atol=1e-9)

    def test_a_tendon_bends_a_finger_of_two_joints_by_their_springs(self):
        # A reel of radius r winds a cord over two joints of radii r_1, r_2 with springs k_1, k_2: a tension T with
        # r_i T = k_i q_i and r w = r_1 q_1 + r_2 q_2, of the drive K (command - w) = r T.
        r0, r1, r2, k1, k2, K = 0.03, 0.02, 0.012, 0.5, 0.2, 4.0
        scene = HEAD + f"""\
gravity: [0, 0, 0]
time: {{step: 1.0e-2, end: 0.5}}
bodies: [{{name: reel, {BODY}}}, {{name: near, {BODY}}}, {{name: far, {BODY}}}]
joints:
  - {{name: turn, type: revolute, parent: world, child: reel, axis: [0, 1, 0]}}
  - {{name: root, type: revolute, parent: world, child: near, axis: [0, 1, 0]%s}}
  - {{name: knuckle, type: revolute, parent: near, child: far, axis: [0, 1, 0], pose: {{xyz: [0, 0, 0.1]}}%s}}
actuators: [{{name: wind, joint: turn, type: position, stiffness: {K}, damping: 0.3, command: {{times: [0, 0.4], values: [0, 0.8]}}}}]
constraints:
  - {{name: cord, type: tendon, joints: {{turn: {-r0}, root: {r1}, knuckle: {r2}}}, limits: [0, 10], {TIGHT}}}
%s"""
        springs = f"  - {{name: s1, type: tendon, joints: {{root: 1}}, length: 0, stiffness: {k1}}}\n  - {{name: s2, type: tendon, joints: {{knuckle: 1}}, length: 0, stiffness: {k2}}}\n"
        T = r0 * 0.8 / (r1**2 / k1 + r2**2 / k2 + r0**2 / K)
        for problem in PROBLEMS:
            still = self.run_scene(scene % ("", "", springs), "--set", f"integrator.problem={problem}")
            np.testing.assert_allclose(still.data["joint/position"][-1], [0.8 - r0 * T / K, r1 * T / k1, r2 * T / k2], atol=1e-7)
            self.assertAlmostEqual(still.data["constraint/force"][-1, 0], T, delta=1e-4 * T)
        moving = self.run_to_rest(scene % (", damping: 0.1", ", damping: 0.04", springs), 20)
        self.assert_same_rest(still, moving)

    def test_a_cord_over_three_trees_is_a_differential(self):
        # One cord closes two fingers; the first stops at an obstacle, the other takes the rest of the way.
        scene = HEAD + f"""\
gravity: [0, 0, 0]
time: {{step: 1.0e-2, end: 1}}
materials: {{m: {{friction: 0.3}}}}
bodies:
  - {{name: stop, fixed: true, pose: {{xyz: [0.2, 0, 0]}}, geometry: [{{shape: box, size: [0.1, 0.1, 0.1], material: m}}]}}
  - {{name: a, {BODY}, geometry: [{{shape: sphere, radius: 0.02, material: m}}]}}
  - {{name: b, {BODY}}}
  - {{name: puller, {BODY}}}
joints:
  - {{name: ja, type: prismatic, parent: world, child: a, axis: [1, 0, 0]}}
  - {{name: jb, type: prismatic, parent: world, child: b, axis: [1, 0, 0], pose: {{xyz: [0, 1, 0]}}}}
  - {{name: jp, type: prismatic, parent: world, child: puller, axis: [1, 0, 0], pose: {{xyz: [0, 2, 0]}}}}
actuators: [{{name: pull, joint: jp, type: position, stiffness: 1000, command: {{times: [0, 1], values: [0, 0.5]}}}}]
constraints:
  - {{name: cord, type: tendon, joints: {{ja: 1, jb: 1, jp: -1}}, length: 0, {TIGHT}}}
  - {{name: sa, type: tendon, joints: {{ja: 1}}, length: 0, stiffness: 20}}
  - {{name: sb, type: tendon, joints: {{jb: 1}}, length: 0, stiffness: 20}}
"""
        for problem in PROBLEMS + ("near_rigid",):
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            # Free: x = T/k each, command - T/K = 2 T/k. Stopped at 0.13: x_b = T/k alone.
            free = r.time / 2 / (2 / 20 + 1 / 1000)
            held = (r.time / 2 - 0.13) / (1 / 20 + 1 / 1000)
            tension = np.where(free / 20 < 0.13, free, held)
            np.testing.assert_allclose(r.joint("ja", "position")[:, 0], np.minimum(free / 20, 0.13), atol=2e-6)
            np.testing.assert_allclose(r.joint("jb", "position")[:, 0], tension / 20, atol=2e-6)
            np.testing.assert_allclose(r.data["actuator/effort"][1:, 0], tension[1:], atol=1e-4 * tension[-1])
            contact = r.contact_sum(len(r.time) - 1, "normal_force", "a")
            self.assertAlmostEqual(contact, held[-1] - 20 * 0.13, delta=1e-4 * held[-1])
        self.csim("run", "scene.yaml", "-o", "whole.h5", "-q")
        self.csim("run", "scene.yaml", "-o", "parts.h5", "-q", "--end", "0.6")
        self.csim("run", "scene.yaml", "-o", "parts.h5", "-q", "--resume")
        self.assertEqual(compare_bits(self.folder / "whole.h5", self.folder / "parts.h5"), [])

    def test_a_robot_that_overlaps_itself_is_told_by_the_bodies_that_meet(self):
        # Two forks on a free base; in each a wheel overlaps its fork, and turning does not part them.
        legs = "".join(f"  - {{name: fork{i}, {BODY}, geometry: [{{shape: sphere, radius: 0.05, material: m}}]}}\n"
                       f"  - {{name: wheel{i}, {BODY}, geometry: [{{shape: sphere, radius: {0.04 + 0.01 * i}, material: m}}]}}\n" for i in range(2))
        joints = "".join(f"  - {{name: stand{i}, type: revolute, parent: base, child: fork{i}, pose: {{xyz: [{i}, 0, 0]}}}}\n"
                         f"  - {{name: turn{i}, type: revolute, parent: fork{i}, child: wheel{i}, pose: {{xyz: [0, 0, 0.05]}}, collide: true}}\n" for i in range(2))
        self.run_scene(HEAD + "time: {step: 1.0e-2, end: 0.1}\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0.5}}\n"
                       f"bodies:\n  - {{name: base, {BODY}}}\n{legs}joints:\n{joints}", expect=3)
        self.assertRegex(self.said, r"body '(fork|wheel)(\d)' is squeezed by \S+ m between '(fork|wheel)\2/geometry_0': ")

    def test_an_arm_on_a_free_base_weighs_and_stands(self):
        # A table of 2 kg with a mast on a driven hinge, 1 kg at its end, on a frictionless floor: all of it weighs; the
        # hinge bends by the weight over its stiffness, as in dynamics.
        scene = HEAD + """\
time: {step: 1.0e-2, end: 1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: table, mass: 2, inertia: [0.02, 0.02, 0.02], pose: {xyz: [0, 0, 0.05]}, geometry: [{shape: box, size: [0.6, 0.6, 0.1], material: m}]}
  - {name: mast, mass: 1, inertia: [0.01, 0.01, 0.01], com: [0.2, 0, 0]}
joints: [{name: hinge, type: revolute, parent: table, child: mast, axis: [0, -1, 0], pose: {xyz: [0, 0, 0.05]}}]
actuators: [{name: m, joint: hinge, type: position, stiffness: 30, damping: 3, command: 0}]
"""
        a = 0.0
        for _ in range(100):
            a = -G * 0.2 * math.cos(a) / 30
        for problem in PROBLEMS:
            r = self.run_scene(scene, "--set", f"integrator.problem={problem}")
            self.assertAlmostEqual(r.joint("hinge", "position")[-1, 0], a, delta=1e-9)
            self.assertAlmostEqual(r.contact_sum(len(r.time) - 1, "normal_force", "table"), 3 * G, delta=1e-6)
            np.testing.assert_allclose(r.body("table", "position")[-1], [0, 0, 0.05], atol=1e-9)


if __name__ == "__main__":
    main()
