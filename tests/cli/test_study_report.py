"""What a study finds: measures, orders, verdicts, tables and reports, held against numpy and closed forms."""
import csv
import json
import shutil
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np

from csim_testing import BALL, DONE, FAILED, GATE, INVALID, CliTest, Result, main

# A ball in free fall: z = 0.3 - g t^2/2. The scheme's velocity is exact and its position off by g h t/2: first order, to rounding.
G, T = 9.81, 0.096
EXACT = 0.3 - G * T * T / 2
STUDY = f"""\
csim_study: 1
name: fall
scene: ball.yaml
set: {{time.end: {T}, output.period: 0.008}}
vary:
  - contact.model: [lagged, sap]
  - time.step: {{geometric: [8.0e-3, 1.0e-3, 4]}}
measure:
  z: {{dataset: trajectory/position, item: ball, component: z, reduce: final}}
  path: {{dataset: trajectory/position, item: ball, reduce: difference}}
  iterations: {{dataset: stats/step/iterations, reduce: mean}}
reference: {{case: {{time.step: 2.5e-4}}}}
analyses:
  - {{type: convergence, name: order, over: time.step, measures: [z], reference: {{values: {{z: {EXACT!r}}}}}}}
  - {{type: convergence, name: curve, over: time.step, measures: [path]}}
  - {{type: table, measures: [iterations, z]}}
  - {{type: plot, name: steps, x: time.step, y: z, per: contact.model, scale: log-log}}
gates:
  - {{measure: z, analysis: order, order: [0.99, 1.01]}}
  - {{measure: z, value: 0.2548, atol: 1.0e-3, where: {{time.step: 1.0e-3}}}}
"""


class StudyReport(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def report(self, text=STUDY, *options, expect=DONE, command="run"):
        self.write("study.yaml", text)
        shown = self.csim("study", command, "study.yaml", "--progress", "never", *options, expect=expect) if command == "run" else \
            self.csim("study", command, "study.yaml", *options, expect=expect)
        self.shown = shown
        return json.loads((self.folder / "fall/report.json").read_text())

    def ladders(self, report, name):
        return next(analysis["ladders"] for analysis in report["analyses"] if analysis["name"] == name)

    def histograms(self, report, name):
        """The histograms of an analysis."""
        return next(analysis["histograms"] for analysis in report["analyses"] if analysis["name"] == name)

    def test_orders_of_a_known_error(self):
        report = self.report()
        self.assertEqual([(gate["verdict"], gate["sentence"]) for gate in report["gates"]],
                         [("pass", "order of z over time.step is 0.99 to 1.01"), ("pass", "z is 0.2548 +- 0.001 (time.step: 1.0e-3)")])
        self.assertEqual((report["gates_held"], report["cases_complete"], len(report["cases"])), (2, 10, 10))
        ladders = self.ladders(report, "order")
        self.assertEqual([ladder["where"] for ladder in ladders], [{"contact.model": "lagged"}, {"contact.model": "sap"}])
        for ladder in ladders:
            h = np.array([8e-3, 4e-3, 2e-3, 1e-3])
            np.testing.assert_allclose(ladder["h"], h)
            np.testing.assert_allclose(ladder["errors"], G * h * T / 2, rtol=1e-8)   # the error has 9 digits after the subtraction
            np.testing.assert_allclose(ladder["pairwise"], 1, atol=1e-7)
            self.assertAlmostEqual(ladder["order"], np.polyfit(np.log(h), np.log(ladder["errors"]), 1)[0], delta=1e-9)
            self.assertAlmostEqual(ladder["extrapolated"], EXACT, delta=1e-9)
            self.assertAlmostEqual(ladder["gci"], 1.25 * G * 1e-3 * T / 2, delta=1e-9)
            low, high = ladder["interval"]
            self.assertTrue(low <= ladder["order"] <= high and high - low < 1e-6)

    def test_measures_are_those_of_the_results(self):
        report = self.report()
        with open(self.folder / "fall/study.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["index", "id", "status", "seconds", "contact.model", "time.step", "z", "path", "iterations"])
        with h5py.File(self.folder / "fall/study.h5") as table:
            self.assertEqual(table["measure/z"].attrs["units"], "m")
            self.assertEqual(table["measure/iterations"].attrs["units"], "1")
            self.assertEqual([name.decode() for name in table["vary/contact.model"][()]], ["lagged"] * 4 + ["sap"] * 4 + ["lagged", "sap"])
            np.testing.assert_allclose(table["vary/time.step"][()][:4], [8e-3, 4e-3, 2e-3, 1e-3])
            self.assertEqual([role.decode() for role in table["case/role"][()]], ["case"] * 8 + ["reference"] * 2)
            for i, row in enumerate(rows):
                result = Result(self.folder / "fall/cases" / f"{row['id']}.h5")
                reference = Result(self.folder / "fall/cases" / f"{rows[8 + (4 <= i < 8 or i == 9)]['id']}.h5")
                z = result.body("ball", "position")[-1, 2]
                distance = np.linalg.norm(result.body("ball", "position") - reference.body("ball", "position"), axis=1)
                expected = {"z": z, "path": np.sqrt(np.mean(distance**2)), "iterations": result.data["stats/step/iterations"].mean()}
                for name, value in expected.items():
                    if i >= 8 and name == "path":      # a reference has none of its own
                        self.assertEqual(row[name], "nan")
                        self.assertIsNone(report["cases"][i]["measures"][name])
                        continue
                    self.assertEqual(float(row[name]), table[f"measure/{name}"][i])
                    self.assertEqual(float(row[name]), report["cases"][i]["measures"][name])
                    self.assertAlmostEqual(float(row[name]), value, delta=1e-14)
                # The link leads to the result, whose bits are there.
                self.assertEqual(table["case/id"][i].decode(), row["id"])
                np.testing.assert_array_equal(table[f"cases/{row['id']}/trajectory/time"][()], result.time)

    def test_expressions_over_measures(self):
        text = STUDY.replace("reference:", """\
  drop: {expression: "0.3 - z", units: m}
  share: {expression: sqrt(path / drop), units: "1"}
  nothing: {expression: log(iterations) + 2, units: "1"}
reference:""", 1).replace("measures: [iterations, z]", "measures: [share]").replace("y: z,", "y: drop,") + f"""\
  - {{measure: drop, value: {G * T * T / 2!r}, atol: 1.0e-9, where: {{time.step: 1.0e-3}}}}
  - {{measure: nothing, min: -1000}}
  - {{measure: drop, analysis: drops, order: [0.99, 1.01]}}
"""
        text = text.replace("analyses:\n", f"analyses:\n  - {{type: convergence, name: drops, over: time.step, measures: [drop], reference: {{values: {{drop: {G * T * T / 2!r}}}}}}}\n")
        report = self.report(text, expect=GATE)
        self.assertEqual([gate["verdict"] for gate in report["gates"]], ["pass", "pass", "fail", "fail", "pass"])
        self.assertEqual(report["gates"][3]["note"], "NaN in case 0")     # log(0): no step has a contact
        for case in report["cases"]:
            measures = case["measures"]
            self.assertEqual(measures["drop"], 0.3 - measures["z"])
            if case["role"] == "case":
                self.assertEqual(measures["share"], np.sqrt(measures["path"] / measures["drop"]))
            else:
                self.assertIsNone(measures["share"])                     # a reference has no difference to itself
        with h5py.File(self.folder / "fall/study.h5") as table:
            self.assertEqual((table["measure/drop"].attrs["units"], table["measure/share"].attrs["units"]), ("m", "1"))
            np.testing.assert_array_equal(table["measure/drop"][()], 0.3 - table["measure/z"][()])
        ladders = self.ladders(report, "drops")
        np.testing.assert_allclose(ladders[0]["errors"], G * np.array(ladders[0]["h"]) * T / 2, rtol=1e-8)
        self.assertIn("drop [m]", (self.folder / "fall/steps.svg").read_text())

    def test_results_that_are_not_kept(self):
        """Their records give the same tables and verdicts, and no finished case runs again."""
        def table():
            with open(self.folder / "fall/study.csv", newline="") as file:
                return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]
        def cases():
            return {path.name: path.stat().st_mtime_ns for path in (self.folder / "fall/cases").iterdir()}
        text = STUDY.replace("reference:", "  share: {expression: path / z, units: \"1\"}\nreference:", 1)
        whole, whole_table = self.report(text), table()
        small = text.replace("name: fall\n", "name: fall\nkeep: measures\n")
        shutil.rmtree(self.folder / "fall")
        for _ in range(2):
            report = self.report(small)
            self.assertEqual(table(), whole_table)
            self.assertEqual((report["gates"], report["analyses"]), (whole["gates"], whole["analyses"]))
            after = cases()
            self.assertEqual(sorted({name.split(".", 1)[1] for name in after}), ["json", "log", "usage"])
            if _ > 0:
                self.assertEqual(after, before)
            before = after
        self.assertLess(max(path.stat().st_size for path in (self.folder / "fall/cases").iterdir()), 4096)
        status, listed = (json.loads(self.csim("study", command, "study.yaml", "--json").stdout) for command in ("status", "list"))
        self.assertEqual({(case["status"], case["result"]) for case in status}, {("complete", None)})
        self.assertEqual({case["result"] for case in listed}, {None})
        self.csim("study", "report", "study.yaml")
        self.csim("study", "collect", "study.yaml")
        with h5py.File(self.folder / "fall/study.h5") as file:
            self.assertEqual(len(file["cases"]), 0)        # no links that lead nowhere
        # Another name and place of a measure change nothing; one that was not taken is missing, in words.
        report = self.report(small.replace("  z: {dataset: trajectory/position,", "  height: {dataset: /trajectory/position,").replace("measures: [z]", "measures: [height]")
                             .replace("{values: {z:", "{values: {height:").replace("z]}", "height]}").replace("y: z", "y: height").replace("measure: z", "measure: height").replace("path / z", "path / height"))
        self.assertEqual([gate["verdict"] for gate in report["gates"]], ["pass", "pass"])
        report = self.report(small.replace("reference:", "  x: {dataset: trajectory/position, item: ball, component: x, reduce: final}\nreference:", 1) + "  - {measure: x, max: 1}\n", expect=GATE)
        self.assertEqual((report["gates"][2]["verdict"], report["gates"][2]["note"]), ("inconclusive", "case 0 was not measured so, and its result was not kept"))
        self.assertEqual(cases(), before)
        # A damaged record is run again.
        record = next((self.folder / "fall/cases").glob("*.json"))
        record.write_text(record.read_text()[:100])
        self.assertIn("damaged", self.csim("study", "status", "study.yaml").stdout)
        self.report(small)
        self.assertEqual(table(), whole_table)
        # Results that are there already become records; the other way round nothing is lost.
        shutil.rmtree(self.folder / "fall")
        self.report(text)
        self.report(small)
        self.assertEqual(sorted({name.split(".", 1)[1] for name in cases()}), ["json", "log", "usage"])
        self.report(text)
        self.assertEqual(table(), whole_table)

    def test_the_folder_may_move(self):
        self.report()
        (self.folder / "fall").rename(self.folder / "moved")
        with h5py.File(self.folder / "moved/study.h5") as table:
            self.assertGreater(len(table["cases"][table["case/id"][0].decode()]["trajectory/time"]), 0)

    def test_exit_codes_and_verdicts(self):
        gates = STUDY.split("gates:")[0] + "gates:\n"
        self.report()
        for gate, code, verdict, note in (
                ("{measure: z, analysis: order, order: [1.5, 2.5]}", GATE, "fail", ""),
                ("{measure: z, analysis: order, order: [0.0, 0.9]}", GATE, "fail", "too high"),
                ("{measure: iterations, max: 0}", DONE, "pass", ""),                    # no contact: nothing to iterate
                ("{measure: iterations, min: 1}", GATE, "fail", ""),
                (f"{{measure: z, value: {EXACT!r}, atol: 1.0e-3}}", GATE, "fail", ""),   # the coarsest is 3.8 mm off
                (f"{{measure: z, value: {EXACT!r}, rtol: 0.02}}", DONE, "pass", ""),
                ("{measure: path, max: 1}", DONE, "pass", "")):
            with self.subTest(gate):
                report = self.report(gates + f"  - {gate}\n", command="report", expect=code)
                self.assertEqual(report["gates"][0]["verdict"], verdict)
                self.assertIn(note, report["gates"][0]["note"])
        # The worst case is named.
        report = self.report(gates + f"  - {{measure: z, value: {EXACT!r}, atol: 1.0e-3, where: {{contact.model: sap}}}}\n", command="report", expect=GATE)
        self.assertEqual(report["gates"][0]["worst_case"], 4)
        self.assertAlmostEqual(report["gates"][0]["found"], EXACT - G * 8e-3 * T / 2, delta=1e-9)

    def test_inconclusive(self):
        short = STUDY.replace("[8.0e-3, 1.0e-3, 4]", "[2.0e-3, 1.0e-3, 2]").replace("  - {measure: z, value", "  # {measure: z, value")
        report = self.report(short, expect=GATE)
        self.assertEqual(report["gates"][0]["verdict"], "inconclusive")
        self.assertIn("2 rungs", report["gates"][0]["note"])
        self.report(short, "--inconclusive", "pass", command="report")
        last = self.report(STUDY.replace("measures: [z], ref", "measures: [z], rungs: last 2, ref"), expect=GATE)
        self.assertEqual(self.ladders(last, "order")[0]["h"], [0.002, 0.001])
        # An algebraic error stands in for anything that co_refine shows not to come from the step.
        refined = STUDY.replace("measures: [z], ref", "measures: [z], co_refine: {gravity: [0, 0, -9.7]}, ref")
        report = self.report(refined, expect=GATE)
        self.assertEqual(report["gates"][0]["verdict"], "inconclusive")
        self.assertIn("co_refine changes the error", report["gates"][0]["note"])
        self.assertEqual(report["cases"][-1]["role"], "co_refine")
        same = STUDY.replace("measures: [z], ref", "measures: [z], co_refine: {solver.tolerance: 1.0e-9}, ref")
        self.assertEqual(self.report(same)["gates"][0]["verdict"], "pass")
        exact = STUDY.replace(f"{{values: {{z: {EXACT!r}}}}}", f"{{values: {{z: {EXACT - G * 1e-3 * T / 2!r}}}}}")
        self.report(exact, expect=GATE)   # the reference lies on a rung: too high an order, or an error of 0

    def test_other_references(self):
        finest = STUDY.replace(f"reference: {{values: {{z: {EXACT!r}}}}}", "reference: finest").replace("[0.99, 1.01]", "[1.0, 1.5]")
        report = self.report(finest)
        ladder = self.ladders(report, "order")[0]
        self.assertEqual(ladder["h"], [0.008, 0.004, 0.002])
        np.testing.assert_allclose(ladder["errors"], G * (np.array(ladder["h"]) - 1e-3) * T / 2, rtol=1e-8)
        richardson = STUDY.replace(f"reference: {{values: {{z: {EXACT!r}}}}}", "reference: richardson")
        ladder = self.ladders(self.report(richardson), "order")[0]
        np.testing.assert_allclose(ladder["errors"], G * np.array(ladder["h"]) * T / 2, rtol=1e-6)
        self.write("study.yaml", richardson.replace("{geometric: [8.0e-3, 1.0e-3, 4]}", "[8.0e-3, 4.0e-3, 2.0e-3, 1.6e-3]"))
        self.assertIn("no constant ratio", self.csim("study", "list", "study.yaml", expect=INVALID).stderr)
        self.csim("run", "ball.yaml", "-o", "fine.h5", "-q", "--set", f"time.end={T}", "--set", "output.period=0.008", "--set", "time.step=2.5e-4")
        of_case = self.report()["cases"]
        of_file = self.report(STUDY.replace("{case: {time.step: 2.5e-4}}", "{file: fine.h5}"))["cases"]
        self.assertEqual([case["measures"]["path"] for case in of_file[:4]], [case["measures"]["path"] for case in of_case[:4]])
        self.write("study.yaml", STUDY.replace("{case: {time.step: 2.5e-4}}", "{file: fien.h5}"))
        self.assertIn(f"no such file (did you mean '{self.folder}/fine.h5'?)", self.csim("study", "list", "study.yaml", expect=INVALID).stderr)

    def test_a_rung_that_is_the_reference_is_no_rung(self):
        report = self.report(STUDY.replace("{geometric: [8.0e-3, 1.0e-3, 4]}", "[8.0e-3, 4.0e-3, 2.0e-3, 1.0e-3, 2.5e-4]"))
        self.assertEqual(len(report["cases"]), 10)
        self.assertEqual(self.ladders(report, "curve")[0]["h"], [0.008, 0.004, 0.002, 0.001])
        self.assertEqual(self.ladders(report, "order")[0]["h"], [0.008, 0.004, 0.002, 0.001, 0.00025])

    def test_reports(self):
        self.report()
        shown = self.csim("study", "report", "study.yaml", "--junit", "out.xml", "--markdown", "summary.md")
        self.assertEqual(shown.stdout.splitlines()[0], "gates held: 2 of 2, cases complete: 10 of 10")
        markdown = (self.folder / "summary.md").read_text()
        self.assertEqual(markdown, (self.folder / "fall/report.md").read_text())
        self.assertIn("gates held: 2 of 2, cases complete: 10 of 10", markdown.splitlines()[2])
        for part in ("| order of z over time.step is 0.99 to 1.01 |", "iterations [1]", "z [m]", "](steps.svg)", "](order-z.svg)", "CPU time of all cases", "MiB"):
            self.assertIn(part, markdown)
        page = (self.folder / "fall/report.html").read_text()
        self.assertEqual(page.count("<svg"), 3)
        self.assertEqual(page.count("http"), page.count('xmlns="http://www.w3.org/2000/svg"'))   # nothing from a network
        for name in ("steps.svg", "order-z.svg", "curve-path.svg"):
            svg = ElementTree.parse(self.folder / "fall" / name).getroot()
            self.assertEqual(svg.tag, "{http://www.w3.org/2000/svg}svg")
        marks = ElementTree.parse(self.folder / "fall/order-z.svg").getroot().findall("{http://www.w3.org/2000/svg}circle")
        self.assertEqual(len(marks), 8)
        # On logarithmic axes first order is a straight line.
        x, y = np.array([[float(mark.get("cx")), float(mark.get("cy"))] for mark in marks[:4]]).T
        self.assertLess(np.abs(np.polyfit(x, y, 1, full=True)[1]).max(), 0.1)
        suite = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual((suite.tag, suite.get("tests"), suite.get("failures")), ("testsuite", "2", "0"))
        cases = suite.find("testsuite").findall("testcase")
        report = json.loads((self.folder / "fall/report.json").read_text())
        self.assertEqual((suite.find("testsuite").get("tests"), len(cases), suite.find("testsuite").get("errors")), ("10", 10, "0"))
        self.assertEqual(cases[0].get("name"), "contact.model: lagged, time.step: 0.008")
        self.assertTrue(cases[8].get("name").endswith(" (reference)"))
        for one, case in zip(cases, report["cases"]):
            self.assertAlmostEqual(float(one.get("time")), case["seconds"], delta=1e-6)
        costs = json.loads((self.folder / "fall/report.json").read_text())
        self.assertGreater(costs["cpu_seconds"], 0)
        self.assertTrue(1e6 < costs["peak_memory"] < 1e9)

    def test_gates_of_many_cases(self):
        values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 2.0]
        text = f"""\
csim_study: 1
name: fall
scene: ball.yaml
set: {{time.end: 0.01, gravity: [0, 0, 0]}}
vary: ["bodies.ball.velocity.linear[0]": {values}]
measure:
  v: {{dataset: trajectory/velocity, item: ball, component: x, reduce: final}}
  w: {{expression: 2 * v, units: m/s}}
analyses:
  - {{type: histogram, name: spread, measures: [v, w], bins: 4}}
  - {{type: histogram, measures: [v]}}
  - {{type: plot, name: scatter, x: v, y: w}}
gates:
  - {{name: most, measure: v, max: 1, share: 0.9}}
  - {{name: too many, measure: v, max: 1, share: 0.95}}
  - {{name: mean, measure: v, of: mean, max: 0.66, min: 0.64}}
  - {{measure: v, of: median, value: 0.55, atol: 1.0e-9}}
  - {{measure: v, of: {{quantile: 0.9}}, value: {float(np.quantile(values, 0.9))!r}, atol: 1.0e-9}}
  - {{measure: v, of: deviation, value: {float(np.std(values, ddof=1))!r}, rtol: 1.0e-9, where: {{}}}}
"""
        report = self.report(text, "--junit", "gates.xml", "--markdown", "gates.md", expect=GATE)
        self.assertEqual([gate["verdict"] for gate in report["gates"]], ["pass", "fail", "pass", "pass", "pass", "pass"])
        self.assertEqual(report["gates"][0]["sentence"], "most: v <= 1 in at least 90 % of the cases")
        self.assertEqual((report["gates"][1]["name"], report["gates"][1]["found"], report["gates"][1]["note"]), ("too many", 0.9, "9 of 10 cases"))
        self.assertEqual(report["gates"][1]["worst_case"], 9)
        self.assertAlmostEqual(report["gates"][2]["found"], np.mean(values), delta=1e-12)
        self.assertRegex(report["gates"][2]["note"], r"of 10 cases, 95 % interval 0\.3\d* to 1\.\d*")
        self.assertEqual(report["gates"][3]["sentence"], "median of v is 0.55 +- 1e-09")
        cases = ElementTree.parse(self.folder / "gates.xml").getroot().findall("testcase")
        self.assertEqual([case.get("name") for case in cases[:4]], ["most", "too many", "mean", "median of v is 0.55 +- 1e-09"])
        self.assertEqual((self.folder / "gates.md").read_text(), (self.folder / "fall/report.md").read_text())
        for histogram, data, bins in zip(self.histograms(report, "spread"), (np.array(values), 2 * np.array(values)), (4, 4)):
            counts, edges = np.histogram(data, bins)
            self.assertEqual(histogram["counts"], counts.tolist())
            np.testing.assert_allclose(histogram["edges"], edges, rtol=1e-15)
        self.assertEqual(self.histograms(report, "histogram")[0]["counts"], np.histogram(values, "sturges")[0].tolist())
        svg = "{http://www.w3.org/2000/svg}"
        bars = [bar for bar in ElementTree.parse(self.folder / "fall/spread-v.svg").getroot().findall(f"{svg}rect") if bar.get("class") == "bar"]
        heights = np.array([float(bar.get("height")) for bar in bars])
        np.testing.assert_allclose(heights / heights[0], np.histogram(values, 4)[0] / np.histogram(values, 4)[0][0], atol=0.01)   # pixels have one digit
        scatter = ElementTree.parse(self.folder / "fall/scatter.svg").getroot()
        self.assertEqual((len(scatter.findall(f"{svg}circle")), len(scatter.findall(f"{svg}polyline"))), (10, 0))
        self.assertEqual((self.folder / "fall/report.html").read_text().count("<svg"), 4)
        for keys, words in (("of: modus, max: 1", "gates.0.of: 'modus', expected mean, median, deviation or {quantile: PROBABILITY}"),
                            ("of: {quantile: 2}, max: 1", "gates.0.of: 2, expected a probability from 0 to 1"),
                            ("of: mean, share: 0.5, max: 1", "gates.0.share: beside of, expected one of them"),
                            ("share: 1.5, max: 1", "gates.0.share: 1.5, expected a number > 0 and <= 1")):
            self.write("study.yaml", text[:text.index("gates:")] + f"gates: [{{measure: v, {keys}}}]\n")
            self.assertIn(words, self.csim("study", "list", "study.yaml", expect=INVALID).stderr)
        self.write("study.yaml", text)
        self.assertIn("--junit and --markdown beside --case", self.csim("study", "run", "study.yaml", "--case", "0", "--junit", "x.xml", expect=INVALID).stderr)

    def test_junit_of_gates_that_do_not_hold(self):
        self.report(STUDY.replace("[8.0e-3, 1.0e-3, 4]", "[2.0e-3, 1.0e-3, 2]") + "  - {measure: z, max: 0.1}\n", expect=GATE)
        self.csim("study", "report", "study.yaml", "--junit", "out.xml", expect=GATE)
        cases = ElementTree.parse(self.folder / "out.xml").getroot().findall("testcase")
        self.assertEqual([[failure.get("type") for failure in case.findall("failure")] for case in cases], [["inconclusive"], [], ["fail"]])
        self.csim("study", "report", "study.yaml", "--junit", "out.xml", "--inconclusive", "pass", expect=GATE)
        suite = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual((suite.get("failures"), suite.get("skipped")), ("1", "1"))
        self.assertEqual(len(suite.findall("testcase")[0].findall("skipped")), 1)
        next((self.folder / "fall/cases").glob("*.h5")).unlink()
        self.csim("study", "report", "study.yaml", "--junit", "out.xml", expect=FAILED)
        self.assertIn("missing", ElementTree.parse(self.folder / "out.xml").getroot().find("system-err").text)


if __name__ == "__main__":
    main()
