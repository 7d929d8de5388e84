"""Interrupted and killed runs: nothing is lost, and going on gives the same bits."""
import signal
import time

import h5py

from csim_testing import BALL, DONE, INTERRUPTED, INVALID, SOURCE, CliTest, main

CLUTTER = SOURCE / "scenes/clutter/scene.yaml"
LONG = ["--end", "20"]   # 2000 steps: long enough that what is done to a run meets it alive


class Interrupt(CliTest):
    def run_until(self, name, stop, *options, steps=1):
        """Starts the clutter, sends `stop` once the file has `steps` more steps, and returns the exit code."""
        process = self.start("run", CLUTTER, "-o", name, "-q", *options)
        done = self.steps(name)
        deadline = time.monotonic() + 120
        while process.poll() is None and self.steps(name) < done + steps:
            self.assertLess(time.monotonic(), deadline, "no step within two minutes")
            time.sleep(0.02)
        process.send_signal(stop)
        process.communicate(timeout=60)
        return process.returncode

    def steps(self, name):
        """Steps that the result file of a run holds by now; 0 while there is none."""
        for path in (self.folder / f"{name}.part", self.folder / name):
            try:
                with h5py.File(path) as file:
                    return len(file["stats/step/time"])
            except (OSError, KeyError):   # not there, or half created
                continue
        return 0

    def whole(self, *options):
        self.csim("run", CLUTTER, "-o", "whole.h5", "-q", *options)
        return self.folder / "whole.h5"

    def check_resumed(self, stop, *more):
        options = [*LONG, *more]
        self.assertEqual(self.run_until("part.h5", stop, *options), INTERRUPTED)
        with h5py.File(self.folder / "part.h5") as file:
            self.assertEqual(file.attrs["status"], "interrupted")
            self.assertEqual(file.attrs["exit_code"], INTERRUPTED)
            first = len(file["stats/step/time"])
            self.assertGreater(first, 0)
            self.assertLess(first, 2000)
        self.csim("run", CLUTTER, "-o", "part.h5", "-q", "--resume", *options)
        with h5py.File(self.folder / "part.h5") as file:
            self.assertEqual(file.attrs["status"], "complete")
        self.assert_same_bits(self.whole(*options), self.folder / "part.h5")
        self.assertEqual(self.files(), ["part.h5", "whole.h5"])

    def test_resume_keeps_the_memory_of_the_method(self):
        """Here Newton's method fails in most steps, so that the interruption falls between two of its trials."""
        self.check_resumed(signal.SIGTERM, "--set", "contact.model=similar", "--set", "materials.body.stiffness=1e9",
                           "--set", "contact.stiction_tolerance=1e-8")
        with h5py.File(self.folder / "whole.h5") as file:
            self.assertGreater((file["stats/step/status"][:400] == 6).mean(), 0.8)   # interior point, before it comes to rest

    def test_sigterm_and_resume(self):
        self.check_resumed(signal.SIGTERM)

    def test_sigint_and_resume(self):
        self.check_resumed(signal.SIGINT)

    def test_sigusr1_and_resume(self):
        self.check_resumed(signal.SIGUSR1)

    def test_interrupted_again_and_again(self):
        options = LONG
        code, times = self.run_until("part.h5", signal.SIGTERM, *options, steps=20), 1
        while code == INTERRUPTED and times < 50:
            code, times = self.run_until("part.h5", signal.SIGTERM, "--resume", *options, steps=20), times + 1
        self.assertEqual(code, DONE)
        self.assertGreater(times, 2)
        self.assert_same_bits(self.whole(*options), self.folder / "part.h5")

    def test_killed_leaves_a_readable_file(self):
        self.assertEqual(self.run_until("part.h5", signal.SIGKILL, *LONG), -signal.SIGKILL)
        self.assertEqual(self.files(), ["part.h5.part"])
        with h5py.File(self.folder / "part.h5.part") as file:
            self.assertEqual(file.attrs["status"], "running")
            frames = len(file["trajectory/time"])
            self.assertGreater(frames, 0)
            self.assertEqual(file["trajectory/position"].shape, (frames, 41, 3))
        self.csim("info", "part.h5.part")

    def test_killed_without_a_checkpoint_starts_anew(self):
        options = LONG
        self.assertEqual(self.run_until("part.h5", signal.SIGKILL, *options), -signal.SIGKILL)
        self.csim("run", CLUTTER, "-o", "part.h5", "-q", "--resume", *options)
        self.assert_same_bits(self.whole(*options), self.folder / "part.h5")

    def test_killed_and_resumed_from_a_checkpoint(self):
        options = [*LONG, "--set", "output.checkpoint=0.1"]
        self.assertEqual(self.run_until("part.h5", signal.SIGKILL, *options, steps=50), -signal.SIGKILL)
        self.csim("run", CLUTTER, "-o", "part.h5", "-q", "--resume", *options)
        self.assert_same_bits(self.whole(*options), self.folder / "part.h5")


class Resume(CliTest):
    def test_without_a_file_to_go_on_from(self):
        result = self.csim("run", CLUTTER, "-o", "none.h5", "--resume", expect=INVALID)
        self.assertIn("none.h5", result.stderr)
        self.assertEqual(self.files(), [])

    def test_of_a_complete_run_does_nothing(self):
        self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.1", "-q")
        before = (self.folder / "out.h5").read_bytes()
        self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.1", "-q", "--resume")
        self.assertEqual((self.folder / "out.h5").read_bytes(), before)

    def test_from_before_the_first_step(self):
        """A run that stood still at its first row keeps that row alone, however often it goes on."""
        options = ["run", CLUTTER, "-o", "out.h5", "-q"]
        self.csim(*options, "--end", "0")
        self.csim(*options, "--end", "0.1", "--resume")
        self.csim(*options, "--end", "0.2", "--resume")
        self.csim("run", CLUTTER, "-o", "whole.h5", "--end", "0.2", "-q")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "out.h5")

    def test_of_columns_that_are_zero_for_long(self):
        """A chunk of zeros is not stored: those of a ball that has not come down yet, before and between others."""
        self.write("ball.yaml", BALL)
        for end in ("0.15", "0.45"):
            with self.subTest(end):
                self.csim("run", "ball.yaml", "-o", "out.h5", "--end", end, "-q", "--force")
                self.csim("run", "ball.yaml", "-o", "out.h5", "-q", "--resume")
                self.csim("run", "ball.yaml", "-o", "whole.h5", "-q", "--force")
                self.assert_same_bits(self.folder / "whole.h5", self.folder / "out.h5")

    def test_of_a_complete_run_to_a_later_end(self):
        for period in ("0.05", "0.04"):   # 0.1 s is on the grid of frames, and is not
            with self.subTest(period):
                self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.1", "--set", f"output.period={period}", "-q", "--force")
                self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.3", "--set", f"output.period={period}", "-q", "--resume")
                self.csim("run", CLUTTER, "-o", "whole.h5", "--end", "0.3", "--set", f"output.period={period}", "-q", "--force")
                self.assert_same_bits(self.folder / "whole.h5", self.folder / "out.h5")

    def test_to_an_earlier_end_is_refused(self):
        self.csim("run", CLUTTER, "-o", "run.h5", "-q", "--end", "0.2")
        before = (self.folder / "run.h5").read_bytes()
        result = self.csim("run", CLUTTER, "-o", "run.h5", "-q", "--end", "0.1", "--resume", expect=INVALID)
        self.assertIn("holds the motion to t = 0.2 s already, beyond time.end = 0.1 s", result.stderr)
        self.assertEqual((self.folder / "run.h5").read_bytes(), before)
        self.assertEqual(self.files(), ["run.h5"])

    def test_of_a_run_that_is_still_alive_is_refused(self):
        process = self.start("run", CLUTTER, "-o", "run.h5", "-q", "--end", "3600")
        deadline = time.monotonic() + 60
        while not (self.folder / "run.h5.part").exists():
            self.assertLess(time.monotonic(), deadline, "no file within a minute")
            time.sleep(0.02)
        for option in ("--resume", "--force"):
            result = self.csim("run", CLUTTER, "-o", "run.h5", "-q", "--end", "3600", option, expect=INVALID)
            self.assertIn("run.h5.part: another run is writing it", result.stderr)
            self.assertNotIn("overwrites", result.stderr)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        with h5py.File(self.folder / "run.h5") as file:
            time_steps = file["trajectory/time"][1:] - file["trajectory/time"][:-1]
            self.assertGreater(time_steps.min(), 0)
        self.assertEqual(self.files(), ["run.h5"])

    def test_of_another_scene_is_refused(self):
        self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.1", "-q")
        before = (self.folder / "out.h5").read_bytes()
        self.csim("run", SOURCE / "scenes/free_fall/scene.yaml", "-o", "out.h5", "--resume", expect=INVALID)
        self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.1", "--set", "contact.model=sap", "--resume", expect=INVALID)
        for setting, told in (("contact.model=sap", "contact.model: lagged, now sap"), ("bodies.ball_0_0.pose.xyz=[1, 2, 3]", "bodies.ball_0_0.pose.xyz: ["),
                              ("output.checkpoint=0.01", None), ("solver.max_iterations=7", "solver.max_iterations: 500, now 7")):
            with self.subTest(setting):
                result = self.csim("run", CLUTTER, "-o", "out.h5", "--end", "0.1", "--set", setting, "--resume", expect=INVALID if told else DONE)
                self.assertIn(f"another scene: {told}" if told else "nothing to resume", result.stderr)
        self.assertEqual((self.folder / "out.h5").read_bytes(), before)

    def test_of_what_is_no_result(self):
        self.write("out.h5", "text")
        self.csim("run", CLUTTER, "-o", "out.h5", "--resume", expect=INVALID)
        self.assertEqual((self.folder / "out.h5").read_text(), "text")


if __name__ == "__main__":
    main()
