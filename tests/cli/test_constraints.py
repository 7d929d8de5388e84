"""Constraints between bodies and joints against closed forms, jointed trees and conservation laws."""
import math

import numpy as np

from csim_testing import DONE, INTERRUPTED, INVALID, CliTest, Result, main, text

G = 9.81
HEAD = "csim: 1\nname: scene\ncontact: {pairs: []}\n"
ROD = "mass: 1, inertia: [0.01, 0.09, 0.09], com: [0.5, 0, 0]"  # 1 m along x, hung up at its origin
BOB = "mass: 2, inertia: [0.01, 0.02, 0.03]"

# Two rods, hung up one below the other: as a tree and as free bodies.
TREE = HEAD + f"""\
time: {{step: 1.0e-3, end: 1}}
bodies: [{{name: upper, {ROD}}}, {{name: lower, {ROD}}}]
joints:
  - {{name: j1, type: revolute, parent: world, child: upper, axis: [0, 1, 0]}}
  - {{name: j2, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {{xyz: [1, 0, 0]}}}}
"""
TIED = HEAD + f"""\
time: {{step: 1.0e-3, end: 1}}
bodies: [{{name: upper, {ROD}}}, {{name: lower, {ROD}, pose: {{xyz: [1, 0, 0]}}}}]
constraints:
  - {{name: hinge, type: ball, a: world, b: upper}}
  - {{name: knee, type: ball, a: upper, b: lower, point_a: [1, 0, 0]}}
"""

# A crank of 0.1 m that a motor turns, a coupler of 0.3 m, a rocker of 0.2 m, 0.3 m of ground.
FOUR_BAR = HEAD + """\
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
bodies:
  - {name: crank, mass: 1, inertia: [0.01, 0.01, 0.01], com: [0.05, 0, 0]}
  - {name: coupler, mass: 1, inertia: [0.01, 0.01, 0.01], com: [0.15, 0, 0]}
  - {name: rocker, mass: 1, inertia: [0.01, 0.01, 0.01], com: [0.1, 0, 0]}
joints:
  - {name: motor, type: revolute, parent: world, child: crank, velocity: 6.283185307179586}
  - {name: knee, type: revolute, parent: crank, child: coupler, pose: {xyz: [0.1, 0, 0]}, position: 0.8}
  - {name: pivot, type: revolute, parent: world, child: rocker, pose: {xyz: [0.3, 0, 0]}, position: 1.6}
actuators: [{name: drive, joint: motor, type: velocity, damping: 1.0e+6, command: 6.283185307179586}]
constraints: [{name: loop, type: ball, a: coupler, b: rocker, point_a: [0.3, 0, 0], point_b: [0.2, 0, 0], assemble: true}]
"""


def tied(constraint, gravity="[0, 0, 0]", end=1.0, step=1e-3):
    """Two free bodies that spin and fly, and what ties them."""
    return HEAD + f"""\
gravity: {gravity}
solver: {{tolerance: 1.0e-8}}
time: {{step: {step}, end: {end}}}
bodies:
  - {{name: a, {BOB}, velocity: {{linear: [0.3, -0.2, 0.1], angular: [1, 2, 3]}}}}
  - {{name: b, mass: 1, inertia: [0.02, 0.01, 0.015], com: [0.02, 0.03, 0], pose: {{xyz: [0.5, 0, 0]}}, velocity: {{linear: [0.3, 1.2, -0.4], angular: [1, 2, -3]}}}}
constraints: [{{name: tie, a: a, b: b, {constraint}}}]
"""


DISTANCE = "type: distance, point_a: [0.1, 0, 0], point_b: [-0.1, 0, 0], length: 0.3"
BALL = "type: ball, point_a: [0.25, 0, 0], point_b: [-0.25, 0, 0]"
WELD = "type: weld, pose_a: {xyz: [0.25, 0, 0]}, pose_b: {xyz: [-0.25, 0, 0]}"


class Constraints(CliTest):
    def run_scene(self, scene, *options, expect=DONE, name="out.h5"):
        self.write("scene.yaml", scene)
        self.csim("run", "scene.yaml", "-o", name, "--force", "-q", *options, expect=expect)
        return Result(self.folder / name) if expect == DONE else None

    def momenta(self, r):
        """Linear momentum, and moment of momentum about the world's origin, of all bodies [F, 3]."""
        linear, angular = 0.0, 0.0
        for i in range(len(r.bodies)):
            m, c, I = r.data["bodies/mass"][i], r.data["bodies/com"][i], r.data["bodies/inertia"][i]
            I = np.array([[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]])
            q, w = r.data["trajectory/quaternion"][:, i], r.data["trajectory/angular_velocity"][:, i]
            R = np.stack([rotation(x) for x in q])
            arm = R @ c
            p = m * (r.data["trajectory/velocity"][:, i] + np.cross(w, arm))
            L = np.einsum("fij,jk,flk,fl->fi", R, I, R, w)
            linear = linear + p
            angular = angular + L + np.cross(r.data["trajectory/position"][:, i] + arm, p)
        return linear, angular

    # The difference to the tree, which has no constraint to bend the way, falls with the step.
    def test_a_double_pendulum_of_ball_constraints_goes_as_its_tree(self):
        truth = self.run_scene(TREE, "--set", "time.step=1e-4").body("lower", "position")[-1]
        errors = []
        for step in ("4e-3", "2e-3", "1e-3"):
            r = self.run_scene(TIED, "--set", f"time.step={step}", "--set", "output.period=0.1")
            errors.append(np.linalg.norm(r.body("lower", "position")[-1] - truth))
            self.assertLess(np.abs(r.data["constraint/violation"]).max(), 30.0 * float(step) ** 2)
        self.assertLess(errors[2], 0.01)
        self.assertLess(errors[1], 0.7 * errors[0])
        self.assertLess(errors[2], 0.7 * errors[1])

    def test_reactions_carry_the_weight(self):
        # A beam of 1 kg, its centre of mass at (0.52, 0.03, 0), held by a weld at the world's origin: m g, and its moment.
        r = self.run_scene(HEAD + """\
time: {step: 1.0e-3, end: 0.2}
bodies: [{name: beam, mass: 1, inertia: [0.02, 0.01, 0.015], com: [0.02, 0.03, 0], pose: {xyz: [0.5, 0, 0]}}]
constraints: [{name: wall, type: weld, a: world, b: beam, pose_b: {xyz: [-0.5, 0, 0]}}]
""")
        self.assertEqual(list(r.data["constraint/row_offset"]), [0, 6])
        np.testing.assert_allclose(r.data["constraint/force"][-1], [0.03 * G, -0.52 * G, 0, 0, 0, G], atol=1e-5)
        self.assertLess(np.abs(r.data["constraint/violation"]).max(), 1e-6)
        # Three kilograms on a pin, one below the other.
        r = self.run_scene(HEAD + f"""\
time: {{step: 1.0e-3, end: 0.2}}
solver: {{tolerance: 1.0e-8}}
bodies: [{{name: a, {BOB}}}, {{name: b, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {{xyz: [0, 0, -1]}}}}]
constraints: [{{name: pin, type: ball, a: world, b: a}}, {{name: rod, type: distance, a: b, b: a, length: 1}}]
""")
        np.testing.assert_allclose(r.data["constraint/force"][-1], [0, 0, 3 * G, -G], atol=1e-5)

    def test_free_bodies_that_are_tied_keep_their_momenta(self):
        for constraint in (DISTANCE, BALL, WELD, DISTANCE + ", stiffness: 500", BALL + ", stiffness: 500, relaxation_time: 0.01"):
            scene = tied(constraint)
            if "stiffness" not in constraint:
                scene = scene.replace("type:", "assemble: true, type:")
            r = self.run_scene(scene)
            linear, angular = self.momenta(r)
            # Of 3 kg m/s to rounding; the moments by the turn in a step, as those of a body that spins alone.
            np.testing.assert_allclose(linear - linear[0], 0, atol=1e-9, err_msg=constraint)
            np.testing.assert_allclose(angular - angular[0], 0, atol=4e-3, err_msg=constraint)
            error = np.abs(r.data["energy/balance_error"]).max()
            if "stiffness" not in constraint:
                self.assertLess(error, 1e-9)
            else:
                # The work of a spring is that along the chord of the step, its energy that of its end: a difference
                # that falls with the step.
                finer = self.run_scene(scene.replace("step: 0.001", "step: 0.0005"))
                self.assertLess(error, 1e-4)
                self.assertLess(np.abs(finer.data["energy/balance_error"]).max(), 0.6 * error)

    def test_a_rigid_tie_loses_no_energy_to_first_order_of_the_step(self):
        for constraint in (DISTANCE, BALL):
            r = self.run_scene(tied("assemble: true, " + constraint, end=2.0))
            energy = r.data["energy/total"]
            self.assertLess(abs(energy[-1] - energy[5]), 2e-3 * energy[5], constraint)

    def test_a_weld_makes_one_body(self):
        r = self.run_scene(HEAD + f"""\
time: {{step: 1.0e-3, end: 1}}
bodies:
  - {{name: a, {BOB}, velocity: {{angular: [1, 2, 3]}}}}
  - {{name: b, {BOB}, pose: {{xyz: [0.4, 0, 0]}}, velocity: {{linear: [0, 1.2, -0.8], angular: [1, 2, 3]}}}}
  - {{name: one, mass: 4, com: [0.2, 0, 0], inertia: [0.02, 0.2, 0.22], velocity: {{angular: [1, 2, 3]}}}}
constraints: [{{name: weld, type: weld, a: a, b: b, pose_a: {{xyz: [0.4, 0, 0]}}}}]
""")
        self.assertLess(np.abs(r.data["constraint/violation"]).max(), 1e-5)
        np.testing.assert_allclose(r.body("a", "position"), r.body("one", "position"), atol=2e-3)
        np.testing.assert_allclose(r.body("a", "angular_velocity")[-1], r.body("one", "angular_velocity")[-1], atol=5e-3)

    def test_a_four_bar_goes_where_its_lengths_say(self):
        a, b, c, d = 0.1, 0.3, 0.2, 0.3
        r = self.run_scene(FOUR_BAR)
        self.assertLess(np.abs(r.data["constraint/violation"]).max(), 1e-6)
        for row in range(len(r.time)):
            crank, rocker = r.joint("motor", "position")[row, 0], r.joint("pivot", "position")[row, 0]
            # Of the two circles about the crank's end and the pivot the upper crossing.
            p = np.array([a * math.cos(crank), a * math.sin(crank)])
            way = np.array([d, 0]) - p
            f = np.linalg.norm(way)
            along = (b * b - c * c + f * f) / (2 * f)
            up = np.array([-way[1], way[0]]) / f
            tip = p + along * way / f + math.sqrt(b * b - along * along) * up
            np.testing.assert_allclose(np.array([d, 0]) + c * np.array([math.cos(rocker), math.sin(rocker)]), tip, atol=1e-6)
        # `assemble` has moved the crank, too.
        self.assertAlmostEqual(r.joint("motor", "position")[-1, 0] - r.joint("motor", "position")[0, 0], 2 * math.pi, delta=1e-3)

    # A parallel four-bar does not care for a fifth bar beside the others.
    def test_redundant_loops(self):
        bars = [(0.0, "left"), (1.0, "right"), (0.5, "middle")]
        states = []
        for count in (2, 3):
            bodies = "".join(f"  - {{name: {name}, mass: 1, inertia: [0.1, 0.1, 0.1]}}\n" for _, name in bars[:count])
            joints = "".join(f"  - {{name: {name}, type: revolute, parent: world, child: {name}, axis: [0, 1, 0], pose: {{xyz: [{x}, 0, 0]}}, position: 0.5}}\n"
                             for x, name in bars[:count])
            s, c = math.sin(0.5), math.cos(0.5)
            ties = "".join(f"  - {{name: {name}, type: ball, a: {name}, b: beam, point_a: [0, 0, -1], point_b: [{x}, 0, 0]}}\n" for x, name in bars[:count])
            r = self.run_scene(HEAD + "time: {step: 1.0e-3, end: 1}\nbodies:\n" + bodies +
                               f"  - {{name: beam, mass: 5, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0], pose: {{xyz: [{-s}, 0, {-c}]}}}}\njoints:\n" + joints + "constraints:\n" + ties)
            self.assertLess(np.abs(r.data["constraint/violation"]).max(), 1e-6)
            np.testing.assert_allclose(r.body("beam", "quaternion"), [[1, 0, 0, 0]] * len(r.time), atol=1e-7)
            angle = r.joint("left", "position")[:, 0]
            np.testing.assert_allclose(r.joint("right", "position")[:, 0], angle, atol=1e-7)
            # theta'' = -m_beam g L sin/(n I + m_beam L^2), whose energy is kept.
            E = 0.5 * (count * 0.1 + 5) * r.joint("left", "velocity")[:, 0] ** 2 - 5 * G * np.cos(angle)
            np.testing.assert_allclose(E, E[0], atol=2e-3 * 5 * G)
            states.append(angle[-1])

    def test_a_conical_pendulum_on_a_rod(self):
        # tan(phi) = w^2 r/g: 60 degrees on 1 m, a point mass all but.
        phi = math.pi / 3
        w = math.sqrt(G / math.cos(phi))
        for kind in ("length: 1", "max: 1"):
            r = self.run_scene(HEAD + f"""\
time: {{step: 1.0e-3, end: {2 * math.pi / w}}}
bodies: [{{name: bob, mass: 1, inertia: [1.0e-6, 1.0e-6, 1.0e-6], pose: {{xyz: [{math.sin(phi)}, 0, {-math.cos(phi)}]}}, velocity: {{linear: [0, {w * math.sin(phi)}, 0]}}}}]
constraints: [{{name: string, type: distance, a: world, b: bob, {kind}}}]
""", "--set", "output.period=0.05")
            np.testing.assert_allclose(r.body("bob", "position")[-1], [math.sin(phi), 0, -math.cos(phi)], atol=0.01)
            np.testing.assert_allclose(r.data["constraint/force"][3:], -G / math.cos(phi), rtol=0.01)
            self.assertLess(np.abs(r.data["constraint/violation"]).max(), 1e-4)

    def test_a_slack_rope_does_nothing_and_catches(self):
        r = self.run_scene(HEAD + """\
time: {step: 1.0e-3, end: 1}
bodies: [{name: bob, mass: 1, inertia: [0.01, 0.01, 0.01]}]
constraints: [{name: rope, type: distance, a: world, b: bob, max: 0.5}]
""")
        z = r.body("bob", "position")[:, 2]
        free = r.time < math.sqrt(2 * 0.49 / G)
        np.testing.assert_allclose(z[free], -0.5 * G * r.time[free] * (r.time[free] + 1e-3), atol=1e-9)
        np.testing.assert_array_equal(r.data["constraint/force"][free], 0)
        self.assertAlmostEqual(z[-1], -0.5, delta=1e-5)
        self.assertAlmostEqual(r.data["constraint/force"][-1, 0], -G, delta=1e-3)

    def test_a_spring_between_two_bodies_swings_with_the_reduced_mass(self):
        k, m = 100.0, 2.0 * 1.0 / 3.0
        r = self.run_scene(HEAD + f"""\
gravity: [0, 0, 0]
time: {{step: 1.0e-3, end: 2}}
integrator: {{type: continuous, accuracy: 1.0e-7}}
bodies:
  - {{name: a, mass: 2, inertia: [1, 1, 1]}}
  - {{name: b, mass: 1, inertia: [1, 1, 1], pose: {{xyz: [1.1, 0, 0]}}}}
constraints: [{{name: spring, type: distance, a: a, b: b, length: 1, stiffness: {k}}}]
""")
        x = r.body("b", "position")[:, 0] - r.body("a", "position")[:, 0] - 1
        np.testing.assert_allclose(x, 0.1 * np.cos(math.sqrt(k / m) * r.time), atol=1e-4)
        np.testing.assert_allclose(r.data["constraint/force"][1:, 0], -k * x[1:], atol=1e-6)
        np.testing.assert_allclose(r.data["energy/total"], 0.5 * k * 0.01, rtol=1e-5)

    def test_continuous_keeps_the_energy_of_a_mechanism(self):
        r = self.run_scene(TIED, "--set", "integrator={type: continuous, accuracy: 1.0e-7}", "--set", "time.end=0.5")
        truth = self.run_scene(TREE, "--set", "integrator={type: continuous, accuracy: 1.0e-7}", "--set", "time.end=0.5")
        np.testing.assert_allclose(r.body("lower", "position")[-1], truth.body("lower", "position")[-1], atol=1e-4)
        energy = r.data["energy/total"]
        self.assertLess(np.abs(energy - energy[0]).max(), 1e-6 * r.data["energy/kinetic"].max())

    def test_a_tendon_holds_a_sum_of_positions(self):
        scene = HEAD + """\
time: {step: 1.0e-3, end: 0.5}
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 3, inertia: [1, 1, 1]}]
joints:
  - {name: left, type: prismatic, parent: world, child: a}
  - {name: right, type: prismatic, parent: world, child: b, pose: {xyz: [1, 0, 0]}}
constraints: [{name: cord, type: tendon, joints: {left: 2, right: 1}, %s}]
"""
        r = self.run_scene(scene % "length: 0")
        # Lagrange: (m + 4 M) a = (2 M - m) g of the left one, M = 3 on the single side.
        a = G * (2 * 3 - 1) / (1 + 4 * 3)
        np.testing.assert_allclose(r.joint("left", "velocity")[-1, 0], a * 0.5, rtol=1e-6)
        np.testing.assert_allclose(r.data["constraint/violation"], 0, atol=1e-7)
        # A range: slack until the sum leaves it.
        r = self.run_scene(scene % "limits: [-1, 1]")
        self.assertAlmostEqual(2 * r.joint("left", "position")[-1, 0] + r.joint("right", "position")[-1, 0], -1, delta=1e-4)

    def test_a_prescribed_body_carries_what_is_tied_to_it(self):
        # A bob on a rod at a hub that turns: after the start it stays at its place in the hub's frame.
        r = self.run_scene(HEAD + """\
gravity: [0, 0, 0]
time: {step: 2.0e-3, end: 2}
bodies:
  - {name: hub, motion: {angular_velocity: [0, 0, 3]}}
  - {name: bob, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {xyz: [0.5, 0, 0]}, velocity: {linear: [0, 1.5, 0], angular: [0, 0, 3]}}
constraints: [{name: arm, type: weld, a: hub, b: bob, pose_a: {xyz: [0.5, 0, 0]}}]
""")
        angle = 3 * r.time
        np.testing.assert_allclose(r.body("bob", "position"), 0.5 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1), atol=1e-4)
        np.testing.assert_allclose(np.linalg.norm(r.data["constraint/force"][1:, 3:], axis=1), 4.5, rtol=2e-3)
        self.assertLess(np.abs(r.data["energy/balance_error"]).max(), 1e-9)

    def test_every_law_and_method_solves_them(self):
        scene = HEAD.replace("contact: {pairs: []}\n", "") + """\
time: {step: 1.0e-3, end: 0.3}
materials: {m: {friction: 0.5, stiffness: 1.0e+5}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: a, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, mass: 1, inertia: solid, pose: {xyz: [0.5, 0, 0.1]}, velocity: {linear: [0, 0.5, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: c, mass: 1, inertia: solid, pose: {xyz: [0.5, 0.5, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
constraints:
  - {name: rod, type: distance, a: a, b: b, length: 0.5}
  - {name: pin, type: ball, a: b, b: c, point_a: [0, 0.25, 0], point_b: [0, -0.25, 0]}
"""
        ends = {}
        for law, method in (("lagged", "newton"), ("coulomb", "newton"), ("tamsi", "newton"), ("similar", "newton"), ("similar", "interior_point"), ("sap", "newton"),
                            ("sap", "interior_point")):
            options = ["--set", f"contact.model={law}", "--set", "solver.tolerance=1e-9"]
            if law != "tamsi":
                options += ["--set", f"solver.method={method}"]
            r = self.run_scene(scene, *options)
            self.assertLess(r.data["artefact/momentum_residual"].max(), 1e-6, law)
            self.assertLess(np.abs(r.data["constraint/violation"]).max(), 1e-4, law)
            ends[law, method] = r.body("b", "position")[-1]
        for law in ("similar", "sap"):
            np.testing.assert_allclose(ends[law, "newton"], ends[law, "interior_point"], atol=1e-6)
        np.testing.assert_allclose(ends["coulomb", "newton"], ends["lagged", "newton"], atol=2e-3)

    def test_the_same_bits_after_a_resume_and_on_more_threads(self):
        scene = tied("assemble: true, " + BALL, "[0, 0, -9.81]", 2.0)
        self.run_scene(scene, name="whole.h5")
        self.run_scene(scene, "--threads", "2", name="threads.h5")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "threads.h5")
        self.run_scene(scene, "--end", "1", name="parts.h5")
        self.csim("run", "scene.yaml", "-o", "parts.h5", "--resume", "-q")
        a, b = Result(self.folder / "whole.h5"), Result(self.folder / "parts.h5")
        np.testing.assert_array_equal(a.body("b", "position"), b.body("b", "position"))
        # The complete scene runs to the same bits.
        resolved = self.csim("resolve", "scene.yaml").stdout
        self.run_scene(resolved, name="resolved.h5")
        np.testing.assert_array_equal(a.data["trajectory/q"], Result(self.folder / "resolved.h5").data["trajectory/q"])

    def test_what_is_wrong_is_told(self):
        def fault(constraint, *sentences):
            self.write("scene.yaml", tied(constraint))
            found = self.csim("validate", "scene.yaml", expect=INVALID).stderr
            for sentence in sentences:
                self.assertIn(sentence, found)

        fault("type: distance", "constraints.tie.length: missing, expected length, min or max of the distance (m)")
        fault("type: distance, length: 0", "constraints.tie.length: 0, expected a number > 0 (m); points that coincide are of type: ball")
        fault("type: distance, min: 2, max: 1", "expected the smallest to be less")
        fault("type: ball, point_a: [9, 0, 0]", "constraints.tie: violated by 8.5 m at the start, expected positions at which it holds; `assemble: true` moves the bodies there")
        fault("type: ball, length: 1", "constraints.tie.length:")
        # Two rods at the world that do not reach.
        scene = HEAD + f"time: {{end: 1}}\nbodies: [{{name: arm, {ROD}}}]\njoints: [{{name: j, type: revolute, parent: world, child: arm}}]\n" \
            "constraints: [{name: shut, type: distance, a: world, b: arm, point_a: [9, 0, 0], point_b: [1, 0, 0], length: 2, assemble: true}]\n"
        self.write("scene.yaml", scene)
        found = self.csim("validate", "scene.yaml", expect=INVALID).stderr
        self.assertIn("constraints.shut: violated by 6 m at the start, and no motion of the bodies from there closes it", found)
        # The child of a second joint.
        self.write("scene.yaml", TREE.replace("parent: upper, child: lower", "parent: upper, child: upper").replace("parent: upper, child: upper", "parent: lower, child: upper"))
        found = self.csim("validate", "scene.yaml", expect=INVALID).stderr
        self.assertIn("this closes a loop: use constraints (constraints: type: ball", found)


def rotation(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


if __name__ == "__main__":
    main()
