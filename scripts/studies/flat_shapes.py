"""Made shapes for docs/evidence/real_shapes.md: prisms with uneven bases at rest, and slides over the seams of a floor. Part of scripts/studies/real_shapes.py."""
import json
import math
import random
import subprocess

import h5py
import numpy as np

LAWS = ("lagged", "coulomb", "sap", "similar", "tamsi")
GRAVITY = 9.81

CORNERS, UNEVEN = (4, 6, 12, 20, 64), (0.0, 1e-9, 1e-7, 1e-5, 1e-4)  # m
RADIUS, HEIGHT = 0.05, 0.04  # m
SLOPES, STEPS = (0.0, 15.0), (1e-3, 1e-2)  # degrees, s
REST_END, REST_WINDOW = 2.5, 0.5  # s
TURNING, WEIGHT = 1e-6, 1e-3  # rad/s; of the weight

FLOORS = ("two boxes", "two boxes of a body", "mesh tiles", "0.1 mm down")
SLIDERS = {"box": {"shape": "box", "size": [0.1, 0.06, 0.04]}, "sphere": {"shape": "sphere", "radius": 0.02},
           "cylinder": {"shape": "cylinder", "radius": 0.02, "length": 0.05}, "capsule": {"shape": "capsule", "radius": 0.02, "length": 0.05}}
SPEEDS, TURNS, SEAM_END = (0.5, 2.0), (0.0, 5.0), 0.6  # m/s, degrees, s


def run(csim, scene, folder):
    """The result file of a scene; None and the message where it fails."""
    path, out = folder / "scene.yaml", folder / "scene.h5"
    path.write_text(json.dumps(scene))
    done = subprocess.run([csim, "run", path, "-o", out, "-q", "--force"], capture_output=True, text=True)
    return (out, "") if done.returncode == 0 else (None, (done.stderr.strip() or "?").splitlines()[0])


def prism(corners, uneven, rng):
    """(points, triangles): a base of the radius at the height 0 but for its unevenness, and a flat top."""
    around = [2 * math.pi * i / corners for i in range(corners)]
    base = [[RADIUS * math.cos(a), RADIUS * math.sin(a), uneven * rng.uniform(-1, 1)] for a in around]
    points = base + [[x, y, HEIGHT] for x, y, _ in base]
    n = corners
    triangles = [t for i in range(n) for j in [(i + 1) % n] for t in ((i, j, n + j), (i, n + j, n + i))]
    triangles += [t for i in range(1, n - 1) for t in ((0, i + 1, i), (n, n + i, n + i + 1))]
    return points, triangles


def prism_scene(kind, slope, step, law, folder):
    rng, bodies = random.Random("prisms"), []
    turn = math.radians(slope)
    for i, corners in enumerate(CORNERS):
        for j, uneven in enumerate(UNEVEN):
            points, triangles = prism(corners, uneven, rng)
            geometry = {"shape": "convex", "points": points, "material": "m"}
            if kind == "mesh":
                name = f"prism_{corners}_{j}.obj"
                (folder / name).write_text("".join("v {} {} {}\n".format(*p) for p in points) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles))
                geometry = {"shape": "mesh", "file": name, "material": "m"}
            height = 1e-3  # over the slope that rises against x
            place = [0.3 * j + height * math.sin(turn), 0.3 * i, -0.3 * j * math.tan(turn) + height * math.cos(turn)]
            bodies.append({"name": f"p{corners}_{j}", "density": 1000, "pose": {"xyz": place, "rpy_deg": [0, slope, 0]}, "geometry": [geometry]})
    floor = {"name": "floor", "fixed": True, "pose": {"rpy_deg": [0, slope, 0]}, "geometry": [{"shape": "half_space", "material": "m"}]}
    return {"csim": 1, "time": {"step": step, "end": REST_END}, "materials": {"m": {"friction": 0.5, "stiffness": 1e5}}, "contact": {"model": law},
            "bodies": [floor, *bodies], "output": {"period": 0.01}}


def judge_rest(file):
    """How many of the prisms rest, how fast the fastest turns and how far its weight is off, how many steps of the end are divided."""
    with h5py.File(file) as f:
        time = f["trajectory/time"][:]
        last = np.flatnonzero(time > REST_END - REST_WINDOW)
        turning = np.linalg.norm(f["trajectory/angular_velocity"][:][last, 1:], axis=2).max(axis=0)
        offset, force, body = f["contact/row_offset"][:], f["contact/force"][:], f["geometries/body"][:][f["contact/geometry_b"][:]]
        weight = f["bodies/mass"][1:] * GRAVITY
        off = np.zeros(len(weight))
        for row in last:
            here = slice(offset[row], offset[row + 1])
            held = np.array([[np.bincount(body[here], force[here, k], len(weight) + 1)[1:] for k in range(3)]])[0]
            held[2] -= weight
            off = np.maximum(off, np.linalg.norm(held, axis=0) / weight)
        kinds = [k.decode() for k in f["event/kind"][:]]
        divided = sum(k == "divided step" and bool(t > REST_END - REST_WINDOW) for k, t in zip(kinds, f["event/time"][:]))
    return {"rest": int(((turning < TURNING) & (off < WEIGHT)).sum()), "of": len(weight), "turning": float(turning.max()), "off": float(off.max()),
            "divided": divided, "gained": "energy from nothing" in kinds}


def prisms(csim, folder):
    rows = []
    for kind in ("convex", "mesh"):
        for slope in SLOPES:
            for step in STEPS:
                for law in LAWS:
                    out, why = run(csim, prism_scene(kind, slope, step, law, folder), folder)
                    rows.append({"kind": kind, "slope": slope, "step": step, "law": law} | (judge_rest(out) if out else {"why": why}))
    return rows


def prisms_table(rows):
    lines = ["## Prisms with uneven bases", "",
             f"{len(CORNERS) * len(UNEVEN)} prisms, of 4 to 64 corners with bases off by 0 to 1e-4 m (radius {RADIUS} m), on a half space: how many turn slower than {TURNING:g} rad/s with their "
             f"weight held to {100 * WEIGHT:g} % from 2 s on, under each law.", "",
             "| kind | slope, degrees | step, s | " + " | ".join(LAWS) + " | fastest, rad/s | weight off | divided steps at rest | energy from nothing |", "|" + "---|" * (len(LAWS) + 7)]
    for kind in ("convex", "mesh"):
        for slope in SLOPES:
            for step in STEPS:
                of = {r["law"]: r for r in rows if (r["kind"], r["slope"], r["step"]) == (kind, slope, step)}
                ran = [r for r in of.values() if "rest" in r]
                counts = " | ".join(f"{of[law]['rest']} of {of[law]['of']}" if "rest" in of[law] else "fails" for law in LAWS)
                lines.append(f"| {kind} | {slope:g} | {step:g} | {counts} | {max(r['turning'] for r in ran):.1e} | {max(r['off'] for r in ran):.1e} | "
                             f"{sum(r['divided'] for r in ran)} | {'yes' if any(r['gained'] for r in ran) else 'none'} |")
    return "\n".join(lines) + "\n"


def hull(corners, uneven, radius, rng):
    points, _ = prism(corners, uneven * RADIUS / radius, rng)  # scaled below
    return {"shape": "convex", "points": [[radius / RADIUS * x for x in p] for p in points], "material": "m"}


def stacked_pairs(rng):
    """(what, geometry of the floor, height of its top in its frame, geometry of the body, height of its middle, place over the floor, turn in degrees): hulls on caps, caps and lines on hulls, and
    cylinders over edges."""
    can = {"shape": "cylinder", "radius": RADIUS, "length": HEIGHT, "material": "m"}
    lines = [{"shape": kind, "radius": 0.03, "length": 0.2, "material": "m"} for kind in ("capsule", "cylinder")]
    drum = lambda radius: {"shape": "cylinder", "radius": radius, "length": 0.2, "material": "m"}  # noqa: E731
    for corners in CORNERS:
        for uneven in UNEVEN[:-1]:
            for radius, x in ((0.2, 0.01), (0.03, 0.01), (0.06, 0.03), (0.2, 0.18)):
                yield "hulls on caps", drum(radius), 0.1, hull(corners, uneven, RADIUS, rng), 0.0, x, 0.0
            apothem = 0.2 * math.cos(math.pi / corners)
            for x in (0.01, apothem - 0.02, apothem - 0.01):
                yield "caps on hulls", hull(corners, uneven, 0.2, rng), HEIGHT * 4, can, HEIGHT / 2, x, 0.0
            if uneven <= 1e-7:  # what lies on a steeper one rolls
                for line in lines:
                    yield "capsules and lying cylinders on hulls", hull(corners, uneven, 0.2, rng), HEIGHT * 4, line, 0.03, 0.01, 90.0
    for floor in ({"shape": "box", "size": [0.4, 0.4, 0.2], "material": "m"}, drum(0.2)):
        for x in (0.14, 0.15, 0.155, 0.16, 0.17, 0.18, 0.19):
            yield "cylinders over the edge of a box or cylinder", floor, 0.1, can, HEIGHT / 2, x, 0.0


def stacked(csim, folder):
    """How many of the pairs rest under each law, and how fast the fastest turns."""
    pairs, rows = list(stacked_pairs(random.Random("stacked"))), []
    bodies = []
    for i, (_, floor, top, geometry, middle, x, pitch) in enumerate(pairs):
        place = [2.0 * (i % 16), 2.0 * (i // 16), 0.0]
        bodies.append({"name": f"floor{i}", "fixed": True, "pose": {"xyz": [place[0], place[1], -top]}, "geometry": [floor]})
        bodies.append({"name": f"b{i}", "density": 1000, "pose": {"xyz": [place[0] + x, place[1] + 0.004, middle + 1e-3], "rpy_deg": [0.3, pitch + 0.2, 10]}, "geometry": [geometry]})
    for law in LAWS:
        scene = {"csim": 1, "time": {"step": 1e-3, "end": 4.0}, "materials": {"m": {"friction": 0.5, "stiffness": 1e5}}, "contact": {"model": law}, "bodies": bodies, "output": {"period": 0.01}}
        out, why = run(csim, scene, folder)
        if out is None:
            rows += [{"law": law, "what": what, "why": why} for what in dict.fromkeys(p[0] for p in pairs)]
            continue
        with h5py.File(out) as f:
            turning = np.linalg.norm(f["trajectory/angular_velocity"][-50:, 1::2], axis=2).max(axis=0)
        for what in dict.fromkeys(p[0] for p in pairs):
            of = np.array([t for t, p in zip(turning, pairs) if p[0] == what])
            rows.append({"law": law, "what": what, "rest": int((of < TURNING).sum()), "of": len(of), "turning": float(of.max())})
    return rows


def stacked_table(rows):
    lines = ["## Caps, capsules and hulls on each other", "",
             f"Prisms of 4 to 64 corners with bases off by 0 to 1e-5 m under and on caps of cylinders, capsules and cylinders that lie on such bases, cylinders that stand over an edge: how many turn slower than {TURNING:g} rad/s "
             "after 3.5 s.", "", "| what | " + " | ".join(LAWS) + " | fastest, rad/s |", "|" + "---|" * (len(LAWS) + 2)]
    for what in dict.fromkeys(r["what"] for r in rows):
        of = {r["law"]: r for r in rows if r["what"] == what}
        counts = " | ".join(f"{of[law]['rest']} of {of[law]['of']}" if "rest" in of[law] else "fails" for law in LAWS)
        lines.append(f"| {what} | {counts} | {max((r['turning'] for r in of.values() if 'rest' in r), default=math.nan):.1e} |")
    return "\n".join(lines) + "\n"


def tiles(folder):
    """A floor of 40 x 40 squares of 0.1 m, as triangles, at the height 0."""
    n, size = 40, 0.1
    points = "".join(f"v {size * (i - n / 2)} {size * (j - n / 2)} 0\n" for i in range(n + 1) for j in range(n + 1))
    corner = lambda i, j: i * (n + 1) + j + 1  # noqa: E731
    faces = "".join(f"f {corner(i, j)} {corner(i + 1, j)} {corner(i + 1, j + 1)}\nf {corner(i, j)} {corner(i + 1, j + 1)} {corner(i, j + 1)}\n" for i in range(n) for j in range(n))
    (folder / "tiles.obj").write_text(points + faces)
    return {"shape": "mesh", "file": "tiles.obj", "material": "m"}


def floor_bodies(floor, folder):
    box = lambda x, z=-0.5, size=4.0: {"shape": "box", "size": [size, 4, 1], "pose": {"xyz": [x, 0, z]}, "material": "m"}  # noqa: E731
    if floor == "two boxes":
        return [{"name": f"floor{i}", "fixed": True, "geometry": [box(x)]} for i, x in enumerate((-2, 2))]
    if floor == "0.1 mm down":
        return [{"name": f"floor{i}", "fixed": True, "geometry": [box(x, z)]} for i, (x, z) in enumerate(((-2, -0.5), (2, -0.5001)))]
    geometry = {"one box": [box(0, size=8.0)], "two boxes of a body": [box(-2), box(2)], "mesh tiles": [tiles(folder)]}[floor]
    return [{"name": "floor", "fixed": True, "geometry": geometry}]


def seam_scene(floor, law, folder):
    bodies, lane, number = floor_bodies(floor, folder), -1.5, 0
    for name, geometry in SLIDERS.items():
        for speed in SPEEDS:
            for turn in TURNS:
                number += 1
                lying = name in ("cylinder", "capsule")
                bodies.append({"name": f"{name}_{number}", "density": 1000, "pose": {"xyz": [-0.2 * speed, lane + 0.0137, 0.02], "rpy_deg": [90 if lying else 0, 0, turn]},
                               "velocity": {"linear": [speed, 0, 0]}, "geometry": [geometry | {"material": "m"}]})
                lane += 0.19
    return {"csim": 1, "time": {"step": 2e-3, "end": SEAM_END}, "materials": {"m": {"friction": 0.1}}, "contact": {"model": law}, "bodies": bodies, "output": {"period": 0.01}}


def seams(csim, folder):
    """The farthest that a slider ends from where it does on one box, per floor, law and shape."""
    rows = []
    for law in LAWS:
        ends = {}
        for floor in ("one box", *FLOORS):
            out, why = run(csim, seam_scene(floor, law, folder), folder)
            if out is None:
                rows.append({"law": law, "floor": floor, "why": why})
                continue
            with h5py.File(out) as f:
                names, x = [n.decode() for n in f["bodies/name"][:]], f["trajectory/position"][-1, :, 0]
            ends[floor] = {n: float(p) for n, p in zip(names, x) if "_" in n}
        for floor in FLOORS:
            if floor in ends:
                rows.append({"law": law, "floor": floor} | {shape: max(abs(p - ends["one box"][n]) for n, p in ends[floor].items() if n.startswith(shape)) for shape in SLIDERS})
    return rows


def seams_table(rows):
    lines = ["## Seams", "", f"Boxes, spheres, lying cylinders and capsules slide or roll over a seam at {' and '.join(f'{s:g}' for s in SPEEDS)} m/s, straight and turned by {TURNS[1]:g} degrees (friction 0.1, "
             f"step 2 ms): how far, in mm, they are after {SEAM_END:g} s from where they are on one box, the farthest of each.", "",
             "| floor | law | " + " | ".join(SLIDERS) + " |", "|" + "---|" * (2 + len(SLIDERS))]
    for floor in FLOORS:
        for row in (r for r in rows if r["floor"] == floor):
            numbers = " | ".join(f"{1e3 * row[shape]:.2g}" if shape in row else "fails" for shape in SLIDERS)
            lines.append(f"| {floor} | {row['law']} | {numbers} |")
    return "\n".join(lines) + "\n"
