#!/usr/bin/env python3
"""The pancake flip at four refinements, with polygons and triangles: outcome, faces, times by phase and their growth with the faces.

    scripts/studies/pressure_field/pancake.py [--csim PATH]        prints the section "Pancake" of docs/evidence/spatula_pancake.md and draws its picture, two minutes
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import picture

SOURCE = pathlib.Path(__file__).resolve().parents[3]
SCENE = SOURCE / "scenes/pancake/scene.yaml"
# m, edges of the handle, of the bubbles and of the pancake: from a handle that is a box to 1500 faces.
LEVELS = ((0.025, 0.02, 0.03), (0.00625, 0.02, 0.015), (0.00625, 0.01, 0.015), (0.003, 0.01, 0.0075))
PHASES = ("geometry", "assembly", "factor", "solve", "line_search", "record", "total")
SOLVER = ("assembly", "factor", "solve", "line_search")


def level(k):
    handle, bubble, pancake = LEVELS[k]
    return {"bodies.spatula.geometry.handle.resolution": handle, "bodies.left.geometry.bubble.resolution": bubble,
            "bodies.right.geometry.bubble.resolution": bubble, "bodies.pancake.geometry.disc.resolution": pancake}


class Run:
    """A result, with the least time of each step and phase over `repeat` runs (s)."""

    def __init__(self, csim, settings, end=None, repeat=1):
        for k in range(repeat):
            with tempfile.TemporaryDirectory() as folder:
                output = pathlib.Path(folder) / "pancake.h5"
                options = [f"--set={key}={value}" for key, value in settings.items()] + ([f"--end={end}"] if end else [])
                subprocess.run([csim, "run", SCENE, "-o", output, "-q", *options], check=True, stdout=subprocess.DEVNULL)
                with h5py.File(output) as file:
                    seconds = {phase: file[f"stats/step/seconds_{phase}"][:] for phase in PHASES}
                    if k > 0:
                        self.seconds = {phase: np.minimum(seconds[phase], self.seconds[phase]) for phase in PHASES}
                        continue
                    self.seconds = seconds
                    self.bodies = [name.decode() for name in file["bodies/name"][:]]
                    self.position, self.quaternion = file["trajectory/position"][:], file["trajectory/quaternion"][:]
                    self.step = {name: file[f"stats/step/{name}"][:] for name in ("num_faces", "iterations", "factor_nonzeros")}
                    self.patch = {name: item[:] for name, item in file["patch"].items() if isinstance(item, h5py.Dataset)}

    def up(self):
        """z of the pancake's axis in every row: 1 as it began, -1 turned over."""
        return 1 - 2 * (self.quaternion[:, self.bodies.index("pancake"), 1:3] ** 2).sum(axis=1)

    def turned(self):
        """Upside down on the stove at the end."""
        x, y, z = self.position[-1, self.bodies.index("pancake")]
        return self.up()[-1] < -0.95 and np.hypot(x, y) < 0.12 and abs(z - 0.086) < 0.003

    def mean(self, *phases):
        """Mean time of a step, µs."""
        return 1e6 * sum(self.seconds[phase] for phase in phases).mean()

    def corners(self):
        return self.patch["num_vertices"].sum() / self.patch["num_faces"].sum()


def slope(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


def head(*columns):
    return "\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|"


def measurements(law, representation, run):
    times = " | ".join(f"{run.mean(*phases):.0f}" for phases in (("geometry",), ("assembly",), ("factor", "solve", "line_search"), ("record",), ("total",)))
    return (f"| {law} | {representation}s | {run.step['num_faces'].mean():.0f} | {run.corners():.2f} | {times} | "
            f"{run.step['iterations'].mean():.1f} | {'yes' if run.turned() else '**no**'} |")


def growth(law, polygons, triangles):
    """Slopes over the faces, and what triangles cost more, at every refinement."""
    def faces(run):
        return run.step["num_faces"].mean()

    def geometry(run):
        return run.mean("geometry")

    def solver(run):
        return run.mean(*SOLVER)

    def iteration(run):
        return solver(run) / run.step["iterations"].mean()

    slopes = [f"{slope([*map(faces, polygons)], [*map(time, polygons)]):.2f}" for time in (geometry, solver, iteration)]
    ratios = [" ".join(f"{of(t) / of(p):.1f}" for t, p in zip(triangles, polygons)) for of in (faces, geometry, solver)]
    return "| " + " | ".join([law, *slopes, *ratios]) + " |", [float(value) for value in slopes[:2]]


def remarks(runs, slopes):
    """What the tables say of the paper's statements. `runs`: law -> representation -> a run a refinement; `slopes`: law -> (geometry, solver)."""
    every = [run for law in runs.values() for kind in law.values() for run in kind]
    corners = [run.corners() for law in runs.values() for run in law["polygon"]]
    shares = [100 * p.mean("geometry") / t.mean("geometry") for law in runs.values() for p, t in zip(law["polygon"], law["triangle"])]
    names = {"sap": "SAP", "lagged": "Lagged"}

    def powers(which):
        return " and ".join(f"{slopes[law][which]:.2f} ({names[law]})" for law in runs)

    def iterations(law):
        few, many = (run.step["iterations"].mean() for run in (runs[law]["polygon"][0], runs[law]["polygon"][-1]))
        return f"{few:.1f} to {many:.1f} ({names[law]})"

    return "\n".join([
        f"- The task succeeds at every refinement, with polygons and with triangles: {'reproduced' if all(run.turned() for run in every) else '**not reproduced**'}.",
        f"- A polygon stands for {min(corners):.1f} to {max(corners):.1f} triangles here, the mean number of its corners (the paper: 4.05).",
        f"- The time of geometry grows with the power {powers(0)} of the faces (the paper: 1). Polygons take {min(shares):.0f} to {max(shares):.0f} % of the time of their triangles.",
        f"- That of the solver grows with the power {powers(1)} (the paper: 1.3). The matrix does not grow: its factor has at most {max(run.step['factor_nonzeros'].max() for run in every):.0f} numbers.",
        f"- Iterations a step from the coarsest to the finest mesh: {', '.join(iterations(law) for law in runs)}. SAP's runs use Newton's method alone."])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"))
    parser.add_argument("--docs", type=pathlib.Path, default=SOURCE / "docs/evidence", help="where the folder of the picture is (default: docs/evidence)")
    parser.add_argument("--repeat", type=int, default=5, help="runs of which each step's least time counts (default 5)")
    options = parser.parse_args()
    print("\n" + (pathlib.Path(__file__).parent / "pancake.md").read_text(encoding="utf-8").rstrip())
    print(head("law", "faces as", "mean faces a step", "corners of a polygon", "geometry, µs", "assembly", "factor, solve, line search", "record", "total", "iterations",
               "turned over"))
    lines, runs_of, slopes_of = [], {}, {}
    for law, method in (("sap", "newton"), ("lagged", "auto")):
        runs = {}
        for representation in ("polygon", "triangle"):
            settings = {"contact.model": law, "solver.method": method, "contact.patch.representation": representation}
            runs[representation] = [Run(options.csim, {**settings, **level(k)}, repeat=options.repeat) for k in range(len(LEVELS))]
            print("\n".join(measurements(law, representation, run) for run in runs[representation]), flush=True)
        line, slopes_of[law] = growth(law, runs["polygon"], runs["triangle"])
        lines.append(line)
        runs_of[law] = runs
    print("\nSlopes of time over faces (logarithms) with polygons, and triangles over polygons at the four refinements. The solver is all but geometry and record.")
    print(head("law", "slope of geometry", "of the solver", "of one iteration", "ratio of faces", "of geometry", "of the solver"))
    print("\n".join(lines))
    print("\nAgainst the paper's statements:\n\n" + remarks(runs_of, slopes_of))
    picture.draw(options.csim, "pancake", 3.9, "pancake", options.docs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
