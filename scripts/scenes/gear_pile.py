#!/usr/bin/env python3
"""Writes scenes/gear_pile/: gear.obj, a spur gear with a bore, and scene.yaml, in which it lands in a bin and a heap of shapes lands on it.

    scripts/scenes/gear_pile.py [FOLDER]        FOLDER holds gear_pile/; by default scenes/
"""
import math

from clutter import container_of
from common.folder import scene_folder
from common.heap import SETTINGS, heap_body, heap_poses
from common.surface import write_obj

TEETH = 14
OUTER, ROOT, BORE, THICKNESS = 0.15, 0.12, 0.05, 0.06    # m: radii of tips, roots and bore; height
# Half angles of a tooth in units of its pitch at these radii: flanks lean, the tip is narrower than the root.
PROFILE = [(ROOT, -0.50), (ROOT, -0.30), (0.5 * (ROOT + OUTER), -0.21), (OUTER, -0.12), (OUTER, 0.12), (0.5 * (ROOT + OUTER), 0.21), (ROOT, 0.30)]

WIDTH, HEIGHT = 0.6, 0.5      # m, of the bin
SHAPES = ["sphere, radius: 0.03", "box, size: [0.06, 0.05, 0.04]", "cylinder, radius: 0.025, length: 0.06", "capsule, radius: 0.02, length: 0.05",
          "ellipsoid, semi_axes: [0.04, 0.03, 0.02]"]
PER_SIDE, LAYERS, SPACING = 4, 3, 0.12    # m, of the heap

ABOUT = "A gear, a triangle mesh with teeth and a bore, lands in a bin; spheres, boxes, cylinders, capsules and ellipsoids land on it."


def outline():
    pitch = 2 * math.pi / TEETH
    return [(r * math.cos((n + a) * pitch), r * math.sin((n + a) * pitch)) for n in range(TEETH) for r, a in PROFILE]


def gear():
    """Vertices and triangles (counterclockwise from outside): four rings, the outline and the bore below and above."""
    ring = outline()
    hole = [(BORE * x / math.hypot(x, y), BORE * y / math.hypot(x, y)) for x, y in ring]
    n, h = len(ring), THICKNESS / 2
    vertices = [(x, y, z) for loop in (ring, hole) for z in (-h, h) for x, y in loop]
    low, high, hole_low, hole_high = (range(i * n, (i + 1) * n) for i in range(4))
    triangles = []
    for i in range(n):
        j = (i + 1) % n
        for a, b, c, d in ((low[i], low[j], high[j], high[i]), (hole_low[j], hole_low[i], hole_high[i], hole_high[j]),
                           (high[i], high[j], hole_high[j], hole_high[i]), (low[j], low[i], hole_low[i], hole_low[j])):
            triangles += [(a, b, c), (a, c, d)]
    return vertices, triangles


def scene():
    lines = container_of(WIDTH, HEIGHT)
    lines += ["  - name: gear", "    density: 2700", "    pose: {xyz: [0, 0, 0.25], rpy_deg: [50, 10, 0]}",
              "    geometry: [{shape: mesh, file: gear.obj, material: body}]"]
    for n, pose in enumerate(heap_poses(PER_SIDE, LAYERS, SPACING, 0.5)):
        shape = SHAPES[n % len(SHAPES)]
        lines.append(heap_body(f"{shape.split(',')[0]}_{n}", pose, shape))
    return SETTINGS.format(name="gear_pile", about=ABOUT) + "\n".join(lines) + "\n"


def main():
    folder = scene_folder("gear_pile")
    write_obj(folder / "gear.obj", "gear_pile", *gear(), 12)
    (folder / "scene.yaml").write_text(scene(), encoding="utf-8")


if __name__ == "__main__":
    main()
