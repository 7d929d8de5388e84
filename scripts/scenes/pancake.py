#!/usr/bin/env python3
"""Writes scenes/pancake/scene.yaml: a gripper takes a spatula from its stand, slides it under a pancake and turns it over.

    scripts/scenes/pancake.py [FOLDER]           FOLDER holds pancake/; by default scenes/

The wrist follows keyframes made here from poses of the spatula's blade: its middle (x, y, z), pitch (nose down) and roll (about its length,
towards +y), joined by smooth curves.
"""
import math

from common import yaml_text
from common.folder import scene_folder

STOVE_RADIUS, STOVE_TOP = 0.12, 0.08            # m
PANCAKE, PANCAKE_Y = (0.06, 0.06, 0.006), -0.06  # semi-axes; where it starts
BLADE = (0.1, 0.08, 0.002)
HANDLE = (-0.2, 0.0, 0.04)                      # its middle, from the blade's
STAND_X, STAND_TOP = -0.32, 0.1                # where the blade's middle lies at first
PITCH = math.radians(6)                         # nose down, to get under the pancake
ROLL = math.radians(125)
KEY = 0.05                                      # s between keyframes

# Time (s), then x, y, z (m), pitch and roll of the blade: at rest at each.
FLAT = 0.5 * BLADE[2]
NOSE = STOVE_TOP + 0.5 * BLADE[0] * math.sin(PITCH) + FLAT   # height of the middle when the nose is on the stove
WAY = [
    (0.0, STAND_X, PANCAKE_Y, STAND_TOP + FLAT, 0, 0),
    (0.6, STAND_X, PANCAKE_Y, STAND_TOP + FLAT, 0, 0),        # grasp
    (1.0, STAND_X, PANCAKE_Y, STAND_TOP + 0.04, 0, 0),        # raise
    (1.5, -0.15, PANCAKE_Y, NOSE + 0.02, PITCH, 0),           # before the pancake
    (1.8, -0.13, PANCAKE_Y, NOSE, PITCH, 0),                  # nose on the stove
    (2.8, 0.0, PANCAKE_Y, NOSE, PITCH, 0),                    # under the pancake
    (3.2, 0.0, PANCAKE_Y, STOVE_TOP + 0.012, 0, 0),           # level, raised
]
TURN = (3.4, 4.6)                               # s, over the pancake's edge
RETRACT = (4.9, 5.6)
END = 6.5


def smooth(s):
    return s * s * s * (10 - 15 * s + 6 * s * s)


def blade(t):
    """Pose of the blade's middle: (x, y, z, pitch, roll)."""
    if t >= TURN[0]:
        # About the pancake's edge, a hinge on the stove parallel to x.
        x, y, z = WAY[-1][1:4]
        hinge = (PANCAKE_Y + PANCAKE[0], STOVE_TOP)
        roll = ROLL * smooth(min(1, (t - TURN[0]) / (TURN[1] - TURN[0])))
        dy, dz = y - hinge[0], z - hinge[1]
        away = smooth(min(1, max(0, (t - RETRACT[0]) / (RETRACT[1] - RETRACT[0]))))
        return (x - 0.1 * away, hinge[0] + dy * math.cos(roll) + dz * math.sin(roll), hinge[1] - dy * math.sin(roll) + dz * math.cos(roll) + 0.12 * away, 0, roll)
    for before, after in zip(WAY, WAY[1:]):
        if t <= after[0]:
            s = smooth((t - before[0]) / (after[0] - before[0]))
            return tuple(a + s * (b - a) for a, b in zip(before[1:], after[1:]))
    return WAY[-1][1:]


def wrist(t):
    """Position and roll, pitch, yaw of the handle's middle. Pitch and roll are never both there."""
    x, y, z, pitch, roll = blade(t)
    hx, _, hz = HANDLE
    # Roll towards +y: about -x.
    return ((x + hx * math.cos(pitch) + hz * math.sin(pitch), y + hz * math.sin(roll), z - hx * math.sin(pitch) + hz * math.cos(pitch) * math.cos(roll)),
            (-roll, pitch, 0.0))


def numbers(values):
    return yaml_text.numbers(values, 6)


def kitchen():
    """The materials, and the bodies but for the robot: table, stove, stand, pancake, spatula."""
    return f"""\
materials:
  bubble: {{friction: 1, hydroelastic_modulus: 1.0e+5, hunt_crossley_dissipation: 5, relaxation_time: 1.0e-3}}
  silicone: {{friction: 1, hydroelastic_modulus: 1.0e+4, hunt_crossley_dissipation: 5, relaxation_time: 1.0e-3}}
  handle: {{friction: 1, hunt_crossley_dissipation: 5, relaxation_time: 1.0e-3}}
  steel: {{friction: 0.15, hunt_crossley_dissipation: 5, relaxation_time: 1.0e-3, stiffness: 1.0e+5}}
  iron: {{friction: 0.5, hunt_crossley_dissipation: 5, relaxation_time: 1.0e-3, stiffness: 1.0e+5}}
bodies:
  - name: table
    fixed: true
    pose: {{xyz: [-0.2, 0, -0.02]}}
    geometry: [{{name: top, shape: box, size: [1, 0.6, 0.04], material: iron, contact: rigid}}]
  - name: stove
    fixed: true
    pose: {{xyz: [0, 0, {STOVE_TOP / 2}]}}
    geometry: [{{name: plate, shape: cylinder, radius: {STOVE_RADIUS}, length: {STOVE_TOP}, material: iron, contact: rigid, resolution: 0.06}}]
  - name: stand
    fixed: true
    pose: {{xyz: [{STAND_X}, {PANCAKE_Y}, {STAND_TOP / 2}]}}
    geometry: [{{name: block, shape: box, size: [0.08, 0.06, {STAND_TOP}], material: iron, contact: rigid}}]
  - name: pancake
    mass: 0.1
    inertia: solid
    pose: {{xyz: [0, {PANCAKE_Y}, {STOVE_TOP + PANCAKE[2] - 0.0005:g}]}}
    geometry: [{{name: disc, shape: ellipsoid, semi_axes: {numbers(PANCAKE)}, material: silicone, contact: compliant, resolution: 0.015}}]
  - name: spatula
    mass: 0.1
    com: [-0.03, 0, 0.01]
    inertia: [1.0e-4, 1.0e-3, 1.0e-3]
    pose: {{xyz: [{STAND_X}, {PANCAKE_Y}, {STAND_TOP + FLAT:g}]}}
    geometry:
      - {{name: blade, shape: box, size: {numbers(BLADE)}, material: steel, contact: rigid}}
      - {{name: handle, shape: cylinder, radius: 0.015, length: 0.11, pose: {{xyz: {numbers(HANDLE)}, rpy_deg: [0, 90, 0]}}, material: handle, contact: rigid, resolution: 0.00625}}
      - {{name: neck, shape: box, size: [0.105, 0.012, 0.003], pose: {{xyz: [-0.098, 0, 0.02], rpy_deg: [0, 22.8, 0]}}, contact: none}}
"""


def scene():
    times = [KEY * k for k in range(round(END / KEY) + 1)]
    keys = [wrist(t) for t in times]
    return f"""\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/pancake.py: change that.
# A gripper with two compliant bubbles takes a spatula from its stand, slides it under a pancake and turns it over on the stove: after the
# task of Masterjohn et al., Velocity Level Approximation of Pressure Field Contact Patches, section V-B. The wrist moves as it is told.
csim: 1
name: pancake
time: {{step: 5.0e-3, end: {END}}}
{kitchen()}  - name: wrist
    motion:
      times: {numbers(times)}
      xyz: [{", ".join(numbers(xyz) for xyz, _ in keys)}]
      rpy: [{", ".join(numbers(rpy) for _, rpy in keys)}]
      interpolation: cubic
  - name: left
    mass: 0.1
    inertia: [1.0e-4, 1.0e-4, 1.0e-4]
    geometry: [{{name: bubble, shape: ellipsoid, semi_axes: [0.0625, 0.04165, 0.04165], pose: {{xyz: [0, -0.04165, 0]}}, material: bubble, contact: compliant, resolution: 0.02}}]
  - name: right
    mass: 0.1
    inertia: [1.0e-4, 1.0e-4, 1.0e-4]
    geometry: [{{name: bubble, shape: ellipsoid, semi_axes: [0.0625, 0.04165, 0.04165], pose: {{xyz: [0, 0.04165, 0]}}, material: bubble, contact: compliant, resolution: 0.02}}]
joints:
  - {{name: left_slide, type: prismatic, parent: wrist, child: left, axis: [0, 1, 0], position: -0.03}}
  - {{name: right_slide, type: prismatic, parent: wrist, child: right, axis: [0, 1, 0], damping: 20, position: 0.03}}
actuators:
  # One finger goes to its place and holds it, the other presses.
  - {{name: left_place, joint: left_slide, type: position, stiffness: 2.0e+4, damping: 200, command: {{times: [0, 0.2], values: [-0.03, -0.008]}}}}
  - {{name: right_force, joint: right_slide, type: effort, command: {{times: [0, 0.2, 0.5], values: [-0.5, -2, -25]}}}}
contact: {{model: lagged, patch: {{quadrature: centroid}}}}  # as in the paper
output: {{period: 0.02}}
"""


def main():
    (scene_folder("pancake") / "scene.yaml").write_text(scene(), encoding="utf-8")


if __name__ == "__main__":
    main()
