"""Triangle surfaces: spheres and OBJ files."""
import math


def unit_sphere(times):
    """Vertices and outward triangles of an octahedron whose edges are halved so often: 8 * 4**times triangles."""
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


def write_obj(file, program, vertices, triangles, digits):
    """An OBJ file that names the program of scripts/scenes/ which writes it."""
    lines = [f"# Written by scripts/scenes/{program}.py: change that, not this."]
    lines += ["v " + " ".join(f"{x:.{digits}g}" for x in vertex) for vertex in vertices]
    lines += ["f " + " ".join(str(v + 1) for v in triangle) for triangle in triangles]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
