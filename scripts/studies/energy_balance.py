"""Runs every shipped scene at its own step and prints the unexplained energy change over the energy throughput.

    python3 scripts/studies/energy_balance.py                    # all of scenes/; exit code 5 when a scene is beyond the bound
    python3 scripts/studies/energy_balance.py belt chain         # these alone
    python3 scripts/studies/energy_balance.py --end 1 --bound 0.05
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GATE = 5  # csim's own exit code for a gate that failed
PARTS = ("dissipated_normal", "normal_damping", "normal_spring_loss", "normal_overlap_gain", "dissipated_friction", "dissipated_joints", "work_actuators", "work_prescribed", "work_forces", "scheme_gravity", "scheme_mass_matrix", "scheme_springs", "joint_spring_loss")


def run(csim, scene, end):
    """(row of the table, warnings of energy): the rest of largest magnitude over the energy throughput, with its sign, the last row's parts, J, and the
    pair of the largest event `overlap jump`."""
    with tempfile.TemporaryDirectory(prefix="csim_energy_") as folder:
        path = pathlib.Path(folder) / "result.h5"
        options = [] if end is None else ["--end", str(end)]
        done = subprocess.run([csim, "run", scene, "-o", path, "--set", "output.contacts=false", *options], capture_output=True, text=True)
        warnings = [line for line in done.stderr.splitlines() if "energy from nothing" in line]
        if not path.exists():
            return None, [f"exit code {done.returncode}: {done.stderr.strip()}"]
        with h5py.File(path) as file:
            jumps = [(value, f"{a.decode()}, {b.decode()}: {value:.3g} J") for kind, a, b, value in
                     zip(*(file[f"event/{column}"][:] for column in ("kind", "subject_a", "subject_b", "value"))) if kind.decode() == "overlap jump"]
            energy = {name: file[f"energy/{name}"][:] for name in ("balance_error", "turned_over", *PARTS)}
        rest = energy["balance_error"][np.abs(energy["balance_error"]).argmax()]
        turned_over = energy["turned_over"][-1]
        numbers = (turned_over, *(energy[part][-1] for part in PARTS))
        return (rest / turned_over if turned_over else 0.0, numbers, max(jumps)[1] if jumps else "none"), warnings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="folders of scenes/ (default: all)")
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"), help="the program (default: build/release/bin/csim)")
    parser.add_argument("--end", type=float, help="end of each run, s (default: the scene's)")
    parser.add_argument("--bound", type=float, default=0.01, help="largest part of the energy throughput (default: 0.01)")
    options = parser.parse_args()
    names = options.scenes or sorted(path.parent.name for path in (SOURCE / "scenes").glob("*/scene.yaml"))
    beyond = []
    print("| scene | unexplained | throughput, J | " + " | ".join(PARTS) + " | largest jump |\n" + "|---" * (len(PARTS) + 4) + "|")
    for name in names:
        row, warnings = run(options.csim, SOURCE / "scenes" / name / "scene.yaml", options.end)
        if row is not None:
            print(f"| {name} | {100 * row[0]:.3g} % | " + " | ".join(f"{value:.4g}" for value in row[1]) + f" | {row[2]} |", flush=True)
        for warning in warnings:
            print(f"{name}: {warning}", file=sys.stderr)
        if row is None or not abs(row[0]) <= options.bound:
            beyond.append(name)
    if beyond:
        print(f"beyond {100 * options.bound:g} %: {', '.join(beyond)}", file=sys.stderr)
    return GATE if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
