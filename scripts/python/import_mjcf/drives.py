"""Actuators, equality constraints and tendons."""
import numpy as np

from .source import plain, pose


# ---- actuators


def add_actuators(source, scene):
    for i, name in enumerate(source.names["ACTUATOR"]):
        reason = no_counterpart(source, i)
        if reason:
            source.leave_out(f"actuators: {reason}", name)
            continue
        scene["actuators"] += drives(source, i, name)
        if has_feedback(source, i):
            scene["constraints"].append(feedback(source, i, name))


def no_counterpart(source, i):
    """Why csim has no such actuator: its force is an affine function of the control and of position and velocity of one joint or length and its rate of a fixed tendon."""
    model = source.model
    transmission, gain, bias = source.enum("mjtTrn", model.actuator_trntype[i]), source.enum("mjtGain", model.actuator_gaintype[i]), source.enum("mjtBias", model.actuator_biastype[i])
    dynamics = source.enum("mjtDyn", model.actuator_dyntype[i])
    target = int(model.actuator_trnid[i, 0])
    if (int(model.opt.disableactuator) >> max(0, int(model.actuator_group[i]))) & 1 or source.disabled("ACTUATION"):
        return "disabled"
    if model.actuator_plugin[i] >= 0:
        return "plugin"
    if transmission in ("joint", "jointinparent"):
        if source.joint_type(target) not in ("hinge", "slide"):
            return f"on a {source.joint_type(target)} joint"
    elif transmission != "tendon":
        return f"through {transmission}"
    elif not is_fixed_tendon(source, target):
        return "through a tendon in space"
    if dynamics != "none":
        return f"dynamics {dynamics}"
    if gain != "fixed" or bias not in ("none", "affine"):
        return f"gain {gain}, bias {bias}"
    b = bias_numbers(source, i)
    if b[1] > 0 or b[2] > 0:
        return "negative gains"
    if transmission == "tendon" and b[1] == 0 and b[2] != 0:
        return "damping alone through a tendon"
    if any(source.column("actuator_delay", i)):
        return "delay"
    return "" if gear_of(source, i) != 0 else "gear 0"


def bias_numbers(source, i):
    """Force = gain control + b0 + b1 length + b2 velocity."""
    affine = source.enum("mjtBias", source.model.actuator_biastype[i]) == "affine"
    return np.array(source.model.actuator_biasprm[i][:3]) if affine else np.zeros(3)


def gear_of(source, i):
    model = source.model
    return float(model.actuator_gear[model.actuator_outadr[i] if hasattr(model, "actuator_outadr") else i, 0])


def control_index(source, i):
    return int(source.model.actuator_ctrladr[i]) if hasattr(source.model, "actuator_ctrladr") else i


def is_on_tendon(source, i):
    return source.enum("mjtTrn", source.model.actuator_trntype[i]) == "tendon"


def has_feedback(source, i):
    """Whether the force through a tendon depends on its length, too."""
    return is_on_tendon(source, i) and bias_numbers(source, i)[1] != 0


def feedback(source, i, name):
    """What length and rate of a fixed tendon add to the force of an actuator: a spring with its damper, of length 0."""
    target, gear, (_, b1, b2) = int(source.model.actuator_trnid[i, 0]), gear_of(source, i), bias_numbers(source, i)
    row = {"name": f"{name}+feedback"} | tendon_base(source, target) | {"length": 0.0, "stiffness": -gear**2 * float(b1)}
    return row | ({"relaxation_time": float(b2 / b1)} if b2 != 0 else {})


def drives(source, i, name):
    """The scene's rows of one actuator: one, or one a joint of its tendon, of the part of the force that does not depend on its length."""
    target, gear, bias = int(source.model.actuator_trnid[i, 0]), gear_of(source, i), bias_numbers(source, i)
    if not is_on_tendon(source, i):
        return [drive(source, i, name, target, gear, bias)]
    bias *= [1, 0, 0]
    return [drive(source, i, f"{name}+{source.names['JOINT'][joint]}", joint, gear * factor, bias) for joint, factor in tendon_joints(source, target).items()]


def drive(source, i, name, joint, gear, bias):
    """The force on the joint's coordinate q is gear (gain u + b0 + b1 gear q + b2 gear dq/dt) with the control u and the bias (b0, b1, b2)."""
    gain, (b0, b1, b2) = float(source.model.actuator_gainprm[i][0]), bias
    row = {"name": name, "joint": source.names["JOINT"][joint]}
    if b1 == 0 and b2 == 0:
        row |= {"type": "effort"}
        unit_of_command = gear
    elif b1 != 0:
        row |= {"type": "position", "stiffness": -gear**2 * float(b1), "damping": -gear**2 * float(b2)}
        unit_of_command = -1 / (b1 * gear)
    else:
        row |= {"type": "velocity", "damping": -gear**2 * float(b2)}
        unit_of_command = -1 / (b2 * gear)
    factor, offset = float(gain * unit_of_command), float(b0 * unit_of_command)
    row["command"] = factor * control(source, i) + offset
    if (factor, offset) != (1.0, 0.0):
        source.notes.append(f"command of {name}: {factor:.12g} times the control of MuJoCo" + (f" + {offset:.12g}" if offset else ""))
    limit = effort_limit(source, i, name, joint, gear, factor if row["type"] == "effort" and b0 == 0 else None)
    if limit is not None:
        row["effort_limit"] = limit
    return row


def control_range(source, i):
    at = control_index(source, i)
    return source.model.actuator_ctrlrange[at] if source.model.actuator_ctrllimited[at] and not source.disabled("CLAMPCTRL") else None


def control(source, i):
    u, bounds = float(source.ctrl[control_index(source, i)]), control_range(source, i)
    return u if bounds is None else float(np.clip(u, *bounds))


def effort_limit(source, i, name, joint, gear, factor):
    """The limit of csim, the same either way: the smallest of MuJoCo's ranges, each by its larger end. `factor`: effort a control, where only the range of
    the control bounds it."""
    model, ranges, of_a_part = source.model, [], has_feedback(source, i)
    if of_a_part and (model.actuator_forcelimited[i] or model.jnt_actfrclimited[joint]):
        source.leave_out("limits of efforts with feedback through a tendon", name)
    if model.actuator_forcelimited[i] and not of_a_part:
        ranges.append(gear * model.actuator_forcerange[i])
    if model.jnt_actfrclimited[joint] and not of_a_part:
        ranges.append(model.jnt_actfrcrange[joint])
    if control_range(source, i) is not None and factor is not None:
        ranges.append(factor * control_range(source, i))
    elif control_range(source, i) is not None:
        source.leave_out("ranges of controls", name)
    if any(low != -high for low, high in ranges):
        source.leave_out("limits of efforts that are not the same either way", name)
    bound = min((float(max(abs(low), abs(high))) for low, high in ranges), default=0.0)
    return bound if bound > 0 else None


# ---- equality constraints


def add_equalities(source, scene):
    for i, name in enumerate(source.names["EQUALITY"]):
        if not source.model.eq_active0[i] or source.disabled("EQUALITY"):
            source.leave_out("equalities that are not active", name)
            continue
        kind = source.enum("mjtEq", source.model.eq_type[i])
        row = {"joint": joint_equality, "tendon": tendon_equality, "connect": connect, "weld": weld}.get(kind, lambda *_: None)(source, i)
        if row is None:
            source.leave_out(f"equalities of the kind {kind}", name)
        else:
            scene["constraints"].append({"name": name} | row)


def straight_line(source, i):
    """(offset, slope) of an equality of two positions or lengths; None where the polynomial has higher powers or one of them is not there."""
    data, other = source.model.eq_data[i], int(source.model.eq_obj2id[i])
    if other >= 0 and any(data[2:5]):
        return None
    return float(data[0]), float(data[1]) if other >= 0 else 0.0


def sum_equality(source, first, second, reference, line):
    """first - slope second = offset, both sums of joints, each less its value in the reference pose."""
    joints = dict(first)
    for joint, coefficient in second.items():
        joints[joint] = joints.get(joint, 0.0) - line[1] * coefficient
    joints = {source.names["JOINT"][joint]: coefficient for joint, coefficient in joints.items() if coefficient != 0}
    return {"type": "tendon", "joints": joints, "length": float(line[0] + reference[0] - line[1] * reference[1])} if joints else None


def joint_equality(source, i):
    model, line = source.model, straight_line(source, i)
    if line is None:
        return None
    a, b = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
    reference = [float(model.qpos0[model.jnt_qposadr[joint]]) if joint >= 0 else 0.0 for joint in (a, b)]
    if line[1] == 0:
        return sum_equality(source, {a: 1.0}, {}, reference, line)
    return {"type": "coupler", "joint_a": source.names["JOINT"][a], "joint_b": source.names["JOINT"][b], "ratio": line[1], "offset": line[0] + reference[0] - line[1] * reference[1]}


def tendon_equality(source, i):
    model, line = source.model, straight_line(source, i)
    tendons = [int(t) for t in (model.eq_obj1id[i], model.eq_obj2id[i])]
    if line is None or not all(t < 0 or is_fixed_tendon(source, t) for t in tendons):
        return None
    joints = [tendon_joints(source, t) if t >= 0 else {} for t in tendons]
    return sum_equality(source, *joints, [float(model.tendon_length0[t]) if t >= 0 else 0.0 for t in tendons], line)


def of_sites(source, i):
    return source.enum("mjtObj", source.model.eq_objtype[i]) == "site"


def site_frame(source, site):
    """(name of the body, pose in csim's frame of it)."""
    model = source.model
    body = int(model.site_bodyid[site])
    return source.body_name(body), pose(model.site_pos[site] - source.shift[body], model.site_quat[site])


def connect(source, i):
    model, data = source.model, source.model.eq_data[i]
    ends = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
    if of_sites(source, i):
        (a, at_a), (b, at_b) = (site_frame(source, site) for site in ends)
        return {"type": "ball", "a": a, "b": b, "point_a": at_a["xyz"], "point_b": at_b["xyz"]}
    return {"type": "ball", "a": source.body_name(ends[0]), "b": source.body_name(ends[1]), "point_a": source.in_body(ends[0], data[0:3]), "point_b": source.in_body(ends[1], data[3:6])}


def weld(source, i):
    """MuJoCo holds the anchor, a point of both bodies, and the rotation of the second body in the first."""
    model, data = source.model, source.model.eq_data[i]
    ends = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
    if of_sites(source, i):
        (a, at_a), (b, at_b) = (site_frame(source, site) for site in ends)
        return {"type": "weld", "a": a, "b": b, "pose_a": at_a, "pose_b": at_b}
    return {"type": "weld", "a": source.body_name(ends[0]), "b": source.body_name(ends[1]), "pose_a": pose(data[3:6] - source.shift[ends[0]], data[6:10]),
            "pose_b": {"xyz": source.in_body(ends[1], data[0:3])}}


# ---- tendons


def wraps(source, tendon):
    """[(kind, index, number)] of what a tendon goes through."""
    model, first = source.model, source.model.tendon_adr[tendon]
    return [(source.enum("mjtWrap", model.wrap_type[k]), int(model.wrap_objid[k]), float(model.wrap_prm[k])) for k in range(first, first + model.tendon_num[tendon])]


def is_fixed_tendon(source, tendon):
    return all(kind == "joint" for kind, _, _ in wraps(source, tendon))


def tendon_joints(source, tendon):
    """{joint: coefficient} of a fixed tendon."""
    found = {}
    for _, joint, coefficient in wraps(source, tendon):
        found[joint] = found.get(joint, 0.0) + coefficient
    return found


def add_tendons(source, scene):
    model = source.model
    for i, name in enumerate(source.names["TENDON"]):
        base = tendon_base(source, i)
        if base is None:
            source.leave_out("tendons in space but for straight lines between two bodies", name)
            continue
        if model.tendon_limited[i] and not source.disabled("LIMIT"):
            scene["constraints"].append({"name": name} | base | interval(base["type"], *model.tendon_range[i]))
            if model.tendon_margin[i] != 0:
                source.leave_out("margins of limits", name)
        add_tendon_spring(source, scene, i, name, base)
        for what, key in (("friction of tendons", "tendon_frictionloss"), ("inertia of tendons", "tendon_armature"), ("yield of springs", "tendon_springyield"),
                          ("stiffness that is no straight line", "tendon_stiffnesspoly"), ("damping that is no straight line", "tendon_dampingpoly")):
            if any(source.column(key, i)):
                source.leave_out(what, name)


def tendon_base(source, tendon):
    """The constraint without its bounds: a sum of joints, or the distance of two points of different bodies."""
    model, through = source.model, wraps(source, tendon)
    if is_fixed_tendon(source, tendon):
        return {"type": "tendon", "joints": {source.names["JOINT"][joint]: c for joint, c in tendon_joints(source, tendon).items()}}
    if [kind for kind, _, _ in through] != ["site", "site"]:
        return None
    (a, at_a), (b, at_b) = (site_frame(source, site) for _, site, _ in through)
    if model.body_weldid[model.site_bodyid[through[0][1]]] == model.body_weldid[model.site_bodyid[through[1][1]]]:
        return None
    return {"type": "distance", "a": a, "b": b, "point_a": at_a["xyz"], "point_b": at_b["xyz"]}


def interval(kind, low, high):
    """Bounds as keys of the constraint."""
    if kind == "tendon":
        return {"length": float(low)} if low == high else {"limits": plain([low, high])}
    if low == high:
        return {"length": float(low)}
    return ({"min": float(low)} if low > 0 else {}) | {"max": float(high)}


def add_tendon_spring(source, scene, i, name, base):
    """Its damper acts where its spring does, so that one without a spring, or of a spring with slack, has no counterpart."""
    model = source.model
    stiffness, damping = (float(np.atleast_1d(values[i])[0]) for values in (model.tendon_stiffness, model.tendon_damping))
    low, high = model.tendon_lengthspring[i]
    stiffness, damping = stiffness * (not source.disabled("SPRING")), damping * (not source.disabled("DAMPER"))
    if damping != 0 and (stiffness == 0 or low != high):
        source.leave_out("damping of tendons without a spring or with slack", name)
        damping = 0.0
    if stiffness == 0:
        return
    if base["type"] == "distance" and high <= 0:
        source.leave_out("springs of tendons of length 0", name)
        return
    relaxation = {"relaxation_time": damping / stiffness} if damping else {}
    scene["constraints"].append({"name": f"{name}+spring"} | base | interval(base["type"], low, high) | {"stiffness": stiffness} | relaxation)
