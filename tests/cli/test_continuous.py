"""Steps of variable length (integrator.type: continuous, error_controlled) from the command line: rows at exact times, statistics, resuming, failures."""
import json
import signal
import time

import h5py
import numpy as np

from csim_testing import BALL, DONE, FAILED, INTERRUPTED, INVALID, CliTest, main

UNSOLVABLE = ("--set", "integrator.accuracy=1e-3", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12")

RESTS_BESIDE = """
csim: 1
time: {step: 1.0e-4, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4, hunt_crossley_dissipation: 0}, soft: {stiffness: 1.0e5, friction: 0.4, hunt_crossley_dissipation: 5}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: box, density: 1000, pose: {xyz: [1, 0, 0.0499]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: soft}]}
  - {name: ball, density: 1000, pose: {xyz: [0, 0, 0.25]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
"""


class VariableSteps:
    """What both integrators share. `integrator`: the scene's section, with long runs of thousands of steps."""

    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL + f"integrator: {self.integrator}\noutput: {{period: 0.01}}\n")

    def run_ball(self, name, *options, expect=DONE):
        return self.csim("run", "ball.yaml", "-o", name, "-q", "--force", *options, expect=expect)

    def test_rows_stand_at_multiples_of_the_period(self):
        self.run_ball("out.h5", "--end", "0.305", "--set", "output.period=0.1")
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(list(file["trajectory/time"]), [0.0, 0.1, 2 * 0.1, 3 * 0.1, 0.305])
            steps = file["stats/step/time"][:]
            self.assertTrue(np.all(np.diff(steps) > 0))
            self.assertTrue(set(file["trajectory/time"][1:]) <= set(steps))
            self.assertEqual(steps[-1], 0.305)

    def test_threads_and_the_resolved_scene_give_the_same_bits(self):
        self.run_ball("one.h5", "--threads", "1")
        self.run_ball("two.h5", "--threads", "2")
        self.assert_same_bits(self.folder / "one.h5", self.folder / "two.h5")
        (self.folder / "ball.yaml").write_text(self.csim("resolve", "ball.yaml").stdout)
        self.run_ball("resolved.h5")
        with h5py.File(self.folder / "one.h5") as one, h5py.File(self.folder / "resolved.h5") as resolved:
            for name in ("trajectory/q", "trajectory/v", "stats/step/time"):
                np.testing.assert_array_equal(one[name][:], resolved[name][:])

    def steps(self, name):
        for path in (self.folder / f"{name}.part", self.folder / name):
            try:
                with h5py.File(path) as file:
                    return len(file["stats/step/time"])
            except (OSError, KeyError):
                continue
        return 0

    def stop(self, name, signal_number, steps, *options):
        """Starts a run and sends it a signal when its file has as many steps; the exit code."""
        process = self.start("run", "ball.yaml", "-o", name, "-q", *options)
        deadline = time.monotonic() + 120
        while process.poll() is None and self.steps(name) < steps:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        process.send_signal(signal_number)
        process.communicate(timeout=60)
        return process.returncode

    def test_interrupted_and_killed_runs_go_on_with_the_same_bits(self):
        # After a second the ball rolls, in steps of some 1e-5 s: a few seconds of work.
        options = ["--end", "3", "--set", "output.checkpoint=0.05"]
        self.run_ball("whole.h5", *options)
        self.assertEqual(self.stop("part.h5", signal.SIGTERM, 1, *options), INTERRUPTED)
        self.run_resumed("part.h5", *options)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "part.h5")
        self.assertEqual(self.stop("killed.h5", signal.SIGKILL, 3000, *options), -signal.SIGKILL)
        self.run_resumed("killed.h5", *options)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "killed.h5")

    def run_resumed(self, name, *options):
        return self.csim("run", "ball.yaml", "-o", name, "--resume", *options)

    def test_a_later_end(self):
        self.run_ball("whole.h5", "--end", "0.4")
        self.run_ball("part.h5", "--end", "0.3")   # not 3 * 0.1 in binary; a row all the same
        result = self.run_resumed("part.h5", "--end", "0.4")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "part.h5")
        self.assertNotIn("output.period", result.stderr)
        # Off the grid of rows the end cuts a step short: a longer run goes on before that step.
        self.run_ball("off.h5", "--end", "0.333")
        with h5py.File(self.folder / "off.h5") as off, h5py.File(self.folder / "whole.h5") as whole:
            self.assertEqual(off["trajectory/time"][-1], 0.333)
            steps = off["stats/step/time"][:]
            natural = whole["stats/step/time"][:]
            self.assertFalse(np.isin(steps[-1], natural))
            self.assertGreater(np.isin(steps, natural).sum(), len(steps) - 3)
        before = (self.folder / "off.h5").read_bytes()
        self.run_resumed("off.h5", "--end", "0.333")   # has nothing to do
        self.assertEqual((self.folder / "off.h5").read_bytes(), before)
        self.assertIn("beyond time.end", self.csim("run", "ball.yaml", "-o", "off.h5", "--resume", "--end", "0.3329",
                                                   expect=INVALID).stderr)
        self.run_resumed("off.h5", "--end", "0.3335")
        self.run_ball("between.h5", "--end", "0.3335")
        self.assert_same_bits(self.folder / "between.h5", self.folder / "off.h5")
        self.run_resumed("off.h5", "--end", "0.4")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "off.h5")


class Continuous(VariableSteps, CliTest):
    integrator = "{type: continuous}"

    def test_statistics(self):
        self.run_ball("out.h5", "--set", "output.period=1e-3")
        with h5py.File(self.folder / "out.h5") as file:
            step = file["stats/step"]
            self.assertTrue(np.all(step["status"][:] == 7))
            self.assertTrue(np.all(np.isnan(step["condition"][:])))
            for name in ("iterations", "factorizations", "residual", "num_constraints"):
                self.assertFalse(step[name][:].any(), name)
            self.assertGreater(step["num_rejected"][:].sum(), 0)
            # Motion and contact of a row are of one instant.
            offsets = file["contact/row_offset"][:]
            touching = np.flatnonzero(np.diff(offsets))
            self.assertGreater(len(touching), 5)
            height = file["trajectory/position"][:, 1, 2]
            for f in touching:
                phi = file["contact/phi"][offsets[f]]
                self.assertAlmostEqual(phi, height[f] - 0.05, delta=1e-15)
                self.assertAlmostEqual(file["contact/stiffness"][offsets[f]], 0.5e5, delta=1e-9)
        text = self.csim("info", "out.h5", "-v").stdout
        self.assertIn("rejected tries", text)
        self.assertIn("integrated", text)

    def test_energy_error_falls_with_the_accuracy(self):
        errors = []
        for accuracy in ("1e-3", "1e-5"):
            self.run_ball("out.h5", "--set", f"integrator.accuracy={accuracy}")
            with h5py.File(self.folder / "out.h5") as file:
                errors.append(np.abs(file["energy/balance_error"][:]).max() / file["energy/total"][0])
        self.assertLess(errors[0], 1e-2)
        self.assertLess(errors[1], errors[0] / 10)

    def test_what_cannot_be_resolved_fails(self):
        result = self.run_ball("out.h5", "--set", "materials.rubber.stiffness=1e40", expect=FAILED)
        self.assertIn("the step fell below 1e-12 s", result.stderr)
        self.assertIn("'ball'", result.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file.attrs["status"], "failed")
            self.assertEqual(file.attrs["exit_code"], FAILED)
            self.assertIn("the step fell below", file.attrs["message"])
            fall = np.sqrt(2 * 0.25 / 9.81)
            self.assertAlmostEqual(file["stats/step/time"][-1], fall, delta=1e-6)

    def test_keys_without_effect_are_notes(self):
        result = self.csim("run", "ball.yaml", "-o", "out.h5", "--end", "0.01", "--set", "contact.model=sap",
                           "--set", "solver.tolerance=1e-9")
        self.assertIn("note: contact.model has no effect", result.stderr)
        self.assertIn("note: solver has no effect", result.stderr)

    def test_keys_of_another_integrator_are_errors(self):
        result = self.run_ball("out.h5", "--set", "integrator.type=discrete", "--set", "integrator.accuracy=1e-4", expect=INVALID)
        self.assertIn("integrator.accuracy", result.stderr)
        self.assertEqual(self.files(), ["ball.yaml"])


class ErrorControlled(VariableSteps, CliTest):
    integrator = "{type: error_controlled, accuracy: 1.0e-8}"

    def test_statistics(self):
        self.run_ball("out.h5", "--set", "integrator.accuracy=1e-4")
        with h5py.File(self.folder / "out.h5") as file:
            step = file["stats/step"]
            length = np.diff(step["time"][:], prepend=0.0)
            self.assertGreater(step["num_rejected"][:].sum(), 0)
            self.assertTrue(set(step["status"][:]) <= {0, 1, 2, 3, 6})
            self.assertGreater(step["iterations"][:].sum(), 0)
            # Of a fall the error is g h^2/4.
            fall = step["time"][:] < 0.2
            self.assertLessEqual(9.81 / 4 * length[fall].max() ** 2, 1e-4 * (1 + 1e-9))
        self.assertIn("rejected tries", self.csim("info", "out.h5", "-v").stdout)
        told = json.loads(self.csim("info", "out.h5", "--json").stdout)["solver"]["step_length"]
        self.assertEqual([told["min"], told["max"]], [length.min(), length.max()])

    def test_islands_take_their_own_steps(self):
        """A ball that bounces beside a box at rest: one step a row of the box, many parts of the ball; the same bits with threads, and resumed."""
        self.write("ball.yaml", RESTS_BESIDE + f"integrator: {self.integrator}\noutput: {{period: 0.01}}\n")
        options = ["--set", "integrator.accuracy=1e-7"]
        self.run_ball("whole.h5", "--end", "0.4", *options)
        self.run_ball("threads.h5", "--end", "0.4", "--threads", "2", *options)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "threads.h5")
        self.run_ball("part.h5", "--end", "0.25", *options)
        self.run_resumed("part.h5", "--end", "0.4", *options)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "part.h5")
        with h5py.File(self.folder / "whole.h5") as file:
            steps, parts = file["stats/step/time"][:], file["stats/step/num_parts"][:]
            rests = steps > 0.205
            self.assertEqual(rests.sum(), 19 + 1)  # one a row
            self.assertGreater(parts[rests].sum(), 1000)
            self.assertEqual(file["stats/step/num_contacts"][:].max(), 5)  # of both islands
        self.assertIn("parts of some islands", self.csim("info", "whole.h5", "-v").stdout)

    def test_what_cannot_be_resolved_fails(self):
        result = self.run_ball("out.h5", "--set", "gravity=[0, 0, -1e200]", expect=FAILED)
        self.assertIn("cost or gradient is not finite", result.stderr)
        self.assertIn("the step fell below 9.77e-07 s", result.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file.attrs["status"], "failed")
            self.assertEqual(file.attrs["exit_code"], FAILED)

    def test_a_solver_that_cannot_converge_fails(self):
        """Soon, and not in ever shorter steps, of which each is solved."""
        result = self.run_ball("out.h5", *UNSOLVABLE, expect=FAILED)
        self.assertIn("the solver did not converge", result.stderr)
        self.assertIn("the step fell below 9.77e-07 s", result.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual((file.attrs["status"], file.attrs["exit_code"]), ("failed", FAILED))
            steps = file["stats/step/time"][:]
            self.assertLess(len(steps), 500)
            self.assertGreater(steps[-1], 0.2)  # it has fallen by 0.2 m
            self.assertEqual(list(file["trajectory/time"]), [0.01 * n for n in range(len(file["trajectory/time"]))])
        self.assertIn("failed", self.csim("info", "out.h5").stdout)

    def test_wrong_keys(self):
        for key in ("accuracy=0", "accuracy=-1", "max_step=0", "velocity_terms=start"):
            result = self.run_ball("out.h5", "--set", f"integrator.{key}", expect=INVALID)
            self.assertIn(key.split("=")[0], result.stderr)


if __name__ == "__main__":
    main()
