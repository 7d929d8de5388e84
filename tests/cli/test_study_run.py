"""Studies that run: one process a case, failures, kills, other processes on the same folder, arrays."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import h5py

from csim_testing import BALL, CSIM, DONE, FAILED, GATE, INTERRUPTED, INVALID, OUTPUT, SOURCE, CliTest, main

STUDY = """\
csim_study: 1
name: bounce
scene: ball.yaml
set: {time.end: 0.1}
vary:
  - contact.model: [lagged, sap]
  - time.step: [2.0e-3, 1.0e-3]
measure:
  z: {dataset: trajectory/position, item: ball, component: z, reduce: final}
"""

# Cases that take seconds each, and can be interrupted meanwhile.
LONG = """\
csim_study: 1
name: long
scene: SCENE
set: {time.end: 20.0, solver.condition_number: none}
vary:
  - contact.stiction_tolerance: [1.0e-4, 2.0e-4]
""".replace("SCENE", str(SOURCE / "scenes/clutter/scene.yaml"))


SCENE_WITH_MESH = """
csim: 1
time: {step: 1.0e-3, end: 0.002}
materials: {m: {}}
bodies:
  - {name: rock, density: 100, geometry: [{shape: mesh, file: box.obj, material: m}]}
"""


class StudyRun(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.write("study.yaml", STUDY)

    def status(self, study="study.yaml", *options):
        return json.loads(self.csim("study", "status", study, "--json", *options).stdout)

    def states(self, study="study.yaml", *options):
        return [case["status"] for case in self.status(study, *options)]

    def result(self, index, folder="bounce", study="study.yaml"):
        return self.folder / folder / "cases" / f"{self.status(study, '-o', folder)[index]['id']}.h5"

    def test_each_case_is_the_run_of_its_keys(self):
        self.csim("study", "run", "study.yaml")
        self.assertEqual(self.states(), ["complete"] * 4)
        self.csim("run", "ball.yaml", "-q", "-o", "one.h5", "--set", "contact.model=sap", "--set", "time.step=2e-3", "--set", "time.end=0.1")
        self.assert_same_bits(self.folder / "one.h5", self.result(2))
        for case in self.status():
            with h5py.File(self.folder / "bounce/cases" / f"{case['id']}.h5") as file:
                self.assertEqual(file["provenance"].attrs["threads"], 1)
                self.assertAlmostEqual(case["seconds"], file["stats/step/seconds_total"][()].sum(), delta=1e-9)
        self.assertEqual(sorted({name.split(".", 1)[1] for name in os.listdir(self.folder / "bounce/cases")}), ["h5", "log", "usage"])

    def test_progress_of_a_short_study_is_a_line(self):
        """And times have three digits."""
        lines = [line for line in self.csim("study", "run", "study.yaml").stderr.splitlines() if " cases, " in line]
        self.assertRegex(lines[-1], r"^csim: 4 of 4 cases, 0 running, 0 failed, [\d.]{1,7} s$")
        self.assertLessEqual(len(lines), 2)   # one, where the machine is not busy
        for line in self.csim("study", "status", "study.yaml").stdout.splitlines():
            self.assertRegex(line, r"  complete +(0\.0*[1-9]\d{0,2}|[1-9]\.?\d{0,2}) s  ")

    def test_what_is_complete_is_not_run_again(self):
        self.csim("study", "run", "study.yaml")
        before = {name: os.stat(self.folder / "bounce/cases" / name).st_mtime_ns for name in os.listdir(self.folder / "bounce/cases")}
        self.write("study.yaml", STUDY.replace("[2.0e-3, 1.0e-3]", "[5.0e-4, 1.0e-3]"))
        self.csim("study", "run", "study.yaml")
        after = {name: os.stat(self.folder / "bounce/cases" / name).st_mtime_ns for name in os.listdir(self.folder / "bounce/cases")}
        self.assertEqual({name: after[name] for name in before}, before)
        self.assertEqual(self.states(), ["complete"] * 4)
        self.assertIn("2 results of cases that the study has no more", self.csim("study", "status", "study.yaml").stdout)

    def test_values_of_the_command_line(self):
        """Cases of other values are other cases; the copy holds the values, so that it needs none."""
        values = ("--set", "time.end=0.05", "--set", "bodies.ball.pose.xyz=[0, 0, 0.2]")
        self.write("study.yaml", STUDY + "gates: [{measure: z, max: 0.25}]\n")
        self.csim("study", "run", "study.yaml", expect=GATE)
        self.csim("study", "run", "study.yaml", *values)
        self.assertEqual(len(list((self.folder / "bounce/cases").glob("*.h5"))), 8)
        self.csim("study", "report", "bounce/study.yaml", "-o", "bounce")
        self.csim("study", "report", "study.yaml", *values)
        report = json.loads((self.folder / "bounce/report.json").read_text())
        self.assertEqual(report["set"], {"time.end": 0.05, "bodies.ball.pose.xyz": [0, 0, 0.2]})
        self.csim("study", "collect", "study.yaml", *values)
        shown = self.csim("study", "status", "study.yaml")
        self.assertIn("4 results of cases that the study has no more", shown.stdout)
        self.assertIn("bounce: was run with time.end: 0.05, bodies.ball.pose.xyz: [0, 0, 0.2] for every case, here it is time.end: 0.1", shown.stderr)
        # What is printed to be run again carries the values.
        subprocess.run(["bash", "-c", report["cases"][0]["repeat"]], cwd=self.folder, check=True, capture_output=True,
                       env={**os.environ, "PATH": f"{CSIM.parent}:{os.environ['PATH']}"})
        for line in self.csim("study", "commands", "study.yaml", "-o", "again", *values).stdout.splitlines():
            subprocess.run(["bash", "-c", line], check=True, capture_output=True)
        self.assertEqual(self.states("study.yaml", "-o", "again", *values), ["complete"] * 4)
        self.assertIn(" --set time.end=0.05 --set 'bodies.ball.pose.xyz=[0, 0, 0.2]'\n", self.csim("study", "slurm", "study.yaml", "-o", "again", *values).stdout)

    def test_every_case_has_a_log(self):
        self.write("study.yaml", STUDY.replace("time.step: [2.0e-3, 1.0e-3]", "solver.max_iterations: [1, 500]").replace("time.end: 0.1", "time.end: 0.4"))
        self.csim("study", "run", "study.yaml", expect=FAILED)
        for case in self.status():
            log = (self.folder / "bounce/cases" / f"{case['id']}.log").read_text()
            self.assertTrue(log.startswith(f"$ {CSIM} run {self.folder}/ball.yaml --set time.end=0.4 --set contact.model="), log)
            self.assertIn({"complete": "complete", "failed": "converge"}[case["status"]], log)

    def test_a_case_out_of_time_does_not_stop_the_others(self):
        """It is told, and goes on from its checkpoint in the next run."""
        self.write("study.yaml", STUDY.replace("set: {time.end: 0.1}", "set: {output.period: 1.0}").replace("time.step: [2.0e-3, 1.0e-3]", "time.end: [1.0e+5, 0.01]")
                   .replace("[lagged, sap]", "[lagged]") + "gates: [{measure: z, max: 1}]\n")
        frames = []
        for _ in range(2):
            shown = self.csim("study", "run", "study.yaml", "--timeout", "2", "--jobs", "1", "--junit", "out.xml", expect=FAILED)
            self.assertIn("error: case 0 (contact.model: lagged, time.end: 1.0e+5) was stopped after 2 s of wall time", shown.stderr)
            self.assertIn("cases complete: 1 of 2", shown.stdout)
            self.assertEqual([(case["status"], case["message"]) for case in self.status()],
                             [("interrupted", "time-out: stopped after 2 s of wall time"), ("complete", "")])
            with h5py.File(self.result(0)) as file:
                frames.append(len(file["trajectory/time"]))
        self.assertGreater(frames[1], frames[0])
        self.assertEqual(len([line for line in (self.folder / "bounce/cases" / f"{self.status()[0]['id']}.log").read_text().splitlines() if line.startswith("$ ")]), 2)
        suite = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual([(case.get("name"), len(case.findall("error"))) for case in suite.find("testsuite").findall("testcase")],
                         [("contact.model: lagged, time.end: 1.0e+5", 1), ("contact.model: lagged, time.end: 0.01", 0)])
        self.assertEqual(suite.find("testsuite").get("errors"), "1")
        self.assertIn("time-out: stopped after 2 s", suite.find("testsuite/testcase/error").get("message"))
        self.csim("study", "run", "study.yaml", "--timeout", "2", "--case", "0", expect=FAILED)
        self.csim("study", "run", "study.yaml", "--timeout", "1", "--case", "1")
        for wrong in ("0", "-1", "soon", "00:10"):
            self.assertIn("expected a duration > 0 such as 90s", self.csim("study", "run", "study.yaml", "--timeout", wrong, expect=INVALID).stderr)

    def test_a_failed_case_does_not_stop_the_others(self):
        self.write("study.yaml", STUDY.replace("contact.model: [lagged, sap]", "solver.max_iterations: [1, 500]").replace("time.end: 0.1", "time.end: 0.4") + "gates: [{measure: z, max: 1}]\n")
        shown = self.csim("study", "run", "study.yaml", expect=FAILED)
        self.assertEqual(self.states(), ["failed", "failed", "complete", "complete"])
        self.assertIn("case 0 (solver.max_iterations: 1, time.step: 2.0e-3) failed: ", shown.stderr)
        self.assertIn("cases complete: 2 of 4", shown.stdout)
        report = json.loads((self.folder / "bounce/report.json").read_text())
        self.assertEqual(report["gates"][0]["verdict"], "inconclusive")
        self.assertIn("converge", report["cases"][0]["message"])
        self.assertEqual(report["cases"][0]["repeat"], "csim study run study.yaml -o bounce --case 0")
        self.assertEqual(self.csim("study", "status", "study.yaml", "--todo").stdout, "0-1\n")
        # By itself it would fail again: only on demand.
        before = self.result(0).stat().st_mtime_ns
        self.csim("study", "run", "study.yaml", expect=FAILED)
        self.assertEqual(self.result(0).stat().st_mtime_ns, before)
        self.csim("study", "run", "study.yaml", "--retry-failed", expect=FAILED)
        self.assertNotEqual(self.result(0).stat().st_mtime_ns, before)
        before = self.result(1).stat().st_mtime_ns
        self.csim("study", "run", "study.yaml", "--case", "1", expect=FAILED)
        self.assertNotEqual(self.result(1).stat().st_mtime_ns, before)

    def test_single_cases(self):
        self.csim("study", "run", "study.yaml", "--case", "0,2-3")
        self.assertEqual(self.states(), ["complete", "missing", "complete", "complete"])
        self.assertFalse((self.folder / "bounce/report.json").exists())
        self.assertEqual(self.csim("study", "status", "study.yaml", "--todo").stdout, "1\n")
        self.csim("study", "report", "study.yaml", expect=FAILED)   # one is missing
        self.csim("study", "run", "study.yaml", "--case", "1", "--chunk", "2", expect=INVALID)
        for wrong in ("4", "0,", "2-1", "one", "auto"):
            self.csim("study", "run", "study.yaml", "--case", wrong, expect=INVALID)

    def test_tasks_of_arrays(self):
        none = {key: value for key, value in os.environ.items() if not key.endswith(("_TASK_ID", "ARRAY_INDEX", "JOBINDEX", "_SEQ"))}
        for variables, index in (({"SLURM_ARRAY_TASK_ID": "1", "SGE_TASK_ID": "4"}, 1), ({"PBS_ARRAY_INDEX": "2"}, 2),
                                 ({"SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "1"}, 0), ({"SGE_TASK_ID": "4"}, 3), ({"PARALLEL_SEQ": "1"}, 0)):
            with self.subTest(str(variables)):
                shutil.rmtree(self.folder / "bounce", ignore_errors=True)
                self.csim("study", "run", "study.yaml", "--case", "auto", env={**none, **variables})
                self.assertEqual([i for i, state in enumerate(self.states()) if state == "complete"], [index])
        shutil.rmtree(self.folder / "bounce")
        self.csim("study", "run", "study.yaml", "--case", "auto", "--chunk", "3", env={**none, "SLURM_ARRAY_TASK_ID": "1"})
        self.assertEqual(self.csim("study", "status", "study.yaml", "--todo").stdout, "0-2\n")
        self.assertEqual(self.csim("study", "status", "study.yaml", "--todo", "--chunk", "2").stdout, "0-1\n")
        for task in ("2", "x", "-1"):
            self.csim("study", "run", "study.yaml", "--case", "auto", "--chunk", "3", env={**none, "SLURM_ARRAY_TASK_ID": task}, expect=INVALID)

    def test_damaged_results_are_seen_and_run_again(self):
        self.csim("study", "run", "study.yaml")
        with open(self.result(0), "r+b") as file:
            file.truncate(5000)
        shutil.copy(self.result(2), self.result(1))                 # of another scene
        with h5py.File(self.result(3), "r+") as file:               # complete, without its last rows
            for name in ("trajectory", "energy", "joint", "actuator", "constraint"):
                for dataset in file[name].values():
                    if dataset.shape[0] == 11:
                        dataset.resize(7, axis=0)
            for group in ("contact", "pair", "patch"):
                file[group]["row_offset"].resize(8, axis=0)
        self.assertEqual(self.states(), ["damaged", "damaged", "complete", "damaged"])
        self.assertEqual(self.csim("study", "status", "study.yaml", "--todo").stdout, "0-1,3\n")
        self.csim("study", "run", "study.yaml")
        self.assertEqual(self.states(), ["complete"] * 4)

    def test_a_folder_of_another_study_is_refused(self):
        self.csim("study", "run", "study.yaml")
        self.write("other.yaml", STUDY.replace("name: bounce", "name: other"))
        shown = self.csim("study", "run", "other.yaml", "-o", "bounce", expect=INVALID)
        self.assertIn("holds the study 'bounce', not 'other'", shown.stderr)
        self.csim("study", "report", "other.yaml", "-o", "bounce", expect=INVALID)
        self.csim("study", "run", "other.yaml", "-o", "bounce", "--force")

    def test_the_folder_alone_is_enough_elsewhere(self):
        (self.folder / "deep/meshes").mkdir(parents=True)
        (self.folder / "deep/scene").mkdir()
        (self.folder / "deep/meshes/t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        (self.folder / "deep/scene/ball.yaml").write_text(
            BALL.replace("shape: sphere, radius: 0.05", "shape: convex, file: ../meshes/t.obj, scale: 0.1").replace("name: ball\n", "", 1))
        (self.folder / "deep/s.yaml").write_text(STUDY.replace("name: bounce\n", "").replace("ball.yaml", "scene/ball.yaml"))
        self.csim("study", "run", "deep/s.yaml", "-o", "out")
        ids = [case["id"] for case in self.status("deep/s.yaml", "-o", "out")]
        elsewhere = self.folder / "another place"
        shutil.move(self.folder / "out", elsewhere)
        shutil.rmtree(self.folder / "deep")
        self.assertEqual([case["id"] for case in self.status(elsewhere / "study.yaml", "-o", elsewhere)], ids)
        self.csim("study", "report", elsewhere / "study.yaml", "-o", elsewhere)
        self.csim("study", "run", elsewhere / "study.yaml", "-o", elsewhere)
        self.assertEqual(self.states(elsewhere / "study.yaml", "-o", elsewhere), ["complete"] * 4)

    def wait_for_steps(self, folder, count, process):
        """Until `count` cases have recorded steps."""
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            parts = [path for path in (self.folder / folder / "cases").glob("*.part") if self.has_steps(path)]
            if len(parts) >= count:
                return
            time.sleep(0.02)
        self.fail(f"no steps within two minutes: {process.communicate()}")

    @staticmethod
    def has_steps(path):
        try:
            with h5py.File(path) as file:
                return len(file["stats/step/time"]) > 0
        except (OSError, KeyError):
            return False

    def interrupt(self, signals, folder="part"):
        self.write("long.yaml", LONG)
        process = self.start("study", "run", "long.yaml", "-o", folder, "--jobs", "2", "-q", start_new_session=True)
        self.wait_for_steps(folder, 2, process)
        signals(process)
        process.communicate(timeout=120)
        return process.returncode

    def test_interrupted_studies_go_on(self):
        """The same bits as without the interruption, whatever the signal and whoever else it reaches."""
        self.assertEqual(self.interrupt(lambda process: process.send_signal(signal.SIGTERM)), INTERRUPTED)
        self.assertEqual(self.states("long.yaml", "-o", "part"), ["interrupted"] * 2)
        # A cluster tells all processes of a step.
        def tell_all(process):
            for child in self.children(process.pid):
                os.kill(child, signal.SIGUSR1)
            process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.interrupt(tell_all), INTERRUPTED)
        self.assertEqual(self.states("long.yaml", "-o", "part"), ["interrupted"] * 2)
        self.assertEqual(self.csim("study", "run", "long.yaml", "-o", "part", "-q").returncode, DONE)
        self.csim("study", "run", "long.yaml", "-o", "whole", "-q")
        for index in range(2):
            self.assert_same_bits(self.result(index, "whole", "long.yaml"), self.result(index, "part", "long.yaml"))

    def test_files_of_someone_else_stay(self):
        """A folder that no study has made, with a scene or a report of its own."""
        self.write("long.yaml", LONG)
        for name in ("scene.yaml", "report.md", "study.yaml"):
            with self.subTest(name):
                (self.folder / f"{name}_folder").mkdir()
                mine = self.write(f"{name}_folder/{name}", "mine: 1\n")
                result = self.csim("study", "run", "long.yaml", "-o", f"{name}_folder", "--case", "0", expect=INVALID)
                self.assertRegex(result.stderr, r"exists already, .*--force uses it, -o another folder")
                self.assertEqual(mine.read_text(), "mine: 1\n")
                self.assertEqual(len(list(mine.parent.iterdir())), 1)

    def test_files_of_someone_else_beside_the_scene_stay(self):
        """A mesh of the scene, and results that other studies refer to."""
        self.write("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        self.write("scene.yaml", SCENE_WITH_MESH)
        self.write("mesh.yaml", "csim_study: 1\nname: mesh\nscene: scene.yaml\nvary:\n  - materials.m.friction: [0.1, 0.2]\n")
        (self.folder / "own").mkdir()
        mine = self.write("own/box.obj", "# mine\n")
        result = self.csim("study", "run", "mesh.yaml", "-o", "own", "--case", "0", expect=INVALID)
        self.assertIn("own/box.obj: exists already, and is not the file of the study's scene", result.stderr)
        self.assertEqual(mine.read_text(), "# mine\n")
        (self.folder / "refer/references").mkdir(parents=True)
        result = self.csim("study", "run", "mesh.yaml", "-o", "refer", "--case", "0", expect=INVALID)
        self.assertIn("refer/references: exists already", result.stderr)
        self.csim("study", "run", "mesh.yaml", "-o", "free", "--case", "0")

    def test_places_of_reports_are_looked_at_first(self):
        self.write("long.yaml", LONG)
        for option in ("--junit", "--markdown"):
            result = self.csim("study", "run", "long.yaml", "-o", "none", option, "nowhere/file", expect=OUTPUT)
            self.assertIn("nowhere/file: cannot be written: no such folder 'nowhere'", result.stderr)
        self.assertFalse((self.folder / "none").exists())

    def test_a_signal_while_the_program_starts(self):
        """A task of an array that is told at once ends as later: it is queued again."""
        self.write("long.yaml", LONG)
        env = {**os.environ, "LD_PRELOAD": str(CSIM.parent.parent / "tests/signal_at_load.so"), "SIGNAL_AT_LOAD": str(int(signal.SIGUSR1))}
        self.csim("study", "run", "long.yaml", "-o", "part", "-q", env=env, expect=INTERRUPTED)
        self.csim("study", "list", "long.yaml", env=env, expect=-signal.SIGUSR1)
        self.assertEqual(self.states("long.yaml", "-o", "part"), ["missing"] * 2)

    def test_a_signal_while_the_cases_are_listed(self):
        """The study ends soon, and before it has written anything."""
        self.write("ball.yaml", BALL)
        self.write("many.yaml", "csim_study: 1\nname: many\nscene: ball.yaml\nvary: [{sample: {count: 1000000, seed: 1, of: {bodies.ball.mass: {uniform: [1, 2]}}}}]\n")
        process = self.start("study", "run", "many.yaml")
        self.wait_until_caught(process, signal.SIGUSR1)
        process.send_signal(signal.SIGUSR1)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertIn("interrupted before a case began; the same command begins anew", errors)
        self.assertFalse((self.folder / "many").exists())

    @staticmethod
    def children(pid):
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def test_cases_of_a_killed_study_write_their_checkpoints(self):
        children = []
        def kill(process):
            children.extend(self.children(process.pid))
            process.kill()
        self.assertEqual(self.interrupt(kill), -signal.SIGKILL)
        self.assertEqual(len(children), 2)
        deadline = time.monotonic() + 60
        while any(os.path.exists(f"/proc/{child}") for child in children) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(self.states("long.yaml", "-o", "part"), ["interrupted"] * 2)
        for path in (self.folder / "part/cases").glob("*.h5"):
            with h5py.File(path) as file:
                self.assertEqual(file.attrs["status"], "interrupted")

    def test_a_killed_case_is_reported_and_taken_up_by_the_next_run(self):
        self.write("long.yaml", LONG)
        process = self.start("study", "run", "long.yaml", "--jobs", "2", "-q")
        self.wait_for_steps("long", 2, process)
        os.kill(self.children(process.pid)[0], signal.SIGKILL)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, FAILED)
        self.assertEqual(sorted(self.states("long.yaml")), ["complete", "interrupted"])
        self.csim("study", "run", "long.yaml", "-q")
        self.assertEqual(self.states("long.yaml"), ["complete"] * 2)

    def test_no_case_runs_twice(self):
        self.write("study.yaml", STUDY.replace("time.step: [2.0e-3, 1.0e-3]", "time.step: {geometric: [2.0e-3, 1.0e-4, 8]}"))
        processes = [self.start("study", "run", "study.yaml", "--jobs", "2") for _ in range(3)]
        for process in processes:
            out, errors = process.communicate(timeout=200)
            self.assertEqual(process.returncode, DONE, errors)
            self.assertIn("cases complete: 16 of 16", out)
        runs = 0
        for case in self.status():
            self.assertEqual(case["status"], "complete")
            with h5py.File(self.folder / "bounce/cases" / f"{case['id']}.h5") as file:
                runs += 1 + sum(name.startswith("run_") for name in file["provenance"])
        self.assertEqual(runs, 16)

    def test_a_case_that_another_run_writes_is_running(self):
        self.write("long.yaml", LONG)
        case = json.loads(self.csim("study", "list", "long.yaml", "--json").stdout)[0]
        (self.folder / "long/cases").mkdir(parents=True)
        other = self.start("run", SOURCE / "scenes/clutter/scene.yaml", "--end", "20", "--set", "contact.stiction_tolerance=1e-4", "--set", "solver.condition_number=none", "-q",
                           "-o", self.folder / "long/cases" / f"{case['id']}.h5")
        self.wait_for_steps("long", 1, other)
        other.send_signal(signal.SIGSTOP)        # it holds its file, however fast the machine is
        self.assertEqual(self.states("long.yaml"), ["running", "missing"])
        study = self.start("study", "run", "long.yaml", "--case", "0", "-q")
        time.sleep(0.5)
        self.assertIsNone(study.poll())          # it waits
        other.send_signal(signal.SIGTERM)
        other.send_signal(signal.SIGCONT)
        other.communicate(timeout=60)
        study.communicate(timeout=200)           # and takes what the other has left
        self.assertEqual(study.returncode, DONE)
        self.assertEqual(self.states("long.yaml"), ["complete", "missing"])

    def test_commands_and_slurm(self):
        lines = self.csim("study", "commands", "study.yaml", "-o", "my folder").stdout.splitlines()
        self.assertEqual(len(lines), 4)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        for line in lines:
            subprocess.run(["bash", "-c", line], cwd=elsewhere, check=True, capture_output=True)
        self.assertEqual(self.states("study.yaml", "-o", "my folder"), ["complete"] * 4)
        self.assertIn("--walltime: '1h', expected a time of Slurm", self.csim("study", "slurm", "study.yaml", "--walltime", "1h", expect=INVALID).stderr)
        script = self.csim("study", "slurm", "study.yaml", "-o", "out", "--chunk", "3", "--concurrent", "10", "--walltime", "1:00:00", "--partition", "short",
                           "--memory", "2G").stdout
        for line in ("#!/bin/bash", "#SBATCH --array=0-1%10", "#SBATCH --signal=USR1@120", "#SBATCH --requeue", "#SBATCH --open-mode=append",
                     "#SBATCH --time=1:00:00", "#SBATCH --partition=short", "#SBATCH --mem=2G", "#SBATCH --cpus-per-task=1", "code=$?",
                     '[ $code -eq 75 ] && scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"', "exit $code"):
            self.assertIn(line, script.splitlines())
        self.assertIn(f"srun {CSIM} study run {self.folder}/study.yaml -o {self.folder}/out --case auto --chunk 3", script)
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        # The wall time of the longest case so far, which takes some ms: ten minutes and a bit.
        self.assertIn("no case is complete", self.csim("study", "slurm", "study.yaml", "-o", "out", "--walltime", "auto", expect=INVALID).stderr)
        longer = self.csim("study", "slurm", "study.yaml", "-o", "my folder", "--walltime", "auto", "--account", "a1", "--qos", "low", "--timeout", "10m").stdout
        for line in ("#SBATCH --time=00:11:00", "#SBATCH --account=a1", "#SBATCH --qos=low"):
            self.assertIn(line, longer.splitlines())
        self.assertIn(" --case auto --timeout 10m\n", longer)
        collect = self.csim("study", "slurm", "study.yaml", "-o", "my folder", "--collect", "--account", "a1").stdout
        self.assertIn("#SBATCH --account=a1", collect.splitlines())
        self.assertNotIn("--array", collect)
        listed = json.loads(self.csim("study", "list", "study.yaml", "-o", "my folder", "--json").stdout)
        self.assertTrue(all((self.folder / case["result"]).is_file() for case in listed))
        # As a task runs it, with the scheduler's programs replaced.
        self.write("srun", '#!/bin/bash\nexec "$@"\n').chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-c", collect], cwd="/", check=True, capture_output=True, env=environment)
        self.assertTrue((self.folder / "my folder/report.html").is_file())
        subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, capture_output=True,
                       env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": "1"})
        self.assertEqual(self.states("study.yaml", "-o", "out"), ["missing"] * 3 + ["complete"])

    def test_new(self):
        text = self.csim("study", "new", "ball.yaml", "--over", "time.step").stdout
        self.assertIn("scene: ball.yaml\n", text)
        self.write("fresh.yaml", text)
        cases = json.loads(self.csim("study", "list", "fresh.yaml", "--json").stdout)
        self.assertEqual([case["values"]["time.step"] for case in cases], [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4])
        self.csim("study", "run", "fresh.yaml", "-q")
        self.write("fresh.yaml", self.csim("study", "new", "ball.yaml", "--over", "time.step,solver.tolerance").stdout)
        self.assertEqual(len(json.loads(self.csim("study", "list", "fresh.yaml", "--json").stdout)), 25)
        for wrong in ("time.stpe", "contact.model"):
            self.assertIn(wrong, self.csim("study", "new", "ball.yaml", "--over", wrong, expect=INVALID).stderr)


if __name__ == "__main__":
    main()
