#!/usr/bin/env python3
"""The cases of a study as tasks of Dask, and the report behind them:

    scripts/workflows/dask_study.py order.yaml order [--scheduler tcp://HOST:8786] [--csim PROGRAM] [--set KEY=VALUE]

Without --scheduler a cluster of this machine's processors does it. The workers need the program and the folder under the same names. Ends with the
code of `csim study report`: 0, 3 when a case is not complete, 5 when a gate does not hold. Needs dask and distributed.
"""
import argparse
import subprocess
import sys

from dask.distributed import Client, LocalCluster, as_completed


def run(command):
    """Exit code and messages of a command, on a worker."""
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study")
    parser.add_argument("folder")
    parser.add_argument("--scheduler")
    parser.add_argument("--csim", default="csim")
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    study = [options.study, "-o", options.folder, *(word for one in options.set for word in ("--set", one))]
    listed = subprocess.run([options.csim, "study", "commands", *study], stdout=subprocess.PIPE, text=True)
    if listed.returncode != 0:
        return listed.returncode
    cluster = None if options.scheduler else LocalCluster(threads_per_worker=1, dashboard_address=None)
    with Client(options.scheduler or cluster) as client:
        # Not pure: a command that is given again is run again, and finds what is complete by itself.
        tasks = client.map(run, listed.stdout.splitlines(), pure=False)
        for task in as_completed(tasks):
            code, messages = task.result()
            if code != 0:
                print(messages, end="", file=sys.stderr)
    if cluster is not None:
        cluster.close()
    return subprocess.run([options.csim, "study", "report", *study]).returncode


if __name__ == "__main__":
    sys.exit(main())
