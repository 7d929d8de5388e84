"""A study by Snakemake and by Dask, where they are installed, gives what `csim study run` gives."""
import csv
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import unittest

from csim_testing import BALL, CSIM, FAILED, GATE, SOURCE, CliTest, main

STUDY = """\
csim_study: 1
name: bounce
scene: ball.yaml
set: {time.end: 0.05}
vary: [{time.step: [2.0e-3, 1.0e-3]}, {solver.max_iterations: [500, 400]}]
measure:
  z: {dataset: trajectory/position, item: ball, component: z, reduce: final}
gates: [{measure: z, max: 1}]
"""

SNAKEMAKE = shutil.which("snakemake", path=str(pathlib.Path(sys.executable).parent)) or shutil.which("snakemake")


class Workflows(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.write("study.yaml", STUDY)
        self.csim("study", "run", "study.yaml", "-o", "local", "-q")

    def numbers(self, folder):
        with open(self.folder / folder / "study.csv", newline="") as file:
            return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]

    def check(self, command):
        """`command(folder, study)` runs a study."""
        for _ in range(2):
            done = command("by others", "study.yaml")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(self.numbers("by others"), self.numbers("local"))
        self.write("wrong.yaml", STUDY.replace("max: 1}", "max: 0}"))
        return command("wrong", "wrong.yaml")

    @unittest.skipUnless(SNAKEMAKE, "needs Snakemake")
    def test_snakemake(self):
        def run(folder, study):
            return subprocess.run([SNAKEMAKE, "--snakefile", SOURCE / "scripts/workflows/Snakefile", "--cores", "2", "--keep-going", "--config", f"study={study}",
                                   f"folder={folder}", f"csim={CSIM}"], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertNotEqual(self.check(run).returncode, 0)

    @unittest.skipUnless(importlib.util.find_spec("distributed"), "needs dask and distributed")
    def test_dask(self):
        def run(folder, study):
            return subprocess.run([sys.executable, SOURCE / "scripts/workflows/dask_study.py", study, folder, "--csim", CSIM], cwd=self.folder, capture_output=True,
                                  text=True, timeout=120)
        self.assertEqual(self.check(run).returncode, GATE)
        self.write("failing.yaml", STUDY.replace("[500, 400]", "[500, 1]").replace("time.end: 0.05", "time.end: 0.4"))
        done = run("failing", "failing.yaml")
        self.assertEqual(done.returncode, FAILED, done.stdout + done.stderr)
        self.assertIn("failed", done.stderr)


if __name__ == "__main__":
    main()
