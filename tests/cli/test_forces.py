"""Forces on bodies and screws against closed forms."""
import math

import numpy as np

from csim_testing import DONE, INVALID, CliTest, Result, main

G = 9.81
HEAD = "csim: 1\nname: scene\n"


def scene(force, body="mass: 2, inertia: [0.1, 0.2, 0.3], com: [0.1, 0, 0]", more="", gravity="[0, 0, 0]"):
    return HEAD + f"""\
gravity: {gravity}
time: {{step: 1.0e-3, end: 1}}
output: {{period: 0.01}}
bodies: [{{name: box, {body}}}]
forces: [{{name: push, body: box, {force}}}]
{more}"""


class Forces(CliTest):
    def run_scene(self, text, *options, expect=DONE, name="out.h5"):
        self.write("scene.yaml", text)
        self.csim("run", "scene.yaml", "-o", name, "--force", "-q", *options, expect=expect)
        return Result(self.folder / name)

    def balanced(self, r):
        self.assertLess(np.abs(r.data["energy/balance_error"]).max(), 1e-9)
        np.testing.assert_allclose(r.data["energy/work"], r.data["energy/work_forces"], atol=1e-12)

    def test_a_constant_force_at_the_centre_of_mass(self):
        for more in ([], ["--set", "integrator.type=continuous"], ["--set", "integrator.type=error_controlled"]):
            r = self.run_scene(scene("force: [4, 0, 2]"), *more)
            np.testing.assert_allclose(r.body("box", "velocity")[-1], [2, 0, 1], rtol=1e-9)
            np.testing.assert_allclose(r.body("box", "angular_velocity")[-1], 0, atol=1e-9)
            self.assertAlmostEqual(r.data["energy/work_forces"][-1], 0.5 * 2 * 5, delta=1e-6)
            self.balanced(r)
        self.assertEqual(r.data["force/applied"].shape, (len(r.time), 1, 6))
        np.testing.assert_array_equal(r.data["force/applied"][-1, 0], [4, 0, 2, 0, 0, 0])

    def test_values_over_time_are_read_at_the_end_of_the_step(self):
        r = self.run_scene(scene("force: {times: [0, 1], values: [[0, 0, 0], [2, 0, 0]], interpolation: linear}"))
        # v_n = h/m sum f(k h), f = 2 t.
        n = np.round(r.time / 1e-3)
        np.testing.assert_allclose(r.body("box", "velocity")[:, 0], 1e-3 * 1e-3 * n * (n + 1) / 2, atol=1e-12)
        r = self.run_scene(scene("force: {sine: {mean: [0, 1, 0], amplitude: [3, 0, 0], frequency: 1, phase: 0.5}}"))
        t = 1e-3 * np.arange(1, 1001)
        np.testing.assert_allclose(r.body("box", "velocity")[-1], [1e-3 / 2 * (3 * np.sin(2 * math.pi * t + 0.5)).sum(), 0.5, 0], atol=1e-12)
        self.balanced(r)

    def test_a_torque_spins(self):
        r = self.run_scene(scene("torque: [0, 0, 0.6]"))
        np.testing.assert_allclose(r.body("box", "angular_velocity")[-1], [0, 0, 2], rtol=1e-9)
        np.testing.assert_array_equal(r.data["force/applied"][-1, 0], [0, 0, 0, 0, 0, 0.6])
        self.assertAlmostEqual(r.data["energy/work_forces"][-1], 0.5 * 0.3 * 4, delta=1e-6)

    def test_a_force_at_a_point_and_in_the_axes_of_the_body(self):
        # A thruster 0.2 m off the centre of mass, across its arm: spins at a constant rate, and the axes go with it.
        r = self.run_scene(scene("force: [0, 3, 0], point: [0.3, 0, 0], frame: body"), "--set", "time.step=1e-4")
        alpha = 3 * 0.2 / 0.3
        self.assertAlmostEqual(r.body("box", "angular_velocity")[-1, 2], alpha, delta=1e-6)
        t = np.linspace(0, 1, 100001)
        along = np.exp(1j * 0.5 * alpha * t * t) * 1.5j
        v = np.trapezoid(along, t) if hasattr(np, "trapezoid") else np.trapz(along, t)
        w = r.body("box", "angular_velocity")[-1]
        R = 0.5 * alpha
        com = r.body("box", "velocity")[-1] + np.cross(w, 0.1 * np.array([math.cos(R), math.sin(R), 0]))
        np.testing.assert_allclose(com[:2], [v.real, v.imag], atol=1e-3)
        self.balanced(r)

    def test_a_force_on_a_link(self):
        # A rod on a hinge, pushed at its tip against its weight: at rest where both moments agree.
        r = self.run_scene(HEAD + """\
time: {step: 1.0e-3, end: 0.5}
bodies: [{name: rod, mass: 2, inertia: [0.01, 0.1, 0.1], com: [0.5, 0, 0]}]
joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0]}]
forces: [{name: hold, body: rod, point: [1, 0, 0], force: [0, 0, 9.81]}]
""")
        np.testing.assert_allclose(r.joint("hinge", "position"), 0, atol=1e-12)
        np.testing.assert_allclose(r.data["force/applied"][-1, 0], [0, 0, G, 0, -0.5 * G, 0], atol=1e-9)
        self.assertAlmostEqual(r.data["energy/work_forces"][-1], 0, delta=1e-12)

    def test_in_quasistatics(self):
        text = HEAD + """\
time: {step: 0.01, end: 0.5}
integrator: {type: quasistatic}
bodies: [{name: slide, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, parent: world, child: slide, axis: [1, 0, 0]}]
actuators: [{name: hold, joint: rail, type: position, stiffness: 200, command: 0}]
forces: [{name: push, body: slide, force: {times: [0, 0.5], values: [[0, 0, 0], [10, 0, 0]]}}]
"""
        r = self.run_scene(text)
        np.testing.assert_allclose(r.joint("rail", "position")[1:, 0], 20 * r.time[1:] / 200, atol=1e-9)
        np.testing.assert_allclose(r.data["actuator/effort"][1:, 0], -20 * r.time[1:], atol=1e-6)
        self.assertLess(np.abs(r.data["energy/balance_error"]).max(), 1e-9)

    def test_a_resume_has_the_same_bits(self):
        text = scene("force: {sine: {amplitude: [3, 1, 0], frequency: 3}}, point: [0, 0.1, 0], frame: body")
        self.run_scene(text, name="whole.h5")
        self.run_scene(text, "--end", "0.5", name="parts.h5")
        self.csim("run", "scene.yaml", "-o", "parts.h5", "--resume", "-q")
        a, b = Result(self.folder / "whole.h5"), Result(self.folder / "parts.h5")
        for path in ("trajectory/q", "energy/work_forces", "force/applied"):
            np.testing.assert_array_equal(a.data[path], b.data[path])
        resolved = self.csim("resolve", "scene.yaml").stdout
        np.testing.assert_array_equal(self.run_scene(resolved).data["trajectory/q"], a.data["trajectory/q"])

    def test_what_is_wrong_is_told(self):
        for force, sentence in (("frame: body", "forces.push.force: missing, expected a force (N) or a torque (N m)"),
                                ("force: [1, 0, 0], torque: [1, 0, 0]", "forces.push.torque: a torque beside a force"),
                                ("force: [1, 0]", "forces.push.force: a list of 2"),
                                ("force: {times: [0, 1], values: [[0, 0, 0]]}", "expected one row for each of the 2 times")):
            self.write("scene.yaml", scene(force))
            self.assertIn(sentence, self.csim("validate", "scene.yaml", expect=INVALID).stderr)


class Screw(CliTest):
    def test_a_nut_that_sinks_turns(self):
        self.write("scene.yaml", HEAD + """\
time: {step: 1.0e-3, end: 1}
bodies: [{name: nut, mass: 2, inertia: [0.01, 0.01, 0.002]}]
joints: [{name: thread, type: screw, parent: world, child: nut, pitch: 0.05, velocity: 1}]
""")
        self.csim("run", "scene.yaml", "-o", "out.h5", "-q")
        r = Result(self.folder / "out.h5")
        p = 0.05 / (2 * math.pi)
        turn, rate = r.joint("thread", "position")[:, 0], r.joint("thread", "velocity")[:, 0]
        np.testing.assert_allclose(rate, 1 - 2 * G * p / (0.002 + 2 * p * p) * r.time, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(r.body("nut", "position")[:, 2], p * turn, atol=1e-12)
        np.testing.assert_allclose(r.body("nut", "velocity")[:, 2], p * rate, atol=1e-12)
        np.testing.assert_allclose(r.body("nut", "angular_velocity")[:, 2], rate, atol=1e-12)
        self.assertLess(np.abs(r.data["energy/balance_error"]).max(), 1e-9)


if __name__ == "__main__":
    main()
