"""Writes docs/accuracy.md: the errors of ten everyday situations at steps of 10, 5, 1 and 0.1 ms for every law, beside Drake's and MuJoCo's.

    python3 scripts/studies/accuracy [--csim build/release/bin/csim] [-o docs/accuracy.md]

Needs numpy, h5py and PyYAML. Drake and MuJoCo (from PyPI) run where they are found; the table has no rows for those that are not.
"""
import argparse
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/studies"))
import peers  # noqa: E402
from page_parts import write_part  # noqa: E402
from situations import SITUATIONS, Rows  # noqa: E402

STEPS = (1e-2, 5e-3, 1e-3, 1e-4)
PERIOD = 0.01
LAWS = ("lagged", "coulomb", "similar", "sap")

OWN_STEPS = {"coulomb, error_controlled 1e-4": {"contact.model": "coulomb", "integrator.type": "error_controlled", "integrator.accuracy": 1e-4},
             "continuous 1e-4": {"integrator.type": "continuous", "integrator.accuracy": 1e-4}}


def run_csim(csim, scene, keys):
    """Rows of a run; None when it fails."""
    keys = {"output.period": PERIOD, "output.contacts": "false", "solver.condition_number": "none", **keys}
    with tempfile.TemporaryDirectory() as folder:
        text, result = pathlib.Path(folder, "scene.yaml"), pathlib.Path(folder, "result.h5")
        text.write_text(yaml.safe_dump(scene, sort_keys=False), encoding="utf-8")
        command = [str(csim), "run", str(text), "-o", str(result), "-q", *(word for key, value in keys.items() for word in ("--set", f"{key}={value}"))]
        if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return None
        with h5py.File(result) as file:
            names = file["bodies/name"].asstr()[:]
            trajectory = file["trajectory"]
            position, quaternion = trajectory["position"][:], trajectory["quaternion"][:]
            return Rows(trajectory["time"][:], *({name: x[:, i] for i, name in enumerate(names)} for x in (position, quaternion)))


def run_drake(scene, step):
    plant, simulator, context, placed = peers.build_drake(scene, step)
    time = np.arange(round(scene["time"]["end"] / PERIOD) + 1) * PERIOD
    poses = {spec["name"]: [] for _, spec in placed}
    simulator.Initialize()
    for t in time:
        simulator.AdvanceTo(t)
        for body, spec in placed:
            poses[spec["name"]].append(plant.EvalBodyPoseInWorld(context, body))
    return Rows(time, {name: np.array([X.translation() for X in rows]) for name, rows in poses.items()},
                {name: np.array([X.rotation().ToQuaternion().wxyz() for X in rows]) for name, rows in poses.items()})


def run_mujoco(scene, step, spring):
    import mujoco
    mujoco.set_mju_user_warning(lambda message: None)  # it would write a file into the current folder; what is not finite shows in the table
    model, data = peers.build_mujoco(scene, step, spring)
    time = np.arange(round(scene["time"]["end"] / PERIOD) + 1) * PERIOD
    names = [body["name"] for body in scene["bodies"] if not body.get("fixed")]
    position, quaternion = {name: [] for name in names}, {name: [] for name in names}
    for row in range(len(time)):
        if row > 0:
            mujoco.mj_step(model, data, nstep=round(PERIOD / step))
            mujoco.mj_kinematics(model, data)
        for name in names:
            position[name].append(data.body(name).xpos.copy())
            quaternion[name].append(data.body(name).xquat.copy())
    return Rows(time, {name: np.array(x) for name, x in position.items()}, {name: np.array(x) for name, x in quaternion.items()})


def measure(csim, situation):
    """Rows of the table: (who, [error at every step, None where the run failed])."""
    reference = run_csim(csim, situation.scene, situation.reference) if situation.reference else None

    def ladder(run):
        rows = [run(step) for step in STEPS]
        return [situation.error(row, reference) if row else None for row in rows]
    table = [(law, ladder(lambda step, law=law: run_csim(csim, situation.scene, {"contact.model": law, "time.step": step}))) for law in LAWS]
    for name, keys in OWN_STEPS.items():
        rows = run_csim(csim, situation.scene, keys)
        table.append((name, [situation.error(rows, reference) if rows else None] * len(STEPS)))
    if importlib.util.find_spec("pydrake"):
        table.append(("Drake, Lagged", ladder(lambda step: run_drake(situation.scene, step))))
    if importlib.util.find_spec("mujoco"):
        name = "MuJoCo, the same spring" if situation.spring else "MuJoCo, its own contact" if situation.scene.get("materials") else "MuJoCo"
        table.append((name, ladder(lambda step: run_mujoco(situation.scene, step, situation.spring))))
    return table


def text(error):
    return "failed" if error is None or not np.isfinite(error) else f"{error:.2g}"


def at_one_step(summary, step):
    """The table of all situations at one step."""
    names = [who.split(",")[0] if who.startswith("MuJoCo") else who for who, _ in summary[0][1]]
    yield from (f"## All at {1e3 * step:g} ms", "", "| error | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|")
    for situation, table in summary:
        yield f"| {situation.name}, {situation.unit} | " + " | ".join(text(errors[STEPS.index(step)]) for _, errors in table) + " |"
    yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", type=pathlib.Path, default=ROOT / "build/release/bin/csim")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/accuracy.md")
    parser.add_argument("--only", nargs="+", help="situations by the first word of their names")
    options = parser.parse_args()
    lines, summary = [], []
    for make in SITUATIONS:
        situation = make()
        if options.only and situation.name.split()[0] not in options.only:
            continue
        lines += [f"## {situation.name}", "", situation.remark, "", f"| error in {situation.unit} | " + " | ".join(f"{1e3 * step:g} ms" for step in STEPS) + " |",
                  "|---" * (len(STEPS) + 1) + "|"]
        table = measure(options.csim, situation)
        summary.append((situation, table))
        for who, errors in table:
            lines.append(f"| {who} | " + " | ".join(text(error) for error in errors) + " |")
            print(situation.name, lines[-1], flush=True)
        lines.append("")
    head = pathlib.Path(__file__).with_name("head.md").read_text(encoding="utf-8").rstrip()
    write_part(options.output, "", "\n".join([head, "", *at_one_step(summary, 1e-2), *at_one_step(summary, 1e-3), *lines]))


if __name__ == "__main__":
    main()
