#!/usr/bin/env python3
"""Writes scenes/mesh_pile/: triangle meshes that are not convex, and scene.yaml, in which they fall into a bin.

    scripts/scenes/mesh_pile.py [FOLDER]        FOLDER holds mesh_pile/; by default scenes/

blob.obj is a sphere with four lobes and the hollows between them, bone.obj two heads and a shaft, ring.obj a torus, gear.obj a spur gear with a bore.
"""
import math
import pathlib
import sys

from clutter import container_of, draw_quaternions, numbers
from gear_pile import gear

WIDTH, HEIGHT = 0.5, 0.5                      # m, of the bin
PER_SIDE, LAYERS, SPACING = 3, 3, 0.15        # m, of the heap
FINENESS = 4                                  # an octahedron's triangles are cut so often: 2048 of them
RING, TUBE, AROUND, ACROSS = 0.045, 0.016, 48, 20    # m, of the torus; its points
GEAR = 0.45                                   # scale of gear_pile's gear: 0.135 m across
NAMES = ["blob", "bone", "ring", "gear"]

HEADER = """\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/mesh_pile.py: change that, not this.
# Blobs, bones, rings and gears, closed triangle meshes none of which is convex, fall into a bin onto each other.
csim: 1
name: mesh_pile
time: {step: 5.0e-3, end: 6.0}

materials:
  body: {friction: 0.5, stiffness: 1.0e6, hunt_crossley_dissipation: 5.0}
  wall: {friction: 0.5, stiffness: rigid}

output: {period: 0.02}

bodies:
"""


def sphere(times):
    """Directions and triangles of an octahedron each of whose triangles is cut into four so often."""
    points = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    triangles = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(times):
        middles, finer = {}, []

        def middle(i, j):
            if (key := (min(i, j), max(i, j))) not in middles:
                sums = [a + b for a, b in zip(points[i], points[j])]
                middles[key] = len(points)
                points.append(tuple(x / math.hypot(*sums) for x in sums))
            return middles[key]

        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = finer
    return points, triangles


def blob():
    points, triangles = sphere(FINENESS)
    lobes = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]

    def radius(p):
        nearness = sum(math.exp(-6.0 * (1.0 - sum(a * b for a, b in zip(p, lobe)) / math.sqrt(3))) for lobe in lobes)
        return 0.032 + 0.026 * nearness
    return [tuple(radius(p) * x for x in p) for p in points], triangles


def bone():
    points, triangles = sphere(FINENESS)

    def place(p):
        x, y, z = p
        waist = 0.014 + 0.022 * z * z * (1.0 + 0.5 * x * x / (x * x + y * y + 1e-9))
        return waist * x / math.sqrt(1.0001 - z * z), waist * y / math.sqrt(1.0001 - z * z), 0.07 * z

    # Heads are rounded off by the sphere, the shaft is a tube.
    def rounded(p):
        x, y, z = place(p)
        close = math.sqrt(max(0.0, 1.0 - p[2] ** 8))
        return close * x, close * y, z
    return [rounded(p) for p in points], triangles


def ring():
    points, triangles = [], []
    for i in range(AROUND):
        for j in range(ACROSS):
            u, v = 2 * math.pi * i / AROUND, 2 * math.pi * j / ACROSS
            r = RING + TUBE * math.cos(v)
            points.append((r * math.cos(u), r * math.sin(u), TUBE * math.sin(v)))
            a, b = i * ACROSS + j, (i + 1) % AROUND * ACROSS + j
            d, c = i * ACROSS + (j + 1) % ACROSS, (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS
            triangles += [(a, b, c), (a, c, d)]
    return points, triangles


def small_gear():
    points, triangles = gear()
    return [tuple(GEAR * x for x in p) for p in points], triangles


def scene():
    lines = container_of(WIDTH, HEIGHT)
    for n, quaternion in enumerate(draw_quaternions(PER_SIDE**2 * LAYERS)):
        layer, place = divmod(n, PER_SIDE**2)
        x, y = ((i - (PER_SIDE - 1) / 2) * SPACING for i in divmod(place, PER_SIDE))
        position = numbers(round(c, 6) for c in (x, y, 0.12 + layer * SPACING))
        name = NAMES[n % len(NAMES)]
        lines.append(f"  - {{name: {name}_{n}, density: 1000, pose: {{xyz: {position}, quaternion_wxyz: {numbers(quaternion)}}}, "
                     f"geometry: [{{shape: mesh, file: {name}.obj, material: body}}]}}")
    return HEADER + "\n".join(lines) + "\n"


def main():
    folder = (pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "scenes") / "mesh_pile"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (vertices, triangles) in (("blob", blob()), ("bone", bone()), ("ring", ring()), ("gear", small_gear())):
        lines = ["# Written by scripts/scenes/mesh_pile.py: change that, not this."]
        lines += [f"v {x:.7g} {y:.7g} {z:.7g}" for x, y, z in vertices]
        lines += ["f " + " ".join(str(v + 1) for v in triangle) for triangle in triangles]
        (folder / f"{name}.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "scene.yaml").write_text(scene(), encoding="utf-8")


if __name__ == "__main__":
    main()
