"""Accounts of energy and guards: warnings with names, runs that end with the state before, columns, resume."""
import csv
import json

import h5py
import numpy as np

from csim_testing import DONE, FAILED, INVALID, CliTest, main, text

HEAD = "csim: 1\nname: scene\n"
# Gyroscopic moments of the start of a step feed a fast spin.
SPIN = HEAD + """\
gravity: [0, 0, 0]
time: {step: 0.01, end: 1}
output: {period: 0.02}
integrator: {velocity_terms: start}
bodies:
  - {name: still, mass: 1, inertia: [1, 1, 1]}
  - {name: brick, mass: 1, inertia: [0.02, 0.05, 0.06], velocity: {angular: [6, 40, 2]}}
"""
DROP = HEAD + """\
time: {step: 1.0e-3, end: 0.5}
materials: {m: {friction: 0.3, stiffness: 1.0e4, hunt_crossley_dissipation: 1}}
bodies:
  - {name: floor, fixed: true, geometry: [{name: top, shape: half_space, material: m}]}
  - {name: box, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.2]}, geometry: [{name: hull, shape: box, size: [0.2, 0.2, 0.2], material: m}]}
"""
DEEP = DROP.replace("0, 0, 0.2]}, geometry", "0, 0, 0.08]}, geometry")
CUBE = "".join(f"v {x} {y} {z}\n" for z in (-0.1, 0.1) for x, y in ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))) + \
    "f 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"
# Two meshes deep in each other that turn: contacts of another feature hold more at once than those before.
JUMP = HEAD + """\
gravity: [0, 0, 0]
time: {step: 2.0e-4, end: 0.05}
materials: {m: {friction: 0, stiffness: 2.0e4, hunt_crossley_dissipation: 0}}
bodies:
  - {name: left, fixed: true, geometry: [{name: g, shape: mesh, file: cube.obj, material: m}]}
  - {name: right, mass: 1, inertia: solid, pose: {xyz: [0.059, 0.01, 0.02], rpy: [2.736, 2.687, -2.661]}, velocity: {angular: [2.01, 1.42, 1.02]},
     geometry: [{name: g, shape: mesh, file: cube.obj, material: m}]}
"""
PARTS = ("dissipated_normal", "normal_damping", "normal_spring_loss", "normal_overlap_gain", "dissipated_friction", "dissipated_joints", "work_actuators", "work_prescribed", "work_forces", "scheme_gravity", "scheme_mass_matrix", "scheme_springs", "joint_spring_loss")


class Energy(CliTest):
    def run_scene(self, scene, *options, expect=DONE):
        self.write("scene.yaml", scene)
        return self.csim("run", "scene.yaml", "-o", "out.h5", "--force", *options, expect=expect)

    def test_a_gain_from_nothing_ends_the_run_with_the_state_before(self):
        result = self.run_scene(SPIN, expect=FAILED)
        self.assertRegex(result.stderr, r"guards.energy_gain: energy from nothing, .* J, is .* of the energy throughput, allowed is 0.5; most of it from 'brick'")
        with h5py.File(self.folder / "out.h5") as f:
            self.assertEqual(text(f.attrs["status"]), "failed")
            self.assertEqual(f.attrs["exit_code"], FAILED)
            self.assertIn("guards.energy_gain", text(f.attrs["message"]))
            energy, time = f["energy/total"][:], f["trajectory/time"][:]
            np.testing.assert_allclose(time[:-1], 0.02 * np.arange(len(time) - 1), atol=1e-12)
            self.assertAlmostEqual(time[-1], 0.01 * f["stats/step/time"].shape[0])  # the steps taken
            gained = f["energy/scheme_mass_matrix"][-1]
            self.assertAlmostEqual(energy[-1] - energy[0], gained, delta=1e-9)
            self.assertTrue(0.01 < gained / f["energy/turned_over"][-1] <= 0.5)

    def test_without_the_guard_it_is_an_event_and_a_warning(self):
        result = self.run_scene(SPIN, "--set", "guards.energy_gain=none")
        line = next(line for line in result.stderr.splitlines() if "energy from nothing" in line)
        self.assertIn("most of it from 'brick', whose mass matrix or gyroscopic forces change within a step", line)
        self.assertIn("more than 1 % of the energy throughput", line)
        with h5py.File(self.folder / "out.h5") as f:
            rows = [i for i, kind in enumerate(f["event/kind"][:]) if text(kind) == "energy from nothing"]
            self.assertEqual((text(f["event/subject_a"][rows[0]]), text(f["event/subject_b"][rows[0]])), ("brick", ""))
            values = f["event/value"][:][rows]
            self.assertTrue((values[1:] > 2 * values[:-1]).all())  # each twice the last
        self.assertIn("energy from nothing", self.csim("info", "out.h5").stdout)

    def test_mean_velocities_gain_nothing(self):
        result = self.run_scene(SPIN, "--set", "integrator.velocity_terms=mean")
        self.assertNotIn("energy from nothing", result.stderr)

    def test_a_depth_of_meshes_that_jumps_names_the_pair(self):
        self.write("cube.obj", CUBE)
        result = self.run_scene(JUMP)
        self.assertRegex(result.stderr, r"at the start 'left/g' and 'right/g' overlap by .* m, which stores .* J")
        line = next(line for line in result.stderr.splitlines() if "energy from nothing" in line)
        self.assertIn("most of it from 'left' and 'right', whose contacts returned more than they had taken up", line)
        with h5py.File(self.folder / "out.h5") as f:
            events = [(text(kind), text(a), text(b)) for kind, a, b in zip(f["event/kind"][:], f["event/subject_a"][:], f["event/subject_b"][:])]
            self.assertIn(("overlap jump", "left", "right"), events)
            self.assertIn(("energy from nothing", "left", "right"), events)
            total = f["energy/total"][:]
            # The energy that it ends with beyond that of the overlap at the start, with what the implicit springs lost, is what jumps gained.
            gained = f["energy/normal_overlap_gain"][-1] - f["energy/normal_spring_loss"][-1]
            self.assertAlmostEqual(total[-1] - total[0], gained + f["energy/scheme_mass_matrix"][-1], delta=1e-3 * gained)
            self.assertGreater(gained, 0.5 * total[0])
        result = self.run_scene(JUMP, "--set", "guards.energy_gain=0.1", expect=FAILED)
        self.assertRegex(result.stderr, r"guards.energy_gain: energy from nothing, .* allowed is 0.1; most of it from 'left' and 'right'")

    def test_penetration_and_contacts(self):
        result = self.run_scene(DROP, "--set", "guards.penetration=1e-3", expect=FAILED)
        self.assertRegex(result.stderr, r"guards.penetration: 'floor/top' and 'box/hull' overlap by 0.00\d+ m, allowed are 0.001 m")
        with h5py.File(self.folder / "out.h5") as f:
            self.assertGreater(f["trajectory/position"][-1, 1, 2], 0.099)
        result = self.run_scene(DROP, "--set", "guards.contacts=3", expect=FAILED)
        self.assertIn("guards.contacts: 4 contacts, allowed are 3; most of them, 4, of 'floor/top' and 'box/hull'", result.stderr)
        self.run_scene(DROP, "--set", "guards.contacts=4", "--set", "guards.penetration=0.1")

    def test_what_overlaps_store_belongs_to_the_start(self):
        result = self.run_scene(DEEP)
        # Four springs of 5e3 N/m at 20 mm.
        self.assertIn("at the start 'floor/top' and 'box/hull' overlap by 0.02 m, which stores 4 J", result.stderr)
        with h5py.File(self.folder / "out.h5") as f:
            self.assertAlmostEqual(f["energy/elastic"][0], 4.0, delta=1e-9)
            self.assertLess(np.abs(f["energy/balance_error"][:]).max(), 1e-6)

    def test_wrong_guards(self):
        for key, value in (("energy_gain", "-1"), ("penetration", "0"), ("contacts", "[1]"), ("speed", "3")):
            self.assertIn(f"guards.{key}", self.run_scene(DROP, "--set", f"guards.{key}={value}", expect=INVALID).stderr)

    def test_columns_in_info_and_csv(self):
        self.run_scene(DROP)
        parts = json.loads(self.csim("info", "out.h5", "--json").stdout)["energy"]
        self.csim("export", "out.h5", "--csv", "tables")
        with open(self.folder / "tables" / "energy.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        with h5py.File(self.folder / "out.h5") as f:
            for part in (*PARTS, "turned_over"):
                self.assertEqual(parts[part], f[f"energy/{part}"][-1], part)
                self.assertTrue(any(part in name for name in rows[0]), rows[0])
        self.assertIn("dissipated_normal", self.csim("info", "out.h5", "-v").stdout)

    def test_the_accounts_go_on_over_a_resume(self):
        options = ("--set", "guards.energy_gain=none")
        for scene in (SPIN, DEEP):
            self.run_scene(scene, *options)
            self.csim("run", "scene.yaml", "-o", "part.h5", "--force", "-q", "--end", "0.02", *options)
            self.csim("run", "scene.yaml", "-o", "part.h5", "-q", "--resume", *options)
            self.csim("diff", "out.h5", "part.h5", "--rtol", "0", "--atol", "0")


if __name__ == "__main__":
    main()
