"""scripts/studies/tosses: keys are found again in tosses that csim made itself."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOSSES = SOURCE / "scripts/studies/tosses"
CSIM = os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim")
sys.path.insert(0, str(TOSSES))
import csim_tosses  # noqa: E402
import data  # noqa: E402
import models  # noqa: E402
import peers_tosses  # noqa: E402

TRUTH = {"friction": 0.25, "stiffness": 3e4, "hunt_crossley_dissipation": 2.0}
INERTIA, SCALE, STEP = 9e-4, 0.98, 1e-3
COULOMB = next(model for model in models.MODELS if model.name == "csim, coulomb")


def run(*arguments):
    return subprocess.run([sys.executable, "-B", TOSSES, *map(str, arguments)], capture_output=True, text=True, timeout=600)


def made_up_tosses(folder, count):
    """Rows at data.RATE of tosses by csim with TRUTH; lengths too short by SCALE, as a camera may have them."""
    random, time = np.random.default_rng(3), np.arange(90) / data.RATE
    tosses, starts = [data.Toss(f"toss_{i:02}", time, None, None, 0) for i in range(count)], []
    for _ in tosses:
        starts.append(data.State(np.array([0.0, 0.0, 0.17]), data.from_vector(random.uniform(-2, 2, 3)), np.array([*random.uniform(-0.8, 0.8, 2), 0.2]), random.uniform(-3, 3, 3)))
    runs = csim_tosses.simulate(CSIM, folder / "truth", COULOMB, STEP, tosses, starts, INERTIA, TRUTH, 2)
    arrays = {}
    for toss, (times, position, quaternion) in zip(tosses, runs):
        place = np.stack([np.interp(time, times, position[:, i]) for i in range(3)], axis=1)
        right = np.clip(np.searchsorted(times, time), 1, len(times) - 1)
        share = ((time - times[right - 1]) / (times[right] - times[right - 1]))[:, None]
        arrays[toss.name] = np.hstack([SCALE * place, (1 - share) * quaternion[right - 1] + share * quaternion[right]])
    np.savez(folder / "tosses.npz", **arrays)
    return folder / "tosses.npz", starts


class Tosses(unittest.TestCase):
    def test_truth_is_recovered(self):
        """Scale, start, inertia and keys of made-up tosses, end to end, and the page."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            file, starts = made_up_tosses(folder, 12)
            tosses, facts = data.read(file)
            self.assertEqual(len(tosses), 12)
            sunk = data.MASS * data.G / 4 / (TRUTH["stiffness"] / 2)  # on four corners, cube and ground in series
            self.assertAlmostEqual(facts["scale"] * SCALE, 1.0 / (1.0 - sunk / data.HALF), delta=1e-5)
            self.assertAlmostEqual(facts["gravity"] / data.G, facts["scale"] * SCALE, delta=1e-3)
            for toss, start in zip(tosses, starts):
                np.testing.assert_allclose(toss.start.velocity, start.velocity, atol=1e-2)  # first-order fall: g step/2, and the scale
                np.testing.assert_allclose(toss.start.angular_velocity, start.angular_velocity, atol=1e-3)
            result = run(file, "--csim", CSIM, "--only", COULOMB.name, "--steps", STEP, "--training", 6, "--starts", 1, "--evaluations", 40, "--jobs", 2, "--inertia", INERTIA, "--no-rebound",
                         "--work", folder / "work", "-o", folder / "out")
            self.assertEqual(result.returncode, 0, result.stderr)
            with (folder / "out/tosses/keys.csv").open(encoding="utf-8") as rows:
                found = {row["word"]: float(row["value"]) for row in csv.DictReader(rows)}
            with (folder / "out/tosses/errors.csv").open(encoding="utf-8") as rows:
                errors = {row["quantity"]: float(row["value"]) for row in csv.DictReader(rows)}
            report = json.loads((folder / "work/csim_coulomb/fit_0.001/out/report.json").read_text(encoding="utf-8"))
            page = (folder / "out/tosses.md").read_text(encoding="utf-8")
        # Not the truth to the last digit: the start's velocity is that of an exact fall, which differs from that of the step by g step/2, and the scale takes the cubes at rest,
        # sunk by 0.1 % of half the width, for as high as that. Stiffness, which a hit of a few steps hardly shows, answers for most of it.
        for word, key, tolerance in (("friction", "friction", 0.02), ("dissipation", "hunt_crossley_dissipation", 0.05), ("stiffness", "stiffness", 0.25)):
            with self.subTest(word=word):
                self.assertAlmostEqual(found[word] / TRUTH[key], 1.0, delta=tolerance)
        # The peers' fit starts where csim's does.
        begin = report["analyses"][0]["fit"]["starts"][0]["from"]
        np.testing.assert_allclose(begin, [key.at(peers_tosses.draw(f"{models.SEED} materials.cube.{key.name} 0")) for key in COULOMB.keys], rtol=1e-11)
        self.assertLess(errors["position"], 0.02)
        self.assertEqual(errors["same_face"], 1.0)
        self.assertIn("| csim, coulomb | 1 ms | 1 ms |", page)

    def test_free_flight(self):
        """A start is found again in the parabola and the turn at a constant rate that it makes."""
        start = data.State(np.array([0.1, -0.2, 0.3]), data.from_vector(np.array([0.4, -1.2, 0.7])), np.array([1.0, -0.5, 0.8]), np.array([3.0, -8.0, 5.0]))
        time = np.arange(12) / data.RATE
        angle, axis = 98**0.5 * time, start.angular_velocity / 98**0.5
        turns = np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis], axis=1)
        found = data.fit_flight(time, start.position + np.outer(time, start.velocity) - np.outer(data.G * time**2 / 2, [0, 0, 1]), data.multiply(turns, start.quaternion))
        for name, value in vars(start).items():
            np.testing.assert_allclose(getattr(found, name), value, atol=1e-12)

    def test_the_page_is_made_of_its_numbers(self):
        kept = SOURCE / "docs/evidence"
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "tosses").symlink_to(kept / "tosses")
            self.assertEqual(run("--tables", "-o", folder).returncode, 0)
            self.assertEqual(pathlib.Path(folder, "tosses.md").read_text(encoding="utf-8"), (kept / "tosses.md").read_text(encoding="utf-8"))

    def test_what_cannot_run(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("nowhere.npz").returncode, 2)
        self.assertEqual(run("--tables", "-o", "nowhere").returncode, 2)
        self.assertEqual(run("--only", "nothing").returncode, 2)


if __name__ == "__main__":
    unittest.main()
