"""csim solve and csim export --fclib: problems of rigid contacts with friction."""
import json
import resource

import h5py
import numpy as np

from csim_testing import FAILED, INVALID, OUTPUT, CliTest, main

# Two bodies of mass 2 and 4 on a plane at two contacts each carrying one body: local and global form of the same problem.
MASS = np.array([2.0, 2.0, 2.0, 4.0, 4.0, 4.0])
PUSH = np.array([-0.3, -0.6, 0.8, -0.3, -0.1, 0.05])
MU = np.array([0.5, 0.5])
REACTION = np.array([[0.6, 0.18, -0.24], [1.2, 0.4, -0.2]])  # slides: mu r_N against the slip; sticks: what stops it

TEXT = """3
2
0
6
6
6 6
{W}
-0.3 -0.6 0.8 -0.3 -0.1 0.05
0.5 0.5
"""

# A cube that slides on a plane, near-rigid, every step recorded.
CUBE = """\
csim: 1
name: cube
time: {step: 1.0e-3, end: 0.05}
materials:
  steel: {friction: 0.3, stiffness: 1.0e+9, hunt_crossley_dissipation: 0.0}
contact: {model: coulomb, stiction_tolerance: 1.0e-7}
output: {period: 1.0e-3}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: steel}]}
  - name: cube
    density: 1000
    pose: {xyz: [0, 0, 0.05]}
    velocity: {linear: [1, 0, 0]}
    geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: steel}]
"""


# A bar on a hinge, its tip on the ground without friction: the ground carries half of it.
BAR = """\
csim: 1
name: bar
time: {step: 1.0e-3, end: 0.01}
materials: {ice: {friction: 0.0, stiffness: 1.0e+8}}
output: {period: 1.0e-3}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: ice}]}
  - {name: bar, mass: 1.0, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0], geometry: [{shape: sphere, radius: 0.05, pose: {xyz: [1, 0, 0]}, material: ice}]}
joints: [{name: hinge, type: revolute, parent: world, child: bar, pose: {xyz: [0, 0, 0.05]}, axis: [0, 1, 0]}]
"""


def write_matrix(group, matrix, form):
    """form: triplets, -1 compressed columns, -2 compressed rows."""
    lines = matrix if form != -1 else matrix.T
    rows, columns = np.nonzero(lines)
    values = lines[rows, columns]
    if form == -1 or form == -2:
        group["p"] = np.searchsorted(rows, np.arange(len(lines) + 1)).astype(np.int32)
        group["i"] = columns.astype(np.int32)
    else:
        group["i"], group["p"] = rows.astype(np.int32), columns.astype(np.int32)
    group["x"] = values
    group["m"], group["n"] = (np.array([n], np.int32) for n in matrix.shape)
    group["nz"] = np.array([len(values) if form not in (-1, -2) else form], np.int32)
    group["nzmax"] = np.array([len(values)], np.int32)


class Solve(CliTest):
    def local(self, name="local.hdf5", form=-2):
        path = self.folder / name
        with h5py.File(path, "w") as f:
            g = f.create_group("fclib_local")
            g["spacedim"] = np.array([3], np.int32)
            write_matrix(g.create_group("W"), np.diag(1 / MASS), form)
            g["vectors/q"], g["vectors/mu"] = PUSH, MU
        return path

    def globally(self, name="global.hdf5", form=0):
        path = self.folder / name
        with h5py.File(path, "w") as f:
            g = f.create_group("fclib_global")
            g["spacedim"] = np.array([3], np.int32)
            write_matrix(g.create_group("M"), np.diag(MASS), form)
            write_matrix(g.create_group("H"), np.eye(6), form)
            g["vectors/f"], g["vectors/w"], g["vectors/mu"] = MASS * PUSH, np.zeros(6), MU
        return path

    def reaction(self, *arguments):
        self.csim("solve", *arguments, "-o", "out.h5", "--force", "--tolerance", "1e-13")
        with h5py.File(self.folder / "out.h5") as f:
            return f["reaction"][:]

    def test_every_form_of_the_same_problem(self):
        self.write("text.dat", TEXT.replace("{W}", "\n".join(" ".join(map(str, row)) for row in np.diag(1 / MASS))))
        for form in (0, -1, -2):
            np.testing.assert_allclose(self.reaction(self.local(form=form)), REACTION, atol=1e-12)
            np.testing.assert_allclose(self.reaction(self.globally(form=form)), REACTION, atol=1e-12)
        np.testing.assert_allclose(self.reaction("text.dat"), REACTION, atol=1e-12)
        self.csim("solve", "text.dat", "--reduced", "again.hdf5")
        np.testing.assert_allclose(self.reaction("again.hdf5"), REACTION, atol=1e-12)

    def test_dense_text_is_column_by_column(self):
        """As Siconos writes its memory, whatever the lines say."""
        W = np.diag(1 / MASS)
        W[0, 1], W[1, 0], W[4, 2] = 0.08, -0.03, 0.05
        self.write("text.dat", TEXT.replace("{W}", "\n".join(" ".join(map(str, column)) for column in W.T)))
        self.csim("solve", "text.dat", "--reduced", "again.hdf5")
        with h5py.File(self.folder / "again.hdf5") as f:
            again = np.zeros_like(W)
            again[f["fclib_local/W/i"][:], f["fclib_local/W/p"][:]] = f["fclib_local/W/x"][:]
        np.testing.assert_array_equal(again, W)

    def test_what_it_reports(self):
        self.globally()
        found = json.loads(self.csim("solve", "global.hdf5", "--json", "-o", "out.h5").stdout)
        self.assertTrue(found["converged"])
        self.assertEqual((found["format"], found["contacts"], found["velocities"]), ("fclib_global", 2, 6))
        self.assertEqual(found["modes"], {"apart": 0, "stick": 1, "slip": 1})
        self.assertEqual(found["iterations"], sum(part["iterations"] for part in found["parts"]))
        with h5py.File(self.folder / "out.h5") as f:
            r, u, v = f["reaction"][:], f["velocity"][:], f["motion"][:]
            self.assertEqual(len(f["history/residual"]), len(f["history/method"]))
            self.assertLessEqual(f["history/residual"][-1], 1e-8)
            self.assertEqual(f["residual/natural_map"][()], found["residual"]["natural_map"])
        np.testing.assert_allclose(u.ravel(), r.ravel() / MASS + PUSH, atol=1e-15)
        np.testing.assert_allclose(v, u.ravel(), atol=1e-15)
        self.assertIn("1 stick, 1 slip", self.csim("solve", "global.hdf5").stdout)
        self.csim("solve", "global.hdf5", "-o", "out.h5", expect=INVALID)

    def test_where_it_does_not_converge(self):
        """Two walls that close on a body: every method says so, with what it reached and where."""
        with h5py.File(self.folder / "walls.hdf5", "w") as f:
            g = f.create_group("fclib_local")
            g["spacedim"] = np.array([3], np.int32)
            turn = np.diag([-1.0, 1.0, 1.0])
            write_matrix(g.create_group("W"), np.block([[np.eye(3), turn], [turn, np.eye(3)]]), 0)
            g["vectors/q"], g["vectors/mu"] = np.array([-1.0, 0, 0, -1, 0, 0]), MU
        for method in ("auto", "interior_point", "newton", "gauss_seidel"):
            result = self.csim("solve", "walls.hdf5", "--method", method, "--max-iterations", "100", "-o", method + ".h5", expect=FAILED)
            self.assertRegex(result.stdout, r"not converged: residual .* above the tolerance 1e-08; the worst is contact [01]")
            with h5py.File(self.folder / (method + ".h5")) as f:
                self.assertEqual(f.attrs["converged"], 0)
        self.assertIn("no motion seems to satisfy all contacts", self.csim("solve", "walls.hdf5", expect=FAILED).stdout)

    def test_rolling_friction(self):
        """A wheel, slowed down by at most mu_r r_N; sweeps have no solution of such a contact."""
        with h5py.File(self.folder / "wheel.hdf5", "w") as f:
            g = f.create_group("fclib_local_rolling")
            g["spacedim"] = np.array([5], np.int32)
            write_matrix(g.create_group("W"), np.eye(5), 0)
            g["vectors/q"], g["vectors/mu"], g["vectors/mu_r"] = np.array([-1, 0.2, 0, 0, -0.5]), np.array([0.6]), np.array([0.1])
        np.testing.assert_allclose(self.reaction("wheel.hdf5"), [[1, -0.2, 0, 0, 0.1]], atol=1e-12)
        before = self.files()
        refused = self.csim("solve", "wheel.hdf5", "--method", "gauss_seidel", "-o", "sweeps.h5", expect=INVALID).stderr
        self.assertIn("wheel.hdf5: has five rows a contact", refused)
        self.assertEqual(self.files(), before)

    def test_a_full_disk_leaves_nothing(self):
        """A limit on the size of files stands for it; a shell's `ulimit -f 1` does the same."""
        self.local()
        self.write("cube.yaml", CUBE)
        self.csim("run", "cube.yaml", "-o", "cube.h5", "-q")
        before = self.files()
        for limit in (0, 1024):
            for arguments in (["solve", "local.hdf5", "-o", "out.h5"], ["solve", "local.hdf5", "--reduced", "out.h5"],
                              ["export", "cube.h5", "--step", "31", "--fclib", "out.h5"]):
                with self.subTest(limit=limit, arguments=arguments):
                    result = self.csim(*arguments, expect=OUTPUT, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                    self.assertIn("out.h5", result.stderr)
                    self.assertEqual(self.files(), before)

    def test_outputs_that_are_refused_before_anything_is_solved(self):
        self.local()
        self.csim("solve", "local.hdf5", "--reduced", "there.hdf5")
        before = self.files()
        for arguments, expected in ((["-o", "one.h5", "--reduced", "./one.h5"], "-o and --reduced name the same file"), (["-o", "one.h5", "--reduced", "there.hdf5"], "there.hdf5: exists already"),
                                    (["-o", "one.h5", "--reduced", "local.hdf5", "--force"], "the output is the input")):
            with self.subTest(arguments):
                self.assertIn(expected, self.csim("solve", "local.hdf5", *arguments, expect=INVALID).stderr)
                self.assertEqual(self.files(), before)

    def test_the_same_bits(self):
        self.local()
        for name in ("a.h5", "b.h5"):
            self.csim("solve", "local.hdf5", "-o", name)
        self.assertEqual((self.folder / "a.h5").read_bytes(), (self.folder / "b.h5").read_bytes())

    def test_malformed_files_name_the_dataset(self):
        def broken(part, value, base=self.local):
            path = base("broken.hdf5")
            with h5py.File(path, "a") as f:
                del f[part]
                if value is not None:
                    f[part] = value
            return self.csim("solve", "broken.hdf5", expect=INVALID).stderr

        for part, value, expected in (
                ("fclib_local/W/x", None, "/fclib_local/W/x: is missing"),
                ("fclib_local/W/i", np.full(6, 9, np.int32), "/fclib_local/W/i: entry 0 is 9, expected 0 to 5"),
                ("fclib_local/W/i", np.zeros(6), "/fclib_local/W/i: holds reals, expected integers"),
                ("fclib_local/W/p", np.zeros(3, np.int32), "/fclib_local/W/p: has 3 entries, expected 7"),
                ("fclib_local/W/nz", np.array([-3], np.int32), "/fclib_local/W/nz: is -3"),
                ("fclib_local/W/m", np.array([5], np.int32), "/fclib_local/W/m: is 5, expected 6"),
                ("fclib_local/W/n", np.array([100000000], np.int32), "/fclib_local/W/n: is 100000000, expected 6"),
                ("fclib_local/W/x", np.full(6, np.nan), "/fclib_local/W: entry (0, 0) is not finite"),
                ("fclib_local/vectors/q", np.zeros(5), "/fclib_local/vectors/q: has 5 entries, expected 6"),
                ("fclib_local/vectors/mu", np.array([0.5, -1]), "/fclib_local/vectors/mu: contact 1 has -1, expected a number >= 0"),
                ("fclib_local/vectors/mu", np.zeros((2, 1)), "/fclib_local/vectors/mu: has 2 axes, expected one"),
                ("fclib_local/spacedim", np.array([4], np.int32), "/fclib_local/spacedim: is 4, expected 2 or 3"),
                ("fclib_local", None, "holds no problem of FCLIB")):
            with self.subTest(part):
                self.assertIn(expected, broken(part, value))
        self.assertIn("/fclib_global/M: is singular", broken("fclib_global/M/x", np.zeros(6), self.globally))
        path = self.globally("bilateral.hdf5")
        with h5py.File(path, "a") as f:
            write_matrix(f.create_group("fclib_global/G"), np.eye(6), 0)
        self.assertIn("/fclib_global/G: bilateral constraints are not supported", self.csim("solve", path, expect=INVALID).stderr)

    def test_malformed_text_names_the_line(self):
        W = "\n".join(" ".join(map(str, row)) for row in np.diag(1 / MASS))
        text = TEXT.replace("{W}", W)
        for change, expected in ((("3\n", "7\n"), "bad.dat:1: begins with 7"), (("0.8", "0,8x"), "bad.dat:13: q: found '8x', expected a number"),
                                 (("\n0\n6", "\n9\n6"), "bad.dat:3: M: storage is 9"), (("0.5 0.5\n", ""), "H"),
                                 (("0.8", "nan"), "bad.dat:13: q: found 'nan', expected a finite number"), (("0.5 0.5\n", "0.5 -1\n"), "bad.dat:14: mu: found -1, expected a number >= 0"),
                                 (("\n0\n6\n6\n", "\n0\n4\n9\n"), "bad.dat:3: M: is 4 x 9, expected 4 x 4, a square matrix"),
                                 (("\n6\n6\n6 6\n" + W, "\n5\n5\n5 5\n" + "1 0 0 0 0\n" * 5), "bad.dat:3: M: is 5 x 5, expected 6 x 6, rows of all contacts"),
                                 (("\n0\n6\n6\n", "\n2\n2000000000\n2000000000\n"), "46 words are left in the file, expected 2000000000 numbers"),
                                 (("3\n2\n", "3\n2000000000\n"), "expected 8000000000 numbers")):
            self.write("bad.dat", text.replace(*change, 1))
            with self.subTest(change):
                self.assertIn(expected, self.csim("solve", "bad.dat", expect=INVALID).stderr)
        self.write("empty.dat", "")
        self.assertIn("is empty", self.csim("solve", "empty.dat", expect=INVALID).stderr)
        self.assertIn("no such file", self.csim("solve", "none.dat", expect=INVALID).stderr)

    def test_a_step_of_a_run_as_a_problem(self):
        """The cube slides: its normal forces add up to its weight, friction is mu of that, and the velocities after the step are the run's."""
        self.write("cube.yaml", CUBE)
        self.csim("run", "cube.yaml", "-o", "cube.h5", "-q")
        self.csim("export", "cube.h5", "--fclib", "step.hdf5", "--step", "31")
        self.csim("solve", "step.hdf5", "-o", "solved.h5")
        with h5py.File(self.folder / "solved.h5") as f, h5py.File(self.folder / "cube.h5") as run:
            force = f["reaction"][:].sum(axis=0) / 1e-3
            first, last = run["contact/row_offset"][31:33]
            normal = run["contact/normal_force"][first:last]
            self.assertEqual(len(f["reaction"]), last - first)
            self.assertAlmostEqual(force[0], 9.81, delta=1e-6)
            self.assertAlmostEqual(np.hypot(force[1], force[2]), 0.3 * 9.81, delta=1e-6)
            # The run's contacts are springs: what they exert beyond the weight is the acceleration of the bounce that dies out.
            self.assertAlmostEqual(normal.sum(), force[0], delta=0.01 * force[0])
            # Friction on the bottom turns the cube forward: the front edge carries m g/2 (1 + mu), as the moment's balance says; its two contacts share that.
            front = run["contact/point"][first:last, 0] > run["trajectory/position"][31, 1, 0]
            edge = f["reaction"][:][front, 0].sum() / 1e-3
            self.assertAlmostEqual(edge, 9.81 / 2 * 1.3, delta=0.001 * edge)  # the cube moved on within the step
            self.assertAlmostEqual(edge, normal[front].sum(), delta=0.01 * edge)
            v = f["motion"][:]
            np.testing.assert_allclose(v[3:5], run["trajectory/v"][31, 3:5], atol=1e-5)
        self.csim("export", "cube.h5", "--fclib", "same.hdf5", "--time", "0.031")
        self.assertEqual((self.folder / "step.hdf5").read_bytes(), (self.folder / "same.hdf5").read_bytes())

    def test_a_step_of_a_jointed_body(self):
        self.write("bar.yaml", BAR)
        self.csim("run", "bar.yaml", "-o", "bar.h5", "-q")
        self.csim("export", "bar.h5", "--fclib", "step.hdf5", "--step", "1")
        np.testing.assert_allclose(self.reaction("step.hdf5"), [[9.81e-3 / 2, 0, 0]], atol=1e-12)
        with h5py.File(self.folder / "step.hdf5") as f:
            # The inertia about the hinge, by the parallel axis.
            np.testing.assert_allclose(f["fclib_global/M/x"][:], [0.1 + 0.25])

    def test_steps_that_cannot_be_exported(self):
        self.write("cube.yaml", CUBE.replace("period: 1.0e-3", "period: 1.0e-2"))
        self.csim("run", "cube.yaml", "-o", "cube.h5", "-q")
        (self.folder / "taken.hdf5").touch()
        before = self.files()
        for arguments, expected in ((["--step", "51"], "the run ended with step 50"), (["--step", "11", "--fclib", "taken.hdf5"], "taken.hdf5: exists already"), (["--step", "11", "--fclib", "tables"], "have the same name"), (["--step", "15"], "the nearest step that begins at a row is 11"), (["--time", "0.0105"], "no step ends at 0.0105 s"), ([], "--step N or --time T")):
            with self.subTest(arguments):
                place = [] if "--fclib" in arguments else ["--fclib", "step.hdf5"]
                self.assertIn(expected, self.csim("export", "cube.h5", "--csv", "tables", *place, *arguments, expect=INVALID).stderr)
                self.assertEqual(self.files(), before)  # no tables either


if __name__ == "__main__":
    main()
