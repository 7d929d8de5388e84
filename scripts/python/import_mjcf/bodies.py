"""Bodies, their inertias and joints."""
import numpy as np

from .contacts import geometries
from .source import WORLD_GEOMETRY, matrix, plain, pose, product, turned, unit

TYPES = {"hinge": "revolute", "slide": "prismatic", "ball": "ball"}


def add_bodies(source, scene):
    model, inertias = source.model, link_inertias(source)
    if any(model.geom_bodyid == 0):
        scene["bodies"].append({"name": WORLD_GEOMETRY, "fixed": True, "geometry": geometries(source, 0)})
    for body in range(1, model.nbody):
        name = source.body_name(body)
        joints = range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
        parent = model.body_parentid[body]
        spec = {"name": name}
        if not joints and parent == 0:
            spec |= {"fixed": True, "pose": pose(model.body_pos[body], model.body_quat[body])}
        elif not joints:
            scene["joints"].append({"name": name + "+weld", "type": "weld", "parent": source.body_name(parent), "child": name,
                                    "pose": pose(model.body_pos[body] - source.shift[parent], model.body_quat[body])})
        elif source.joint_type(joints[0]) == "free":
            add_free(source, scene, body, joints[0], spec, inertias[body]["mass"])
        else:
            add_chain(source, scene, body, joints, name)
        if model.body_mocapid[body] >= 0:
            source.leave_out("motion of mocap bodies, which stay", name)
        if "fixed" not in spec or inertias[body]["mass"] > 0:
            spec |= inertias[body] | {"com": plain(np.array(inertias[body]["com"]) - source.shift[body])}
        compensate_gravity(source, scene, body, spec)
        spec["geometry"] = geometries(source, body)
        scene["bodies"].append(spec)


# ---- inertias


def is_whole(model, body):
    """Whether a body's inertia can stand for itself in a scene: positive, or nothing at all."""
    mass, moments = model.body_mass[body], model.body_inertia[body]
    return (mass > 0 and min(moments) > 0) or (mass == 0 and not any(moments))


def tensor(model, body):
    R = matrix(unit(model.body_iquat[body]))
    return R @ np.diag(model.body_inertia[body]) @ R.T


def row(mass, com, about_com):
    I = about_com
    return {"mass": float(mass), "com": plain(com), "inertia": plain([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}


def link_inertias(source):
    """Inertias in MuJoCo's frames. Bodies that are welded together, one of which has a mass without moments, count as one: all is the topmost one's."""
    model = source.model
    found = [row(model.body_mass[body], model.body_ipos[body], tensor(model, body)) for body in range(model.nbody)]
    nothing = row(0.0, np.zeros(3), np.zeros((3, 3)))
    for top in sorted({int(model.body_weldid[body]) for body in range(1, model.nbody)}):
        group = [body for body in range(1, model.nbody) if model.body_weldid[body] == top]
        if all(is_whole(model, body) for body in group):
            continue
        if top == 0:  # what the world carries does not move
            for body in group:
                found[body] = found[body] if is_whole(model, body) else nothing
            continue
        total = together(model, top, group)
        for body in group:
            found[body] = total if body == top else nothing
            if body != top and model.body_mass[body] > 0:
                source.leave_out("masses of their own (they count with the body above)", source.body_name(body))
    return found


def together(model, top, group):
    parts = []
    for body in group:
        com, axes, above = np.array(model.body_ipos[body]), np.eye(3), body
        while above != top:
            R = matrix(unit(model.body_quat[above]))
            com, axes, above = model.body_pos[above] + R @ com, R @ axes, model.body_parentid[above]
        parts.append((model.body_mass[body], com, axes @ tensor(model, body) @ axes.T))
    mass = sum(m for m, _, _ in parts)
    if mass == 0:
        return row(0.0, np.zeros(3), sum(I for _, _, I in parts))
    center = sum(m * c for m, c, _ in parts) / mass
    return row(mass, center, sum(I + m * ((c - center) @ (c - center) * np.eye(3) - np.outer(c - center, c - center)) for m, c, I in parts))


def compensate_gravity(source, scene, body, spec):
    model = source.model
    part, mass = float(model.body_gravcomp[body]), float(model.body_mass[body])
    if part == 0 or mass == 0 or model.body_weldid[body] == 0 or source.disabled("GRAVITY"):
        return
    if part == 1 and spec["mass"] == mass:
        spec["gravity_compensation"] = True
    else:
        scene["forces"].append({"name": f"gravcomp_{spec['name']}", "body": spec["name"], "point": source.in_body(body, model.body_ipos[body]),
                                "force": plain(-part * mass * model.opt.gravity)})


# ---- joints


def add_free(source, scene, body, joint, spec, mass):
    """A body without a joint; with a joint where the joint has losses or the body no mass."""
    model, name = source.model, source.names["JOINT"][joint]
    q, v = source.qpos[model.jnt_qposadr[joint]:][:7], source.qvel[model.jnt_dofadr[joint]:][:6]
    rotation = unit(q[3:7])
    linear, angular = v[:3], matrix(rotation) @ v[3:6]
    found = losses(source, joint)
    if model.jnt_stiffness[joint] != 0:
        source.leave_out("springs of free joints", name)
    if found or mass == 0:
        scene["joints"].append({"name": name, "type": "free", "parent": "world", "child": spec["name"], "position": plain([*rotation, *q[:3]]),
                                "velocity": plain([*angular, *linear])} | found)
    else:
        spec |= {"pose": pose(q[:3], rotation), "velocity": {"linear": plain(linear), "angular": plain(angular)}}


def add_chain(source, scene, body, joints, name):
    """One joint a body: those before the last carry bodies without mass. The frame behind each joint lies at its anchor, in MuJoCo's axes of the body."""
    model = source.model
    parent_body = model.body_parentid[body]
    parent, X = source.body_name(parent_body), model.body_pos[body] - source.shift[parent_body]
    rotation, anchor = unit(model.body_quat[body]), np.zeros(3)
    # MuJoCo's filter of parents leaves out those that the world carries; csim's does not.
    collide = len(joints) == 1 and parent_body != 0 and (model.body_weldid[parent_body] == 0 or source.disabled("FILTERPARENT"))
    for k, joint in enumerate(joints):
        kind, joint_name = source.joint_type(joint), source.names["JOINT"][joint]
        if k > 0:
            X, rotation = model.jnt_pos[joint] - anchor, np.array([1.0, 0, 0, 0])
        else:
            X = X + matrix(rotation) @ model.jnt_pos[joint]
        anchor = np.array(model.jnt_pos[joint])
        reference, turn = float(model.qpos0[model.jnt_qposadr[joint]]), rotation
        if kind == "hinge":
            turn = product(rotation, turned(model.jnt_axis[joint], -reference))
        elif kind == "slide":
            X = X - reference * (matrix(rotation) @ model.jnt_axis[joint])
        last = k + 1 == len(joints)
        child = name if last else f"{name}+{joint_name}"
        scene["joints"].append({"name": joint_name, "type": TYPES[kind], "parent": parent, "child": child, "pose": pose(X, turn)} | coordinates(source, joint) |
                               losses(source, joint) | springs_and_stops(source, joint) | ({"collide": True} if collide else {}))
        if not last:
            scene["bodies"].append({"name": child, "mass": 0.0, "inertia": [0.0, 0.0, 0.0]})
        parent = child
    source.shift[body] = anchor


def coordinates(source, joint):
    model = source.model
    dof, at = model.jnt_dofadr[joint], model.jnt_qposadr[joint]
    if source.joint_type(joint) == "ball":
        rotation = unit(source.qpos[at:at + 4])
        return {"position": plain(rotation), "velocity": plain(matrix(rotation) @ source.qvel[dof:dof + 3])}  # MuJoCo's are the child's axes
    return {"axis": plain(model.jnt_axis[joint]), "position": float(source.qpos[at]), "velocity": float(source.qvel[dof])}


def losses(source, joint):
    """Damping, armature and friction of a joint; an actuator may add to the first two, through its gear."""
    model, name = source.model, source.names["JOINT"][joint]
    dof = model.jnt_dofadr[joint]
    damping, armature = (float(np.atleast_1d(values[dof])[0]) for values in (model.dof_damping, model.dof_armature))
    actuator = int(source.column("jnt_actuatorid", joint)[0]) if hasattr(model, "jnt_actuatorid") else -1
    if actuator >= 0:
        gear = float(model.actuator_gear[model.actuator_outadr[actuator], 0])
        damping += gear**2 * float(source.column("actuator_damping", actuator)[0])
        armature += gear**2 * float(source.column("actuator_armature", actuator)[0])
        if any(source.column("actuator_dampingpoly", actuator)):
            source.leave_out("damping that is no straight line", name)
    if any(source.column("dof_dampingpoly", dof)):
        source.leave_out("damping that is no straight line", name)
    found = {"damping": 0.0 if source.disabled("DAMPER") else damping, "armature": armature,
             "friction": 0.0 if source.disabled("FRICTIONLOSS") else float(model.dof_frictionloss[dof])}
    return {key: value for key, value in found.items() if value != 0}


def springs_and_stops(source, joint):
    model, name, ball = source.model, source.names["JOINT"][joint], source.joint_type(joint) == "ball"
    found, stiffness = {}, float(np.atleast_1d(model.jnt_stiffness[joint])[0])
    if any(source.column("jnt_stiffnesspoly", joint)):
        source.leave_out("stiffness that is no straight line", name)
    if any(source.column("jnt_springyield", joint)):
        source.leave_out("yield of springs", name)
    if stiffness != 0 and ball:
        source.leave_out("springs of ball joints", name)
    elif stiffness != 0 and not source.disabled("SPRING"):
        found |= {"stiffness": stiffness, "rest_position": float(model.qpos_spring[model.jnt_qposadr[joint]])}
    if model.jnt_limited[joint] and ball:
        source.leave_out("limits of ball joints", name)
    elif model.jnt_limited[joint] and not source.disabled("LIMIT"):
        found["limits"] = plain(model.jnt_range[joint])
        if model.jnt_margin[joint] != 0:
            source.leave_out("margins of limits", name)
    return found
