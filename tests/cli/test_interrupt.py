"""Interrupted and killed runs: nothing is lost, and a resumed run gives the same bits."""
import fcntl
import os
import shutil
import signal
import struct
import subprocess
import time

import h5py

from csim_testing import BALL, CSIM, DONE, INTERRUPTED, INVALID, SOURCE, CliTest, main

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
            self.assertGreater((file["stats/step/status"][:400] == 6).mean(), 0.5)   # interior point, before it comes to rest

    def test_sigterm_and_resume(self):
        self.check_resumed(signal.SIGTERM)

    def test_sigint_and_resume(self):
        self.check_resumed(signal.SIGINT)

    def test_sigusr1_and_resume(self):
        self.check_resumed(signal.SIGUSR1)

    def test_killed_between_the_end_and_the_rename(self):
        """The file is complete under the name of an unfinished one: a resumption has but to rename it."""
        self.write("ball.yaml", BALL)
        for how in ("--resume", "--resume=auto", "--resume=relax"):
            with self.subTest(how):
                self.csim("run", "ball.yaml", "-o", "ball.h5", "-q", "--end", "0.01")
                whole = (self.folder / "ball.h5").read_bytes()
                (self.folder / "ball.h5").rename(self.folder / "ball.h5.part")
                self.assertIn("ball.h5: complete", self.csim("run", "ball.yaml", "-o", "ball.h5", "--end", "0.01", how).stdout)
                self.assertEqual(self.files(), ["ball.h5", "ball.yaml"])
                self.assertEqual((self.folder / "ball.h5").read_bytes(), whole)
                (self.folder / "ball.h5").unlink()

    def test_a_case_killed_before_the_rename(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", "csim_study: 1\nname: s\nscene: ball.yaml\nset: {time.end: 0.01}\nvary: [{contact.model: [lagged]}]\n"
                                 "measure: {z: {dataset: trajectory/position, item: ball, component: z, reduce: final}}\ngates: [{measure: z, min: 0}]\n")
        self.csim("study", "run", "study.yaml")
        result, = (self.folder / "s/cases").glob("*.h5")
        result.rename(result.with_name(result.name + ".part"))
        self.assertIn("gates held: 1 of 1, cases complete: 1 of 1", self.csim("study", "run", "study.yaml").stdout)
        self.assertTrue(result.exists())

    def test_waits_for_a_killed_process_to_let_go(self):
        """The locks of a process end some time after SIGKILL: with it, not with the signal."""
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-o", "ball.h5", "-q", "--end", "0.01")
        with open(self.folder / "ball.h5", "rb+") as owner:
            whole_file = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
            fcntl.fcntl(owner, fcntl.F_OFD_SETLK, whole_file)
            process = self.start("run", "ball.yaml", "-o", "ball.h5", "--end", "0.02", "--resume=auto")
            time.sleep(0.5)
            self.assertIsNone(process.poll())
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DONE, errors)
        self.assertIn("resuming after step 10", errors)

    def test_a_signal_while_the_scene_is_read(self):
        """From standard input, so that reading goes on for as long as the test wants: the run ends before its first step."""
        process = self.start("run", "-", "-o", "ball.h5", stdin=subprocess.PIPE)
        self.wait_until_caught(process, signal.SIGUSR1)
        process.send_signal(signal.SIGUSR1)
        out, errors = process.communicate(BALL, timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual((file.attrs["status"], len(file["stats/step/time"])), ("interrupted", 0))
        self.csim("run", "-", "-o", "ball.h5", "-q", "--resume", input=BALL)
        self.csim("run", "-", "-o", "whole.h5", "-q", input=BALL)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "ball.h5")

    def test_a_signal_while_loading_goes_on(self):
        """Nothing is written yet: the program does not wait for the end of what may take minutes."""
        for stop in (signal.SIGTERM, signal.SIGUSR1):
            process = self.start("run", "-", "-o", "ball.h5", stdin=subprocess.PIPE)
            self.wait_until_caught(process, stop)
            process.send_signal(stop)
            process.wait(timeout=10)   # the input is still open
            self.assertEqual(process.returncode, INTERRUPTED)
            self.assertEqual(process.stderr.read(), "csim: interrupted before the first step: nothing was written\n")
        self.assertEqual(self.files(), [])

    def test_a_signal_while_the_program_starts(self):
        """It waits for the command: a run ends in order, whatever else as the signal does by default."""
        self.write("ball.yaml", BALL)
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT):
            with self.subTest(number.name):
                env = {**os.environ, "LD_PRELOAD": str(CSIM.parent.parent / "tests/signal_at_load.so"), "SIGNAL_AT_LOAD": str(int(number))}
                name = f"{number.name}.h5"
                self.csim("run", "ball.yaml", "-o", name, expect=INTERRUPTED, env=env)
                with h5py.File(self.folder / name) as file:
                    self.assertEqual((file.attrs["status"], len(file["stats/step/time"])), ("interrupted", 0))
                self.csim("validate", "ball.yaml", expect=-number, env=env)
        self.csim("run", "ball.yaml", "-o", "SIGUSR1.h5", "-q", "--resume")
        self.csim("run", "ball.yaml", "-o", "whole.h5", "-q")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "SIGUSR1.h5")

    def test_a_signal_that_a_launcher_has_blocked(self):
        """Blocked before exec it waits for the program, whose loader could do nothing with it."""
        self.write("ball.yaml", BALL)
        stops = {signal.SIGTERM, signal.SIGUSR1, signal.SIGINT}
        for stop in sorted(stops):
            process = self.start("run", "ball.yaml", "-o", f"{stop.name}.h5", preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, stops))
            process.send_signal(stop)
            out, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, INTERRUPTED, errors)

    def test_further_signals_of_a_scheduler_change_nothing(self):
        """Slurm tells a preempted job and its step: the same process, twice. Only a second Ctrl-C ends a run at once."""
        for stop, code in ((signal.SIGTERM, INTERRUPTED), (signal.SIGUSR1, INTERRUPTED), (signal.SIGINT, -signal.SIGINT)):
            with self.subTest(stop.name):
                process = self.start("run", CLUTTER, "-o", f"{stop.name}.h5", "-q", "--end", "20")
                while process.poll() is None and self.steps(f"{stop.name}.h5") == 0:
                    time.sleep(0.02)
                while process.poll() is None:
                    process.send_signal(stop)
                self.assertEqual(process.returncode, code)

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

    def test_checkpoints_by_wall_time(self):
        """The scene asks for none: without the option a killed run begins anew."""
        whole = self.whole(*LONG)
        for name, options, start in (("often.h5", ["--checkpoint-every", "0.05"], r"resuming after step [1-9]"), ("never.h5", [], "resuming after step 0:")):
            self.assertEqual(self.run_until(name, signal.SIGKILL, *LONG, *options, steps=300), -signal.SIGKILL)
            self.assertRegex(self.csim("run", CLUTTER, "-o", name, "--resume", *LONG).stderr, start)
            self.assert_same_bits(whole, self.folder / name)

    def test_killed_while_the_file_is_made(self):
        """The file has another name until it is whole; the next run to the same output removes it."""
        for _ in range(50):   # of the few milliseconds that it takes
            process = self.start("run", CLUTTER, "-o", "part.h5", "-q", "--force")
            stray = self.folder / f"part.h5.part.{process.pid}"
            while process.poll() is None and not stray.exists() and not (self.folder / "part.h5.part").exists():
                pass
            process.kill()
            process.communicate(timeout=60)
            if stray.exists():
                break
        self.assertTrue(stray.exists(), "no run was killed while it made its file")
        shown = self.csim("run", CLUTTER, "-o", "part.h5", "--force", "--end", "0.1")
        self.assertIn(f"removed part.h5.part.{process.pid}", shown.stderr)
        self.assertEqual(self.files(), ["part.h5"])

    def test_removes_what_dead_processes_began_alone(self):
        self.write("ball.yaml", BALL)
        dead = self.start("--version")
        dead.communicate(timeout=60)
        stray, living, locked = f"ball.h5.part.{dead.pid}", f"ball.h5.part.{os.getpid()}", f"locked.h5.part.{dead.pid}"
        others = [f"other.h5.part.{dead.pid}", f"ball.h5.part.{dead.pid}x", f"ball.h5.part.0{-dead.pid}", f"ball.h5.{dead.pid}", "ball.h5.part."]
        for name in (stray, living, locked, *others):
            self.write(name, "begun")
        self.csim("run", "ball.yaml", "-q")
        self.assertEqual(self.files(), sorted([living, locked, "ball.h5", "ball.yaml", *others]))
        # A lock says that somebody is at it, whose number is not to be seen here.
        with open(self.folder / locked, "r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            self.csim("run", "ball.yaml", "-q", "-o", "locked.h5")
            self.assertIn(locked, self.files())
        self.csim("run", "ball.yaml", "-q", "-o", "locked.h5", "--force")
        self.assertNotIn(locked, self.files())
        # What cannot be locked is left alone: nobody may write a program that runs.
        shutil.copy(shutil.which("sleep"), self.folder / stray)
        program = subprocess.Popen([self.folder / stray, "60"])
        try:
            self.csim("run", "ball.yaml", "-q", "--force")
            self.assertIn(stray, self.files())
        finally:
            program.kill()
            program.wait()
        # A resumed run makes its file in the same way.
        self.write(stray, "begun")
        self.csim("run", "ball.yaml", "-q", "--end", "0.6", "--resume")
        self.assertNotIn(stray, self.files())

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

    def test_of_a_file_of_another_version_is_refused(self):
        """Files of another layout: what they lack is said, and who wrote them; they stay as they are."""
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-o", "whole.h5", "--end", "0.2", "-q")

        def velocities_apart(file):   # as they were written before the recurrence
            for slot in ("slot_0", "slot_1"):
                before = file[f"checkpoint/{slot}/v_before"][:3]
                del file[f"checkpoint/{slot}/v_before"]
                for i, v in enumerate(before):
                    file[f"checkpoint/{slot}/v_before_{i + 1}"] = v

        def shorter(file):
            counters = file["checkpoint/slot_1/counters"][:8]
            del file["checkpoint/slot_1/counters"]
            file["checkpoint/slot_1/counters"] = counters

        def without_column(file):
            del file["stats/step/num_unforeseen"]

        def more_columns(file):
            file.create_dataset("stats/step/temperature", data=file["stats/step/cost"][:], chunks=True, maxshape=(None,))

        def of_another_type(file):
            self.put_anew(file, "contact/mode", lambda values: values.astype("int64"))

        def wider(file):
            self.put_anew(file, "energy/total", lambda values: values[:, None].repeat(2, 1))

        def of_other_units(file):
            file["trajectory/position"].attrs["units"] = "mm"

        def of_the_model(file):
            self.put_anew(file, "geometries/size", lambda values: values[:, :2])

        for change, says in ((velocities_apart, "/checkpoint/slot_0/v_before is missing"), (shorter, "/checkpoint/slot_1/counters has 8 rows, expected 9"),
                             (without_column, "/stats/step/num_unforeseen is missing"), (more_columns, "/stats/step/temperature is not known to it"),
                             (of_another_type, "/contact/mode has the type int64, expected int32"), (wider, "/energy/total has the shape [., 2], expected [.]"),
                             (of_other_units, "/trajectory/position has the units mm, expected m"),
                             (of_the_model, "/geometries/size has the shape [2, 2], expected [2, 3]")):
            with self.subTest(change.__name__):
                shutil.copy(self.folder / "whole.h5", self.folder / "old.h5")
                with h5py.File(self.folder / "old.h5", "r+") as file:
                    change(file)
                    file["provenance"].attrs["version"] = "0.0.9"
                before = (self.folder / "old.h5").read_bytes()
                result = self.csim("run", "ball.yaml", "-o", "old.h5", "--end", "0.3", "--resume", expect=INVALID)
                self.assertIn("old.h5: was written by another version of csim (0.0.9", result.stderr)
                self.assertIn(says, result.stderr)
                self.assertIn("--force", result.stderr)
                self.assertEqual((self.folder / "old.h5").read_bytes(), before)
                self.csim("info", "old.h5")
        self.csim("run", "ball.yaml", "-o", "old.h5", "--end", "0.3", "-q", "--force")

    @staticmethod
    def put_anew(file, path, change):
        """A dataset with other values, which grows as it did and keeps its units."""
        old, units, grows = file[path][:], file[path].attrs["units"], file[path].maxshape[0] is None
        del file[path]
        values = change(old)
        file.create_dataset(path, data=values, **({"chunks": (64, *values.shape[1:]), "maxshape": (None, *values.shape[1:])} if grows else {}))
        file[path].attrs["units"] = units

    def test_of_a_changed_mesh_file_is_refused(self):
        self.write("scene.yaml", """\
            csim: 1
            name: mesh
            time: {step: 1.0e-3, end: 0.1}
            materials: {m: {}}
            bodies:
              - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
              - {name: tet, density: 1000, pose: {xyz: [0, 0, 0.5]}, geometry: [{shape: convex, file: tet.obj, material: m}]}
            """)
        tet = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
        self.write("tet.obj", tet.format("0.1"))
        self.csim("run", "scene.yaml", "-q")
        before = (self.folder / "mesh.h5").read_bytes()
        self.write("tet.obj", tet.format("0.2"))
        result = self.csim("run", "scene.yaml", "--end", "0.2", "--resume", expect=INVALID)
        self.assertIn(f"mesh.h5: a file of the scene holds other bytes than the run began with: {self.folder}/tet.obj;", result.stderr)
        self.assertEqual((self.folder / "mesh.h5").read_bytes(), before)
        # The bytes count, not the time they were written: with the first ones again the run goes on.
        self.write("tet.obj", tet.format("0.1"))
        self.csim("run", "scene.yaml", "--end", "0.2", "-q", "--resume")
        self.csim("run", "scene.yaml", "--end", "0.2", "-q", "-o", "whole.h5")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "mesh.h5")

    def test_of_what_is_no_result(self):
        self.write("out.h5", "text")
        self.csim("run", CLUTTER, "-o", "out.h5", "--resume", expect=INVALID)
        self.assertEqual((self.folder / "out.h5").read_text(), "text")


if __name__ == "__main__":
    main()
