"""What a study with a page of its own in docs/ does before its experiments and after them."""
import argparse
import os
import pathlib
import sys

from runs import SOURCE

GATE = 5  # csim's own exit code for a gate that failed


def study_options(description, page, quick):
    """The command line of a study that writes PAGE.md and the folder PAGE of its figures, which is made; `quick` says what --quick does."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"), help="the program (default: build/release/bin/csim)")
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--jobs", type=int, help="runs side by side (default: one a core)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=SOURCE / "docs", help=f"folder of {page}.md and its figures (default: docs)")
    options = parser.parse_args()
    if options.quick and options.output == SOURCE / "docs":
        parser.error("--quick is no page to keep: name another folder with -o")
    (options.output / page).mkdir(parents=True, exist_ok=True)
    return options


def write_page(file, report, runs):
    """Writes the page and says what does not hold; returns the exit code."""
    file.write_text(report.markdown(), encoding="utf-8")
    for failure in report.failures():
        print(f"not met: {failure}", file=sys.stderr)
    print(f"{file}: {runs} runs, {len(report.judgements)} numbers judged, {len(report.failures())} not met")
    return GATE if report.failures() else 0
