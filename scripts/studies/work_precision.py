#!/usr/bin/env python3
"""Writes docs/evidence/work_precision.md: processor time over error, with fixed steps, with controlled ones, and at the acceleration level.

    scripts/studies/work_precision.py [--csim build/release/bin/csim] [--repeat 3] [-o docs/evidence/work_precision.md]

Needs numpy, h5py and PyYAML. Drake's CENIC and its discrete scheme run beside csim where pydrake with CENIC is found. One run after the
other, one thread each, the least time of several. Only ratios mean something.
"""
import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/scenes"), str(ROOT / "scripts/studies"), str(ROOT / "scripts/studies/contact_models")]
import clutter  # noqa: E402
import peers  # noqa: E402
from svg_plot import log_log  # noqa: E402

CORNERS = [(x, y, z) for x in (-0.049, 0.049) for y in (-0.049, 0.049) for z in (-0.049, 0.049)]
BOX = """
csim: 1
time: {step: 1.0e-4, end: 0.6}
materials: {w: {friction: 0.5, stiffness: 1.0e+6, hunt_crossley_dissipation: 50, relaxation_time: 0}}
contact: {model: lagged, stiction_tolerance: 1.0e-4}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: w}]}
  - name: box
    mass: 0.5
    inertia: [8.0e-4, 8.0e-4, 8.0e-4]
    pose: {xyz: [0, 0, 0.0840857], rpy_deg: [0, 20, 0]}
    velocity: {linear: [1, 0, 0]}
    geometry:
""" + "".join(f"      - {{shape: sphere, radius: 0.001, material: w, pose: {{xyz: [{x}, {y}, {z}]}}}}\n" for x, y, z in CORNERS)
ROD = """
csim: 1
time: {step: 1.0e-5, end: 0.05}
materials:
  ground: {friction: 2.3, stiffness: 1.0e+7, hunt_crossley_dissipation: 0, relaxation_time: 0}
  steel: {friction: 2.3, stiffness: rigid, relaxation_time: 0}
contact: {model: lagged, stiction_tolerance: 1.0e-4}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: ground}]}
  - name: rod
    mass: 0.3083
    inertia: [3.85375e-6, 6.4229166666666667e-3, 6.4229166666666667e-3]
    pose: {xyz: [0, 0, 0.1275], rpy_deg: [0, 30, 0]}
    velocity: {linear: [3, 0, 0]}
    geometry: [{shape: capsule, radius: 0.005, length: 0.49, material: steel, pose: {rpy_deg: [0, 90, 0]}}]
"""
SPATULA = (ROOT / "scenes/spatula_slip_control/scene.yaml").read_text(encoding="utf-8")


class Study:
    """A scene up to `end` (s) with rows every `period`; the error is the largest distance of a body's position from the reference in any row."""

    def __init__(self, name, text, end, period, steps, accuracies, reference, continuous, remark, drake=True):
        self.name, self.text, self.end, self.period, self.steps, self.accuracies = name, text, end, period, steps, accuracies
        self.reference, self.continuous, self.remark, self.drake = reference, continuous, remark, drake


STUDIES = [
    Study("Landing box", BOX, 0.6, 0.02, (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4), (1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
          {"integrator.type": "continuous", "integrator.accuracy": 1e-7}, (1e-2, 1e-3, 1e-4, 1e-5),
          "A box of 0.1 m on eight corners lands tilted by 20° and slides 0.17 m. Similar tends to another motion, 4.4 mm off (2 µs): its dissipation "
          "is less where contacts slide. Where its error is less, that is chance."),
    Study("Rod", ROD, 0.05, 0.005, (1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5), (1e-3, 1e-4, 1e-5, 1e-6, 1e-7),
          {"integrator.type": "continuous", "integrator.accuracy": 1e-7}, (1e-2, 1e-3, 1e-4, 1e-5), "The rod of Painlevé's paradox jams after 14 ms and jumps."),
    Study("Clutter", clutter.scene("clutter", "", True, 2), 0.3, 0.02, (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4), (1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
          {"integrator.type": "continuous", "integrator.accuracy": 1e-6}, (1e-2, 1e-3, 1e-4),
          "Forty spheres and cubes of 26 spheres to 0.3 s, the first impacts. Later the motion is chaotic, and no error can be named."),
    Study("Spatula", SPATULA, 3.0, 0.04, (4e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3), (1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
          {"contact.model": "coulomb", "contact.friction_tolerance": 1e-4, "time.step": 5e-5}, (1e-2,),
          "Two compliant bubbles hold a spatula that slips while the grasp is weak: patches of pressure fields. In place of the acceleration level, which takes "
          "minutes for a reference, stands `coulomb` at 0.05 ms.", drake=False),
]
LAWS = {"lagged": {}, "coulomb": {"contact.friction_tolerance": 1e-4}, "similar": {}}
LONG = 3.0  # s of processor time


def run_csim(options, study, keys):
    """Positions [rows, bodies, 3], number of steps, rejected tries and seconds of a run: its steps' own, or where it is longer processor time."""
    keys = {"output.contacts": "false", "output.patches": "none", "output.period": study.period, "solver.condition_number": "none", "solver.tolerance": 1e-8, **keys}
    with tempfile.TemporaryDirectory() as folder:
        scene, result = pathlib.Path(folder, "scene.yaml"), pathlib.Path(folder, "result.h5")
        scene.write_text(study.text, encoding="utf-8")
        command = [str(options.csim), "run", str(scene), "-o", str(result), "-q", "--threads", "1", "--end", str(study.end)]
        command += [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
        process = subprocess.Popen(command, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            return None
        with h5py.File(result) as file:
            step = file["stats/step"]
            seconds = step["seconds_total"][:].sum()  # a short run is mostly the start of the program
            if seconds > 0.2:
                seconds = min(seconds, usage.ru_utime + usage.ru_stime)
            return file["trajectory/position"][:], len(step["time"]), int(step["num_rejected"][:].sum()), seconds


def time_csim(options, study, keys):
    """As run_csim, with the least time of several runs (of a long one: of itself)."""
    runs = [run_csim(options, study, keys)]
    if runs[0] is None:
        return None
    runs += [run_csim(options, study, keys) for _ in range(options.repeat - 1) if runs[0][3] < LONG]
    return *runs[0][:3], min(run[3] for run in runs)


def run_drake(study, scheme, value):
    """Positions of the moving bodies, steps, rejected tries and processor seconds; `value`: the accuracy of cenic, the step of the discrete scheme."""
    from pydrake.systems.analysis import ResetIntegratorFromFlags

    plant, simulator, context, placed = peers.build_drake(yaml.safe_load(study.text), 0.0 if scheme == "cenic" else value)
    integrator = None
    if scheme == "cenic":
        integrator = ResetIntegratorFromFlags(simulator, "cenic", 0.1)
        integrator.set_target_accuracy(value)
    simulator.Initialize()
    rows, seconds = [], 0.0
    for row in range(round(study.end / study.period) + 1):
        begin = time.process_time()
        if row > 0:
            simulator.AdvanceTo(row * study.period)
        seconds += time.process_time() - begin
        rows.append([plant.EvalBodyPoseInWorld(context, body).translation() for body, _ in placed])
    steps = integrator.get_num_steps_taken() if integrator else round(study.end / value)
    return np.array(rows), steps, integrator.get_num_step_shrinkages_from_error_control() if integrator else 0, max(seconds, 1e-5)


def measure(options, study):
    """Rows (curve, step or accuracy, error, seconds, steps, rejected)."""
    moving = [not body.get("fixed", False) for body in yaml.safe_load(study.text)["bodies"]]
    reference = run_csim(options, study, study.reference)[0]
    table = []

    def add(curve, what, found, bodies=slice(None)):
        table.append((curve, what, np.linalg.norm(found[0] - reference[:, bodies], axis=2).max(), found[3], *found[1:3]) if found else (curve, what, 0, 0, 0, 0))
        print(study.name, *table[-1], flush=True)

    for law, keys in LAWS.items():
        keys = {"contact.model": law, **keys}
        for step in study.steps:
            add(f"{law}, fixed", f"{1e3 * step:g} ms", time_csim(options, study, {**keys, "time.step": step}))
        for accuracy in study.accuracies:
            controlled = {"integrator.type": "error_controlled", "integrator.accuracy": accuracy}
            add(f"{law}, controlled", f"{accuracy:.0e}", time_csim(options, study, {**keys, **controlled}))
    for accuracy in study.continuous:   # to the end, whatever it gains
        keys = {"integrator.type": "continuous", "integrator.accuracy": accuracy, "guards.energy_gain": "none"}
        add("continuous", f"{accuracy:.0e}", time_csim(options, study, keys))
    if study.drake and options.drake:
        best = lambda scheme, value: min((run_drake(study, scheme, value) for _ in range(options.repeat)), key=lambda run: run[3])
        for accuracy in study.accuracies:
            add("Drake, CENIC", f"{accuracy:.0e}", best("cenic", accuracy), moving)
        for step in study.steps:
            add("Drake, fixed", f"{1e3 * step:g} ms", best("lagged", step), moving)
    return table


def lines(study, table, picture):
    """The study's part of the page; draws its picture."""
    curves = {}
    for curve, _, error, seconds, steps, _ in table:
        if steps > 0:
            xs, ys = curves.setdefault(curve, ([], []))
            xs.append(seconds)
            ys.append(error)
    log_log(study.name, [x for xs, _ in curves.values() for x in xs], {curve: tuple(points) for curve, points in curves.items()}, picture,
            x_label="time (s)", y_label="error (m)", slope=None)
    yield from (f"## {study.name}", "", study.remark, "", f"![Error over time of computation: {study.name}](work_precision/{picture.name})", "")
    yield from ("| | step or accuracy | error (mm) | time (ms) | steps | rejected |", "|---|---|---|---|---|---|")
    for curve, what, error, seconds, steps, rejected in table:
        cells = f"{1e3 * error:.3g} | {1e3 * seconds:.3g} | {steps} | {rejected}" if steps else "failed | | |"
        yield f"| {curve} | {what} | {cells} |"
    yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", type=pathlib.Path, default=ROOT / "build/release/bin/csim")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/evidence/work_precision.md")
    options = parser.parse_args()
    options.drake = importlib.util.find_spec("pydrake") is not None
    pictures = options.output.parent / options.output.stem
    pictures.mkdir(exist_ok=True)
    parts = [(ROOT / "scripts/studies/work_precision_head.md").read_text(encoding="utf-8")]
    for study in STUDIES:
        parts += lines(study, measure(options, study), pictures / f"{study.name.lower().replace(' ', '_')}.svg")
    options.output.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
