#!/usr/bin/env python3
"""Writes docs/evidence/solver_robustness.md: what the solver needs in the clutter scene for every law, stiffness and stiction tolerance.

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
RUNS = 4
CALM = 1e-3  # m/s


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


def simulate(csim, case, number):
    """Columns of the steps of one run. `calm`: no cube moves faster than CALM from one frame to the next; `rest`: nor does one later."""
    law, k, v_s, method = case
    settings = {**LAWS[law], "materials.body.stiffness": k, "contact.stiction_tolerance": v_s, "solver.method": method,
                "solver.on_nonconvergence": "accept", "guards.energy_gain": "none", "output.contacts": "false", "gravity": f"[0, 0, {-9.81 - 1e-7 * number}]"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clutter.h5"
        arguments = [x for key, value in settings.items() for x in ("--set", f"{key}={value}")]
        subprocess.run([csim, "run", ROOT / "scenes/clutter/scene.yaml", "-o", file, "-q", *arguments],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with h5py.File(file) as f:
            steps = f["stats/step"]
            data = {name: steps[name][:] for name in ("time", "factorizations", "status", "residual")}
            cubes = [name.startswith(b"cube") for name in f["bodies/name"][:]]
            speed = np.linalg.norm(f["trajectory/velocity"][:, cubes], axis=2).max(axis=1)
            frame = np.searchsorted(f["trajectory/time"][:], data["time"] - 1e-9)
    calm = speed < CALM
    data["calm"] = np.array([0 < i < len(calm) and calm[i - 1] and calm[i] for i in frame]) & (data["time"] > 1.0)
    data["rest"] = np.logical_and.accumulate(data["calm"][::-1])[::-1]
    return data


def run(csim, case):
    runs = [simulate(csim, case, number) for number in range(RUNS)]
    data = {name: np.concatenate([r[name] for r in runs]) for name in runs[0]}
    factorizations, status, time = data["factorizations"], data["status"], data["time"]
    mean = lambda mask: f"{factorizations[mask].mean():.1f}" if mask.any() else "-"
    converged = (status != ROUNDING_FLOOR) & (status != NOT_CONVERGED)
    law, k, v_s, method = case
    return [law, method, k, v_s, mean(time < 1.0 + 1e-9), mean((time > 1.0 + 1e-9) & (time <= 6.0)), mean(time > 6.0), mean(data["calm"]),
            mean(data["rest"]), str(sum(r["rest"].any() for r in runs)),
            str(factorizations.max()), str(np.count_nonzero(status == NOT_CONVERGED) + RUNS * 1000 - len(time)),
            str(np.count_nonzero(status == ROUNDING_FLOOR)), str(np.count_nonzero(status == INTERIOR_POINT)),
            f"{data['residual'][converged].max():.1e}"]


TEXT = """# Robustness of the solver

Clutter (`scenes/clutter`: 40 bodies, dt = 1e-2 s, e_r = 1e-5, 10 s, 1000 steps) for every contact law, over eight decades of stiffness and four
of the stiction tolerance. Steps are whole (`guards.energy_gain: none`). Written by `scripts/studies/solver_robustness.py`.

A row is of {RUNS} runs with gravities 1e-7 m/s^2 apart, because the motion is chaotic and what keeps moving is a matter of chance. Columns:

- `plain` laws: `regularise_stiction: false`, without the regularisation of stiction in impacts.
- Factorisations: the largest over the islands of a step, those of Newton's method before a switch to the interior point included; means over steps.
  t < 1 s: everything lands. `calm`: from 1 s on, steps in which no cube moves faster than 1 mm/s (spheres may roll on). `at rest`: steps from which on
  no cube moves faster until 10 s. `runs`: the number of runs that come to rest in this sense. `largest`: in any step.
- `failed`: steps that met neither the tolerance nor the round-off level (accepted here, so that the run goes on), and those after a run that ended early.
- `floor`: steps that ended at round-off level, a status of its own. `IP`: steps in which the interior point was used.
- `residual`: the largest of steps that did not end at round-off level; above 1e-5 where the cost stalled.

With `auto` every step converges for every law, stiffness and stiction tolerance here, except plain Lagged at 1e11 N/m and v_s = 1e-8 m/s, which ends
early. The regularised law, the default, converges there too. At rest Similar takes the most factorisations: up to 5.7 for 1e4 .. 1e11 N/m at v_s = 1e-4 m/s,
up to 7.2 for all v_s at 1e7 N/m, and 5 to 15 beyond.

**Why calm motion is hard.** Spheres keep rolling and spinning, which no point contact resists. The velocities of a contact at v0 then differ from
those after the step by much more than v_s, or than what ends the force of a stiff contact. Besides, the gap that SAP and Similar keep under
a sliding contact, mu dt |v_t|, is that of the step before. Piles therefore oscillate with a period of two or four steps. This motion belongs to the
laws, not to the solver: it is the same at e_r = 1e-8. For one sliding contact, with the 2 x 2 inverse mass matrix W along its normal and its
slip, v_n = mu (|v_t| - |v_t0|), hence v_n = -r v_n0 + const, r = (b - c)/(a - 2 b + c), a = W_nn, b = mu W_nt, c = mu^2 W_tt. The oscillation
grows where 3 b > a + 2 c, which a positive definite W allows for a/4 < c < a.

**First guess of SAP and Similar.** A linear prediction from the last five velocities (`/checkpoint` keeps them): of the orders 1 to 4, fitted to each
island by least squares, the one of least cost. In calm motion usually one iteration is enough then. Tried without gain:

- the first step linearised at the expected velocity of each contact;
- an interior point that starts from impulses predicted in this way: as many iterations;
- contacts linearised at the point of their law next to the last velocity and impulse, with the stiffness of the law or a softer one (the idea of Chan,
  Golub and Mulet for these laws): it cycles;
- softer contacts first, then the stiff ones from their impulses: each solve takes as long as the stiff one at once.

**Interior point.** Castro et al. 2022 give the cone of SAP; that of Similar is in `cone_form.h`. Newton's method on the law itself always finishes,
so that all methods end at the same velocities with the same stopping criterion. Each direction is corrected up to three times with the same
factor (Mehrotra, Gondzio). `auto` gives Newton's method at most {trial} iterations, continues with the interior point from where
it got to, and remembers a failure for the next 1, 2, 4, 8, 8, .. steps. After the interior point Newton's method gets {finish} iterations before the interior
point goes nearer.

"""
HEADER = ["law", "method", "k, N/m", "v_s, m/s", "t < 1 s", "1 to 6 s", "after 6 s", "calm", "at rest", "runs", "largest", "failed", "floor", "IP", "residual"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csim", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", type=Path, default=ROOT / "docs/evidence/solver_robustness.md")
    arguments = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda case: run(arguments.csim.resolve(), case), cases()))
    source = (ROOT / "lib/solver/solve_island.cpp").read_text(encoding="utf-8")
    constant = lambda name: source.split(name + " = ")[1].split(";")[0]
    lines = ["| " + " | ".join(row) + " |" for row in [HEADER, ["---"] * len(HEADER), *rows]]
    arguments.o.write_text(TEXT.format(RUNS=RUNS, trial=constant("kNewtonTrial"), finish=constant("kNewtonFinish")) + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
