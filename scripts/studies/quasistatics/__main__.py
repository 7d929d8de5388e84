"""Runs the experiments of Pang & Tedrake 2021, A Convex Quasistatic Time-stepping Scheme, and of their program, judges their numbers and writes docs/evidence/quasistatics.md.

    python3 scripts/studies/quasistatics                   # everything, a few minutes; exit code 5 when a number is not met
    python3 scripts/studies/quasistatics --quick -o FOLDER # with a coarser reference, seconds
"""
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "contact_models"))  # page, report, runs, svg_plot

import further
import gradients
import grasp
import hand
import side_by_side
import stacking
from page import study_options, write_page
from report import Report
from result import Run
from runs import Runner

HEAD = """\
# Stepping without momentum

The experiments of T. Pang and R. Tedrake, *A Convex Quasistatic Time-stepping Scheme for Rigid Multibody Systems with Contact and Friction* (2021), and scenes of the
authors' program, run with csim (`integrator: {type: quasistatic}`) and checked: what the paper says, what theory expects, what csim gives. The last part compares the
scheme with csim's own dynamics. [`theory.md`](../theory.md#quasistatic-steps) has the equations. This program runs everything and writes this page:

    python3 scripts/studies/quasistatics

It takes a few minutes and needs `python3-h5py` and `python3-numpy`. Exit code 5: a number is outside its tolerance. A test runs the larger steps.
"""


def main():
    options = study_options(__doc__, "quasistatics", "with a coarser reference")
    report, runner = Report(), Runner(options.csim, options.jobs, Run)
    report.text(HEAD.rstrip())
    for experiment in (grasp, stacking, further, hand, side_by_side, gradients):
        print(f"{experiment.__name__} ...", file=sys.stderr, flush=True)
        experiment.study(runner, report, options.quick, options.output / "quasistatics")
    return write_page(options.output / "quasistatics.md", report, runner.count)


if __name__ == "__main__":
    sys.exit(main())
