#!/usr/bin/env python3
"""Writes the clutter: spheres and cubes fall in columns of ten into a box.

    scripts/scenes/clutter.py [FOLDER]                    clutter/ and clutter_boxes/ in FOLDER, by default in scenes/: forty bodies
    scripts/scenes/clutter.py --columns N -o FILE [--boxes]
                                                          N x N columns in a box just as wide: 160 bodies (4), 1000 (10), 4000 (20);
                                                          with --boxes cubes touch by faces, edges and corners

The scene of forty is the clutter of Castro et al. 2023, "Irrotational Contact Fields", Sec. X-A: shapes and orientations come from std::mt19937(41) as
libstdc++'s distributions draw them, started afresh for every column, so that the columns are alike.
"""
import argparse
import math
import pathlib
import random

SEED = 41
PER_COLUMN = 10
COLUMN_SPACING = 0.4                                             # m, between the axes of columns
FIRST_HEIGHT, SPACING = 0.075, 0.15                              # m, of body 0 and between bodies
RADIUS = 0.05                                                    # m, spheres
SIDE = 0.1                                                       # m, cubes
DENSITY = 1000.0                                                 # kg/m^3
HEIGHT, THICKNESS = 0.8, 0.04                                    # m, of the container's walls

HEADER = """\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/clutter.py: change that, not this.
"""

SETTINGS = """\
csim: 1
name: {name}
time: {{step: 1.0e-2, end: 10.0}}

materials:
  body: {{friction: 1.0, stiffness: 1.0e+7, hunt_crossley_dissipation: 10.0, relaxation_time: 1.0e-4}}
  wall: {{friction: 1.0, stiffness: rigid, relaxation_time: 1.0e-4}}

contact:
  model: lagged
  stiction_tolerance: 1.0e-4
{exclude}
solver: {{tolerance: 1.0e-5}}
output: {{period: 0.05}}

bodies:
"""

# As in the paper a cube touches other cubes and the walls with its 26 spheres only; spheres meet everything.
EXCLUDE = """\
  exclude:
    - {a: "group:cubes", b: "group:cubes"}
    - {a: "group:cubes", b: "group:walls"}
"""


def mersenne_twister(seed):
    """The 32-bit outputs of std::mt19937(seed).

    Python's generator is the same one behind another way of seeding, so the state is filled here by the recurrence of Matsumoto and
    Nishimura 1998 (1812433253 is their multiplier, 624 words) and handed over.
    """
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    generator = random.Random()
    generator.setstate((3, tuple(state) + (624,), None))
    return lambda: generator.getrandbits(32)


def draw_shapes(count):
    """std::uniform_int_distribution(0, 1): libstdc++ takes the highest bit. 0 is a sphere, 1 a cube."""
    draw = mersenne_twister(SEED)
    return ["cube" if draw() >> 31 else "ball" for _ in range(count)]


def draw_quaternions(count):
    """Uniform rotations (Shoemake 1992) from std::uniform_real_distribution(0, 1), which takes two draws, the low word first."""
    draw = mersenne_twister(SEED)

    def uniform():
        low = draw()
        return (low + draw() * 2.0**32) / 2.0**64

    quaternions = []
    for _ in range(count):
        u1, u2, u3 = uniform(), uniform(), uniform()
        a, b = math.sqrt(1 - u1), math.sqrt(u1)
        quaternions.append([a * math.sin(2 * math.pi * u2), a * math.cos(2 * math.pi * u2),
                            b * math.sin(2 * math.pi * u3), b * math.cos(2 * math.pi * u3)])
    return quaternions


def numbers(values):
    """Shortest text that reads back to the same bits."""
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def container_of(width, height):
    """A floor and four walls (group walls, material wall); `width` is between the centres of opposite walls."""
    floor = ("floor", [40.0, 40.0, THICKNESS], [0.0, 0.0, -THICKNESS / 2])
    across_x, across_y = [THICKNESS, width, height], [width, THICKNESS, height]
    half = width / 2
    walls = [("wall_east", across_x, [half, 0.0, height / 2]), ("wall_west", across_x, [-half, 0.0, height / 2]),
             ("wall_north", across_y, [0.0, half, height / 2]), ("wall_south", across_y, [0.0, -half, height / 2])]
    lines = ["  - name: container", "    fixed: true", "    geometry:"]
    for name, size, centre in [floor] + walls:
        lines.append(f"      - {{name: {name}, shape: box, size: {numbers(size)}, material: wall, group: walls, pose: {{xyz: {numbers(centre)}}}}}")
    return lines


def geometry(shape, with_beads):
    if shape == "ball":
        return [f"      - {{name: ball, shape: sphere, radius: {RADIUS}, material: body, group: balls}}"]
    lines = [f"      - {{name: cube, shape: box, size: {numbers([SIDE] * 3)}, material: body, group: cubes}}"]
    if with_beads:
        # 26 spheres on a 3 x 3 x 3 grid without its centre, tangent to the faces.
        step = SIDE / 3
        places = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) != (0, 0, 0)]
        for n, place in enumerate(places):
            lines.append(f"      - {{name: bead_{n}, shape: sphere, radius: {SIDE / 6!r}, material: body, group: balls, "
                         f"pose: {{xyz: {numbers(step * c for c in place)}}}}}")
    return lines


def mass(shape, with_beads):
    if shape == "ball" or not with_beads:
        return [f"    density: {DENSITY}"]
    # The beads are inside the cube and would count twice: mass and inertia of the cube alone.
    cube = round(DENSITY * SIDE**3, 12)
    return [f"    mass: {cube!r}", f"    inertia: {numbers([cube * SIDE**2 / 6] * 3)}"]


def scene(name, comment, with_beads, per_side=2):
    lines = container_of(per_side * COLUMN_SPACING, HEIGHT)
    shapes, quaternions = draw_shapes(PER_COLUMN), draw_quaternions(PER_COLUMN)
    places = [(i - (per_side - 1) / 2) * COLUMN_SPACING for i in range(per_side)]
    for column, (x, y) in enumerate((x, y) for x in places for y in places):
        for i, (shape, quaternion) in enumerate(zip(shapes, quaternions)):
            z = round(FIRST_HEIGHT + SPACING * i, 6)
            lines.append(f"  - name: {shape}_{column}_{i}")
            lines += mass(shape, with_beads)
            lines.append(f"    pose: {{xyz: {numbers([x, y, z])}, quaternion_wxyz: {numbers(quaternion)}}}")
            lines.append("    geometry:")
            lines += geometry(shape, with_beads)
    return HEADER + comment + SETTINGS.format(name=name, exclude=EXCLUDE if with_beads else "") + "\n".join(lines) + "\n"


def comment(count, with_beads):
    cubes = "a cube touches the walls and other cubes with 26 spheres" if with_beads else "cubes touch with their faces, edges and corners"
    return f"# {count} spheres and cubes fall into a box; {cubes}.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "scenes")
    parser.add_argument("--columns", type=int, help="columns along each side; needs -o")
    parser.add_argument("--boxes", action="store_true", help="true cubes, without the 26 spheres")
    parser.add_argument("-o", dest="file", type=pathlib.Path, help="the one scene file to write")
    options = parser.parse_args()
    if (options.columns is None) != (options.file is None) or (options.boxes and options.columns is None):
        parser.error("--columns and -o go together; --boxes goes with them")
    if options.columns is not None:
        if options.columns < 1:
            parser.error(f"--columns: {options.columns}, expected at least 1")
        count = options.columns**2 * PER_COLUMN
        options.file.write_text(scene(f"clutter_{count}", comment(count, not options.boxes), not options.boxes, options.columns), encoding="utf-8")
        return
    for name, with_beads in (("clutter", True), ("clutter_boxes", False)):
        (options.folder / name).mkdir(parents=True, exist_ok=True)
        (options.folder / name / "scene.yaml").write_text(scene(name, comment("Forty", with_beads), with_beads), encoding="utf-8")


if __name__ == "__main__":
    main()
