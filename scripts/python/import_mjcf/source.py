"""What the parts of the importer share: a compiled model of MuJoCo's in one state, names, rotations, and the list of what a scene does not have."""
import math
import re

import numpy as np

COUNTS = {"BODY": "nbody", "JOINT": "njnt", "GEOM": "ngeom", "SITE": "nsite", "MESH": "nmesh", "ACTUATOR": "nactuator", "EQUALITY": "neq", "TENDON": "ntendon", "CAMERA": "ncam",
          "LIGHT": "nlight", "SENSOR": "nsensor", "FLEX": "nflex", "SKIN": "nskin", "PLUGIN": "nplugin", "TEXTURE": "ntex", "NUMERIC": "nnumeric", "TEXT": "ntext", "TUPLE": "ntuple",
          "KEY": "nkey"}
WORLD_GEOMETRY = "world_geometry"  # the body of the scene that has the geometries of MuJoCo's world


def matrix(q):
    """The rotation of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def unit(q):
    return np.asarray(q, dtype=float) / np.linalg.norm(q)


def turned(axis, angle):
    """The quaternion of a rotation about an axis."""
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * np.asarray(axis) / np.linalg.norm(axis))])


def product(p, q):
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def plain(value):
    """Numbers of numpy as those of JSON."""
    return np.asarray(value, dtype=float).tolist()


def pose(xyz, quaternion):
    return {"xyz": plain(xyz), "quaternion_wxyz": plain(unit(quaternion))}


def enum_name(enumeration, value):
    """The name of a value of one of MuJoCo's enumerations without its prefix: hinge, fixed, mesh, ..; those that a newer MuJoCo adds are numbers."""
    try:
        return enumeration(int(value)).name.split("_", 1)[1].lower()
    except ValueError:
        return str(int(value))


def joint_type(model, joint):
    import mujoco

    return enum_name(mujoco.mjtJoint, model.jnt_type[joint])


def names_of(mujoco, model, kind, taken=()):
    """Names in the scene of all things of a kind of the model: letters, digits, _, + and -, each once and none of `taken`."""
    names = []
    for i in range(getattr(model, COUNTS[kind], model.nu)):  # MuJoCo 3 has nu actuators
        name = re.sub(r"[^A-Za-z0-9_+-]", "_", mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{kind}"), i) or f"{kind.lower()}_{i}")
        if name.isdigit() or (name == "world" and i > 0):
            name = f"{kind.lower()}_{name}"
        while name in names or name in taken:
            name += "_"
        names.append(name)
    return names


def all_names(mujoco, model):
    """The names by kind. Tendons and equalities are both constraints of the scene."""
    found = {kind: names_of(mujoco, model, kind, (WORLD_GEOMETRY,) if kind == "BODY" else ()) for kind in COUNTS}
    return found | {"TENDON": names_of(mujoco, model, "TENDON", found["EQUALITY"])}


class Source:
    """A compiled model and the state to start from. `shift`: the origin of each body's frame in csim, in MuJoCo's frame of the body."""

    def __init__(self, model, qpos, qvel, ctrl, mesh_folder):
        import mujoco

        self.mujoco, self.model, self.mesh_folder = mujoco, model, mesh_folder
        self.qpos, self.qvel, self.ctrl = (np.array(x, dtype=float) for x in (qpos, qvel, ctrl))
        self.names = all_names(mujoco, model)
        self.shift = np.zeros((model.nbody, 3))
        self.left_out = {}  # what has no counterpart -> names
        self.notes = []
        self.written = set()  # files of meshes

    def leave_out(self, what, name):
        self.left_out.setdefault(what, []).append(str(name))

    def disabled(self, flag):
        """Whether the file switches off CONTACT, LIMIT, GRAVITY, ..; CONSTRAINT switches off four of them."""
        flags = {flag, "CONSTRAINT"} if flag in ("CONTACT", "LIMIT", "FRICTIONLOSS", "EQUALITY") else {flag}
        return any(int(self.model.opt.disableflags) & int(getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{one}")) for one in flags)

    def enum(self, enumeration, value):
        return enum_name(getattr(self.mujoco, enumeration), value)

    def joint_type(self, joint):
        return joint_type(self.model, joint)

    def column(self, key, i):
        """Entry i of an array of the model, all zeros where this version of MuJoCo has no such array."""
        values = getattr(self.model, key, None)
        return np.zeros(1) if values is None else np.atleast_1d(values[i])

    def body_name(self, body):
        return "world" if body == 0 else self.names["BODY"][body]

    def in_body(self, body, point):
        """A point of MuJoCo's frame of a body in csim's."""
        return plain(np.asarray(point) - self.shift[body])
