"""What else happened in a run: rows of /event, kept over a resume and a kill; stderr and csim info repeat them, nothing is known to stderr alone."""
import csv
import json
import shutil
import signal
import time

import h5py
import numpy as np

from csim_testing import DONE, FAILED, INVALID, CliTest, main, text

HEAD = "csim: 1\nname: scene\n"
SPIN = HEAD + """\
time: {step: 1.0e-2, end: 2}
integrator: {velocity_terms: start}
guards: {energy_gain: none}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m, contact: compliant, slab_thickness: 0.05}]}
  - {name: bead, density: 1000, pose: {xyz: [3, 0, 0.05]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}
  - name: brick
    density: 1000
    pose: {xyz: [0, 0, 30]}
    velocity: {angular: [40, 12, 25]}
    geometry: [{shape: box, size: [0.1, 0.2, 0.3], material: m}]
"""
COLUMN = HEAD + """\
time: {step: 5.0e-3, end: 0.4}
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
""" + "".join(f"  - {{name: b{i}, mass: 1, inertia: solid, pose: {{xyz: [{0.01 * i}, 0, {0.11 + 0.21 * i}]}}, velocity: {{linear: [0.5, 0, -2]}}, "
              "geometry: [{shape: sphere, radius: 0.1, material: m}]}\n" for i in range(6))
PASSAGE = HEAD + """\
time: {step: 1.0e-2, end: 0.05}
materials: {stiff: {hydroelastic_modulus: 1.0e+3, hunt_crossley_dissipation: 0}}
bodies:
  - {name: plate, fixed: true, geometry: [{shape: box, size: [1, 1, 0.01], material: stiff, contact: rigid}]}
  - name: ball
    density: 1000
    pose: {xyz: [0, 0, 0.25]}
    velocity: {linear: [0, 0, -30]}
    geometry: [{name: shell, shape: sphere, radius: 0.02, material: stiff, contact: compliant, resolution: 0.02}]
"""
COINCIDENT = HEAD + """\
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 3.0e-3}
materials: {m: {stiffness: 1.0e4}}
bodies:
  - {name: a, fixed: true, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 0.1, material: m}]}
"""
ROW = HEAD + """\
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.01}
materials: {m: {friction: 0, stiffness: 1.0e12, hunt_crossley_dissipation: 0}}
bodies:
""" + "".join(f"  - {{name: ball_{i}, mass: 1, inertia: solid, pose: {{xyz: [{0.100001 * i!r}, 0, 0]}}, velocity: {{linear: [{4 if i == 0 else 0}, 0, 0]}}, "
              "geometry: [{shape: sphere, radius: 0.05, material: m}]}\n" for i in range(120))
INEXACT = ["--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", "--set", "solver.on_nonconvergence=accept", "--set", "guards.energy_gain=none"]
DIVIDED = ["--set", "contact.model=lagged", "--set", "solver.max_iterations=6", "--set", "solver.on_nonconvergence=shorter_step"]


COUNTS = ("degenerate query", "native answer", "fallback", "unforeseen hit", "passage", "divided step")  # which add up; of measures the largest counts


def events(path):
    """The rows of /event: (time, kind, subject_a, subject_b, value)."""
    with h5py.File(path) as file:
        columns = [file[f"event/{name}"][()] for name in ("time", "kind", "subject_a", "subject_b", "value")]
    return [(float(t), text(kind), text(a), text(b), float(value)) for t, kind, a, b, value in zip(*columns)]


class Events(CliTest):
    def run_scene(self, scene, *options, expect=DONE):
        self.write("scene.yaml", scene)
        said = self.csim("run", "scene.yaml", "--force", *options, expect=expect).stderr
        return events(self.folder / "scene.h5"), said

    def of_kind(self, rows, kind):
        return [row for row in rows if row[1] == kind]

    def check_info(self, rows, name="scene.h5"):
        """csim info lists the kinds in the order of their first rows; its JSON counts them."""
        told, listed = self.csim("info", name, "-v").stdout, json.loads(self.csim("info", name, "--json").stdout)
        self.assertEqual(listed["rows"]["events"], len(rows))
        self.assertEqual(list(listed["events"]), list(dict.fromkeys(row[1] for row in rows)))
        for kind, line in listed["events"].items():
            same = self.of_kind(rows, kind)
            self.assertEqual(line["count"], len(same))
            self.assertEqual((line["first_time"], line["subject_a"], line["subject_b"]), (same[0][0], same[0][2], same[0][3]))
            values = [row[4] for row in same]
            self.assertAlmostEqual(line["value"], sum(values) if kind in COUNTS else max(values))
            subjects = " with ".join(name for name in same[0][2:4] if name)
            self.assertRegex(told, rf"\n  {kind} +{len(same)} +{same[0][0]:.6g} s +\S+ +{subjects}\n")
        if not rows:
            self.assertIn("\nevents: none\n", told)

    def test_none(self):
        rows, said = self.run_scene(COLUMN, "--set", "contact.model=coulomb")   # under lagged friction lags where they land
        self.assertEqual(rows, [])
        self.check_info(rows)
        self.assertNotIn("warning", said)

    def test_degenerate_query(self):
        rows, said = self.run_scene(COINCIDENT, "--set", "contact.model=coulomb")
        self.assertEqual(rows[0], (1e-3, "degenerate query", "a/geometry_0", "b/geometry_0", 1.0))
        self.assertEqual(len(rows), 1)
        self.assertIn("1 contact query met a degenerate configuration", said)
        self.check_info(rows)

    def test_fallback_and_fast_spin(self):
        rows, said = self.run_scene(SPIN, "--end", "0.33")
        fallback, spins = self.of_kind(rows, "fallback"), self.of_kind(rows, "fast spin")
        self.assertEqual([row[2:] for row in fallback], [("ground/geometry_0", "bead/geometry_0", 1.0)] * 33)
        np.testing.assert_allclose([row[0] for row in fallback], 0.01 * np.arange(1, 34), rtol=1e-14)
        self.assertEqual(spins[0][1:4], ("fast spin", "brick", ""))
        self.assertTrue(all(row[4] > 0.3 for row in spins))
        gains = self.of_kind(rows, "energy from nothing")  # the spin grows
        self.assertEqual({row[2:4] for row in gains}, {("brick", "")})
        self.assertEqual(len(rows), len(fallback) + len(spins) + len(gains))
        self.assertIn("33 contact points were found between geometries with pressure fields and others", said)
        self.assertIn(f"spun too fast for a step of 0.01 s ({len(spins)} times), first 'brick' at t = {spins[0][0]:.6g} s", said)
        self.check_info(rows)

    def test_fast_spin_at_the_mean_velocity(self):
        rows, said = self.run_scene(SPIN.replace("[40, 12, 25]", "[160, 48, 100]"), "--set", "integrator.velocity_terms=mean")
        self.assertGreater(len(self.of_kind(rows, "fast spin")), 0)
        self.assertIn("their energy is right, but the direction of their angular momentum is not accurate", said)

    def test_passage(self):
        rows, said = self.run_scene(PASSAGE)
        self.assertEqual(self.of_kind(rows, "passage"), [(0.01, "passage", "plate/geometry_0", "ball/shell", 1.0)])   # too soft for its speed
        self.assertIn("geometries passed through each other within a step (1 time), first 'plate/geometry_0' and 'ball/shell' at t = 0.01 s", said)
        self.check_info(rows)

    def test_unforeseen_hit(self):
        rows, said = self.run_scene(ROW, "--set", "guards.energy_gain=none")   # else the step is divided
        self.assertEqual(rows, [(0.01, "unforeseen hit", "ball_101/geometry_0", "ball_102/geometry_0", 1.0)])
        self.assertIn("1 contact point closed within a step that did not include them", said)
        self.check_info(rows)

    def test_inexact_step(self):
        rows, said = self.run_scene(COLUMN, *INEXACT, "--set", "contact.model=lagged")
        with h5py.File(self.folder / "scene.h5") as file:
            status, residual, times = (file[f"stats/step/{name}"][()] for name in ("status", "residual", "time"))
        above = np.isin(status, (1, 2, 4)) & (residual > 1e-12)
        self.assertGreater(above.sum(), 10)
        inexact = self.of_kind(rows, "inexact step")
        self.assertEqual([(row[0], row[4]) for row in inexact], list(zip(times[above], residual[above])))
        self.assertEqual({row[2:4] for row in inexact}, {("", "")})
        self.assertEqual({row[1] for row in rows}, {"inexact step", "energy from nothing", "friction lag"})  # one iteration a step
        self.assertIn(f"tolerance = 1e-12: {above.sum()} of {len(status)}, the largest", said)
        self.check_info(rows)

    def test_divided_step(self):
        rows, said = self.run_scene(COLUMN, *DIVIDED)
        with h5py.File(self.folder / "scene.h5") as file:
            status, times = (file[f"stats/step/{name}"][()] for name in ("status", "time"))
        divided = self.of_kind(rows, "divided step")
        self.assertGreater(len(divided), 0)
        self.assertEqual([row[0] for row in divided], list(times[status == 5]))
        self.assertTrue(all(row[4] in range(2, 65) for row in divided))
        self.assertIn(f"{len(divided)} steps were subdivided: they did not converge, or caused unexpected overlap; the first at t = {divided[0][0]:.6g} s", said)
        self.check_info(rows)

    def test_divided_step_above_the_tolerance(self):
        """Parts that end at the round-off level above an unreachable tolerance are told, though the status is that of a divided step."""
        rows, said = self.run_scene(COLUMN, "--end", "0.2", "--set", "contact.model=lagged", "--set", "solver.max_iterations=7", "--set",
                                    "solver.tolerance=1e-15", "--set", "solver.on_nonconvergence=shorter_step")
        with h5py.File(self.folder / "scene.h5") as file:
            status, residual, times = (file[f"stats/step/{name}"][()] for name in ("status", "residual", "time"))
        both = {row[0] for row in self.of_kind(rows, "divided step")} & {row[0] for row in self.of_kind(rows, "inexact step")}
        self.assertGreater(len(both), 0)
        for row in self.of_kind(rows, "inexact step"):
            n = list(times).index(row[0])
            self.assertEqual(row[4], residual[n])
        self.assertIn("steps with a residual above solver.tolerance", said)

    def test_resumed_and_killed(self):
        """The same bits as an uninterrupted run; after SIGKILL all rows up to the last flush are there."""
        self.write("scene.yaml", SPIN)
        self.csim("run", "scene.yaml", "--end", "0.33", "-o", "whole.h5")
        self.csim("run", "scene.yaml", "-o", "part.h5", "-q", "--end", "0.1")
        self.csim("run", "scene.yaml", "-o", "part.h5", "-q", "--end", "0.3", "--resume")
        self.csim("run", "scene.yaml", "-o", "part.h5", "-q", "--end", "0.33", "--resume")
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "part.h5")
        self.assertGreater(len(self.of_kind(events(self.folder / "whole.h5"), "fast spin")), 0)

        self.write("scene.yaml", SPIN.replace("[40, 12, 25]", "[0, 0, 0]"))
        self.csim("run", "scene.yaml", "--end", "8", "-o", "calm.h5")
        rows = events(self.folder / "calm.h5")
        self.assertGreaterEqual(len(rows), 800)
        process = self.start("run", "scene.yaml", "-o", "killed.h5", "-q", "--end", "4000", "--set", "output.checkpoint=0.3")
        part, found = self.folder / "killed.h5.part", []
        deadline = time.monotonic() + 120
        while len(found) < 300:
            self.assertLess(time.monotonic(), deadline, "no events within two minutes")
            time.sleep(0.02)
            try:
                found = events(part)
            except (OSError, KeyError, ValueError):   # not there, or half created
                pass
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        found = events(part)
        common = min(len(found), len(rows))
        self.assertEqual(found[:common], rows[:common])
        self.csim("info", part)
        with h5py.File(part) as file:
            reached = file["stats/step/time"][-1]
        if reached < 8.0:
            self.csim("run", "scene.yaml", "-o", "killed.h5", "-q", "--end", "8", "--resume", "--set", "output.checkpoint=0.3")
            self.assertEqual(events(self.folder / "killed.h5"), rows)

    def test_a_resumed_run_that_fails_names_the_first_spin_of_all(self):
        rows, said = self.run_scene(SPIN, expect=FAILED)
        message = said[said.index("csim: error: "):].splitlines()[0]
        self.assertIn(f"spun too fast for a step of 0.01 s ({len(self.of_kind(rows, 'fast spin'))} times), first 'brick' at t = {self.of_kind(rows, 'fast spin')[0][0]:.6g} s", message)
        with h5py.File(self.folder / "scene.h5") as file:
            self.assertGreater(rows[-1][0], file["stats/step/time"][-1])   # the step that failed has its events too
        self.csim("run", "scene.yaml", "-o", "part.h5", "-q", "--end", "0.3")
        resumed = self.csim("run", "scene.yaml", "-o", "part.h5", "--resume", expect=FAILED).stderr
        self.assertIn(message, resumed)
        self.assertEqual(events(self.folder / "part.h5"), rows)

    def test_csv_and_diff(self):
        rows, _ = self.run_scene(SPIN, "--end", "0.33")
        self.csim("export", "scene.h5", "--csv", "tables")
        with open(self.folder / "tables/events.csv", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        self.assertEqual(lines[0], ["time [s]", "kind", "subject_a", "subject_b", "value [1]"])
        self.assertEqual([(float(t), kind, a, b, float(value)) for t, kind, a, b, value in lines[1:]], rows)
        self.csim("export", "scene.h5", "--csv", "some", "--frames", "5:10")
        with open(self.folder / "some/events.csv", encoding="utf-8") as file:
            chosen = [float(line[0]) for line in list(csv.reader(file))[1:]]
        self.assertEqual(chosen, [row[0] for row in rows if min(chosen) <= row[0] <= max(chosen)])
        self.assertLess(len(chosen), len(rows))

        # Other events are a difference; a file older than the group is none.
        other, older = self.folder / "other.h5", self.folder / "older.h5"
        for copy in (other, older):
            shutil.copy(self.folder / "scene.h5", copy)
        with h5py.File(other, "r+") as file:
            kinds = file["event/kind"][()]
            kinds[3] = b"passage"
            file["event/kind"][...] = kinds
        with h5py.File(older, "r+") as file:
            del file["event"]
        self.assertIn("/event/kind: other texts, first '", self.csim("diff", "scene.h5", other, expect=5).stdout)
        self.csim("diff", "scene.h5", older)
        self.assertNotIn("events", self.csim("info", older, "-v").stdout)
        self.assertIn("complete; an older file, which keeps no warnings\n", self.csim("info", older).stdout)
        self.csim("view", older, "-o", "older.html")
        self.csim("run", "scene.yaml", "-o", older, "--resume", "--end", "0.5", expect=INVALID)

    def test_continuous(self):
        """Its queries fall back too, in every stage of a step; a pair without a direction as well."""
        rows, _ = self.run_scene(SPIN.replace("[40, 12, 25]", "[0, 0, 0]").replace("integrator: {velocity_terms: start}\n", ""), "--set", "integrator.type=continuous", "--end", "0.1")
        self.assertGreater(len(rows), 0)
        self.assertEqual({row[1:4] for row in rows}, {("fallback", "ground/geometry_0", "bead/geometry_0")})
        self.check_info(rows)


if __name__ == "__main__":
    main()
