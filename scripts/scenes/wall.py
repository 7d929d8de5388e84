#!/usr/bin/env python3
"""Writes scenes/wall/scene.yaml: a ball flies into a block of 5 x 5 x 5 cubes.

    scripts/scenes/wall.py [FOLDER]        FOLDER holds wall/; by default scenes/
"""
from common.folder import scene_folder

COUNT = 5      # cubes along each side
SIDE = 0.1     # m

HEADER = """\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/wall.py: change that, not this.
# A ball flies into a block of 5 x 5 x 5 cubes that stand on each other and side by side.
csim: 1
name: wall
time: {step: 5.0e-3, end: 4.0}

materials:
  floor: {friction: 0.5, stiffness: rigid}
  stone: {friction: 0.5, stiffness: 1.0e+7, hunt_crossley_dissipation: 10}

contact: {stiction_tolerance: 1.0e-5, sigma: 1.0e-4}
output: {period: 0.02}

bodies:
  - name: ground
    fixed: true
    geometry: [{shape: half_space, material: floor}]
  - name: ball
    density: 2500
    pose: {xyz: [-1.75, 0.02, 0.6]}
    velocity: {linear: [6, 0, 0]}
    geometry: [{shape: sphere, radius: 0.1, material: stone}]
"""


def main():
    lines = []
    for i in range(COUNT):
        for j in range(COUNT):
            for k in range(COUNT):
                x, y, z = (round((n - (COUNT - 1) / 2) * SIDE, 6) for n in (i, j, k))
                z = round(z + COUNT * SIDE / 2, 6)
                lines.append(f"  - {{name: cube_{i}{j}{k}, density: 1000, pose: {{xyz: [{x}, {y}, {z}]}}, "
                             f"geometry: [{{shape: box, size: [{SIDE}, {SIDE}, {SIDE}], material: stone}}]}}")
    (scene_folder("wall") / "scene.yaml").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
