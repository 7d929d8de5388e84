"""scripts/studies/benchmarks: a small group runs through, and the page in docs/evidence/ is the one that its numbers make."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BENCHMARKS = SOURCE / "scripts/studies/benchmarks"
CSIM = os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim")
sys.path.insert(0, str(BENCHMARKS))
import table  # noqa: E402


def run(*arguments):
    return subprocess.run([sys.executable, "-B", BENCHMARKS, *map(str, arguments)], capture_output=True, text=True, timeout=600)


class Benchmarks(unittest.TestCase):
    def test_impacts(self):
        """Hertz's closed form to 0.5 % under `continuous`; the implicit spring is first order: a tenth of the step, a tenth of the error."""
        with tempfile.TemporaryDirectory() as folder:
            result = run("--csim", CSIM, "--only", "impacts", "-o", folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            with pathlib.Path(folder, "benchmarks/impacts.csv").open(encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            text = pathlib.Path(folder, "benchmarks/impacts.txt").read_text(encoding="utf-8")
            page = pathlib.Path(folder, "benchmarks.md").read_text(encoding="utf-8")
        self.assertIn("date: ", text)
        self.assertIn("## Pallets shaken sideways\n\nNot run.\n", page)
        normal = {(row["case"], row["setting"], row["quantity"]): float(row["value"]) for row in rows if row["table"] == "normal"}
        cases = {case for case, _, _ in normal}
        self.assertEqual(len(cases), 3)
        for case in cases:
            for quantity in ("overlap", "force", "duration", "rebound"):
                with self.subTest(case=case, quantity=quantity):
                    error = {setting: normal[case, setting, f"{quantity}, % off"] for setting in ("1/200", "1/2000", "accuracy 1e-5")}
                    self.assertLess(abs(error["accuracy 1e-5"]), 0.5)
                    self.assertAlmostEqual(error["1/200"] / error["1/2000"], 10, delta=0.6)  # the next order is 5 %

    def test_the_page_is_made_of_its_numbers(self):
        kept = SOURCE / "docs/evidence"
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "benchmarks").symlink_to(kept / "benchmarks")
            self.assertEqual(run("--tables", "-o", folder).returncode, 0)
            self.assertEqual(pathlib.Path(folder, "benchmarks.md").read_text(encoding="utf-8"), (kept / "benchmarks.md").read_text(encoding="utf-8"))

    def test_what_cannot_run(self):
        self.assertEqual(run("--only", "nothing").returncode, 2)
        self.assertEqual(run("--csim", "nowhere/csim").returncode, 2)

    def test_a_run_that_failed_has_not_met_its_aim(self):
        self.assertEqual(table.Entry("t", "c", "w", "", "q", "exit 3", 1.0, 0.1).met, "no")
        self.assertEqual(table.Entry("t", "c", "w", "", "q", float("nan"), 1.0, 0.1).met, "no")
        self.assertEqual(table.Entry("t", "c", "w", "", "q", 1.05, 1.0, 0.1).met, "yes")
        self.assertEqual(table.Entry("t", "c", "w", "", "q", 1.2, 1.0, 0.1).met, "no")
        self.assertEqual(table.Entry("t", "c", "w", "", "q", 1.2).met, "")


if __name__ == "__main__":
    unittest.main()
