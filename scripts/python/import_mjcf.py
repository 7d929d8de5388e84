"""MJCF models as scenes: `csim.py import-mjcf robot.xml -o robot.yaml`, through the package mujoco, which resolves includes, defaults and meshes.

Bodies, joints, inertias, geometries, actuators, fixed tendons with limits, equality constraints and contact filters become a scene; what has no counterpart is listed by name.
A MuJoCo body of several joints becomes a chain of bodies without mass, BODY+JOINT, of one joint each; a body's frame lies at the anchor of its (last) joint. Joint
positions are MuJoCo's, so that a key frame's numbers stay. MuJoCo's contact parameters (solref, solimp) describe another law: contacts take csim's defaults.
"""
import json
import math
import re

import numpy as np



def quaternion_matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def unit(q):
    return np.asarray(q, dtype=float) / np.linalg.norm(q)


def turned(axis, angle):
    axis = np.asarray(axis) / np.linalg.norm(axis)
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])


def product(p, q):
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def plain(value):
    """Numbers of numpy as those of JSON."""
    return np.asarray(value, dtype=float).tolist()


class Names:
    """Names of the scene for those of a kind of the model: letters, digits, _, + and -, each once."""

    def __init__(self, mujoco, model, kind, word):
        self.names, taken = [], set()
        count = {"BODY": model.nbody, "JOINT": model.njnt, "GEOM": model.ngeom, "ACTUATOR": model.nu, "EQUALITY": model.neq, "TENDON": model.ntendon}[kind]
        for i in range(count):
            own = mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{kind}"), i) or f"{word}_{i}"
            name = re.sub(r"[^A-Za-z0-9_+-]", "_", own)
            if name.isdigit() or name == "world":
                name = f"{word}_{name}"
            while name in taken:
                name += "_"
            taken.add(name)
            self.names.append(name)

    def __getitem__(self, i):
        return self.names[i]


def mujoco_name(enumeration, value):
    """The name of a value of one of MuJoCo's enumerations."""
    return enumeration(int(value)).name


class Importer:
    TYPES = {"mjJNT_HINGE": "revolute", "mjJNT_SLIDE": "prismatic", "mjJNT_BALL": "ball"}

    def __init__(self, model, qpos, qvel):
        import mujoco

        self.mujoco, self.model = mujoco, model
        self.left_out = {}  # what has no counterpart -> names
        self.body_names, self.joint_names, self.geom_names = (Names(mujoco, model, kind, kind.lower()) for kind in ("BODY", "JOINT", "GEOM"))
        self.actuator_names, self.equality_names, self.tendon_names = (Names(mujoco, model, kind, kind.lower()) for kind in ("ACTUATOR", "EQUALITY", "TENDON"))
        self.qpos, self.qvel = np.asarray(qpos, dtype=float), np.asarray(qvel, dtype=float)
        self.shift = np.zeros((model.nbody, 3))  # of the body's frame in csim, in MuJoCo's
        self.scene = {"csim": 1, "gravity": plain(model.opt.gravity), "time": {"step": float(model.opt.timestep), "end": 1.0}, "materials": {}, "bodies": [], "joints": [],
                      "actuators": [], "constraints": [], "contact": {"pairs": [], "exclude": []}}
        if int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY):
            self.scene["gravity"] = [0.0, 0.0, 0.0]

    def leave_out(self, what, name):
        self.left_out.setdefault(what, []).append(str(name))

    # ---- bodies and joints

    def run(self):
        model = self.model
        if any(model.geom_bodyid == 0):
            self.add_body(0)
        for body in range(1, model.nbody):
            self.add_body(body)
        self.add_contact_rules()
        self.add_actuators()
        self.add_equalities()
        self.add_tendons()
        self.list_others()
        for key in ("joints", "actuators", "constraints"):
            if not self.scene[key]:
                del self.scene[key]
        self.scene["contact"] = {key: value for key, value in self.scene["contact"].items() if value}
        if not self.scene["contact"]:
            del self.scene["contact"]
        return self.scene

    def name_of_body(self, body):
        return "world_geometry" if body == 0 else self.body_names[body]

    def parent_name(self, body):
        parent = self.model.body_parentid[body]
        return "world" if parent == 0 else self.body_names[parent]

    def inertia(self, body):
        model = self.model
        R = quaternion_matrix(model.body_iquat[body])
        tensor = R @ np.diag(model.body_inertia[body]) @ R.T
        return {"mass": float(model.body_mass[body]), "com": plain(model.body_ipos[body] - self.shift[body]),
                "inertia": plain([tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]])}

    def add_body(self, body):
        model = self.model
        joints = range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
        spec = {"name": self.name_of_body(body)}
        if body == 0 or (len(joints) == 0 and model.body_parentid[body] == 0):
            spec["fixed"] = True
            if body > 0:
                spec["pose"] = {"xyz": plain(model.body_pos[body]), "quaternion_wxyz": plain(unit(model.body_quat[body]))}
            if model.body_mocapid[body] >= 0:
                self.leave_out("mocap bodies, which stay", spec["name"])
        elif len(joints) == 0:
            parent = model.body_parentid[body]
            self.scene["joints"].append({"name": spec["name"] + "+weld", "type": "weld", "parent": self.parent_name(body), "child": spec["name"],
                                         "pose": {"xyz": plain(model.body_pos[body] - self.shift[parent]), "quaternion_wxyz": plain(unit(model.body_quat[body]))}})
        elif mujoco_name(self.mujoco.mjtJoint, model.jnt_type[joints[0]]) == "mjJNT_FREE":
            self.add_free(body, joints[0], spec)
        else:
            self.add_chain(body, joints, spec)
        if body > 0:
            spec |= self.inertia(body)
            if "fixed" in spec and not (spec["mass"] > 0 and min(spec["inertia"][:3]) > 0):
                for key in ("mass", "com", "inertia"):
                    del spec[key]
        if body > 0 and model.body_gravcomp[body] == 1:
            spec["gravity_compensation"] = True
        elif body > 0 and model.body_gravcomp[body] != 0:
            self.leave_out("gravcomp other than 0 and 1", spec["name"])
        spec["geometry"] = self.geometries(body)
        self.scene["bodies"].append(spec)

    def add_free(self, body, joint, spec):
        model = self.model
        q, v, dof = self.qpos[model.jnt_qposadr[joint]:][:7], self.qvel[model.jnt_dofadr[joint]:][:6], model.jnt_dofadr[joint]
        rotation = unit(q[3:7])
        linear, angular = v[:3], quaternion_matrix(rotation) @ v[3:6]
        losses = {key: float(values[dof]) for key, values in (("damping", model.dof_damping), ("armature", model.dof_armature), ("friction", model.dof_frictionloss)) if values[dof] != 0}
        if not losses:
            spec["pose"] = {"xyz": plain(q[:3]), "quaternion_wxyz": plain(rotation)}
            spec["velocity"] = {"linear": plain(linear), "angular": plain(angular)}
            return
        self.scene["joints"].append({"name": self.joint_names[joint], "type": "free", "parent": "world", "child": spec["name"], "position": plain([*rotation, *q[:3]]),
                                     "velocity": plain([*angular, *linear])} | losses)

    def add_chain(self, body, joints, spec):
        """One joint a body: those before the last carry bodies without mass. The frame behind each joint lies at its anchor, in MuJoCo's axes of the body."""
        model, types = self.model, self.mujoco.mjtJoint
        parent_body = model.body_parentid[body]
        parent, X = self.parent_name(body), model.body_pos[body] - self.shift[parent_body]
        rotation, anchor = unit(model.body_quat[body]), np.zeros(3)
        for k, joint in enumerate(joints):
            kind = mujoco_name(types, model.jnt_type[joint])
            if k > 0:
                X, rotation = model.jnt_pos[joint] - anchor, np.array([1.0, 0, 0, 0])
            else:
                X = X + quaternion_matrix(rotation) @ model.jnt_pos[joint]
            anchor = np.array(model.jnt_pos[joint])
            reference = float(model.qpos0[model.jnt_qposadr[joint]])
            pose_rotation = rotation
            if kind == "mjJNT_HINGE":
                pose_rotation = product(rotation, turned(model.jnt_axis[joint], -reference))
            elif kind == "mjJNT_SLIDE":
                X = X - reference * (quaternion_matrix(rotation) @ model.jnt_axis[joint])
            last = k + 1 == len(joints)
            child = spec["name"] if last else f"{spec['name']}+{self.joint_names[joint]}"
            row = {"name": self.joint_names[joint], "type": self.TYPES[kind], "parent": parent, "child": child,
                   "pose": {"xyz": plain(X), "quaternion_wxyz": plain(unit(pose_rotation))}}
            self.fill_joint(joint, row)
            self.scene["joints"].append(row)
            if not last:
                self.scene["bodies"].append({"name": child, "mass": 0.0, "inertia": [0.0, 0.0, 0.0]})
            parent = child
        self.shift[body] = anchor

    def fill_joint(self, joint, row):
        model = self.model
        dof, at, ball = model.jnt_dofadr[joint], model.jnt_qposadr[joint], row["type"] == "ball"
        if ball:
            rotation = unit(self.qpos[at:at + 4])
            row["position"] = plain(rotation)
            row["velocity"] = plain(quaternion_matrix(rotation) @ self.qvel[dof:dof + 3])  # MuJoCo's are the child's axes
        else:
            row["axis"] = plain(model.jnt_axis[joint])
            row["position"], row["velocity"] = float(self.qpos[at]), float(self.qvel[dof])
        for key, values in (("damping", model.dof_damping), ("armature", model.dof_armature), ("friction", model.dof_frictionloss)):
            if values[dof] != 0:
                row[key] = float(values[dof])
        if np.any(np.asarray(getattr(model, "dof_dampingpoly", np.zeros((model.nv, 1)))[dof]) != 0):
            self.leave_out("damping that is no straight line", row["name"])
        if np.any(np.asarray(getattr(model, "jnt_stiffnesspoly", np.zeros((model.njnt, 1)))[joint]) != 0):
            self.leave_out("stiffness that is no straight line", row["name"])
        stiffness = float(model.jnt_stiffness[joint])
        if stiffness != 0 and ball:
            self.leave_out("springs of ball joints", row["name"])
        elif stiffness != 0:
            row["stiffness"], row["rest_position"] = stiffness, float(model.qpos_spring[at])
        if model.jnt_limited[joint] and ball:
            self.leave_out("limits of ball joints", row["name"])
        elif model.jnt_limited[joint]:
            row["limits"] = plain(model.jnt_range[joint])

    # ---- geometries and who meets whom

    def geometries(self, body):
        model, types = self.model, self.mujoco.mjtGeom
        found = []
        for geom in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
            kind, size, name = mujoco_name(types, model.geom_type[geom]), model.geom_size[geom], self.geom_names[geom]
            row = {"name": name, "pose": {"xyz": plain(model.geom_pos[geom] - self.shift[body]), "quaternion_wxyz": plain(unit(model.geom_quat[geom]))}}
            if kind == "mjGEOM_SPHERE":
                row |= {"shape": "sphere", "radius": float(size[0])}
            elif kind in ("mjGEOM_CAPSULE", "mjGEOM_CYLINDER"):
                row |= {"shape": "capsule" if kind == "mjGEOM_CAPSULE" else "cylinder", "radius": float(size[0]), "length": 2 * float(size[1])}
            elif kind == "mjGEOM_BOX":
                row |= {"shape": "box", "size": plain(2 * size)}
            elif kind == "mjGEOM_ELLIPSOID":
                row |= {"shape": "ellipsoid", "semi_axes": plain(size)}
            elif kind == "mjGEOM_PLANE" and model.body_weldid[body] == 0:
                row |= {"shape": "half_space"}
            elif kind == "mjGEOM_MESH":
                mesh = model.geom_dataid[geom]
                points = model.mesh_vert[model.mesh_vertadr[mesh]:model.mesh_vertadr[mesh] + model.mesh_vertnum[mesh]]
                row |= {"shape": "convex", "points": plain(self.corners(points))}
            else:
                self.leave_out("geometries of a kind that csim has not", name)
                continue
            row["color"] = plain(np.clip(model.geom_rgba[geom], 0, 1))
            if model.geom_contype[geom] == 0 and model.geom_conaffinity[geom] == 0:
                row["contact"] = "none"
            else:
                row["material"] = self.material(geom)
                row["group"] = self.group(geom)
            found.append(row)
        return found

    @staticmethod
    def corners(points):
        """Those points that span the hull, which is all that MuJoCo's contacts know of a mesh."""
        try:
            from scipy.spatial import ConvexHull

            return points[np.sort(ConvexHull(points.astype(float)).vertices)]
        except ImportError:
            return np.unique(points, axis=0)

    def material(self, geom):
        friction = 0.0 if self.model.geom_condim[geom] == 1 else float(self.model.geom_friction[geom, 0])
        name = "friction_" + re.sub(r"[^0-9]", "_", f"{friction:.6g}")
        self.scene["materials"].setdefault(name, {"friction": friction})
        if self.model.geom_condim[geom] > 3:
            self.leave_out("torsional and rolling friction", self.geom_names[geom])
        return name

    def group(self, geom):
        return f"contype_{self.model.geom_contype[geom]}_conaffinity_{self.model.geom_conaffinity[geom]}"

    def add_contact_rules(self):
        model, contact = self.model, self.scene["contact"]
        # MuJoCo takes the larger of two frictions.
        materials = list(self.scene["materials"].items())
        for i, (a, first) in enumerate(materials):
            for b, second in materials[i + 1:]:
                contact["pairs"].append({"a": f"material:{a}", "b": f"material:{b}", "friction": max(first["friction"], second["friction"])})
        groups = {}
        for geom in range(model.ngeom):
            if model.geom_contype[geom] or model.geom_conaffinity[geom]:
                groups[self.group(geom)] = (int(model.geom_contype[geom]), int(model.geom_conaffinity[geom]))
        present = {geometry["group"] for body in self.scene["bodies"] for geometry in body.get("geometry", []) if "group" in geometry}
        names = sorted(set(groups) & present)
        for i, a in enumerate(names):
            for b in names[i:]:
                (type_a, affinity_a), (type_b, affinity_b) = groups[a], groups[b]
                if not (type_a & affinity_b) | (type_b & affinity_a):
                    contact["exclude"].append({"a": f"group:{a}", "b": f"group:{b}"})
        # Parent and child, those welded to them included, but for what the world carries.
        holders = [body for body in range(1, model.nbody) if model.body_geomnum[body] > 0]
        def above(body):
            return model.body_weldid[model.body_parentid[model.body_weldid[body]]]
        excluded = {(int(signature) >> 16, int(signature) & 0xFFFF) for signature in model.exclude_signature}
        for i, a in enumerate(holders):
            for b in holders[i + 1:]:
                family = model.body_weldid[a] != 0 and model.body_weldid[b] != 0 and (above(a) == model.body_weldid[b] or above(b) == model.body_weldid[a])
                if family or (a, b) in excluded or (b, a) in excluded:
                    contact["exclude"].append({"a": self.name_of_body(a), "b": self.name_of_body(b)})
        for a, b in excluded:
            if 0 in (a, b) and any(model.geom_bodyid == 0):
                contact["exclude"].append({"a": self.name_of_body(a), "b": self.name_of_body(b)})
        for pair in range(model.npair):
            self.leave_out("contact pairs", f"{self.geom_names[model.pair_geom1[pair]]} with {self.geom_names[model.pair_geom2[pair]]}")

    # ---- actuators, equalities, tendons

    def add_actuators(self):
        model, m = self.model, self.mujoco
        for i in range(model.nu):
            name, gear = self.actuator_names[i], float(model.actuator_gear[i, 0])
            gain, bias = np.asarray(model.actuator_gainprm[i]), np.asarray(model.actuator_biasprm[i])
            joint = int(model.actuator_trnid[i, 0])
            bias_type = mujoco_name(m.mjtBias, model.actuator_biastype[i])
            simple = (mujoco_name(m.mjtTrn, model.actuator_trntype[i]) in ("mjTRN_JOINT", "mjTRN_JOINTINPARENT") and mujoco_name(m.mjtJoint, model.jnt_type[joint]) in self.TYPES
                      and mujoco_name(m.mjtJoint, model.jnt_type[joint]) != "mjJNT_BALL" and mujoco_name(m.mjtDyn, model.actuator_dyntype[i]) == "mjDYN_NONE"
                      and mujoco_name(m.mjtGain, model.actuator_gaintype[i]) == "mjGAIN_FIXED" and bias_type in ("mjBIAS_NONE", "mjBIAS_AFFINE") and gear != 0)
            if not simple:
                self.leave_out("actuators that are neither motor, position nor velocity of one joint", name)
                continue
            if any(np.any(np.asarray(getattr(model, key, np.zeros(model.nu))[i]) != 0) for key in ("actuator_armature", "actuator_damping", "actuator_dampingpoly")):
                self.leave_out("armature and damping of actuators", name)
            row = {"name": name, "joint": self.joint_names[joint]}
            kp, kv = -gear**2 * float(bias[1]), -gear**2 * float(bias[2])
            affine = bias_type == "mjBIAS_AFFINE"
            if not affine or (bias[1] == 0 and bias[2] == 0 and bias[0] == 0):
                row |= {"type": "effort", "command": 0.0}
            elif bias[0] == 0 and bias[1] != 0 and gain[0] == -bias[1]:
                row |= {"type": "position", "stiffness": kp, "damping": kv, "command": 0.0}
            elif bias[0] == 0 and bias[1] == 0 and gain[0] == -bias[2]:
                row |= {"type": "velocity", "damping": kv, "command": 0.0}
            else:
                self.leave_out("actuators that are neither motor, position nor velocity of one joint", name)
                continue
            if (row["type"] == "position" and kp < 0) or row.get("damping", 0) < 0:
                self.leave_out("actuators of negative gains", name)
                continue
            limits = []
            if model.actuator_forcelimited[i]:
                limits.append(abs(gear) * model.actuator_forcerange[i])
            if model.jnt_actfrclimited[joint]:
                limits.append(model.jnt_actfrcrange[joint])
            if row["type"] == "effort" and model.actuator_ctrllimited[i]:
                limits.append(abs(gear * gain[0]) * model.actuator_ctrlrange[i])
            if limits:
                bound = min(min(abs(float(low)), abs(float(high))) for low, high in limits)
                if bound > 0:
                    row["effort_limit"] = bound
                if any(low != -high for low, high in limits):
                    self.leave_out("effort limits that are not the same either way", name)
            self.scene["actuators"].append(row)

    def anchor(self, body, point):
        return plain(np.asarray(point) - self.shift[body])

    def add_equalities(self):
        model, m = self.model, self.mujoco
        for i in range(model.neq):
            name, kind, data = self.equality_names[i], mujoco_name(m.mjtEq, model.eq_type[i]), np.asarray(model.eq_data[i])
            a, b = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
            bodies = mujoco_name(m.mjtObj, model.eq_objtype[i]) == "mjOBJ_BODY"
            row = None
            if not model.eq_active0[i]:
                self.leave_out("equalities that are not active", name)
            elif kind == "mjEQ_JOINT" and b >= 0 and not np.any(data[2:5]):
                start = model.qpos0[model.jnt_qposadr[a]], model.qpos0[model.jnt_qposadr[b]]
                if data[1] != 0:
                    row = {"type": "coupler", "joint_a": self.joint_names[a], "joint_b": self.joint_names[b], "ratio": float(data[1]), "offset": float(data[0] + start[0] - data[1] * start[1])}
            elif kind == "mjEQ_CONNECT" and bodies:
                row = {"type": "ball", "a": self.equality_body(a), "b": self.equality_body(b), "point_a": self.anchor(a, data[0:3]), "point_b": self.anchor(b, data[3:6])}
            elif kind == "mjEQ_WELD" and bodies:
                # The anchor is the second body's; the pose that of the second in the first.
                rotation = unit(data[6:10])
                row = {"type": "weld", "a": self.equality_body(a), "b": self.equality_body(b),
                       "pose_a": {"xyz": self.anchor(a, data[3:6]), "quaternion_wxyz": plain(rotation)}, "pose_b": {"xyz": self.anchor(b, data[0:3])}}
            if row is not None:
                self.scene["constraints"].append({"name": name} | row)
            elif model.eq_active0[i]:
                self.leave_out("equalities of a kind that csim has not", name)

    def equality_body(self, body):
        return "world" if body == 0 else self.body_names[body]

    def add_tendons(self):
        model, m = self.model, self.mujoco
        for i in range(model.ntendon):
            name, first, count = self.tendon_names[i], model.tendon_adr[i], model.tendon_num[i]
            fixed = all(mujoco_name(m.mjtWrap, model.wrap_type[first + k]) == "mjWRAP_JOINT" for k in range(count))
            if not fixed:
                self.leave_out("tendons through space", name)
                continue
            if model.tendon_stiffness[i] != 0 or model.tendon_damping[i] != 0 or model.tendon_frictionloss[i] != 0:
                self.leave_out("springs, damping and friction of tendons", name)
            if model.tendon_limited[i]:
                joints = {self.joint_names[model.wrap_objid[first + k]]: float(model.wrap_prm[first + k]) for k in range(count)}
                self.scene["constraints"].append({"name": name, "type": "tendon", "joints": joints, "limits": plain(model.tendon_range[i])})

    def list_others(self):
        """What a scene of csim does not have at all."""
        model, m = self.model, self.mujoco
        kinds = (("sites", "SITE", model.nsite), ("cameras", "CAMERA", model.ncam), ("lights", "LIGHT", model.nlight), ("sensors", "SENSOR", model.nsensor),
                 ("flexes", "FLEX", model.nflex), ("skins", "SKIN", model.nskin), ("plugins", "PLUGIN", model.nplugin))
        for what, kind, count in kinds:
            for i in range(count):
                self.leave_out(what, m.mj_id2name(model, getattr(m.mjtObj, f"mjOBJ_{kind}"), i) or i)
        for what, value in (("medium", model.opt.density), ("medium", model.opt.viscosity)):
            if value != 0:
                self.leave_out(what, f"{value:g}")


def scene_of_mjcf(path, key=None):
    """(scene, what has no counterpart: {kind: names}) of an MJCF file. `key`: a key frame, by name or number; default: the model's reference."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    if isinstance(key, str) and not key.isdigit():
        index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, key)
        if index < 0:
            raise ValueError(f"'{key}', unknown key frame")
        key = index
    if key is None:
        return scene_of_model(model, model.qpos0, np.zeros(model.nv))
    return scene_of_model(model, model.key_qpos[int(key)], model.key_qvel[int(key)])


def scene_of_model(model, qpos, qvel):
    """The same of a compiled mujoco.MjModel, from a state of MuJoCo's."""
    importer = Importer(model, qpos, qvel)
    return importer.run(), importer.left_out


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
