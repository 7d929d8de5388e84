"""/pair: impulses between bodies from row to row sum to the change of momentum; with every stepper, over parts of steps, resumes and ends between rows."""
import csv

import h5py
import numpy as np

from csim_testing import DONE, SOURCE, CliTest, main

G = 9.81
# Two balls above each other fall on a plate: bounces of a few ms between rows of 0.1 s.
BALLS = """\
csim: 1
time: {step: 1.0e-3, end: 0.5}
materials: {m: {stiffness: 1.0e+5, hunt_crossley_dissipation: 0.5}}
bodies:
  - {name: upper, pose: {xyz: [0.01, 0, 0.25]}, velocity: {linear: [0.3, 0, 0]}, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 0.05, material: m}]}
  - {name: plate, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: lower, pose: {xyz: [0, 0, 0.1]}, mass: 2, inertia: solid, geometry: [{shape: sphere, radius: 0.05, material: m}]}
solver: {tolerance: 1.0e-13}
output: {period: 0.1, contacts: false}
"""
SOFT = """\
csim: 1
time: {step: 1.0e-3, end: 0.3}
materials: {soft: {hydroelastic_modulus: 1.0e+6, hunt_crossley_dissipation: 1}, hard: {}}
bodies:
  - {name: plate, fixed: true, geometry: [{shape: box, size: [1, 1, 0.1], contact: rigid, material: hard}]}
  - {name: cube, pose: {xyz: [0, 0, 0.15]}, velocity: {linear: [0.5, 0, 0]}, density: 500, geometry: [{shape: box, size: [0.1, 0.1, 0.1], contact: compliant, material: soft}]}
solver: {tolerance: 1.0e-13}
output: {period: 0.05}
"""
PUSH = """\
csim: 1
time: {step: 0.01, end: 0.3}
gravity: [0, 0, 0]
materials: {m: {friction: 0.5}}
bodies:
  - {name: finger, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.05, material: m}]}
  - {name: stop, fixed: true, pose: {xyz: [0.3, 0, 0]}, geometry: [{shape: box, size: [0.1, 1, 1], material: m}]}
joints: [{name: slide, type: prismatic, parent: world, child: finger, axis: [1, 0, 0]}]
actuators: [{name: drive, joint: slide, type: position, stiffness: 100, command: {times: [0, 0.3], values: [0, 0.3], interpolation: linear}}]
integrator: {type: quasistatic}
output: {period: 0.1}
"""


def pairs(file):
    """By row: {(name a, name b): (impulse, peak, time)}."""
    names = [name.decode() for name in file["bodies/name"][:]]
    offset = file["pair/row_offset"][:]
    columns = [file["pair/" + name][:] for name in ("body_a", "body_b", "impulse", "peak_normal_force", "contact_time")]
    return [{(names[a], names[b]): (impulse, peak, time) for a, b, impulse, peak, time in zip(*(c[i:j] for c in columns))}
            for i, j in zip(offset, offset[1:])]


class Pairs(CliTest):
    def setUp(self):
        super().setUp()
        self.write("balls.yaml", BALLS)
        self.write("soft.yaml", SOFT)
        self.write("push.yaml", PUSH)

    def run_scene(self, scene, name, *options):
        self.csim("run", scene, "-o", name, "-q", "--force", *options, expect=DONE)
        return self.folder / name

    def assert_momentum(self, path, masses, tolerance):
        """The change of each body's momentum from row to row is that of gravity and of the pairs."""
        with h5py.File(path) as file:
            time, velocity = file["trajectory/time"][:], file["trajectory/velocity"][:]
            names = [name.decode() for name in file["bodies/name"][:]]
            rows, largest = pairs(file), 0
            self.assertEqual(rows[0], {})
            for f in range(1, len(time)):
                for name, mass in masses.items():
                    impulse = sum((p[0] if b == name else -p[0] for (a, b), p in rows[f].items() if name in (a, b)), np.zeros(3))
                    change = mass * (velocity[f] - velocity[f - 1])[names.index(name)]
                    weight = mass * np.array([0, 0, -G]) * (time[f] - time[f - 1])
                    np.testing.assert_allclose(change, impulse + weight, rtol=0, atol=tolerance)
                    largest = max(largest, np.abs(impulse).max())
            self.assertGreater(largest, 0.1)   # something happened
            return rows

    def test_impulses_are_the_change_of_momentum(self):
        masses = {"upper": 1, "lower": 2}
        for law in ("lagged", "sap", "similar", "coulomb"):
            rows = self.assert_momentum(self.run_scene("balls.yaml", "out.h5", "--set", f"contact.model={law}"), masses, 1e-10)
            met = set().union(*rows)
            self.assertEqual(met, {("upper", "lower"), ("plate", "lower")} | (met & {("upper", "plate")}), law)
        self.assert_momentum(self.run_scene("balls.yaml", "out.h5", "--set", "contact.model=tamsi"), masses, 1e-5)
        self.assert_momentum(self.run_scene("balls.yaml", "out.h5", "--set", "integrator.type=continuous"), masses, 1e-12)
        self.assert_momentum(self.run_scene("balls.yaml", "out.h5", "--set", "integrator.type=error_controlled"), masses, 1e-10)

    def test_patches(self):
        rows = self.assert_momentum(self.run_scene("soft.yaml", "out.h5", "--end", "1"), {"cube": 0.5}, 1e-10)
        self.assertAlmostEqual(rows[-1]["plate", "cube"][2], 0.05, delta=1e-12)   # lies on it
        self.assertAlmostEqual(rows[-1]["plate", "cube"][1], 0.5 * G, delta=0.05 * G)

    def test_peaks_and_times_are_those_of_the_steps(self):
        whole = self.run_scene("balls.yaml", "whole.h5")
        steps = self.run_scene("balls.yaml", "steps.h5", "--set", "output.period=1e-3")
        with h5py.File(whole) as file, h5py.File(steps) as fine:
            rows, single = pairs(file), pairs(fine)
            for f in range(1, len(rows)):
                part = single[1 + 100 * (f - 1):1 + 100 * f]
                for pair, (impulse, peak, time) in rows[f].items():
                    those = [row[pair] for row in part if pair in row]
                    np.testing.assert_allclose(impulse, sum(one[0] for one in those), rtol=0, atol=1e-13)
                    self.assertEqual(peak, max(one[1] for one in those))
                    self.assertAlmostEqual(time, 1e-3 * len(those), delta=1e-12)

    def test_one_step_a_row_agrees_with_contacts(self):
        path = self.run_scene("balls.yaml", "out.h5", "--set", "output.period=1e-3", "--set", "output.contacts=true")
        with h5py.File(path) as file:
            offset, force = file["contact/row_offset"][:], file["contact/force"][:]
            rows = pairs(file)
            for f, row in enumerate(rows):
                total = sum((p[0] for p in row.values()), np.zeros(3))
                # Geometries stand in the order of bodies here: force on b, as in /pair.
                np.testing.assert_allclose(total, 1e-3 * force[offset[f]:offset[f + 1]].sum(axis=0), rtol=0, atol=1e-13)

    def test_quasistatics(self):
        with h5py.File(self.run_scene("push.yaml", "out.h5")) as file:
            rows, effort = pairs(file), file["actuator/effort"][:, 0]
        self.assertEqual(rows[1], {})
        impulse, peak, time = rows[3]["finger", "stop"]
        # The finger stands at 0.2 m; the command goes on to 0.3 m, 0.01 m a step.
        self.assertAlmostEqual(effort[-1], 100 * 0.1, delta=1e-6)
        self.assertAlmostEqual(peak, 10, delta=1e-6)
        self.assertAlmostEqual(impulse[0], 0.01 * sum(100 * 0.01 * k for k in range(1, 11)), delta=1e-6)
        self.assertAlmostEqual(time, 0.1, delta=1e-12)

    def test_resumed_runs_have_the_same_bits(self):
        whole = self.run_scene("balls.yaml", "whole.h5")
        # Ends between rows: its closing row is taken back, its sums go on.
        for end in ("0.25", "0.2"):
            self.run_scene("balls.yaml", "part.h5", "--end", end)
            self.csim("run", "balls.yaml", "-o", "part.h5", "-q", "--resume")
            self.assert_same_bits(whole, self.folder / "part.h5")

    def test_threads(self):
        scene = SOURCE / "scenes/clutter/scene.yaml"
        for threads in ("1", "2"):
            self.csim("run", scene, "-o", f"{threads}.h5", "-q", "--end", "0.6", "--set", "output.period=0.15", "--threads", threads)
        self.assert_same_bits(self.folder / "1.h5", self.folder / "2.h5")
        # The checkpoint between two rows holds more than a hundred pairs.
        self.csim("run", scene, "-o", "part.h5", "-q", "--end", "0.4", "--set", "output.period=0.15")
        self.csim("run", scene, "-o", "part.h5", "-q", "--end", "0.6", "--set", "output.period=0.15", "--resume")
        self.assert_same_bits(self.folder / "1.h5", self.folder / "part.h5")
        with h5py.File(self.folder / "1.h5") as file:
            self.assertGreater(len(file["pair/body_a"]), 100)
            self.assertTrue(np.all(file["pair/body_a"][:] < file["pair/body_b"][:]))

    def test_tables(self):
        self.run_scene("balls.yaml", "out.h5")
        self.csim("export", "out.h5", "--csv", "out")
        with open(self.folder / "out/pairs.csv", newline="") as file:
            lines = list(csv.reader(file))
        self.assertEqual(lines[0][:3], ["time [s]", "body_a", "body_b"])
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(len(lines) - 1, len(file["pair/body_a"]))
        self.csim("run", "balls.yaml", "-o", "other.h5", "-q", "--set", "materials.m.hunt_crossley_dissipation=0.6")
        text = self.csim("diff", "out.h5", "other.h5", expect=None).stdout
        self.assertIn("pair", text)


if __name__ == "__main__":
    main()
