#!/usr/bin/env python3
"""Times the program's start: a run of one step of the clutter scene, from the shell's call to its end, and commands that do less.

    scripts/studies/performance/startup.py
    scripts/studies/performance/startup.py --csim old/bin/csim build/release/bin/csim        which is faster: run in turn

Wall time in milliseconds, median and smallest, on one core and on all that are to be had, and processor time (user and system; more
than wall time where threads wait busily). Every file is in the system's cache; results go to memory where there is /dev/shm. `true` is what the
machine takes for a program that does nothing. Clocks change: only ratios within one call mean something.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]


def commands(csim, scene, folder):
    result = pathlib.Path(folder, "result.h5")
    return {
        "run, one step": [csim, "run", scene, "-o", result, "--force", "-q", "--set", "time.end=0.01"],
        "validate": [csim, "validate", scene],
        "resolve": [csim, "resolve", scene],
        "info": [csim, "info", result],
        "--version": [csim, "--version"],
        "--help": [csim, "--help"],
    }


def timed(command, cores):
    """Milliseconds of wall time and of processor time."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cores))
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {process.returncode}")
    return 1e3 * wall, 1e3 * (usage.ru_utime + usage.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--csim", nargs="+", default=[str(ROOT / "build/release/bin/csim")], help="programs, run in turn")
    parser.add_argument("--scene", default=str(ROOT / "scenes/clutter/scene.yaml"))
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()

    all_cores = sorted(os.sched_getaffinity(0))
    core_sets = {"one core": all_cores[-1:], f"{len(all_cores)} cores": all_cores}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        rows = {("true", ""): ["true"]}
        for csim in options.csim:
            rows |= {(name, csim): command for name, command in commands(csim, options.scene, folder).items()}
        times = {(row, cores): [] for row in rows for cores in core_sets}
        for repeat in range(options.repeat + 1):   # the first fills the cache
            for row, cores in times:
                sample = timed(rows[row], core_sets[cores])
                if repeat > 0:
                    times[row, cores].append(sample)
    print("| command | program | cores | median, ms | smallest, ms | processor time, median, ms |\n|---|---|---|---|---|---|")
    for ((name, csim), cores), samples in times.items():
        wall, processor = np.array(samples).T
        print(f"| {name} | {csim} | {cores} | {np.median(wall):.1f} | {wall.min():.1f} | {np.median(processor):.1f} |")


if __name__ == "__main__":
    main()
