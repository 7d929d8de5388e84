"""csim table: numbers of results against numpy's from the files."""
import csv
import io
import json

import h5py
import numpy as np

from csim_testing import BALL, INVALID, CliTest, main

# Two balls that roll and a hinge: pairs with several contacts a frame, a ball and a box with four corners.
SCENE = """\
csim: 1
name: things
time: {step: 1.0e-3, end: 0.3}
materials:
  rubber: {friction: 0.5, stiffness: 1.0e+5}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: rubber}]}
  - {name: box, density: 500, pose: {xyz: [0, 0, 0.11]}, velocity: {linear: [0.5, 0.25, 0]}, geometry: [{name: b, shape: box, size: [0.2, 0.2, 0.2], material: rubber}]}
  - {name: bob, mass: 1.0, inertia: [0.01, 0.01, 0.01], com: [0, 0, -0.5]}
joints:
  - {name: hinge, type: revolute, parent: world, child: bob, pose: {xyz: [5, 0, 2]}, axis: [0, 1, 0], position: 0.1}
"""


class Table(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", SCENE)
        self.csim("run", "scene.yaml", "-o", "a.h5", "-q")
        self.csim("run", "scene.yaml", "-o", "b.h5", "-q", "--set", "contact.model=sap", "--set", "materials.rubber.friction=0.1")

    def table(self, *arguments):
        return json.loads(self.csim("table", *arguments, "--json").stdout)

    def cells(self, file, *columns):
        row, = self.table(file, "--columns", ",".join(f"c{i}={column}" for i, column in enumerate(columns)))["rows"]
        return [row[f"c{i}"] for i in range(len(columns))]

    def test_measures_are_numpys(self):
        with h5py.File(self.folder / "a.h5") as f:
            t, x, v = f["trajectory/time"][:], f["trajectory/position"][:, 1], f["trajectory/velocity"][:, 1]
            angle, iterations = f["joint/position"][:, 0], f["stats/step/iterations"][:]
            offset, force, phi, slip = (f[f"contact/{name}"][:] for name in ("row_offset", "force", "phi", "slip_speed"))
            impulse = f["pair/impulse"][:]
            total = f["energy/total"][:]
        frame = np.repeat(np.arange(len(t)), np.diff(offset))
        on_box = np.zeros((len(t), 3))
        np.add.at(on_box, frame, force)
        touched = np.unique(frame)
        inside = (t >= 0.1 - 1e-9) & (t <= 0.2 + 1e-9)
        speed = np.linalg.norm(v, axis=1)
        level = 0.5 * (x[0, 0] + x[-1, 0])
        expected = {
            "trajectory/position[box].x": x[-1, 0], "trajectory/position[box].z@min": x[:, 2].min(), "trajectory/velocity[box].norm@mean": speed.mean(),
            "trajectory/velocity[box].norm@rms:0.1:0.2": np.sqrt(np.mean(speed[inside] ** 2)), "trajectory/velocity[box].x@integral": np.trapz(v[:, 0], t),
            f"trajectory/position[box].x@crossing:{level}": np.interp(level, x[:, 0], t), "trajectory/position[box].x@at:0.123": np.interp(0.123, t, x[:, 0]),
            "joint/position[hinge]@range": np.ptp(angle), "joint/position[hinge]@max_abs:0.1:0.2": np.abs(angle[inside]).max(),
            "stats/step/iterations@max": iterations.max(), "stats/step/iterations@count": 300, "energy/total@initial": total[0],
            "contact/force[ground,box].z@max": on_box[:, 2].max(), "contact/force[box/b,ground].z@mean": -on_box[:, 2].mean(),
            "contact/force[ground,box].norm@mean:0.1:0.2": np.linalg.norm(on_box[inside], axis=1).mean(),
            "contact/phi[ground,box]@mean": np.mean([phi[frame == f].min() for f in touched]),
            "contact/slip_speed[ground,box]@mean": np.mean([slip[frame == f].max() for f in touched]), "contact/phi[ground,box]@count": len(phi),
            "pair/impulse[box,ground].z@min": -impulse[:, 2].max(),
        }
        for column, found in zip(expected, self.cells("a.h5", *expected)):
            with self.subTest(column):
                np.testing.assert_allclose(found, expected[column], rtol=1e-13, atol=1e-15)
        self.assertEqual(self.cells("a.h5", "trajectory/position[box].x@crossing:9"), [None])

    def test_difference_to_a_reference(self):
        a, b = (h5py.File(self.folder / name)["trajectory/position"][:, 1] for name in ("a.h5", "b.h5"))
        expected = np.sqrt(np.mean(np.sum((a - b) ** 2, axis=1)))
        self.assertGreater(expected, 1e-4)
        columns = ("--columns", "file,d=trajectory/position[box]@difference")
        rows = self.table("a.h5", "b.h5", *columns, "--reference", "a.h5")["rows"]
        self.assertEqual(rows[0], {"file": "a.h5", "d": 0.0})
        self.assertAlmostEqual(rows[1]["d"], expected, delta=1e-14)
        self.assertIsNone(self.table("b.h5", *columns)["rows"][0]["d"])

    def test_keys_of_the_scene(self):
        keys = ("name", "contact.model", "time.step", "bodies.box.density", "bodies[1].velocity.linear", "bodies.1.velocity.linear[1]", "materials.rubber.friction", "joints.hinge.type")
        self.assertEqual(self.cells("b.h5", *keys), ["things", "sap", 1e-3, 500.0, "[0.5, 0.25, 0]", 0.25, 0.1, "revolute"])
        status, message, seconds = self.cells("a.h5", "status", "message", "seconds")
        self.assertEqual((status, message), ("complete", "complete"))
        with h5py.File(self.folder / "a.h5") as f:
            self.assertAlmostEqual(seconds, f["stats/step/seconds_total"][:].sum(), places=12)

    def test_formats(self):
        columns = ("--columns", "file,contact.model,F=contact/force[ground,box].z@max,energy/total@final")
        shown = list(csv.reader(io.StringIO(self.csim("table", "a.h5", "b.h5", *columns).stdout)))
        self.assertEqual(shown[0], ["file", "contact.model", "F", "energy/total@final"])
        report = self.table("a.h5", "b.h5", *columns)
        self.assertEqual([column["unit"] for column in report["columns"]], ["", "", "N", "J"])
        for line, row in zip(shown[1:], report["rows"], strict=True):
            self.assertEqual([line[0], line[1], float(line[2]), float(line[3])], list(row.values()))
        markdown = self.csim("table", "a.h5", *columns, "--format", "markdown").stdout.splitlines()
        self.assertEqual(markdown[0], "| file | contact.model | F, N | energy/total@final, J |")
        self.assertEqual(len(markdown), 3)
        self.assertEqual(len(self.csim("table", "a.h5", "b.h5").stdout.splitlines()), 3)

    def test_what_some_files_lack_is_empty_and_what_all_lack_is_an_error(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        rows = self.table("a.h5", "ball.h5", "--columns", "x=trajectory/position[box].x,bodies.ball.mass")["rows"]
        self.assertIsNone(rows[1]["x"])
        self.assertEqual([row["bodies.ball.mass"] for row in rows], [None, 0.5])
        for columns, says in (("contact.modl", "column 'contact.modl': the scene has no 'modl' there (did you mean 'model'?)"),
                              ("trajectory/position[bax].x", "column 'trajectory/position[bax].x': item: 'bax' has no columns"),
                              ("trajectory/position[box]", "component: missing"),
                              ("contact/force[ground,nothing].x", "pair: 'nothing', expected a body"),
                              ("energy/totl@max", "did you mean 'energy/total'?"), ("energy/total@mx", "--columns: 'energy/total@mx': unknown reduction"),
                              ("file,,name", "--columns: a column without a name")):
            with self.subTest(columns):
                self.assertIn(says, self.csim("table", "a.h5", "ball.h5", "--columns", columns, expect=INVALID).stderr)
        self.csim("table", "a.h5", "missing.h5", expect=INVALID)


if __name__ == "__main__":
    main()
