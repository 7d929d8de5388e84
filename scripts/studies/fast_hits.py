#!/usr/bin/env python3
"""Random shots at steps in which a shape travels up to twice its size: what goes through, what gains energy.

    scripts/studies/fast_hits.py [--csim PROGRAM] [--shots 10000] [--first 0] [--kind KIND]... [--set KEY=VALUE]... [--jobs N] [-v]

Every shot is a scene of its own, made from its number alone: a shape (sphere, box, ellipsoid, cylinder, capsule, polytope) flies, in half of
them with gravity, at a wall of 1 mm, a thick wall, a half space, a free plate of 2 mm or another free shape; a soft ball or box of a pressure field (`patch`) at a wall, a
half space or a rigid box. Half of them spin. `--kind mesh`, which is not among the kinds of every run: closed surfaces of triangles with bumps, at these and at each
other. Needs numpy and h5py.

Passed: the centres' path between the recorded rows crosses the middle of the wall, comes out beneath the half space, or brings the balls inscribed in
two shapes closer than half their radii. Silent: passed without an event `passage`. Gained: the energy, that of overlaps
included, ever exceeds that of the start by more than 1 % of its kinetic energy; "without overlaps" is the largest gain of kinetic and potential energy.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import h5py
import numpy as np

SHAPES = ("sphere", "box", "ellipsoid", "cylinder", "capsule", "polytope")
TARGETS = ("wall", "block", "half_space", "plate", "shape")
KINDS = (*SHAPES, "patch")
ALL_KINDS = (*KINDS, "mesh")  # mesh is asked for by name: the numbers of the other shots stay
DENSITY, GAIN, STEPS = 1000.0, 0.01, 14
LOUD = {"passage"}


def unit(rng):
    while True:
        v = np.array([rng.gauss(0, 1) for _ in range(3)])
        if np.linalg.norm(v) > 1e-3:
            return v / np.linalg.norm(v)


def quaternion(rng):
    q = np.array([rng.gauss(0, 1) for _ in range(4)])
    return [float(x) for x in q / np.linalg.norm(q)]


def draw_mesh(rng, r):
    """(vertices, triangles) of a closed surface, an octahedron divided twice: bumps on an ellipsoid, not convex"""
    points = list(np.vstack([np.eye(3), -np.eye(3)]))  # x, y, z, -x, -y, -z
    faces = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    for _ in range(2):
        between, finer = {}, []

        def middle(i, j):
            key = (min(i, j), max(i, j))
            if key not in between:
                p = points[i] + points[j]
                between[key] = len(points)
                points.append(p / np.linalg.norm(p))
            return between[key]

        for i, j, k in faces:
            a, b, c = middle(i, j), middle(j, k), middle(k, i)
            finer += [(i, a, c), (a, j, b), (c, b, k), (a, b, c)]
        faces = finer
    axes = r * np.array([1.0, rng.uniform(0.4, 1.0), rng.uniform(0.4, 1.0)])
    return [p * axes * rng.uniform(0.6, 1.0) for p in points], faces


def draw_shape(rng, kind):
    """(geometry, radius of a ball about the centre around it, radius of one inside it, volume about)"""
    r, flat = rng.uniform(0.01, 0.03), rng.uniform(0.25, 1.0)
    if kind == "sphere":
        return {"shape": "sphere", "radius": r}, r, r
    if kind == "box":
        half = [r, r * rng.uniform(0.25, 1.0), r * flat]
        return {"shape": "box", "size": [2 * x for x in half]}, math.dist(half, (0, 0, 0)), min(half)
    if kind == "ellipsoid":
        axes = [r, r * rng.uniform(0.25, 1.0), r * flat]
        return {"shape": "ellipsoid", "semi_axes": axes}, r, min(axes)
    if kind == "cylinder":
        length = 2 * r * rng.choice([flat, 1 / flat])
        return {"shape": "cylinder", "radius": r, "length": length}, math.hypot(r, length / 2), min(r, length / 2)
    if kind == "capsule":
        length = 2 * r / flat
        return {"shape": "capsule", "radius": r, "length": length}, r + length / 2, r
    if kind == "mesh":
        vertices, faces = draw_mesh(rng, r)
        inner = min(abs(np.dot(n, vertices[i])) / np.linalg.norm(n) for i, j, k in faces
                    for n in [np.cross(vertices[j] - vertices[i], vertices[k] - vertices[i])])
        text = "".join("v {} {} {}\n".format(*map(float, p)) for p in vertices) + "".join("f {} {} {}\n".format(*(i + 1 for i in f)) for f in faces)
        return {"shape": "mesh", "file": text}, max(map(np.linalg.norm, vertices)), float(inner)
    # Points on an ellipsoid and their opposites: the hull's centre of mass is at the origin.
    axes = np.array([r, r * rng.uniform(0.4, 1.0), r * max(flat, 0.4)])
    points = [unit(rng) * axes for _ in range(8)]
    points += [np.eye(3)[i] * axes for i in range(3)]
    points = [[float(x) for x in sign * p] for p in points for sign in (1, -1)]
    return {"shape": "convex", "points": points}, max(math.dist(p, (0, 0, 0)) for p in points), float(min(axes)) / math.sqrt(3)


def body(name, geometry, position, velocity=(0, 0, 0), spin=(0, 0, 0), rotation=(1, 0, 0, 0)):
    return {"name": name, "density": DENSITY, "pose": {"xyz": list(map(float, position)), "quaternion_wxyz": list(rotation)},
            "velocity": {"linear": list(map(float, velocity)), "angular": list(map(float, spin))}, "geometry": [geometry]}


def draw(number, kinds):
    """The scene of a shot, and what tells whether it has passed."""
    rng = random.Random(f"shot {number}")
    kind = kinds[number % len(kinds)]
    patch = kind == "patch"
    shape, outer, inner = draw_shape(rng, rng.choice(("sphere", "box")) if patch else kind)
    target = rng.choice(("wall", "block", "half_space") if patch else TARGETS)
    h = 10 ** rng.uniform(-3.3, -2.0)
    travel = rng.uniform(0.05, 2.0) * 2 * outer
    speed = travel / h
    tilt = math.radians(60) * rng.random() ** 0.5
    around = rng.uniform(0, 2 * math.pi)
    direction = np.array([math.sin(tilt) * math.cos(around), math.sin(tilt) * math.sin(around), -math.cos(tilt)])
    spin = unit(rng) * rng.choice([0.0, rng.uniform(0, min(1.0, travel / outer)) / h])
    material = {"friction": rng.choice([0.0, rng.random()]), "hunt_crossley_dissipation": rng.choice([0.0, 10 ** rng.uniform(-2, 1)])}
    mass = DENSITY * 4.2 * outer**2 * inner  # about, from above
    energy = mass * speed**2
    # The law alone stops the shot within a tenth to a third of its inner radius.
    depth = inner * 10 ** rng.uniform(-1.5, -0.5)
    if patch:
        shape |= {"contact": "compliant", "resolution": inner}
        material["hydroelastic_modulus"] = energy / depth**3
    elif rng.random() < 0.7 or 2 * energy / (0.3 * inner) ** 2 > 1e6:
        material["stiffness"] = 2 * energy / depth**2
    shape["material"] = "m"
    side = {"wall": 0.0005, "block": 0.05, "half_space": 0.0, "plate": 0.001, "shape": 0.0}[target]
    other, other_inner, bodies = {}, 0.0, []
    if target == "half_space":
        other = {"shape": "half_space"}
    elif target in ("wall", "block"):
        other = {"shape": "box", "size": [4.0, 4.0, 2 * side]}
    elif target == "plate":
        other = {"shape": "box", "size": [8 * outer, 8 * outer, 2 * side]}
    else:
        other, other_outer, other_inner = draw_shape(rng, rng.choice((*SHAPES, "mesh", "mesh", "mesh") if kind == "mesh" else SHAPES))
    other |= {"material": "m"} | ({"contact": "rigid"} if patch else {})
    start = side + outer + rng.uniform(0.0, 1.0) * (travel + outer)
    aim = np.zeros(3)
    if target == "shape":
        start += other_outer
        aim = unit(rng) * rng.uniform(0, 0.8) * (inner + other_inner)
        position = aim - direction * start
    else:
        position = -direction * start / -direction[2]
    fixed = target in ("wall", "block", "half_space")
    if fixed:
        bodies.append({"name": "target", "fixed": True, "geometry": [other]})
    else:
        bodies.append(body("target", other, (0, 0, 0), rotation=quaternion(rng) if target == "shape" else (1, 0, 0, 0)))
    bodies.append(body("shot", shape, position, speed * direction, spin, quaternion(rng)))
    scene = {"csim": 1, "name": "shot", "gravity": [0, 0, rng.choice([0.0, -9.81])], "time": {"step": h, "end": STEPS * h}, "materials": {"m": material},
             "contact": {"model": rng.choice(["lagged", "lagged", "sap", "similar"])}, "bodies": bodies, "output": {"period": h}}
    return scene, dict(kind=kind, target=target, inner=inner, other_inner=other_inner, travel=travel / outer / 2, outer=outer)


def rotate(q, v):
    w, u = q[0], q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def has_passed(shot, result):
    names = [n.decode() for n in result["bodies/name"][:]]
    a, b = names.index("target"), names.index("shot")
    x, q = result["trajectory/position"][:], result["trajectory/quaternion"][:]
    if shot["target"] == "shape":
        close = 0.5 * (shot["inner"] + shot["other_inner"])
        relative = x[:, b] - x[:, a]
        for p, r in zip(relative[:-1], relative[1:]):
            d = r - p
            s = np.clip(-p @ d / max(d @ d, 1e-300), 0, 1)
            if np.linalg.norm(p + s * d) < close:
                return True
        return False
    if shot["target"] != "plate":
        return bool((x[:, b, 2] < 0).any())
    conjugate = q[:, a] * np.array([1, -1, -1, -1])
    p = np.array([rotate(c, v) for c, v in zip(conjugate, x[:, b] - x[:, a])])
    for f in range(len(p) - 1):
        if p[f, 2] > 0 > p[f + 1, 2]:
            s = p[f, 2] / (p[f, 2] - p[f + 1, 2])
            if np.abs((p[f] + s * (p[f + 1] - p[f]))[:2]).max() < 3 * shot["outer"]:
                return True
    return False


def write_scene(scene, folder):
    """The scene's file, and those of its meshes, which `draw` has given as text."""
    for body in scene["bodies"]:
        geometry = body["geometry"][0]
        if geometry["shape"] == "mesh":
            (folder / f"{body['name']}.obj").write_text(geometry["file"])
            geometry["file"] = f"{body['name']}.obj"
    path = folder / "scene.yaml"
    path.write_text(json.dumps(scene, indent=1))
    return path


def fire(program, number, kinds, settings):
    scene, shot = draw(number, kinds)
    with tempfile.TemporaryDirectory() as folder:
        path, out = write_scene(scene, pathlib.Path(folder)), pathlib.Path(folder) / "scene.h5"
        done = subprocess.run([program, "run", path, "-o", out, "-q", *(word for setting in settings for word in ("--set", setting))], capture_output=True, text=True)
        shot.update(number=number, code=done.returncode, error=done.stderr.strip()[-300:])
        if done.returncode not in (0, 3) or not out.exists():
            return shot
        with h5py.File(out) as result:
            energy = result["energy/total"][:] - result["energy/total"][0]
            motion = energy - result["energy/elastic"][:] + result["energy/elastic"][0]
            kinetic = result["energy/kinetic"][0]
            shot.update(gain=float(energy.max() / kinetic), motion_gain=float(motion.max() / kinetic), passed=has_passed(shot, result),
                        events=sorted({k.decode() for k in result["event/kind"][:]}),
                        steps=int(len(energy) - 1), divided=int(sum(k == b"divided step" for k in result["event/kind"][:])))
    shot["silent"] = shot["passed"] and not LOUD & set(shot["events"])
    return shot


def table(shots):
    lines = ["| shape | shots | passed | of these without an event | gained > 1 % | largest gain | without overlaps | failed | steps divided |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for kind in [*ALL_KINDS, "all"]:
        of = [s for s in shots if kind in ("all", s["kind"])]
        ran = [s for s in of if "gain" in s]
        if not of:
            continue
        worst = max((s["gain"] for s in ran), default=0.0)
        lines.append(f"| {kind} | {len(of)} | {sum(s['passed'] for s in ran)} | {sum(s['silent'] for s in ran)} | {sum(s['gain'] > GAIN for s in ran)} | "
                     f"{max(worst, 0):.2g} | {max((s['motion_gain'] for s in ran), default=0.0):.2g} | {sum(s['code'] != 0 for s in of)} | {sum(s['divided'] for s in ran)} of {sum(s['steps'] for s in ran)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default="build/release/bin/csim")
    parser.add_argument("--shots", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0, help="number of the first shot")
    parser.add_argument("--kind", action="append", choices=ALL_KINDS, help="shoot these alone")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of all scenes, as csim run has it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--scene", action="store_true", help="print the scene of the first shot and fire nothing")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the shots that passed, gained or failed")
    arguments = parser.parse_args()
    kinds = tuple(arguments.kind or KINDS)
    if arguments.scene:
        print(json.dumps(draw(arguments.first, kinds)[0], indent=1))
        return 0
    numbers = range(arguments.first, arguments.first + arguments.shots)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        shots = list(pool.map(lambda n: fire(arguments.csim, n, kinds, arguments.set), numbers))
    if arguments.verbose:
        for s in shots:
            if s.get("passed", True) or s["gain"] > GAIN or s["code"] != 0:
                print({k: (round(v, 4) if isinstance(v, float) else v) for k, v in s.items()}, file=sys.stderr)
    print(table(shots))
    bad = [s for s in shots if s.get("silent", True) or s["gain"] > GAIN or s["code"] != 0]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
