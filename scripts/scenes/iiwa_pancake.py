#!/usr/bin/env python3
"""Writes scenes/iiwa_pancake/{iiwa7_bubbles.urdf,scene.yaml}: an iiwa turns a pancake, by a Cartesian drive and guarded moves.

    scripts/scenes/iiwa_pancake.py [FOLDER]      FOLDER holds iiwa_pancake/; by default scenes/

Kitchen and way of the handle are those of scenes/pancake. Here the hand hangs on an arm, and feels: it closes until it holds the handle and goes down
until the blade touches the stove.
"""
import math

import pancake
from common import iiwa7
from common.folder import scene_folder
from pancake import numbers

BASE = (-1.265, pancake.PANCAKE_Y, -0.2)            # of the arm, m: all of the way is within its reach, its limits of joint 4 too
REACH = 0.234                                       # m, from the last joint to the middle of the handle
BUBBLE, BUBBLE_MASS = (0.0625, 0.04165, 0.04165), 0.1   # semi-axes, m; kg
PALM, PALM_MASS = (0.08, 0.146, 0.06), 1.0
MODULUS, DISSIPATION, RESOLUTION = 1e5, 5, 0.02     # Pa, s/m, m
JOINT_DAMPING = 1                                   # N m s/rad
LINEAR, ANGULAR = (1e4, 1000), (600, 50)           # stiffness (N/m, N m/rad) and damping of the hand
GRIP, HELD, TOUCH = 25, 20, 0.5                       # N: of the finger that presses; that the handle is held; that the blade touches
KEY = 0.05                                          # s between values of a command
LOWEST = 0.004                                      # m, how far below the stove's top the nose is sent to find it
PRESSED = 0.002                                     # m, by which the hand goes on once it has touched: the bubbles give
SPEED = 0.05                                        # m/s, with which it comes down


def tool():
    """The hand: x along the arm, y the closing direction; two fingers whose bubbles touch where their coordinates are equal."""
    lines = iiwa7.link("hand", iiwa7.inertial(PALM_MASS, (-0.15, 0, 0), iiwa7.box_moments(PALM_MASS, PALM))
                       + [f'    <visual><origin xyz="-0.15 0 0"/><geometry><box size="{iiwa7.text(PALM)}"/></geometry></visual>'])
    lines += iiwa7.joint("flange", "fixed", "link_7", "hand", [f'    <origin xyz="0 0 {REACH}" rpy="0 {-0.5 * math.pi:.9g} 0"/>'])
    bubble = f'<drake:ellipsoid a="{BUBBLE[0]}" b="{BUBBLE[1]}" c="{BUBBLE[2]}"/>'
    properties = ('<drake:proximity_properties><drake:compliant_hydroelastic/>'
                  f'<drake:hydroelastic_modulus value="{MODULUS:g}"/><drake:mesh_resolution_hint value="{RESOLUTION}"/>'
                  f'<drake:hunt_crossley_dissipation value="{DISSIPATION}"/><drake:mu_dynamic value="1"/></drake:proximity_properties>')
    for side, sign in (("left", -1), ("right", 1)):
        origin = f'<origin xyz="0 {sign * BUBBLE[1]:g} 0"/>'
        moments = [1e-4] * 3
        lines += iiwa7.link(side, iiwa7.inertial(BUBBLE_MASS, (0, 0, 0), moments)
                            + [f"    <collision>{origin}<geometry>{bubble}</geometry>{properties}</collision>"])
        lines += iiwa7.joint(f"{side}_slide", "prismatic", "hand", side, [
            '    <origin xyz="0 0 0"/><axis xyz="0 1 0"/><limit lower="-0.06" upper="0.06" effort="200" velocity="1"/>',
            *(['    <dynamics damping="20"/>'] if side == "right" else [])])
    return lines


def start_angles():
    """Of joints 2, 4 and 6 with the hand level, along +x, at the start of the way."""
    x, _, z = pancake.wrist(0.0)[0]
    link = 0.3995
    x, z = x - REACH - 0.0805 - BASE[0], z - BASE[2] - 0.3405
    q4 = -(math.pi - 2 * math.asin(math.hypot(x, z) / (2 * link)))
    q2 = math.atan2(x, z) + 0.5 * q4
    return q2, q4, 0.5 * math.pi - q2 + q4


def part_of_way(begin, end, duration):
    """Commands of the hand's coordinates that change from `begin` to `end` (s) of the way, in a phase that lasts `duration` (s)."""
    times = [begin + KEY * k for k in range(round((end - begin) / KEY) + 1)]
    columns = list(zip(*((*xyz, *rpy) for xyz, rpy in map(pancake.wrist, times))))
    lines = []
    for name, column in zip(("x", "y", "z", "roll", "pitch", "yaw"), columns):
        if max(column) - min(column) > 1e-9:
            lines.append(f"      hand.{name}: {{times: {numbers([(t - begin) * duration / (end - begin) for t in times])}, values: {numbers(column)}, interpolation: smooth}}")
    return "    commands:\n" + "\n".join(lines)


def phases():
    touch_height = pancake.wrist(1.8)[0][2]
    start_height = pancake.wrist(1.5)[0][2]
    down = touch_height - LOWEST
    return f"""\
sequence:
  - name: close
    commands:
      left_place: {{ramp: {{to: -0.008, duration: 0.2}}}}
      right_force: {{times: [0, 0.2, 0.5], values: [-0.5, -2, {-GRIP}]}}
    until: {{pair_force: {{a: "iiwa::right", b: spatula}}, above: {HELD}}}
    timeout: 2
  - name: raise
{part_of_way(0.6, 1.0, 0.6)}
  - name: go
{part_of_way(1.0, 1.5, 1.2)}
  - name: touch
    commands: {{hand.x: {{ramp: {{to: {pancake.wrist(1.8)[0][0]:.6g}, duration: 0.3}}}}, hand.z: {{ramp: {{to: {down:.6g}, duration: {(start_height - down) / SPEED:.4g}}}}}}}
    until: {{pair_force: {{a: spatula, b: stove}}, above: {TOUCH}}}
    timeout: 2
  - {{name: press, commands: {{hand.z: {{ramp: {{to: {touch_height - PRESSED:.6g}, duration: 0.3}}}}}}}}
  - name: slide_under
{part_of_way(1.8, 2.8, 1)}
  - name: level
    commands: {{hand.pitch: {{ramp: {{to: 0, duration: 0.8}}}}, hand.z: {{ramp: {{to: {pancake.wrist(3.2)[0][2]:.6g}, duration: 0.8}}}}, hand.x: {{ramp: {{to: {pancake.wrist(3.2)[0][0]:.6g}, duration: 0.8}}}}}}
  - {{name: settle, until: {{time: 0.2}}}}
  - name: turn
{part_of_way(*pancake.TURN, 1.2)}
  - {{name: rest, until: {{time: 0.3}}}}
  - name: retract
{part_of_way(*pancake.RETRACT, 1.2)}
"""


def scene():
    (x, y, z), rpy = pancake.wrist(0.0)
    q2, q4, q6 = start_angles()
    kitchen = pancake.kitchen()
    return f"""\
# yaml-language-server: $schema=../../schemas/scene.schema.json
# Written by scripts/scenes/iiwa_pancake.py: change that.
# An iiwa 7 (URDF) with a gripper of two compliant bubbles takes a spatula, feels for the stove, slides the blade under a pancake and turns it over: the
# task of Masterjohn et al., Velocity Level Approximation of Pressure Field Contact Patches, section V-B, with an arm, a Cartesian drive and guarded moves.
csim: 1
name: iiwa_pancake
time: {{step: 5.0e-3, end: 7.5}}
{kitchen}  - name: pedestal
    fixed: true
    pose: {{xyz: [{BASE[0]}, {BASE[1]}, {BASE[2] - 0.15:g}]}}
    geometry: [{{shape: box, size: [0.3, 0.3, 0.3], contact: none}}]
models:
  - {{file: iiwa7_bubbles.urdf, name: iiwa, base: world, pose: {{xyz: {numbers(BASE)}}}, gravity_compensation: true, positions: {{joint_2: {q2:.7g}, joint_4: {q4:.7g}, joint_6: {q6:.7g}, left_slide: -0.03, right_slide: 0.03}}}}
actuators:
  - name: hand
    type: cartesian
    body: "iiwa::hand"
    stiffness: {{linear: {LINEAR[0]}, angular: {ANGULAR[0]}}}
    damping: {{linear: {LINEAR[1]}, angular: {ANGULAR[1]}}}
    command: {{xyz: {numbers((x, y, z))}, rpy: {numbers(rpy)}}}
  # The elbow, which the hand leaves free.
  - {{name: elbow, joint: "iiwa::joint_3", type: position, stiffness: 50, damping: 20, command: 0}}
  # One finger goes to its place and holds it, the other presses.
  - {{name: left_place, joint: "iiwa::left_slide", type: position, stiffness: 2.0e+4, damping: 200, command: -0.03}}
  - {{name: right_force, joint: "iiwa::right_slide", type: effort, command: -0.5}}
{phases()}contact: {{model: lagged, patch: {{quadrature: centroid}}}}  # as in the paper
output: {{period: 0.02}}
"""


def main():
    folder = scene_folder("iiwa_pancake")
    comment = "Written by scripts/scenes/iiwa_pancake.py: change that, not this. An iiwa 7 with a gripper of two bubbles."
    (folder / "iiwa7_bubbles.urdf").write_text(iiwa7.robot("iiwa7_bubbles", comment, tool(), JOINT_DAMPING), encoding="utf-8")
    (folder / "scene.yaml").write_text(scene(), encoding="utf-8")


if __name__ == "__main__":
    main()
