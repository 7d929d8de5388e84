"""`csim export`: the files as read by VTK and a CSV reader, against the result file; wrong usage."""
import csv
import resource
import signal
import time
import xml.etree.ElementTree as xml

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

from csim_testing import BALL, INVALID, LONG_BALL, OUTPUT, SOURCE, CliTest, main

# A compliant box that slides on the floor beside a ball that falls; a cart on a rail that a motor pushes; a shelf that stays.
SCENE = """\
csim: 1
name: mixed
time: {step: 2.0e-3, end: 0.3}
materials: {soft: {hydroelastic_modulus: 1.0e6, stiffness: 1.0e4}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: soft}]}
  - {name: shelf, fixed: true, pose: {xyz: [0, 1, 0.5]}, geometry: [{shape: box, size: [0.4, 0.2, 0.02], material: soft}]}
  - {name: box, density: 1000, pose: {xyz: [0, 0, 0.0505]}, velocity: {linear: [0.3, 0, 0]}, geometry: [{name: shape, shape: box, size: [0.1, 0.1, 0.1], material: soft, contact: compliant}]}
  - {name: ball, density: 1000, pose: {xyz: [0.5, 0, 0.06]}, velocity: {angular: [0, 8, 3]}, geometry: [{shape: sphere, radius: 0.05, material: soft}]}
  - {name: cart, mass: 1, inertia: [0.002, 0.002, 0.002], geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: soft, contact: none}]}
joints: [{name: rail, type: prismatic, parent: world, child: cart, pose: {xyz: [0, -1, 0.5]}}]
actuators: [{name: motor, joint: rail, type: position, stiffness: 100, damping: 10, command: 0.2}]
output: {period: 0.02, patches: full}
"""


def read_vtk(path):
    """A .vtp or .vtu file by VTK, which prints what is wrong with it and then has no points."""
    reader = (vtkXMLUnstructuredGridReader if path.suffix == ".vtu" else vtkXMLPolyDataReader)()
    reader.SetFileName(str(path))
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    reader.Update()
    assert not errors, errors
    return reader.GetOutput()


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))


def arrays(attributes):
    """The numeric ones, by name."""
    found = {attributes.GetArrayName(i): attributes.GetArray(i) for i in range(attributes.GetNumberOfArrays())}
    return {name: vtk_to_numpy(array) for name, array in found.items() if array is not None}


def field_texts(data, name):
    array = vtkStringArray.SafeDownCast(data.GetFieldData().GetAbstractArray(name))
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def rotated(quaternion, vectors):
    """By a quaternion (w,x,y,z): v + 2 u x (u x v + w v)."""
    w, u = quaternion[0], quaternion[1:]
    return vectors + 2 * np.cross(u, np.cross(u, vectors) + w * vectors)


class Export(CliTest):
    scene, name = SCENE, "mixed"

    def setUp(self):
        super().setUp()
        self.write("scene.yaml", self.scene)
        self.csim("run", "scene.yaml", "-q")
        self.file = h5py.File(self.folder / f"{self.name}.h5")
        self.addCleanup(self.file.close)


class Paraview(Export):
    def series(self, name, folder="out"):
        """[(time, [files of that time])] of a .pvd file."""
        sets = xml.parse(self.folder / folder / f"{name}.pvd").getroot().find("Collection")
        found = {}
        for entry in sets:
            found.setdefault(float(entry.get("timestep")), []).append(self.folder / folder / entry.get("file"))
        return list(found.items())

    def check_times(self, series, rows):
        np.testing.assert_array_equal([t for t, _ in series], self.file["trajectory/time"][rows])
        for t, files in series:
            self.assertEqual(arrays(read_vtk(files[0]).GetFieldData())["TimeValue"], [t])

    def test_bodies_stand_where_they_are(self):
        self.assertIn("16 frames", self.csim("export", "mixed.h5", "--paraview", "out").stdout)
        series = self.series("bodies")
        self.check_times(series, np.arange(16))
        bodies = [name.decode() for name in self.file["bodies/name"]]
        position, quaternion = self.file["trajectory/position"][:], self.file["trajectory/quaternion"][:]
        for row, (_, files) in enumerate(series):
            data = read_vtk(files[0])
            self.assertEqual(field_texts(data, "body_names"), bodies)
            self.assertEqual(field_texts(data, "geometry_names"), [name.decode() for name in self.file["geometries/name"]])
            cells = arrays(data.GetCellData())
            self.assertEqual([bodies[b] for b in np.unique(cells["body"])], ["box", "ball", "cart"])
            vertices = points(data)
            corner = np.array([data.GetCell(i).GetPointId(k) for i in range(data.GetNumberOfCells()) for k in range(3)]).reshape(-1, 3)
            for name, size in (("box", 0.05), ("cart", 0.05)):
                b = bodies.index(name)
                mine = vertices[np.unique(corner[cells["body"] == b])]
                corners = np.array(np.meshgrid(*3 * [[-size, size]])).reshape(3, -1).T
                expected = position[row, b] + rotated(quaternion[row, b], corners)
                # Each corner is there, and nothing else; float32 of a metre.
                distance = np.linalg.norm(mine[:, None] - expected[None], axis=2)
                self.assertLess(distance.min(axis=0).max(), 2e-7)
                self.assertLess(distance.min(axis=1).max(), 2e-7)
            b = bodies.index("ball")
            radius = np.linalg.norm(vertices[np.unique(corner[cells["body"] == b])] - position[row, b], axis=1)
            np.testing.assert_allclose(radius, 0.05, atol=2e-7)
            # What stays is one file for all times: the shelf and the floor.
            fixed = read_vtk(files[1])
            self.assertEqual([bodies[i] for i in np.unique(arrays(fixed.GetCellData())["body"])], ["ground", "shelf"])
            self.assertEqual(files[1], series[0][1][1])
        self.assertAlmostEqual(np.abs(points(fixed)[:, 2]).min(), 0.0)

    def test_contacts_are_points_with_all_columns(self):
        self.csim("export", "mixed.h5", "--paraview", "out")
        offset = self.file["contact/row_offset"][:]
        kinds = set()
        for row, (_, files) in enumerate(self.series("contacts")):
            data = read_vtk(files[0])
            here = slice(offset[row], offset[row + 1])
            self.assertEqual(data.GetNumberOfPoints(), offset[row + 1] - offset[row])
            self.assertEqual(data.GetNumberOfVerts(), data.GetNumberOfPoints())
            np.testing.assert_array_equal(points(data), self.file["contact/point"][here])
            if data.GetNumberOfPoints():
                found = arrays(data.GetPointData())
                expected = set(self.file["contact"]) - {"row_offset", "point"}
                self.assertEqual(set(found), expected)
                for name in expected:
                    np.testing.assert_array_equal(found[name], self.file[f"contact/{name}"][here], name)
                kinds |= set(found["kind"])
        self.assertEqual(kinds, {0, 1})

    def test_patches_and_their_polygons(self):
        self.csim("export", "mixed.h5", "--paraview", "out")
        patch = self.file["patch"]
        offset, face_offset, corner_offset = patch["row_offset"][:], patch["face_offset"][:], patch["polygon/vertex_offset"][:]
        for row, (_, files) in enumerate(self.series("patches")):
            here = slice(offset[row], offset[row + 1])
            np.testing.assert_array_equal(points(read_vtk(files[0])), patch["centroid"][here])
            if offset[row + 1] > offset[row]:
                found = arrays(read_vtk(files[0]).GetPointData())
                for name in ("force", "moment", "elastic_force", "area", "max_pressure", "num_faces"):
                    np.testing.assert_array_equal(found[name], patch[name][here], name)
        seen = 0
        for row, (_, files) in enumerate(self.series("patch_faces")):
            data = read_vtk(files[0])
            faces = slice(face_offset[offset[row]], face_offset[offset[row + 1]])
            corners = slice(corner_offset[faces.start], corner_offset[faces.stop])
            self.assertEqual(data.GetNumberOfPolys(), faces.stop - faces.start)
            np.testing.assert_array_equal(points(data), patch["polygon/vertex"][corners])
            sizes = [data.GetCell(i).GetNumberOfPoints() for i in range(data.GetNumberOfCells())]
            np.testing.assert_array_equal(sizes, np.diff(corner_offset[faces.start:faces.stop + 1]))
            if not sizes:
                continue
            seen += len(sizes)
            np.testing.assert_array_equal(arrays(data.GetPointData())["pressure"], patch["polygon/pressure"][corners])
            cells = arrays(data.GetCellData())
            self.assertEqual(set(cells), set(patch["face"]) | {"patch", "geometry_a", "geometry_b"})
            for name in patch["face"]:
                np.testing.assert_array_equal(cells[name], patch[f"face/{name}"][faces], name)
            owner = np.searchsorted(face_offset, np.arange(faces.start, faces.stop), side="right") - 1
            np.testing.assert_array_equal(cells["patch"], owner - offset[row])
            np.testing.assert_array_equal(cells["geometry_a"], patch["geometry_a"][:][owner])
        self.assertGreater(seen, 100)

    def test_pressure_fields_move_with_their_bodies(self):
        self.csim("export", "mixed.h5", "--paraview", "out")
        mesh, b = self.file["meshes/box/shape"], 2
        series = self.series("fields")
        self.check_times(series, np.arange(16))
        for row, (_, files) in enumerate(series):
            data = read_vtk(files[0])
            self.assertEqual(data.GetNumberOfCells(), len(mesh["tets"]))
            expected = self.file["trajectory/position"][row, b] + rotated(self.file["trajectory/quaternion"][row, b], mesh["vertices"][:])
            np.testing.assert_allclose(points(data), expected, atol=2e-7)
            np.testing.assert_array_equal(arrays(data.GetPointData())["pressure"], mesh["pressure"])
            tets = [[data.GetCell(i).GetPointId(k) for k in range(4)] for i in range(data.GetNumberOfCells())]
            np.testing.assert_array_equal(tets, mesh["tets"])

    def test_frames_as_slices(self):
        time_of = self.file["trajectory/time"][:]
        for arguments, rows in ((["--frames", "3:12:4"], slice(3, 12, 4)), (["--frames", ":-10"], slice(None, -10)), (["--frames=-3:"], slice(-3, None)),
                                (["--frames", "::5"], slice(None, None, 5)), (["--frames=-1"], slice(-1, None)), (["--frames", "7"], slice(7, 8)),
                                (["--every", "6"], slice(None, None, 6)), (["--frames", "0:9999:9223372036854775807"], slice(0, 1))):
            with self.subTest(arguments):
                self.csim("export", "mixed.h5", "--paraview", "out", "--force", *arguments)
                series = self.series("bodies")
                np.testing.assert_array_equal([t for t, _ in series], time_of[rows])
                # Files of the export before have gone.
                self.assertEqual(sorted(path.name for path in (self.folder / "out/bodies").iterdir()),
                                 sorted({path.name for _, files in series for path in files}))

    def test_without_contacts_and_patches(self):
        self.csim("run", "scene.yaml", "--set", "output.contacts=false", "--set", "output.patches=summary", "-o", "bare.h5")
        self.csim("export", "bare.h5", "--paraview", "bare")
        self.assertEqual(sorted(path.name for path in (self.folder / "bare").glob("*.pvd")), ["bodies.pvd", "fields.pvd", "patches.pvd"])

    def test_numbers_without_pattern(self):
        """They do not shrink: they are stored, in blocks of 65535 bytes."""
        random = np.random.default_rng(1)
        with h5py.File(self.folder / "noise.h5", "w") as file:
            for name in self.file:
                self.file.copy(name, file)
            file.attrs.update(self.file.attrs)
            for name, old in self.file["contact"].items():
                del file["contact"][name]
                if name == "row_offset":
                    values = np.append(np.zeros(len(old) - 1), 10000)
                elif old.dtype.kind == "f":
                    values = random.integers(0, 1 << 62, (10000, *old.shape[1:])).view(float)
                else:
                    values = random.integers(0, 2, 10000)
                file["contact"].create_dataset(name, data=values.astype(old.dtype), maxshape=(None, *old.shape[1:]), chunks=(64, *old.shape[1:]))
                file[f"contact/{name}"].attrs.update(old.attrs)
        self.csim("export", "noise.h5", "--paraview", "noise", "--frames=-1")
        data = read_vtk(self.series("contacts", "noise")[0][1][0])
        with h5py.File(self.folder / "noise.h5") as file:
            np.testing.assert_array_equal(points(data), file["contact/point"])
            np.testing.assert_array_equal(arrays(data.GetPointData())["force"], file["contact/force"])

    def test_every_scene_with_patches_opens(self):
        for scene in ("ball_plate", "stacked_boxes_patch"):
            self.csim("run", SOURCE / f"scenes/{scene}/scene.yaml", "--end", "0.02", "--set", "output.patches=full", "-o", f"{scene}.h5")
            self.csim("export", f"{scene}.h5", "--paraview", scene)
            with h5py.File(self.folder / f"{scene}.h5") as file:
                faces = len(file["patch/face/area"])
            found = sum(read_vtk(files[0]).GetNumberOfPolys() for _, files in self.series("patch_faces", scene))
            self.assertEqual(found, faces)


class Csv(Export):
    def table(self, name, folder="out"):
        """name -> column of a CSV file, numbers where it can be."""
        with open(self.folder / folder / name, newline="") as file:
            rows = list(csv.reader(file))
        columns = {}
        for k, head in enumerate(rows[0]):
            texts = [row[k] for row in rows[1:]]
            columns[head] = texts if head in ("geometry_a", "geometry_b") else np.array([float(text) for text in texts])
        self.assertEqual(len(columns), len(rows[0]))
        return columns

    def same(self, columns, names, path, rows=slice(None)):
        """The columns hold the dataset's rows, bit for bit."""
        values = self.file[path][:][rows]
        units = self.file[path].attrs["units"]
        values = values.reshape(len(values), -1)
        self.assertEqual(values.shape[1], len(names))
        for k, name in enumerate(names):
            unit = units if isinstance(units, (str, bytes)) else units[k]
            unit = unit.decode() if isinstance(unit, bytes) else unit
            np.testing.assert_array_equal(columns[f"{name} [{unit}]"], values[:, k], name)

    def test_trajectories_energy_joints_actuators(self):
        self.csim("export", "mixed.h5", "--csv", "out")
        axes = ["x", "y", "z"]
        for b, name in enumerate(["ground", "shelf", "box", "ball", "cart"]):
            table = self.table(f"trajectory/{name}.csv")
            self.same(table, ["time"], "trajectory/time")
            for quantity in ("position", "velocity", "angular_velocity"):
                self.same(table, [f"{quantity}_{axis}" for axis in axes], f"trajectory/{quantity}", np.s_[:, b])
            self.same(table, [f"quaternion_{axis}" for axis in ["w", *axes]], "trajectory/quaternion", np.s_[:, b])
        energy = self.table("energy.csv")
        self.assertEqual(len(energy), 1 + len(self.file["energy"]))
        for name in self.file["energy"]:
            self.same(energy, [name], f"energy/{name}")
        joints, actuators = self.table("joints.csv"), self.table("actuators.csv")
        for quantity in ("position", "velocity", "effort"):
            self.same(joints, [f"rail.{quantity}"], f"joint/{quantity}")
        for quantity in ("command", "effort"):
            self.same(actuators, [f"motor.{quantity}"], f"actuator/{quantity}")
        self.assertGreater(np.abs(joints["rail.position [m]"]).max(), 0.05)

    def test_contacts_patches_and_faces(self):
        self.csim("export", "mixed.h5", "--csv", "out")
        names = np.array([name.decode() for name in self.file["geometries/name"]])
        time_of = self.file["trajectory/time"][:]
        for group, file in (("contact", "contacts.csv"), ("patch", "patches.csv")):
            table, offset = self.table(file), self.file[f"{group}/row_offset"][:]
            self.assertGreater(offset[-1], 10)
            np.testing.assert_array_equal(table["time [s]"], np.repeat(time_of, np.diff(offset)))
            for side in ("geometry_a", "geometry_b"):
                np.testing.assert_array_equal(table[side], names[self.file[f"{group}/{side}"][:]])
            for name, values in self.file[group].items():
                if isinstance(values, h5py.Group) or name.endswith("_offset") or name.startswith("geometry_"):
                    continue
                self.same(table, [name] if values.ndim == 1 else [f"{name}_{axis}" for axis in "xyz"], f"{group}/{name}")
        faces, face_offset = self.table("patch_faces.csv"), self.file["patch/face_offset"][:]
        patch = np.repeat(np.arange(len(face_offset) - 1), np.diff(face_offset))
        np.testing.assert_array_equal(faces["patch [1]"], patch)
        np.testing.assert_array_equal(faces["time [s]"], np.repeat(time_of, np.diff(self.file["patch/row_offset"][:]))[patch])
        self.same(faces, ["pressure"], "patch/face/pressure")
        self.same(faces, ["normal_x", "normal_y", "normal_z"], "patch/face/normal")

    def test_steps_and_a_part_of_the_time(self):
        self.csim("export", "mixed.h5", "--csv", "out")
        steps = self.table("steps.csv")
        self.assertEqual(len(steps), len(self.file["stats/step"]) + len(self.file["artefact"]))
        for name in self.file["stats/step"]:
            self.same(steps, [name], f"stats/step/{name}")
        self.csim("export", "mixed.h5", "--csv", "part", "--frames", "5:11:2")
        rows = slice(5, 11, 2)
        part, time_of = self.table("trajectory/box.csv", "part"), self.file["trajectory/time"][:][rows]
        np.testing.assert_array_equal(part["time [s]"], time_of)
        self.same(part, ["position_x", "position_y", "position_z"], "trajectory/position", np.s_[rows, 2])
        inside = self.file["stats/step/time"][:]
        np.testing.assert_array_equal(self.table("steps.csv", "part")["time [s]"], inside[(inside >= time_of[0]) & (inside <= time_of[-1])])
        self.assertEqual(set(self.table("contacts.csv", "part")["time [s]"]) - set(time_of), set())


class Folders(Export):
    scene, name = BALL, "ball"

    def refused(self, *arguments, expect=INVALID, says=""):
        before = sorted(self.folder.rglob("*"))
        result = self.csim("export", *arguments, expect=expect)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_wrong_arguments(self):
        self.refused("ball.h5", says="--paraview DIR, --csv DIR or --fclib FILE")
        self.refused(says="file")
        self.refused("ball.h5", "--csv", "", says="--csv")
        for text in ("", "a", "1:2:3:4", "0:5:0", "0:5:-1", "1.5", "::x", "99999999999999999999"):
            self.refused("ball.h5", "--csv", "out", "--frames", text, says="--frames")
        for text in ("0", "-1", "x", "1.5"):
            self.refused("ball.h5", "--csv", "out", "--every", text, says="--every")
        self.refused("ball.h5", "--csv", "out", "--every", "2", "--frames", "1:2", says="excludes")
        for text in ("100:200", "5:5", "9:3"):
            self.refused("ball.h5", "--csv", "out", "--frames", text, says="none of its 51 frames")

    def test_files_that_are_no_results(self):
        self.write("empty.h5", "")
        self.write("text.h5", "hello")
        with h5py.File(self.folder / "newer.h5", "w") as file:
            file.attrs["csim_schema"] = "csim-result/2"
        for name in ("missing.h5", "empty.h5", "text.h5", "newer.h5", "."):
            with self.subTest(name):
                self.refused(name, "--csv", "out", "--paraview", "out2", says=name)

    def test_a_folder_with_files_stays(self):
        (self.folder / "out/trajectory").mkdir(parents=True)
        mine = self.write("out/energy.csv", "mine")
        other = self.write("out/trajectory/notes.txt", "mine")
        self.refused("ball.h5", "--csv", "out", says="--force")
        self.csim("export", "ball.h5", "--csv", "out", "--force")
        self.assertTrue(mine.read_text().startswith("time [s],"))
        self.assertEqual(other.read_text(), "mine")
        # An earlier export is replaced, what else there is stays; a list that was tampered with removes nothing outside.
        with open(self.folder / "out/.csim_export", "a") as manifest:
            manifest.write("../scene.yaml\n/etc/hostname\n..\n\n")
        self.csim("export", "ball.h5", "--paraview", "out/", "--force")
        self.assertEqual(sorted(path.relative_to(self.folder / "out").as_posix() for path in (self.folder / "out").iterdir()),
                         [".csim_export", "bodies", "bodies.pvd", "contacts", "contacts.pvd", "trajectory"])
        self.assertEqual(other.read_text(), "mine")
        self.assertTrue((self.folder / "scene.yaml").exists())

    def test_an_empty_folder_and_the_present_one(self):
        (self.folder / "empty").mkdir()
        self.csim("export", "ball.h5", "--csv", "empty")
        self.assertTrue((self.folder / "empty/energy.csv").exists())
        self.csim("export", "ball.h5", "--csv", ".", "--force")
        self.assertTrue((self.folder / "energy.csv").exists())
        self.assertTrue((self.folder / "ball.h5").exists())
        self.refused("ball.h5", "--csv", "scene.yaml", "--force", says="is a file")

    def test_a_folder_beside_that_is_no_unfinished_export_stays(self):
        (self.folder / "out.part").mkdir()
        self.refused("ball.h5", "--csv", "out", says="out.part: exists already, and is not an unfinished export")
        (self.folder / "out.part").rmdir()
        self.csim("export", "ball.h5", "--csv", "out.part")
        self.refused("ball.h5", "--csv", "out", says="out.part: exists already, and is not an unfinished export")

    def test_an_export_that_goes_on_is_left_alone_and_a_killed_one_replaced(self):
        self.csim("run", "scene.yaml", "--end", "20", "--set", "output.period=0.001", "-o", "many.h5", "-q")
        (self.folder / "there").mkdir()
        for place, part in (("out", "out.part"), ("there", "there/.csim_export.part")):
            export = self.start("export", "many.h5", "--paraview", place)
            end = time.monotonic() + 60
            while len(list((self.folder / part).glob("bodies/*"))) < 2 and time.monotonic() < end:
                time.sleep(0.005)
            export.send_signal(signal.SIGSTOP)
            result = self.csim("export", "ball.h5", "--csv", place, "--force", expect=INVALID)
            self.assertIn("another run is writing it", result.stderr)
            export.kill()
            export.communicate(timeout=60)
            self.assertTrue((self.folder / part).exists())
            self.csim("export", "ball.h5", "--csv", place)
            self.assertTrue((self.folder / place / "energy.csv").exists())
            self.assertFalse((self.folder / part).exists() or (self.folder / place / "bodies").exists())

    def test_places_that_cannot_be_written(self):
        self.refused("ball.h5", "--csv", "nowhere/out", expect=OUTPUT, says="nowhere/out")
        self.refused("ball.h5", "--csv", "/dev/null/out", expect=OUTPUT, says="/dev/null/out")

    def test_a_full_disk_leaves_nothing(self):
        """A limit on the size of files stands for it."""
        for option in ("--csv", "--paraview"):
            for limit in (0, 2048):
                before = sorted(self.folder.rglob("*"))
                result = self.csim("export", "ball.h5", option, "out", expect=OUTPUT, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertIn("cannot be written", result.stderr)
                self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_a_failed_run_and_one_that_goes_on(self):
        self.csim("run", "scene.yaml", "-o", "failed.h5", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", expect=3)
        self.csim("export", "failed.h5", "--csv", "failed", "--paraview", "failed_vtk")
        self.write("long.yaml", LONG_BALL)
        run = self.start("run", "long.yaml", "-o", "long.h5", "-q")
        part = self.folder / "long.h5.part"
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                with h5py.File(part, "r", locking=False) as file:
                    if len(file["trajectory/time"]) > 100:
                        break
            except (OSError, KeyError):
                pass
            time.sleep(0.05)
        self.csim("export", "long.h5.part", "--csv", "running", "--frames", ":100")
        self.assertEqual(len((self.folder / "running/energy.csv").read_text().splitlines()), 101)
        run.kill()
        run.wait()
        self.csim("export", "long.h5.part", "--csv", "killed", "--every", "10")

    def test_an_interrupt_leaves_nothing(self):
        self.csim("run", "scene.yaml", "--end", "20", "--set", "output.period=0.001", "-o", "many.h5", "-q")
        export = self.start("export", "many.h5", "--paraview", "out")
        end = time.monotonic() + 60
        while not (self.folder / "out.part").exists() and time.monotonic() < end:
            time.sleep(0.005)
        export.send_signal(signal.SIGINT)
        _, errors = export.communicate(timeout=60)
        self.assertEqual(export.returncode, -signal.SIGINT)
        self.assertIn("interrupted", errors)
        self.assertFalse((self.folder / "out.part").exists() or (self.folder / "out").exists())


if __name__ == "__main__":
    main()
