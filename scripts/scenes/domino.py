#!/usr/bin/env python3
"""Writes scenes/domino/scene.yaml: a row of dominoes, the first of which is pushed.

    scripts/scenes/domino.py [FOLDER]           FOLDER holds domino/; by default scenes/
"""
from common.folder import scene_folder

HEIGHT, THICKNESS, WIDTH, PITCH, COUNT = 0.048, 0.0075, 0.024, 0.024, 30  # m
PUSH = 6.0  # rad/s, about the lower front edge

HEAD = f"""\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/domino.py: change that.
# A row of dominoes: the first is pushed over, turning about its lower front edge, and takes the others with it.
csim: 1
name: domino
time: {{step: 1.0e-4, end: 1.0}}
materials:
  bone: {{friction: 0.3, stiffness: 1.0e+5, hunt_crossley_dissipation: 100}}
bodies:
  - name: table
    fixed: true
    geometry: [{{shape: half_space, material: bone}}]
"""

TAIL = """\
contact:
  pairs:
    - {a: "group:dominoes", b: "group:dominoes", friction: 0.0}    # polished faces
    - {a: "group:dominoes", b: table, friction: 3.0}               # feet that do not slip
solver: {tolerance: 1.0e-8}
output: {period: 1.0e-3}
"""


def domino(i):
    lines = [f"  - name: domino_{i}", "    density: 1100", f"    pose: {{xyz: [{round(i * PITCH, 6)}, 0, {HEIGHT / 2}]}}"]
    if i == 0:
        # The middle is (-thickness/2, height/2) from the edge.
        lines.append(f"    velocity: {{linear: [{PUSH * HEIGHT / 2:.6g}, 0, {PUSH * THICKNESS / 2:.6g}], angular: [0, {PUSH}, 0]}}")
    lines.append(f"    geometry: [{{shape: box, size: [{THICKNESS}, {WIDTH}, {HEIGHT}], material: bone, group: dominoes}}]")
    return "\n".join(lines) + "\n"


def main():
    (scene_folder("domino") / "scene.yaml").write_text(HEAD + "".join(domino(i) for i in range(COUNT)) + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()
