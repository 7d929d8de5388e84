"""What a run warns of is in its file: rows of /warning, counted by info, in studies' tables, reports and gates."""
import json
import resource

import h5py
import numpy as np

from csim_testing import BALL, DONE, GATE, INVALID, CliTest, main, text

OVERLAP = """\
csim: 1
name: far
time: {step: 1.0e-2, end: 0.1}
materials: {m: {}}
bodies:
  - {name: g, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: a, density: 1000, pose: {xyz: [0, 0, 0.04]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, density: 1000, pose: {xyz: [0.05, 0, 0.04]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
"""
# A crate of 0.6 kg and 6 cm, 3 mm in the floor: four corners store 2 k delta^2 J, k = 5e4 N/m of two materials in series.
CRATE = """\
csim: 1
name: crate
time: {step: 1.0e-4, end: 0.01}
materials: {m: {friction: 0.5, stiffness: 1.0e+5, hunt_crossley_dissipation: 0}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: crate, density: 1000, pose: {xyz: [0, 0, 0.027]}, geometry: [{shape: box, size: [0.1, 0.1, 0.06], material: m}]}
"""
PENCIL = """\
csim: 1
name: pencil
time: {step: 0.005, end: 0.2}
materials: {m: {friction: 0.8, stiffness: 1.0e+8, hunt_crossley_dissipation: 20}}
bodies:
  - {name: table, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: pencil
    density: 600
    pose: {xyz: [0.030781812899310184, 0, 0.08857233587073175], rpy_deg: [0, 20, 0]}
    geometry: [{shape: capsule, radius: 0.004, length: 0.18, material: m}]
contact: {model: lagged}
"""
BOUNCE = """\
csim: 1
name: bounce
time: {step: 0.001, end: 3}
materials: {m: {friction: 0, stiffness: 1.0e+5, hunt_crossley_dissipation: 0}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: ball, density: 1000, pose: {xyz: [0, 0, 0.15]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}
integrator: {type: continuous, accuracy: 1.0e-3}
"""


class Warned(CliTest):
    def rows(self, name):
        with h5py.File(self.folder / name) as file:
            return [(text(kind), float(time), text(said)) for kind, time, said in
                    zip(file["warning/kind"][:], file["warning/time"][:], file["warning/text"][:])]

    def printed(self, result):
        return [line.removeprefix("csim: warning: ") for line in result.stderr.splitlines() if line.startswith("csim: warning: ")]

    def test_what_is_printed_is_in_the_file(self):
        self.write("scene.yaml", OVERLAP)
        printed = self.printed(self.csim("run", "scene.yaml"))
        self.assertGreater(len(printed), 2)
        self.assertEqual([said for _, _, said in self.rows("far.h5")], printed)
        self.assertIn("start", {kind for kind, _, _ in self.rows("far.h5")})
        shown = self.csim("info", "far.h5").stdout
        self.assertTrue(shown.startswith(f"far.h5: complete, with {len(printed)} warnings\n"), shown)
        for said in printed:
            self.assertIn(said, shown)
        summary = json.loads(self.csim("info", "far.h5", "--json").stdout)
        self.assertEqual(summary["warnings"], len(printed))
        self.assertEqual([one["text"] for one in summary["warning_texts"]], printed)
        self.assertIn(f",{len(printed)}\n", self.csim("table", "far.h5", "--columns", "file,warnings").stdout)

    def test_of_a_key_that_is_likely_a_slip(self):
        """Degrees for radians: told with the key's path, whatever the folder."""
        self.write("scene.yaml", BALL.replace("pose: {xyz: [0, 0, 0.3]}", "pose: {xyz: [0, 0, 0.3], rpy: [0, 0, 90]}"))
        self.csim("run", "scene.yaml", "-q")
        (kind, time, said), = self.rows("ball.h5")
        self.assertEqual((kind, time), ("scene", 0.0))
        self.assertTrue(said.startswith("bodies.ball.pose.rpy"), said)

    def test_none(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-q")
        self.assertEqual(self.rows("ball.h5"), [])
        self.assertIn("complete, no warnings", self.csim("info", "ball.h5").stdout)

    def test_a_resumed_run_has_the_same(self):
        self.write("scene.yaml", OVERLAP)
        self.csim("run", "scene.yaml", "-q", "-o", "whole.h5")
        self.csim("run", "scene.yaml", "-q", "-o", "part.h5", "--end", "0.05")
        self.csim("run", "scene.yaml", "-q", "-o", "part.h5", "--resume")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "part.h5")

    def test_in_a_study(self):
        self.write("scene.yaml", OVERLAP)
        self.write("study.yaml", """\
            csim_study: 1
            name: warned
            scene: scene.yaml
            vary: [{contact.model: [lagged, coulomb]}]
            measure:
              warnings: {dataset: warning/time, reduce: count}
              z: {dataset: trajectory/position, item: a, component: z, reduce: max}
            analyses: [{type: table, measures: [z]}]
            gates: [{measure: warnings, max: 0}, {measure: z, max: 1.0e+9}]
            """)
        done = self.csim("study", "run", "study.yaml", expect=GATE)
        self.assertIn("gates held: 1 of 2, cases complete: 2 of 2, with warnings: 2\n", done.stdout)
        report = json.loads((self.folder / "warned/report.json").read_text())
        for case in report["cases"]:
            self.assertEqual(case["measures"]["warnings"], len(case["warnings"]))
            self.assertGreater(len(case["warnings"]), 2)
        page = (self.folder / "warned/report.md").read_text()
        self.assertIn("## Warnings", page)
        self.assertIn("| start | 2 | 0: contact.model: lagged |", page)
        with h5py.File(self.folder / "warned/study.h5") as file:
            self.assertEqual(list(file["case/warnings"][:]), [len(case["warnings"]) for case in report["cases"]])

    def test_overlaps_by_what_they_store(self):
        """Too shallow to be told by depth: 3 mm of a crate of 6 cm throw it by more than its size."""
        self.write("scene.yaml", CRATE)
        said = self.printed(self.csim("run", "scene.yaml"))
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], r"^at the start '(ground|crate)/geometry_0' and '(ground|crate)/geometry_0' overlap by 0\.003 m, which stores 0\.\d+ J, enough to throw 'crate' 0\.1\d+ m up$")
        self.assertIn(said[0], self.csim("explain", "scene.yaml").stdout)
        # At rest its corners are m g / 4 k deep, and store next to nothing.
        self.assertEqual(self.printed(self.csim("run", "scene.yaml", "--force", "--set", "bodies.crate.pose.xyz=[0, 0, 0.02997]")), [])

    def test_friction_that_lags(self):
        """Under lagged the foot of a tilted pencil slides as without friction; coulomb has no lag."""
        self.write("scene.yaml", PENCIL)
        said = self.printed(self.csim("run", "scene.yaml"))
        told = [line for line in said if line.startswith("friction lags: ")]
        self.assertEqual(len(told), 1, said)
        self.assertIn("the friction of 'table/geometry_0' and 'pencil/geometry_0'", told[0])
        with h5py.File(self.folder / "pencil.h5") as file:
            lags = [i for i, kind in enumerate(file["event/kind"][:]) if text(kind) == "friction lag"]
            self.assertGreater(len(lags), 20)  # of 40 steps
            self.assertTrue((file["event/value"][:][lags] > 0.5).all())
        self.assertFalse(any("lags" in line for line in self.printed(self.csim("run", "scene.yaml", "--force", "--set", "contact.model=coulomb"))))

    def test_losses_of_integration(self):
        """An elastic ball at a coarse accuracy; at a fine one it loses less than 1 % in the same time."""
        self.write("scene.yaml", BOUNCE)
        told, = [line for line in self.printed(self.csim("run", "scene.yaml")) if line.startswith("energy lost")]
        self.assertIn("'ball'", told)
        self.assertIn("integrator.accuracy = 0.001", told)
        with h5py.File(self.folder / "bounce.h5") as file:
            kinds = [text(kind) for kind in file["event/kind"][:]]
            values = file["event/value"][:][[kind == "energy lost" for kind in kinds]]
            total = file["energy/total"][:]
            self.assertTrue((values[1:] > 2 * values[:-1]).all(), values)
            self.assertLessEqual(values[-1], total[0] - total.min() + 1e-9)
            self.assertGreater(values[0], 0.01 * file["energy/turned_over"][0])
        fine = self.csim("run", "scene.yaml", "--force", "--set", "integrator.accuracy=1e-7")
        self.assertEqual(self.printed(fine), [])

    def test_round_off_is_no_percentage(self):
        """A balance error of some 1e-17 J beside energies that are no smaller than 0.1 J."""
        self.write("scene.yaml", """\
            csim: 1
            name: still
            time: {step: 0.01, end: 0.1}
            materials: {m: {}}
            bodies:
              - {name: table, fixed: true, geometry: [{shape: half_space, material: m}]}
              - {name: block, mass: 0.5, inertia: solid, pose: {xyz: [0, 0, 0.03]}, geometry: [{shape: box, size: [0.06, 0.06, 0.06], material: m}]}
            integrator: {type: quasistatic}
            """)
        self.csim("run", "scene.yaml", "-q")
        self.assertRegex(self.csim("info", "still.h5").stdout, r"\n  energy error +(0 J|\S+ J, round-off)")

    def test_losses_and_gains_of_steps_apart(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-q")
        with h5py.File(self.folder / "ball.h5") as file:
            change = np.diff(file["energy/normal_spring_loss"][:] - file["energy/normal_overlap_gain"][:])
        energy = json.loads(self.csim("info", "ball.h5", "--json").stdout)["energy"]
        self.assertAlmostEqual(energy["step_loss"], change[change > 0].sum(), delta=1e-12)
        self.assertAlmostEqual(energy["step_gain"], -change[change < 0].sum(), delta=1e-12)

    def test_prescribed_bodies_without_contact(self):
        scene = """\
            csim: 1
            name: press
            time: {step: 1.0e-3, end: 0.01}
            materials: {m: {friction: 0}}
            bodies:
              - {name: plate, fixed: true, geometry: [{shape: box, size: [1, 1, 0.02], material: m}]}
              - {name: indenter, motion: {times: [0, 0.01], xyz: [[0, 0, 0.06], [0, 0, 0.03]]}, geometry: [{shape: sphere, radius: 0.04, material: m}]}
            """
        self.write("scene.yaml", scene)
        said = self.csim("run", "scene.yaml").stderr
        self.assertRegex(said, r"scene\.yaml:\d+:\d+: note: bodies\.indenter: 'plate' and 'indenter' reach each other in this run, and neither gives way")
        self.write("apart.yaml", scene.replace("[0, 0, 0.03]", "[0, 0, 0.055]"))
        self.assertNotIn("neither gives way", self.csim("run", "apart.yaml", "--force").stderr)

    def test_of_many_prescribed_bodies_a_few_pairs_are_told(self):
        # Every pair of 10 000 bodies at each time looked at would take minutes.
        def body(name, x, y):
            return f"  - {{name: {name}, motion: {{velocity: [0, 0, 1]}}, pose: {{xyz: [{x}, {y}, 1]}}, geometry: [{{shape: sphere, radius: 0.04, material: m}}]}}\n"
        head = """\
csim: 1
name: field
time: {step: 1.0e-3, end: 1.0e-3}
materials: {m: {}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
"""
        field = head + "".join(body(f"b_{i}", 0.1 * (i % 100), 0.1 * (i // 100)) for i in range(10000))
        self.write("scene.yaml", field)
        begun = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        self.assertNotIn("neither gives way", self.csim("run", "scene.yaml").stderr)
        self.assertLess(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - begun, 30.0)
        self.write("scene.yaml", field + body("between", 0.05, 0.0) + "".join(body(f"c_{i}", 0.1 * i, 0.05) for i in range(20)))
        told = [line for line in self.csim("run", "scene.yaml", "--force").stderr.splitlines() if "neither gives way" in line]
        self.assertEqual(len(told), 5)
        self.assertRegex(told[0], "bodies.b_0: 'b_0' and 'between' reach each other")


class Words(CliTest):
    def test_the_longest_contacts(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        with h5py.File(self.folder / "ball.h5") as file:
            time, peak = file["pair/contact_time"][:].sum(), file["pair/peak_normal_force"][:].max()
        pair, = json.loads(self.csim("info", "ball.h5", "--json").stdout)["longest_contacts"]
        self.assertEqual((pair["body_a"], pair["body_b"], pair["peak_normal_force"]), ("ground", "ball", peak))
        self.assertAlmostEqual(pair["contact_time"], time, delta=1e-12)
        self.assertRegex(self.csim("info", "ball.h5", "-v").stdout, rf"\nlongest contacts .*\n  ground with ball +{time:.4g} s +{peak:.4g} N\n")

    def test_restitution_and_bodies_without_mass(self):
        """The dissipation of e = 0.593624 at 1 m/s is 1 s/m: ln((1 + y)/(1 - e y)) = y (1 + e) at y = 1."""
        self.write("ball.yaml", BALL.replace("hunt_crossley_dissipation: 0.2", "restitution: 0.593624"))
        self.assertIn("did you mean 'hunt_crossley_dissipation: 1'", self.csim("validate", "ball.yaml", expect=INVALID).stderr)
        self.write("arm.yaml", """\
            csim: 1
            time: {end: 0.01}
            bodies: [{name: link, mass: 0}, {name: bob, mass: 1, inertia: [0.1, 0.1, 0.1]}]
            joints:
              - {name: a, type: revolute, parent: world, child: link}
              - {name: b, type: revolute, parent: link, child: bob, axis: [0, 1, 0]}
            """)
        self.csim("validate", "arm.yaml")
        self.assertIn("inertia: [0", self.csim("resolve", "arm.yaml").stdout)

    def test_cubic_commands_that_overshoot(self):
        scene = """\
            csim: 1
            time: {end: 3}
            bodies: [{name: hand, mass: 1, inertia: [1, 1, 1]}]
            joints: [{name: lift, type: prismatic, parent: world, child: hand}]
            actuators: [{name: up, joint: lift, type: position, stiffness: 1.0e+4, command: {times: [0, 1, 2, 3], values: [0, 0, 0.2, 0.2], interpolation: cubic}}]
            """
        self.write("scene.yaml", scene)
        self.assertIn("actuators.up: the cubic command goes from -0.0178 to 0.218, beyond its values of 0 to 0.2", self.csim("explain", "scene.yaml").stdout)
        self.write("scene.yaml", scene.replace("cubic", "linear"))
        self.assertNotIn("cubic command", self.csim("explain", "scene.yaml").stdout)

    def test_files_of_another_kind(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q", "--end", "0.01")
        self.write("study.yaml", "csim_study: 1\nscene: ball.yaml\nmeasure: {z: {dataset: trajectory/position, item: ball, component: z}}\n")
        for arguments, told in ((["run", "study.yaml"], "a study, expected a scene; `csim study run study.yaml` runs it"),
                                (["run", "ball.h5"], "an HDF5 file such as a result, expected a scene"),
                                (["validate", "ball.h5"], "an HDF5 file such as a result, expected a scene"),
                                (["view", "ball.h5", "--overlay", "ball.yaml"], "ball.yaml: a scene, expected a result to lay over the first"),
                                (["study", "run", "ball.yaml"], "a scene, expected a study; `csim run ball.yaml` runs it"),
                                (["study", "list", "ball.h5"], "an HDF5 file such as a result, expected a study"),
                                (["info", "ball.yaml"], "a scene or a study by its name; expected a result")):
            lines = self.csim(*arguments, expect=INVALID).stderr.splitlines()
            self.assertEqual(len(lines), 1, lines)
            self.assertIn(told, lines[0])

    def test_help_is_as_it_is_typed(self):
        shown = self.csim("--help-all").stdout
        for leftover in ("{false}", "{yes}", "INT:", "TEXT:", "INT in [", "Needs:", "Excludes:"):
            self.assertNotIn(leftover, shown)
        self.assertIn("--no-contacts ", self.csim("help", "view").stdout)
        self.assertIn("--threads INT (default: 1)", self.csim("help", "run").stdout)
        self.assertIn("--size X Y Z  ", self.csim("help", "mesh", "make").stdout)
        self.assertIn("--frames A:B:STEP (not with --every)", self.csim("help", "export").stdout)

    def test_misspelt_keys_of_a_study_come_first(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", """\
            csim_study: 1
            scene: ball.yaml
            set: {time.ned: 0.2}
            vary: [{time.stepp: [0.02, 0.01, 0.005]}]
            measure: {z: {dataset: trajectory/position, item: ball, component: z, reduce: final}}
            reference: {case: {time.step: 0.001}}
            analyses: [{type: convergence, name: order, over: time.step, measures: [z]}]
            """)
        told = [line for line in self.csim("study", "list", "study.yaml", expect=INVALID).stderr.splitlines() if "error" in line]
        self.assertRegex(told[0], r"^study\.yaml:3:7: error: time\.ned: unknown key, .*did you mean 'end'")
        self.assertRegex(told[1], r"^study\.yaml:4:9: error: time\.stepp: unknown key, .*did you mean 'step'")
        self.assertEqual(len(told), 2, told)

    def test_a_tolerance_of_zero_is_equality(self):
        self.write("ball.yaml", BALL)
        study = """\
            csim_study: 1
            name: equal
            scene: ball.yaml
            set: {time.end: 0.01}
            vary: [{contact.model: [lagged]}]
            measure: {y: {dataset: trajectory/position, item: ball, component: y, reduce: final}}
            gates: [{measure: y, value: 0, %s: 0}, {measure: y, value: 1, %s: 0}]
            """
        for key in ("rtol", "atol"):
            self.write("study.yaml", study % (key, key))
            self.assertIn("gates held: 1 of 2", self.csim("study", "run", "study.yaml", expect=GATE).stdout)
        self.write("study.yaml", (study % ("min", "min")).replace("min: 0", "where: {}"))
        self.assertIn("without a tolerance", self.csim("study", "run", "study.yaml", expect=INVALID).stderr)

    def test_units_of_varied_keys(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", """\
            csim_study: 1
            name: units
            scene: ball.yaml
            set: {time.end: 0.01}
            vary:
              - zip: {time.step: [0.001, 0.0005], "bodies.ball.pose.xyz[2]": [0.3, 0.4], materials.rubber.friction: [0.1, 0.2], materials.rubber.stiffness: [1.0e+5, 1.0e+6]}
            measure: {z: {dataset: trajectory/position, item: ball, component: z, reduce: final}}
            """)
        self.csim("study", "run", "study.yaml")
        with h5py.File(self.folder / "units/study.h5") as file:
            units = {key: text(np.atleast_1d(values.attrs["units"])[0]) for key, values in file["vary"].items()}
        self.assertEqual(units, {"time.step": "s", "bodies.ball.pose.xyz[2]": "m", "materials.rubber.friction": "1", "materials.rubber.stiffness": "N/m"})

    def test_the_columns_of_a_group(self):
        self.write("ball.yaml", BALL)
        self.write("study.yaml", "csim_study: 1\nscene: ball.yaml\nvary: [{contact.model: [lagged]}]\nmeasure: {f: {dataset: patch/normal_force, pair: [ball, ground], reduce: max}}\n")
        said = self.csim("study", "list", "study.yaml", expect=INVALID).stderr
        self.assertIn("patch/ has ", said)
        self.assertIn("max_pressure", said)
        self.assertNotIn("output.patches", said)

    def test_who_did_not_converge(self):
        self.write("ball.yaml", BALL)
        said = self.csim("run", "ball.yaml", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", expect=3).stderr
        self.assertIn("the solver did not converge for 'ball' (1 contact): residual ", said)
        self.assertIn("after 1 iteration, all that solver.max_iterations allows", said)
        self.assertIn("a larger solver.max_iterations may help", said)
        self.assertNotIn("island", said)


if __name__ == "__main__":
    main()
