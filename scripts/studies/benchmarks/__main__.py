"""The public benchmarks: mechanisms of the IFToMM library, SimBenchmark's tests, friction, impacts, grasps and pallets, each beside what is known.

    python3 scripts/studies/benchmarks [--csim PROGRAM] [--only GROUP] [--tables] [-o docs/evidence]

Writes FOLDER/benchmarks/GROUP.csv (every number) and GROUP.txt (machine, versions, date), and FOLDER/benchmarks.md from these files; --tables writes the page alone. All
groups take about seven minutes on two cores. Needs numpy, h5py and PyYAML; the mechanisms need SciPy for their references, and MuJoCo and Drake (from PyPI) run where they
are installed. Exit code: 0 done, whether aims are met or not; 1 a group could not run; 2 usage.
"""
import argparse
import os
import pathlib
import sys
import time

import creep
import friction
import impacts
import mechanisms
import pallets
import simbenchmark
import table
from program import ROOT, Csim, versions

GROUPS = {"mechanisms": mechanisms, "simbenchmark": simbenchmark, "friction": friction, "impacts": impacts, "creep": creep, "pallets": pallets}
HEAD = pathlib.Path(__file__).with_name("head.md")


def run(name, csim, folder):
    """Runs a group and writes its two files."""
    start, load = time.monotonic(), os.getloadavg()[0]
    entries = GROUPS[name].run(csim)
    table.write(folder / f"{name}.csv", entries)
    seconds = time.monotonic() - start
    (folder / f"{name}.txt").write_text("\n".join([*versions(csim), f"run: {seconds:.0f} s, begun at a load of {load:.1f}"]) + "\n", encoding="utf-8")
    print(f"{name}: {seconds:.0f} s, {table.verdict(entries) or 'nothing judged'}", file=sys.stderr)


def section(name, folder):
    """The group's part of the page."""
    module, path = GROUPS[name], folder / f"{name}.csv"
    if not path.exists():
        return f"## {module.TITLE}\n\nNot run.\n"
    entries = list(table.read(path))
    lines = [f"## {module.TITLE}", "", f"{module.INTRODUCTION.strip()}", "", f"[Numbers](benchmarks/{name}.csv), [machine and versions](benchmarks/{name}.txt).", ""]
    for one in module.TABLES:
        rows = [entry for entry in entries if entry.table == one["name"]]
        if rows:
            lines += [f"### {one['title']}", "", one["expected"].strip(), "", table.pivot(rows, one["keys"], one["labels"]), "", table.verdict(rows), ""]
            lines += [one["remarks"](rows), ""] if "remarks" in one else []
    return "\n".join(lines)


def write_page(folder):
    """FOLDER/benchmarks.md from the files in FOLDER/benchmarks/."""
    parts = [HEAD.read_text(encoding="utf-8"), *(section(name, folder / "benchmarks") for name in GROUPS)]
    text = "\n".join(part.strip() + "\n" for part in parts)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    (folder / "benchmarks.md").write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", type=pathlib.Path, default=pathlib.Path(os.environ.get("CSIM_BINARY", ROOT / "build/release/bin/csim")),
                        help="the program (default: build/release/bin/csim)")
    parser.add_argument("--only", choices=GROUPS, action="append", metavar="GROUP", help=f"one group, several times for several: {', '.join(GROUPS)}")
    parser.add_argument("--tables", action="store_true", help="write the page from the numbers that are there")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/evidence", help="folder of the page (default: docs/evidence)")
    options = parser.parse_args()
    failed = False
    if not options.tables:
        if not options.csim.exists():
            parser.error(f"no program {options.csim}: scripts/build release csim")
        csim = Csim(options.csim.resolve())
        for name in options.only or GROUPS:
            try:
                run(name, csim, options.output / "benchmarks")
            except ImportError as error:
                print(f"benchmarks: {name}: {error}: left out", file=sys.stderr)
                failed = True
    options.output.mkdir(parents=True, exist_ok=True)
    write_page(options.output)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
