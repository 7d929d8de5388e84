"""csim audit: results of csim hold, files of other programs are judged, wrong files are named."""
import json
import sys

import h5py
import numpy as np

from csim_testing import BALL, GATE, INVALID, SOURCE, CliTest, main

STEP, MASS, RADIUS, GRAVITY, MU = 0.001, 2.0, 0.1, 9.81, 0.3


def sliding_block(rows=50):
    """Datasets of a block that slides on the world at mu = 0.3 from 1 m/s, in closed form. The resultant of the floor passes through its centre."""
    time = STEP * np.arange(rows)
    velocity = np.zeros((rows, 1, 3))
    velocity[:, 0, 0] = 1.0 - MU * GRAVITY * time
    position = np.cumsum(STEP * velocity, axis=0) - STEP * velocity[0]
    push = MASS * GRAVITY * STEP
    return {"time": time, "gravity": [0, 0, -GRAVITY], "body/name": np.array(["block"], dtype=h5py.string_dtype()), "body/mass": [MASS],
            "body/inertia": 0.4 * MASS * RADIUS**2 * np.array([[1, 1, 1, 0, 0, 0]]), "trajectory/position": position, "trajectory/velocity": velocity,
            "trajectory/quaternion": np.tile([1.0, 0, 0, 0], (rows, 1, 1)), "trajectory/angular_velocity": np.zeros((rows, 1, 3)),
            "contact/row_offset": np.concatenate(([0], np.arange(rows))), "contact/body_a": np.full(rows - 1, -1), "contact/body_b": np.zeros(rows - 1, dtype=int),
            "contact/point": position[:-1, 0] + [RADIUS * MU, 0, -RADIUS], "contact/normal": np.tile([0.0, 0, 1], (rows - 1, 1)),
            "contact/impulse": np.tile([-MU * push, 0, push], (rows - 1, 1)), "contact/gap": np.zeros(rows - 1), "contact/friction": np.full(rows - 1, MU)}


class Audit(CliTest):
    def write_file(self, datasets, schema="csim-trajectory/1"):
        with h5py.File(self.folder / "other.h5", "w") as file:
            file.attrs["csim_schema"] = schema
            file.attrs["program"] = "closed form"
            for path, values in datasets.items():
                file[path] = values

    def audit(self, *arguments, expect=0):
        text = self.csim("audit", *arguments, "--json", expect=expect).stdout
        self.assertRegex(text, r"[^\n]\n\Z")  # one newline at its end
        report = json.loads(text)
        return report, {check["name"]: check for check in report["checks"]}

    def failed(self, *arguments, expect=GATE):
        return [name for name, check in self.audit(*arguments, expect=expect)[1].items() if check["verdict"] == "fails"]

    def test_a_file_of_another_program(self):
        self.write_file(sliding_block())
        report, checks = self.audit("other.h5")
        self.assertEqual((report["format"], report["program"], report["holds"]), ("csim-trajectory/1", "closed form", True))
        self.assertEqual(checks["reaction"]["verdict"], "not judged")
        self.assertLess(checks["linear_momentum"]["worst"], 1e-13)
        self.assertEqual((checks["cone"]["judged"], checks["cone"]["bodies"]), (49, ["world", "block"]))

    def test_who_made_the_file_may_be_untold(self):
        self.write_file(sliding_block())
        with h5py.File(self.folder / "other.h5", "r+") as file:
            file.attrs["program"] = h5py.Empty(h5py.string_dtype())
        self.assertEqual(self.audit("other.h5")[0]["program"], "")

    def test_pairs_without_contacts_tell_the_momentum(self):
        block = sliding_block()
        pairs = {f"pair/{name}": block[f"contact/{name}"] for name in ("row_offset", "body_a", "body_b", "impulse")}
        self.write_file({path: values for path, values in block.items() if not path.startswith("contact/")} | pairs)
        _, checks = self.audit("other.h5")
        self.assertEqual((checks["linear_momentum"]["verdict"], checks["linear_momentum"]["judged"]), ("holds", 49))
        self.assertEqual(checks["angular_momentum"]["why"], "the file holds no contacts (/contact)")

    def test_a_fault_is_told_by_name_time_and_bodies(self):
        block = sliding_block()
        block["contact/gap"][11] = 1e-3  # a contact that pushes, 1 mm apart
        block["contact/impulse"][20, 0] *= 1.01  # friction beyond the cone that the motion does not know of
        self.write_file(block)
        _, checks = self.audit("other.h5", expect=GATE)
        self.assertEqual([name for name, check in checks.items() if check["verdict"] == "fails"], ["linear_momentum", "angular_momentum", "gap", "cone"])
        gap = checks["gap"]
        self.assertEqual((gap["worst"], gap["time"], gap["bodies"], gap["failures"]), (1e-3, 0.012, ["world", "block"], 1))
        self.assertAlmostEqual(checks["cone"]["worst"], 0.01 * MU * MASS * GRAVITY * STEP, delta=1e-15)
        text = self.csim("audit", "other.h5", expect=GATE).stdout
        self.assertRegex(text, r"gap +fails +0\.001 m +\S+ +0\.012 +world, block +1 of 49, first at 0\.012 s")
        self.assertIn("not so: contacts that push are closed", text)
        self.assertEqual(self.failed("other.h5", "--rtol", "0.02", expect=0), [])  # of the gap: of 0.077 m, the size of the block

    def test_wrong_files_are_named(self):
        def fault(message, **changes):
            datasets = sliding_block()
            for path, values in changes.items():
                datasets[path.replace("__", "/")] = values
            self.write_file({path: values for path, values in datasets.items() if values is not None})
            self.assertEqual(self.csim("audit", "other.h5", expect=INVALID).stderr, f"csim: error: other.h5: {message}\n")

        fault("/trajectory/velocity: has the shape [50, 3], expected [50, 1, 3]", trajectory__velocity=np.zeros((50, 3)))
        fault("/contact/point: is missing, expected by csim-trajectory/1", contact__point=None)
        fault("/contact/frction: is no dataset of csim-trajectory/1 (did you mean '/contact/friction'?)", contact__frction=np.zeros(49))
        # Larger than any memory, though the file is small.
        self.write_file({path: values for path, values in sliding_block().items() if path != "time"})
        with h5py.File(self.folder / "other.h5", "r+") as file:
            file.create_dataset("time", shape=(10**15,), dtype="f8", chunks=(2**20,))
        self.assertIn("other.h5: is damaged: its parts do not fit together (more numbers than memory holds)", self.csim("audit", "other.h5", expect=INVALID).stderr)
        self.write_file(sliding_block(), schema="mine")
        self.assertIn("its attribute csim_schema is 'mine', expected 'csim-trajectory/1'", self.csim("audit", "other.h5", expect=INVALID).stderr)
        self.write("notes.txt", "no HDF5")
        self.assertIn("notes.txt: is not an HDF5 file", self.csim("audit", "notes.txt", expect=INVALID).stderr)
        self.assertIn("other.h6: no such file (did you mean 'other.h5'?)", self.csim("audit", "other.h6", expect=INVALID).stderr)

    def test_a_result_of_csim_holds(self):
        self.write("ball.yaml", BALL)
        for law in ("lagged", "coulomb", "similar", "tamsi"):
            self.csim("run", "ball.yaml", "-o", f"{law}.h5", "-q", "--set", f"contact.model={law}", "--set", "output.period=0.001")
            _, checks = self.audit(f"{law}.h5")
            for name in ("linear_momentum", "angular_momentum", "pushing", "gap", "cone", "friction_work", "normal_work", "energy", "stated_energy", "position"):
                self.assertEqual(checks[name]["verdict"], "holds", (law, name))
        # One number of the file changed is found: what is judged is what is stored.
        with h5py.File(self.folder / "tamsi.h5", "r+") as file:
            file["trajectory/velocity"][100, 1, 0] += 1e-3
        self.assertIn("linear_momentum", self.failed("tamsi.h5"))

    def test_sap_pushes_before_it_touches(self):
        """SAP's law acts within its relaxation time: the ball feels the floor up to (h + tau)(-v_n + mu |v_t|) above it. All else holds."""
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-o", "sap.h5", "-q", "--set", "contact.model=sap", "--set", "output.period=0.001")
        self.assertEqual(self.failed("sap.h5"), ["gap"])

    def test_the_writer_of_the_exporters(self):
        sys.path.insert(0, str(SOURCE / "scripts/peers"))
        from trajectory_file import WORLD, TrajectoryFile
        file = TrajectoryFile("a peer", [0, 0, -GRAVITY])
        file.add_body("ball", MASS, [0, 0, 0], 0.4 * MASS * RADIUS**2 * np.eye(3), "free")
        state = [([0, 0, 0], [1, 0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0])]
        contact = {"body_a": WORLD, "body_b": 0, "point": [0, 0, -RADIUS], "normal": [0, 0, 1], "impulse": [0, 0, MASS * GRAVITY * STEP], "moment": [0, 0, 0],
                   "gap": 0.0, "gap_end": np.nan, "friction": 0.5}
        for row in range(5):
            file.add_row(row * STEP, state, [contact] if row else [])
        file.write(self.folder / "peer.h5")
        report, checks = self.audit("peer.h5")
        self.assertEqual((report["program"], checks["gap"]["judged"]), ("a peer", 4))
        self.assertLess(checks["linear_momentum"]["worst"], 1e-15)

    def test_rows_several_steps_apart(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-o", "ball.h5", "-q", "--set", "output.period=0.01")
        _, checks = self.audit("ball.h5")
        self.assertEqual(checks["linear_momentum"]["verdict"], "holds")
        self.assertGreater(checks["linear_momentum"]["judged"], 40)
        self.assertEqual(checks["angular_momentum"]["why"], "rows are several steps apart")

    def test_shipped_scenes_hold(self):
        for scene, end in (("incline", 0.3), ("free_fall", 0.3), ("falling_sphere", 0.3), ("gripper", 1.0), ("ball_plate", 0.3)):
            file = SOURCE / "scenes" / scene / "scene.yaml"
            step = json.loads(self.csim("explain", file, "--json").stdout)["step"]
            self.csim("run", file, "-o", f"{scene}.h5", "-q", "--set", f"output.period={step}", "--set", "output.contacts=true", "--end", end)
            self.assertEqual(self.failed(f"{scene}.h5", expect=0), [], scene)

    def test_friction_that_feeds_eulers_disc(self):
        """Contacts at the start of the step (velocity_terms: start) feed a disc that rolls on its edge; the default does not."""
        disc = """\
            csim: 1
            time: {step: 1.0e-3, end: 0.5}
            output: {period: 1.0e-3}
            materials: {m: {friction: 0.9}}
            bodies:
              - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
              - {name: disc, density: 7800, pose: {xyz: [0, 0, 0.015560191], axis: [0, 1, 0], angle_deg: 20},
                 velocity: {angular: [-17.2125876, 0, 6.26486953]}, geometry: [{shape: cylinder, radius: 0.04, length: 0.004, material: m}]}
            """
        self.write("disc.yaml", disc)
        self.csim("run", "disc.yaml", "-o", "mean.h5", "-q")
        self.assertEqual(self.failed("mean.h5", expect=0), [])
        self.csim("run", "disc.yaml", "-o", "start.h5", "-q", "--set", "integrator.velocity_terms=start")
        self.assertIn("friction_work", self.failed("start.h5"))


if __name__ == "__main__":
    main()
