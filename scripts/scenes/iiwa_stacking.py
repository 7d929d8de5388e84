#!/usr/bin/env python3
"""Writes scenes/iiwa_stacking/{iiwa7_wsg.urdf,scene.yaml}: an iiwa with masses and collision shapes puts a cube on a stack, with momentum.

    scripts/scenes/iiwa_stacking.py [FOLDER]     FOLDER holds iiwa_stacking/; by default scenes/

The task of section V.B of Pang & Tedrake 2021 with whole cubes and a gripper with flat pads; the arm's way is that of scenes/cube_stacking.
"""
import math

from common import iiwa7
from common.folder import scene_folder
from common.iiwa_way import arm_command
from common.yaml_text import number, numbers, table

# Edge (m), mass (kg), centre (m). The first is the one that is moved.
CUBES = [
    (0.06, 0.5, (0.55, 0, 0.03)), (0.08, 5, (0.7, 0, 0.04)), (0.07, 5, (0.7, 0, 0.115)), (0.08, 5, (0.7, 0, 0.19)),
    (0.08, 5, (0.5, -0.2, 0.04)), (0.07, 5, (0.5, -0.2, 0.115)), (0.08, 5, (0.5, -0.2, 0.19)), (0.08, 5, (0.45, 0.2, 0.04)), (0.07, 5, (0.45, 0.2, 0.115)),
    (0.08, 5, (0.48, 0.3, 0.04)),
]
TURN = 0.5 * math.pi
# At its end (s): x and z of the tool (m), yaw (rad), half the opening (m). The stack is 0.23 m high, so the cube is set down 0.23 m above where it was grasped.
WAY = [
    (0, 0.55, 0.1, 0, 0.05), (2, 0.55, 0.1, 0, 0.02), (6, 0.55, 0.395, 0, 0.02), (10, 0.7, 0.395, TURN, 0.02),
    (12, 0.7, 0.33, TURN, 0.02), (14, 0.7, 0.33, TURN, 0.05), (16, 0.7, 0.475, TURN, 0.05), (20, 0.55, 0.475, 0, 0.05),
]
PALM, PALM_MASS = (0.146, 0.0725, 0.0495), 0.988882
PAD, PAD_MASS, PAD_REACH = (0.012, 0.074, 0.02), 0.05, 0.0831    # m, kg; m from the palm's origin to the middle of a pad
FINGER_STIFFNESS, OPEN = 500, 0.055                              # N/m; m, range of a finger
# N m s/rad: 2 sqrt(K M_jj) of the arm with its gripper in its first pose, so that each joint alone is critically damped.
DAMPING = (110, 125, 100, 80, 48, 34, 33)


def tool():
    """The gripper: on link_7 with x along the closing direction and y along the arm. A pad's face lies where its coordinate says."""
    lines = iiwa7.link("palm", iiwa7.inertial(PALM_MASS, (0, 0, 0), iiwa7.box_moments(PALM_MASS, PALM))
                       + iiwa7.shaped(f'<box size="{iiwa7.text(PALM)}"/>', "", "0.3 0.3 0.3 1"))
    lines += iiwa7.joint("flange", "fixed", "link_7", "palm", [f'    <origin xyz="0 0 0.114" rpy="{TURN:.9g} 0 {TURN:.9g}"/>'])
    for side, sign in (("left", -1), ("right", 1)):
        low, high = (-OPEN, 0) if sign < 0 else (0, OPEN)
        lines += iiwa7.link(f"{side}_finger", iiwa7.inertial(PAD_MASS, (0, 0, 0), iiwa7.box_moments(PAD_MASS, PAD))
                            + iiwa7.shaped(f'<box size="{iiwa7.text(PAD)}"/>', "", "0.2 0.2 0.2 1"))
        lines += iiwa7.joint(f"{side}_slide", "prismatic", "palm", f"{side}_finger", [
            f'    <origin xyz="{iiwa7.text((sign * 0.5 * PAD[0], PAD_REACH, 0))}"/><axis xyz="1 0 0"/>',
            f'    <limit lower="{low:g}" upper="{high:g}" effort="80" velocity="0.42"/>'])
    return lines


def drives():
    """Start positions of the joints, and the lines of the actuators."""
    times, columns = arm_command(WAY)
    commands = dict(zip((2, 4, 6, 7), columns))
    positions, actuators = {}, []
    for n, (stiffness, damping) in enumerate(zip(iiwa7.STIFFNESS, DAMPING), 1):
        values = commands.get(n)
        if values:
            positions[f"joint_{n}"] = values[0]
        actuators.append(f'  - {{name: drive_{n}, joint: "iiwa::joint_{n}", type: position, stiffness: {stiffness}, damping: {damping}, '
                         f"feed_forward_velocity: true, command: {table(times, values, 'cubic') if values else 0}}}")
    for side, sign in (("left", -1), ("right", 1)):
        positions[f"{side}_slide"] = sign * WAY[0][4]
        damping = 2 * math.sqrt(FINGER_STIFFNESS * PAD_MASS)
        actuators.append(f'  - {{name: {side}_drive, joint: "iiwa::{side}_slide", type: position, stiffness: {FINGER_STIFFNESS}, damping: {damping:.5g}, '
                         f"command: {table([key[0] for key in WAY], [sign * key[4] for key in WAY], 'linear')}}}")
    return positions, actuators


def scene():
    positions, actuators = drives()
    cubes = [f"  - {{name: cube_{n}, mass: {mass}, inertia: solid, pose: {{xyz: {numbers(centre)}}}, "
             f"geometry: [{{shape: box, size: {numbers([edge] * 3)}, material: cube, color: {'[0.8, 0.1, 0.1]' if n == 0 else '[0.6, 0.6, 0.65]'}}}]}}"
             for n, (edge, mass, centre) in enumerate(CUBES)]
    start = ", ".join(f"{name}: {number(value)}" for name, value in positions.items())
    return f"""\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/iiwa_stacking.py: change that, not this.
# An iiwa 7 (URDF) with masses and collision shapes grasps a cube of 6 cm, lifts it, turns it and puts it on a stack of three, with momentum: the task
# of Pang & Tedrake 2021, A Convex Quasistatic Time-stepping Scheme, section V.B.
csim: 1
name: iiwa_stacking
time: {{step: 5.0e-3, end: 20}}
materials:
  cube: {{friction: 1, stiffness: 1.0e+6}}
  ground: {{friction: 0.5, stiffness: 1.0e+6}}
bodies:
  - name: ground
    fixed: true
    geometry: [{{shape: half_space, material: ground}}]
{chr(10).join(cubes)}
models:
  - {{file: iiwa7_wsg.urdf, name: iiwa, material: cube, gravity_compensation: true, positions: {{{start}}}}}
actuators:
{chr(10).join(actuators)}
contact:
  exclude: [{{a: "iiwa::link_0", b: ground}}]
output: {{period: 0.02}}
"""


def main():
    folder = scene_folder("iiwa_stacking")
    comment = "Written by scripts/scenes/iiwa_stacking.py: change that, not this. An iiwa 7 with a two-finger gripper."
    (folder / "iiwa7_wsg.urdf").write_text(iiwa7.robot("iiwa7_wsg", comment, tool()), encoding="utf-8")
    (folder / "scene.yaml").write_text(scene(), encoding="utf-8")


if __name__ == "__main__":
    main()
