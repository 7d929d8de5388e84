"""`csim view`: the page and the still as files, and wrong usage. tests/browser/ tests the page in a browser."""
import base64
import json
import pathlib
import re
import shutil
import tempfile

import h5py
import numpy as np

from csim_testing import BALL, INVALID, OUTPUT, SOURCE, CliTest, main
from browser import decode_png


def page_data(path):
    """The JSON of a page with its arrays in place."""
    page = path.read_text(encoding="utf-8")
    block = base64.b64decode(re.search(r'<script type="text/plain" id="data-base64">(.*?)</script>', page, re.S).group(1))

    def arrays(item):
        if isinstance(item, dict) and item.keys() == {"type", "offset", "count"}:
            return np.frombuffer(block, item["type"], item["count"], item["offset"])
        if isinstance(item, dict):
            return {key: arrays(value) for key, value in item.items()}
        return [arrays(value) for value in item] if isinstance(item, list) else item

    return arrays(json.loads(re.search(r'<script type="application/json" id="data-json">(.*?)</script>', page, re.S).group(1)))


class Page(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml")

    def test_holds_the_frames_of_the_file(self):
        self.assertIn("ball.html", self.csim("view", "ball.h5", "--fps", "1e6").stdout)
        data = page_data(self.folder / "ball.html")
        with h5py.File(self.folder / "ball.h5") as file:
            time, position, quaternion = (file["trajectory/" + name][:] for name in ("time", "position", "quaternion"))
            force, mode, offset = file["contact/force"][:], file["contact/mode"][:], file["contact/row_offset"][:]
        ball = [body["name"] for body in data["bodies"]].index("ball")
        self.assertEqual([body["moves"] for body in data["bodies"]], [False, True])
        np.testing.assert_array_equal(data["frames"]["time"], time)
        np.testing.assert_array_equal(data["frames"]["position"].reshape(-1, 3), position[:, ball].astype(np.float32))
        turned = data["frames"]["quaternion"].reshape(-1, 4) / 32767.0
        # The same rotation; rounded to 16 bits, either sign.
        np.testing.assert_allclose(np.abs((turned * quaternion[:, ball]).sum(axis=1)), 1.0, atol=1e-4)
        acts = mode != 0
        np.testing.assert_array_equal(data["contacts"]["force"].reshape(-1, 3), force[acts].astype(np.float32))
        np.testing.assert_array_equal(data["contacts"]["offset"], np.concatenate([[0], np.cumsum(acts)])[offset])
        self.assertEqual([plot["title"] for plot in data["plots"]], ["Energy", "Iterations", "Contacts", "Residual"])
        self.assertEqual(len(data["plots"][1]["curves"][0]["time"]), 500)

    def test_a_scene_before_it_runs(self):
        """Its start, and nothing is left of the way there; a wrong scene is an error like any."""
        self.csim("view", "scene.yaml", "-o", "start.html")
        data = page_data(self.folder / "start.html")
        np.testing.assert_array_equal(data["frames"]["time"], [0.0])
        with h5py.File(self.folder / "ball.h5") as file:
            np.testing.assert_array_equal(data["frames"]["position"], file["trajectory/position"][0, 1].astype(np.float32))
        self.assertTrue(data["beforeRunning"])
        self.csim("view", "scene.yaml", "--png")
        self.assertTrue((self.folder / "scene.png").exists())
        self.assertEqual(list(pathlib.Path(tempfile.gettempdir()).glob("csim_view_*")), [])
        self.write("wrong.yaml", BALL.replace("friction:", "frction:"))
        self.assertIn("wrong.yaml:", self.csim("view", "wrong.yaml", expect=INVALID).stderr)
        self.assertFalse((self.folder / "wrong.html").exists())

    def test_overlaps_before_it_runs(self):
        """Of points and of patches, the deepest first; what only touches is none."""
        self.write("deep.yaml", """\
            csim: 1
            time: {end: 1}
            materials: {soft: {hydroelastic_modulus: 1.0e5}}
            bodies:
              - {name: ground, fixed: true, geometry: [{name: floor, shape: half_space, material: soft}]}
              - {name: brick, density: 500, pose: {xyz: [0, 0, 0.049]}, geometry: [{name: hull, shape: box, size: [0.2, 0.2, 0.1], material: soft}]}
              - {name: sponge, density: 500, pose: {xyz: [1, 0, 0.046]}, geometry: [{name: hull, shape: box, size: [0.2, 0.2, 0.1], material: soft, contact: compliant}]}
              - {name: resting, density: 500, pose: {xyz: [2, 0, 0.05]}, geometry: [{name: hull, shape: box, size: [0.2, 0.2, 0.1], material: soft}]}
            """)
        self.csim("view", "deep.yaml", "--png", "deep.png", "-o", "deep.html", "--size", "640x400")
        overlaps = page_data(self.folder / "deep.html")["overlaps"]
        self.assertEqual([(o["a"], o["b"]) for o in overlaps], [("ground/floor", "sponge/hull"), ("ground/floor", "brick/hull")])
        np.testing.assert_allclose([o["depth"] for o in overlaps], [0.004, 0.001], rtol=0.02)
        for overlap, x in zip(overlaps, (1, 0)):
            self.assertLess(abs(overlap["point"][0] - x), 0.101)
            self.assertLess(abs(overlap["point"][2]), 0.004)
        # Red balls there, and red words beside them.
        image = decode_png((self.folder / "deep.png").read_bytes()).astype(int)
        red = (image[..., 0] > 170) & (image[..., 1] < 70) & (image[..., 2] < 90)
        self.assertGreater(np.count_nonzero(red[60:320, 60:560]), 40)
        # A result of it has none.
        self.csim("run", "deep.yaml", "--end", "0", "-q", "-o", "deep.h5")
        self.csim("view", "deep.h5", "-o", "after.html")
        data = page_data(self.folder / "after.html")
        self.assertEqual((data["overlaps"], data["beforeRunning"]), ([], False))

    def test_fewer_frames_a_part_of_the_time_no_contacts(self):
        self.csim("view", "ball.h5", "-o", "part.html", "--fps", "10", "--from", "0.1", "--to", "0.4", "--no-contacts")
        data = page_data(self.folder / "part.html")
        np.testing.assert_allclose(data["frames"]["time"], [0.1, 0.2, 0.3, 0.4], atol=1e-12)
        self.assertIsNone(data["contacts"])
        self.assertTrue(all(0.1 - 1e-9 <= t <= 0.4 + 1e-9 for plot in data["plots"] for curve in plot["curves"] for t in curve["time"]))

    def test_a_result_without_contacts(self):
        self.csim("run", "scene.yaml", "--set", "output.contacts=false", "-o", "bare.h5")
        self.csim("view", "bare.h5")
        self.assertIsNone(page_data(self.folder / "bare.html")["contacts"])

    def test_a_failed_run_and_an_unfinished_one(self):
        self.csim("run", "scene.yaml", "-o", "failed.h5", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", expect=3)
        self.csim("view", "failed.h5")
        self.assertEqual(page_data(self.folder / "failed.html")["status"], "failed")
        (self.folder / "ball.h5").rename(self.folder / "ball.h5.part")
        self.csim("view", "ball.h5.part", "-o", "part.html")

    def test_one_frame_is_not_frames(self):
        self.assertIn(", 1 frame)", self.csim("view", "scene.yaml", "-o", "start.html").stdout)
        self.assertIn("1 picture, 30 a second", self.csim("view", "ball.h5", "--frames", "one", "--to", "0.01", "--size", "64x48").stdout)

    def test_of_the_initial_state_alone(self):
        self.csim("run", "scene.yaml", "--end", "0", "-o", "still.h5")
        self.csim("view", "still.h5", "--png", "still.png", "-o", "still.html")
        self.assertEqual(len(page_data(self.folder / "still.html")["frames"]["time"]), 1)

    def test_the_same_bytes_every_time(self):
        self.csim("view", "ball.h5", "-o", "a.html", "--png", "a.png")
        self.csim("view", "ball.h5", "-o", "b.html", "--png", "b.png")
        for end in ("html", "png"):
            self.assertEqual((self.folder / f"a.{end}").read_bytes(), (self.folder / f"b.{end}").read_bytes())

    def test_every_shape_and_a_body_without_geometry(self):
        self.write("shapes.yaml", """\
            csim: 1
            time: {end: 0.1}
            bodies:
              - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
              - {name: point, mass: 1, inertia: [1, 1, 1], pose: {xyz: [0, 0, 9]}}
              - {name: a, density: 1, pose: {xyz: [0, 0, 1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
              - {name: b, density: 1, pose: {xyz: [1, 0, 1]}, geometry: [{shape: box, size: [0.1, 0.2, 0.3], material: m}]}
              - {name: c, density: 1, pose: {xyz: [2, 0, 1]}, geometry: [{shape: cylinder, radius: 0.1, length: 0.2, material: m}]}
              - {name: d, density: 1, pose: {xyz: [3, 0, 1]}, geometry: [{shape: capsule, radius: 0.1, length: 0.2, material: m}]}
              - {name: e, density: 1, pose: {xyz: [4, 0, 1]}, geometry: [{shape: ellipsoid, semi_axes: [0.1, 0.2, 0.3], material: m}]}
              - {name: f, density: 1, pose: {xyz: [5, 0, 1]}, geometry: [{shape: convex, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], material: m}]}
            materials: {m: {}}
            """)
        self.csim("run", "shapes.yaml")
        self.csim("view", "shapes.h5")
        data = page_data(self.folder / "shapes.html")
        self.assertEqual([part["name"].split("/")[0] for part in data["parts"]], list("abcdef"))
        self.assertEqual(len(data["planes"]), 1)
        # Half extents of each part, from its vertices and its scale.
        expected = {"a": [0.1] * 3, "b": [0.05, 0.1, 0.15], "c": [0.1, 0.1, 0.1], "d": [0.1, 0.1, 0.2], "e": [0.1, 0.2, 0.3]}
        for part in data["parts"][:5]:
            vertices = data["surfaces"][part["surface"]]["vertices"].reshape(-1, 3) * part["scale"]
            np.testing.assert_allclose(np.abs(vertices).max(axis=0), expected[part["name"][0]], rtol=1e-6)


COLORS = """\
csim: 1
name: painted
time: {end: 0.02}
gravity: [0, 0, 0]
materials: {m: {}}
bodies:
  - {name: red, density: 500, color: [1, 0, 0], geometry: [{shape: sphere, radius: 0.1, material: m}, {name: cap, shape: sphere, radius: 0.05, pose: {xyz: [0, 0, 0.11]}, material: m, color: [0, 0, 1]}]}
  - {name: glass, density: 500, pose: {xyz: [0.4, 0, 0]}, geometry: [{shape: box, size: [0.2, 0.2, 0.2], material: m, color: [0, 1, 0, 0.25]}]}
  - {name: plain, density: 500, pose: {xyz: [0.8, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: unseen, density: 500, pose: {xyz: [1.2, 0, 0]}, color: [1, 1, 0, 0], geometry: [{shape: sphere, radius: 0.1, material: m}]}
"""


class Colors(CliTest):
    """`color` of bodies and geometries, from the scene to the pictures."""

    def setUp(self):
        super().setUp()
        self.write("scene.yaml", COLORS)
        self.csim("run", "scene.yaml")

    def test_in_the_file(self):
        with h5py.File(self.folder / "painted.h5") as file:
            color = dict(zip([name.decode() for name in file["geometries/name"]], file["geometries/color"][:].tolist()))
        self.assertEqual(color["red/geometry_0"], [1, 0, 0, 1])
        self.assertEqual(color["red/cap"], [0, 0, 1, 1])
        self.assertEqual(color["glass/geometry_0"], [0, 1, 0, 0.25])
        self.assertTrue(np.isnan(color["plain/geometry_0"]).all())

    def test_in_page_and_still(self):
        self.csim("view", "painted.h5", "--png", "still.png", "-o", "page.html", "--plain", "--size", "800x400", "--azimuth", "-90", "--elevation", "10")
        parts = {part["name"]: part["color"] for part in page_data(self.folder / "page.html")["parts"]}
        self.assertEqual(parts, {"red/geometry_0": [1, 0, 0, 1], "red/cap": [0, 0, 1, 1], "glass/geometry_0": [0, 1, 0, 0.25], "plain/geometry_0": None, "unseen/geometry_0": [1, 1, 0, 0]})
        red, green, blue = np.moveaxis(decode_png((self.folder / "still.png").read_bytes()).astype(int), 2, 0)
        self.assertGreater(np.count_nonzero((red > 120) & (green < 40) & (blue < 40)), 500)
        self.assertGreater(np.count_nonzero((blue > 120) & (green < 40) & (red < 40)), 100)
        # A quarter of green over the background: light, and far from opaque.
        glass = (green > red + 20) & (green > blue + 20)
        self.assertGreater(np.count_nonzero(glass), 500)
        self.assertGreater(np.median(red[glass]), 130)
        self.assertEqual(np.count_nonzero((red > 120) & (green > 120) & (blue < 80)), 0)

    def test_for_paraview(self):
        self.csim("export", "painted.h5", "--paraview", "series")
        self.assertIn('Name="color" NumberOfComponents="4"', next((self.folder / "series/bodies").glob("*.vtp")).read_bytes().decode("latin-1"))

    def test_a_file_without_colours_and_frames_of_joints(self):
        with h5py.File(self.folder / "painted.h5", "r+") as file:
            for name in ("geometries/color", "joints/type", "scene/gravity"):
                del file[name]
        self.csim("view", "painted.h5", "--png", "still.png", "-o", "page.html")
        data = page_data(self.folder / "page.html")
        self.assertEqual({str(part["color"]) for part in data["parts"]}, {"None"})
        self.assertIsNone(data["gravity"])

    def test_wrong_colours(self):
        for wrong, expected in (("[1, 0]", "a list of 2, expected a list of 3 or 4 numbers >= 0 and <= 1"), ("[255, 0, 0]", "255, expected a number >= 0 and <= 1"),
                                ("red", "'red', expected a list of 3 or 4 numbers >= 0 and <= 1, such as [0.9, 0.3, 0.1, 0.5]")):
            self.write("wrong.yaml", COLORS.replace("color: [1, 0, 0]", f"color: {wrong}", 1))
            with self.subTest(wrong):
                self.assertIn(expected, self.csim("validate", "wrong.yaml", expect=INVALID).stderr)


# A compliant box that falls flat onto the floor, and another on top of it.
PATCHES = """\
csim: 1
name: stack
time: {step: 2.0e-3, end: 0.4}
materials: {soft: {hydroelastic_modulus: 1.0e5, friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: soft}]}
  - {name: box, density: 1000, pose: {xyz: [0, 0, 0.0505]}, velocity: {linear: [0.2, 0, 0]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: soft, contact: compliant}]}
  - {name: ball, density: 1000, pose: {xyz: [0, 0, 0.14]}, geometry: [{shape: sphere, radius: 0.04, material: soft, contact: compliant, resolution: 0.02}]}
output: {period: 0.02, patches: full}
"""


class Patches(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", PATCHES)
        self.csim("run", "scene.yaml")

    def view(self, *options):
        self.csim("view", "stack.h5", "--fps", "1e6", "--force", *options)
        return page_data(self.folder / "stack.html")

    def test_holds_the_patches_of_the_file(self):
        data = self.view()["patches"]
        with h5py.File(self.folder / "stack.h5") as file:
            patch = file["patch"]
            np.testing.assert_array_equal(data["offset"], patch["row_offset"])
            self.assertGreater(data["offset"][-1], 20)
            for name in ("centroid", "force", "moment"):
                np.testing.assert_array_equal(data[name].reshape(-1, 3), patch[name][:].astype(np.float32))
            owner = file["geometries/body"][:]
            np.testing.assert_array_equal(data["bodies"].reshape(-1, 2), np.stack([owner[patch["geometry_a"]], owner[patch["geometry_b"]]], axis=1))
            polygons, face_offset, corner_offset = data["polygons"], patch["face_offset"][:], patch["polygon/vertex_offset"][:]
            np.testing.assert_array_equal(polygons["faceOffset"], face_offset)
            np.testing.assert_array_equal(polygons["cornerOffset"], corner_offset[face_offset])
            np.testing.assert_array_equal(polygons["cornersOfFace"], np.diff(corner_offset))
            # Half a step of the box's 65535 along each axis, and float32 of places below a metre.
            row = np.repeat(np.arange(len(face_offset) - 1), np.diff(corner_offset[face_offset]))
            lower, size = polygons["lower"].reshape(-1, 3)[row], polygons["size"].reshape(-1, 3)[row]
            places = lower + polygons["place"].reshape(-1, 3) / 65535 * size
            self.assertLess(np.abs(places - patch["polygon/vertex"][:]).max() / 0.2, 0.51 / 65535 + 1e-6)
            # Half a step of 255 of the colours; pressures outside the bar take its ends.
            top = data["bar"]["top"]
            pressure = np.clip(patch["polygon/pressure"][:], 0, top)
            self.assertLess(np.abs(polygons["color"] / 255 * top - pressure).max(), 0.501 / 255 * top)
            self.assertGreaterEqual(top, np.percentile(patch["max_pressure"][:], 98) * (1 - 1e-12))
        self.assertEqual(data["bar"]["ticks"][-1]["at"], 1)

    def test_faces_are_no_arrows_where_patches_are_shown(self):
        self.assertIsNone(self.view()["contacts"])
        data = self.view("--no-patches")
        self.assertIsNone(data["patches"])
        with h5py.File(self.folder / "stack.h5") as file:
            self.assertEqual(len(data["contacts"]["slips"]), np.count_nonzero(file["contact/mode"][:]))
        self.assertIsNone(self.view("--no-contacts", "--no-patches")["contacts"])

    def test_a_summary_has_forces_but_no_polygons(self):
        for option in ("summary", "none"):
            self.csim("run", "scene.yaml", "--force", "--set", f"output.patches={option}")
            data = self.view()["patches"]
            if option == "none":
                self.assertIsNone(data)
            else:
                self.assertIsNone(data["polygons"])
                self.assertEqual(len(data["force"]), 3 * data["offset"][-1])

    def test_plots_of_faces_and_of_the_largest_pressure(self):
        plots = {plot["title"]: plot["curves"][0] for plot in self.view()["plots"]}
        with h5py.File(self.folder / "stack.h5") as file:
            np.testing.assert_array_equal(plots["Faces of patches"]["value"], file["stats/step/num_faces"])
            offset, pressure = file["patch/row_offset"][:], file["patch/max_pressure"][:]
            largest = [max(pressure[a:b], default=0) for a, b in zip(offset, offset[1:])]
            np.testing.assert_array_equal(plots["Largest pressure"]["value"], largest)
        self.csim("run", "scene.yaml", "--force", "--set", "output.patches=none")
        self.assertEqual(len(self.view()["plots"]), 4)

    def test_too_many_polygons_are_thinned_out_with_a_note(self):
        """A million triangles: 22 MB, 2 MB above what a page takes of them."""
        with h5py.File(self.folder / "stack.h5", "r+") as file:
            patch = file["patch"]
            faces = np.linspace(0, 1_000_000, len(patch["face_offset"])).astype(np.int64)
            big = {"face_offset": faces, "polygon/vertex_offset": 3 * np.arange(1_000_001)}
            for name, values in big.items():
                del patch[name]
                patch.create_dataset(name, data=values, maxshape=(None,), chunks=(4096,))
            for name in ["face/" + name for name in patch["face"]] + ["polygon/vertex", "polygon/pressure"]:
                old = patch[name]
                shape, kind = (1_000_000 * (3 if "polygon" in name else 1), *old.shape[1:]), old.dtype
                del patch[name]
                # Never written: all zeros, which take no room in the file.
                patch.create_dataset(name, shape, kind, maxshape=(None, *shape[1:]), chunks=(65536, *shape[1:]))
            time = file["trajectory/time"][:]
        result = self.csim("view", "stack.h5", "--fps", "1e6")
        self.assertIn("csim: note: one frame in 2 is shown", result.stderr)
        self.assertIn("--large", result.stderr)
        data = page_data(self.folder / "stack.html")
        np.testing.assert_array_equal(data["frames"]["time"], time[::2])
        self.assertIn("one frame in 2", data["notes"][0])
        self.assertEqual(self.csim("view", "stack.h5", "--fps", "1e6", "-o", "all.html", "--large").stderr, "")
        self.assertEqual(len(page_data(self.folder / "all.html")["frames"]["time"]), len(time))

    def test_a_tetmesh_is_named_and_seen(self):
        self.csim("mesh", "make", "box", "--size", "0.1", "0.1", "0.1", "-o", "box.vtk")
        for contact in ("compliant", "rigid"):
            self.write("tets.yaml", PATCHES.replace("shape: box, size: [0.1, 0.1, 0.1], material: soft, contact: compliant", f"shape: tetmesh, file: box.vtk, material: soft, contact: {contact}"))
            self.csim("run", "tets.yaml", "--end", "0.02", "-o", "tets.h5", "--force")
            with h5py.File(self.folder / "tets.h5") as file:
                self.assertEqual(list(file["geometries/shape"]), [b"half_space", b"tetmesh", b"sphere"])
            self.csim("view", "tets.h5", "--force")
            data = page_data(self.folder / "tets.html")
            vertices = data["surfaces"][data["parts"][0]["surface"]]["vertices"]
            self.assertEqual(np.abs(vertices).max(), np.float32(0.05))

    def test_a_still_of_patches(self):
        images = []
        for name in ("with", "without"):
            self.csim("view", "stack.h5", "--png", f"{name}.png", "--size", "320x200", *(["--no-patches"] if name == "without" else []))
            images.append(decode_png((self.folder / f"{name}.png").read_bytes()).astype(int))
            images[-1][120:, 240:] = 0  # the axes of the world
        # Green is in neither bodies nor forces of this scene: only in the bar and the patch.
        green = [np.count_nonzero((image[..., 1] > image[..., 0] + 40) & (image[..., 1] > image[..., 2] + 30)) for image in images]
        self.assertGreater(green[0], 50)
        self.assertEqual(green[1], 0)


class Still(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml")

    def test_goes_where_output_says(self):
        self.csim("view", "ball.h5", "--png", "-o", "still.png", "--size", "64x48")
        self.assertEqual(self.files(), ["ball.h5", "scene.yaml", "still.png"])
        self.csim("view", "ball.h5", "--size", "64x48", "--png")
        self.assertEqual(self.files(), ["ball.h5", "ball.png", "scene.yaml", "still.png"])

    def test_is_a_png_of_the_size_asked_for(self):
        shown = self.csim("view", "ball.h5", "--png", "ball.png", "--size", "200x120", "--time", "0.25").stdout
        self.assertIn("t = 0.25 s", shown)
        self.assertEqual(self.files(), ["ball.h5", "ball.png", "scene.yaml"])
        image = decode_png((self.folder / "ball.png").read_bytes())
        self.assertEqual(image.shape, (120, 200, 3))
        self.assertGreater(len(np.unique(image.reshape(-1, 3), axis=0)), 50)

    def test_time_scale_and_legend_or_none(self):
        said = self.csim("view", "ball.h5", "--png", "full.png", "--size", "480x300")
        self.csim("view", "ball.h5", "--png", "plain.png", "--size", "480x300", "--plain")
        self.assertEqual(said.stderr, "")
        full, plain = (decode_png((self.folder / name).read_bytes()).astype(int) for name in ("full.png", "plain.png"))
        changed = np.any(full != plain, axis=2)
        self.assertTrue(changed[:30, :200].any())   # name and time
        self.assertTrue(changed[240:, :200].any())  # scale and legend
        self.assertTrue(changed[200:, 400:].any())  # axes of the world
        self.assertFalse(changed[40:200].any() or changed[:200, 300:].any() or changed[:, 300:390].any())
        # Where there is no room for them, that is said.
        said = self.csim("view", "ball.h5", "--png", "small.png", "--size", "64x48")
        self.assertIn("64 x 48", said.stderr)

    def test_a_camera_of_ones_own(self):
        """The page begins where the still stands."""
        options = ["--azimuth", "90", "--elevation", "30", "--zoom", "2", "--look-at", "0,0,0.1"]
        self.csim("view", "ball.h5", "--png", "first.png", "--size", "160x100")
        self.csim("view", "ball.h5", "--png", "own.png", "--size", "160x100", "-o", "own.html", *options)
        self.assertNotEqual((self.folder / "first.png").read_bytes(), (self.folder / "own.png").read_bytes())
        framing = page_data(self.folder / "own.html")["framing"]
        self.assertEqual((list(framing["target"]), framing["zoom"]), ([0, 0, 0.1], 2))
        for found, expected in zip(framing["direction"], (0, 0.75 ** 0.5, 0.5)):
            self.assertAlmostEqual(found, expected, places=12)
        for wrong, says in ((["--elevation", "90"], "expected degrees from -89.9 to 89.9"), (["--zoom", "0"], "expected a number > 0"), (["--look-at", "1,2"], "--look-at"),
                            (["--azimuth", "nan"], "expected a number")):
            self.assertIn(says, self.csim("view", "ball.h5", "-o", "no.html", *wrong, expect=INVALID).stderr)
        self.assertFalse((self.folder / "no.html").exists())

    def test_a_scene_and_its_result_are_seen_from_the_same_side(self):
        self.csim("run", "scene.yaml", "-o", "side.h5", "-q", "--set", "bodies.ball.velocity.linear=[0, 3, 0]")
        self.csim("view", "side.h5", "-o", "result.html")
        self.csim("view", "scene.yaml", "-o", "start.html")
        self.assertEqual(*(list(page_data(self.folder / name)["framing"]["direction"]) for name in ("result.html", "start.html")))

    def test_the_path_of_a_body(self):
        """Of the page's path the part up to the still's time, in the colour of the body."""
        options = ["--size", "320x200", "--plain", "--force", "--no-contacts"]
        blue = {}
        for time in ("0", "0.25", "0.5"):
            for extra in ([], ["--trace", "ball"]):
                self.csim("view", "ball.h5", "--png", "still.png", "--time", time, *options, *extra)
                picture = decode_png((self.folder / "still.png").read_bytes()).astype(int)
                blue[time, bool(extra)] = np.count_nonzero(picture[..., 2] > picture[..., 0] + 40)
        added = [blue[time, True] - blue[time, False] for time in ("0", "0.25", "0.5")]
        self.assertLess(added[0], 10)
        self.assertGreater(added[1], 60)
        self.assertGreater(added[2], added[1] + 60)
        for arguments, says in ((["ball.h5", "--png", "--trace", "bal"], "--trace bal: no body of that name (did you mean 'ball'?)"), (["ball.h5", "--png", "--trace", "ground"], "--trace ground: the body does not move"),
                                (["scene.yaml", "--png", "--trace", "ball"], "--trace ball: the scene has not run, expected a result"),
                                (["ball.h5", "--trace", "ball"], "--trace stands alone, expected --png, --frames or --mp4 beside it")):
            self.assertIn(says, self.csim("view", *arguments, expect=INVALID).stderr)
        self.assertEqual(self.files(), ["ball.h5", "scene.yaml", "still.png"])

    def test_another_time_is_another_picture(self):
        images = []
        for time in ("0", "0.5"):
            self.csim("view", "ball.h5", "--png", "ball.png", "--size", "200x120", "--time", time, "--force", "--plain")
            images.append((self.folder / "ball.png").read_bytes())
        self.assertNotEqual(*images)


class Errors(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml")

    def refused(self, *arguments, expect=INVALID, says=""):
        before = self.files()
        result = self.csim("view", *arguments, expect=expect)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr)
        self.assertEqual(self.files(), before)

    def test_files_that_are_no_results(self):
        self.write("empty.h5", "")
        self.write("text.h5", "hello")
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["x"] = 1
        with h5py.File(self.folder / "newer.h5", "w") as file:
            file.attrs["csim_schema"] = "csim-result/2"
        for name in ("missing.h5", "empty.h5", "text.h5", "other.h5", "newer.h5", "."):
            with self.subTest(name):
                self.refused(name, says=name)

    def test_damaged_results(self):
        def damaged(name, change):
            shutil.copy(self.folder / "ball.h5", self.folder / name)
            with h5py.File(self.folder / name, "r+") as file:
                change(file)

        def put(path, place, value):
            def change(file):
                file[path][place] = value
            return change

        def drop(path):
            def change(file):
                del file[path]
            return change

        def narrow(file):
            column = file["trajectory/position"][:, :1]
            del file["trajectory/position"]
            file.create_dataset("trajectory/position", data=column, chunks=True)

        (self.folder / "cut.h5").write_bytes((self.folder / "ball.h5").read_bytes()[:5000])
        damaged("gone.h5", drop("trajectory/position"))
        damaged("offset.h5", put("contact/row_offset", 3, 10**9))
        damaged("start.h5", put("contact/row_offset", 0, 1))
        damaged("long.h5", put("contact/row_offset", -1, 10**9))
        damaged("narrow.h5", narrow)
        # What every command that reads a result tells.
        for name, says in {"cut.h5": "cannot be opened", "gone.h5": "/trajectory/position", "offset.h5": "/contact/row_offset[3] is 1000000000", "start.h5": "/contact/row_offset[0] is 1",
                           "long.h5": "/contact/row_offset", "narrow.h5": "/trajectory/position is not of the 2 bodies"}.items():
            with self.subTest(name):
                self.refused(name, says=says)
                self.refused(name, "--png", "a.png", says=says)
                self.assertIn(says, self.csim("info", name, expect=INVALID).stderr)
                self.assertIn(says, self.csim("diff", "ball.h5", name, expect=INVALID).stderr)
                self.assertIn(says, self.csim("export", name, "--csv", "table", expect=INVALID).stderr)
        damaged("body.h5", put("geometries/body", 0, 77))
        damaged("negative.h5", put("geometries/body", 1, -1))
        damaged("contact.h5", put("contact/geometry_b", 0, 2))
        damaged("columns.h5", put("bodies/v_offset", 2, 10**9))
        for name, says in {"body.h5": "/geometries/body holds 77, expected 0 to 1", "negative.h5": "holds -1", "contact.h5": "/contact/geometry_b holds 2, expected 0 to 1",
                           "columns.h5": "/bodies/v_offset, expected 3 numbers that ascend from 0 to 6"}.items():
            with self.subTest(name):
                self.refused(name, "--fps", "1e6", says=says)
                self.assertIn(says, self.csim("info", name, expect=INVALID).stderr)
                self.assertIn(says, self.csim("export", name, "--csv", "table", "--paraview", "vtk", expect=INVALID).stderr)
                self.assertFalse((self.folder / "table").exists() or (self.folder / "vtk").exists())

    def test_the_result_is_no_place_for_the_output(self):
        before = (self.folder / "ball.h5").read_bytes()
        (self.folder / "soft").symlink_to("ball.h5")
        (self.folder / "hard").hardlink_to(self.folder / "ball.h5")
        for place in ("ball.h5", "./ball.h5", "soft", "hard"):
            for arguments in (["-o", place], ["--png", place], ["-o", place, "--force"], ["--png", place, "--force"], ["-o", "page.html", "--png", place, "--force"]):
                with self.subTest(" ".join(arguments)):
                    self.refused("ball.h5", *arguments, says="the output is the input")
        self.refused("soft", "-o", "ball.h5", "--force", says="the output is the input")
        # A file is written beside its place first.
        (self.folder / "ball.h5").rename(self.folder / "ball.h5.part")
        self.refused("ball.h5.part", "-o", "ball.h5", "--force", says="the output is the input")
        self.assertEqual((self.folder / "ball.h5.part").read_bytes(), before)

    def test_wrong_arguments(self):
        for arguments in ([], ["ball.h5", "--fps", "0"], ["ball.h5", "--fps", "-1"], ["ball.h5", "--fps", "nan"], ["ball.h5", "--from", "nan"], ["ball.h5", "--to", "inf"], ["ball.h5", "--from", "later"],
                          ["ball.h5", "--time", "0.1"], ["ball.h5", "--size", "10x10"], ["ball.h5", "--png", "a.png", "--size", "big"],
                          ["ball.h5", "--png", "a.png", "--size", "8x8"], ["ball.h5", "--png", "a.png", "--size", "100x100x"],
                          ["ball.h5", "--png", "a.png", "--size", "99999x99999"]):
            with self.subTest(" ".join(arguments)):
                self.refused(*arguments)
        for fps, found in (("0", "0"), ("-1", "-1"), ("fast", "'fast'"), ("1e999", "1e999 is out of the range of a double")):
            self.refused("ball.h5", "--fps", fps, says=f"csim: error: --fps: {found}, expected a number > 0")

    def test_times_that_are_not_there(self):
        self.refused("ball.h5", "--from", "2", says="0.5")
        self.refused("ball.h5", "--from", "0.3", "--to", "0.2", says="--from")
        self.refused("ball.h5", "--png", "a.png", "--time", "0.6", says="--time")
        self.refused("ball.h5", "--png", "a.png", "--time", "nan", says="--time")

    def test_an_existing_file_stays(self):
        page = self.write("ball.html", "mine")
        self.refused("ball.h5", says="--force")
        self.assertEqual(page.read_text(), "mine")
        self.csim("view", "ball.h5", "--force")
        self.assertIn("<!DOCTYPE html>", page.read_text())
        self.write("ball.png", "mine")
        self.refused("ball.h5", "--png", "ball.png", says="ball.png")
        self.refused("ball.h5", "-o", "page.html", "--png", "ball.png", says="ball.png")
        self.refused("ball.h5", "-o", "both.png", "--png", "both.png", says="two names")

    def test_a_place_that_cannot_be_written(self):
        (self.folder / "folder").mkdir()
        self.refused("ball.h5", "-o", "nowhere/page.html", expect=OUTPUT, says="nowhere/page.html")
        self.refused("ball.h5", "-o", "folder", expect=OUTPUT, says="folder")
        self.refused("ball.h5", "-o", "/dev/full/page.html", expect=OUTPUT)


class Sizes(CliTest):
    def test_clutter_stays_below_5_mb(self):
        self.csim("run", SOURCE / "scenes/clutter/scene.yaml", "-o", "clutter.h5", "-q")
        self.csim("view", "clutter.h5")
        self.assertLess((self.folder / "clutter.html").stat().st_size, 5e6)

    def test_a_page_too_large_is_refused_with_advice(self):
        # A thousand bodies that fall freely, 2000 frames: 20 bytes a pose, a third more in the page.
        bodies = "".join(f"  - {{name: b{i}, density: 1, pose: {{xyz: [{i}, 0, 0]}}, geometry: [{{shape: sphere, radius: 0.1, material: m}}]}}\n" for i in range(1000))
        self.write("many.yaml", f"csim: 1\nname: many\ntime: {{step: 0.01, end: 20}}\nmaterials: {{m: {{}}}}\nbodies:\n{bodies}")
        self.csim("run", "many.yaml", "-q")
        result = self.csim("view", "many.h5", "--fps", "100", expect=INVALID)
        for word in ("--fps", "--from", "--to", "--no-contacts", "--large"):
            self.assertIn(word, result.stderr)
        self.assertFalse((self.folder / "many.html").exists())
        # Nine columns of each body in 2001 rows are 72 MB: every fifteenth row is plotted, and the last one; that is said.
        result = self.csim("view", "many.h5", "--fps", "10")
        self.assertIn("note: plots of bodies and joints: 135 of 2001 rows; --large shows all", result.stderr)
        data = page_data(self.folder / "many.html")
        self.assertEqual(data["notes"], ["plots of bodies and joints: 135 of 2001 rows"])
        with h5py.File(self.folder / "many.h5") as file:
            rows = [*range(0, 2001, 15), 2000]
            np.testing.assert_array_equal(data["columns"]["time"], file["trajectory/time"][:][rows])
            np.testing.assert_array_equal(data["columns"]["items"][7]["values"].reshape(9, -1)[5], file["trajectory/velocity"][:, 7, 2][rows].astype(np.float32))


if __name__ == "__main__":
    main()
