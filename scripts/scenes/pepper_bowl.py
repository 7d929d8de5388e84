#!/usr/bin/env python3
"""Writes the meshes of scenes/pepper_bowl/: a bell pepper of tetrahedra and a bowl's closed surface.

    scripts/scenes/pepper_bowl.py [FOLDER]        FOLDER holds pepper_bowl/; by default scenes/

The pepper is seen from its middle as r(direction): four lobes around its axis, hollows at both ends. Shells of a refined octahedron
at fractions of r are joined by prisms, the innermost with the middle, so that no tetrahedron has all its vertices on the skin.
"""
import math

from common.folder import scene_folder
from common.surface import unit_sphere, write_obj

LEVEL = 3                                   # of refinement: 8 4^LEVEL triangles a shell
SHELLS = (0.4, 0.75, 1.0)                   # fractions of the radius
RADIUS, HEIGHT = 0.038, 0.042               # m, across the axis and along it, without lobes and hollows
LOBES, LOBE_DEPTH = 4, 0.08
HOLLOW_DEPTH, HOLLOW_WIDTH = 0.3, 0.45      # of the radius; rad

# The bowl's half section (radius, height) in m, along the outside from the axis up to the rim and down the inside.
PROFILE = ((0.0, 0.0), (0.035, 0.0), (0.058, 0.008), (0.075, 0.024), (0.083, 0.045), (0.0835, 0.048), (0.081, 0.05), (0.0785, 0.048), (0.07, 0.0275),
           (0.055, 0.0135), (0.034, 0.006), (0.0, 0.006))
SECTORS = 48


def skin(direction):
    """The pepper's point in a direction from its middle, m."""
    x, y, z = direction
    across = math.hypot(x, y)
    polar = math.atan2(across, abs(z))
    radius = 1.0 / math.hypot(across / RADIUS, z / HEIGHT)
    radius *= 1.0 + LOBE_DEPTH * across * across * math.cos(LOBES * math.atan2(y, x) + 0.4 * z)
    radius *= 1.0 - HOLLOW_DEPTH * math.exp(-((polar / HOLLOW_WIDTH) ** 2)) * (1.0 if z > 0 else 0.6)
    return radius * x, radius * y, radius * z


def pepper():
    directions, triangles = unit_sphere(LEVEL)
    n = len(directions)
    points = [(0.0, 0.0, 0.0)]
    for fraction in SHELLS:
        points += [tuple(fraction * x for x in skin(d)) for d in directions]
    tets = [(0, 1 + a, 1 + b, 1 + c) for a, b, c in triangles]
    for shell in range(len(SHELLS) - 1):
        inner, outer = 1 + shell * n, 1 + (shell + 1) * n
        for triangle in triangles:
            # The diagonals of a prism's sides leave from the vertex with the lowest number: neighbours agree.
            k = triangle.index(min(triangle))
            a, b, c = (triangle[(k + i) % 3] for i in range(3))
            lower, upper = [inner + v for v in (a, b, c)], [outer + v for v in (a, b, c)]
            if b < c:
                cut = ((lower[0], upper[0], upper[1], upper[2]), (lower[0], lower[1], upper[2], upper[1]), (lower[0], lower[1], lower[2], upper[2]))
            else:
                cut = ((lower[0], upper[0], upper[1], upper[2]), (lower[0], lower[2], upper[2], upper[1]), (lower[0], lower[1], lower[2], upper[1]))
            tets += [oriented(points, tet) for tet in cut]
    return points, [oriented(points, tet) for tet in tets]


def oriented(points, tet):
    a, b, c, d = (points[v] for v in tet)
    u, v, w = ([q - p for p, q in zip(a, e)] for e in (b, c, d))
    volume = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2]
    return tet if volume > 0 else (tet[1], tet[0], tet[2], tet[3])


def bowl():
    """The profile turned about the z axis; its two ends on the axis are single vertices."""
    points, rings = [], []
    for radius, height in PROFILE:
        rings.append(len(points))
        turns = range(SECTORS) if radius > 0 else range(1)
        points += [(radius * math.cos(2 * math.pi * i / SECTORS), radius * math.sin(2 * math.pi * i / SECTORS), height) for i in turns]
    triangles = []
    for k in range(len(PROFILE) - 1):
        for i in range(SECTORS):
            j = (i + 1) % SECTORS
            a, b = (rings[k] + i, rings[k] + j) if PROFILE[k][0] > 0 else (rings[k],) * 2
            c, d = (rings[k + 1] + i, rings[k + 1] + j) if PROFILE[k + 1][0] > 0 else (rings[k + 1],) * 2
            triangles += [t for t in ((a, b, d), (a, d, c)) if len(set(t)) == 3]
    return points, triangles


def main():
    folder = scene_folder("pepper_bowl")
    points, tets = pepper()
    lines = ["# vtk DataFile Version 3.0", "Written by scripts/scenes/pepper_bowl.py: change that, not this.", "ASCII", "DATASET UNSTRUCTURED_GRID"]
    lines += [f"POINTS {len(points)} double"] + [f"{x:.6g} {y:.6g} {z:.6g}" for x, y, z in points]
    lines += [f"CELLS {len(tets)} {5 * len(tets)}"] + ["4 " + " ".join(map(str, tet)) for tet in tets]
    lines += [f"CELL_TYPES {len(tets)}"] + ["10"] * len(tets)
    (folder / "pepper.vtk").write_text("\n".join(lines) + "\n", encoding="utf-8")

    write_obj(folder / "bowl.obj", "pepper_bowl", *bowl(), 6)


if __name__ == "__main__":
    main()
