"""Runs the experiments of pressure-field contact, judges their numbers and writes docs/pressure_field.md.

    python3 scripts/studies/pressure_field                   # everything, a few minutes; exit code 5 when a number is not met
    python3 scripts/studies/pressure_field --quick -o FOLDER # a part of it, seconds
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "contact_models"))  # report, runs, svg_plot

import coin
import orders
from report import Report
from runs import SOURCE, Runner
from svg_plot import log_log

GATE = 5  # csim's own exit code for a gate that failed
HEAD = """\
# Pressure fields

Experiments of J. Masterjohn, D. Guoy, J. Shepherd and A. Castro, *Velocity Level Approximation of Pressure Field Contact Patches*, and the orders of convergence of
patch forces, run with csim and judged. Numbers marked *chosen* are ours, where the paper has none. This page is written, and every number judged again, by

    python3 scripts/studies/pressure_field

which takes a few minutes, needs `python3-h5py` and `python3-numpy`, and ends with exit code 5 when a number is not met. A test runs a part of it.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"), help="the program (default: build/release/bin/csim)")
    parser.add_argument("--quick", action="store_true", help="fewer and coarser runs")
    parser.add_argument("--jobs", type=int, help="runs side by side (default: one a core)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=SOURCE / "docs", help="folder of pressure_field.md and its figures (default: docs)")
    options = parser.parse_args()
    if options.quick and options.output == SOURCE / "docs":
        parser.error("--quick is no page to keep: name another folder with -o")

    report, count = Report(), 0
    figures = options.output / "pressure_field"
    figures.mkdir(parents=True, exist_ok=True)
    report.text(HEAD.rstrip())
    for experiment, read in ((coin, coin.CoinRun), (orders, orders.PatchRun)):
        print(f"{experiment.SCENE} ...", file=sys.stderr, flush=True)
        runner = Runner(options.csim, options.jobs, read)
        picture = experiment.study(runner, report, options.quick)
        count += runner.count
        name = f"{experiment.SCENE}.svg"
        log_log(picture.pop("title"), picture.pop("steps"), picture.pop("curves"), figures / name, **picture)
        report.text(f"![{experiment.SCENE}](pressure_field/{name})")
    (options.output / "pressure_field.md").write_text(report.markdown(), encoding="utf-8")
    for failure in report.failures():
        print(f"not met: {failure}", file=sys.stderr)
    print(f"{options.output / 'pressure_field.md'}: {count} runs, {len(report.judgements)} numbers judged, {len(report.failures())} not met")
    return GATE if report.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
