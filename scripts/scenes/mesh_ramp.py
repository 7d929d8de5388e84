#!/usr/bin/env python3
"""Writes scenes/mesh_ramp/ramp.obj: a slope of 15 degrees, 2 m long, that runs out into 2 m of flat ground; 1 m wide, open.

    scripts/scenes/mesh_ramp.py [FOLDER]        FOLDER holds mesh_ramp/; by default scenes/
"""
import math

from common.folder import scene_folder
from common.surface import write_obj

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
    write_obj(scene_folder("mesh_ramp") / "ramp.obj", "mesh_ramp", vertices(), triangles(), 12)


if __name__ == "__main__":
    main()
