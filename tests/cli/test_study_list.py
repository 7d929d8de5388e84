"""Studies before anything runs: cases, ids, draws, and the errors of a study file."""
import hashlib
import json
import math
import statistics

from csim_testing import BALL, INVALID, CliTest, main

STUDY = """\
csim_study: 1
name: bounce
scene: ball.yaml
set: {time.end: 0.1}
vary:
  - contact.model: [lagged, sap]
  - time.step: {geometric: [4.0e-3, 1.0e-3, 3]}
skip: [{contact.model: sap, time.step: 0.002}]
measure:
  z: {dataset: trajectory/position, item: ball, component: z, reduce: final}
reference: {case: {time.step: 2.5e-4}}
analyses:
  - {type: convergence, name: order, over: time.step, measures: [z], co_refine: {solver.tolerance: 1.0e-9}}
gates:
  - {measure: z, analysis: order, where: {contact.model: lagged}, order: [0.5, 2.5]}
"""


def uniform(text):
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") + 0.5) / 2**64


class StudyList(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def cases(self, text=STUDY, name="study.yaml"):
        self.write(name, text)
        return json.loads(self.csim("study", "list", name, "--json").stdout)

    def problems(self, old, new, text=STUDY):
        self.assertIn(old, text)
        self.write("bad.yaml", text.replace(old, new, 1))
        shown = self.csim("study", "list", "bad.yaml", expect=INVALID)
        self.assertEqual(shown.stdout, "")
        return shown.stderr

    def test_order_of_the_cases(self):
        cases = self.cases()
        self.assertEqual([case["index"] for case in cases], list(range(9)))
        self.assertEqual([(case["role"], case["values"]["contact.model"], case["values"]["time.step"]) for case in cases],
                         [("case", "lagged", 0.004), ("case", "lagged", 0.002), ("case", "lagged", 0.001), ("case", "sap", 0.004), ("case", "sap", 0.001),
                          ("reference", "lagged", 0.00025), ("reference", "sap", 0.00025), ("co_refine", "lagged", 0.001), ("co_refine", "sap", 0.001)])
        self.assertEqual(cases[7]["values"]["solver.tolerance"], 1e-9)

    def test_id_is_the_digest_of_what_resolve_prints_without_the_name(self):
        for case in self.cases():
            sets = [argument for key, value in {"time.end": 0.1, **case["values"]}.items() for argument in ("--set", f"{key}={value}")]
            lines = self.csim("resolve", "ball.yaml", *sets).stdout.splitlines(keepends=True)
            text = "".join(line for line in lines if not line.startswith("name:"))
            self.assertEqual(case["id"], hashlib.sha256(text.encode()).hexdigest()[:12], case)

    def test_ids_do_not_depend_on_folder_name_or_place(self):
        ids = {case["id"] for case in self.cases()}
        other = self.folder / "elsewhere"
        other.mkdir()
        (other / "renamed.yaml").write_text(BALL.replace("name: ball\n", "", 1))
        (other / "s.yaml").write_text(STUDY.replace("scene: ball.yaml", "scene: renamed.yaml").replace("[lagged, sap]", "[sap, lagged]"))
        moved = json.loads(self.csim("study", "list", "elsewhere/s.yaml", "--json").stdout)
        self.assertEqual({case["id"] for case in moved}, ids)

    def test_files_of_the_scene_count_by_their_bytes_and_relative_names(self):
        tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
        scene = BALL.replace("shape: sphere, radius: 0.05", "shape: convex, file: meshes/t.obj, scale: 0.1")
        study = STUDY.split("measure:")[0].replace("scene: ball.yaml", "scene: mesh.yaml")
        ids = []
        for folder in ("a", "a_folder_of_a_much_longer_name_so_that_the_lines_of_the_resolved_scene_would_break_elsewhere"):
            (self.folder / folder / "meshes").mkdir(parents=True)
            (self.folder / folder / "meshes/t.obj").write_text(tetrahedron)
            (self.folder / folder / "mesh.yaml").write_text(scene)
            (self.folder / folder / "s.yaml").write_text(study)
            ids.append([case["id"] for case in json.loads(self.csim("study", "list", f"{folder}/s.yaml", "--json").stdout)])
        self.assertEqual(ids[0], ids[1])
        text = self.csim("resolve", "a/mesh.yaml", "--set", "time.end=0.1", "--set", "contact.model=lagged", "--set", "time.step=4e-3").stdout
        absolute = f'"{self.folder}/a/meshes/t.obj"'   # it begins with a slash: in quotes
        self.assertIn(absolute, text)
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("name:")).replace(absolute, "meshes/t.obj")
        text += f"# sha256 meshes/t.obj {hashlib.sha256(tetrahedron.encode()).hexdigest()}\n"
        self.assertEqual(ids[0][0], hashlib.sha256(text.encode()).hexdigest()[:12])
        (self.folder / "a/meshes/t.obj").write_text(tetrahedron.replace("0 0 1", "0 0 1.5"))
        self.assertNotEqual([case["id"] for case in json.loads(self.csim("study", "list", "a/s.yaml", "--json").stdout)], ids[0])

    def test_draws(self):
        study = STUDY.split("measure:")[0].replace("skip:", "#").replace("  - contact.model: [lagged, sap]\n  - time.step: {geometric: [4.0e-3, 1.0e-3, 3]}", """\
  - sample:
      count: 7
      seed: 5
      METHOD
      of:
        materials.rubber.friction: {uniform: [0.3, 0.7]}
        "bodies.ball.velocity.linear[0]": {normal: [1.0, 0.1]}
        time.step: {log_uniform: [1.0e-4, 1.0e-2]}""")
        for method in ("random", "latin_hypercube"):
            cases = self.cases(study.replace("METHOD", f"method: {method}"))
            self.assertEqual(len(cases), 7)
            for key, law in (("materials.rubber.friction", lambda u: 0.3 + 0.4 * u),
                             ("bodies.ball.velocity.linear[0]", statistics.NormalDist(1.0, 0.1).inv_cdf),
                             ("time.step", lambda u: math.exp(math.log(1e-4) + u * math.log(100)))):
                draws = [uniform(f"5 {key} {i}") for i in range(7)]
                if method == "latin_hypercube":
                    places = sorted(range(7), key=lambda n: hashlib.sha256(f"5 {key} {n} place".encode()).digest())
                    draws = [(place + u) / 7 for place, u in zip(places, draws)]
                for case, u in zip(cases, draws):
                    # Rounded to 12 digits: the last of them may differ by rounding alone.
                    self.assertAlmostEqual(case["values"][key] / law(u), 1.0, delta=2e-11)
                    self.assertEqual(case["values"][key], float(f"{case['values'][key]:.12g}"))

    def test_cases_of_one_id_are_one(self):
        cases = self.cases(STUDY.replace("{geometric: [4.0e-3, 1.0e-3, 3]}", "[0.004, 4.0e-3, 0.002, 2.5e-4]"))
        steps = [case["values"]["time.step"] for case in cases if case["values"]["contact.model"] == "lagged"]
        self.assertEqual(steps, [0.004, 0.002, 0.00025, 0.002])
        self.assertEqual([case["role"] for case in cases if case["values"]["time.step"] == 0.00025], ["case", "case"])   # the reference is one of them
        self.assertEqual(len({case["id"] for case in cases}), len(cases))

    def test_problems_have_their_places(self):
        for old, new, problem in (
                ("time.step: {geo", "time.stpe: {geo", "bad.yaml:7:5: error: time.stpe: unknown key"),
                ("contact.model: [", "contact.modle: [", "bad.yaml:6:5: error: contact.modle: unknown key"),
                ("[lagged, sap]", "[lagged, sapp]", "bad.yaml:6:29: error: contact.model: 'sapp', expected"),
                ("set: {time.end", "set: {time.edn", "bad.yaml:4:7: error: time.edn: unknown key"),
                ("set: {time.end: 0.1", "set: {time.end: soon", "bad.yaml:4:17: error: time.end: 'soon'"),
                ("item: ball", "item: bal", "bad.yaml:10:43: error: measure.z.item: 'bal' has no columns in trajectory/position (did you mean 'ball'?)"),
                ("trajectory/position", "trajectory/positions", "did you mean 'trajectory/position'?"),
                ("component: z", "component: w", "bad.yaml:10:60: error: measure.z.component: 'w', expected x, y, z, norm"),
                (", component: z", "", "measure.z.component: missing: a row has 3 numbers"),
                ("{contact.model: lagged}, order", "{contact.model: coulomb}, order", "meets no ladder"),
                ("skip: [{contact.model: sap", "skip: [{contact.model: tamsi", "meets no case"),
                ("over: time.step", "over: time.end", "not varied"),
                ("scene: ball.yaml", "scene: balll.yaml", "bad.yaml:3:8: error: scene: 'balll.yaml', file not found; it is looked for relative to this file (did you mean 'ball.yaml'?)"),
                ("trajectory/position, item: ball, component: z", "patch/face/area", "'patch/face/area', expected a dataset that the result has rows of (output.patches: full records /patch/face/)"),
                ("csim_study: 1", "csim_study: 2", "expected 1")):
            with self.subTest(new):
                self.assertIn(problem, self.problems(old, new))

    def test_a_key_that_is_not_varied_beside_misspelt_ones(self):
        """All of `vary` is misspelt: there is none to be expected in place of the key."""
        problems = self.problems("skip:", "skop:", STUDY.replace("contact.model: [", "contact.modle: [").replace("time.step: {geo", "time.stpe: {geo").replace("over: time.step", "over: time.end"))
        self.assertIn("'time.end', not varied, expected a key that stands under vary", problems)
        self.assertIn("time.stpe: unknown key", problems)

    def test_independent_problems_are_told_together(self):
        """Ways that lead nowhere, keys, values, what measures ask of the scene and what gates refer to, in the order of the file."""
        self.write("bad.yaml", """\
csim_study: 1
name: bounce
scene: ball.yaml
set: {time.ned: 0.05, bodies.ball.mass: -1}
vary:
  - materials.ruber.stiffness: [1.0e+4, 1.0e+5]
  - materials.rubber.friction: [0.1, -0.5]
measure:
  h: {dataset: trajectory/position, item: bal, component: z, reduce: max}
  v: {dataset: trajectory/velocty, item: ball, component: z, reduce: max}
  w: {dataset: trajectory/position, item: ball, component: z, reduce: maxx}
gates:
  - {measure: hh, max: 1}
""")
        shown = self.csim("study", "list", "bad.yaml", expect=INVALID).stderr
        told = [line for line in shown.splitlines() if ": error: " in line]
        for line, words in zip(told, ("bad.yaml:4:7: error: time.ned: unknown key", "bad.yaml:4:41: error: bodies.ball.mass: -1, expected",
                                      "bad.yaml:6:5: error: materials.ruber: no element 'ruber'", "bad.yaml:7:38: error: materials.rubber.friction: -0.5, expected",
                                      "bad.yaml:9:43: error: measure.h.item: 'bal' has no columns", "bad.yaml:10:16: error: measure.v.dataset: 'trajectory/velocty'",
                                      "bad.yaml:11:71: error: measure.w.reduce: 'maxx'", "bad.yaml:13:15: error: gates.0.measure: 'hh', unknown measure")):
            self.assertTrue(line.startswith(words), f"{words}\n{shown}")
        self.assertEqual(len(told), 8, shown)

    def test_problems_wait_for_some_cases_alone(self):
        """Of a study that is wrong anyway a hundred cases are looked at, of all entries of `vary` in turn, and none that is skipped."""
        masses = ", ".join(str(-mass) for mass in range(1, 301))
        self.write("bad.yaml", f"""\
csim_study: 1
name: bounce
scene: ball.yaml
vary:
  - bodies.ball.mass: [{masses}]
  - materials.rubber.friction: [0.1, -0.5]
measure:
  z: {{dataset: trajectory/position, item: ball, component: z, reduce: max}}
gates:
  - {{measure: zz, max: 1}}
""")
        shown = self.csim("study", "list", "bad.yaml", expect=INVALID).stderr
        self.assertEqual(shown.count("error: bodies.ball.mass: "), 99, shown)
        self.assertEqual(shown.count("error: materials.rubber.friction: -0.5, expected"), 1, shown)
        self.assertEqual(shown.count("error: gates.0.measure: 'zz'"), 1, shown)
        self.assertEqual(shown.count("error: "), 101, shown)

    def test_a_case_that_is_skipped_brings_no_problem(self):
        text = """\
csim_study: 1
name: bounce
scene: ball.yaml
vary:
  - bodies.ball.mass: [1, -1]
skip:
  - {bodies.ball.mass: -1}
measure:
  z: {dataset: trajectory/position, item: ball, component: z, reduce: max}
gates:
  - {measure: z, max: 1}
"""
        self.write("good.yaml", text)
        self.csim("study", "list", "good.yaml")
        shown = self.problems("{measure: z,", "{measure: zz,", text)
        self.assertIn("gates.0.measure: 'zz'", shown)
        self.assertEqual(shown.count("error: "), 1, shown)

    def test_an_analysis_of_an_unknown_type_is_told_alone(self):
        shown = self.problems("type: convergence", "type: convergense", STUDY.replace("gates:\n", "gates:\n  - {measure: z, min: 0}\n"))
        self.assertEqual(shown.count("error: "), 1, shown)
        self.assertIn("analyses.order.type: 'convergense', expected convergence, table, plot, histogram or fit (did you mean 'convergence'?)", shown)

    def test_problems_of_expressions_have_their_places(self):
        for text, problem in (
                ("a: {expression: z / mas, units: m}", "bad.yaml:11:23: error: measure.a.expression: 'mas', unknown measure, expected one of z, a"),
                ("a: {expression: \"z / zz\", units: m}", "bad.yaml:11:24: error: measure.a.expression: 'zz', unknown measure, expected one of z, a"),
                ("a: {units: µm, expression: 'z ^ 2'}", "bad.yaml:11:33: error: measure.a.expression: '^', expected an operator or the end"),
                ("a: {expression: sqr(z), units: m}", "bad.yaml:11:19: error: measure.a.expression: 'sqr', unknown function, expected sqrt, abs, log, exp, min or max (did you mean 'sqrt'?)"),
                ("a: {expression: z + a, units: m}", "bad.yaml:11:23: error: measure.a.expression: 'a' depends on this expression itself, expected no cycle"),
                ("a: {expression: b / 2, units: m}\n  b: {expression: 2 * c, units: m}\n  c: {expression: (a + z), units: m}", "bad.yaml:13:20: error: measure.c.expression: 'a' depends on this"),
                ("a: {expression: z}", "bad.yaml:11:6: error: measure.a.units: missing, expected a unit such as m/s, or 1"),
                ("a: {expresion: z, units: m}", "bad.yaml:11:7: error: measure.a.expresion: unknown key, expected a key of an expression (did you mean 'expression'?)"),
                ("a: {expression: z, units: m, reduce: max}", "measure.a.reduce: unknown key"),
                ("a: {expression: \"z /\", units: m}", "bad.yaml:11:23: error: measure.a.expression: its end, expected a number, a measure, a function or '('")):
            with self.subTest(text):
                self.assertIn(problem, self.problems("reference:", f"  {text}\nreference:"))
        good = STUDY.replace("reference:", "  a-b: {expression: z / 2, units: m}\n  c: {expression: \"'a-b' * 2 - z\", units: m}\nreference:", 1)
        self.assertEqual(len(self.cases(good)), 9)
        self.assertIn("'a', unknown measure, expected one of z, a-b, c", self.problems("'a-b'", "a-b", good))
        many = "".join(f"  m_{i}: {{expression: z / {i + 1}, units: m}}\n" for i in range(30))
        self.assertIn("'m_x', unknown measure, expected one of the 32 of the study (did you mean 'm_0'?)",
                      self.problems("reference:", f"{many}  w: {{expression: m_x / 2, units: m}}\nreference:"))
        curve = STUDY.replace("reference:", "  path: {dataset: trajectory/position, item: ball, reduce: difference}\n  part: {expression: path / z, units: \"1\"}\nreference:", 1)
        self.assertIn("'part', made of a difference to the reference", self.problems("measures: [z]", "measures: [part]", curve))

    def test_values_of_the_command_line_stand_above_those_of_the_file(self):
        self.write("study.yaml", STUDY)
        ids = lambda *options: [case["id"] for case in json.loads(self.csim("study", "list", "study.yaml", "--json", *options).stdout)]
        plain = ids()
        self.assertEqual(ids("--set", "time.end=0.1"), plain)
        other = ids("--set", "time.end=0.2", "--set", "bodies.ball.mass=2", "--set", "time.end=0.3")
        self.write("study.yaml", STUDY.replace("set: {time.end: 0.1}", "set: {time.end: 0.3, bodies.ball.mass: 2}"))
        self.assertEqual(ids(), other)
        self.assertEqual(set(other) & set(plain), set())
        # Above a mapping around the key too, wherever that stands.
        self.write("study.yaml", STUDY.replace("set: {time.end: 0.1}", "set: {time.end: 0.2, time: {end: 0.1}}"))
        self.assertEqual(ids("--set", "time.end=0.3", "--set", "bodies[ball].mass=2"), other)

    def test_problems_of_the_command_line_point_at_the_argument(self):
        self.write("study.yaml", STUDY)
        for argument, problem in (
                ("time.edn=3", "--set time.edn:1:1: error: time.edn: unknown key, expected a key of the time section (did you mean 'end'?)\ntime.edn=3\n^\n"),
                ("time.end=soon", "--set time.end:1:10: error: time.end: 'soon', expected"),
                ("time.step=3e-3", "--set time.step:1:1: error: time.step: varied by the study, expected a key that is not"),
                ("contact.model.x=3", "--set contact.model.x:1:1: error: contact.model.x: a part of 'contact.model', which is varied; expected one of the two"),
                ("gravity", "'gravity', expected KEY=VALUE such as contact.model=sap")):
            with self.subTest(argument):
                self.assertIn(problem, self.csim("study", "list", "study.yaml", "--set", argument, expect=INVALID).stderr)
                self.csim("study", "run", "study.yaml", "--set", argument, expect=INVALID)
        self.assertEqual(self.files(), ["ball.yaml", "study.yaml"])

    def test_rows_at_other_times_are_found_before_anything_runs(self):
        text = self.problems("component: z, reduce: final", "reduce: difference", STUDY.replace("[4.0e-3, 1.0e-3, 3]", "[3.0e-3, 0.75e-3, 3]").replace("0.002}", "0.0015}"))
        self.assertIn("stand at other times than those of its reference", text)

    def test_an_index_in_brackets_is_an_index(self):
        a = self.csim("resolve", "ball.yaml", "--set", "bodies.ball.velocity.linear[0]=3").stdout
        self.assertEqual(a, self.csim("resolve", "ball.yaml", "--set", "bodies.ball.velocity.linear.0=3").stdout)
        self.assertEqual(a, self.csim("resolve", "ball.yaml", "--set", "bodies[ball].velocity.linear=[3, 0, 0]").stdout)


if __name__ == "__main__":
    main()
