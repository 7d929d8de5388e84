"""Runs the small experiments of Castro et al. 2023, Irrotational Contact Fields, judges their numbers and writes them into docs/evidence/reproduction.md.

    python3 scripts/studies/contact_models                  # all steps, a few minutes; exit code 5 when a number is not met
    python3 scripts/studies/contact_models --quick -o FOLDER # the larger steps alone, seconds
"""
import pathlib
import sys

import conveyor_belt
import falling_sphere
import sliding_rod
import spring_cylinder
from page import study_options, write_page
from report import Report
from runs import Runner
from svg_plot import log_log

HEAD = """\
# Experiments

The small experiments of A. Castro, X. Han and J. Masterjohn, *Irrotational Contact Fields* (2023), and of the SAP paper (A. Castro, F. Permenter and X. Han, *An
Unconstrained Convex Formulation of Compliant Contact*, 2022), run with csim and checked against expected values. Where a number of the paper is not available it is *chosen*;
the comparison is then with the paper's statement, not with its digits. This program runs everything and writes this section:

    python3 scripts/studies/contact_models

It takes a few minutes and needs `python3-h5py` and `python3-numpy`. Exit code 5: a number is outside its tolerance. A test runs the larger steps.
The forty bodies of section X are in [`scenes/clutter`](../../scenes/clutter/README.md).
"""


def main():
    options = study_options(__doc__, "experiments", "only the larger steps")
    report, runner = Report(), Runner(options.csim, options.jobs)
    report.text(HEAD.rstrip())
    for experiment in (conveyor_belt, falling_sphere, sliding_rod, spring_cylinder):
        print(f"{experiment.SCENE} ...", file=sys.stderr, flush=True)
        curves = experiment.study(runner, report, options.quick)
        if curves:
            name = f"{experiment.SCENE}.svg"
            log_log(curves["title"], curves["steps"], curves["curves"], options.output / "experiments" / name)
            report.text(f"![{curves['title']}: error against step](experiments/{name})")
    report.text((pathlib.Path(__file__).parent / "oracles.md").read_text(encoding="utf-8").rstrip())
    return write_page(options.output / "reproduction.md", report, runner.count, part="contact_models")


if __name__ == "__main__":
    sys.exit(main())
