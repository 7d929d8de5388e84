#!/usr/bin/env python3
"""Writes docs/evidence/contact_queries.md: csim's own contact queries and FCL's side by side. Ten minutes.

    cmake --preset bench && cmake --build --preset bench --target csim contact_queries
    scripts/studies/contact_queries.py [--build build/bench] [--poses 1000] [--cpu 1]

Times are the least of several, on one core; only ratios within one page mean something.
"""
import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
# Seconds of motion: the whole of short scenes, the landing and a part of the rest of piles.
SCENES = {"incline": 1, "box_stack": 2, "wall": 1, "domino": 0.5, "bouncing_ball": 1, "gripper": 2, "planar_grasp": 0.35, "chain": 2, "movers": 1, "clutter": 2,
          "clutter_boxes": 1, "cube_bin": 1, "mesh_ramp": 1, "mesh_pile": 1, "gear_pile": 0.6}
RUNS = 2

TEXT = """\
# Contact queries by two engines

`contact.engine: native`, the default, answers all queries of contact points by csim's own code; `fcl` asks the library FCL 0.7 (with libccd 2.1).
FCL stands in a module of its own, `csim_fcl.so`, loaded when a scene asks for it; a build with `CSIM_WITH_FCL=OFF` has none. Written by
`scripts/studies/contact_queries.py` from `tests/bench/contact_queries.cpp`.

**Native is the default**: it is exact where FCL is not, faster in every part, answers gaps and manifolds with names of their points, and does not
allocate. FCL is a second opinion from outside: one key runs any scene by it.

## What FCL answers

| part | FCL | csim, with either engine |
|---|---|---|
| pairs of bodies | `DynamicAABBTreeCollisionManager` over the bodies' boxes | filters, order, bodies without end |
| two convex shapes | direction and depth of an overlap (`collide`, libccd's portal refinement or closed forms), direction and length of a gap (GJK, closed forms) | check; last digits of the direction; contact points by clipping the features that face each other |
| half space | the same with the plane raised by the largest gap that is asked for | the same |
| meshes | the triangles near a shape, or near those of another mesh: oriented boxes of `BVHModel` | contacts of facets, edges and corners |

FCL does not answer, and csim does:

- names of contact points (features), which the solver's memory and the second query of a step need, and manifolds: FCL gives one point, of two boxes
  up to four;
- contacts of meshes: those of FCL belong to single triangles (below);
- points of a mesh nearest to a point, and the least way out of a mesh;
- gaps that are asked for without bound (a half space that turns), directions of shapes with coincident centres or crossing axes;
- pressure fields, and the look for pairs that pass through each other within a step.

Of the pairs that FCL answers, an answer is refused and the pair answered natively when

- the normal is not of unit length, or GJK meets a case that FCL did not foresee;
- the separation along the normal, by our support functions, is not FCL's depth or distance to 1e-3 of the shapes' size;
- the direction, after Newton's method has brought it to its last digits, has no two points of the shapes that face each other: their distance
  proves a gap, and carries the contact point.

These are counted: an event `native answer` a step, listed by `csim info`.

FCL's tolerances are 1e-6 of the size for overlaps and 1e-9 for distances; with finer portals libccd's normals become worse, not better. `collide`
runs with `GST_LIBCCD` (`GST_INDEP` has depths of the wrong sign). Signed `distance` is not used: it ends the program on overlaps. FCL's GJK is
compiled into the module without assertions, so that an unforeseen case is an answer refused, not the end of a run. Answers depend on poses
alone: the tree of the broad phase is updated, not built anew, but which boxes overlap does not depend on its shape, and pairs are sorted. Resumed runs
and runs with any number of threads have the same bits. FCL allocates in every query.
"""


def bench(options):
    command = [options.build / "bin/contact_queries", str(options.poses)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=pinned(options)).stdout)


def pinned(options):
    return lambda: os.sched_setaffinity(0, {options.cpu})


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def length(metres):
    return "0" if metres == 0 else f"{metres:.0e}"


def share(count, total):
    return "0" if count == 0 else f"{100 * count / total:.1f} %"


def pair_section(data):
    n, rows, slower, unanswered = data["poses"], [], [], 0
    for gap, overlap in zip(data["pairs"][::2], data["pairs"][1::2]):
        both = (gap, overlap)
        times = {engine: np.mean([case[engine]["seconds"] for case in both]) for engine in ("native", "fcl")}
        slower.append(times["fcl"] / times["native"])
        unanswered += sum(case["fcl"]["unanswered"] for case in both)
        rows.append([f"{gap['a']}, {gap['b']}".replace("_", " "), share(gap["alone"]["none"], n), length(gap["alone"]["worst"]),
                     share(overlap["alone"]["none"], n), length(overlap["alone"]["worst"]), share(overlap["alone"]["coarse"], n),
                     f"{overlap['alone']['worst_normal']:.1g}", share(sum(case["fcl"]["unanswered"] for case in both), 2 * n),
                     length(max(case["fcl"]["worst"] for case in both)), length(max(case["native"]["worst"] for case in both)),
                     f"{1e6 * times['native']:.2f}", f"{1e6 * times['fcl']:.2f}"])
    return f"""
## Pairs of convex shapes

Random shapes of 0.2 to 1 m, {n} gaps (1 um to 10 mm) and {n} overlaps (1 um to 1 mm) a pair, laid together at a random point of each surface (in
faces, on edges, at vertices, on rims and round parts), so that signed distance and normal are known by construction. (Overlaps of edges and
vertices with each other, which part sideways sooner, are left out.)

- *FCL alone* (columns up to `normal`): share of pairs that it puts on the wrong side or does not answer; its worst error, m; of overlaps also the
  share of depths wrong by more than a tenth, and the worst error of the unit normal.
- *csim*: share of pairs that `fcl` leaves to our own query; worst error of the deepest point's signed distance, m, with each engine; time of a
  query with its contact points, us.

{table(["pair", "gap: none", "error", "overlap: none", "error", "depth off", "normal", "left to us", "error, fcl", "error, native", "us, native", "us, fcl"], rows)}
FCL takes {np.median(slower):.1f} times as long in the median ({min(slower):.1f} to {max(slower):.1f}); {share(unanswered, 2 * n * len(rows))} of all pairs are answered natively.
"""


def mesh_section(data):
    mesh = data["mesh"]
    n, contacts = mesh["poses"], mesh["contacts"]
    return f"""
## Meshes

A box rests on a face of another that is given as 768 triangles, 10 um to 1 mm deep, in {n} poses. FCL (`collide` of a `BVHModel` and a box) gives
{contacts / n:.0f} contacts a pose, one a triangle: {share(mesh['wrong_normal'], contacts)} of them have another normal than the face, {share(mesh['coarse'], contacts)} a depth wrong by more than a tenth.
csim gives {mesh['csim_contacts'] / n:.1f}, the corners of the face, of which {share(mesh['csim_wrong'], mesh['csim_contacts'])} have another normal or depth. A spring a triangle would make stiffness a matter of the
tessellation: FCL's trees are used, its contacts of triangles are not. A test holds that contacts have the same bits with FCL's tree and with
ours. (In overlaps that are deep against the size of triangles our wider boxes may find one more of many points.)
"""


def broad_section(data):
    rows = [[case["bodies"], case["pairs"], f"{1e3 * case['native']:.3f}", f"{1e3 * case['fcl']:.3f}", f"{case['fcl'] / case['native']:.1f}",
             "yes" if case["same"] else "NO"] for case in data["broad_phase"]]
    return f"""
## Broad phase

A dense pile of boxes that shake by 1 mm, a query (ms) with update or building of the tree and sorted pairs:

{table(["bodies", "pairs", "native", "fcl", "ratio", "same pairs"], rows)}"""


def run_scene(options, name, engine, folder):
    """Seconds of all steps, of their queries; steps, native answers, positions."""
    file = Path(folder) / f"{name}_{engine}.h5"
    command = [options.build / "bin/csim", "run", ROOT / f"scenes/{name}/scene.yaml", "-o", file, "--force", "-q", "--set", f"contact.engine={engine}",
               "--end", str(SCENES[name])]
    least = None
    for _ in range(RUNS):
        subprocess.run([str(word) for word in command], check=True, preexec_fn=pinned(options), capture_output=True)
        with h5py.File(file) as f:
            step = f["stats/step"]
            times = float(step["seconds_total"][:].sum()), float(step["seconds_geometry"][:].sum())
            least = min(least or times, times)
            kinds, values = f["event/kind"][:], f["event/value"][:]
            unanswered = int(sum(value for kind, value in zip(kinds, values) if kind == b"native answer"))
            position, contacts = f["trajectory/position"][:], int(step["num_contacts"][:].sum())
    return *least, unanswered, contacts, position


def scene_section(options):
    rows = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for name in SCENES:
            native, fcl = (run_scene(options, name, engine, folder) for engine in ("native", "fcl"))
            frames = min(len(native[4]), len(fcl[4]))
            apart = np.abs(native[4][:frames] - fcl[4][:frames]).max(axis=(1, 2))
            rows.append([f"`{name}`", SCENES[name], f"{native[0]:.3g}", f"{fcl[0]:.3g}", f"{100 * native[1] / native[0]:.0f} %",
                         f"{100 * fcl[1] / fcl[0]:.0f} %", f"{fcl[1] / native[1]:.1f}", fcl[3], fcl[2], length(apart[: max(2, frames // 10)].max()), length(apart[-1])])
    return f"""
## Whole scenes

Time of all steps (s), the share of queries in it, ratio of the time of queries; contact points offered with `fcl`, pairs answered natively; how far (m) the two
motions are apart in the first tenth and at the end. Piles are chaotic: there any difference of round-off grows to the size of a body.
`tests/regression/scenes/test_scenes_fcl.py` holds the numbers of every scene's README with `fcl` too.

{table(["scene", "until, s", "native", "fcl", "queries, native", "queries, fcl", "ratio", "contacts", "native answers", "apart, early", "at the end"], rows)}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/bench")
    parser.add_argument("--poses", type=int, default=1000)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs/evidence/contact_queries.md")
    options = parser.parse_args()
    data = bench(options)
    options.output.write_text(TEXT + pair_section(data) + mesh_section(data) + broad_section(data) + scene_section(options), encoding="utf-8")


if __name__ == "__main__":
    main()
