#!/usr/bin/env python3
"""Writes docs/solver_robustness.md: what the solver needs in the clutter scene for every law, stiffness and stiction tolerance.

    scripts/studies/solver_robustness.py build/release/bin/csim [--jobs 2]
"""
import argparse
import concurrent.futures
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
LAWS = {
    "lagged": {"contact.model": "lagged"},
    "lagged, plain": {"contact.model": "lagged", "contact.regularise_stiction": "false"},
    "similar": {"contact.model": "similar"},
    "similar, plain": {"contact.model": "similar", "contact.regularise_stiction": "false"},
    "sap": {"contact.model": "sap"},
}
STIFFNESS = ["1e4", "1e5", "1e6", "1e7", "1e8", "1e9", "1e10", "1e11", "1e12"]
TOLERANCE = ["1e-4", "1e-5", "1e-6", "1e-7", "1e-8"]
INTERIOR_POINT, ROUNDING_FLOOR, NOT_CONVERGED = 6, 2, 4


def cases():
    for law in LAWS:
        for k in STIFFNESS:
            yield law, k, "1e-4", "auto"
        if law != "sap":
            for v_s in TOLERANCE[1:]:
                yield law, "1e7", v_s, "auto"
            for k, v_s in (("1e4", "1e-8"), ("1e9", "1e-8"), ("1e11", "1e-6"), ("1e11", "1e-8")):
                yield law, k, v_s, "auto"
        if not law.startswith("lagged"):
            for method in ("newton", "interior_point"):
                for k in ("1e7", "1e9", "1e11"):
                    yield law, k, "1e-4", method


def run(csim, case):
    law, k, v_s, method = case
    settings = {**LAWS[law], "materials.body.stiffness": k, "contact.stiction_tolerance": v_s, "solver.method": method,
                "solver.on_nonconvergence": "accept", "output.contacts": "false"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clutter.h5"
        arguments = [x for key, value in settings.items() for x in ("--set", f"{key}={value}")]
        subprocess.run([csim, "run", ROOT / "scenes/clutter/scene.yaml", "-o", file, "-q", *arguments],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with h5py.File(file) as f:
            steps = f["stats/step"]
            data = {name: steps[name][:] for name in ("time", "factorizations", "status", "residual")}
    factorizations, status, time = data["factorizations"], data["status"], data["time"]
    mean = lambda mask: f"{factorizations[mask].mean():.1f}" if mask.any() else "-"
    converged = (status != ROUNDING_FLOOR) & (status != NOT_CONVERGED)
    return [law, method, k, v_s, mean(time < 1.0 + 1e-9), mean((time > 1.0 + 1e-9) & (time <= 6.0)), mean(time > 6.0),
            str(factorizations.max()), str(np.count_nonzero(status == NOT_CONVERGED) + 1000 - len(time)),
            str(np.count_nonzero(status == ROUNDING_FLOOR)), str(np.count_nonzero(status == INTERIOR_POINT)),
            f"{data['residual'][converged].max():.1e}"]


TEXT = """# Robustness of the solver

Clutter (`scenes/clutter`: 40 bodies, dt = 1e-2 s, e_r = 1e-5, 10 s, 1000 steps) for every contact law, over eight decades of stiffness and four
of the stiction tolerance. `plain`: without the regularisation of stiction in impacts (`regularise_stiction: false`). Written by
`scripts/studies/solver_robustness.py`.

Factorisations are the largest over the islands of a step, those of Newton's method before a switch to the interior point included, means over
steps: t < 1 s, when everything lands on everything; 1 s to 6 s; and after 6 s. Failed: steps that met neither the tolerance nor the rounding floor
(accepted here, so that the run goes on), and those after the end of a run that could not go on. Floor: steps that ended at the rounding floor, a
status of its own. IP: steps in which the interior point was used. Residual: the largest of steps that did not end at the floor of rounding; above
1e-5 where the cost stalled at its own floor.

What holds, of each law as it comes: at v_s = 1e-4 m/s every step converges for k = 1e4 to 1e12 N/m, and for v_s = 1e-4 to 1e-8 m/s at k = 1e7 N/m.
There, up to 1e11 N/m, the first second takes 16.4 factorisations a step at most, no step more than 36, and after 6 s the mean is below 4, but for
Similar at v_s = 1e-7 and 1e-8 m/s, which takes 5.5 and 5.6.

What does not: not every run is at rest after 6 s. Spheres go on rolling and spinning, which no point contact brakes, and a pile that still
moves takes the 9 to 17 factorisations of the landing: Similar with v_s <= 1e-6 m/s at k >= 1e9 N/m, plain Similar at k >= 1e10 N/m, Similar at
1e12 N/m; single steps of Similar at 1e11 N/m and v_s = 1e-8 m/s take 105 and 109. The motion is chaotic: another last digit leads to another pile,
and the same law and stiffness to other means after 6 s, mostly by less than a factor of 2; Similar at 1e10 N/m was seen with 1.9 at rest and with 13
where spheres rolled on. Plain Lagged at 1e11 N/m and v_s = 1e-8 m/s ends early, where the regularised law, the default,
does not; Newton's method alone fails on Similar from 1e9 N/m on.

Calm steps used to take 8 to 17 factorisations with Similar at k >= 1e9 N/m. What they look like: the gap that SAP and Similar keep open
under a sliding contact, mu dt |v_t|, is that of the step before, so that piles swing between two states from step to step, by 1e-3 m/s at 1e7
N/m and v_s = 1e-7 m/s; at 1e11 N/m a velocity wrong by 1e-5 m/s is an impulse of 100 N s; and one restless island sent all others to the interior
point. So the guess is the best of the last velocities, those a step earlier, and the last with the same change again; the memory of `auto` is
by island; the interior point goes on from where Newton's method got to and starts, where it can, from the impulses that a Newton step
predicts (1 to 6 iterations in place of 11 to 14); and Newton's method gets 4 iterations to finish before the interior point goes
nearer.

The interior point (Castro et al. 2022 give SAP's cone; the one of Similar is `lib/problem/cone_form.h`) always ends with Newton's method on
the law itself, so that all methods end at the same velocities with the same certificate. `auto` asks Newton's method first, gives it at most {trial}
iterations, and remembers a failure for the next 1, 2, 4, 8, 8, .. steps.

"""
HEADER = ["law", "method", "k, N/m", "v_s, m/s", "t < 1 s", "1 to 6 s", "after 6 s", "largest", "failed", "floor", "IP", "residual"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csim", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", type=Path, default=ROOT / "docs/solver_robustness.md")
    arguments = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda case: run(arguments.csim.resolve(), case), cases()))
    source = (ROOT / "lib/solver/solve_island.cpp").read_text(encoding="utf-8")
    trial = source.split("kNewtonTrial = ")[1].split(";")[0]
    lines = ["| " + " | ".join(row) + " |" for row in [HEADER, ["---"] * len(HEADER), *rows]]
    arguments.o.write_text(TEXT.format(trial=trial) + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
