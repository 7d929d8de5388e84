#!/usr/bin/env python3
"""Writes scenes/cube_stacking/scene.yaml: an iiwa with a gripper puts a cube on a stack.

    scripts/scenes/cube_stacking.py [FOLDER]     FOLDER holds cube_stacking/; by default scenes/

The experiment of section V.B of Pang & Tedrake 2021 with the dimensions, masses and way points of its authors' program. The arm moves in the x-z
plane and turns the cube about z.
"""
import math

from common import iiwa7
from common.folder import scene_folder
from common.iiwa_way import arm_command
from common.yaml_text import numbers, table

# Body: edge (m), mass (kg), inertia (kg m^2, all axes), position of the centre (m). The first is the one that is moved.
CUBES = [
    (0.06, 0.5, 3.0e-4, (0.55, 0, 0.03)),
    (0.08, 5, 5.3e-4, (0.7, 0, 0.04)), (0.07, 5, 4.1e-4, (0.7, 0, 0.115)), (0.08, 5, 5.3e-4, (0.7, 0, 0.19)),
    (0.08, 5, 5.3e-4, (0.5, -0.2, 0.04)), (0.07, 5, 4.1e-4, (0.5, -0.2, 0.115)), (0.08, 5, 5.3e-4, (0.5, -0.2, 0.19)),
    (0.08, 5, 5.3e-4, (0.45, 0.2, 0.04)), (0.07, 5, 4.1e-4, (0.45, 0.2, 0.115)),
    (0.08, 5, 5.3e-4, (0.48, 0.3, 0.04)),
]
SHRINK, CORNER = 1.0e-3, 1.0e-7          # m: a cube is a box whose edges are this much shorter, and a ball of this radius at each corner

AXES = {"z": "[0, 0, 1]", "y": "[0, 1, 0]", "-y": "[0, -1, 0]"}
OPEN = 0.055                             # m, range of a finger
FINGER = {"stiffness": 500, "damping": 31.305, "mass": 0.05}
# Balls of the left finger, in its frame (x: closing, y: approach): radius and position, m. The right one is its mirror image.
BALLS = [*((0.008, (0, y, 0)) for y in (-0.0209, -0.0049, 0.0112, 0.0271)), *((0.004, (0.004, 0.0375, z)) for z in (-0.006, 0.006))]

# At its end (s): x and z of the point of the tool (m), yaw (rad), half the opening (m).
WAY = [
    (0, 0.55, 0.1, 0, 0.05), (2, 0.55, 0.1, 0, 0.02), (6, 0.55, 0.395, 0, 0.02), (10, 0.7, 0.395, 0.5 * math.pi, 0.02),
    (12, 0.7, 0.325, 0.5 * math.pi, 0.02), (14, 0.7, 0.325, 0.5 * math.pi, 0.05), (16, 0.7, 0.475, 0.5 * math.pi, 0.05), (20, 0.55, 0.475, 0, 0.05),
]


def cube(n, edge, mass, inertia, position):
    half, size = 0.5 * edge, edge - SHRINK
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    lines = [f"  - name: cube_{n}", f"    mass: {mass}", f"    inertia: {numbers([inertia] * 3)}", f"    pose: {{xyz: {numbers(position)}}}", "    geometry:",
             f"      - {{name: box, shape: box, size: {numbers([size] * 3)}, material: cube, group: faces}}"]
    return lines + [f"      - {{name: corner_{k}, shape: sphere, radius: {CORNER:.1e}, pose: {{xyz: {numbers(p)}}}, material: cube}}" for k, p in enumerate(corners)]


def arm():
    """The lines of its bodies, joints and actuators."""
    times, columns = arm_command(WAY)
    commands = dict(zip((2, 4, 6, 7), columns))
    bodies, joints, actuators = [], [], []
    for n, ((axis, height, limit, _, _, rotor), stiffness) in enumerate(zip(iiwa7.JOINTS, iiwa7.STIFFNESS), 1):
        armature, values = iiwa7.GEAR ** 2 * rotor, commands.get(n)
        parent, top = f"link_{n - 1}" if n > 1 else "world", iiwa7.JOINTS[n][1] if n < len(iiwa7.JOINTS) else 0.04
        shown = f"{{shape: cylinder, radius: 0.06, length: {top}, pose: {{xyz: [0, 0, {0.5 * top:g}]}}, contact: none}}"
        bodies.append(f"  - {{name: link_{n}, mass: 0, inertia: [0, 0, 0], geometry: [{shown}]}}")
        joints.append(f"  - {{name: joint_{n}, type: revolute, parent: {parent}, child: link_{n}, pose: {{xyz: [0, 0, {height}]}}, axis: {AXES[axis]}, "
                      f"limits: [-{limit}, {limit}], armature: {armature:.6g}, position: {values[0] if values else 0:.7g}}}")
        actuators.append(f"  - {{name: drive_{n}, joint: joint_{n}, type: position, stiffness: {stiffness}, damping: {2 * math.sqrt(stiffness * armature):.5g}, "
                         f"feed_forward_velocity: true, command: {table(times, values, 'cubic') if values else 0}}}")
    return bodies, joints, actuators


def gripper():
    """The same of the gripper, whose frame on the last link has x along the closing direction and y along the arm."""
    bodies = ["  - {name: palm, mass: 0, inertia: [0, 0, 0], geometry: [{shape: box, size: [0.146, 0.0725, 0.0495], contact: none}]}"]
    joints = ["  - {name: flange, type: weld, parent: link_7, child: palm, pose: {xyz: [0, 0, 0.114], rpy_deg: [90, 0, 90]}}"]
    actuators = []
    for side, sign in (("left", -1), ("right", 1)):
        bodies.append(f"  - name: {side}_finger\n    mass: 0\n    inertia: [0, 0, 0]\n    geometry:")
        bodies += [f"      - {{shape: sphere, radius: {radius}, pose: {{xyz: {numbers([-sign * x, y, z])}}}, material: finger}}" for radius, (x, y, z) in BALLS]
        limits = [-OPEN, 0] if sign < 0 else [0, OPEN]
        joints.append(f"  - {{name: {side}_slide, type: prismatic, parent: palm, child: {side}_finger, pose: {{xyz: [{0.008 * sign:g}, 0.078133, 0]}}, axis: [1, 0, 0], "
                      f"limits: {limits}, armature: {FINGER['mass']}, position: {sign * WAY[0][4]}}}")
        times, values = [key[0] for key in WAY], [sign * key[4] for key in WAY]
        actuators.append(f"  - {{name: {side}_drive, joint: {side}_slide, type: position, stiffness: {FINGER['stiffness']}, damping: {FINGER['damping']}, "
                         f"command: {table(times, values, 'linear')}}}")
    return bodies, joints, actuators


HEADER = """\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/cube_stacking.py: change that, not this.
# An iiwa 7 with a gripper grasps a cube of 6 cm, lifts it, turns it and puts it on a stack of three, without momentum: section V.B of Pang & Tedrake
# 2021, A Convex Quasistatic Time-stepping Scheme. The drives bear the robot's weight, so its links have none; their inertia is that of the rotors
# (with integrator.type: discrete). As in the authors' program a cube is a box, 1 mm smaller, with a small ball at each corner: it rests on its corners.
csim: 1
name: cube_stacking
gravity: [0, 0, -10]
time: {step: 0.1, end: 20}
materials:
  cube: {friction: 1, stiffness: 1.0e+7}
  ground: {friction: 0.5, stiffness: 1.0e+7}
  finger: {friction: 1, stiffness: 1.0e+7}
contact:
  stiction_tolerance: 1.0e-5
  exclude: [{a: "group:faces", b: "group:faces"}]
integrator: {type: quasistatic, problem: qp, contact_threshold: 0.005}
output: {period: 0.1}
bodies:
  - name: ground
    fixed: true
    geometry: [{shape: half_space, material: ground, group: faces}]
"""


def main():
    sections = zip(arm(), gripper())
    bodies, joints, actuators = ([*a, *b] for a, b in sections)
    lines = [line for n, spec in enumerate(CUBES) for line in cube(n, *spec)] + [*bodies, "joints:", *joints, "actuators:", *actuators]
    (scene_folder("cube_stacking") / "scene.yaml").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
