"""The result file: every dataset of the format, with its shape, its type and its units; info and diff on it."""
import json
import shutil

import h5py
import numpy as np

from csim_testing import BALL, GATE, INVALID, SOURCE, CliTest, Result, main

REAL, INTEGER, TEXT = "f", "i", "SO"

# path -> (shape in terms of the sizes below, kind). F frames, B bodies, G geometries, J joints, N contacts, S steps.
FORMAT = {
    "scene/source": ("", TEXT), "scene/resolved": ("", TEXT),
    "bodies/name": ("B", TEXT), "bodies/mass": ("B", REAL), "bodies/com": ("B,3", REAL), "bodies/inertia": ("B,6", REAL),
    "bodies/q_offset": ("B+1", INTEGER), "bodies/v_offset": ("B+1", INTEGER),
    "geometries/name": ("G", TEXT), "geometries/body": ("G", INTEGER),
    "joints/name": ("J", TEXT), "joints/q_offset": ("J+1", INTEGER), "joints/v_offset": ("J+1", INTEGER),
    "trajectory/time": ("F", REAL), "trajectory/position": ("F,B,3", REAL), "trajectory/quaternion": ("F,B,4", REAL),
    "trajectory/velocity": ("F,B,3", REAL), "trajectory/angular_velocity": ("F,B,3", REAL),
    "trajectory/q": ("F,nq", REAL), "trajectory/v": ("F,nv", REAL),
    **{f"energy/{name}": ("F", REAL) for name in ("kinetic", "potential", "elastic", "total", "dissipated", "work", "balance_error", "turned_over",
                                                         "dissipated_normal", "normal_damping", "normal_spring_loss", "normal_overlap_gain", "dissipated_friction", "dissipated_joints", "work_actuators", "work_prescribed", "work_forces", "scheme_gravity", "scheme_mass_matrix", "scheme_springs", "joint_spring_loss")},
    "contact/row_offset": ("F+1", INTEGER),
    **{f"contact/{name}": ("N", INTEGER) for name in ("geometry_a", "geometry_b", "kind", "mode")},
    **{f"contact/{name}": ("N,3", REAL) for name in ("point", "normal", "force", "slip_velocity")},
    **{f"contact/{name}": ("N", REAL) for name in ("phi", "stiffness", "area", "pressure", "normal_force", "slip_speed")},
    "joint/position": ("F,nqj", REAL), "joint/velocity": ("F,nvj", REAL), "joint/effort": ("F,nvj", REAL),
    "actuator/name": ("n", TEXT), "actuator/command": ("F,n", REAL), "actuator/effort": ("F,n", REAL),
    "force/name": ("P", TEXT), "force/body": ("P", INTEGER), "force/point": ("P,3", REAL), "force/applied": ("F,P,6", REAL),
    "stats/step/time": ("S", REAL),
    **{f"stats/step/{name}": ("S", INTEGER) for name in ("iterations", "line_search_iterations", "factorizations", "num_contacts",
                                                        "num_constraints", "num_islands", "factor_nonzeros", "status")},
    **{f"stats/step/{name}": ("S", REAL) for name in ("residual", "cost", "condition")},
    **{f"stats/step/seconds_{name}": ("S", REAL) for name in ("total", "geometry", "assembly", "factor", "solve", "line_search", "record")},
    **{f"artefact/{name}": ("S", REAL) for name in ("gliding_distance", "stiction_tolerance", "friction_lag", "momentum_residual")},
}

UNITS = {"trajectory/time": "s", "trajectory/position": "m", "trajectory/quaternion": "1", "trajectory/velocity": "m/s",
         "trajectory/angular_velocity": "rad/s", "bodies/mass": "kg", "bodies/name": "", "contact/force": "N", "contact/phi": "m",
         "contact/stiffness": "N/m", "stats/step/iterations": "1", "energy/total": "J"}


class Format(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", (SOURCE / "scenes/chain/scene.yaml").read_text())
        self.csim("run", "scene.yaml", "--end", "1.5", "-q")
        self.file = h5py.File(self.folder / "chain.h5")
        self.addCleanup(self.file.close)

    def test_every_dataset_is_there_with_shape_type_and_units(self):
        f = self.file
        sizes = dict(F=len(f["trajectory/time"]), B=len(f["bodies/name"]), G=len(f["geometries/name"]), J=len(f["joints/name"]), n=0, P=0,
                     N=f["contact/row_offset"][-1], S=len(f["stats/step/time"]), nq=f["bodies/q_offset"][-1], nv=f["bodies/v_offset"][-1],
                     nqj=f["joints/q_offset"][-1], nvj=f["joints/v_offset"][-1])
        self.assertEqual((sizes["F"], sizes["B"], sizes["G"], sizes["J"], sizes["S"]), (76, 9, 9, 8, 1500))
        self.assertGreater(sizes["N"], 0)
        # revolute 1/1, ball 4/3, universal 2/2, revolute, ball, revolute, universal, ball
        self.assertEqual((sizes["nqj"], sizes["nvj"], sizes["nq"], sizes["nv"]), (19, 16, 19, 16))
        for path, (shape, kind) in FORMAT.items():
            with self.subTest(path):
                self.assertIn(path, f)
                expected = tuple(int(eval(part, {}, sizes)) for part in shape.split(",") if part)
                self.assertEqual(f[path].shape, expected)
                self.assertIn(f[path].dtype.kind, kind)
                if kind == REAL:
                    self.assertEqual(f[path].dtype, np.float64)
                self.assertIn("units", f[path].attrs)
        for path, units in UNITS.items():
            self.assertEqual(f[path].attrs["units"], units, path)

    def test_every_dataset_has_units(self):
        missing = []
        self.file.visititems(lambda name, item: missing.append(name) if isinstance(item, h5py.Dataset) and "units" not in item.attrs else None)
        self.assertEqual(missing, [])

    def test_root_and_provenance(self):
        self.assertEqual(self.file.attrs["csim_schema"], "csim-result/1")
        self.assertEqual((self.file.attrs["status"], self.file.attrs["exit_code"]), ("complete", 0))
        self.assertIn("message", self.file.attrs)
        for name in ("version", "revision", "compiler", "host", "cpu", "threads", "argv", "start", "end"):
            self.assertIn(name, self.file["provenance"].attrs)
        self.assertEqual(self.file["scene/source"][()].decode(), (self.folder / "scene.yaml").read_text())
        self.assertEqual(self.file["scene/resolved"][()].decode(), self.csim("resolve", "scene.yaml", "--set", "time.end=1.5").stdout)

    def test_sizes_agree_with_each_other(self):
        f = self.file
        np.testing.assert_allclose(np.linalg.norm(f["trajectory/quaternion"][()], axis=2), 1, atol=1e-14)
        normal, force, magnitude = (f[f"contact/{name}"][()] for name in ("normal", "force", "normal_force"))
        np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-12)
        np.testing.assert_allclose(np.sum(normal * force, axis=1), magnitude, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(f["contact/slip_velocity"][()], axis=1), f["contact/slip_speed"][()], atol=1e-14)
        np.testing.assert_array_equal(f["energy/kinetic"][()] + f["energy/potential"][()] + f["energy/elastic"][()], f["energy/total"][()])
        mode = f["contact/mode"][()]
        np.testing.assert_array_equal(mode == 0, magnitude == 0)
        self.assertEqual(set(mode) - {0, 1, 2}, set())
        # The floor is the first geometry: forces on the links point up.
        self.assertTrue((f["contact/geometry_a"][()] == 0).all())
        np.testing.assert_allclose(normal, np.tile([0, 0, 1], (len(normal), 1)), atol=1e-12)
        self.assertEqual(f["contact/row_offset"][1], 0, "row 0 has no contacts")
        offsets = f["contact/row_offset"][()]
        self.assertTrue((np.diff(offsets) >= 0).all())
        rows = np.rint(f["trajectory/time"][1:] / 1e-3).astype(int) - 1
        np.testing.assert_array_equal(np.diff(offsets)[1:], f["stats/step/num_contacts"][()][rows])

    def test_residuals_agree_and_energy_balances(self):
        f = self.file
        np.testing.assert_allclose(f["artefact/momentum_residual"][()], f["stats/step/residual"][()], rtol=1e-3, atol=1e-11)
        scheme = f["energy/scheme_gravity"][()] + f["energy/scheme_mass_matrix"][()] + f["energy/scheme_springs"][()] - f["energy/joint_spring_loss"][()]
        audit = f["energy/total"][()] + f["energy/dissipated"][()] - f["energy/work"][()] - scheme
        drift = np.abs(audit - audit[0])
        self.assertTrue((drift <= np.abs(f["energy/balance_error"][()]) + 1e-9).all(), drift.max())


class Mode(CliTest):
    """As schemas/results.md says it: by the slip speed, which creep passes at 71 % of friction's bound."""

    def test_of_contacts_that_hold(self):
        self.write("slope.yaml", """\
            csim: 1
            name: slope
            time: {step: 1.0e-3, end: 0.3}
            materials: {wood: {friction: 1.0, stiffness: 1.0e+6}}
            bodies:
              - {name: ground, fixed: true, geometry: [{shape: half_space, material: wood}]}
              - {name: box, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.01]}, geometry: [{shape: box, size: [0.4, 0.4, 0.02], material: wood}]}
            """)
        for model in ("lagged", "coulomb", "similar"):
            for part, mode in ((0.70, 1), (0.72, 2)):
                with self.subTest(model=model, part=part):
                    self.csim("run", "slope.yaml", "-o", "slope.h5", "-q", "--force", "--set", f"contact.model={model}", "--set", f"gravity=[{9.81 * part}, 0, -9.81]")
                    result = Result(self.folder / "slope.h5")
                    rows = result.contacts(-1 + len(result.time))
                    self.assertEqual(set(result.data["contact/mode"][rows]), {mode})
                    # Within the residual of the solver, 1e-6.
                    np.testing.assert_allclose(result.data["contact/slip_speed"][rows], 1e-4 * part / np.sqrt(1 - part**2), rtol=1e-4)
        page = (SOURCE / "schemas/results.md").read_text()
        self.assertIn("2 where it is more than 1/√2 (71 %) of it", page)


class Info(CliTest):
    def test_of_a_result(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-q")
        shown = self.csim("info", "ball.h5")
        self.assertIn("complete", shown.stdout)
        self.assertEqual(shown.stderr, "")
        summary = json.loads(self.csim("info", "ball.h5", "--json").stdout)
        self.assertEqual(summary["status"], "complete")

    def test_begins_with_the_verdict(self):
        """How it ended, warnings, penetration and energy, with the numbers of the file; tables with -v alone."""
        self.write("scene.yaml", BALL)
        ran = self.csim("run", "scene.yaml", "--set", "contact.model=lagged").stdout  # its friction lags: an event
        shown = self.csim("info", "ball.h5").stdout
        self.assertEqual(ran, shown)
        lines = shown.splitlines()
        self.assertEqual(lines[0], "ball.h5: complete, no warnings")
        self.assertEqual([line[:25].strip() for line in lines[1:7]],
                         ["simulated", "deepest penetration", "energy error", "numerical dissipation", "wall time of the steps", ""])
        with h5py.File(self.folder / "ball.h5") as file:
            phi, offsets = file["contact/phi"][:], file["contact/row_offset"][:]
            row = int(phi.argmin())
            time = file["trajectory/time"][np.searchsorted(offsets, row, side="right") - 1]
            error = file["energy/balance_error"][:]
            error = error[np.abs(error).argmax()]
            turned_over = file["energy/turned_over"][-1]
            step_loss = np.diff(file["energy/normal_spring_loss"][:] - file["energy/normal_overlap_gain"][:])
            loss = step_loss[step_loss > 0].sum()
        self.assertEqual(lines[4].split()[2:4], [f"{loss:.3g}", "J,"])
        self.assertLess(phi[row], 0)
        self.assertIn(f"{-phi[row]:.3g} m at t = {time:.6g} s, ground/", lines[2])
        self.assertIn(f"{abs(error):.3g} J {'gained' if error > 0 else 'lost'}, {100 * abs(error) / turned_over:.3g} % of the energy throughput", lines[3])
        self.assertNotIn("iterations", shown)
        told = self.csim("info", "ball.h5", "-v").stdout
        self.assertTrue(told.startswith(shown))
        for table in ("\nsolver over 500 steps", "\nevents ", "\nartefacts ", "\nenergy\n", "\nwall time of 500 steps\n"):
            self.assertIn(table, told)
        summary = json.loads(self.csim("info", "ball.h5", "--json").stdout)
        self.assertEqual((summary["warnings"], summary["penetration"]["depth"], summary["penetration"]["time"]), (0, -phi[row], time))

    def test_verdict_of_other_ends(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-q", "--set", "output.contacts=false", "-o", "short.h5", "--end", "0.1")
        self.assertIn("deepest penetration      not recorded (output.contacts: false)\n", self.csim("info", "short.h5").stdout)
        self.assertIsNone(json.loads(self.csim("info", "short.h5", "--json").stdout)["penetration"]["depth"])
        self.csim("run", "scene.yaml", "-q", "-o", "fall.h5", "--end", "0.01")
        self.assertIn("deepest penetration      none (points of 2 recorded frames)\n", self.csim("info", "fall.h5").stdout)
        self.csim("run", "scene.yaml", "-q", "-o", "failed.h5", "--set", "guards.penetration=1e-9", expect=3)
        self.assertRegex(self.csim("info", "failed.h5").stdout, r"^failed\.h5: failed, exit code 3: .*guards\.penetration")

    def test_of_what_is_none(self):
        self.write("text.h5", "text")
        (self.folder / "empty.h5").touch()
        (self.folder / "folder.h5").mkdir()
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["x"] = 1
        for name in ("text.h5", "empty.h5", "folder.h5", "other.h5", "missing.h5"):
            with self.subTest(name):
                result = self.csim("info", name, expect=INVALID)
                self.assertIn(name, result.stderr)
                self.assertEqual(result.stdout, "")


class Diff(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-o", "a.h5", "-q")

    def test_of_the_same_run(self):
        self.csim("run", "scene.yaml", "-o", "b.h5", "-q", "--threads", "2")
        self.csim("diff", "a.h5", "b.h5")
        self.assert_same_bits(self.folder / "a.h5", self.folder / "b.h5")

    def test_names_the_first_and_the_worst(self):
        self.csim("run", "scene.yaml", "-o", "b.h5", "-q", "--set", "materials.rubber.friction=0.1")
        result = self.csim("diff", "a.h5", "b.h5", expect=GATE)
        self.assertIn("first", result.stdout.lower())
        self.assertIn("worst", result.stdout.lower())
        # The balls differ from the first touch on, at 0.2258 s.
        self.assertRegex(result.stdout, r"0\.2[23]")

    def test_rounding_comes_last(self):
        """Sideways the ball has the velocity of rounding, another one in each file; a position differs by 1e-6 m."""
        shutil.copy(self.folder / "a.h5", self.folder / "b.h5")
        for name, noise, shift in (("a.h5", 1e-18, 0), ("b.h5", 1e-17, 1e-6)):
            with h5py.File(self.folder / name, "r+") as file:
                file["trajectory/velocity"][:, 1, 1] = noise
                file["trajectory/position"][30, 1, 2] += shift
        shown = self.csim("diff", "a.h5", "b.h5", expect=GATE).stdout
        self.assertRegex(shown, r"worst: /trajectory/position\[30, 1, 2\] \(body ball\) .* of the scale [0-9.]+ m\n")
        table = [line.split()[0] for line in shown.split("over scale")[1].splitlines()[1:]]
        self.assertEqual(table, ["/trajectory/position", "/trajectory/velocity"])
        report = json.loads(self.csim("diff", "a.h5", "b.h5", "--json", expect=GATE).stdout)
        self.assertGreater(report["quantities"][1]["largest_relative"], 0.8)
        self.assertLess(report["quantities"][1]["worst"]["over_scale"], 1e-15)
        self.assertIn("so that round-off comes last", self.csim("diff", "--help").stdout)

    def test_tolerances(self):
        self.csim("run", "scene.yaml", "-o", "b.h5", "-q", "--set", "bodies.ball.velocity.linear=[1.000001, 0, 0]")
        self.csim("diff", "a.h5", "b.h5", expect=GATE)
        self.csim("diff", "a.h5", "b.h5", "--atol", "1e-9", expect=GATE)
        self.csim("diff", "a.h5", "b.h5", "--atol", "1", "--rtol", "1e-4")
        # x = v t: 1e-6 m/s for 0.5 s.
        only = ("--only", "trajectory/position", "--only", "trajectory/velocity", "--until", "0.2")
        self.csim("diff", "a.h5", "b.h5", *only, "--tolerance", "trajectory/position=2.1e-7", "--tolerance", "trajectory/velocity=0,1.1e-6")
        result = self.csim("diff", "a.h5", "b.h5", *only, "--tolerance", "trajectory/position=1.9e-7,0", "--atol", "1.1e-6", "--json", expect=GATE)
        report = json.loads(result.stdout)
        self.assertEqual([quantity["path"] for quantity in report["quantities"]], ["/trajectory/position"])
        self.assertEqual((report["until"], report["only"]), (0.2, ["trajectory/position", "trajectory/velocity"]))
        self.assertEqual(report["tolerances"], [{"path": "trajectory/position", "atol": 1.9e-7, "rtol": 0.0}])
        self.assertAlmostEqual(report["quantities"][0]["largest_absolute"], 2e-7, delta=1e-12)

    def test_other_steps_and_periods(self):
        """The fall is v = -g t at any step; positions and the impact differ."""
        self.csim("run", "scene.yaml", "-o", "b.h5", "-q", "--set", "time.step=5.0e-4", "--set", "output.period=0.015")
        fall = ("--only", "trajectory/velocity", "--until", "0.2")
        result = self.csim("diff", "a.h5", "b.h5", *fall, "--atol", "1e-12")
        self.assertIn("21 rows against 14, 7 at common times", result.stdout)
        report = json.loads(self.csim("diff", "a.h5", "b.h5", "--json", expect=GATE).stdout)
        self.assertAlmostEqual(report["first"]["time"], 0.03, delta=1e-9)
        self.assertFalse([quantity for quantity in report["quantities"] if quantity["path"].startswith(("/stats", "/artefact", "/event"))])
        self.assertTrue(any(note.startswith("/pair") for note in report["notes"]), report["notes"])

    def test_names_and_tolerances_are_checked(self):
        for arguments, says in ((("--only", "trajectory/positon"), "did you mean '/trajectory/position'?"),
                                (("--ignore", "checkpoint"), "'/checkpoint' names nothing"),
                                (("--only", "energy", "--ignore", "energy"), "nothing is left"),
                                (("--tolerance", "contact"), "'contact', expected PATH=ATOL"),
                                (("--tolerance", "contact=-1"), "'contact=-1', expected PATH=ATOL"),
                                (("--tolerance", "contact=1,x"), "'contact=1,x', expected PATH=ATOL"),
                                (("--until", "later"), "--until")):
            with self.subTest(arguments):
                self.assertIn(says, self.csim("diff", "a.h5", "a.h5", *arguments, expect=INVALID).stderr)
        self.csim("diff", "a.h5", "a.h5", "--ignore", "stats/iteration")  # a group that the scene has switched off

    def test_of_different_lengths(self):
        self.csim("run", "scene.yaml", "-o", "b.h5", "-q", "--end", "0.3")
        self.csim("diff", "a.h5", "b.h5", expect=GATE)

    def test_of_what_is_none(self):
        self.write("text.h5", "text")
        self.csim("diff", "a.h5", "text.h5", expect=INVALID)
        self.csim("diff", "missing.h5", "a.h5", expect=INVALID)


if __name__ == "__main__":
    main()
