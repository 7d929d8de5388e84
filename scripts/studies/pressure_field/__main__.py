"""Runs the experiments of pressure-field contact, judges their numbers and writes docs/evidence/pressure_field.md.

    python3 scripts/studies/pressure_field                   # everything, a few minutes; exit code 5 when a number is not met
    python3 scripts/studies/pressure_field --quick -o FOLDER # a part of it, seconds
"""
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "contact_models"))  # page, report, runs, svg_plot

import coin
import orders
from page import study_options, write_page
from report import Report
from runs import Runner
from svg_plot import log_log

HEAD = """\
# Pressure fields

Experiments of J. Masterjohn, D. Guoy, J. Shepherd and A. Castro, *Velocity Level Approximation of Pressure Field Contact Patches*, and the orders of convergence of
patch forces, run with csim and checked against expected values. Where the paper gives no number it is *chosen*. This program runs everything and writes this page:

    python3 scripts/studies/pressure_field

It takes a few minutes and needs `python3-h5py` and `python3-numpy`. Exit code 5: a number is outside its tolerance. A test runs a part of it.
"""


def main():
    options = study_options(__doc__, "pressure_field", "fewer and coarser runs")
    report, count = Report(), 0
    report.text(HEAD.rstrip())
    for experiment, read in ((coin, coin.CoinRun), (orders, orders.PatchRun)):
        print(f"{experiment.SCENE} ...", file=sys.stderr, flush=True)
        runner = Runner(options.csim, options.jobs, read)
        picture = experiment.study(runner, report, options.quick)
        count += runner.count
        name = f"{experiment.SCENE}.svg"
        log_log(picture.pop("title"), picture.pop("steps"), picture.pop("curves"), options.output / "pressure_field" / name, **picture)
        report.text(f"![{experiment.SCENE}](pressure_field/{name})")
    return write_page(options.output / "pressure_field.md", report, count)


if __name__ == "__main__":
    sys.exit(main())
