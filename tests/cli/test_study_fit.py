"""Studies against measured curves: tables of cases, references of other programs, keys fitted to them."""
import csv
import json
import os
import re
import signal
import time

import h5py
import numpy as np

from csim_testing import BALL, FAILED, GATE, INTERRUPTED, INVALID, CliTest, Result, main

SLIDE = """\
csim: 1
name: slide
time: {step: 2.0e-3, end: 0.3}
output: {period: 1.0e-2}
materials:
  wood: {friction: 0.5, stiffness: 1.0e+5, hunt_crossley_dissipation: 10}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: wood}]}
  - name: box
    mass: 1.0
    inertia: solid
    pose: {xyz: [0, 0, 0.05]}
    velocity: {linear: [1, 0, 0]}
    geometry: [{shape: box, size: [0.2, 0.2, 0.1], material: wood}]
"""
SPEEDS = (0.8, 1.0, 1.2, 1.4, 1.6, 1.8)
G = 9.81

STUDY = """\
csim_study: 1
name: friction
scene: slide.yaml
vary:
  - table: pushes.csv
measure:
  path: {dataset: trajectory/position, item: box, component: x, reduce: difference}
reference: {columns: {path: x}}
analyses:
  - type: fit
    name: contact
    keys: {materials.wood.friction: {bounds: [0.05, 1.0]}}
    measures: [path]
    test: {every: 3}
    starts: 2
gates:
  - {measure: path, analysis: contact, max: 1.0e-3}
  - {fit: contact, key: materials.wood.friction, value: 0.3, rtol: 1.0e-3}
"""

# The same in half the time, where it is not the fit that is tested.
QUICK = STUDY.replace("starts: 2", "starts: 1\n    tolerance: 1.0e-3")


class StudyFit(CliTest):
    def setUp(self):
        super().setUp()
        self.write("slide.yaml", SLIDE)
        self.write("ball.yaml", BALL)

    def pushes(self, curve, folder="."):
        """A table of pushes and a measured curve for each: curve(speed) gives times and places."""
        rows = ["bodies.box.velocity.linear,reference.csv"]
        for i, speed in enumerate(SPEEDS):
            times, places = curve(speed)
            (self.folder / folder / f"push_{i}.csv").write_text("time,x\n" + "".join(f"{t!r},{x!r}\n" for t, x in zip(times.tolist(), places.tolist())))
            rows.append(f'"[{speed}, 0, 0]",push_{i}.csv')
        (self.folder / folder / "pushes.csv").write_text("\n".join(rows) + "\n")

    def simulated(self, friction, noise=0.0):
        """Curves of the program itself with another friction, at times of their own."""
        random = np.random.default_rng(1)

        def curve(speed):
            self.csim("run", "slide.yaml", "-q", "--force", "-o", "truth.h5", "--set", f"bodies.box.velocity.linear=[{speed}, 0, 0]",
                      "--set", f"materials.wood.friction={friction}")
            result = Result(self.folder / "truth.h5")
            x = result.body("box", "position")[:, 0]
            return result.time, x + noise * random.standard_normal(len(x))
        return curve

    def study(self, text=STUDY, *options, expect=0):
        self.write("study.yaml", text)
        self.csim("study", "run", "study.yaml", "--jobs", "2", *options, expect=expect)
        return json.loads((self.folder / "friction/report.json").read_text())

    def rows(self, folder="friction"):
        with (self.folder / folder / "study.csv").open() as file:
            return list(csv.DictReader(file))

    def ids(self):
        return {path.stem for path in (self.folder / "friction/cases").glob("*.h5")}

    # -- measured curves ------------------------------------------------------

    def test_a_measured_curve_is_met_at_its_own_times(self):
        """The difference to x = v t - mu g t^2/2 by hand, at times between the rows of the result."""
        times = np.linspace(0.013, 0.15, 11)
        self.pushes(lambda v: (times, v * times - 0.3 * G * times**2 / 2))
        self.write("study.yaml", STUDY.split("analyses:")[0])
        self.csim("study", "run", "study.yaml")
        rows = self.rows()
        self.assertEqual([row["reference.csv"] for row in rows], [f"push_{i}.csv" for i in range(6)])
        for row, speed in zip(rows, SPEEDS):
            result = Result(self.folder / "friction/cases" / f"{row['id']}.h5")
            x = np.interp(times, result.time, result.body("box", "position")[:, 0])
            expected = np.sqrt(np.mean((x - speed * times + 0.3 * G * times**2 / 2) ** 2))
            self.assertAlmostEqual(float(row["path"]), expected, delta=1e-14)

    def test_the_folder_stands_alone(self):
        """The copy of the study names copies of the table's files."""
        (self.folder / "data").mkdir()
        self.pushes(lambda v: (np.array([0.0, 0.1]), np.array([0.0, 0.1])), "data")
        self.write("study.yaml", STUDY.split("analyses:")[0].replace("pushes.csv", "data/pushes.csv"))
        self.csim("study", "run", "study.yaml")
        before = (self.folder / "friction/study.csv").read_text()
        (self.folder / "friction").rename(self.folder / "moved")
        for name in ("data/pushes.csv", "data/push_0.csv", "slide.yaml"):
            (self.folder / name).unlink()
        self.csim("study", "report", "moved/study.yaml", "-o", "moved")
        self.assertEqual(re.sub("references/", "data/", (self.folder / "moved/study.csv").read_text()), before)

    def test_repeated_measurements_of_one_scene(self):
        """Are cases of one result, each with its own reference."""
        self.write("all.csv", "toss,time,x\n" + "".join(f"{toss},{t},{toss * t}\n" for toss in (1, 2) for t in (0.0, 0.1)))
        self.write("table.csv", "bodies.box.velocity.linear[0],reference.where.toss\n1.0,1\n1.0,2\n")
        text = STUDY.split("analyses:")[0].replace("pushes.csv", "table.csv").replace("{columns", "{csv: all.csv, columns")
        self.write("study.yaml", text)
        self.csim("study", "run", "study.yaml")
        rows = self.rows()
        self.assertEqual(rows[0]["id"], rows[1]["id"])
        x = Result(self.folder / "friction/cases" / f"{rows[0]['id']}.h5").body("box", "position")[10, 0]
        for row, toss in zip(rows, (1, 2)):
            self.assertAlmostEqual(float(row["path"]), abs(x - 0.1 * toss) / np.sqrt(2), delta=1e-14)

    def test_a_measurement_in_hdf5(self):
        with h5py.File(self.folder / "m.h5", "w") as file:
            file["push/t"] = [0.0, 0.05, 0.1]
            file["push/position"] = [[0.0, 0.0, 0.05]] * 3
        self.write("study.yaml", STUDY.split("analyses:")[0].replace("- table: pushes.csv", "- materials.wood.friction: [0.3, 0.4]")
                   .replace("{columns: {path: x}}", "{h5: m.h5, group: push, time: t, columns: {path: position}}").replace("component: x, ", ""))
        self.csim("study", "run", "study.yaml")
        for row in self.rows():
            result = Result(self.folder / "friction/cases" / f"{row['id']}.h5")
            away = result.body("box", "position")[[0, 5, 10]] - [0.0, 0.0, 0.05]
            self.assertAlmostEqual(float(row["path"]), np.sqrt(np.mean(np.sum(away**2, axis=1))), delta=1e-14)

    # -- fits -----------------------------------------------------------------

    def test_the_truth_is_found(self):
        self.pushes(self.simulated(0.3))
        report = self.study()
        fit = report["analyses"][0]["fit"]
        self.assertAlmostEqual(fit["keys"][0]["value"], 0.3, delta=3e-5)
        self.assertEqual([end["agrees"] for end in fit["starts"]], [True, True])
        self.assertEqual(fit["doubts"], [])
        self.assertEqual([case["test"] for case in fit["cases"]], [False, False, True] * 2)
        self.assertLess(fit["objective"], 1e-6)
        self.assertLess(fit["test_objective"], 1e-6)
        self.assertGreater(fit["objective_before"], 1e-3)    # friction 0.5
        self.assertEqual(report["gates_held"], 2)
        # Each case with the best keys is the run of these keys.
        case = fit["cases"][2]
        self.csim("run", "slide.yaml", "-q", "-o", "one.h5", "--set", "bodies.box.velocity.linear=[1.2, 0, 0]", "--set", f"materials.wood.friction={fit['keys'][0]['value']!r}")
        self.assert_same_bits(self.folder / "one.h5", self.folder / "friction/cases" / f"{case['id']}.h5")
        with h5py.File(self.folder / "friction/study.h5") as file:
            self.assertEqual(file["fit/contact/keys/value"][0], fit["keys"][0]["value"])
            self.assertEqual(file["fit/contact/cases/error/path"][2], case["errors"]["path"])
            self.assertEqual(file["fit/contact/starts/candidates"][()].tolist(), [end["candidates"] for end in fit["starts"]])
        page = (self.folder / "friction/report.html").read_text()
        self.assertIn("materials.wood.friction", page)
        self.assertTrue((self.folder / "friction/contact-path.svg").exists())
        self.assertIn("fit contact:", (self.folder / "friction/report.md").read_text())
        # Nothing runs again, and status and report know the candidates.
        before = self.ids()
        shown = self.csim("study", "status", "study.yaml").stdout
        self.assertIn("fit contact: ", shown)
        self.assertNotIn("that the study has no more", shown)
        self.csim("study", "report", "study.yaml")
        self.assertEqual(json.loads((self.folder / "friction/report.json").read_text())["analyses"][0]["fit"], fit)
        self.assertEqual(self.ids(), before)

    def test_the_interval_holds_the_truth_in_noise(self):
        self.pushes(self.simulated(0.3, noise=2e-3))
        fit = self.study(QUICK.split("gates:")[0].replace("    test: {every: 3}\n", ""))["analyses"][0]["fit"]
        low, high = fit["keys"][0]["interval"]
        self.assertLess(low, 0.3)
        self.assertGreater(high, 0.3)
        self.assertLess(high - low, 0.01)
        self.assertEqual(fit["interval_assumes"], "independent cases")
        self.assertAlmostEqual(fit["objective"], 2e-3, delta=5e-4)   # the noise

    def test_stiffness_and_dissipation_of_a_ball(self):
        """Two keys, one on a logarithmic scale, from how it bounces; the measurement is a case of the study."""
        fit = self.study("""\
            csim_study: 1
            name: friction
            scene: ball.yaml
            set: {output.period: 5.0e-3}
            vary: [{bodies.ball.pose.xyz: [[0, 0, 0.1], [0, 0, 0.2]]}]
            measure: {path: {dataset: trajectory/position, item: ball, reduce: difference}}
            reference: {case: {materials.rubber.stiffness: 3.0e+4, materials.rubber.hunt_crossley_dissipation: 0.35}}
            analyses:
              - type: fit
                name: contact
                keys:
                  materials.rubber.stiffness: {bounds: [1.0e+4, 1.0e+6], scale: log}
                  materials.rubber.hunt_crossley_dissipation: {bounds: [0, 1]}
                measures: [path]
                starts: 2
            """)["analyses"][0]["fit"]
        for key, truth in zip(fit["keys"], (3e4, 0.35)):
            self.assertAlmostEqual(key["value"] / truth, 1.0, delta=1e-3)

    def test_a_fit_that_is_interrupted_goes_on_to_the_same_bits(self):
        self.pushes(self.simulated(0.3))
        expected = self.study(QUICK)["analyses"][0]["fit"]
        ids = self.ids()
        (self.folder / "friction").rename(self.folder / "whole")
        process = self.start("study", "run", "study.yaml", "--jobs", "1")
        while len(list((self.folder / "friction/cases").glob("*.h5"))) < 20:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), INTERRUPTED)
        before = {path.name: os.stat(path).st_mtime_ns for path in (self.folder / "friction/cases").glob("*.h5")}
        self.assertLess(len(before), len(ids))
        shown = self.csim("study", "status", "study.yaml").stdout
        self.assertRegex(shown, r"fit contact: \d+ candidates so far: case \d+ with materials.wood.friction: 0\.\d+ is (missing|interrupted)")
        self.csim("study", "report", "study.yaml", expect=FAILED)
        self.assertEqual(json.loads((self.folder / "friction/report.json").read_text())["gates"][1]["verdict"], "inconclusive")
        fit = self.study(QUICK)["analyses"][0]["fit"]
        self.assertEqual(fit, expected)
        self.assertEqual(self.ids(), ids)
        for name, stamp in before.items():
            self.assertEqual(os.stat(self.folder / "friction/cases" / name).st_mtime_ns, stamp)
        # Each ran once: its log has one command, that of the interrupted one two.
        commands = [path.read_text().count("\n$ ") for path in (self.folder / "friction/cases").glob("*.log")]
        self.assertLessEqual(sum(commands), 1)

    def test_a_fit_of_measures_that_are_kept(self):
        self.pushes(self.simulated(0.3))
        expected = self.study(QUICK)["analyses"][0]["fit"]
        self.study(QUICK.replace("vary:", "keep: measures\nvary:"), "-o", "kept")
        fit = json.loads((self.folder / "kept/report.json").read_text())["analyses"][0]["fit"]
        self.assertEqual(fit, expected)
        self.assertEqual(list((self.folder / "kept/cases").glob("*.h5")), [])

    def test_a_bound_that_is_active_is_said(self):
        self.pushes(self.simulated(0.3))
        report = self.study(QUICK.replace("[0.05, 1.0]", "[0.4, 1.0]"), expect=GATE)
        fit = report["analyses"][0]["fit"]
        self.assertEqual(fit["keys"][0]["at_bound"], "lower")
        self.assertEqual(fit["keys"][0]["interval"], [None, None])
        self.assertIn("materials.wood.friction is at its lower bound: the best value may lie beyond", fit["doubts"])
        self.assertEqual([gate["verdict"] for gate in report["gates"]], ["fail", "fail"])

    def test_what_the_data_do_not_tell_is_said(self):
        """A key of what never touches, measurements in millimetres, and these at four times the results' rate; on the terminal and in the report."""
        self.write("slide.yaml", SLIDE.replace("bodies:", "  steel: {friction: 0.5}\nbodies:") + "  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 0, 2]}, geometry: [{shape: sphere, radius: 0.1, material: steel}]}\n")
        times = np.arange(0.0, 0.3, 2.5e-3)
        self.pushes(lambda speed: (times, 1e3 * (speed * times - 0.5 * 0.3 * G * times**2)))
        text = QUICK.split("gates:")[0].replace("keys: {materials", "keys: {materials.steel.friction: {bounds: [0, 1]}, materials")
        self.write("study.yaml", text)
        shown = self.csim("study", "run", "study.yaml", "--jobs", "2").stdout
        for doubt in ("materials.steel.friction is not determined by the data: no difference changes with it near the best value",
                      "output.period is 0.01 s, the rows of push_0.csv are 0.0025 s apart",
                      "m about their mean: a constant would fit as well. Either these curves are little but noise, or units, axes or time 0 differ",
                      "the search began at one place (starts: 1): other minima were not looked for"):
            self.assertRegex(shown, f"(?m)^  warning: .*{re.escape(doubt)}")
            self.assertIn(doubt, (self.folder / "friction/report.md").read_text())
        fit = json.loads((self.folder / "friction/report.json").read_text())["analyses"][0]["fit"]
        self.assertFalse(any("materials.wood.friction is not determined" in doubt for doubt in fit["doubts"]), fit["doubts"])

    def test_candidates_that_fail_are_counted_and_named(self):
        """Here those whose solver may not iterate enough."""
        self.pushes(self.simulated(0.3))
        text = QUICK.replace("keys: {materials", "keys: {solver.tolerance: {bounds: [1.0e-12, 1.0e-2], scale: log}, materials").split("gates:")[0]
        text = text.replace("vary:", "set: {solver.max_iterations: 2}\nvary:")
        self.write("study.yaml", text.replace("starts: 1", "starts: 1\n    evaluations: 12"))
        self.csim("study", "run", "study.yaml", expect=None)
        fit = json.loads((self.folder / "friction/report.json").read_text())["analyses"][0]["fit"]
        self.assertTrue(fit["done"])
        self.assertGreater(len(fit["failures"]), 0)
        self.assertRegex(fit["failures"][0], r"^solver.tolerance: .*, materials.wood.friction: .*: case \d \(cases/[0-9a-f]{12}\.log\): .")

    def test_the_list_says_that_candidates_come(self):
        self.pushes(self.simulated(0.3))
        self.write("study.yaml", STUDY)
        listed = self.csim("study", "list", "study.yaml")
        self.assertIn("6 cases\n", listed.stderr)
        lines = listed.stdout.splitlines()
        self.assertEqual(len(lines), 7)
        self.assertEqual(lines[-1], "fit contact: candidates come while it runs, at most 2 starts x 200, each of 4 cases")
        self.assertEqual(len(json.loads(self.csim("study", "list", "study.yaml", "--json").stdout)), 6)

    # -- errors ---------------------------------------------------------------

    def problems(self, *changes, text=STUDY):
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write("bad.yaml", text)
        return self.csim("study", "list", "bad.yaml", expect=INVALID).stderr

    def test_errors_have_their_places(self):
        self.pushes(lambda v: (np.array([0.0, 0.1]), np.array([0.0, 0.1])))
        key = "materials.wood.friction: {bounds: [0.05, 1.0]}"
        for new, problem in (
                ("materials.wood.frction: {bounds: [0.05, 1.0]}", "bad.yaml:12:12: error: materials.wood.frction"),
                ("time.step: {bounds: [1.0e-4, 1.0e-3]}", "bad.yaml:12:12: error: analyses.contact.keys.time.step: of the numerical scheme"),
                ("bodies.box.velocity.linear: {bounds: [0, 1]}", "bad.yaml:12:12: error: analyses.contact.keys.bodies.box.velocity.linear: varied"),
                ("'bodies.box.velocity.linear[1]': {bounds: [0, 1]}", "linear[1]: varied, expected a key that is not"),
                ("materials.wood.friction: {bounds: [1.0, 0.05]}", "bad.yaml:12:46: error: analyses.contact.keys.materials.wood.friction.bounds: expected low < high"),
                ("materials.wood.friction: {bounds: [0, 1.0], scale: log}", "expected 0 < low < high"),
                ("materials.wood.friction: {bounds: [-1.0, 1.0]}", "bad.yaml:12:46: error: materials.wood.friction: -1"),
                ("materials.wood.friction: 3", "bad.yaml:12:37: error: analyses.contact.keys.materials.wood.friction: 3, expected {bounds: [low, high]}")):
            self.assertIn(problem, self.problems((key, new), text=STUDY.split("gates:")[0]), new)
        for old, new, problem in (
                ("test: {every: 3}", "test: {every: 1}", "bad.yaml:14:19: error: analyses.contact.test.every: 1, expected a whole number >= 2"),
                ("test: {every: 3}", "test: {every: 7}", "analyses.contact.test: meets no case"),
                ("test: {every: 3}", "train: {every: 2}\n    test: {every: 3}", "1 of the training cases, expected others"),
                ("measures: [path]", "measures: [path]\n    weights: {pth: 1}", "did you mean 'path'?"),
                ("key: materials.wood.friction,", "key: materials.wood.stiffness,", "bad.yaml:18:25: error: gates.1.key: 'materials.wood.stiffness', not among the keys of the fit"),
                ("analysis: contact,", "analysis: contact, where: {reference.csv: push_0.csv},", "gates.0.where: meets no case that the fit is judged by"),
                ("{fit: contact,", "{fit: contct,", "did you mean 'contact'?"),
                ("measures: [path]", "measures: [path]\n    over: time.step", "over"),
                ("reference: {columns: {path: x}}", "reference: finest", "goes by the study's reference, which is finest")):
            self.assertIn(problem, self.problems((old, new)), new)

    def test_errors_of_tables_and_measurements(self):
        self.pushes(lambda v: (np.array([0.0, 0.1]), np.array([0.0, 0.1])))
        table = (self.folder / "pushes.csv").read_text()
        for old, new, problem in (
                ("bodies.box.velocity.linear", "bodies.box.velocity.liner", "pushes.csv:1:1: error: bodies.box.velocity.liner"),
                ("reference.csv", "reference.cvs", "pushes.csv:1:28: error: vary.reference.cvs: of a case's reference, expected one of reference.csv,"),
                ('"[1.0, 0, 0]"', '"[1.0, 0]"', "pushes.csv:3:1: error: bodies.box.velocity.linear"),
                ('"[1.0, 0, 0]"', '"[1.0, 0', "pushes.csv:3"),
                ("push_1.csv", "push_9.csv", "pushes.csv:3:15: error: reference.csv: push_9.csv: cannot be opened"),
                ("push_1.csv", "", "pushes.csv:3:15: error: vary.table.reference.csv: nothing, expected a value")):
            self.assertIn(old, table)
            self.write("pushes.csv", table.replace(old, new, 1))
            self.assertIn(problem, self.problems(), new)
        self.write("pushes.csv", table)
        self.assertIn("bad.yaml:5:12: error: vary.table: 'pushs.csv': cannot be opened", self.problems(("pushes.csv", "pushs.csv")))
        self.assertIn("push_0.csv:1:1: error: y: no such column (reference of case 0)\ntime,x\n^\n", self.problems(("path: x", "path: y")))
        self.assertIn("bad.yaml:8:29: error: reference.columns.path: 2 columns, expected 1, one for each number of a row", self.problems(("path: x", "path: [x, time]")))
        self.assertIn("'pth', unknown measure", self.problems(("path: x", "pth: x")))
        self.assertIn("of a reference that the study has not", self.problems(("{columns: {path: x}}", "{values: {path: 1}}")))
        self.write("push_0.csv", "time,x\n0,0\n0.4,1\n")
        self.assertIn("pushes.csv:2:15: error: reference.csv: push_0.csv: measured from 0 to 0.4 s, the case runs from 0 to 0.3 s", self.problems())
        self.write("push_0.csv", "time,x\n0,0\n0.1,2 cm\n")
        self.assertIn("push_0.csv:3:5: error: x: '2 cm', expected a number (reference of case 0)\n0.1,2 cm\n    ^\n", self.problems())
        self.write("push_0.csv", "time,x\n0,0\n0,1\n")
        self.assertIn("push_0.csv:3:1: error: time: '0', expected times that rise (reference of case 0)", self.problems())
        # Names are as one who stands elsewhere sees them.
        (self.folder / "deep").mkdir()
        for path in [*self.folder.glob("*.csv"), *self.folder.glob("*.yaml")]:
            path.rename(self.folder / "deep" / path.name)
        said = self.csim("study", "list", "deep/bad.yaml", expect=INVALID).stderr
        self.assertTrue(said.startswith("deep/push_0.csv:3:1: error: time: '0'"), said)


if __name__ == "__main__":
    main()
