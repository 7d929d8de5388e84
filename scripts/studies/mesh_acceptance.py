#!/usr/bin/env python3
"""Mesh against mesh over random poses of ten pairs of shapes, judged by brute force: the table of docs/evidence/mesh_contacts.md.

    scripts/studies/mesh_acceptance.py [--poses 10000] [--tests build/dev/bin/csim_mesh_acceptance_tests] [-o docs/evidence/mesh_contacts.md]

10 000 poses of all pairs take about half an hour of one processor. CI runs the same test with fewer poses.
"""
import argparse
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "<!-- what follows is written by scripts/studies/mesh_acceptance.py -->"
NAMES = ("missed", "deep", "jumps", "apart")
HEAD = """
| pair | poses | missed | too deep | jumps | apart |
|---|---|---|---|---|---|
"""


def rows(text):
    """One row a pair: how many poses, and the worst of them."""
    for line in text.splitlines():
        found = re.match(r"(\w+) +(\d+) poses", line)
        if not found:
            continue
        cells = [found[1].replace("_", ", "), found[2]]
        for name in NAMES:
            count, worst = re.search(rf"{name} +(\d+) \(([^)]*) mm\)", line).groups()
            cells.append("0" if count == "0" else f"{count} ({worst} mm)")
        yield "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=10000)
    parser.add_argument("--tests", type=pathlib.Path, default=ROOT / "build/dev/bin/csim_mesh_acceptance_tests")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/evidence/mesh_contacts.md")
    options = parser.parse_args()
    environment = {**os.environ, "CSIM_MESH_ACCEPTANCE_POSES": str(options.poses)}
    done = subprocess.run([options.tests, "--gtest_filter=*MeshAcceptance.*"], env=environment, stdout=subprocess.PIPE, text=True, check=False)
    table = HEAD + "\n".join(rows(done.stdout)) + "\n"
    page = options.output.read_text(encoding="utf-8")
    options.output.write_text(page[:page.index(MARK)] + MARK + "\n" + table, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
