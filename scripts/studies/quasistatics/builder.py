"""Scenes of a study, built in Python. Motion in the plane is in x-y, with gravity along -y."""
import json

PLANAR = {"rays_per_contact": 2}
GROUND = {"axis": [1, 0, 0], "angle_deg": -90}  # pose of a half space whose normal is y


def write(folder, name, bodies, joints, actuators, integrator, step, end, gravity=(0, 0, 0), frictions=(), exclude=()):
    """Writes FOLDER/NAME/scene.yaml and returns its folder. `bodies`, `joints` and `actuators` are lists as in a scene; `frictions`: material -> friction."""
    scene = {"csim": 1, "name": name, "gravity": list(gravity), "time": {"step": step, "end": end}, "materials": {key: {"friction": mu} for key, mu in dict(frictions).items()},
             "bodies": bodies, "joints": joints, "actuators": actuators, "contact": {"exclude": [{"a": a, "b": b} for a, b in exclude]}, "integrator": {"type": "quasistatic", **integrator}}
    path = folder / name
    path.mkdir()
    (path / "scene.yaml").write_text(json.dumps(scene), encoding="utf-8")
    return path


def body(name, geometry=(), mass=0.0, inertia=0.0, **keys):
    """A body with the same moment of inertia about all axes."""
    return {"name": name, "mass": mass, "inertia": [inertia] * 3, "geometry": list(geometry), **keys}


def sphere(radius, xyz, material):
    return {"shape": "sphere", "radius": radius, "pose": {"xyz": list(xyz)}, "material": material}


def box(size, xyz, material):
    return {"shape": "box", "size": list(size), "pose": {"xyz": list(xyz)}, "material": material}


def fixed(name, geometry, **keys):
    return {"name": name, "fixed": True, "geometry": [geometry], **keys}


def ground(height=0.0):
    return fixed("ground", {"shape": "half_space", "material": "ground", "pose": {"xyz": [0, height, 0], **GROUND}})


def drive(joint, stiffness, times, values, interpolation="linear"):
    """A position drive whose command goes through `values` at `times`; a number: one that stays."""
    command = values if isinstance(values, (int, float)) else {"times": list(times), "values": list(values), "interpolation": interpolation}
    return {"name": f"drive_{joint}", "joint": joint, "type": "position", "stiffness": stiffness, "command": command}


def joint(name, kind, parent, child, axis, position=0.0, xyz=(0, 0, 0), **keys):
    """A driven joint; the armature stands for the mass of its bodies, which quasistatic steps do not read."""
    return {"armature": 0.1, "name": name, "type": kind, "parent": parent, "child": child, "pose": {"xyz": list(xyz)}, "axis": list(axis), "position": position, **keys}


def planar(child, position):
    """A passive body in the plane: x, y and the angle about z."""
    return {"name": f"{child}_planar", "type": "planar", "parent": "world", "child": child, "position": list(position)}


def cartesian(name, geometry, stiffness, times, xs, ys):
    """An actuated body that moves along x and y: its bodies, joints and drives."""
    bodies = [body(f"{name}_carrier"), body(name, geometry)]
    joints = [joint(f"{name}_x", "prismatic", "world", f"{name}_carrier", (1, 0, 0), xs[0]), joint(f"{name}_y", "prismatic", f"{name}_carrier", name, (0, 1, 0), ys[0])]
    return bodies, joints, [drive(f"{name}_x", stiffness, times, xs), drive(f"{name}_y", stiffness, times, ys)]


def cornered_box(name, mass, inertia, edge=1.0, corners=((-1, -1), (-1, 1), (1, -1), (1, 1))):
    """A box in the plane, a thousandth smaller, with a small ball at each of its `corners`."""
    return body(name, [box((0.999 * edge,) * 3, (0, 0, 0), "box"), *(sphere(1e-7, (0.5 * edge * x, 0.5 * edge * y, 0), "corner") for x, y in corners)], mass, inertia)


def gripper(knots, times):
    """Two fingers in the plane: knots of x, y, angle, left and right finger; the fingers slide along the gripper's x."""
    names = ("gripper_x", "gripper_y", "gripper_angle", "gripper_left", "gripper_right")
    children = ("carriage", "lift", "palm", "left_finger", "right_finger")
    parents, axes = ("world", "carriage", "lift", "palm", "palm"), ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0), (1, 0, 0))
    columns = list(zip(*knots))
    bodies = [body(child) for child in children[:3]] + [body(child, [box((0.02, 0.1, 0.05), (offset, 0, 0), "finger")]) for child, offset in zip(children[3:], (-0.01, 0.01))]
    joints = [joint(name, "revolute" if name == "gripper_angle" else "prismatic", parent, child, axis, column[0]) for name, parent, child, axis, column in zip(names, parents, children, axes, columns)]
    return bodies, joints, [drive(name, stiffness, times, column) for name, stiffness, column in zip(names, (50, 50, 100, 50, 50), columns)]
