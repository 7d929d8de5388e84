#!/usr/bin/env python3
"""Writes scenes/cube_bin/scene.yaml: 63 cubes, each turned its own way, fall into a bin.

    scripts/scenes/cube_bin.py [FOLDER]        FOLDER holds cube_bin/; by default scenes/
"""
from clutter import container_of, numbers
from common.folder import scene_folder
from common.heap import heap_poses

SIDE = 0.1                                # m, cubes
PER_SIDE, LAYERS, SPACING = 3, 7, 0.18    # m; more than a cube's diagonal, so that none touch at first
WIDTH, HEIGHT = 0.6, 1.4                  # m, of the bin: between the centres of opposite walls; of the walls

HEADER = """\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/cube_bin.py: change that, not this.
# Cubes with true faces, edges and corners fall into a bin and come to rest.
csim: 1
name: cube_bin
time: {step: 1.0e-2, end: 6.0}

materials:
  body: {friction: 0.5, stiffness: 1.0e+7, hunt_crossley_dissipation: 10.0, relaxation_time: 1.0e-4}
  wall: {friction: 0.5, stiffness: rigid, relaxation_time: 1.0e-4}

contact: {stiction_tolerance: 1.0e-5, sigma: 1.0e-4}
output: {period: 0.05}

bodies:
"""


def main():
    lines = container_of(WIDTH, HEIGHT)
    for n, pose in enumerate(heap_poses(PER_SIDE, LAYERS, SPACING, 0.1)):
        lines.append(f"  - name: cube_{n}")
        lines.append("    density: 1000.0")
        lines.append(f"    pose: {pose}")
        lines.append(f"    geometry: [{{name: cube, shape: box, size: {numbers([SIDE] * 3)}, material: body}}]")
    (scene_folder("cube_bin") / "scene.yaml").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
