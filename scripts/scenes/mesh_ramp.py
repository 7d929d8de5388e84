#!/usr/bin/env python3
"""Writes scenes/mesh_ramp/ramp.obj: a slope of 15 degrees, 2 m long, that runs out into 2 m of flat ground; 1 m wide, open.

    scripts/scenes/mesh_ramp.py [FOLDER]        FOLDER holds mesh_ramp/; by default scenes/
"""
import math
import pathlib
import sys

ANGLE = math.radians(15)
LENGTH, WIDTH = 2.0, 1.0      # m, of the slope and of the flat; across
CELLS, CELLS_ACROSS = 8, 4    # on the slope and on the flat; across


def vertices():
    """Rows of points across the ramp, from the top of the slope (the origin) down along +x."""
    step = LENGTH / CELLS
    for i in range(2 * CELLS + 1):
        slope, flat = min(i, CELLS) * step, max(i - CELLS, 0) * step
        for j in range(CELLS_ACROSS + 1):
            yield slope * math.cos(ANGLE) + flat, (j / CELLS_ACROSS - 0.5) * WIDTH, -slope * math.sin(ANGLE)


def triangles():
    """Two a cell, counterclockwise from above; the diagonal alternates, so that no direction along the ramp is free of edges."""
    row = CELLS_ACROSS + 1
    for i in range(2 * CELLS):
        for j in range(CELLS_ACROSS):
            a, b, c, d = i * row + j, (i + 1) * row + j, (i + 1) * row + j + 1, i * row + j + 1
            yield from ((a, b, c), (a, c, d)) if (i + j) % 2 == 0 else ((a, b, d), (b, c, d))


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "scenes"
    lines = ["# Written by scripts/scenes/mesh_ramp.py: change that, not this."]
    lines += [f"v {x:.12g} {y:.12g} {z:.12g}" for x, y, z in vertices()]
    lines += ["f " + " ".join(str(v + 1) for v in triangle) for triangle in triangles()]
    (folder / "mesh_ramp").mkdir(parents=True, exist_ok=True)
    (folder / "mesh_ramp" / "ramp.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
