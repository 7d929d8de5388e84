"""What a study with a page of its own in docs/evidence/ does before its experiments and after them."""
import argparse
import os
import pathlib
import sys

from runs import SOURCE

sys.path.insert(0, str(SOURCE / "scripts/studies"))
from page_parts import lowered, write_part  # noqa: E402

DOCS = SOURCE / "docs/evidence"
GATE = 5  # csim's own exit code for a gate that failed


def study_options(description, page, quick):
    """The command line of a study with the folder PAGE of its figures, which is made; `quick` says what --quick does."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim"), help="the program (default: build/release/bin/csim)")
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--jobs", type=int, help="runs side by side (default: one a core)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=DOCS, help=f"folder of the page and of its figures (default: docs/evidence)")
    options = parser.parse_args()
    if options.quick and options.output.resolve() == DOCS:
        parser.error("--quick is no page to keep: name another folder with -o")
    (options.output / page).mkdir(parents=True, exist_ok=True)
    return options


def write_page(file, report, runs, part=""):
    """Writes the page, or a part of it, and says what does not hold; returns the exit code."""
    write_part(file, part, lowered(report.markdown()) if part else report.markdown())
    for failure in report.failures():
        print(f"not met: {failure}", file=sys.stderr)
    print(f"{file}: {runs} runs, {len(report.judgements)} numbers judged, {len(report.failures())} not met")
    return GATE if report.failures() else 0
