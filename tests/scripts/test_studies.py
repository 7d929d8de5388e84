"""The experiments of scripts/studies/contact_models hold at their larger steps, those of pressure_field and quasistatics in part, and the pages in docs/evidence/ are ones they write."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STUDY, PRESSURE_FIELD, QUASISTATICS = (SOURCE / "scripts/studies" / name for name in ("contact_models", "pressure_field", "quasistatics"))
sys.path.insert(0, str(SOURCE / "scripts/studies"))
from page_parts import parts_of  # noqa: E402

CSIM = os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim")


def run(*arguments, study=STUDY):
    return subprocess.run([sys.executable, "-B", study, "--csim", CSIM, *map(str, arguments)], capture_output=True, text=True, timeout=600)


class Study(unittest.TestCase):
    def quick_page(self, study, name, folder):
        """The page that the short study writes into `folder`, all its numbers met, and the one in docs/evidence/."""
        result = run("--quick", "-o", folder, study=study)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"numbers judged, 0 not met\n$")
        kept = (SOURCE / "docs/evidence" / name).read_text(encoding="utf-8")
        self.assertNotIn("| **no** |", kept)
        return (pathlib.Path(folder) / name).read_text(encoding="utf-8"), kept


class ContactModels(Study):
    def test_quick(self):
        with tempfile.TemporaryDirectory() as folder:
            page, kept = (parts_of(text)["contact_models"] for text in self.quick_page(STUDY, "reproduction.md", folder))
            # Each section of the part stands in docs/evidence/, and the text that follows the last experiment is the same.
            headings = [line for line in page.splitlines() if line.startswith("### ")]
            self.assertGreater(len(headings), 4)
            self.assertEqual(headings, [line for line in kept.splitlines() if line.startswith("### ")])
            tail = page[page.index("### Analytic oracles"):]
            self.assertEqual(tail, kept[kept.index("### Analytic oracles"):])
            for name in ("conveyor_belt", "sliding_rod"):
                self.assertTrue((pathlib.Path(folder) / f"experiments/{name}.svg").read_text().startswith("<svg "))

    def test_the_oracles_are_tests(self):
        """Every test that the page names exists."""
        sources = "".join(path.read_text(encoding="utf-8") for folder in ("analytic", "unit/law", "unit/problem", "unit/solver") for path in (SOURCE / "tests" / folder).glob("*.cpp"))
        named = [word.strip("`,;") for word in (STUDY / "oracles.md").read_text(encoding="utf-8").split() if word.startswith("`") and "." in word and "/" not in word]
        self.assertGreater(len(named), 20)
        for name in named:
            suite, test = name.split(".")[:2]
            test = test.rstrip("…")
            if suite and suite != "regression":
                self.assertRegex(sources, rf"TEST(_P|_F)?\({suite}, {test}", name)

    def test_a_number_not_met_is_a_gate(self):
        sys.path.insert(0, str(STUDY))
        from report import Report
        report = Report()
        report.near("near", 1.02, 1.0, 0.01)
        report.within("within", 0.5, 0.0, 0.6)
        report.between("between", 3.0, 1.0, 2.0)
        report.near("not a number", float("nan"), 1.0, 0.01)
        self.assertEqual([line.split(":")[0] for line in report.failures()], ["near", "between", "not a number"])
        self.assertIn("**no**", report.markdown())

    def test_closed_forms_of_the_limits(self):
        """The integrator of limits.py against closed forms: Hunt & Crossley's restitution, and a sphere that comes to roll."""
        sys.path.insert(0, str(STUDY))
        from limits import Law, sphere_landing
        # d v = 1: e = 0.59362; no gravity.
        time, states = sphere_landing(Law("lagged", 0.0, 1e5, 2.0), 1.0, 0.5, 1.0, 0.0, 0.02)
        self.assertAlmostEqual(states[-1, 1] / 0.5, 0.59362, delta=1e-5)
        self.assertAlmostEqual(-states[:, 0].min(), (2 / 1e5 * (0.25 - 0.25 * 0.6931471805599453)) ** 0.5, delta=1e-8)
        # At rest on the ground (depth m g/k), sliding: the slip falls by 7/2 mu g.
        law = Law("lagged", 0.2, 1e7, 100.0)
        time, states = sphere_landing(law, 1.0, 0.0, 1.0, 9.81, 1.0, step=1e-5)
        self.assertAlmostEqual(time[-1], 1 / (3.5 * 0.2 * 9.81), delta=1e-4)


class Accuracy(Study):
    def test_a_landing_box_and_a_turning_support(self):
        """Within 3 % of the way at 5 ms and 1 % at 1 ms under `coulomb`; a block on a turntable stays within 0.2 mm."""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "accuracy.md")
            result = run("--only", "Landing", "Turning", "-o", page, study=SOURCE / "scripts/studies/accuracy")
            self.assertEqual(result.returncode, 0, result.stderr)
            sections = page.read_text(encoding="utf-8").split("\n## ")
        kept = (SOURCE / "docs/accuracy.md").read_text(encoding="utf-8")
        rows = {}
        for section in sections[-2:]:
            title = section.splitlines()[0]
            self.assertIn(f"\n## {title}\n", kept)
            for name, *cells in re.findall(r"^\| (\w+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", section, re.M):
                rows[title, name] = [float(cell) for cell in cells]
        landing = rows["Landing", "coulomb"]
        for error, bound in zip(landing, (0.05, 0.03, 0.01, 0.001)):
            self.assertLess(error, bound * 172.5)
        for law in ("lagged", "coulomb", "similar", "sap"):
            self.assertLess(max(rows["Turning support", law]), 0.2)


class Quasistatics(Study):
    def test_quick(self):
        with tempfile.TemporaryDirectory() as folder:
            page, kept = self.quick_page(QUASISTATICS, "quasistatics.md", folder)
            self.assertEqual([line for line in page.splitlines() if line.startswith("#")], [line for line in kept.splitlines() if line.startswith("#")])
            for picture in re.findall(r"\]\((quasistatics/\w+\.\w+)\)", kept):
                self.assertTrue((SOURCE / "docs/evidence" / picture).exists(), picture)


class PressureField(Study):
    def test_quick(self):
        with tempfile.TemporaryDirectory() as folder:
            page, kept = self.quick_page(PRESSURE_FIELD, "pressure_field.md", folder)
            headings = [line for line in page.splitlines() if line.startswith("#")]
            self.assertLessEqual(set(headings), set(kept.splitlines()))

    def test_friction_of_the_disc_and_the_ring(self):
        """Closed forms against sums over many points; the fixed points of Farkas et al. and of the ring."""
        sys.path.insert(0, str(PRESSURE_FIELD))
        import coin_theory as theory
        import numpy as np
        radius = np.sqrt((np.arange(400) + 0.5) / 400)
        angle = 2 * np.pi * (np.arange(400) + 0.5) / 400
        xy = np.stack([np.outer(radius, np.cos(angle)).ravel(), np.outer(radius, np.sin(angle)).ravel()], axis=1)
        dense, circle = theory.points(xy, np.ones(len(xy)), angles=1), theory.points(theory.fan(4000), np.ones(4000), angles=1)
        for eps in (0.1, 0.3, 0.653, 3.0):
            for found, expected in ((theory.disc(eps), dense(eps)), (theory.ring(eps), circle(eps))):
                np.testing.assert_allclose(found, expected, rtol=1e-3)
        self.assertAlmostEqual(theory.disc(1.0)[0], 8 / (3 * np.pi), delta=1e-12)
        self.assertAlmostEqual(theory.disc(1.0 - 1e-7)[1], 8 / (9 * np.pi), delta=1e-6)
        self.assertAlmostEqual(theory.fixed_point(theory.disc), 0.6530018, delta=1e-7)
        self.assertAlmostEqual(theory.fixed_point(theory.ring), 0.644454, delta=1e-6)
        self.assertTrue(np.isnan(theory.fixed_point(theory.disc, 0.7)))  # sliding stops first
        for start in (0.2, 5.0):
            self.assertAlmostEqual(theory.slow_down(theory.ring, start, 1e-4), 0.644454, delta=1e-4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
