#!/usr/bin/env python3
"""The pancake flip at four refinements, with polygons and triangles: outcome, faces, times by phase and their growth with the faces.

    scripts/studies/pressure_field/pancake.py [--csim PATH]        prints the section "Pancake" of docs/spatula_pancake.md and draws its picture, two minutes
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[3]
SCENE = SOURCE / "scenes/pancake/scene.yaml"
# m, edges of the handle, of the bubbles and of the pancake: from a handle that is a box to 1500 faces.
LEVELS = ((0.025, 0.02, 0.03), (0.00625, 0.02, 0.015), (0.00625, 0.01, 0.015), (0.003, 0.01, 0.0075))
PHASES = ("geometry", "assembly", "factor", "solve", "line_search", "record", "total")


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"))
    parser.add_argument("--repeat", type=int, default=3, help="runs of which each step's least time counts (default 3)")
    options = parser.parse_args()
    print("\n" + (pathlib.Path(__file__).parent / "pancake.md").read_text(encoding="utf-8").rstrip() + "\n")
    print("| law | faces as | mean faces a step | corners of a polygon | geometry, µs | assembly | factor, solve, line search | record | total | iterations | turned over |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    lines = []
    for law in ("sap", "lagged"):
        runs = {}
        for representation in ("polygon", "triangle"):
            for k in range(len(LEVELS)):
                run = runs[representation, k] = Run(options.csim, {"contact.model": law, "contact.patch.representation": representation, **level(k)}, repeat=options.repeat)
                print(f"| {law} | {representation}s | {run.step['num_faces'].mean():.0f} | {run.corners():.2f} | {run.mean('geometry'):.0f} | {run.mean('assembly'):.0f} | "
                      f"{run.mean('factor', 'solve', 'line_search'):.0f} | {run.mean('record'):.0f} | {run.mean('total'):.0f} | {run.step['iterations'].mean():.1f} | "
                      f"{'yes' if run.turned() else '**no**'} |", flush=True)
        polygons = [runs["polygon", k] for k in range(len(LEVELS))]
        faces = [run.step["num_faces"].mean() for run in polygons]
        ratios = [[runs["triangle", k].step["num_faces"].mean() / run.step["num_faces"].mean() for k, run in enumerate(polygons)]]
        ratios += [[runs["triangle", k].mean(*phases) / run.mean(*phases) for k, run in enumerate(polygons)] for phases in (("geometry",), ("assembly", "factor", "solve", "line_search"), ("total",))]
        solver = [run.mean("assembly", "factor", "solve", "line_search") for run in polygons]
        iteration = [time / run.step["iterations"].mean() for time, run in zip(solver, polygons)]
        lines.append(f"| {law} | {slope(faces, [run.mean('geometry') for run in polygons]):.2f} | {slope(faces, solver):.2f} | {slope(faces, iteration):.2f} | " +" | ".join(" ".join(f"{v:.2f}" for v in row) for row in ratios) + " |")
    print("\nSlopes of time over faces (logarithms) with polygons, and triangles over polygons at the four refinements. The solver is all but geometry and record.\n\n| law | slope of geometry | of the solver | of one iteration | ratio of faces | of geometry | of the solver | of the step |\n|---|---|---|---|---|---|---|---|")
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        output, picture = pathlib.Path(folder) / "pancake.h5", SOURCE / "docs/spatula_pancake/pancake.png"
        subprocess.run([options.csim, "run", SCENE, "-o", output, "-q"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([options.csim, "view", output, "--png", picture, "--time", "3.9", "--size", "960x540", "--force"], check=True, stdout=subprocess.DEVNULL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
