"""MJCF models as scenes: `csim.py import-mjcf robot.xml -o robot.yaml`, through the package mujoco, which resolves includes, defaults and meshes.

Bodies, joints, inertias, geometries, actuators, tendons, equality constraints and contact filters become a scene; what has no counterpart is listed by name.
A MuJoCo body of several joints becomes a chain of bodies without mass, BODY+JOINT, of one joint each; a body's frame lies at the anchor of its (last) joint. Joint
positions are MuJoCo's, so that a key frame's numbers stay. MuJoCo's contact parameters (solref, solimp) describe another law: contacts take csim's defaults.
"""
import collections
import json
import pathlib
import typing

import numpy as np

from .bodies import add_bodies
from .contacts import add_contacts
from .drives import add_actuators, add_equalities, add_tendons
from .source import Source, all_names, enum_name, joint_type, plain

FAR = 5e-4  # m or rad, half of what csim refuses


class Imported(typing.NamedTuple):
    scene: dict
    left_out: dict  # what has no counterpart: names
    notes: list     # what reads otherwise than in MuJoCo


def scene_of_mjcf(path, key=None, mesh_folder=None):
    """The scene of an MJCF file. `key`: a key frame, by name or number; default: the model's reference. Meshes that are only seen become files in `mesh_folder`,
    which is beside the scene's file; without it they are seen as hulls."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    folder = None if mesh_folder is None else pathlib.Path(mesh_folder)
    known = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_KEY, i) or str(i) for i in range(model.nkey)]
    if key is None:
        qpos, moved = within_limits(model)
        imported = scene_of_model(model, qpos, np.zeros(model.nv), None, folder)
        names = all_names(mujoco, model)
        imported.notes.extend(f"{names['JOINT'][joint]} starts at its limit, {limit:.12g}: the reference is outside" for joint, limit in moved)
        if known:
            imported.left_out["key frames (--key takes one as the start)"] = known
        return assembled(imported, model, qpos, bool(moved))
    index = int(key) if str(key).isdigit() else mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, key)
    if not 0 <= index < model.nkey:
        raise ValueError(f"'{key}', unknown key frame; the file has: {', '.join(known) or 'none'}")
    return assembled(scene_of_model(model, model.key_qpos[index], model.key_qvel[index], model.key_ctrl[index], folder), model, model.key_qpos[index])


def assembled(imported, model, qpos, moved=False):
    """Rigid constraints between bodies that are further apart at these positions than a run mends hold from the start; MuJoCo pulls their bodies together in time.
    `moved`: positions that the limits of joints have changed; equalities hold at the reference."""
    import mujoco

    names, off = all_names(mujoco, model), violations(model, qpos)
    for row in imported.scene.get("constraints", []):
        if moved and row["name"] in names["EQUALITY"]:
            row["assemble"] = True
        elif off.get(row["name"], 0.0) > FAR and row["type"] in ("ball", "weld", "distance") and "stiffness" not in row:
            row["assemble"] = True
            imported.notes.append(f"{row['name']} is violated by {off[row['name']]:.3g} (m or rad) at the start: the bodies start where it holds (assemble)")
    return imported


def violations(model, qpos):
    """{name: size} of equalities and of limits of tendons; of a weld the half of its angle may count in place of the angle."""
    import mujoco

    data, names, squares = mujoco.MjData(model), all_names(mujoco, model), collections.defaultdict(float)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    for kind, owner, position in zip(data.efc_type, data.efc_id, data.efc_pos):
        kind = enum_name(mujoco.mjtConstraint, kind)
        if kind == "equality":
            squares[names["EQUALITY"][int(owner)]] += float(position)**2
        elif kind == "limit_tendon":
            squares[names["TENDON"][int(owner)]] += min(0.0, float(position))**2
    return {name: square**0.5 for name, square in squares.items()}


def within_limits(model):
    """The reference positions, each joint's within its limits, and [(joint, limit)] of those that are outside."""
    qpos, moved = np.array(model.qpos0), []
    for joint in range(model.njnt):
        at, (low, high) = model.jnt_qposadr[joint], model.jnt_range[joint]
        if model.jnt_limited[joint] and joint_type(model, joint) in ("hinge", "slide") and not low <= qpos[at] <= high:
            qpos[at] = low if qpos[at] < low else high
            moved.append((joint, qpos[at]))
    return qpos, moved


def scene_of_model(model, qpos, qvel, ctrl=None, mesh_folder=None):
    """The same of a compiled mujoco.MjModel, from a state of MuJoCo's. `ctrl`: the controls; default: 0."""
    source = Source(model, qpos, qvel, np.zeros(model.nu) if ctrl is None else ctrl, mesh_folder)
    scene = {"csim": 1, "gravity": [0.0, 0.0, 0.0] if source.disabled("GRAVITY") else plain(model.opt.gravity), "time": {"step": float(model.opt.timestep), "end": 1.0}, "materials": {},
             "bodies": [], "joints": [], "actuators": [], "constraints": [], "forces": []}
    add_bodies(source, scene)
    add_contacts(source, scene)
    add_actuators(source, scene)
    add_equalities(source, scene)
    add_tendons(source, scene)
    list_others(source)
    return Imported({key: value for key, value in scene.items() if value or key == "bodies"}, source.left_out, source.notes)


def list_others(source):
    """What a scene of csim does not have at all."""
    opt = source.model.opt
    for what, kind in (("cameras", "CAMERA"), ("lights", "LIGHT"), ("textures", "TEXTURE"), ("sensors", "SENSOR"), ("flexes", "FLEX"), ("skins", "SKIN"), ("plugins", "PLUGIN"),
                       ("custom data", "NUMERIC"), ("custom data", "TEXT"), ("custom data", "TUPLE")):
        for name in source.names[kind]:
            source.leave_out(what, name)
    for i, name in enumerate(source.names["SITE"]):
        if not in_use(source, i):
            source.leave_out("sites", name)
    if int(opt.enableflags) & int(source.mujoco.mjtEnableBit.mjENBL_OVERRIDE):
        source.leave_out("options", "override of the contacts' parameters")
    for what, value in (("medium: density", opt.density), ("medium: viscosity", opt.viscosity)):
        if value != 0:
            source.leave_out(what, f"{value:g}")


def in_use(source, site):
    """Whether a tendon or an equality constraint of the scene has its points from a site."""
    model = source.model
    ends = {int(end) for i in range(model.neq) if source.enum("mjtObj", model.eq_objtype[i]) == "site" for end in (model.eq_obj1id[i], model.eq_obj2id[i])}
    return site in ends or any(source.enum("mjtWrap", model.wrap_type[k]) == "site" and model.wrap_objid[k] == site for k in range(model.nwrap))


def yaml_of(scene):
    """The scene as YAML: a line an element of a list."""
    lines = []
    for key, value in scene.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"{key}:")
            lines += [f"  - {json.dumps(item)}" for item in value]
        elif key in ("materials", "contact") and value:
            lines.append(f"{key}:")
            for name, entry in value.items():
                if isinstance(entry, list):
                    lines.append(f"  {name}:")
                    lines += [f"    - {json.dumps(item)}" for item in entry]
                else:
                    lines.append(f"  {name}: {json.dumps(entry)}")
        else:
            lines.append(f"{key}: {json.dumps(value)}")
    return "\n".join(lines) + "\n"
