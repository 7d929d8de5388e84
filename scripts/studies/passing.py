#!/usr/bin/env python3
"""Random pairs that fly past each other: which exchange an impulse though they never touch.

    scripts/studies/passing.py [--csim PROGRAM] [--pairs 10000] [--first 0] [--set KEY=VALUE]... [--jobs N] [-v]

A scene holds 20 pairs, far from each other, made from its number alone. Of a pair one body flies at the other, which floats or is fixed, and passes it
with a gap of 1e-6 to 1e-2 m, on a way of 0.01 to 3 times its size in a step. Every shape, meshes too; five laws, both engines, margins, with gravity
where both fall; a third of the pairs spin, with gaps beyond the balls around them. Needs numpy and h5py.

Passed by: the velocity of no body's origin (at its centre of mass) is another than that of free fall by more than 1e-9 of its speed, and no contact has
a force.
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

from fast_hits import draw_mesh, quaternion, unit

SHAPES = ("sphere", "box", "ellipsoid", "cylinder", "capsule", "convex", "mesh")
PAIRS, GRAVITY, TOLERANCE = 20, 9.81, 1e-9


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def draw_shape(rng, kind, files):
    """(geometry, support function: how far it reaches along a unit vector of its own axes, radius of the ball about its origin)"""
    r = 10 ** rng.uniform(-2, -1)
    flat = [r * rng.uniform(0.2, 1.0) for _ in range(3)]
    if kind == "sphere":
        return {"shape": kind, "radius": r}, lambda n: r, r
    if kind == "box":
        return {"shape": kind, "size": [2 * x for x in flat]}, lambda n: np.abs(n) @ flat, math.dist(flat, (0, 0, 0))
    if kind == "ellipsoid":
        return {"shape": kind, "semi_axes": flat}, lambda n: np.linalg.norm(n * flat), max(flat)
    if kind == "cylinder":
        return {"shape": kind, "radius": flat[0], "length": 2 * flat[1]}, lambda n: flat[0] * math.hypot(n[0], n[1]) + flat[1] * abs(n[2]), math.hypot(*flat[:2])
    if kind == "capsule":
        return {"shape": kind, "radius": flat[0], "length": 2 * flat[1]}, lambda n: flat[0] + flat[1] * abs(n[2]), flat[0] + flat[1]
    if kind == "mesh":
        points, faces = draw_mesh(rng, r)
        files.append("".join("v {} {} {}\n".format(*map(float, p)) for p in points) + "".join("f {} {} {}\n".format(*(i + 1 for i in f)) for f in faces))
        geometry = {"shape": kind, "file": f"{len(files) - 1}.obj"}
    else:
        points = [unit(rng) * flat for _ in range(8)]
        points = [sign * p for p in points for sign in (1, -1)]
        geometry = {"shape": kind, "points": [list(map(float, p)) for p in points]}
    points = np.array(points)
    return geometry, lambda n: (points @ n).max(), np.linalg.norm(points, axis=1).max()


def draw_pair(rng, number, h, gravity, files):
    """The two bodies"""
    kinds = [rng.choice(SHAPES), rng.choice(SHAPES)]
    shapes = [draw_shape(rng, kind, files) for kind in kinds]
    turns = [quaternion(rng), quaternion(rng)]
    spins = rng.random() < 1 / 3
    flight = unit(rng)
    side = np.cross(flight, unit(rng))
    side /= np.linalg.norm(side)
    reach = [s[2] if spins else s[1](matrix(q).T @ (sign * side)) for s, q, sign in zip(shapes, turns, (1, -1))]
    travel = 10 ** rng.uniform(-2, math.log10(3)) * 2 * shapes[1][2]
    ahead = rng.uniform(0.0, 1.0) * (travel + shapes[0][2] + shapes[1][2])
    place = np.array([100.0 * number, 0, 0])
    offset = (sum(reach) + 10 ** rng.uniform(-6, -2)) * side - ahead * flight
    bodies = []
    for k, name in enumerate(("still", "flying")):
        body = {"name": f"{name}{number}", "pose": {"xyz": list(map(float, place + k * offset)), "quaternion_wxyz": turns[k]},
                "geometry": [shapes[k][0] | {"material": "m"}]}
        if k == 0 and not gravity and rng.random() < 0.5:
            bodies.append(body | {"fixed": True})
            continue
        spin = unit(rng) * rng.uniform(0, 0.5) / h if spins else np.zeros(3)
        bodies.append(body | {"mass": 1.0, "inertia": [1e-3] * 3,
                              "velocity": {"linear": list(map(float, k * travel / h * flight)), "angular": list(map(float, spin))}})
    return bodies


def draw(number):
    """A scene of 20 pairs, and the texts of its mesh files"""
    rng = random.Random(f"passing {number}")
    h, gravity, files = 10 ** rng.uniform(-4, -2), rng.random() < 0.3, []
    bodies = [b for k in range(PAIRS) for b in draw_pair(rng, k, h, gravity, files)]
    contact = {"model": rng.choice(["lagged", "coulomb", "sap", "similar", "tamsi"]), "engine": rng.choice(["native", "native", "fcl"])}
    if rng.random() < 0.2:
        contact["margin"] = 0.0
    friction, steps = rng.choice([0.0, rng.random()]), 12
    scene = {"csim": 1, "name": "passing", "gravity": [0, 0, -GRAVITY * gravity], "time": {"step": h, "end": steps * h}, "materials": {"m": {"friction": friction}},
             "contact": contact, "bodies": bodies, "output": {"period": h}}
    return scene, files


def fly(program, number, settings):
    """The pairs of a scene that exchange an impulse, as (law, number, names, by how much)"""
    scene, files = draw(number)
    law = scene["contact"]["model"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for k, text in enumerate(files):
            (folder / f"{k}.obj").write_text(text)
        path, out = folder / "scene.yaml", folder / "scene.h5"
        path.write_text(json.dumps(scene))
        done = subprocess.run([program, "run", path, "-o", out, "-q", *(word for s in settings for word in ("--set", s))], capture_output=True, text=True)
        if done.returncode != 0:
            return [(law, number, done.stderr.strip()[-200:], math.inf)]
        with h5py.File(out) as result:
            v = result["trajectory/velocity"][:]
            force = result["contact/normal_force"][:]
            of = result["contact/geometry_b"][:] // 2
    v[:, :, 2] -= scene["gravity"][2] * scene["time"]["step"] * np.arange(len(v))[:, None]
    speed = np.linalg.norm(v[0, 1::2], axis=-1)
    change = np.abs(v - v[:1]).max(axis=(0, 2))
    change = np.maximum(change[::2], change[1::2]) / speed
    pressed = set(of[force > 0].tolist())
    return [(law, number, f"{scene['bodies'][2 * k]['geometry'][0]['shape']}, {scene['bodies'][2 * k + 1]['geometry'][0]['shape']} {k}", float(change[k]))
            for k in range(PAIRS) if change[k] > TOLERANCE or k in pressed]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default="build/release/bin/csim")
    parser.add_argument("--pairs", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0, help="number of the first scene")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of all scenes, as csim run has it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--scene", help="write the first scene and its meshes to this folder, and fly nothing")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the pairs that exchange an impulse")
    arguments = parser.parse_args()
    if arguments.scene:
        scene, files = draw(arguments.first)
        folder = pathlib.Path(arguments.scene)
        folder.mkdir(exist_ok=True)
        for k, text in enumerate(files):
            (folder / f"{k}.obj").write_text(text)
        (folder / "scene.yaml").write_text(json.dumps(scene, indent=1))
        return 0
    numbers = range(arguments.first, arguments.first + math.ceil(arguments.pairs / PAIRS))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = [pair for pairs in pool.map(lambda n: fly(arguments.csim, n, arguments.set), numbers) for pair in pairs]
    if arguments.verbose:
        for pair in found:
            print(*pair, file=sys.stderr)
    print(f"{len(numbers) * PAIRS} pairs that pass, {len(found)} with an impulse")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
