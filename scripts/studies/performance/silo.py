#!/usr/bin/env python3
"""Writes the silo: layers of 7 x 7 spheres and cubes fall into a bin and settle to one deep pile, one large island.

    scripts/studies/performance/silo.py COUNT -o FILE [--boxes]

Bodies, materials and settings are those of the clutter (scripts/scenes/clutter.py); no two columns are alike. With --boxes cubes touch
by faces, edges and corners.
"""
import argparse
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scenes"))
import clutter  # noqa: E402

SIDE = 7                                                         # bodies along each side of a layer
SPACING = 0.22                                                   # m, between bodies and between layers
FIRST_HEIGHT = 0.12                                              # m
WIDTH = 1.6                                                      # m, between the centres of opposite walls


def bodies(count, with_beads):
    """The lines of `bodies`: shapes and rotations from one stream of draws each."""
    height = 0.24 + SPACING * math.ceil(count / SIDE**2)
    lines = clutter.container_of(WIDTH, height)
    shapes, quaternions = clutter.draw_shapes(count), clutter.draw_quaternions(count)
    for k, (shape, quaternion) in enumerate(zip(shapes, quaternions)):
        layer, place = divmod(k, SIDE * SIDE)
        x, y = ((i - (SIDE - 1) / 2) * SPACING for i in divmod(place, SIDE))
        lines.append(f"  - name: {shape}_{k}")
        lines += clutter.mass(shape, with_beads)
        lines.append(f"    pose: {{xyz: {clutter.numbers([x, y, FIRST_HEIGHT + SPACING * layer])}, "
                     f"quaternion_wxyz: {clutter.numbers(quaternion)}}}")
        lines.append("    geometry:")
        lines += clutter.geometry(shape, with_beads)
    return lines


def scene(count, with_beads=True):
    settings = clutter.SETTINGS.format(name=f"silo_{count}", exclude=clutter.EXCLUDE if with_beads else "")
    return f"# {count} spheres and cubes fall into a bin 1.6 m wide.\n" + settings + "\n".join(bodies(count, with_beads)) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int, help="number of bodies")
    parser.add_argument("--boxes", action="store_true", help="true cubes, without the 26 spheres")
    parser.add_argument("-o", dest="file", type=pathlib.Path, required=True, help="the scene file to write")
    options = parser.parse_args()
    if options.count < 1:
        parser.error(f"{options.count} bodies, expected at least 1")
    options.file.write_text(scene(options.count, not options.boxes), encoding="utf-8")


if __name__ == "__main__":
    main()
