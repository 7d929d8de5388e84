#!/usr/bin/env python3
"""Slip control of a spatula between two bubbles: turn and hold by law, step and mesh, and the torque at which slip begins.

    scripts/studies/pressure_field/spatula.py [--csim PATH]        prints the section "Spatula" of docs/evidence/spatula_pancake.md and draws its picture, half a minute
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
FOLDER = SOURCE / "scenes/spatula_slip_control"
MASS, GRAVITY, COM, HANDLE = 0.068, 9.81, np.array([0, 0.115649, 0.044471]), np.array([0, 0.135, 0.052])
# Force waves of the two scenes: s, part of a period that is high.
WAVES = {"scene": dict(period=3.0, duty=0.5), "paper": dict(period=6.0, duty=0.75)}
TITLES = {"scene": "Gentle force: 1.5 N and 6.5 N, period 3 s, half of it high", "paper": "The paper's force: 1 N and 16 N, period 6 s, 75 % of it high"}
FINER = {f"bodies.{body}.geometry.{name}.resolution": size for body, name, size in
         (("left", "bubble", 0.02), ("right", "bubble", 0.02), ("spatula", "handle", 0.0025))}
POINTS = {f"bodies.{body}.geometry.{name}.contact": "point" for body, name in (("left", "bubble"), ("right", "bubble"), ("spatula", "handle"))}


def constant_force(force):
    """Settings for a grasp of constant force, N, with every face in the file."""
    return {"actuators.left_force.command": force, "actuators.right_force.command": -force, "output.patches": "full"}


def duty(part):
    return {f"actuators.{side}_force.command.square.duty": part for side in ("left", "right")}


class Run:
    """A result: `pitch` is the turn about world y since the first row, rad; `handle` the middle of the handle, m."""

    def __init__(self, csim, scene="scene", settings=None, end=None):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "spatula.h5"
            options = [f"--set={key}={value}" for key, value in (settings or {}).items()] + ([f"--end={end}"] if end else [])
            subprocess.run([csim, "run", FOLDER / f"{scene}.yaml", "-o", output, "-q", *options], check=True, stdout=subprocess.DEVNULL)
            with h5py.File(output) as file:
                spatula = [name.decode() for name in file["bodies/name"][:]].index("spatula")
                self.time = file["trajectory/time"][:]
                self.position = file["trajectory/position"][:, spatula]
                self.rate = file["trajectory/angular_velocity"][:, spatula, 1]
                self.R = rotations(file["trajectory/quaternion"][:, spatula])
                self.step_time = file["stats/step/time"][:]
                self.num_faces = file["stats/step/num_faces"][:]
                self.seconds = file["stats/step/seconds_total"][:]
                self.iterations = file["stats/step/iterations"][:]
                self.patch = {name: item[:] for name, item in file["patch"].items() if isinstance(item, h5py.Dataset)}
                self.face = {name: item[:] for name, item in file["patch/face"].items()} if "patch/face" in file else {}
        turn = self.R @ self.R[0].T
        self.pitch = np.unwrap(np.arctan2(turn[:, 0, 2] - turn[:, 2, 0], turn[:, 0, 0] + turn[:, 2, 2]))
        self.handle = self.position + self.R @ HANDLE
        low = np.flatnonzero(self.handle[:, 2] < 0.18)      # 6 cm below the axis of the bubbles
        self.held = self.time[low[0]] if len(low) else np.inf

    def at(self, time):
        return np.interp(time, self.time, self.pitch)

    def phases(self, period, duty):
        """(begin, middle, end) of all high and of all low phases that are complete."""
        high, low = [], []
        for k in range(int(self.time[-1] / period + 1)):
            for phases, begin, end in ((high, k, k + duty), (low, k + duty, k + 1)):
                if end * period <= self.time[-1] + 1e-9:
                    phases.append((begin * period, 0.5 * (begin + end) * period, end * period))
        return high, low

    def turns(self, wave):
        """Turn in each low phase (rad), and mean rate in the second half of each high phase (rad/s), which is free of the transient."""
        high, low = self.phases(**wave)
        return (np.array([self.at(end) - self.at(begin) for begin, _, end in low]),
                np.array([(self.at(end) - self.at(middle)) / (end - middle) for _, middle, end in high]))


def rotations(q):
    w, x, y, z = q.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


def torques(run, time):
    """(torque of gravity about the axis through the patches, parallel to y; what friction can hold about it), N m, with friction 1: the sum of
    pressure, area and distance from the axis, over the faces that csim reports."""
    row = int(np.argmin(np.abs(run.time - time)))
    faces = slice(*run.patch["face_offset"][run.patch["row_offset"][[row, row + 1]]])
    force, x = run.face["pressure"][faces] * run.face["area"][faces], run.face["centroid"][faces]
    axis = force @ x / force.sum()
    com = run.position[row - 1] + run.R[row - 1] @ COM      # a row has the geometry at the start of its step
    return MASS * GRAVITY * abs(com[0] - axis[0]), force @ np.hypot(*(x - axis)[:, [0, 2]].T)


def degrees(values, digits=1):
    return " ".join(f"{np.degrees(v):.{digits}f}" for v in values)


def head(*columns):
    return "| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|"


def row(name, run, wave):
    low, high = run.turns(wave)
    kept = run.step_time <= run.held
    held = "the end" if np.isinf(run.held) else f"{run.held:.1f} s"
    low, high = (values[:sum(e <= run.held for _, _, e in phases)] for values, phases in zip((low, high), reversed(run.phases(**wave))))
    return (f"| {name} | {held} | {degrees(low)} | {np.degrees(np.abs(high)).max():.2f} | {run.num_faces[kept].mean():.0f} | "
            f"{run.iterations[kept].mean():.1f} | {1e6 * np.median(run.seconds[kept]):.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"))
    parser.add_argument("--docs", type=pathlib.Path, default=SOURCE / "docs/evidence", help="where the folder of the picture is (default: docs/evidence)")
    options = parser.parse_args()
    csim = options.csim
    print((pathlib.Path(__file__).parent / "spatula.md").read_text(encoding="utf-8").rstrip())
    for scene, title in TITLES.items():
        print(f"\n### {title}\n")
        print(head("", "held until", "turn in each low phase, °", "largest rate in a high phase, °/s", "faces", "iterations", "µs a step"))
        for law in ("lagged", "sap", "similar", "tamsi"):
            for step in (0.04, 0.005):
                if law == "tamsi" and step == 0.04:
                    continue
                print(row(f"{law}, {1e3 * step:g} ms", Run(csim, scene, {"contact.model": law, "time.step": step}), WAVES[scene]))
        for name, settings in (("lengths halved", FINER), ("triangles", {"contact.patch.representation": "triangle"})):
            for law in ("lagged", "sap"):
                print(row(f"{law}, {name}", Run(csim, scene, {"contact.model": law, **settings}), WAVES[scene]))
    print("\n### When slip begins\n\nA constant force, Lagged, geometry after 1 s.\n")
    print(head("force, N", "torque of gravity, N m", "held by friction at most, N m", "ratio", "rate after 1 s, 2 s, rad/s"))
    for force in (0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.5, 16.0):
        run = Run(csim, settings=constant_force(force), end=2.0)
        weight, friction = torques(run, 1.0)
        print(f"| {force:g} | {weight:.4f} | {friction:.4f} | {weight / friction:.2f} | {np.interp(1.0, run.time, run.rate):.4f} {run.rate[-1]:.4f} |")
    picture.draw(csim, "spatula_slip_control", 1.0, "spatula", options.docs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
