#!/usr/bin/env python3
"""Writes the table of docs/audit.md: which checks MuJoCo and Drake fail on the scenes of the exporters.

    scripts/peers/audit_peers.py [--csim PROGRAM]

Needs what mujoco_audit.py and drake_audit.py need; about a minute.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs/audit.md"


def row(csim, exporter, scene, folder):
    file = pathlib.Path(folder) / "motion.h5"
    subprocess.run([sys.executable, HERE / exporter, scene, "-o", file], check=True, capture_output=True)
    report = json.loads(subprocess.run([csim, "audit", file, "--json"], capture_output=True, text=True).stdout)
    failed = [f"`{c['name']}` {c['worst']:.3g} {c['unit']} (allowed {c['allowed']:.3g}), {c['failures']} of {c['judged']}"
              for c in report["checks"] if c["verdict"] == "fails"]
    return f"| `{scene}` | {report['program']} | {'; '.join(failed) or 'none'} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=HERE.parents[1] / "build/release/bin/csim")
    options = parser.parse_args()
    lines = ["| scene | program | checks that fail |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        lines.append(row(options.csim, "mujoco_audit.py", "passing", folder))
        for scene in ("box", "pile", "disc"):
            lines += [row(options.csim, exporter, scene, folder) for exporter in ("mujoco_audit.py", "drake_audit.py")]
    page = PAGE.read_text()
    table = "<!-- audit_peers.py -->\n" + "\n".join(lines) + "\n<!-- end -->"
    PAGE.write_text(re.sub(r"<!-- audit_peers.py -->.*<!-- end -->", lambda _: table, page, flags=re.S))


if __name__ == "__main__":
    main()
