"""docs/evidence/reproduction.md is what its program writes from its list, every figure has its picture, and what is missing or does not hold is found."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = SOURCE / "scripts/studies/reproduction.py"
sys.path.insert(0, str(PROGRAM.parent))
import reproduction  # noqa: E402
from page_parts import parts_of  # noqa: E402

# Figures that show results, by paper, in the order of the list.
RESULTS = ((2, 3, 5, 6, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18), (5, 6, 8, 9, 10), (2, 5, 6, 7, 8))


def listed():
    return yaml.safe_load(reproduction.LIST.read_text(encoding="utf-8"))


def run(program, *arguments):
    return subprocess.run([sys.executable, "-B", program, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class Reproduction(unittest.TestCase):
    def test_the_page_is_that_of_the_list(self):
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder) / "page.md"
            result = run(PROGRAM, "-o", written)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            kept = parts_of((SOURCE / "docs/evidence/reproduction.md").read_text(encoding="utf-8"))[""]
            self.assertEqual(written.read_text(encoding="utf-8").strip(), kept.strip(), "run scripts/studies/reproduction.py")

    def test_the_parts_of_other_programs_are_kept(self):
        kept = (SOURCE / "docs/evidence/reproduction.md").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("An old head.\n\n" + kept[kept.index("<!--"):], encoding="utf-8")
            self.assertEqual(run(PROGRAM, "-o", page).returncode, 0)
            self.assertEqual(page.read_text(encoding="utf-8"), kept)

    def test_the_pictures_of_tables_are_those_of_the_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(PROGRAM.parent / "reproduction_figures.py", "--tables", "-o", folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            names = sorted(os.listdir(folder))
            self.assertEqual(len(names), 10)
            for name in names:
                self.assertEqual((pathlib.Path(folder) / name).read_text(encoding="utf-8"), (SOURCE / "docs/evidence/reproduction" / name).read_text(encoding="utf-8"),
                                 f"{name}: run scripts/studies/reproduction_figures.py --tables")

    def test_every_figure_of_a_result_has_a_picture(self):
        for numbers, paper in zip(RESULTS, listed()["papers"], strict=True):
            pictures = {entry["figure"]: entry.get("pictures", []) for entry in paper["figures"]}
            for number in numbers:
                self.assertTrue(pictures[f"Figure {number}"], f"{paper['name']}, figure {number}")

    def test_no_cause_is_guessed(self):
        """A cause is shown by a number, or said not to be shown."""
        for paper in listed()["papers"]:
            for entry in [*paper["statements"], *paper["figures"]]:
                self.assertNotRegex(entry.get("why", ""), r"(?i)likely|probabl|perhaps|presumabl", entry["says"])

    def test_every_picture_is_on_the_page(self):
        page = (SOURCE / "docs/evidence/reproduction.md").read_text(encoding="utf-8")
        for picture in (SOURCE / "docs/evidence/reproduction").iterdir():
            self.assertIn(f"](reproduction/{picture.name})", page)

    def test_a_missing_row_fails(self):
        everything = listed()
        entry = next(entry for entry in everything["papers"][0]["statements"] if any("row" in number for number in entry["numbers"]))
        entry["numbers"][0]["row"] = "a row that no page has"
        with tempfile.TemporaryDirectory() as folder:
            changed, page = pathlib.Path(folder) / "list.yaml", pathlib.Path(folder) / "page.md"
            changed.write_text(yaml.safe_dump(everything, allow_unicode=True), encoding="utf-8")
            result = run(PROGRAM, "--list", changed, "-o", page)
            self.assertEqual(result.returncode, 5)
            self.assertRegex(result.stderr, r"^list\.yaml: Irrotational contact fields, I, VII-A: docs/evidence/reproduction\.md, .*: 0 rows 'a row that no page has'")
            self.assertFalse(page.exists())

    def test_what_is_wrong_with_an_entry(self):
        pages = {"made": reproduction.Page("experiments")}
        pages["made"].lines = ["## One", "| what | expected | csim | holds |", "|---|---|---|---|", "| good | 1 ± 0.1 | 1.05 | yes |", "| bad | 1 ± 0.1 | 2 | **no** |", "",
                               "| law | x | x |", "|---|---|---|", "| sap | 3 | 4 |", "", "- It falls: reproduced.", "- It rises: **not reproduced**."]
        kept, reproduction.page = reproduction.page, pages.get
        self.addCleanup(setattr, reproduction, "page", kept)

        def found(number, verdict="reproduced", **more):
            return reproduction.problems({"at": "I", "says": "", "verdict": verdict, "numbers": [number], **more})

        good = {"page": "made", "under": "One", "row": "good"}
        self.assertEqual(found(good), [])
        self.assertEqual(reproduction.number(good, "reproduced"), "1.05 (expected 1 ± 0.1) [experiments](#experiments)")
        self.assertIn("4 [", reproduction.number({"page": "made", "row": "sap", "column": "x (2)"}, "reproduced"))
        self.assertEqual(found({"page": "made", "row": "bad"}), ["I: 'bad' does not hold"])
        self.assertRegex(found({"page": "made", "row": "good", "column": "y"})[0], "0 rows 'good' with a column 'y'")
        self.assertRegex(found({"page": "made", "under": "Two", "row": "good"})[0], "no section 'Two'")
        self.assertEqual(found({"page": "made", "line": "It falls"}), [])
        self.assertEqual(reproduction.number({"page": "made", "line": "It f"}, "reproduced"), "“It falls”: holds [experiments](#experiments)")
        self.assertRegex(found({"page": "made", "line": "It rises"})[0], "is not reproduced")
        self.assertEqual(found({"page": "made", "line": "It rises"}, "differs", why="because"), [])
        self.assertEqual(found({"test": "No.SuchTest"}), ["I: no test 'No.SuchTest'"])
        self.assertEqual(found(good, "differs"), ["I: differs without a reason"])
        self.assertEqual(found(good, "perhaps", why="because"), ["I: verdict 'perhaps'"])
        self.assertEqual(found(good, pictures=["no.svg"]), ["I: no picture docs/evidence/no.svg"])


class Rod(unittest.TestCase):
    def test_rods_on_their_gap_converge_and_rods_on_the_ground_stall(self):
        """What the page says of SAP and Similar at the smallest steps of figure 12 of the first paper: errors at 2e-5 and 1e-5 s, d = 0."""
        sys.path.insert(0, str(PROGRAM.parent / "contact_models"))
        import sliding_rod as rod
        from runs import Case, Runner, at_times, rms_over_time, slopes
        runner = Runner(os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"), 1)
        reference = runner.run(Case(rod.SCENE, 1e-6, rod.keys_of("lagged"), rows=10))

        def order(model, start):
            steps, errors = (2e-5, 1e-5), []
            for step in steps:
                run = runner.run(Case(rod.SCENE, step, {**rod.keys_of(model), **start(step)}))
                errors.append(rms_over_time(run.time, (run.q - reference.q[at_times(reference, run.time)]) * rod.SCALE))
            return slopes(steps, errors)[0]

        for model in ("sap", "similar"):
            self.assertAlmostEqual(order(model, lambda step: rod.on_the_gap(model, step, 0.0)), 0.95, delta=0.1)  # first order; the curve still bends
            self.assertLess(order(model, lambda step: {}), 0.2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
