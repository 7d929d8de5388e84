"""Runs the small experiments of Castro et al. 2023, Irrotational Contact Fields, judges their numbers and writes docs/experiments.md.

    python3 scripts/studies/contact_models                  # all steps, a few minutes; exit code 5 when a number is not met
    python3 scripts/studies/contact_models --quick -o FOLDER # the larger steps alone, seconds
"""
import argparse
import os
import pathlib
import sys

import conveyor_belt
import falling_sphere
import sliding_rod
import spring_cylinder
from report import Report
from runs import SOURCE, Runner
from svg_plot import log_log

GATE = 5  # csim's own exit code for a gate that failed
HEAD = """\
# Experiments

The small experiments of A. Castro, X. Han and J. Masterjohn, *Irrotational Contact Fields* (2023), and of the SAP paper (A. Castro, F. Permenter and X. Han, *An
Unconstrained Convex Formulation of Compliant Contact*, 2022), run with csim and judged. Numbers marked *chosen* are ours, where we did not have the paper's: what is
compared there is the statement, not the digit. This page is written, and every number judged again, by

    python3 scripts/studies/contact_models

which takes a few minutes, needs `python3-h5py` and `python3-numpy`, and ends with exit code 5 when a number is not met. A test runs its larger steps.
The forty bodies of section X are in [`scenes/clutter`](../scenes/clutter/README.md).
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"), help="the program (default: build/release/bin/csim)")
    parser.add_argument("--quick", action="store_true", help="only the larger steps")
    parser.add_argument("--jobs", type=int, help="runs side by side (default: one a core)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=SOURCE / "docs", help="folder of experiments.md and its figures (default: docs)")
    options = parser.parse_args()
    if options.quick and options.output == SOURCE / "docs":
        parser.error("--quick is no page to keep: name another folder with -o")

    report, runner = Report(), Runner(options.csim, options.jobs)
    figures = options.output / "experiments"
    figures.mkdir(parents=True, exist_ok=True)
    report.text(HEAD.rstrip())
    for experiment in (conveyor_belt, falling_sphere, sliding_rod, spring_cylinder):
        print(f"{experiment.SCENE} ...", file=sys.stderr, flush=True)
        curves = experiment.study(runner, report, options.quick)
        if curves:
            name = f"{experiment.SCENE}.svg"
            log_log(curves["title"], curves["steps"], curves["curves"], figures / name)
            report.text(f"![{curves['title']}: error against step](experiments/{name})")
    report.text((pathlib.Path(__file__).parent / "oracles.md").read_text(encoding="utf-8").rstrip())
    (options.output / "experiments.md").write_text(report.markdown(), encoding="utf-8")
    for failure in report.failures():
        print(f"not met: {failure}", file=sys.stderr)
    print(f"{options.output / 'experiments.md'}: {runner.count} runs, {len(report.judgements)} numbers judged, {len(report.failures())} not met")
    return GATE if report.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
