"""`csim mesh`: meshes of shapes and files, their reports, and exports read by other programs."""
import json
import math
import re

import h5py
import numpy as np
from csim_testing import GATE, INVALID, OUTPUT, SOURCE, CliTest, main

# A tetrahedron with a point inside.
POINTS = ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "0.2 0.2 0.2"]
TETS = ["4 1 2 3", "0 4 2 3", "0 1 4 3", "0 1 2 4"]


def vtk(points=POINTS, tets=TETS, arrays=""):
    return "\n".join(["# vtk DataFile Version 3.0", "test", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double", *points,
                      f"CELLS {len(tets)} {5 * len(tets)}", *("4 " + tet for tet in tets), f"CELL_TYPES {len(tets)}", *["10"] * len(tets), arrays, ""])


def read_vtk(path):
    """The numbers behind each keyword of an ASCII file: points, tets, scalars by name."""
    words = path.read_text().split()
    n = int(words[words.index("POINTS") + 1])
    start = words.index("POINTS") + 3
    points = np.array(words[start:start + 3 * n], dtype=float).reshape(n, 3)
    m, size = (int(w) for w in words[words.index("CELLS") + 1:words.index("CELLS") + 3])
    start = words.index("CELLS") + 3
    cells = np.array(words[start:start + size], dtype=int).reshape(m, -1)[:, 1:]
    scalars = {}
    for i, word in enumerate(words):
        if word == "SCALARS":
            scalars[words[i + 1]] = np.array(words[i + 6:i + 6 + (m if words[i + 1] == "quality" else n)], dtype=float)
    return points, cells, scalars


def volumes(points, tets):
    a, b, c, d = (points[tets[:, i]] for i in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6


class Make(CliTest):
    def test_a_ball_with_its_pressure(self):
        summary = json.loads(self.csim("mesh", "make", "sphere", "--radius", "0.1", "--resolution", "0.03", "--modulus", "2e5", "-o", "ball.vtk", "--json").stdout)
        self.assertEqual((summary["num_tets"], summary["num_vertices"], summary["ok"]), (512, 259, True))
        self.assertAlmostEqual(summary["volume"] / (4 / 3 * math.pi * 1e-3), 0.976798, delta=5e-7)
        self.assertAlmostEqual(summary["exact_volume"], 4 / 3 * math.pi * 1e-3, delta=1e-15)
        points, tets, scalars = read_vtk(self.folder / "ball.vtk")
        self.assertGreater(volumes(points, tets).min(), 0)
        self.assertAlmostEqual(volumes(points, tets).sum(), summary["volume"], delta=1e-15)
        np.testing.assert_allclose(scalars["pressure"], 2e5 * (1 - np.linalg.norm(points, axis=1) / 0.1), atol=1e-8)
        np.testing.assert_allclose(scalars["extent"] * 2e5, scalars["pressure"], rtol=1e-15)
        self.assertTrue((0 < scalars["quality"]).all() and (scalars["quality"] <= 1).all())

    def test_every_shape(self):
        self.write("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        for shape, volume in ((["sphere", "--radius", "0.1"], 4 / 3 * math.pi * 1e-3), (["box", "--size", "1", "2", "3"], 6.0), (["box", "--size", "1,2,3"], 6.0),
                              (["cylinder", "--radius", "0.1", "--length", "0.4"], math.pi * 0.004),
                              (["capsule", "--radius", "0.1", "--length", "0.4"], math.pi * (0.004 + 4e-3 / 3)),
                              (["ellipsoid", "--semi-axes", "0.1", "0.2", "0.3"], math.pi * 0.008), (["convex", "--file", "box.obj"], 1 / 6)):
            for more in ([], ["--rigid"], ["--strategy", "dense"]):
                with self.subTest(" ".join(shape + more)):
                    summary = json.loads(self.csim("mesh", "make", *shape, "--resolution", "0.02", "--json", *more).stdout)
                    self.assertAlmostEqual(summary["volume"] / volume, 1.0, delta=0.04)
                    self.assertLessEqual(summary["volume"], volume * (1 + 1e-12))
                    self.assertAlmostEqual(summary["exact_volume"] / volume, 1.0, delta=1e-12)
                    self.assertEqual(summary["kind"], "surface" if "--rigid" in more else "tetrahedra")
        self.assertEqual(self.files(), ["box.obj"])

    def test_the_default_resolution_is_that_of_a_scene(self):
        for shape, keys in ((["sphere", "--radius", "0.5"], "radius: 0.5"), (["capsule", "--radius", "0.01", "--length", "0.1"], "radius: 0.01, length: 0.1"),
                            (["ellipsoid", "--semi-axes", "0.1", "0.5", "0.3"], "semi_axes: [0.1, 0.5, 0.3]"), (["box", "--size", "1", "2", "3"], "size: [1, 2, 3]")):
            with self.subTest(" ".join(shape)):
                self.write("scene.yaml", "csim: 1\ntime: {end: 0}\nmaterials: {m: {}}\nbodies:\n  - name: a\n    density: 1000\n"
                                         f"    geometry: [{{shape: {shape[0]}, {keys}, material: m, contact: compliant}}]\n")
                self.csim("run", "scene.yaml", "-o", "out.h5", "--force")
                made = json.loads(self.csim("mesh", "make", *shape, "--json").stdout)
                with h5py.File(self.folder / "out.h5") as f:
                    mesh = f["meshes/a/geometry_0"]
                    self.assertEqual((made["num_vertices"], made["num_tets"]), (len(mesh["vertices"]), len(mesh["tets"])))

    def test_what_it_makes_passes_the_check(self):
        self.csim("mesh", "make", "cylinder", "--radius", "0.1", "--length", "0.05", "--margin", "0.001", "-o", "a.vtk")
        self.csim("mesh", "check", "a.vtk", "--strict")
        self.assertEqual(json.loads(self.csim("mesh", "info", "a.vtk", "--json").stdout)["notes"], [])
        self.csim("mesh", "make", "capsule", "--radius", "0.1", "--length", "0.05", "--rigid", "-o", "a.obj")
        self.csim("mesh", "check", "a.obj", "--strict")

    def test_wrong_arguments(self):
        for arguments, message in (
                (["sphere"], "a sphere needs --radius"),
                (["box", "--radius", "1"], "--radius has no meaning for a box, which takes --size"),
                (["cylinder", "--radius", "1"], "a cylinder needs --radius and --length"),
                (["sphere", "--radius", "-1"], "--radius: -1, expected > 0 (m)"),
                (["sphere", "--radius", "1", "--scale", "2"], "--scale has no meaning for a sphere"),
                (["sphere", "--radius", "1", "--resolution", "0"], "--resolution: 0, expected > 0 (m)"),
                (["sphere", "--radius", "1", "--modulus", "0"], "--modulus: 0, expected > 0 (Pa)"),
                (["sphere", "--radius", "1", "--margin", "2"], "--margin: 2, expected less than the shape's least radius or half size, 1 m"),
                (["sphere", "--radius", "1", "-o", "a.stl"], "a.stl: unknown extension '.stl', expected .vtk"),
                (["convex", "--file", "none.obj"], "none.obj: cannot be opened"),
                (["half_space"], "half_space"),
                (["box", "--size", "1", "2"], "--size")):
            with self.subTest(" ".join(arguments)):
                result = self.csim("mesh", "make", *arguments, expect=INVALID)
                self.assertIn(message, result.stderr)
                self.assertEqual(result.stdout, "")
        self.assertEqual(self.files(), [])

    def test_an_existing_file_and_one_that_cannot_be_written(self):
        self.write("a.vtk", "mine")
        make = ["mesh", "make", "sphere", "--radius", "1", "--resolution", "1", "-o"]
        self.assertIn("exists already", self.csim(*make, "a.vtk", expect=INVALID).stderr)
        self.assertEqual((self.folder / "a.vtk").read_text(), "mine")
        self.csim(*make, "a.vtk", "--force")
        self.assertIn("cannot be written", self.csim(*make, "nowhere/a.vtk", expect=OUTPUT).stderr)
        self.assertEqual(self.files(), ["a.vtk"])


class Check(CliTest):
    def test_a_sound_file(self):
        self.write("a.vtk", vtk())
        result = self.csim("mesh", "check", "a.vtk", "--strict")
        for line in ("vertices               5, 1 of them inside", "tetrahedra             4", "boundary triangles     4", "volume                 0.1666667 m^3",
                     "pressure               0 to 1 of the modulus, by distance"):
            self.assertIn(line, result.stdout)
        self.assertEqual(result.stderr, "")
        self.csim("mesh", "check", SOURCE / "scenes/pepper_bowl/pepper.vtk", "--strict")
        self.csim("mesh", "check", SOURCE / "scenes/pepper_bowl/bowl.obj", "--strict")

    def test_defects_fail_with_their_names(self):
        self.write("turned.vtk", vtk(tets=["4 1 2 3", "4 0 2 3", "0 1 4 3", "0 1 2 4"]))
        self.write("hollow.vtk", vtk(POINTS[:4], ["0 1 2 3"]))
        self.write("damaged.vtk", vtk()[:150])
        self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
        for name, message in (("turned.vtk", "cell 1 (-0.03333333333333334 m^3); csim mesh export --fix-orientation turns them over"), ("hollow.vtk", "csim mesh export --split-problem-simplices"),
                              ("damaged.vtk", "the file ends before them: it is cut off or damaged"), ("open.obj", "lines 5 and 6: neighbouring triangles are wound in opposite senses")):
            with self.subTest(name):
                self.assertIn(message, self.csim("mesh", "check", name, expect=GATE).stdout)
                found = json.loads(self.csim("mesh", "check", name, "--json", expect=GATE).stdout)
                self.assertFalse(found["ok"])
                self.assertIn(message.split(";")[0], found["errors"][0])

    def test_one_tetrahedron_alone(self):
        """What each message asks for leads to the next, and then to a mesh."""
        self.write("a.vtk", vtk(POINTS[:4], ["1 0 2 3"]))
        export = ["mesh", "export", "a.vtk", "-o", "b.vtk"]
        for option, told in (("--fix-orientation", "cell 0 (-0.16666666666666666 m^3)"), ("--split-problem-simplices", "no vertex lies inside")):
            self.assertRegex(self.csim(*export, expect=INVALID).stderr, re.escape(told) + ".*" + option)
            export.append(option)
        self.csim(*export)
        self.csim("mesh", "check", "b.vtk", "--strict")
        self.assertAlmostEqual(json.loads(self.csim("mesh", "info", "b.vtk", "--json").stdout)["volume"], 1 / 6, delta=1e-15)

    def test_triangles_without_area_are_counted(self):
        self.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 2 3\nf 2 3 4\nf 1 1 1\n")
        note = "2 triangles without area left out, the first at line 8"
        self.assertIn(note, self.csim("mesh", "check", "a.obj").stdout)
        summary = json.loads(self.csim("mesh", "info", "a.obj", "--json").stdout)
        self.assertEqual((summary["notes"], summary["num_triangles"], summary["closed"]), ([note], 4, True))
        self.write("scene.yaml", "csim: 1\ntime: {end: 0.001}\nmaterials: {m: {}}\nbodies:\n  - name: a\n    density: 1000\n"
                                 "    geometry: [{shape: mesh, file: a.obj, material: m}]\n")
        self.assertEqual(self.csim("run", "scene.yaml").stderr.count("a.obj: " + note), 1)

    def test_warnings_fail_under_strict(self):
        # Two tets on a common triangle, which has no pressure; each with a point inside.
        points = ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "0 0 -1", "0.2 0.2 0.2", "0.2 0.2 -0.2"]
        tets = ["5 1 2 3", "0 5 2 3", "0 1 5 3", "0 1 2 5", "6 2 1 4", "0 6 1 4", "0 2 6 4", "0 2 1 6"]
        self.write("a.vtk", vtk(points, tets))
        self.assertIn("0 interior edges, 1 interior triangle and 0 tetrahedra have all their vertices on the boundary", self.csim("mesh", "check", "a.vtk").stdout)
        self.csim("mesh", "check", "a.vtk", "--strict", expect=GATE)
        note = self.csim("mesh", "export", "a.vtk", "--split-problem-simplices", "-o", "b.vtk").stderr
        self.assertIn("problem simplices split: 0 edges, 1 triangle, 0 tetrahedra", note)
        self.csim("mesh", "check", "b.vtk", "--strict")

    def test_what_cannot_be_looked_at(self):
        self.write("a.step", "x")
        for arguments, message in ((["none.vtk"], "none.vtk: cannot be opened: No such file or directory"), (["a.step"], "a.step: unknown extension"),
                                   (["none.vtk", "--scale", "1,2"], "none.vtk")):
            for command in ("check", "info"):
                with self.subTest(f"{command} {arguments}"):
                    self.assertIn(message, self.csim("mesh", command, *arguments, expect=INVALID).stderr)
        self.csim("mesh", expect=INVALID)
        self.csim("mesh", "melt", expect=INVALID)


CUBE = ("v 0 0 0\nv .1 0 0\nv .1 .1 0\nv 0 .1 0\nv 0 0 .1\nv .1 0 .1\nv .1 .1 .1\nv 0 .1 .1\n"
        "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n")


class Repair(CliTest):
    def test_what_a_message_proposes_mends_the_file(self):
        """Inside out, wound both ways, T-junctions: each message names the command, and what it writes is a solid."""
        lines = CUBE.splitlines()
        inside_out = "\n".join("f " + " ".join(reversed(line.split()[1:])) if line[0] == "f" else line for line in lines)
        mixed = CUBE.replace("f 4 1 5 8", "f 8 5 1 4")
        junction = CUBE.replace("f 4 3 2 1", "v .05 0 0\nf 4 3 2 9\nf 4 9 1")
        for name, text, code, done in (("out.obj", inside_out, GATE, "turned 1 closed component of 1 outwards"), ("mixed.obj", mixed, GATE, "turned 2 triangles to run like their neighbours"),
                                       ("junction.obj", junction, 0, "cut triangles at 1 vertex on the side of a neighbour (T-junctions)")):
            with self.subTest(name):
                self.write(name, text)
                self.assertIn("'csim mesh repair'", self.csim("mesh", "check", name, expect=code).stdout)
                self.assertIn(done, self.csim("mesh", "repair", name, "mended.obj", "--force").stdout)
                summary = json.loads(self.csim("mesh", "check", "mended.obj", "--json").stdout)
                self.assertTrue(summary["closed"])
                self.assertAlmostEqual(summary["volume"], 1e-3, delta=1e-15)
        self.assertIn("nothing to repair", self.csim("mesh", "repair", "mended.obj", "again.obj").stdout)

    def test_what_it_cannot_do(self):
        self.write("a.obj", CUBE)
        self.write("a.vtk", vtk())
        for arguments, message in ((["a.vtk", "b.obj"], "tetrahedra, expected a surface"), (["a.obj", "b.stl"], "expected a name that ends in .obj"),
                                   (["a.obj", "a.obj"], "a.obj"), (["none.obj", "b.obj"], "none.obj: cannot be opened")):
            with self.subTest(arguments):
                self.assertIn(message, self.csim("mesh", "repair", *arguments, expect=INVALID).stderr)
        self.assertEqual(self.files(), ["a.obj", "a.vtk"])


class Info(CliTest):
    def test_an_open_surface_has_the_mass_of_its_hull_ready_to_copy(self):
        self.write("a.obj", CUBE.replace("f 5 6 7 8\n", ""))
        text = self.csim("mesh", "info", "a.obj").stdout
        for line in ("mass: 1\n", "com: [0.05, 0.05, 0.05]\n", "inertia: [0.001666667, 0.001666667, 0.001666667, "):
            self.assertIn(line, text)
        self.assertAlmostEqual(json.loads(self.csim("mesh", "info", "a.obj", "--json").stdout)["hull_volume"], 1e-3, delta=1e-15)
        keys = "\n".join("    " + line for line in text.splitlines() if line.startswith(("mass", "com", "inertia")))
        self.write("scene.yaml", "csim: 1\ntime: {end: 0}\nmaterials: {m: {}}\nbodies:\n  - name: a\n" + keys +
                   "\n    geometry: [{shape: mesh, file: a.obj, material: m}]\n")
        self.csim("run", "scene.yaml")

    def test_it_exits_as_check_does(self):
        self.write("a.obj", CUBE.replace("f 4 1 5 8", "f 8 5 1 4"))
        self.write("b.stl", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        for name, message in (("a.obj", "wound in opposite senses"), ("b.stl", "a Git LFS pointer, not the mesh itself")):
            for command in ("info", "check"):
                self.assertIn(message, self.csim("mesh", command, name, expect=GATE).stdout)


class Readers(CliTest):
    def test_texts_in_a_vtk_file_are_passed_over(self):
        """As VTK's writer puts them: encoded, a line each; in binary files behind their length."""
        head, rest = vtk().split("POINTS", 1)
        self.write("a.vtk", head + "FIELD FieldData 2\nlabel 1 2 string\nhello%20world\n\nother 1 1 string\nx\n\nPOINTS" + rest)
        self.assertEqual(json.loads(self.csim("mesh", "info", "a.vtk", "--json").stdout)["num_tets"], len(TETS))
        texts = b"FIELD FieldData 1\nlabel 1 2 string\n" + b"\xcbhello world" + b"\x80\x64" + 100 * b"y" + b"\n"
        points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], ">f8").tobytes()
        cells = np.array([4, 0, 1, 2, 3], ">i4").tobytes()
        (self.folder / "b.vtk").write_bytes(b"# vtk DataFile Version 3.0\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\n" + texts + b"POINTS 4 double\n" + points +
                                            b"\nCELLS 1 5\n" + cells + b"\nCELL_TYPES 1\n" + np.array([10], ">i4").tobytes())
        self.assertEqual(json.loads(self.csim("mesh", "info", "b.vtk", "--json", expect=GATE).stdout)["num_tets"], 1)

    def test_a_compressor_does_not_matter_to_text(self):
        array = '<DataArray type="{}" Name="{}" format="ascii">{}</DataArray>'
        self.write("a.vtu", '<VTKFile type="UnstructuredGrid" compressor="vtkLZ4DataCompressor"><UnstructuredGrid><Piece><Points>' +
                   array.format("Float64", "p", "0 0 0 1 0 0 0 1 0 0 0 1") + "</Points><Cells>" + array.format("Int32", "connectivity", "0 1 2 3") +
                   array.format("Int32", "offsets", "4") + array.format("UInt8", "types", "10") + "</Cells></Piece></UnstructuredGrid></VTKFile>")
        self.assertEqual(json.loads(self.csim("mesh", "info", "a.vtu", "--json", expect=GATE).stdout)["num_tets"], 1)


class Export(CliTest):
    def test_pressure_by_distance(self):
        """Against the distance of the one inner point to the four faces."""
        self.write("a.vtk", vtk())
        self.csim("mesh", "export", "a.vtk", "--modulus", "500", "--scale", "2,2,2", "-o", "b.vtk")
        points, tets, scalars = read_vtk(self.folder / "b.vtk")
        np.testing.assert_allclose(points[4], [0.4, 0.4, 0.4])
        np.testing.assert_array_equal(scalars["pressure"], [0, 0, 0, 0, 500])
        self.assertAlmostEqual(volumes(points, tets).sum(), 8 / 6, delta=1e-15)

    def test_repair_and_field_of_the_file(self):
        turned = ["4 1 2 3", "4 0 2 3", "0 1 4 3", "0 1 2 4"]
        self.write("a.vtk", vtk(tets=turned, arrays="POINT_DATA 5\nSCALARS extent double 1\nLOOKUP_TABLE default\n0 0 0 0 0.25"))
        self.assertIn("a.vtk: 1 tetrahedron has no positive volume", self.csim("mesh", "export", "a.vtk", "-o", "b.vtk", expect=INVALID).stderr)
        self.assertEqual(self.files(), ["a.vtk"])
        self.assertIn("1 tetrahedron turned over", self.csim("mesh", "export", "a.vtk", "--fix-orientation", "--modulus", "100", "-o", "b.vtk").stderr)
        points, tets, scalars = read_vtk(self.folder / "b.vtk")
        self.assertGreater(volumes(points, tets).min(), 0)
        np.testing.assert_array_equal(scalars["pressure"], [0, 0, 0, 0, 25])
        self.csim("mesh", "export", "a.vtk", "--fix-orientation", "--ignore-field", "--modulus", "100", "-o", "c.vtk")
        np.testing.assert_array_equal(read_vtk(self.folder / "c.vtk")[2]["pressure"], [0, 0, 0, 0, 100])

    def test_the_input_is_no_place_for_the_output(self):
        path = self.write("tet.vtk", vtk())
        (self.folder / "soft.vtk").symlink_to("tet.vtk")
        (self.folder / "hard.obj").hardlink_to(path)
        for place in ("tet.vtk", "soft.vtk", "hard.obj"):
            with self.subTest(place):
                result = self.csim("mesh", "export", "tet.vtk", "-o", place, "--force", expect=INVALID)
                self.assertIn("the output is the input", result.stderr)
        hull = self.write("hull.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        before = hull.read_text()
        self.assertIn("the output is the input", self.csim("mesh", "make", "convex", "--file", "hull.obj", "-o", "hull.obj", "--force", expect=INVALID).stderr)
        self.assertEqual(hull.read_text(), before)
        self.assertEqual(path.read_text(), vtk())

    def test_surface_of_tets(self):
        self.csim("mesh", "export", SOURCE / "scenes/pepper_bowl/pepper.vtk", "-o", "skin.obj")
        skin = json.loads(self.csim("mesh", "info", "skin.obj", "--json").stdout)
        pepper = json.loads(self.csim("mesh", "info", SOURCE / "scenes/pepper_bowl/pepper.vtk", "--json").stdout)
        self.assertTrue(skin["closed"])
        self.assertEqual(skin["num_triangles"], pepper["num_boundary_faces"])
        self.assertAlmostEqual(skin["volume"] / pepper["volume"], 1.0, delta=1e-12)


if __name__ == "__main__":
    main()
