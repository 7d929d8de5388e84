#!/usr/bin/env python3
"""Simulates a MuJoCo model and writes its motion for `csim audit`.

    scripts/peers/mujoco_audit.py MODEL.xml|box|pile|disc|passing -o FILE.h5 [--end T] [--step H] [--integrator euler|implicitfast|discrete]

`box` slides on a floor, `pile` drops 20 balls on a heap, `disc` is Euler's disc, `passing` two boxes that pass each other 1 mm apart, with a
contact margin of 2 mm. Impulses are the contact forces of mj_step times the step, at the poses
of its start; gaps are MuJoCo's distances, at the end of the step by mj_geomDistance. Bodies with other joints than one free joint are `held`. Needs
mujoco, h5py and numpy.
"""
import math

import mujoco
import numpy as np

from trajectory_file import WORLD, TrajectoryFile, command_line

FLOOR = '<geom type="plane" size="5 5 1" friction="{mu} 0 0"/>'
HEAD = '<mujoco><option timestep="0.001" cone="elliptic"/><worldbody>'
BOX = HEAD + FLOOR.format(mu=0.3) + ('<body name="box" pos="0 0 0.02"><freejoint/><geom type="box" size="0.05 0.03 0.02" density="1000" friction="0.3 0 0"/></body>'
                                     "</worldbody><keyframe><key qpos='0 0 0.02 1 0 0 0' qvel='1 0 0 0 0 0'/></keyframe></mujoco>")
PILE = HEAD + FLOOR.format(mu=0.5) + "".join(
    f'<body name="ball{i}" pos="{0.03 * (i % 2)} {0.03 * (i // 2 % 2)} {0.05 + 0.05 * (i // 4)}"><freejoint/>'
    '<geom type="sphere" size="0.02" density="1000" friction="0.5 0 0"/></body>' for i in range(20)) + "</worldbody></mujoco>"
TILT = math.radians(20.0)  # of Euler's disc, 40 mm in radius, 4 mm thick, that rolls on its edge
DISC = HEAD + FLOOR.format(mu=0.9) + (
    '<body name="disc"><freejoint/><geom type="cylinder" size="0.04 0.002" density="7800" friction="0.9 0 0"/></body></worldbody>'
    f"<keyframe><key qpos='0 0 0.015560191 {math.cos(TILT / 2)} 0 {math.sin(TILT / 2)} 0' "
    f"qvel='0 0 0 {-17.2125876 * math.cos(TILT) - 6.26486953 * math.sin(TILT)} 0 {-17.2125876 * math.sin(TILT) + 6.26486953 * math.cos(TILT)}'/></keyframe></mujoco>")
PASSING = ('<mujoco><option timestep="0.001" gravity="0 0 0" cone="elliptic"/><worldbody>' + "".join(
    f'<body name="{name}" pos="{pos}"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="{mass}" friction="0.5 0 0" margin="0.002"/></body>'
    for name, pos, mass in (("target", "0 0 0", 10), ("bullet", "-0.3037 0 0.101", 1)))
    + "</worldbody><keyframe><key qpos='0 0 0 1 0 0 0 -0.3037 0 0.101 1 0 0 0' qvel='0 0 0 0 0 0 10 0 0 0 0 0'/></keyframe></mujoco>")
SCENES = {"box": BOX, "pile": PILE, "disc": DISC, "passing": PASSING}
INTEGRATORS = {"euler": mujoco.mjtIntegrator.mjINT_EULER, "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
               "discrete": getattr(mujoco.mjtIntegrator, "mjINT_DISCRETE", None)}


def rotation(quaternion):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)


def add_bodies(model, file):
    """Every body but the world, which has index 0 there and WORLD here."""
    for i in range(1, model.nbody):
        joints = range(model.body_jntadr[i], model.body_jntadr[i] + model.body_jntnum[i]) if model.body_jntnum[i] else ()
        free = len(joints) == 1 and model.jnt_type[joints[0]] == mujoco.mjtJoint.mjJNT_FREE and model.body_parentid[i] == 0
        alone = i not in model.body_parentid[1:]
        moves = model.body_weldid[i] != 0
        axes = rotation(model.body_iquat[i])
        file.add_body(model.body(i).name or f"body{i}", model.body_mass[i], model.body_ipos[i], axes @ np.diag(model.body_inertia[i]) @ axes.T,
                      "free" if free and alone else "held" if moves else "prescribed")


def states(model, at, step):
    """Of all bodies; `at`: data whose kinematics are those of its qpos and qvel."""
    rows = []
    for i in range(1, model.nbody):
        twist = np.zeros(6)  # angular, linear
        mujoco.mj_objectVelocity(model, at, mujoco.mjtObj.mjOBJ_XBODY, i, twist, 0)
        rows.append((at.xpos[i].copy(), at.xquat[i].copy(), twist[3:], twist[:3], step * at.xfrc_applied[i, :3], step * at.xfrc_applied[i, 3:]))
    return rows


def contacts(model, data, after, step):
    """Of the step just made: forces and places of its start; `after` has the kinematics of its end."""
    rows = []
    for i in range(data.ncon):
        contact = data.contact[i]
        force = np.zeros(6)
        mujoco.mj_contactForce(model, data, i, force)
        axes = contact.frame.reshape(3, 3)  # rows: normal from geom 1 to geom 2, tangents
        a, b = (int(model.geom_bodyid[g]) for g in contact.geom)
        end = mujoco.mj_geomDistance(model, after, *contact.geom, 0.1, None) if force[0] > 0 else np.nan
        rows.append({"body_a": a - 1 if a else WORLD, "body_b": b - 1 if b else WORLD, "point": contact.pos.copy(), "normal": axes[0].copy(),
                     "impulse": step * axes.T @ force[:3], "moment": step * axes.T @ force[3:], "gap": contact.dist, "gap_end": end,
                     "friction": contact.friction[0]})
    return rows


def main():
    parser = command_line(__doc__, step=None)
    parser.add_argument("--integrator", choices=INTEGRATORS)
    options = parser.parse_args()
    model = mujoco.MjModel.from_xml_string(SCENES[options.model]) if options.model in SCENES else mujoco.MjModel.from_xml_path(options.model)
    if options.step:
        model.opt.timestep = options.step
    if options.integrator:
        model.opt.integrator = INTEGRATORS[options.integrator]
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        parser.error("the contact forces of a Runge-Kutta step are not its impulses; expected --integrator euler or implicitfast")
    step = model.opt.timestep
    data, after = mujoco.MjData(model), mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    file = TrajectoryFile(f"MuJoCo {mujoco.__version__}", model.opt.gravity)
    add_bodies(model, file)

    def kinematics():
        after.qpos[:], after.qvel[:], after.xfrc_applied[:] = data.qpos, data.qvel, data.xfrc_applied
        mujoco.mj_fwdPosition(model, after)
        mujoco.mj_fwdVelocity(model, after)
        return states(model, after, step)

    file.add_row(0.0, kinematics())
    for _ in range(round(options.end / step)):
        mujoco.mj_step(model, data)
        rows = kinematics()
        file.add_row(data.time, rows, contacts(model, data, after, step))
    file.write(options.output)


if __name__ == "__main__":
    main()
