"""A study as an array of a real Slurm, with tasks that are told to end and preempted; and under GNU parallel and make."""
import json
import subprocess

import h5py

from csim_testing import BALL, SOURCE, CliTest, main
from slurm import Slurm

# Cases that take seconds each, so that a task is met while it runs.
LONG = f"""\
csim_study: 1
name: long
scene: {SOURCE}/scenes/clutter/scene.yaml
set: {{time.end: 150.0, solver.condition_number: none}}
vary:
  - contact.stiction_tolerance: [1.0e-4, 2.0e-4]
"""

SHORT = """\
csim_study: 1
name: bounce
scene: ball.yaml
vary:
  - time.end: [0.1, 0.2, 0.3]
"""


class Study(CliTest):
    def cases(self, study, folder):
        return json.loads(self.csim("study", "status", study, "-o", folder, "--json").stdout)

    def states(self, study, folder):
        return [case["status"] for case in self.cases(study, folder)]


class Array(Study):
    def setUp(self):
        super().setUp()
        self.slurm = Slurm()
        self.addCleanup(self.slurm.close)

    def submit(self, *options):
        """The id of the array of `csim study slurm`."""
        script = self.write("array.sbatch", self.csim("study", "slurm", "study.yaml", "-o", "array", *options).stdout)
        return self.slurm.call("sbatch", "--parsable", script, cwd=self.folder).strip()

    def steps(self, case):
        """Steps that the file of a case holds while it is written."""
        try:
            with h5py.File(self.folder / "array/cases" / f"{case['id']}.h5.part") as file:
                return len(file["stats/step/time"])
        except (OSError, KeyError):
            return 0

    def wait_for_steps(self, *cases):
        self.slurm.wait("steps", lambda: all(self.steps(case) > 0 for case in cases))

    def restarts(self, task):
        return int(self.slurm.job(task)["Restarts"])

    def wait_for_requeue(self, task, restarts=1):
        """Until the task waits again. Slurm gives it two minutes, so that what it leaves is gone: some seconds are enough here."""
        self.slurm.wait(f"task {task} goes back to the queue",
                        lambda: self.restarts(task) == restarts and self.slurm.job(task)["JobState"] == "PENDING")
        self.slurm.call("scontrol", "update", f"JobId={task}", "StartTime=now+3")

    def wait_for_the_end(self, array, count):
        def ended():
            return [self.slurm.job(f"{array}_{task}")["JobState"] for task in range(count)]
        self.slurm.wait("the array ends", lambda: not {"PENDING", "RUNNING", "COMPLETING"} & set(ended()), timeout=300)
        return ended()

    def test_tasks_that_are_told_and_preempted_give_the_bits_of_a_local_run(self):
        self.write("study.yaml", LONG)
        cases = json.loads(self.csim("study", "list", "study.yaml", "--json").stdout)
        array = self.submit("--concurrent", "2", "--walltime", "00:30:00", "--memory", "100M")
        tasks = [f"{array}_{i}" for i in range(2)]
        self.wait_for_steps(*cases)
        # A more urgent job for the whole node preempts both.
        self.slurm.call("sbatch", "--partition=urgent", "--ntasks=2", "--wait", "--output=/dev/null", "--wrap=true")
        for task in tasks:
            self.wait_for_requeue(task)
        self.assertEqual(self.states("study.yaml", "array"), ["interrupted"] * 2)
        # What --signal=USR1@120 does two minutes before the end of the time: the task goes back by itself, with 75.
        self.wait_for_steps(cases[1])
        self.slurm.call("scancel", "--signal=USR1", tasks[1])
        self.wait_for_requeue(tasks[1], restarts=2)
        self.assertEqual(self.wait_for_the_end(array, 2), ["COMPLETED"] * 2)
        self.assertEqual(self.states("study.yaml", "array"), ["complete"] * 2)

        self.csim("study", "run", "study.yaml", "-o", "local", "--jobs", "2", "-q")
        for case, task, restarts in zip(cases, tasks, (1, 2)):
            result = self.folder / "array/cases" / f"{case['id']}.h5"
            self.assert_same_bits(self.folder / "local/cases" / result.name, result)
            with h5py.File(result) as file:   # each time it went on from where it was
                steps = [run.attrs["steps"] for name, run in file["provenance"].items() if name.startswith("run_")]
            self.assertEqual(len(steps), restarts)
            self.assertEqual(sorted({0, *steps}), [0, *steps])
            self.assertEqual(self.restarts(task), restarts)
            log = (self.folder / "array" / f"slurm-{task}.log").read_text()
            self.assertEqual(log.count("interrupted: the cases have written their checkpoints"), restarts, log)
        self.csim("study", "report", "study.yaml", "-o", "array", "-q")

    def test_a_failed_task_ends_with_its_code_and_the_rest_is_left_to_do(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", SHORT.replace("time.end: [0.1, 0.2, 0.3]", "solver.max_iterations: [1, 500, 400]"))
        array = self.submit("--chunk", "2")
        self.assertEqual(self.wait_for_the_end(array, 2), ["FAILED", "COMPLETED"])
        self.assertEqual(self.slurm.job(f"{array}_0")["ExitCode"], "3:0")
        self.assertEqual(self.states("study.yaml", "array"), ["failed", "complete", "complete"])
        self.assertEqual(self.csim("study", "status", "study.yaml", "-o", "array", "--todo", "--chunk", "2").stdout, "0\n")


# A target a line of `commands`; --keep-going runs the others after a failure.
MAKEFILE = """\
tasks := $(shell seq $$(wc -l < commands))
.PHONY: all $(tasks)
all: $(tasks)
$(tasks):
\t@sed -n '$@p' commands | sh
"""


class Commands(Study):
    """The lines of `csim study commands` as other programs run them."""

    RUNNERS = {"parallel": ["parallel", "--jobs", "2", "--arg-file", "commands"],
               "make": ["make", "--keep-going", "--jobs", "2", "--file", "tasks.mk"]}

    def run_all(self, folder, runner):
        self.write("commands", self.csim("study", "commands", "study.yaml", "-o", folder).stdout)
        (self.folder / "tasks.mk").write_text(MAKEFILE)
        return subprocess.run(self.RUNNERS[runner], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def test_every_case_runs(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", SHORT)
        self.csim("study", "run", "study.yaml", "-o", "local", "-q")
        for runner in self.RUNNERS:
            with self.subTest(runner):
                done = self.run_all(f"by {runner}", runner)   # a folder whose name a shell takes apart
                self.assertEqual(done.returncode, 0, done.stderr)
                for case in self.cases("study.yaml", f"by {runner}"):
                    name = f"cases/{case['id']}.h5"
                    self.assert_same_bits(self.folder / "local" / name, self.folder / f"by {runner}" / name)

    def test_a_failed_case_is_seen_and_does_not_stop_the_others(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", SHORT.replace("time.end: [0.1, 0.2, 0.3]", "solver.max_iterations: [1, 500, 400]"))
        for runner in self.RUNNERS:
            with self.subTest(runner):
                self.assertNotEqual(self.run_all(runner, runner).returncode, 0)
                self.assertEqual(self.states("study.yaml", runner), ["failed", "complete", "complete"])


if __name__ == "__main__":
    main()
