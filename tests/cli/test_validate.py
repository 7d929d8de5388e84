"""`csim validate`: all errors of all files, each with its place."""
import json

from csim_testing import BALL, INVALID, CliTest, main

# Four problems: a misspelt key, a value out of range, an unknown name, a key of another shape.
BAD = """\
csim: 1
name: bad
time: {step: 1.0e-3, end: 0.5}
materials:
  rubber: {fricton: 0.5}
bodies:
  - name: ground
    fixed: true
    geometry: [{shape: half_space, material: rubber}]
  - name: ball
    mass: -0.5
    inertia: solid
    geometry: [{shape: sphere, radius: 0.05, material: ruber}]
  - name: brick
    density: 100
    geometry: [{shape: box, size: [1, 1, 1], radius: 0.1, material: rubber}]
"""


# Under integrator.type continuous what a start violates would have to be mended by a jump.
VIOLATED = """\
csim: 1
time: {end: 1}
integrator: {type: continuous}
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: j, type: revolute, parent: world, child: a, limits: [-1, 0.5], position: 0.75}
  - {name: k, type: revolute, parent: a, child: b}
constraints:
  - {name: c, type: coupler, joint_a: j, joint_b: k}
"""
VIOLATED_ERRORS = """\
scene.yaml:8:85: error: joints.j.position: 0.75, outside the limits -1 to 0.5, expected a start within them under integrator.type: continuous
  - {name: j, type: revolute, parent: world, child: a, limits: [-1, 0.5], position: 0.75}
                                                                                    ^
scene.yaml:11:5: error: constraints.c: violated by 0.75 rad at the start, expected positions at which it holds under integrator.type: continuous; `assemble: true` moves the bodies there
  - {name: c, type: coupler, joint_a: j, joint_b: k}
    ^
"""


class Validate(CliTest):
    def test_rows_of_joints_that_the_start_violates(self):
        self.write("scene.yaml", VIOLATED)
        self.assertEqual(self.csim("validate", "scene.yaml", expect=INVALID).stderr, VIOLATED_ERRORS)
        self.write("scene.yaml", VIOLATED.replace("continuous", "discrete"))
        self.csim("validate", "scene.yaml")

    def test_values_in_place_of_the_file_s(self):
        """--set, as of other commands, for every scene that is named."""
        self.write("a.yaml", BALL)
        self.write("b.yaml", BALL)
        self.csim("validate", "a.yaml", "--set", "contact.model=sap")
        said = self.csim("validate", "a.yaml", "b.yaml", "--set", "time.step=-1", expect=INVALID).stderr
        self.assertEqual(said.count("--set time.step:1:11: error: time.step: -1, expected a number > 0 (s)"), 2, said)

    def test_pressures_that_grow_too_fast_for_numbers(self):
        for modulus, thickness in ((1e300, 0.1), (1e5, 1e-18), (1e5, 1.0)):
            self.write("scene.yaml", f"""\
                csim: 1
                time: {{step: 1.0e-3, end: 0.01}}
                materials: {{foam: {{hydroelastic_modulus: {modulus}}}}}
                bodies:
                  - {{name: ground, fixed: true, geometry: [{{shape: half_space, material: foam, contact: rigid}}]}}
                  - {{name: box, mass: 5, inertia: solid, geometry: [{{shape: box, size: [1, 1, {thickness}], material: foam, contact: compliant}}]}}
                """)
            if modulus == 1e5 and thickness == 1.0:
                self.csim("validate", "scene.yaml")
                continue
            errors = self.csim("validate", "scene.yaml", expect=INVALID).stderr
            self.assertRegex(errors, r"scene.yaml:6:\d+: error: bodies.box.geometry.0: its pressure grows too fast for numbers")

    def test_a_good_scene(self):
        self.write("scene.yaml", BALL)
        result = self.csim("validate", "scene.yaml")
        self.assertNotIn("error", result.stderr)
        self.assertEqual(json.loads(self.csim("validate", "scene.yaml", "--json").stdout), [])
        self.assertEqual(self.files(), ["scene.yaml"])

    def test_notes_are_those_of_a_run(self):
        self.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 1 1 1\n")
        scene = ("csim: 1\ntime: {end: 0.0105}\nmaterials: {m: {}}\nbodies:\n  - name: a\n    density: 1000\n"
                 "    geometry: [{shape: mesh, file: a.obj, material: m, margin: 0.01}]\n")
        for name, more in (("steps.yaml", ""), ("continuous.yaml", "integrator: {type: continuous}\nsolver: {tolerance: 1.0e-3}\n")):
            self.write(name, scene + more)
            told = self.csim("validate", name).stderr.splitlines()
            of_run = [line for line in self.csim("run", name, "-o", "out.h5", "--force").stderr.splitlines() if "note: " in line]
            self.assertEqual([line.split("note: ")[1] for line in told], [line.split("note: ")[1] for line in of_run])
            place = "2:13: note: time.end is not a whole number of steps" if not more else "9:9: note: solver has no effect"
            self.assertTrue(any(line.startswith(f"{name}:{place}") for line in told), told)
            self.assertGreaterEqual(len(told), 3)

    def test_a_gap_below_what_slides_is_a_note(self):
        scene = ("csim: 1\ntime: {step: 0.01, end: 1}\nmaterials: {m: {friction: 0.5, relaxation_time: 0.1}}\nbodies:\n"
                 "  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
                 "  - {name: box, mass: 1, inertia: solid, geometry: [{shape: box, size: [1, 1, 1], material: m}]}\n")
        for contact, gap in (("{model: sap}", "0.105"), ("{model: lagged}", None),
                             ("{model: sap, pairs: [{a: floor, b: box, relaxation_time: 0.05}]}", "0.03"),
                             ("{model: sap, pairs: [{a: floor, b: box, friction: 0}]}", None)):
            with self.subTest(contact):
                self.write("scene.yaml", scene + f"contact: {contact}\n")
                told = self.csim("validate", "scene.yaml").stderr
                if gap is None:
                    self.assertNotIn("slide", told)
                else:
                    self.assertIn(f"here by up to {gap} m at 1 m/s", told)

    def test_what_surprises_is_said(self):
        # m = 4/3 pi 0.1^3 1000 = 4.19 kg on k = 5e5 N/m: half a period of 9.1 ms.
        scene = """\
            csim: 1
            gravity: [0, 0, -9.81]
            time: {step: 5.0e-4, end: 1}
            materials: {m: {friction: 0.5}}
            bodies:
              - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
              - {name: ball, density: 1000, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
            """
        self.write("scene.yaml", scene)
        told = self.csim("validate", "scene.yaml")
        self.assertEqual((told.stdout, told.stderr), ("ok: 2 bodies, 0 joints\n", ""))
        self.assertEqual(self.csim("validate", "scene.yaml", "scene.yaml").stdout, "scene.yaml: ok: 2 bodies, 0 joints\n" * 2)
        for old, new, says in (("-9.81", "9.81", "note: gravity points up"),
                               ("friction: 0.5", "friction: 50", "note: materials.m: friction 50"),
                               ("density: 1000", "density: 5", "note: bodies.ball: density 5 kg/m^3"),
                               ("radius: 0.1", "radius: 50", "lengths are in metres"),
                               ("friction: 0.5", "friction: 0.5, hunt_crossley_dissipation: 1, stiffness: 1.0e+7", "if 'ball' hits 'floor', their contact lasts 0.00288 s, 5.8 steps: the step damps it, and leaves about 42 % of the rebound"),
                               ("end: 1}", "end: 100}", "note: bodies that stick creep"),
                               ("[0, 0, 0.1]", "[0, 0, 0.06]", "warning: at the start 'floor/geometry_0' and 'ball/geometry_0' overlap by 0.04 m")):
            with self.subTest(new):
                self.write("scene.yaml", scene.replace(old, new))
                self.assertIn(says, self.csim("validate", "scene.yaml").stderr)
        patch = scene.replace("radius: 0.1, material: m", "radius: 0.1, material: m, contact: compliant").replace("[0, 0, 0.1]", "[0, 0, 0.06]")
        self.write("scene.yaml", patch)
        self.assertRegex(self.csim("validate", "scene.yaml").stderr, r"'floor/geometry_0' and 'ball/geometry_0' overlap by 0\.0(3[5-9]|40)\d* m")

    def test_all_problems_with_their_places_and_a_caret(self):
        self.write("bad.yaml", BAD)
        result = self.csim("validate", "bad.yaml", expect=INVALID)
        lines = result.stderr.splitlines()
        # Key for the unknown key, else the value; 1-based line and column.
        for place, path in (("bad.yaml:5:12", "materials.rubber.fricton"), ("bad.yaml:11:11", "bodies.ball.mass"),
                            ("bad.yaml:13:56", "bodies.ball.geometry"), ("bad.yaml:16:46", "bodies.brick.geometry")):
            with self.subTest(path):
                found = [i for i, line in enumerate(lines) if line.startswith(place + ": error: " + path)]
                self.assertEqual(len(found), 1, result.stderr)
                source, caret = lines[found[0] + 1], lines[found[0] + 2]
                line = int(place.split(":")[1])
                self.assertIn(BAD.splitlines()[line - 1].strip(), source)
                self.assertEqual(caret.strip()[0], "^")
                # The caret stands under the column, whatever stands before the source line.
                column = int(place.split(":")[2])
                self.assertEqual(source[caret.index("^"):], BAD.splitlines()[line - 1][column - 1:])
        self.assertEqual(sum(": error: " in line for line in lines), 4, result.stderr)

    def test_the_name_that_is_meant_is_looked_for_a_hundred_times(self):
        """Among all names: of thousands of wrong ones among thousands of names the time would grow as a square. All are told."""
        text = "csim: 1\ntime: {end: 1}\nbodies:\n"
        text += "".join(f"  - {{name: body{i}, mass: 1, inertia: [1, 1, 1]}}\n" for i in range(150))
        text += "joints:\n" + "".join(f"  - {{name: j{i}, type: revolute, parent: world, child: bodi{i}, axis: [0, 0, 1]}}\n" for i in range(150))
        self.write("wrong.yaml", text)
        shown = self.csim("validate", "wrong.yaml", expect=INVALID).stderr
        self.assertEqual(shown.count("unknown body, expected one "), 150, shown)
        self.assertEqual(shown.count("did you mean 'body"), 100, shown)
        self.assertIn("joints.j100.child: 'bodi100', unknown body, expected one that the scene has\n", shown)

    def test_many_problems_on_one_long_line(self):
        """Of a file that a program writes: each shows the neighbourhood of its place."""
        count = 3000
        bodies = ", ".join(f'{{"name": "b{i}", "mass": 1, "inertia": [1, 1, 1], "colour": 1}}' for i in range(count))
        self.write("scene.yaml", f'{{"csim": 1, "time": {{"end": 1}}, "bodies": [{bodies}]}}')
        lines = self.csim("validate", "scene.yaml", expect=INVALID).stderr.splitlines()
        self.assertEqual(len(lines), 3 * count)
        for i in (0, 1, 1700, count - 1):
            self.assertIn(f"bodies.b{i}.colour: unknown key", lines[3 * i])
            self.assertLessEqual(len(lines[3 * i + 1]), 162)
            caret = lines[3 * i + 2].index("^")
            self.assertTrue(lines[3 * i + 1][caret:].startswith('"colour": 1'), lines[3 * i + 1])
            self.assertIn(f'"b{i}"', lines[3 * i + 1])

    def test_degrees_for_radians_are_a_warning(self):
        """It is allowed: exit code 0, no problem in --json, and a run goes on."""
        self.write("scene.yaml", BALL.replace("pose: {xyz: [0, 0, 0.3]}", "pose: {xyz: [0, 0, 0.3], rpy: [0, 90, 0]}"))
        message = "bodies.ball.pose.rpy.1: 90 rad is 14.3 turns, expected radians (90 degrees are 1.5708; the key rpy_deg takes degrees)"
        result = self.csim("validate", "scene.yaml")
        lines = result.stderr.splitlines()
        self.assertEqual(lines[0], f"scene.yaml:13:39: warning: {message}")
        self.assertEqual(lines[1][lines[2].index("^"):], "90, 0]}")
        self.assertEqual(json.loads(self.csim("validate", "scene.yaml", "--json").stdout), [])
        self.assertIn(f"csim: warning: scene.yaml:13:39: {message}\n", self.csim("run", "scene.yaml", "--end", "0.01").stderr)
        told = self.csim("run", "scene.yaml", "--force", "--end", "0.01", "--set", "bodies.ball.pose.rpy=[45,0,0]").stderr
        self.assertIn("csim: warning: --set bodies.ball.pose.rpy:1:23: bodies.ball.pose.rpy.0: 45 rad is 7.16 turns", told)

    def test_suggests_the_nearest_name(self):
        self.write("bad.yaml", BAD)
        message = self.csim("validate", "bad.yaml", expect=INVALID).stderr
        self.assertIn("friction", message)
        self.assertRegex(message, "did you mean.*rubber")

    def test_several_files_good_and_bad(self):
        self.write("good.yaml", BALL)
        self.write("bad.yaml", BAD)
        self.write("worse.yaml", "csim: 1\n")
        result = self.csim("validate", "good.yaml", "bad.yaml", "worse.yaml", "missing.yaml", "--json", expect=INVALID)
        problems = json.loads(result.stdout)
        self.assertEqual({p["file"] for p in problems}, {"bad.yaml", "worse.yaml", "missing.yaml"})
        for problem in problems:
            self.assertEqual(sorted(problem), ["column", "file", "line", "message", "path"])
            self.assertIsInstance(problem["line"], int)
            self.assertIsInstance(problem["column"], int)
        self.assertEqual(len([p for p in problems if p["file"] == "bad.yaml"]), 4)
        worse = {p["path"] for p in problems if p["file"] == "worse.yaml"}
        self.assertTrue({"bodies", "time"} <= worse or {"bodies", "time.end"} <= worse, worse)

    def test_what_is_no_scene(self):
        self.write("empty.yaml", "")
        self.write("comment.yaml", "# nothing here\n")
        self.write("list.yaml", "[1, 2]\n")
        self.write("broken.yaml", "csim: 1\nbodies: [{\n")
        (self.folder / "binary.yaml").write_bytes(bytes(range(256)))
        (self.folder / "folder").mkdir()
        for name in ("empty.yaml", "comment.yaml", "list.yaml", "broken.yaml", "binary.yaml", "folder", "missing.yaml"):
            with self.subTest(name):
                result = self.csim("validate", name, expect=INVALID)
                self.assertIn(name, result.stderr)
                self.assertEqual(result.stdout, "")
                problems = json.loads(self.csim("validate", name, "--json", expect=INVALID).stdout)
                self.assertGreaterEqual(len(problems), 1)

    def test_what_yaml_lets_pass(self):
        """Duplicate keys, numbers that are none and several documents are errors at their place."""
        for name, scene, place in (
                ("duplicate key", BALL + "name: again\n", "16:1"),
                ("not a number", BALL.replace("mass: 0.5", "mass: .nan"), "11:11"),
                ("infinite", BALL.replace("end: 0.5", "end: .inf"), "3:27"),
                ("text", BALL.replace("mass: 0.5", "mass: heavy"), "11:11"),
                ("boolean", BALL.replace("fixed: true", "fixed: 1"), "8:12"),
                ("version", BALL.replace("csim: 1", "csim: 2"), "1:7"),
                ("two numbers in place of three", BALL.replace("[0, 0, 0.3]", "[0, 0.3]"), "13:17"),
        ):
            with self.subTest(name):
                self.write("scene.yaml", scene)
                line, column = place.split(":")
                problems = json.loads(self.csim("validate", "scene.yaml", "--json", expect=INVALID).stdout)
                self.assertEqual([(p["line"], p["column"]) for p in problems], [(int(line), int(column))], problems)

    def test_run_says_the_same_and_writes_nothing(self):
        self.write("bad.yaml", BAD)
        validated = self.csim("validate", "bad.yaml", expect=INVALID).stderr.splitlines()
        ran = self.csim("run", "bad.yaml", expect=INVALID)
        self.assertEqual([l for l in ran.stderr.splitlines() if ": error: " in l], [l for l in validated if ": error: " in l])
        self.assertEqual(ran.stdout, "")
        self.assertEqual(self.files(), ["bad.yaml"])


if __name__ == "__main__":
    main()
