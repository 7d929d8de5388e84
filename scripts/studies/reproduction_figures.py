#!/usr/bin/env python3
"""Draws the figures of the papers that the pages in docs/ do not draw: motions by runs of csim, curves from the tables of the pages.

    scripts/studies/reproduction_figures.py [--csim PROGRAM] [-o docs/reproduction]      a minute; --tables draws those from tables alone, without csim

Needs python3-h5py and python3-numpy. What each picture shows is said in docs/evidence/reproduction.md, which scripts/studies/reproduction.py writes.
"""
import argparse
import math
import os
import pathlib
import sys
import tempfile

STUDIES = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(STUDIES / folder) for folder in ("contact_models", "quasistatics", "pressure_field")]

import clutter
import falling_sphere
import numpy as np
import pancake
import sliding_rod
import spatula
from conveyor_belt import slip_of
from reproduction import Page
from runs import SOURCE, Case, Runner, at_times, rms_over_time
from svg_panels import draw
from svg_plot import log_log

FLIP_STEP = 0.005  # s, of scenes/pancake
NAMES = {"lagged": "Lagged", "similar": "Similar", "sap": "SAP"}


def window(run, begin, end):
    return (run.time >= begin - 1e-9) & (run.time <= end + 1e-9)


def belt(runner, folder):
    """Figure 2: slip and normal velocity, normal force at dt = 1 ms."""
    runs = runner.run_all({model: Case("conveyor_belt", 1e-3, {"contact.model": model, "materials.box.relaxation_time": 1e-4}, end=0.8) for model in NAMES})
    panels = {"belt − box (m/s)": {name: slip_of(runs[model]) for model, name in NAMES.items()},
              "v_n (m/s)": {name: (runs[model].time, runs[model].velocity["box"][:, 2]) for model, name in NAMES.items()},
              "f_n (N)": {name: (runs[model].time[1:], runs[model].normal_force[1:]) for model, name in NAMES.items()}}
    draw("Box on the belt, dt = 1 ms, SAP with τ = 10⁻⁴ s", panels, folder / "irrotational_2.svg")


def sphere(runner, folder):
    """Figure 5: velocities and forces at dt = 1 ms; from 0.15 s on those of sliding, which the impact would hide."""
    runs = runner.run_all({model: Case("falling_sphere", 1e-3, {"contact.model": model}) for model in NAMES})

    def curves(begin, of):
        kept = {model: window(run, begin, 0.34) for model, run in runs.items()}
        return {name: (runs[model].time[kept[model]], of(runs[model])[kept[model]]) for model, name in NAMES.items()}

    def rise(run):
        return run.velocity["sphere"][:, 2]

    draw("Falling sphere, dt = 1 ms, SAP with τ = 10⁻³ s",
         {"slip (m/s)": curves(0.135, falling_sphere.slip), "v_n (m/s)": curves(0.135, rise), "v_n from 0.2 s (mm/s)": curves(0.2, lambda run: 1e3 * rise(run)),
          "f_n (kN)": curves(0.135, lambda run: 1e-3 * run.normal_force), "f_n from 0.2 s (N)": curves(0.2, lambda run: run.normal_force)}, folder / "irrotational_5.svg")


def rod_velocity(run):
    """(slip, normal velocity) of the contact point, m/s: the leading end at the angle -q[2] below the horizontal."""
    angle, spin = -run.q[:, 2], run.v[:, 2]
    slip = run.v[:, 0] + spin * (sliding_rod.ARM * np.sin(angle) + sliding_rod.RADIUS)
    return slip, run.v[:, 1] + spin * sliding_rod.ARM * np.cos(angle)


def rod(runner, folder):
    """Figures 8 to 11: force and velocity of the contact around the impact, dt = 1 µs, from the gliding gap."""
    for d, tau, figures in ((0.0, 0.0, (8, 9)), (0.2, sliding_rod.TAU, (10, 11))):
        runs = runner.run_all({model: Case("sliding_rod", 1e-6, {**sliding_rod.keys_of(model, d, tau), **sliding_rod.on_the_gap(model, 1e-6, tau)}, end=0.016)
                               for model in NAMES})
        force, inset, slip, normal = {}, {}, {}, {}
        for model, name in NAMES.items():
            run = runs[model]
            whole, late = window(run, 1e-6, 0.016), window(run, 0.0132, 0.0145)
            tangential, away = rod_velocity(run)
            force[name] = (run.time[whole] * 1e3, run.normal_force[whole])
            inset[name] = (run.time[late] * 1e3, run.normal_force[late])
            slip[name] = (run.time[late] * 1e3, tangential[late])
            normal[name] = (run.time[late] * 1e3, away[late])
        title = f"Sliding rod, dt = 1 µs, d = {d:g} s/m, SAP with τ = {tau:g} s, from the gliding gap"
        early = {name: (t[t < 12.5], f[t < 12.5]) for name, (t, f) in force.items()}
        draw(title, {"f_n (N) before the impact": early}, folder / f"irrotational_{figures[0]}_before.svg", x_label="time (ms)")
        draw(title, {"f_n (N), the impact": inset}, folder / f"irrotational_{figures[0]}.svg", x_label="time (ms)")
        draw(title, {"slip (m/s)": slip, "v_n (m/s)": normal}, folder / f"irrotational_{figures[1]}.svg", x_label="time (ms)")


def rod_errors_from_the_gap(runner, folder):
    """Figure 12 without the kick at the start: the error of rods that start at the gliding gap of their law."""
    steps = (1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)
    reference = runner.run(Case("sliding_rod", 1e-6, sliding_rod.keys_of("lagged"), rows=10))
    errors = {name: [] for name in NAMES.values()}
    for model, name in NAMES.items():
        for step in steps:
            run = runner.run(Case("sliding_rod", step, {**sliding_rod.keys_of(model), **sliding_rod.on_the_gap(model, step, 0.0)}))
            errors[name].append(rms_over_time(run.time, (run.q - reference.q[at_times(reference, run.time)]) * sliding_rod.SCALE))
    log_log("Sliding rod, d = 0, from the gliding gap", steps, errors, folder / "irrotational_12_gap.svg")


def landing_clutter(csim, folder):
    """Figures 14 and 15: iterations, condition number, effective stiction tolerance over time at dt = 10 ms."""
    iterations, condition, largest = {}, {}, {}
    with tempfile.TemporaryDirectory() as work:
        for law, settings in clutter.LAWS.items():
            name = f"time_{clutter.key_of(law)}"
            path = clutter.run(csim, pathlib.Path(work), name, [*settings, "time.end=3", "output.period=0.01", clutter.margin(1e-2)])
            run, times = clutter.Run(path), np.arange(0.1, 3.0, 0.05)
            iterations[law] = (run.time[1:], run.iterations[1:])
            condition[law] = (times, np.log10(clutter.conditions(csim, path, "all", settings, 1e-2, times)))
            acts = run.tolerance > 0
            largest[law] = (run.time[acts], np.log10(run.tolerance[acts]))
    draw("Clutter, dt = 10 ms", {"iterations": iterations, "log₁₀ of the condition number": condition}, folder / "irrotational_14.svg")
    draw("Clutter, dt = 10 ms: effective stiction tolerance, largest of a step", {"log₁₀ of the tolerance (m/s)": largest}, folder / "irrotational_15.svg")


def flip(csim, folder):
    """Figure 9 of the second paper: faces over time."""
    faces = {}
    for name in ("triangle", "polygon"):
        run = pancake.Run(csim, {"contact.model": "sap", "contact.patch.representation": name})
        faces[f"{name}s"] = (FLIP_STEP * np.arange(len(run.step["num_faces"])), run.step["num_faces"])
    draw("Pancake, SAP: faces a step", {"faces": faces}, folder / "pressure_field_9.svg")


def slip_control(csim, folder):
    """Figure 10 of the second paper: force and pitch."""
    runs = {f"SAP, {1e3 * step:g} ms": spatula.Run(csim, "paper", {"contact.model": "sap", "time.step": step}) for step in (0.04, 0.005)}
    wave, time = spatula.WAVES["paper"], np.arange(0.0, 30.0, 0.04)
    force = np.where(time % wave["period"] < wave["duty"] * wave["period"], 16.0, 1.0)
    draw("Spatula, the paper's force", {"commanded force (N)": {"command": (time, force)},
                                        "turn (degrees)": {name: (run.time, np.degrees(run.pitch)) for name, run in runs.items()}}, folder / "pressure_field_10.svg")


def ladder(page, under, x, columns):
    """(x, name -> values) of columns of a table; `columns`: name of a curve -> head of its column."""
    rows = page.table(under, x)
    return [float(row[x]) for row in rows], {name: [float(row[column]) for row in rows] for name, column in columns.items()}


def from_tables(folder):
    experiments, piles, patches, tasks = (Page(name) for name in ("experiments", "clutter", "pressure_field", "spatula_pancake"))
    for d, name in ((0, "irrotational_12"), (0.2, "irrotational_12_dissipation")):
        steps, curves = ladder(experiments, "Sliding rod", "dt (s)", {label: f"e {model}, d = {d:g}" for model, label in NAMES.items()})
        log_log(f"Sliding rod, d = {d:g} s/m", steps, curves, folder / f"{name}.svg")
    for count, (name, label) in enumerate((("irrotational_16_iterations", "mean iterations a step"), ("irrotational_16", "mean condition number"))):
        rows = piles.table("Over the step", "dt (s)", which=count)
        steps = [float(cell) for cell in rows[0] if cell != "dt (s)"]
        log_log("Clutter", steps, {row["dt (s)"]: [float(v) for k, v in row.items() if k != "dt (s)"] for row in rows}, folder / f"{name}.svg", y_label=label, slope=None)
    for count, (name, label) in enumerate((("irrotational_17", "median penetration (m)"), ("irrotational_18", "mean iterations a step"))):
        rows = piles.table("Over the stiffness", "k (N/m)", which=count)
        stiffness = [float(row["k (N/m)"].split(",")[0]) for row in rows]
        log_log("Clutter", stiffness, {law: [float(row[law].split(";")[-1]) for row in rows] for law in clutter.LAWS}, folder / f"{name}.svg",
                x_label="stiffness (N/m)", y_label=label, slope=None)
    starts, curves = ladder(patches, "Sliding and spinning coin", "ε at the start",
                            {"Lagged": "Lagged", "TAMSI": "TAMSI", "the paper's reference": "the paper's continuous reference"})
    draw("Coin: ε at rest over the start", {"ε": {name: ([math.log10(x) for x in starts], values) for name, values in curves.items()}}, folder / "pressure_field_5.svg",
         x_label="log₁₀ of ε at the start")
    steps, curves = ladder(patches, "Error against the step", "dt (s)", {"Lagged": "Lagged", "TAMSI": "TAMSI"})
    log_log("Coin", steps, curves, folder / "pressure_field_6_step.svg", y_label="relative error of the path")
    sizes, curves = ladder(patches, "Error against the grid", "dx (m)", {"Lagged": "Lagged", "TAMSI": "TAMSI"})
    log_log("Coin", sizes, curves, folder / "pressure_field_6_grid.svg", x_label="size of the grid (m)", y_label="relative error of the path", slope=2)
    rows = [row for row in tasks.table("Pancake", "law") if row["law"] == "sap" and row["faces as"] == "polygons"]
    faces = [float(row["mean faces a step"]) for row in rows]
    times = {"geometry": [float(row["geometry, µs"]) for row in rows], "solver": [float(row["assembly"]) + float(row["factor, solve, line search"]) for row in rows]}
    log_log("Pancake, SAP, polygons", faces, times, folder / "pressure_field_8.svg", x_label="mean faces a step", y_label="mean time of a step (µs)", slope=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", type=pathlib.Path, default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"))
    parser.add_argument("--tables", action="store_true", help="only what is drawn from tables")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=SOURCE / "docs/evidence/reproduction")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    from_tables(options.output)
    if not options.tables:
        runner = Runner(options.csim, jobs=1)
        for study in (belt, sphere, rod, rod_errors_from_the_gap):
            study(runner, options.output)
        for study in (landing_clutter, flip, slip_control):
            study(options.csim, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
