"""csim.py: results in Python; the examples of docs/python.md."""
import contextlib
import csv
import importlib.util
import io
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

import h5py
import numpy as np

from csim_testing import BALL, CSIM, FAILED, INVALID, SOURCE, CliTest, main

sys.path.insert(0, str(SOURCE / "scripts/python"))
import csim  # noqa: E402

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:  # also of a pyarrow that needs a later numpy
    pyarrow = None

# An arm of two joints over a floor, a compliant ball on a block, two boxes that meet as points.
ARM = """\
csim: 1
name: arm
time: {step: 2.0e-3, end: 0.1}
materials:
  soft: {hydroelastic_modulus: 1.0e+5}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: box, size: [4, 4, 1], material: soft, contact: rigid, pose: {xyz: [0, 0, -0.5]}}]}
  - {name: ball, density: 1000, pose: {xyz: [1, 0, 0.048]}, geometry: [{name: s, shape: sphere, radius: 0.05, material: soft, contact: compliant}]}
  - {name: table, fixed: true, geometry: [{shape: box, size: [1, 1, 1], material: soft, pose: {xyz: [-5, 0, -0.5]}}]}
  - {name: box, density: 500, pose: {xyz: [-5, 0, 0.05]}, geometry: [{name: b, shape: box, size: [0.1, 0.1, 0.1], material: soft}]}
  - {name: upper, mass: 1.0, inertia: [0.1, 0.1, 0.1]}
  - {name: lower, mass: 1.0, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: shoulder, type: ball, parent: world, child: upper, pose: {xyz: [0, 1, 2]}, velocity: [1, 2, 3]}
  - {name: elbow, type: revolute, parent: upper, child: lower, pose: {xyz: [0, 0, -0.5]}, position: 0.3}
actuators:
  - {name: motor, joint: elbow, type: effort, command: 0.25}
"""


STUDY = """\
csim_study: 1
name: drop
scene: ball.yaml
vary:
  - time.step: [2.0e-3, 1.0e-3]
  - contact.model: [lagged, sap]
measure:
  height: {dataset: trajectory/position, item: ball, component: z, reduce: final}
"""


without_pandas = unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas (Debian: python3-pandas)")


class Python(CliTest):
    def setUp(self):
        super().setUp()
        os.environ["CSIM"] = str(CSIM)

    def run_scene(self, text, name="out.h5", *arguments, **options):
        self.write("scene.yaml", text)
        self.csim("run", "scene.yaml", "-o", name, "-q", "--force", *arguments, **options)
        return csim.load(self.folder / name)

    def test_the_examples_of_the_page(self):
        page = (SOURCE / "docs/python.md").read_text()
        blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, re.M | re.S)
        self.assertGreater(len(blocks), 12)
        here, names, printed = os.getcwd(), {}, ""
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        for kind, text in blocks:
            with self.subTest(text):
                if kind == "text":
                    self.assertEqual(printed, text)
                else:
                    with contextlib.redirect_stdout(io.StringIO()) as out:
                        exec(compile(text, "docs/python.md", "exec"), names)
                    printed = out.getvalue()

    def test_arrays_are_those_of_the_file(self):
        r = self.run_scene(ARM)
        with h5py.File(r.path) as file:
            np.testing.assert_array_equal(r.time, file["trajectory/time"][:])
            for quantity in ("position", "quaternion", "velocity", "angular_velocity"):
                np.testing.assert_array_equal(r.body("lower")[quantity], file[f"trajectory/{quantity}"][:, 5])
            # q: ball and box 7 each, shoulder 4, elbow 1; v: 6, 6, 3, 1.
            np.testing.assert_array_equal(r.body("upper").q, file["trajectory/q"][:, 14:18])
            np.testing.assert_array_equal(r.body("lower").v, file["trajectory/v"][:, 15])
            np.testing.assert_array_equal(r.joint("shoulder").position, file["joint/position"][:, :4])
            np.testing.assert_array_equal(r.joint("shoulder").velocity, file["joint/velocity"][:, :3])
            np.testing.assert_array_equal(r.joint("elbow").velocity, file["joint/velocity"][:, 3])
            np.testing.assert_array_equal(r.actuator("motor").effort, file["actuator/effort"][:, 0])
            np.testing.assert_array_equal(r.stats.residual, file["stats/step/residual"][:])
            np.testing.assert_array_equal(r["energy/total"], r.energy.total)
        self.assertEqual(r.body("ball").units("position"), "m")
        self.assertEqual(r.joint("elbow").units("effort"), "N m")
        self.assertEqual(r.body("ball").units("q"), ["1"] * 4 + ["m"] * 3)
        self.assertAlmostEqual(r.body("ball").mass, 1000 * 4 / 3 * np.pi * 0.05**3, places=12)
        for wrong, says in ((lambda: r.body("bal"), "did you mean 'ball'"), (lambda: r.joint("motor"), "no joint 'motor'"),
                            (lambda: r.body("ball").positon, "did you mean 'position'"), (lambda: r["contact/ph"], "did you mean 'contact/phi'"),
                            (lambda: r.force("ball", "nobody"), "no body or geometry 'nobody'"), (lambda: r.stats.iteration, "did you mean 'iterations'")):
            with self.assertRaisesRegex((KeyError, AttributeError), says):
                wrong()

    def test_a_name_that_is_near_none_of_thousands(self):
        """The message names some and counts the rest; it does not fill the terminal."""
        names = [f"link_{i}" for i in range(10000)]
        self.assertEqual(csim._nearest("zz", names), f"; there are {', '.join(map(repr, names[:8]))} and 9992 more")
        self.assertEqual(csim._nearest("zz", names[:8]), f"; there are {', '.join(map(repr, names[:8]))}")
        self.assertEqual(csim._nearest("lnk_7777", names), " (did you mean 'link_7777'?)")

    def test_forces_are_the_changes_of_momentum(self):
        """m dv = (F - m g) h: of points and of patches, summarised and with every face, at a frame of each step."""
        for patches in ("summary", "full"):
            r = self.run_scene(ARM, "out.h5", "--set", "output.period=2.0e-3", "--set", f"output.patches={patches}")
            for base, name, geometry in (("floor", "ball", "ball/s"), ("table", "box", "box/b")):
                with self.subTest((patches, name)):
                    body, weight = r.body(name), r.body(name).mass * np.array([0, 0, -9.81])
                    force = r.force(base, name)
                    change = body.mass * np.diff(body.velocity, axis=0) / np.diff(r.time)[:, None]
                    np.testing.assert_allclose(force[1:] + weight, change, atol=1e-4 * np.abs(weight).max())   # solver.tolerance 1e-5
                    self.assertGreater(force[:, 2].max(), 0.9 * abs(weight[2]))
                    self.assertFalse(force[0].any())
                    np.testing.assert_array_equal(r.force(name, base), -force)
                    np.testing.assert_array_equal(r.force(base, geometry), force)
                    np.testing.assert_allclose(r.pair(base, name)["impulse"], force * 2e-3, atol=1e-12)
                    np.testing.assert_array_equal(r.pair(name, base)["impulse"], -r.pair(base, name)["impulse"])
        self.assertFalse(r.force("ball", "box").any())
        none = self.run_scene(ARM, "none.h5", "--set", "output.contacts=false", "--set", "output.patches=none")
        with self.assertRaisesRegex(KeyError, "not recorded"):
            none.force("floor", "ball")

    def test_unfinished_runs(self):
        r = self.run_scene(BALL)
        part = self.folder / "cut.h5.part"
        with h5py.File(r.path) as whole, h5py.File(part, "w") as cut:
            for name in whole:
                whole.copy(name, cut)
            for name, value in whole.attrs.items():
                cut.attrs[name] = value
            # Tables of different lengths, as a kill leaves them.
            for name, rows in (("energy/total", 31), ("contact/row_offset", 31), ("stats/step/cost", 280)):
                values, units = cut[name][:rows], cut[name].attrs["units"]
                del cut[name]
                cut[name] = values
                cut[name].attrs["units"] = units
        c = csim.load(part)
        self.assertEqual((c.num_frames, c.num_steps), (30, 280))
        for array in (c.time, c.body("ball").position, c.energy.kinetic, c.force("ground", "ball")):
            self.assertEqual(len(array), 30)
        self.assertEqual(len(c.stats.iterations), 280)
        np.testing.assert_array_equal(c.force("ground", "ball"), r.force("ground", "ball")[:30])

    def test_yaml_and_pandas_are_needed_where_they_are_used(self):
        self.run_scene(BALL)
        program = """
            import sys
            sys.modules["yaml"] = sys.modules["pandas"] = None      # as if they were not installed
            import csim
            r = csim.load("out.h5")
            print(r.body("ball").position.shape, r.scene_text.split()[0])
            for needed in (lambda: r.scene, r.to_pandas):
                try:
                    needed()
                except ImportError as error:
                    print(error)
            """
        self.write("program.py", program)
        shown = subprocess.run([sys.executable, "program.py"], cwd=self.folder, capture_output=True, text=True, timeout=60,
                               env={**os.environ, "PYTHONPATH": str(SOURCE / "scripts/python")})
        self.assertEqual(shown.stdout.splitlines(), [
            "(51, 3) csim:", "Result.scene needs PyYAML (Debian: python3-yaml); Result.scene_text does not",
            "Result.to_pandas needs pandas (Debian: python3-pandas); the other functions do not"], shown.stderr)

    def test_what_cannot_be_opened_is_named(self):
        self.write("ball.yaml", BALL)
        self.write("broken.h5", "no HDF5")
        for name, kind, problem in (("none.h5", FileNotFoundError, "none.h5: no such file"), ("ball.yaml", OSError, "ball.yaml: a scene or a study by its name, expected its result"),
                                    ("broken.h5", OSError, "broken.h5: cannot be read"), (".", IsADirectoryError, "a folder, expected a result")):
            with self.subTest(name), self.assertRaisesRegex(kind, problem):
                csim.load(self.folder / name)

    def test_import_without_h5py_says_what_is_missing(self):
        program = "import sys; sys.modules['h5py'] = None\nimport csim"
        result = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE / "scripts/python")}, capture_output=True, text=True)
        self.assertIn("csim.py needs h5py and numpy (pip install h5py, or Debian's python3-h5py)", result.stderr)

    def test_run(self):
        self.write("scene.yaml", BALL)
        scene, output = self.folder / "scene.yaml", self.folder / "a.h5"
        r = csim.run(scene, output=output, end=0.1, threads=2, contact__stiction_tolerance=np.float64(2e-4), **{"bodies.ball.velocity.linear": np.array([2, 0, 0])})
        self.assertEqual((r.scene["contact"]["stiction_tolerance"], r.scene["bodies"][1]["velocity"]["linear"]), (2e-4, [2, 0, 0]))
        self.assertAlmostEqual(r.time[-1], 0.1)
        with self.assertRaises(csim.RunError) as refused:
            csim.run(scene, output=output)
        self.assertEqual(refused.exception.exit_code, INVALID)
        with self.assertRaises(csim.RunError) as failed:
            csim.run(scene, output=output, force=True, solver__max_iterations=1, solver__tolerance=1e-12)
        self.assertEqual(failed.exception.exit_code, FAILED)
        self.assertEqual(csim.load(failed.exception.path).status, "failed")
        with self.assertRaisesRegex(ValueError, "no result of csim"):
            with h5py.File(self.folder / "other.h5", "w"):
                pass
            csim.load(self.folder / "other.h5")

    @without_pandas
    def test_show_has_a_height(self):
        for height in (-1, 0, float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "height: .*, expected a number of pixels > 0"):
                csim.show(self.folder / "ball.h5", height=height)

    def test_pandas(self):
        r = self.run_scene(ARM, "out.h5", "--set", "output.patches=full")
        frames = r.to_pandas()
        np.testing.assert_array_equal(frames.index, r.time)
        np.testing.assert_array_equal(frames["trajectory/position[ball].z"], r.body("ball").position[:, 2])
        np.testing.assert_array_equal(frames["joint/position[shoulder].w"], r.joint("shoulder").position[:, 0])
        np.testing.assert_array_equal(frames["actuator/effort[motor]"], r.actuator("motor").effort)
        np.testing.assert_array_equal(r.to_pandas("steps")["iterations"], r.stats.iterations)
        contacts = r.to_pandas("contacts")
        box = contacts[(contacts["geometry_b"] == "box/b") & (contacts["frame"] == r.num_frames - 1)]
        self.assertAlmostEqual(box["force.z"].sum(), r.force("table", "box")[-1, 2], places=12)
        patches = r.to_pandas("patches")
        self.assertAlmostEqual(patches["force.z"].iloc[-1], r.force("floor", "ball")[-1, 2], places=12)
        self.assertEqual(set(r.to_pandas("pairs")["body_b"]), {"ball", "box"})
        self.assertEqual(len(r.to_pandas("events")), len(r.events.time))

    def collect_study(self):
        self.write("ball.yaml", BALL)
        self.write("drop.yaml", STUDY)
        self.csim("study", "run", "drop.yaml", "-q", "--set", "time.end=0.02", "--case", "1,3")
        self.csim("study", "collect", "drop.yaml", "--set", "time.end=0.02")
        return self.folder / "drop"

    @unittest.skipUnless(pyarrow, "no pyarrow for this Python (Debian has none: pip install pyarrow)")
    def test_parquet(self):
        folder = self.collect_study()
        self.assertEqual(csim.study_to_parquet(folder), folder / "study.parquet")
        self.assertFalse(list(folder.glob("*.part")))
        table = pyarrow.parquet.read_table(folder / "study.parquet")
        self.assertEqual(table.column_names, ["index", "id", "role", "status", "seconds", "warnings", "contact.model", "time.step", "height"])
        self.assertEqual(table.schema.metadata[b"name"], b"drop")
        units = {field.name: (field.metadata or {}).get(b"units") for field in table.schema}
        self.assertEqual((units["time.step"], units["seconds"], units["height"], units["id"]), (b"s", b"s", b"m", None))
        rows = table.to_pylist()
        with open(folder / "study.csv", newline="") as file:
            for row, other in zip(rows, csv.DictReader(file), strict=True):
                self.assertEqual((str(row["index"]), row["id"], row["status"], row["contact.model"]),
                                 tuple(other[key] for key in ("index", "id", "status", "contact.model")))
                np.testing.assert_equal([row["time.step"], row["height"]], [float(other["time.step"]), float(other["height"])])
        self.assertEqual([row["status"] for row in rows], ["missing", "complete"] * 2)
        program = [sys.executable, str(SOURCE / "scripts/python/csim.py"), "parquet"]
        subprocess.run([*program, str(folder / "study.h5"), "-o", str(self.folder / "other.parquet")], check=True, capture_output=True)
        other = pyarrow.parquet.read_table(self.folder / "other.parquet")
        self.assertTrue(table.schema.equals(other.schema, check_metadata=True))
        self.assertEqual(repr(table.to_pylist()), repr(other.to_pylist()))        # NaN among them
        failed = subprocess.run([*program, str(self.folder / "none")], check=False, capture_output=True, text=True)
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stderr, "^csim.py: .*none")

    def test_parquet_without_pyarrow_says_what_is_missing(self):
        with mock.patch.dict(sys.modules, {"pyarrow": None}), self.assertRaisesRegex(ImportError, r"needs pyarrow \(pip install pyarrow\)"):
            csim.study_to_parquet(self.folder)


if __name__ == "__main__":
    main()
