#!/usr/bin/env python3
"""Writes scenes/mesh_pile/: triangle meshes that are not convex, and scene.yaml, in which they fall into a bin.

    scripts/scenes/mesh_pile.py [FOLDER]        FOLDER holds mesh_pile/; by default scenes/

blob.obj is a sphere with four lobes and the hollows between them, bone.obj two heads and a shaft, ring.obj a torus, gear.obj a spur gear with a bore.
"""
import math

from clutter import container_of
from common.folder import scene_folder
from common.heap import SETTINGS, heap_body, heap_poses
from common.surface import unit_sphere, write_obj
from gear_pile import gear

WIDTH, HEIGHT = 0.5, 0.5                      # m, of the bin
PER_SIDE, LAYERS, SPACING = 3, 3, 0.15        # m, of the heap
FINENESS = 4                                  # an octahedron's triangles are cut so often: 2048 of them
RING, TUBE, AROUND, ACROSS = 0.045, 0.016, 48, 20    # m, of the torus; its points
GEAR = 0.45                                   # scale of gear_pile's gear: 0.135 m across
NAMES = ["blob", "bone", "ring", "gear"]

ABOUT = "Blobs, bones, rings and gears, closed triangle meshes none of which is convex, fall into a bin onto each other."


def blob():
    points, triangles = unit_sphere(FINENESS)
    lobes = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]

    def radius(p):
        nearness = sum(math.exp(-6.0 * (1.0 - sum(a * b for a, b in zip(p, lobe)) / math.sqrt(3))) for lobe in lobes)
        return 0.032 + 0.026 * nearness
    return [tuple(radius(p) * x for x in p) for p in points], triangles


def bone():
    points, triangles = unit_sphere(FINENESS)

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
    for n, pose in enumerate(heap_poses(PER_SIDE, LAYERS, SPACING, 0.12)):
        name = NAMES[n % len(NAMES)]
        lines.append(heap_body(f"{name}_{n}", pose, f"mesh, file: {name}.obj"))
    return SETTINGS.format(name="mesh_pile", about=ABOUT) + "\n".join(lines) + "\n"


def main():
    folder = scene_folder("mesh_pile")
    for name, surface in (("blob", blob()), ("bone", bone()), ("ring", ring()), ("gear", small_gear())):
        write_obj(folder / f"{name}.obj", "mesh_pile", *surface, 7)
    (folder / "scene.yaml").write_text(scene(), encoding="utf-8")


if __name__ == "__main__":
    main()
