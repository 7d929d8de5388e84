#!/usr/bin/env python3
"""Writes scenes/cube_stacking/scene.yaml: an iiwa with a gripper puts a cube on a stack.

    scripts/scenes/cube_stacking.py [FOLDER]     FOLDER holds cube_stacking/; by default scenes/

The experiment of section V.B of Pang & Tedrake 2021 with the dimensions, masses and way points of its authors' program. The arm moves in the x-z
plane and turns the cube about z.
"""
import math

from common.folder import scene_folder

# Body: edge (m), mass (kg), inertia (kg m^2, all axes), position of the centre (m). The first is the one that is moved.
CUBES = [
    (0.06, 0.5, 3.0e-4, (0.55, 0, 0.03)),
    (0.08, 5, 5.3e-4, (0.7, 0, 0.04)), (0.07, 5, 4.1e-4, (0.7, 0, 0.115)), (0.08, 5, 5.3e-4, (0.7, 0, 0.19)),
    (0.08, 5, 5.3e-4, (0.5, -0.2, 0.04)), (0.07, 5, 4.1e-4, (0.5, -0.2, 0.115)), (0.08, 5, 5.3e-4, (0.5, -0.2, 0.19)),
    (0.08, 5, 5.3e-4, (0.45, 0.2, 0.04)), (0.07, 5, 4.1e-4, (0.45, 0.2, 0.115)),
    (0.08, 5, 5.3e-4, (0.48, 0.3, 0.04)),
]
SHRINK, CORNER = 1.0e-3, 1.0e-7          # m: a cube is a box whose edges are this much shorter, and a ball of this radius at each corner

# Joint: axis, height of its origin over the joint before (m), limit (rad), stiffness (N m/rad), inertia of the rotor (kg m^2).
ARM = [
    ("z", 0.1575, 2.96706, 800, 7.171875e-5), ("y", 0.183, 2.0944, 600, 1.737109e-4), ("z", 0.184, 2.96706, 600, 1.266406e-4),
    ("-y", 0.2155, 2.0944, 600, 7.09765e-5), ("z", 0.184, 2.96706, 400, 5.4375e-5), ("y", 0.2155, 2.0944, 200, 5.4765e-5),
    ("z", 0.0805, 3.05433, 200, 5.4375e-5),
]
AXES = {"z": "[0, 0, 1]", "y": "[0, 1, 0]", "-y": "[0, -1, 0]"}
GEAR = 160
OPEN = 0.055                             # m, range of a finger
FINGER = {"stiffness": 500, "damping": 31.305, "mass": 0.05}
# Balls of the left finger, in its frame (x: closing, y: approach): radius and position, m. The right one is its mirror image.
BALLS = [*((0.008, (0, y, 0)) for y in (-0.0209, -0.0049, 0.0112, 0.0271)), *((0.004, (0.004, 0.0375, z)) for z in (-0.006, 0.006))]

# At its end (s): x and z of the point of the tool (m), yaw (rad), half the opening (m).
WAY = [
    (0, 0.55, 0.1, 0, 0.05), (2, 0.55, 0.1, 0, 0.02), (6, 0.55, 0.395, 0, 0.02), (10, 0.7, 0.395, 0.5 * math.pi, 0.02),
    (12, 0.7, 0.325, 0.5 * math.pi, 0.02), (14, 0.7, 0.325, 0.5 * math.pi, 0.05), (16, 0.7, 0.475, 0.5 * math.pi, 0.05), (20, 0.55, 0.475, 0, 0.05),
]
KNOTS = 10                               # inverse kinematics in each segment of the way
SAMPLE = 0.1                             # s between values of the command
TOOL = 0.15                              # m, from the last joint to the point of the tool


def arm_angles(x, z, yaw):
    """Angles of the joints 2, 4, 6, 7 with the tool's point at (x, 0, z), pointing down: two links of 0.3995 m between the shoulder and the wrist."""
    link, height = 0.3995, z + TOOL + 0.0805 - 0.3405
    q4 = -(math.pi - 2 * math.asin(math.hypot(x, height) / (2 * link)))
    q2 = math.atan2(x, height) + 0.5 * q4
    return q2, q4, math.pi - q2 + q4, -yaw


def clamped_spline(values):
    """The cubic spline through `values` at 0, 1/n, .., 1 with slope 0 at both ends, as a function of [0, 1]."""
    count = len(values) - 1
    # Slopes m, per knot: m[i - 1] + 4 m[i] + m[i + 1] = 3 (y[i + 1] - y[i - 1]).
    pivots, slopes = [1.0], [0.0]
    for i in range(1, count):
        ratio = 0.0 if i == 1 else 1 / pivots[-1]
        pivots.append(4 - ratio)
        slopes.append(3 * (values[i + 1] - values[i - 1]) - ratio * slopes[-1])
    slopes.append(0.0)
    for i in range(count - 1, 0, -1):
        slopes[i] = (slopes[i] - slopes[i + 1]) / pivots[i]

    def at(part):
        i = min(int(part * count), count - 1)
        s = part * count - i
        return ((1 + 2 * s) * (1 - s) ** 2 * values[i] + s * (1 - s) ** 2 * slopes[i] + s * s * (3 - 2 * s) * values[i + 1] - s * s * (1 - s) * slopes[i + 1])

    return at


def arm_command():
    """Times, and for each of the joints 2, 4, 6, 7 its values: on each segment a spline through the knots, at rest at both ends."""
    times, values = [0.0], [arm_angles(*WAY[0][1:4])]
    for before, after in zip(WAY, WAY[1:]):
        knots = [arm_angles(*(a + k / (KNOTS - 1) * (b - a) for a, b in zip(before[1:4], after[1:4]))) for k in range(KNOTS)]
        spline = [clamped_spline(column) for column in zip(*knots)]
        count = round((after[0] - before[0]) / SAMPLE)
        times += [before[0] + SAMPLE * (k + 1) for k in range(count)]
        values += [tuple(f((k + 1) / count) for f in spline) for k in range(count)]
    return times, list(zip(*values))


def numbers(values):
    return "[" + ", ".join(f"{round(v, 7) + 0.0:.7g}" for v in values) + "]"


def cube(n, edge, mass, inertia, position):
    half, size = 0.5 * edge, edge - SHRINK
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    lines = [f"  - name: cube_{n}", f"    mass: {mass}", f"    inertia: {numbers([inertia] * 3)}", f"    pose: {{xyz: {numbers(position)}}}", "    geometry:",
             f"      - {{name: box, shape: box, size: {numbers([size] * 3)}, material: cube, group: faces}}"]
    return lines + [f"      - {{name: corner_{k}, shape: sphere, radius: {CORNER:.1e}, pose: {{xyz: {numbers(p)}}}, material: cube}}" for k, p in enumerate(corners)]


def table(times, values, interpolation):
    return f"{{times: {numbers(times)}, values: {numbers(values)}, interpolation: {interpolation}}}"


def arm():
    """The lines of its bodies, joints and actuators."""
    times, columns = arm_command()
    commands = dict(zip((2, 4, 6, 7), columns))
    bodies, joints, actuators = [], [], []
    for n, (axis, height, limit, stiffness, rotor) in enumerate(ARM, 1):
        armature, values = GEAR ** 2 * rotor, commands.get(n)
        parent, top = f"link_{n - 1}" if n > 1 else "world", ARM[n][1] if n < len(ARM) else 0.04
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
