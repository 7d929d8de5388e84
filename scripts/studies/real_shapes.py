#!/usr/bin/env python3
"""Writes docs/evidence/real_shapes.md: real mesh files on a floor, how many rest, and why the others do not; prisms, caps, seams, pairs that pass.

    python3 -m venv venv && venv/bin/pip install numpy h5py example-robot-data pybullet      # the files; nothing of them is kept
    venv/bin/python scripts/studies/real_shapes.py [--part PART]... [--csim build/release/bin/csim] [--every N] [--quick] [--json OUT.json] > docs/evidence/real_shapes.md

Parts: convex, mesh (the files), prisms, stacked, seams, passing. With --json what other parts have left there stays, so that parts can be run one after the other.

Files are those of the two packages (or below --root) that are closed surfaces between 1 cm and 1 m, each content once. Each falls by 2 mm on a half
space and on the side of a box, as it lies in its file and turned by 90 degrees, and is watched for 4 s. It *rests* when in the last 0.5 s it turns slower
than 1e-4 rad/s and the floor holds its weight to 0.1 %. What does not is watched for 40 s, and told apart: it *rolls* when it goes over more than ten corners in that time, *settles* when it turns
less than half as fast as 2 s before (a light elastic damping, a long way to tip over), else it *rocks*.
"""
import argparse
import hashlib
import json
import math
import resource
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path

import h5py
import numpy as np

import flat_shapes

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".obj", ".stl", ".ply")
SMALLEST, LARGEST = 1e-2, 1.0  # m
END, WINDOW, BEFORE = 4.0, 0.5, 2.0  # s
LATER = 40.0  # s: what does not rest at END is watched until then
TURNING = 1e-4  # rad/s, a turn in a day: a light rocking is kept up by residuals within solver.tolerance
WEIGHT = 1e-3
MANY = 10  # corners
PARTS, PASSING = ("convex", "mesh", "prisms", "stacked", "seams", "passing"), 1000
GRAVITY = 9.81
POSES = {"as in the file": "0, 0, 0", "on its side": "90, 0, 0"}
FLOORS = {"half space": "{shape: half_space, material: m}", "box": "{shape: box, size: [4, 4, 0.2], pose: {xyz: [0, 0, -0.1]}, material: m}"}

HEAD = """\
# Real shapes

Written by `scripts/studies/real_shapes.py`, which says what is counted. The rules: [which corners carry](../theory.md#which-corners-carry),
[contacts foreseen](../theory.md#contacts-foreseen).

Collision meshes and parts from the Python packages `example-robot-data` and `pybullet`, closed and between 1 cm and 1 m, on a floor (step {step} s, `{law}`); the files are not part of csim.

- **rests**: in the last 0.5 s of 4 s it turns slower than {turning} rad/s, and the floor holds its weight to 0.1 %
- **settles**: less than half as fast as 2 s before; a light elastic damping on a narrow base, or a long way to tip over
- **rolls**: over more than ten corners in 0.5 s; a round part
- **rocks**: none of these; on its way to rest, slowly (the hull of `824.obj` turns at 0.26 rad/s after 4 s, at 4e-5 after 10)
"""

SCENE = """\
csim: 1
time: {{step: {step}, end: {end}}}
materials: {{m: {{friction: 0.5, stiffness: 1.0e+6}}}}
bodies:
  - name: floor
    fixed: true
    geometry: [{floor}]
  - name: body
    density: 1000
    pose: {{xyz: [0, 0, {height}], rpy_deg: [{rpy}]}}
    geometry: [{{shape: {kind}, file: "{file}", material: m}}]
contact: {{model: {law}}}
output: {{period: 0.01}}
"""


def surfaces(csim, roots):
    """Closed files of a size that is asked for, as (path, bounds), each content once."""
    seen = set()
    for root in roots:
        for path in sorted(p for p in root.rglob("*") if p.suffix.lower() in SUFFIXES):
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest in seen:
                continue
            seen.add(digest)
            answer = subprocess.run([csim, "mesh", "info", path, "--json"], capture_output=True, text=True)
            try:
                info = json.loads(answer.stdout)
            except json.JSONDecodeError:
                continue
            if not info.get("closed"):
                continue
            lower, upper = np.array(info["lower"]), np.array(info["upper"])
            if SMALLEST <= (upper - lower).max() <= LARGEST:
                yield path, lower, upper


def corners_pressed(f, rows, size):
    """How many corners of the body, as places 1e-3 of its size apart, carry in these rows."""
    offsets, places = f["/contact/row_offset"][:], set()
    for row in rows:
        w, x, y, z = f["/trajectory/quaternion"][row, 1]
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        here = slice(offsets[row], offsets[row + 1])
        pressed = f["/contact/point"][here][f["/contact/normal_force"][here] > 0]
        places |= {tuple(np.round((p - f["/trajectory/position"][row, 1]) @ turn / (1e-3 * size)).astype(int)) for p in pressed}
    return len(places)


def judge(file, size, end):
    """How the run ended: rests, rolls, settles, rocks, and the numbers."""
    with h5py.File(file) as f:
        time = f["/trajectory/time"][:]
        turning = f["/trajectory/angular_velocity"][:, 1]
        last = time > end - WINDOW
        offsets = f["/contact/row_offset"][:]
        force = f["/contact/force"][:, 2]
        held = np.array([force[offsets[i] : offsets[i + 1]].sum() for i in np.flatnonzero(last)])
        weight = f["/bodies/mass"][1] * GRAVITY
        gained = "energy from nothing" in [k.decode() if isinstance(k, bytes) else str(k) for k in f["/event/kind"][:]]
        fastest = np.linalg.norm(turning[last], axis=1).max()
        off = np.abs(held / weight - 1).max()
        before = np.linalg.norm(turning[np.roll(last, -round(BEFORE / (time[2] - time[1])))], axis=1).max()
        if fastest < TURNING and off < WEIGHT:
            how = "rests"
        elif corners_pressed(f, np.flatnonzero(last), size) > MANY:
            how = "rolls"
        else:
            how = "settles" if fastest < 0.5 * before else "rocks"
    return {"how": how, "turning": float(fastest), "weight": float(off), "gained": gained}


def drop(csim, kind, path, lower, upper, pose, floor, folder, step, law, end=END):
    """One run; the body's lowest point starts 2 mm over the floor."""
    corners = np.array([[x, y, z] for x in (lower[0], upper[0]) for y in (lower[1], upper[1]) for z in (lower[2], upper[2])])
    turned = corners[:, [0, 2, 1]] * [1, -1, 1] if pose == "on its side" else corners
    scene, result = Path(folder) / "scene.yaml", Path(folder) / "scene.h5"
    scene.write_text(SCENE.format(step=step, end=end, floor=FLOORS[floor], height=0.002 - turned[:, 2].min(), rpy=POSES[pose], kind=kind, file=path, law=law))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([csim, "run", scene, "-o", result, "--force", "-q"], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if run.returncode != 0:
        return {"how": "refused" if run.returncode == 2 else "fails", "why": run.stderr.strip().splitlines()[0] if run.stderr else ""}
    return judge(result, (upper - lower).max(), end) | {"step_ms": 1e3 * seconds * float(step) / end}


def study(args, kind):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (path, lower, upper) in enumerate(surfaces(args.csim, args.root)):
            if number % args.every:
                continue
            for pose in list(POSES)[: 1 if args.quick else None]:
                for floor in list(FLOORS)[: 1 if args.quick else None]:
                    row = drop(args.csim, kind, path, lower, upper, pose, floor, folder, args.step, args.law)
                    row |= {"file": path.name, "number": number, "every": args.every, "pose": pose, "floor": floor}
                    rows.append(row)
                    if row["how"] != "rests":
                        row["later"] = drop(args.csim, kind, path, lower, upper, pose, floor, folder, args.step, args.law, LATER)
                        print(json.dumps(row), file=sys.stderr)
    return rows


def table(kind, rows):
    """Markdown: how many of each kind, and those that do not rest."""
    hows = ["rests", "settles", "rolls", "rocks", "fails", "refused"]
    lines = [f"## Real files as `{kind}`", "", f"{len({(r['file'], r.get('number')) for r in rows})} files{every(rows)}: how they are after {END:g} s, and the processor time of a step (median, ms).", "",
             "| floor | pose | " + " | ".join(hows) + " | ms a step |", "|" + "---|" * (3 + len(hows))]
    for floor in FLOORS:
        for pose in POSES:
            of = [r for r in rows if r["floor"] == floor and r["pose"] == pose]
            if not of:
                continue
            count, times = Counter(r["how"] for r in of), [r["step_ms"] for r in of if "step_ms" in r]
            lines.append(f"| {floor} | {pose} | " + " | ".join(str(count[h]) for h in hows) + f" | {statistics.median(times) if times else math.nan:.2g} |")
    still = [r["later"].get("turning", math.nan) for r in rows if r["how"] != "rests" and r["later"]["how"] != "rests"]
    others = f"; the others turn at {max(still):.1e} rad/s at most" if still else ""
    lines += ["", f"Those that do not rest. After {LATER:g} s {sum(r['how'] != 'rests' for r in rows) - len(still)} of them do{others}.", "",
              f"| file | pose | floor | how | turning, rad/s | weight off | turning after {LATER:g} s |", "|" + "---|" * 7]
    for r in rows:
        if r["how"] != "rests":
            numbers = f"{r['turning']:.1e} | {r['weight']:.1e}" if "turning" in r else f"{r['why'][:120]} | "
            later = f"{r['later']['turning']:.1e}" if "turning" in r["later"] else r["later"]["how"]
            lines.append(f"| `{r['file']}` | {r['pose']} | {r['floor']} | {r['how']} | {numbers} | {later} |")
    return "\n".join(lines) + "\n"


def every(rows):
    return {1: ""}.get(rows[0]["every"], f", one of {rows[0]['every']} of all") if rows else ""


def passing(csim):
    """What scripts/studies/passing.py prints."""
    script = Path(__file__).with_name("passing.py")
    done = subprocess.run([sys.executable, script, "--csim", csim, "--pairs", str(PASSING)], capture_output=True, text=True)
    return {"text": done.stdout.strip()}


def passing_table(found):
    return (f"## Pairs that pass\n\nRandom pairs of all shapes with gaps of 1e-6 to 1e-2 m, up to three times their size a step, five laws, both engines (`scripts/studies/passing.py --pairs {PASSING}`):\n"
            f"{found['text']}.\n")


def run_part(part, args):
    if part in ("convex", "mesh"):
        return study(args, part)
    if part == "passing":
        return passing(args.csim)
    with tempfile.TemporaryDirectory() as folder:
        return {"prisms": flat_shapes.prisms, "stacked": flat_shapes.stacked, "seams": flat_shapes.seams}[part](args.csim, Path(folder))


def write_part(part, found):
    if part in ("convex", "mesh"):
        return table(part, found)
    return {"prisms": flat_shapes.prisms_table, "stacked": flat_shapes.stacked_table, "seams": flat_shapes.seams_table, "passing": passing_table}[part](found)


def main():
    site = Path(sysconfig.get_paths()["purelib"])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=ROOT / "build/release/bin/csim")
    parser.add_argument("--part", action="append", choices=PARTS, help="run these; without it all")
    parser.add_argument("--root", action="append", type=Path)
    parser.add_argument("--step", default="1.0e-3")
    parser.add_argument("--law", default="coulomb")
    parser.add_argument("--quick", action="store_true", help="one pose, one floor")
    parser.add_argument("--every", type=int, default=1, help="one of so many files")
    parser.add_argument("--json", type=Path, help="what was found; parts that are there already and not run are written too")
    args = parser.parse_args()
    args.root = args.root or [p for p in (site / "cmeel.prefix/share/example-robot-data", site / "pybullet_data") if p.exists()]
    found = json.loads(args.json.read_text()) if args.json and args.json.exists() else {}
    for part in args.part or PARTS:
        found[part] = run_part(part, args)
        if args.json:
            args.json.write_text(json.dumps(found, indent=1))
    print(HEAD.format(turning=TURNING, step=args.step, law=args.law))
    print("\n".join(write_part(part, found[part]) for part in PARTS if part in found), end="")


if __name__ == "__main__":
    main()
