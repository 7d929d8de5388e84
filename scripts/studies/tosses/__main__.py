"""Measured tosses of a cube beside csim, MuJoCo and Drake, each fitted to tosses and judged by others.

    python3 scripts/studies/tosses DATA.npz [--csim PROGRAM] [--only MODEL] [--work FOLDER] [-o docs/evidence]
    python3 scripts/studies/tosses --tables [-o docs/evidence]

DATA.npz: the 570 tosses of contact-nets (github.com/DAIRLab/contact-nets, BSD-3-Clause, data of Pfrommer, Halm & Posa 2020), an array a toss, a row for each 1/148 s: position
of the cube's centre (m) and its quaternion (w, x, y, z); further columns are not used. Its own files (data/tosses_processed/N.pt of PyTorch) have positions in half widths: times 0.0524 m.

Writes FOLDER/tosses/*.csv (every number), FOLDER/tosses/run.txt (machine, versions, date), and FOLDER/tosses.md from these; --tables writes the page alone. --work keeps the
studies, so that what was interrupted goes on. Needs numpy, h5py and PyYAML, for the peers MuJoCo, Drake and NLopt from PyPI; what is not installed is left out. All
takes more than an hour of one processor, most of it Drake and csim at 0.1 ms. Exit code: 0 done; 2 usage.
"""
import argparse
import dataclasses
import os
import pathlib
import sys
import tempfile
import time

import data
import numpy as np
import page
import peers_tosses
import rebound
from fits import Programs, mean_errors
from models import MODELS, STEPS, Errors
from page import ROOT, versions, write_csv

DRAWS, SEED = 3, 1


def made_again(programs, model, step, tosses, values):
    """The tosses as csim makes them from their starts, each row at the nearest time of the result."""
    runs = programs.simulate(model, step, tosses, [toss.start for toss in tosses], values, "floor")
    again = []
    for toss, (times, position, quaternion) in zip(tosses, runs):
        rows = np.clip(np.round(toss.time / (times[1] - times[0])).astype(int), 0, len(times) - 1)
        again.append(dataclasses.replace(toss, time=times[rows], position=position[rows], quaternion=quaternion[rows]))
    return again


def floor_errors(programs, model, step, tosses, facts, values):
    """Errors that a perfect simulator would have, of `tosses` that csim made: with the noise of poses in every row, against runs from starts with their noise."""
    random = np.random.default_rng(SEED)
    measured = [dataclasses.replace(toss, position=toss.position + facts["noise_position"] * random.standard_normal(toss.position.shape),
                                    quaternion=data.multiply(data.from_vector(facts["noise_rotation"] * random.standard_normal(toss.position.shape)), toss.quaternion)) for toss in tosses]
    errors = []
    for draw in range(DRAWS):
        starts = [data.perturbed(toss.start, facts, random) for toss in tosses]
        errors += [Errors.of(toss, *run) for toss, run in zip(measured, programs.simulate(model, step, tosses, starts, values, f"floor_{draw}"))]
    return errors


def say(words):
    print(f"tosses: {words}", file=sys.stderr, flush=True)


def fit_all(programs, models, training, held_out, steps, folder):
    """Fits each model at each step and judges each fit at all steps; writes keys.csv and errors.csv after each, so that the page can be made of what is there."""
    keys, errors, fits = [], [], {}
    for model in models:
        for step in steps:
            fit = fits[model.name, step] = programs.fit(model, step, training)
            keys += [[model.name, step, key.word, key.unit, found.value, found.low, found.high, found.at_bound, key.low, key.high, fit.objective, fit.candidates, fit.agree, fit.starts]
                     for key, found in zip(model.keys, fit.keys.values())]
            write_csv(folder / "keys.csv", page.KEY_COLUMNS, keys)
            for at in steps:
                means = mean_errors(programs.errors(model, at, held_out, fit.values(), f"judge_{step:g}_{at:g}"))
                errors += [[model.name, step, at, quantity, value] for quantity, value in means.items()]
            write_csv(folder / "errors.csv", page.ERROR_COLUMNS, errors)
            say(f"{model.name} at {step:g} s: f {fit.objective:.5f} m, {', '.join(f'{name} {value:.4g}' for name, value in fit.values().items())}")
    return fits


def run(options):
    folder, begin = options.output / "tosses", time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    tosses, facts = data.read(options.data)
    training, held_out, others = data.split(tosses, options.training)
    inertia, hits = (options.inertia, 0) if options.inertia else data.measured_inertia(others)
    facts |= {"inertia": inertia, "hits": hits, "training": len(training), "training_rows": len(training[0].time), "held_out": len(held_out), "evaluations": options.evaluations, "starts": options.starts,
              "rate_of_impact": float(np.median([-toss.start.later(toss.time[toss.free - 1]).velocity[2] for toss in tosses]))}
    write_csv(folder / "data.csv", ["quantity", "value"], facts.items())
    models = [model for model in MODELS if not options.only or model.name in options.only]
    left_out = {model.name: peers_tosses.missing(model.program) for model in models}
    for name, packages in left_out.items():
        if packages:
            say(f"{name}: left out, needs {', '.join(packages)}")
    programs = Programs(options.csim.resolve(), options.work, options.jobs, (options.starts, options.evaluations), inertia)
    fits = fit_all(programs, [model for model in models if not left_out[model.name]], training, held_out, options.steps, folder)
    shortest = min(options.steps)
    if (MODELS[0].name, shortest) in fits:
        model, values = MODELS[0], fits[MODELS[0].name, shortest].values()
        again = made_again(programs, model, shortest, held_out, values)
        facts["inertia_again"] = data.measured_inertia(again)[0]
        write_csv(folder / "data.csv", ["quantity", "value"], facts.items())
        floor = mean_errors(floor_errors(programs, model, shortest, again, facts, values))
        write_csv(folder / "floor.csv", ["quantity", "value"], floor.items())
        if options.rebound:
            write_csv(folder / "rebound.csv", rebound.COLUMNS, rebound.table(programs, model, training, values, facts["rate_of_impact"]))
    (folder / "run.txt").write_text("\n".join([*versions(options.csim), f"run: {time.monotonic() - begin:.0f} s, ended at a load of {os.getloadavg()[0]:.1f}"]) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="tosses", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, nargs="?", help="the tosses (.npz)")
    parser.add_argument("--csim", type=pathlib.Path, default=pathlib.Path(os.environ.get("CSIM_BINARY", ROOT / "build/release/bin/csim")),
                        help="the program (default: build/release/bin/csim)")
    parser.add_argument("--only", choices=[model.name for model in MODELS], action="append", metavar="MODEL", help=f"several times for several: {'; '.join(model.name for model in MODELS)}")
    parser.add_argument("--steps", type=float, nargs="+", default=STEPS, metavar="SECONDS", help="that keys are fitted and judged at (default: 1e-4 1e-3)")
    parser.add_argument("--training", type=int, default=48, help="tosses to fit to (default: 48)")
    parser.add_argument("--evaluations", type=int, default=30, help="candidates of a start, at most (default: 30)")
    parser.add_argument("--starts", type=int, default=2, help="of a fit (default: 2)")
    parser.add_argument("--jobs", type=int, default=1, help="processes of csim side by side")
    parser.add_argument("--inertia", type=float, help="of the cube about an axis, kg m^2 (default: by first hits)")
    parser.add_argument("--no-rebound", dest="rebound", action="store_false", help="without the part about other keys and steps")
    parser.add_argument("--work", type=pathlib.Path, help="folder of the studies, kept (default: one that is removed)")
    parser.add_argument("--tables", action="store_true", help="write the page from the numbers that are there")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/evidence", help="folder of the page (default: docs/evidence)")
    options = parser.parse_args()
    if not options.tables:
        if options.data is None or not options.data.exists():
            parser.error("no data: the path of the tosses is needed")
        if not options.csim.exists():
            parser.error(f"no program {options.csim}: scripts/build release csim")
        with tempfile.TemporaryDirectory() as folder:
            options.work = (options.work or pathlib.Path(folder)).resolve()
            run(options)
    elif not (options.output / "tosses/data.csv").exists():
        parser.error(f"no numbers in {options.output / 'tosses'}")
    page.write(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
