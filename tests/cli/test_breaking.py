"""Constraints that break under load: when, what they bear, what becomes of their energy."""
import math

import numpy as np

from csim_testing import DONE, INVALID, CliTest, Result, main, text

G = 9.81
HEAD = "csim: 1\nname: scene\ncontact: {pairs: []}\n"

# A bob of 2 kg on a tie, without weight, pulled by a force that grows by 50 N/s.
PULLED = HEAD + """\
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
bodies: [{name: bob, mass: 2, inertia: [0.01, 0.02, 0.03], pose: {xyz: [0, 0, -0.5]}}]
forces: [{name: pull, body: bob, force: {times: [0, 10], values: [[0, 0, 0], [0, 0, -500]]}}]
constraints: [{name: tie, a: world, b: bob, breaking_load: 25.02, %s}]
"""
ROD, ROPE = "type: distance, length: 0.5", "type: distance, max: 0.5"
PIN, WELD = "type: ball, point_b: [0, 0, 0.5]", "type: weld, pose_b: {xyz: [0, 0, 0.5]}"
BREAKS = 25.02 / 50  # s


def breaks(r):
    """(name, time, load) of the events."""
    d = r.data
    return [(text(d["event/subject_a"][i]), d["event/time"][i], d["event/value"][i])
            for i in range(len(d["event/time"])) if text(d["event/kind"][i]) == "broken constraint"]


class Breaking(CliTest):
    def run_scene(self, scene, *options, expect=DONE, name="out.h5"):
        self.write("scene.yaml", scene)
        self.csim("run", "scene.yaml", "-o", name, "--force", "-q", *options, expect=expect)
        return Result(self.folder / name) if expect == DONE else None

    def test_a_tie_that_is_pulled_breaks_at_its_load_and_the_bob_falls(self):
        for tie in (ROD, ROPE, PIN, WELD):
            for integrator in ("discrete", "error_controlled", "continuous"):
                with self.subTest(tie=tie, integrator=integrator):
                    options = [] if integrator == "discrete" else ["--set", "integrator.accuracy=1e-7"]
                    r = self.run_scene(PULLED % tie, "--set", f"integrator.type={integrator}", *options)
                    (name, time, load), = breaks(r)
                    self.assertEqual(name, "tie")
                    # At the end of the first step after the time at which the pull exceeds what it bears.
                    longest = 1e-3 if integrator == "discrete" else 0.01
                    self.assertTrue(BREAKS - 1e-4 < time < BREAKS + longest, time)
                    self.assertTrue(25.02 < load < 25.02 + 50 * longest, load)
                    # The pull alone moves it: m z'' = -50 t.
                    t = r.time[r.time > time]
                    moved = 50 / 2 * ((t**3 - time**3) / 6 - time**2 / 2 * (t - time))
                    z = r.body("bob", "position")[r.time > time, 2]
                    np.testing.assert_allclose(-0.5 - z, moved, atol=0.01 * moved[-1])
                    np.testing.assert_array_equal(r.data["constraint/force"][r.time > time], 0)
                    np.testing.assert_array_equal(r.data["constraint/violation"][r.time > time], 0)
                    np.testing.assert_array_equal(r.data["constraint/broken"][:, 0], r.time > time + 1e-9)
                    turned = r.data["energy/turned_over"][-1]
                    self.assertLess(np.abs(r.data["energy/balance_error"]).max(), (1e-9 if integrator == "discrete" else 1e-2) * turned)

    def test_what_a_spring_holds_when_it_breaks_is_dissipated_by_constraints(self):
        k = 500.0
        for integrator in ("discrete", "continuous"):
            r = self.run_scene(PULLED % f"type: distance, length: 0.5, stiffness: {k}, relaxation_time: 0.02", "--set", f"integrator.type={integrator}",
                               "--set", "output.period=1e-3")
            (_, time, load), = breaks(r)
            taken = r.data["energy/dissipated_joints"]
            i = int(np.argmin(np.abs(r.time - time)))
            stored = r.data["energy/elastic"][i]
            x, v = -0.5 - r.body("bob", "position")[i, 2], -r.body("bob", "velocity")[i, 2]
            self.assertLess(abs(load - k * (x + 0.02 * v)), 0.01 * load)
            self.assertAlmostEqual(stored, 0.5 * k * x**2, delta=1e-9 * stored)
            self.assertEqual(r.data["energy/elastic"][i + 1], 0.0)
            self.assertAlmostEqual(taken[i + 1] - taken[i], stored, delta=1e-12)
            np.testing.assert_array_equal(taken[i + 1:], taken[i + 1])
            self.assertLess(np.abs(r.data["energy/balance_error"]).max(), 1e-3 * r.data["energy/turned_over"][-1])

    def test_a_weld_breaks_by_its_moment_and_a_pin_by_the_length_of_its_force(self):
        # A beam of 1 kg that reaches 0.5 m beyond its weld: M = 4.905 N m, F = 9.81 N.
        beam = HEAD + """\
time: {step: 1.0e-3, end: 0.3}
bodies: [{name: beam, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {xyz: [0.5, 0, 0]}}]
constraints: [{name: wall, type: weld, a: world, b: beam, pose_b: {xyz: [-0.5, 0, 0]}, %s}]
"""
        self.assertEqual(breaks(self.run_scene(beam % "breaking_torque: 5.2, breaking_load: 10.4")), [])
        for load, found in (("breaking_torque: 4.8, breaking_load: 100", 0.5 * G), ("breaking_torque: 100, breaking_load: 9.5", G)):
            (name, _, value), = breaks(self.run_scene(beam % load))
            self.assertEqual(name, "wall")
            self.assertLess(abs(value - found), 0.06 * found)
        # A force that is oblique to all axes: no component reaches the load, the length does.
        pin = PULLED.replace("[0, 0, -500]", "[300, 400, -1200]") % "type: ball, point_a: [0, 0, -0.5]"
        (_, time, value), = breaks(self.run_scene(pin))
        self.assertLess(abs(time - 25.02 / 130), 1.5e-3)
        self.assertGreater(value, 25.02)

    def test_gears_and_tendons(self):
        # Two slides of 1 kg by a cord, one held by a spring of its drive, the other pulled by 10 N/s.
        cord = HEAD + """\
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1.1}
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: ja, type: prismatic, parent: world, child: a, axis: [1, 0, 0]}
  - {name: jb, type: prismatic, parent: world, child: b, axis: [1, 0, 0]}
actuators: [{name: hold, joint: ja, type: position, stiffness: 1.0e+6, damping: 2000, command: 0}]
forces: [{name: pull, body: b, force: {times: [0, 10], values: [[0, 0, 0], [100, 0, 0]]}}]
constraints: [{name: cord, breaking_load: 5, %s}]
"""
        for kind, factor in (("type: coupler, joint_a: jb, joint_b: ja", 1), ("type: tendon, joints: {ja: -2, jb: 2}, length: 0", 2)):
            (_, time, load), = breaks(self.run_scene(cord % kind))
            self.assertLess(abs(time - 0.5 * factor), 5e-3)
            self.assertLess(abs(load - 5), 0.05)

    def test_one_after_the_other(self):
        # Two ropes side by side share the load; when one is gone the other bears all.
        scene = PULLED % ROPE
        scene = scene.replace("constraints: [", "constraints: [{name: first, type: distance, a: world, b: bob, max: 0.5, breaking_load: 12}, ")
        (first, t1, f1), (second, t2, f2) = breaks(self.run_scene(scene))
        self.assertEqual((first, second), ("first", "tie"))
        self.assertLess(abs(t1 - 24 / 50), 2e-3)
        self.assertLess(abs(f1 - 12), 0.05)
        self.assertLess(abs(t2 - BREAKS), 2e-3)

    def test_a_resumed_run_has_the_bits_of_one_that_was_not_interrupted(self):
        scene = PULLED % (ROD + ", stiffness: 1.0e+5, relaxation_time: 0.01")
        self.run_scene(scene, name="whole.h5")
        for end in (BREAKS - 0.005, BREAKS + 0.004, 0.8):
            self.run_scene(scene, "--end", f"{end:.3f}", name="parts.h5")
            self.csim("run", "scene.yaml", "-o", "parts.h5", "--resume", "-q")
            a, b = Result(self.folder / "whole.h5"), Result(self.folder / "parts.h5")
            for path in ("trajectory/q", "trajectory/v"):
                np.testing.assert_array_equal(a.data[path][-1], b.data[path][-1])
            self.assertEqual(breaks(a), breaks(b))
            self.assertEqual(a.data["energy/dissipated_joints"][-1], b.data["energy/dissipated_joints"][-1])

    def test_a_run_that_starts_from_a_row_has_broken_what_is_broken_there(self):
        scene = PULLED % ROD
        first = self.run_scene(scene, "--set", "output.period=0.1", name="first.h5")
        self.assertEqual(first.data["constraint/broken"][:, 0].tolist(), [0] * 6 + [1] * 5)
        # 10 N pull: what flew goes on by 5 m/s^2. Before the row at which it is gone the rod holds.
        pulled = scene.replace("{times: [0, 10], values: [[0, 0, 0], [0, 0, -500]]}", "[0, 0, -10]")
        for time, flies in ((0.8, True), (0.3, False)):
            # A constraint is found by its name, wherever it stands.
            second = pulled.replace("[{name: tie", "[{name: other, type: distance, a: world, b: bob, max: 100}, {name: tie") + f"initial: {{from: first.h5, time: {time}}}\n"
            r = self.run_scene(second, "--end", "0.2")
            np.testing.assert_array_equal(r.data["constraint/broken"], [[0, flies]] * len(r.time))
            row = first.row(time)
            z, v = first.body("bob", "position")[row, 2], first.body("bob", "velocity")[row, 2]
            moved = r.body("bob", "position")[-1, 2] - z
            self.assertAlmostEqual(moved, 0.2 * v - 5 * 1e-6 * 200 * 201 / 2 if flies else 0.0, delta=1e-12 if flies else 1e-8)
            self.assertEqual(breaks(r), [])
        self.write("scene.yaml", pulled + "initial: {from: first.h5}\n")
        shown = self.csim("run", "scene.yaml", "-o", "out.h5", "--force", "--end", "0")
        self.assertRegex(shown.stderr, r"note: initial: these are broken in .*first\.h5 and start so: tie\n")
        # One that cannot break in the scene holds, and this is told.
        self.write("scene.yaml", pulled.replace("breaking_load: 25.02, ", "") + "initial: {from: first.h5}\n")
        shown = self.csim("run", "scene.yaml", "-o", "out.h5", "--force", "--end", "0")
        self.assertRegex(shown.stderr, r"note: initial: these broke in .*first\.h5 and start whole, without `breaking_load` in the scene: tie\n")
        # Nor does another constraint of that name break, which is told.
        self.write("scene.yaml", pulled.replace(ROD, PIN) + "initial: {from: first.h5, time: 0.8}\n")
        shown = self.csim("run", "scene.yaml", "-o", "out.h5", "--force", "--end", "0")
        self.assertRegex(shown.stderr, r"note: initial: these broke in .*first\.h5 and start whole, of another type: tie \(there distance, here ball\)\n")
        self.assertEqual(Result(self.folder / "out.h5").data["constraint/broken"][0, 0], 0)

    def test_it_is_told(self):
        self.run_scene(PULLED % ROD)
        told = self.csim("info", "out.h5").stdout
        self.assertIn("broken constraints       1, first tie at t = 0.5", told)
        self.assertIn("no warnings", told)
        self.write("scene.yaml", PULLED % (PIN + ", breaking_torque: 1"))
        self.assertIn("constraints.tie.breaking_torque: unknown key for type: ball", self.csim("validate", "scene.yaml", expect=INVALID).stderr)
        self.write("scene.yaml", PULLED.replace("load: 25.02", "load: 0") % PIN)
        self.assertIn("constraints.tie.breaking_load: 0, expected a number > 0", self.csim("validate", "scene.yaml", expect=INVALID).stderr)


if __name__ == "__main__":
    main()
