"""Pressure-field patches in the result file: every dataset, sums that agree, the same bits for any threads and after resuming."""
import h5py
import numpy as np

from csim_testing import INVALID, CliTest, main

# A compliant box and a rigid cylinder on a compliant floor, a compliant ball on the box: patches of every kind, and a point.
SCENE = """\
csim: 1
name: patches
time: {step: 1.0e-3, end: 0.2}
materials:
  soft: {friction: 0.4, hydroelastic_modulus: 1.0e+6, hunt_crossley_dissipation: 3, stiffness: 1.0e+5}
bodies:
  - name: floor
    fixed: true
    geometry: [{shape: half_space, material: soft, contact: compliant, slab_thickness: 0.05}]
  - name: box
    mass: 1
    inertia: solid
    pose: {xyz: [0, 0, 0.05], rpy: [0, 0, 0.3]}
    geometry: [{shape: box, size: [0.2, 0.2, 0.1], material: soft, contact: compliant, margin: 1.0e-3}]
  - name: ball
    mass: 0.3
    inertia: solid
    pose: {xyz: [0.02, 0.01, 0.145]}
    velocity: {angular: [1, 2, 5]}
    geometry: [{shape: sphere, radius: 0.05, material: soft, contact: compliant, resolution: 0.03}]
  - name: post
    mass: 0.5
    inertia: solid
    pose: {xyz: [0.3, 0, 0.06]}
    geometry: [{shape: cylinder, radius: 0.04, length: 0.12, material: soft, contact: rigid, resolution: 0.03}]
  - name: bead
    mass: 0.1
    inertia: solid
    pose: {xyz: [-0.3, 0, 0.02]}
    geometry: [{shape: sphere, radius: 0.02, material: soft}]
output: {period: 0.02, patches: full}
"""
ROWS = {**{name: ((), "i") for name in ("geometry_a", "geometry_b", "num_faces", "num_vertices", "dropped_angle", "constant_force_faces")},
        **{name: ((), "f") for name in ("dropped_area", "area", "max_pressure")},
        **{name: ((3,), "f") for name in ("centroid", "elastic_force", "elastic_moment", "force", "moment")}}
FACES = {**{name: ((), "f") for name in ("area", "pressure", "gradient_a", "gradient_b")},
         **{name: ((), "i") for name in ("element_a", "element_b")}, **{name: ((3,), "f") for name in ("centroid", "normal")}}


class Patches(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", SCENE)

    def run_scene(self, *options, name="patches.h5"):
        self.csim("run", "scene.yaml", "-q", "--force", "-o", name, *options)
        file = h5py.File(self.folder / name)
        self.addCleanup(file.close)
        return file

    def test_every_dataset_and_its_sums(self):
        f = self.run_scene()
        patch, face, polygon = f["patch"], f["patch/face"], f["patch/polygon"]
        rows, faces = patch["row_offset"][-1], patch["face_offset"][-1]
        corners = polygon["vertex_offset"][-1]
        self.assertEqual((patch["row_offset"].shape, patch["face_offset"].shape, polygon["vertex_offset"].shape), ((12,), (rows + 1,), (faces + 1,)))
        for group, columns, count in ((patch, ROWS, rows), (face, FACES, faces), (polygon, {"vertex": ((3,), "f"), "pressure": ((), "f")}, corners)):
            for name, (shape, kind) in columns.items():
                with self.subTest(f"{group.name}/{name}"):
                    self.assertEqual(group[name].shape, (count, *shape))
                    self.assertEqual(group[name].dtype.kind, kind)
                    self.assertIn("units", group[name].attrs)
        names = [n.decode() for n in f["geometries/name"][()]]
        # Row 0 has none; then the ball on the box, and the box and the post on the floor. The bead is a point on a compliant floor.
        self.assertEqual(patch["row_offset"][1], 0)
        last = slice(patch["row_offset"][-2], rows)
        pairs = [(names[a], names[b]) for a, b in zip(patch["geometry_a"][last], patch["geometry_b"][last])]
        self.assertEqual(pairs, [("floor/geometry_0", "box/geometry_0"), ("floor/geometry_0", "post/geometry_0"), ("box/geometry_0", "ball/geometry_0")])
        np.testing.assert_array_equal(np.diff(patch["face_offset"][()]), patch["num_faces"][()])

        contact = f["contact"]
        is_face = contact["kind"][()] == 1
        self.assertEqual(is_face.sum(), faces)
        self.assertEqual(sorted(set(contact["geometry_b"][~is_face])), [names.index("bead/geometry_0")])
        offset, start = polygon["vertex_offset"][()], patch["face_offset"][()]
        vertex, pressure = polygon["vertex"][()], polygon["pressure"][()]
        force, point = contact["force"][is_face], contact["point"][is_face]
        for p in range(rows):
            # The patches of a frame and the faces in /contact stand in one order.
            own = slice(start[p], start[p + 1])
            scale = np.abs(force[own]).sum() + 1e-12
            np.testing.assert_allclose(force[own].sum(axis=0), patch["force"][p], atol=1e-13 * scale)
            center = patch["centroid"][p]
            np.testing.assert_allclose(np.cross(point[own] - center, force[own]).sum(axis=0), patch["moment"][p], atol=1e-13 * scale)
            self.assertAlmostEqual(face["area"][own].sum(), patch["area"][p], delta=1e-14)
            np.testing.assert_allclose(face["area"][own] @ face["centroid"][own] / patch["area"][p], center, atol=1e-13)
            self.assertEqual(pressure[offset[start[p]]:offset[start[p + 1]]].max(), patch["max_pressure"][p])
            self.assertEqual(offset[start[p + 1]] - offset[start[p]], patch["num_vertices"][p])
            # Pressure over the polygons by their triangles (edge midpoints are exact), where no margin makes it negative.
            if pressure[offset[start[p]]:offset[start[p + 1]]].min() < 0:
                continue
            total, moment = np.zeros(3), np.zeros(3)
            for q in range(start[p], start[p + 1]):
                x, w, n = vertex[offset[q]:offset[q + 1]], pressure[offset[q]:offset[q + 1]], face["normal"][q]
                for i in range(1, len(x) - 1):
                    a = 0.5 * np.cross(x[i] - x[0], x[i + 1] - x[0]) @ n
                    for j, k in ((0, i), (i, i + 1), (i + 1, 0)):
                        df = a / 3 * 0.5 * (w[j] + w[k]) * n
                        total += df
                        moment += np.cross(0.5 * (x[j] + x[k]) - center, df)
            np.testing.assert_allclose(total, patch["elastic_force"][p], atol=1e-10 * scale)
            np.testing.assert_allclose(moment, patch["elastic_moment"][p], atol=1e-10 * scale)
        mesh = f["meshes/box/geometry_0"]
        self.assertEqual(mesh["pressure"].shape[0], mesh["vertices"].shape[0])
        self.assertAlmostEqual(mesh["pressure"][()].max(), 1e6, delta=1e-6)
        self.assertEqual((mesh["tets"].shape[1], mesh["triangles"].shape[1]), (4, 3))
        self.assertNotIn("tets", f["meshes/post/geometry_0"])

    def test_what_is_recorded(self):
        none = self.run_scene("--set", "output.patches=none", name="none.h5")
        self.assertNotIn("patch", none)
        self.assertEqual(set(none["contact/kind"][()]), {0})
        summary = self.run_scene("--set", "output.patches=summary", name="summary.h5")
        self.assertNotIn("face", summary["patch"])
        self.assertEqual(set(summary["contact/kind"][()]), {0})
        silent = self.run_scene("--set", "output.contacts=false", name="silent.h5")
        self.assertNotIn("contact", silent)
        full = self.run_scene()
        for name in ROWS:
            np.testing.assert_array_equal(full["patch"][name][()], summary["patch"][name][()])
            np.testing.assert_array_equal(full["patch"][name][()], silent["patch"][name][()])
        np.testing.assert_array_equal(full["stats/step/num_faces"][()], none["stats/step/num_faces"][()])
        self.assertGreater(full["stats/step/num_faces"][()].max(), 20)

    def test_same_bits_for_threads_and_after_resuming(self):
        self.run_scene("--threads", "1", name="one.h5")
        self.run_scene("--threads", "2", name="two.h5")
        self.assert_same_bits(self.folder / "one.h5", self.folder / "two.h5")
        for end in ("0.1", "0.113"):   # on the grid of frames, and not
            self.run_scene("--end", end, name="resumed.h5").close()
            self.csim("run", "scene.yaml", "-o", "resumed.h5", "-q", "--resume")
            self.assert_same_bits(self.folder / "one.h5", self.folder / "resumed.h5")

    def test_pairs_that_give_no_patch(self):
        """Every problem of a pair, at the geometry or the option that has it."""
        bodies = """\
csim: 1
time: {end: 1}
materials: {soft: {hertz_stiffness: 1.0e+8}}
bodies:
  - name: floor
    fixed: true
    geometry: [{shape: half_space, material: soft}]
  - name: plate
    density: 1000
    geometry: [{shape: box, size: [1, 1, 0.1], material: soft, contact: rigid}]
  - name: ball
    density: 1000
    geometry: [{shape: sphere, radius: 0.1, material: soft, contact: compliant, margin: 0}]
  - name: pebble
    density: 1000
    geometry: [{shape: sphere, radius: 0.1, material: soft}]
"""
        no_patch = "which makes no patch; expected compliant with compliant or rigid, contact.exclude, or contact.fallback: point"
        cases = {
            "contact: {fallback: error}": [
                f"bad.yaml:7:16: error: bodies.floor.geometry.0.contact: the pair floor/geometry_0 and plate/geometry_0 meets as point with rigid, {no_patch}",
                f"bad.yaml:10:73: error: bodies.plate.geometry.0.contact: the pair plate/geometry_0 and pebble/geometry_0 meets as rigid with point, {no_patch}",
                f"bad.yaml:13:70: error: bodies.ball.geometry.0.contact: the pair ball/geometry_0 and pebble/geometry_0 meets as compliant with point, {no_patch}"],
            "contact: {normal: hertz}": [
                "bad.yaml:17:19: error: contact.normal: the patch of floor/geometry_0 and ball/geometry_0 takes linear or hunt_crossley alone, expected one of them"],
        }
        for option, expected in cases.items():
            with self.subTest(option):
                self.write("bad.yaml", bodies + option + "\n")
                lines = self.csim("validate", "bad.yaml", expect=INVALID).stderr.splitlines()
                self.assertEqual([line for line in lines if ": error: " in line], expected)
        self.write("bad.yaml", bodies.replace("margin: 0}", "margin: 0.2}"))
        message = "error: bodies.ball.geometry.0.margin: 0.2, expected less than the shape's least radius or half size, 0.1 m"
        self.assertIn(message, self.csim("validate", "bad.yaml", expect=INVALID).stderr)

    def test_steps_too_long_are_told(self):
        """A ball that goes through a plate within a step; a stack that lies less deep than it falls in a step, until it has a margin."""
        scene = """\
csim: 1
time: {step: 1.0e-2, end: 0.05}
materials: {stiff: {hydroelastic_modulus: 1.0e+9}, soft: {hydroelastic_modulus: 1.0e+3, hunt_crossley_dissipation: 0}}
bodies:
  - {name: plate, fixed: true, geometry: [{shape: box, size: [1, 1, 0.01], material: stiff, contact: rigid}]}
  - name: cube
    density: 1000
    pose: {xyz: [0.3, 0, 0.055]}
    geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: stiff, contact: compliant, margin: 0}]
  - name: ball
    density: 1000
    pose: {xyz: [0, 0, 0.25]}
    velocity: {linear: [0, 0, -30]}
    geometry: [{shape: sphere, radius: 0.02, material: soft, contact: compliant, resolution: 0.02}]
"""
        self.write("fast.yaml", scene.replace("0.055", "0.0549"))
        told = self.csim("run", "fast.yaml").stderr
        self.assertIn("geometries passed through each other within a step (1 time), first 'plate/geometry_0' and 'ball/geometry_0' at t = 0.01 s", told)
        self.assertIn("note: at rest 'plate/geometry_0' and 'cube/geometry_0' are ", told)
        self.write("held.yaml", scene.replace("0.055", "0.0549").replace("margin: 0", "margin: 1.0e-4").replace("-30", "-1"))
        held = self.csim("run", "held.yaml").stderr
        self.assertNotIn("through each other", held)
        self.assertNotIn("at rest", held)

    def test_fallback_is_told(self):
        self.assertIn("contact.fallback", self.csim("run", "scene.yaml", "-o", "told.h5").stderr)
        self.assertIn("faces of patches", self.csim("info", "told.h5", "-v").stdout)


if __name__ == "__main__":
    main()
