"""Tosses as studies of csim: the keys fitted by `csim study run`, and runs with given keys."""
import csv
import json
import pathlib
import subprocess

import h5py
import numpy as np
import yaml
from data import G, MASS
from models import PERIOD, SEED, TOLERANCE, TURN_WEIGHT, WIDTH, Fit, Found

SPACING = 10.0      # m, of cubes side by side; they slide less than one
MOST_PER_CASE = 10  # cubes
LEAST_CASES = 8     # the jackknife of csim's fit needs four more than keys; of fewer it has another interval


def per_case(count):
    """How many of `count` tosses go into one run, side by side: a process costs as much as several tosses. At least LEAST_CASES runs where there are as many tosses."""
    return max(size for size in range(1, MOST_PER_CASE + 1) if count % size == 0 and (count // size >= LEAST_CASES or count < LEAST_CASES or size == 1))


def aside(position, place):
    """Each cube has its own part of the ground."""
    return np.asarray(position) + np.array([0.0, SPACING * place, 0.0])


def make_scene(model, count, inertia):
    """The scene of `count` tosses side by side. Cubes and ground are of one material."""
    patches = model.law == "pressure field"
    ground = {"shape": "half_space", "material": "cube", **({"contact": "rigid"} if patches else {})}
    shape = {"shape": "box", "size": [WIDTH] * 3, "material": "cube", **({"contact": "compliant"} if patches else {})}
    cubes = [{"name": f"cube_{place}", "mass": MASS, "inertia": [inertia] * 3, "pose": {"xyz": aside([0, 0, 1], place).tolist(), "quaternion_wxyz": [1, 0, 0, 0]},
              "velocity": {"linear": [0, 0, 0], "angular": [0, 0, 0]}, "geometry": [shape]} for place in range(count)]
    return {"csim": 1, "name": "tosses", "gravity": [0, 0, -G], "time": {"step": 1e-3, "end": 1.0},
            "output": {"period": PERIOD, "contacts": False}, "solver": {"condition_number": "none"},
            "materials": {"cube": {key.name: key.at(0.5) for key in model.keys}}, "contact": {"model": "lagged" if patches else model.law},
            "bodies": [{"name": "ground", "fixed": True, "geometry": [ground]}, *cubes]}


def write_cases(path, tosses, starts, count, measured):
    """A table with a row a case. Toss i is cube i // cases of case i % cases. `measured`: the group of HDF5 that each case is compared with, "" for none."""
    def text(values):
        return "[" + ", ".join(repr(float(value)) for value in values) + "]"
    cases, keys = len(tosses) // count, ("pose.xyz", "pose.quaternion_wxyz", "velocity.linear", "velocity.angular")
    with path.open("w", newline="", encoding="utf-8") as table:
        rows = csv.writer(table)
        rows.writerow([f"bodies.cube_{place}.{key}" for place in range(count) for key in keys] + ["time.end", *(["reference.group"] if measured else [])])
        for case in range(cases):
            indices = range(case, len(tosses), cases)
            fields = [text(value) for place, start in enumerate(starts[i] for i in indices)
                      for value in (aside(start.position, place), start.quaternion, start.velocity, start.angular_velocity)]
            end = max(tosses[i].time[-1] for i in indices)
            rows.writerow([*fields, f"{np.ceil(end / PERIOD - 1e-9) * PERIOD:.12g}", *([measured.format(case)] if measured else [])])


def write_measured(path, tosses, count):
    """The measured rows, of tosses of equally many, as HDF5: a group a case."""
    cases = len(tosses) // count
    with h5py.File(path, "w") as file:
        for i, toss in enumerate(tosses):
            group, place = file.require_group(f"case_{i % cases}"), i // cases
            group[f"position_{place}"], group[f"quaternion_{place}"] = aside(toss.position, place), toss.quaternion
        for group in file.values():
            group["time"] = tosses[0].time


def write_study(folder, model, step, tosses, starts, inertia, settings, measured=""):
    """Writes what a study that runs the tosses needs, and returns its file and what stands in it."""
    folder.mkdir(parents=True, exist_ok=True)
    count = per_case(len(tosses))
    write_cases(folder / "tosses.csv", tosses, starts, count, measured)
    (folder / "scene.yaml").write_text(yaml.safe_dump(make_scene(model, count, inertia), sort_keys=False), encoding="utf-8")
    study = {"csim_study": 1, "name": "tosses", "scene": "scene.yaml", "set": {"time.step": step, **settings}, "vary": [{"table": "tosses.csv"}]}
    return folder / "study.yaml", study


def run_study(csim, path, study, jobs):
    """The folder of the results of the study, which is written to `path`; what is there already is not run again."""
    path.write_text(yaml.safe_dump(study, sort_keys=False), encoding="utf-8")
    done = subprocess.run([str(csim), "study", "run", str(path), "-o", str(path.parent / "out"), "--jobs", str(jobs)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"csim study run {path}: exit {done.returncode}: {done.stderr.strip()[-2000:]}")
    return path.parent / "out"


def fit(csim, folder, model, step, tosses, inertia, starts, evaluations, jobs):
    """The Fit of the keys of `model` to tosses of equally many rows."""
    path, study = write_study(folder, model, step, tosses, [toss.start for toss in tosses], inertia, {}, "/case_{}")
    write_measured(folder / "tosses.h5", tosses, per_case(len(tosses)))
    places = range(per_case(len(tosses)))
    quantities = {"path": "position", "turn": "quaternion"}
    study["keep"] = "measures"
    study["measure"] = {f"{word}_{place}": {"dataset": f"trajectory/{quantity}", "item": f"cube_{place}", "reduce": "difference"}
                        for place in places for word, quantity in quantities.items()}
    study["reference"] = {"h5": "tosses.h5", "time": "time", "columns": {f"{word}_{place}": f"{quantity}_{place}" for place in places for word, quantity in quantities.items()}}
    keys = {f"materials.cube.{key.name}": {"bounds": [key.low, key.high], **({"scale": "log"} if key.log else {})} for key in model.keys}
    study["analyses"] = [{"type": "fit", "name": "contact", "keys": keys, "measures": list(study["measure"]), "weights": {f"turn_{place}": TURN_WEIGHT for place in places},
                          "starts": starts, "seed": SEED, "evaluations": evaluations, "tolerance": TOLERANCE}]
    report = json.loads((run_study(csim, path, study, jobs) / "report.json").read_text(encoding="utf-8"))
    found = next(one["fit"] for one in report["analyses"] if "fit" in one)
    keys = [Found(key["value"], *(key["interval"] or (None, None)), key["at_bound"] or "") for key in found["keys"]]
    # csim's f^2 is the mean over cases of the sum over the tosses in it.
    return Fit(dict(zip((key.name for key in model.keys), keys)), found["objective"] / len(places) ** 0.5, found["candidates"],
               sum(start["agrees"] for start in found["starts"]), len(found["starts"]))


def simulate(csim, folder, model, step, tosses, starts, inertia, values, jobs):
    """(time, position, quaternion) of each toss with the keys at `values`."""
    path, study = write_study(folder, model, step, tosses, starts, inertia, {f"materials.cube.{name}": value for name, value in values.items()})
    out = run_study(csim, path, study, jobs)
    with (out / "study.csv").open(encoding="utf-8") as file:
        ids = [row["id"] for row in csv.DictReader(file)]
    runs = [None] * len(tosses)
    for case, identity in enumerate(ids):
        with h5py.File(out / "cases" / f"{identity}.h5") as result:
            names, trajectory = list(result["bodies/name"].asstr()[:]), result["trajectory"]
            for place, index in enumerate(range(case, len(tosses), len(ids))):
                cube = names.index(f"cube_{place}")
                runs[index] = trajectory["time"][:], aside(trajectory["position"][:, cube], -place), trajectory["quaternion"][:, cube]
    return runs
