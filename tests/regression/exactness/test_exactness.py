"""Properties that hold exactly or to the solver's tolerance: the momentum balance of every step of every scene, the same bits, momenta of free systems.

The balance of a free body is computed here from the result file alone, in world axes about the body origin at the start of the step:

    A (v1 - v0) = h (sum J^T f + k(q0, v0)),    A = [[I_o, m [c]x], [-m [c]x, m]],    k = (c x m g - w0 x I_o w0, m g - m w0 x (w0 x c))
(integrator.velocity_terms: start)

with v = (w, velocity of the origin), c the centre of mass from the origin and J^T f = ((p - o) x f, f).
"""
import sys

import h5py
import numpy as np

from csim_testing import SCENES, SOURCE, CliTest, Result, load_yaml, main

START = ("--set", "integrator.velocity_terms=start")   # the forces k of Balance
AT_ROUNDING = (1, 2)   # /stats/step/status of steps that end at the floor of rounding, of the cost or of the velocity
# No step is divided for the overlaps at its end: the forces of a row are those of its whole step.
WHOLE_STEPS = ("--set", "guards.energy_gain=none")

# s, long enough for the bodies of each scene to land; 0.3 otherwise.
END = {"clutter": 0.5, "clutter_boxes": 0.4, "cube_bin": 0.4, "domino": 0.1, "gear_pile": 0.4, "movers": 0.5, "sliding_rod": 0.02}


def is_free(scene):
    """Whether every body that moves by forces is free: no joints, no actuators, gravity as by default."""
    return not any(scene.get(key) for key in ("joints", "models", "actuators", "constraints", "forces", "gravity"))


def rotation(q):
    """[.., 4] (w, x, y, z) -> [.., 3, 3]"""
    w, u = q[..., 0, None, None], q[..., 1:]
    return (2 * w**2 - 1) * np.eye(3) + 2 * u[..., :, None] * u[..., None, :] + 2 * w * cross_matrix(u)


def cross_matrix(v):
    zero = np.zeros(v.shape[:-1])
    x, y, z = np.moveaxis(v, -1, 0)
    return np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1), np.stack([-y, x, zero], -1)], -2)


class Balance:
    """The momentum balance of the free bodies in every step of a run with a row a step; arrays are [steps, bodies, 6]."""

    def __init__(self, r, gravity=(0.0, 0.0, -9.81)):
        body_of = r.data["geometries/body"]
        moving = r.data["trajectory/v"].shape[1] // 6
        free = [b for b, (begin, end) in enumerate(zip(r.data["bodies/v_offset"], r.data["bodies/v_offset"][1:])) if end - begin == 6]
        assert len(free) == moving
        R = rotation(r.data["trajectory/quaternion"][:, free])
        position = r.data["trajectory/position"][:, free]
        v = np.concatenate([r.data["trajectory/angular_velocity"][:, free], r.data["trajectory/velocity"][:, free]], axis=-1)
        m = r.data["bodies/mass"][free]
        xx, yy, zz, xy, xz, yz = r.data["bodies/inertia"][free].T
        I_c = np.stack([np.stack([xx, xy, xz], -1), np.stack([xy, yy, yz], -1), np.stack([xz, yz, zz], -1)], -2)
        R0, v0, w0 = R[:-1], v[:-1], v[:-1, :, :3]
        c = np.einsum("sbij,bj->sbi", R0, r.data["bodies/com"][free])
        C = cross_matrix(c)
        I_o = R0 @ I_c @ np.swapaxes(R0, -1, -2) - m[:, None, None] * C @ C
        self.A = np.zeros(R0.shape[:2] + (6, 6))
        self.A[..., :3, :3], self.A[..., 3:, 3:] = I_o, m[:, None, None] * np.eye(3)
        self.A[..., :3, 3:], self.A[..., 3:, :3] = m[:, None, None] * C, -m[:, None, None] * C
        weight = m[:, None] * np.array(gravity)
        k = np.concatenate([np.cross(c, weight) - np.cross(w0, np.einsum("sbij,sbj->sbi", I_o, w0)),
                            weight - m[:, None] * np.cross(w0, np.cross(w0, c))], axis=-1)
        # Contact forces: row f holds those of the step that ends there, at the poses of row f - 1.
        contact = np.zeros(v0.shape)
        offset = r.data["contact/row_offset"]
        step = np.repeat(np.arange(len(offset) - 1), np.diff(offset)) - 1
        point, force = r.data["contact/point"], r.data["contact/force"]
        place = np.full(len(r.bodies), -1)
        place[free] = np.arange(len(free))
        for side, sign in (("a", -1.0), ("b", 1.0)):
            at = place[body_of[r.data[f"contact/geometry_{side}"]]]
            held = at >= 0
            s, b, f = step[held], at[held], sign * force[held]
            np.add.at(contact, (s, b), np.concatenate([np.cross(point[held] - position[s, b], f), f], axis=-1))
        h = np.diff(r.time)[:, None, None]
        self.v0, self.v1 = v0, v[1:]
        self.free, self.impulse = h * k, h * contact
        self.gradient = np.einsum("sbij,sbj->sbi", self.A, self.v1 - v0) - self.free - self.impulse
        self.touched = np.zeros(v0.shape[:2], bool)
        for side in "ab":
            at = place[body_of[r.data[f"contact/geometry_{side}"]]]
            self.touched[step[at >= 0], at[at >= 0]] = True

    def residual(self):
        """|D g| / sqrt(max(|D A (v* - v0)|^2, |D J^T gamma|^2) + (1e-9 |D A v|)^2) of every step over the bodies with contacts offered, D = diag(A)^-1/2."""
        D = self.touched[..., None] / np.sqrt(np.einsum("sbii->sbi", self.A))
        size = [np.sqrt(((D * x)**2).sum((1, 2))) for x in (self.gradient, self.free, self.impulse, np.einsum("sbij,sbj->sbi", self.A, self.v1))]
        scale = np.hypot(np.maximum(size[1], size[2]), 1e-9 * size[3])
        return size[0] / np.where(scale > 0, scale, 1)

    def velocity_error(self):
        """What the stored forces leave unexplained of the change of velocity (m/s) in each step, largest over bodies; rad/s times the radius of
        gyration."""
        error = np.linalg.solve(self.A, self.gradient[..., None])[..., 0]
        gyration = np.sqrt(np.einsum("sbii->sb", self.A[..., :3, :3]) / (3 * self.A[..., 3, 3]))
        return np.maximum(gyration * np.linalg.norm(error[..., :3], axis=-1), np.linalg.norm(error[..., 3:], axis=-1)).max(axis=1)


class Exactness(CliTest):
    def run_scene(self, name, output, *options):
        # Every force in the file: those of patches face by face.
        all_forces = ("--set", "output.contacts=true", "--set", "output.patches=full")
        self.csim("run", SOURCE / "scenes" / name / "scene.yaml", "-o", output, "-q", "--force", "--end", END.get(name, 0.3), *all_forces, *options)
        return Result(self.folder / output)

    def test_residual_of_every_step_of_every_scene(self):
        """The solver's residual, the program's own from the stored forces, and the one computed here agree, and none exceeds e_r."""
        for name in SCENES:
            with self.subTest(name):
                scene = load_yaml(SOURCE / "scenes" / name / "scene.yaml")
                r = self.run_scene(name, "a.h5", "--set", f"output.period={scene['time']['step']!r}", "--set", "solver.absolute_tolerance=0", *WHOLE_STEPS,
                                   *(START if is_free(scene) else ()))
                residual = r.data["stats/step/residual"]
                self.assertLessEqual(residual.max(), scene.get("solver", {}).get("tolerance", 1e-5))
                # Sums of momenta relative to the largest: rounding, seen 1e-15.
                np.testing.assert_allclose(r.data["artefact/momentum_residual"], residual, rtol=0, atol=1e-13)
                if is_free(scene):
                    np.testing.assert_allclose(Balance(r).residual(), residual, rtol=0, atol=1e-13)

    def test_stored_forces_explain_the_change_of_velocity(self):
        """With e_r = 1e-10: to 1e-10 of the largest speed (m/s) of the run, at least of 1 m/s. A step that ends at the floor of rounding above e_r
        (an impact on stiff contacts, with a status of its own) has a residual, and an error in velocity, as much larger."""
        for name in SCENES:
            scene = load_yaml(SOURCE / "scenes" / name / "scene.yaml")
            if not is_free(scene):
                continue
            for law in ("lagged", "sap", "similar") if name in ("clutter", "incline", "cube_bin") else ("lagged",):
                with self.subTest(name, law=law):
                    r = self.run_scene(name, "a.h5", "--set", f"output.period={scene['time']['step']!r}", "--set", "solver.tolerance=1e-10",
                                       "--set", f"contact.model={law}", *START, *WHOLE_STEPS)
                    balance = Balance(r)
                    status, residual = (r.data[f"stats/step/{quantity}"] for quantity in ("status", "residual"))
                    at_rounding = np.isin(status, AT_ROUNDING)
                    self.assertLess(residual[at_rounding].max(initial=0.0), 1e-6)
                    self.assertLess(at_rounding.mean(), 0.5)
                    speed = max(1.0, np.abs(balance.v1[..., 3:]).max())
                    self.assertLess((balance.velocity_error() / np.maximum(1.0, residual / 1e-10)).max(), 1e-10 * speed)

    def test_a_step_is_a_function_of_the_state(self):
        """One step from a stored row is the step of the run: nothing is kept from step to step but the state. (velocity_terms: mean leaves of the
        bias of contacts what changes little, which depends on the velocities that the solver starts from.)"""
        sys.path.insert(0, str(SOURCE / "scripts/studies"))
        from clutter import SCENE, scene_at
        run = self.run_scene("clutter", "a.h5", "--set", "output.period=0.01", *START, *WHOLE_STEPS)
        for row in (15, 30, 45):
            with h5py.File(self.folder / "a.h5") as f:
                self.write("step.yaml", scene_at(SCENE.read_text(), f, row))
            self.csim("run", "step.yaml", "-o", "b.h5", "-q", "--force", "--end", "0.01", *START, *WHOLE_STEPS)
            step = Result(self.folder / "b.h5")
            self.assertEqual(step.data["stats/step/iterations"][0], run.data["stats/step/iterations"][row])
            # Quaternions are normalised again when they are read: rounding, magnified by stiff contact.
            np.testing.assert_allclose(step.data["trajectory/v"][1], run.data["trajectory/v"][row + 1], rtol=0, atol=1e-9)

    def test_same_bits(self):
        """For one and two threads, and again."""
        for name in SCENES:
            with self.subTest(name):
                for output, threads in (("a.h5", 1), ("b.h5", 2), ("c.h5", 2)):
                    self.run_scene(name, output, "--threads", threads)
                self.assert_same_bits(self.folder / "a.h5", self.folder / "b.h5")
                self.assert_same_bits(self.folder / "b.h5", self.folder / "c.h5")


# A stick of uneven inertia, its centre of mass off its origin, hits a ball in space; both spin.
FREE = """\
csim: 1
name: free
gravity: [0, 0, 0]
time: {{step: 1.0e-3, end: 0.2}}
materials: {{m: {{friction: 0.7, stiffness: 1.0e5, hunt_crossley_dissipation: 1, relaxation_time: 0.001}}}}
contact: {{model: {law}}}
solver: {{tolerance: 1.0e-12}}
output: {{period: 0.001}}
bodies:
  - name: stick
    mass: 1.3
    inertia: {inertia}
    com: {com}
    pose: {{xyz: [0, 0, 0], rpy_deg: [10, 20, 30]}}
    velocity: {{linear: [1.2, 0.1, -0.1], angular: [2, -4, 5]}}
    geometry: [{{shape: capsule, radius: 0.05, length: 0.3, material: m}}]
  - name: ball
    mass: 0.8
    inertia: solid
    pose: {{xyz: [0.25, 0.1, 0.08]}}
    velocity: {{linear: [-1, 0, 0], angular: [0, 6, 1]}}
    geometry: [{{shape: sphere, radius: 0.1, material: m}}]
"""
EVEN = dict(inertia="[0.01, 0.01, 0.01]", com="[0, 0, 0]")
UNEVEN = dict(inertia="[0.015, 0.013, 0.004]", com="[0.01, -0.02, 0.04]")


class FreeSystem(CliTest):
    """Momenta of two bodies that collide in empty space."""

    def momenta(self, step, law, **stick):
        """Linear and angular (about the world's origin) momentum of every row."""
        self.write("free.yaml", FREE.format(law=law, **stick))
        self.csim("run", "free.yaml", "-q", "--force", "--set", f"time.step={step!r}")
        r = Result(self.folder / "free.h5")
        self.assertGreater(r.data["contact/normal_force"].max(), 10)   # they did collide
        R, m = rotation(r.data["trajectory/quaternion"]), r.data["bodies/mass"]
        xx, yy, zz = r.data["bodies/inertia"][:, :3].T   # of the principal axes; the others are zero here
        self.assertEqual(np.abs(r.data["bodies/inertia"][:, 3:]).max(), 0)
        c = np.einsum("fbij,bj->fbi", R, r.data["bodies/com"])
        w = r.data["trajectory/angular_velocity"]
        p = m[:, None] * (r.data["trajectory/velocity"] + np.cross(w, c))
        spin = np.einsum("fbij,bj,fbkj,fbk->fbi", R, np.stack([xx, yy, zz], -1), R, w)
        return p.sum(1), (np.cross(r.data["trajectory/position"] + c, p) + spin).sum(1)

    def test_exact_for_isotropic_inertia_about_the_origin(self):
        for law in ("lagged", "sap", "similar"):
            with self.subTest(law):
                p, L = self.momenta(1e-3, law, **EVEN)
                # 200 steps at e_r = 1e-12 of momenta of size 1.
                self.assertLess(np.abs(p - p[0]).max(), 1e-11)
                self.assertLess(np.abs(L - L[0]).max(), 1e-11)

    def test_first_order_in_the_step_otherwise(self):
        """The inertia is that of the start of the step: what turns in between is missed. Linear momentum is exact."""
        for law in ("lagged", "sap", "similar"):
            with self.subTest(law):
                drift = {}
                for step in (1e-4, 5e-5, 2.5e-5):
                    p, L = self.momenta(step, law, **UNEVEN)
                    self.assertLess(np.abs(p - p[0]).max(), 1e-9)   # some 1e4 steps at e_r = 1e-12
                    drift[step] = np.linalg.norm(L[-1] - L[0])
                for coarse, fine in ((1e-4, 5e-5), (5e-5, 2.5e-5)):
                    # First order: halved, up to the next order and to the contact's own error.
                    self.assertTrue(0.4 < drift[fine] / drift[coarse] < 0.6, drift)


if __name__ == "__main__":
    main()
