"""Scenes (as dictionaries, with the keys of csim) in Drake and in MuJoCo, for studies that set simulators side by side. Bodies of spheres, boxes, capsules,
cylinders and half spaces in point contact, on prismatic and ball joints with springs; a table that turns is a heavy body on a hinge. In MuJoCo also hinges, joints
on joints, constraints of the types ball and distance (a spring), actuators with a constant effort, and constant forces."""
import re

import numpy as np

HEAVY = 100.0  # kg, kg m^2: what a body with a motion has in place of it; more would hide the others from tolerances that are relative to momentum


def placement(pose):
    """(position [3], rotation [3, 3]) of a pose of a scene."""
    if "quaternion_wxyz" in pose:
        w, x, y, z = pose["quaternion_wxyz"]
        rotation = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                             [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    else:
        a, b, c = np.radians(pose["rpy_deg"]) if "rpy_deg" in pose else pose.get("rpy", [0, 0, 0])
        about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        about_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
        rotation = about_z @ about_y @ about_x
    return np.array(pose.get("xyz", [0, 0, 0]), dtype=float), rotation


def inertia_of(body):
    """(mass, moments [3] about the centre of mass). A body with a density is a ball or a cube, its first geometry."""
    if "mass" in body:
        return float(body["mass"]), np.array(body["inertia"], dtype=float)
    g = body["geometry"][0]
    is_ball = g["shape"] == "sphere"
    mass = float(body["density"]) * (4 / 3 * np.pi * g["radius"]**3 if is_ball else np.prod(g["size"]))
    return mass, np.full(3, mass * (0.4 * g["radius"]**2 if is_ball else g["size"][0]**2 / 6))


def build_drake(scene, step, approximation="Lagged"):
    """(plant, simulator, context of the plant, [(body, its description)]) at t = 0. `step` (s): of the discrete scheme, 0 for the continuous one."""
    from pydrake.geometry import AddContactMaterial, Box, Capsule, CollisionFilterDeclaration, Cylinder, GeometrySet, HalfSpace, ProximityProperties, Sphere
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction, DiscreteContactApproximation
    from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, PrismaticJoint, PrismaticSpring, RevoluteJoint, SpatialInertia, UnitInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    def pose_of(pose):
        position, rotation = placement(pose)
        return RigidTransform(RotationMatrix(rotation), position)

    shapes = {"half_space": lambda g: HalfSpace(), "sphere": lambda g: Sphere(g["radius"]), "box": lambda g: Box(*g["size"]),
              "capsule": lambda g: Capsule(g["radius"], g["length"]), "cylinder": lambda g: Cylinder(g["radius"], g["length"])}
    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlantSceneGraph(builder, time_step=step)
    plant.mutable_gravity_field().set_gravity_vector(scene.get("gravity", [0, 0, -9.81]))
    plant.set_contact_model(ContactModel.kPoint)
    if step > 0:
        plant.set_discrete_contact_approximation(getattr(DiscreteContactApproximation, f"k{approximation}"))
    plant.set_stiction_tolerance(float(scene.get("contact", {}).get("stiction_tolerance", 1e-4)))
    groups, placed, starts = {}, [], []
    for body in scene["bodies"]:
        target = plant.world_body()
        if not body.get("fixed"):
            mass, moments = (HEAVY, np.full(3, HEAVY)) if "motion" in body else inertia_of(body)
            central = SpatialInertia(mass, [0, 0, 0], UnitInertia(*(moments / mass)))
            target = plant.AddRigidBody(body["name"], central.Shift(-np.array(body.get("com", [0, 0, 0]), dtype=float)))
            placed.append((target, body))
        for i, g in enumerate(body.get("geometry", [])):
            material = scene["materials"][g["material"]]
            properties = ProximityProperties()
            stiffness = 1e40 if material["stiffness"] == "rigid" else float(material["stiffness"])
            AddContactMaterial(dissipation=float(material.get("hunt_crossley_dissipation", 0.0)), point_stiffness=stiffness,
                               friction=CoulombFriction(material["friction"], material["friction"]), properties=properties)
            groups.setdefault(g.get("group"), []).append(
                plant.RegisterCollisionGeometry(target, pose_of(g.get("pose", {})), shapes[g["shape"]](g), f"{body['name']}_{i}", properties))
        if "motion" in body:
            hinge = plant.AddJoint(RevoluteJoint(f"{body['name']}_hinge", plant.AddFrame(FixedOffsetFrame(f"{body['name']}_frame", plant.world_frame(), pose_of(body["pose"]))),
                                                 target.body_frame(), [0, 0, 1]))
            starts.append((hinge.set_angular_rate, body["motion"]["angular_velocity"][2]))
    for joint in scene.get("joints", []):
        frame = plant.AddFrame(FixedOffsetFrame(f"{joint['name']}_frame", plant.world_frame(), pose_of(joint["pose"])))
        child = plant.GetFrameByName(joint["child"])
        if joint["type"] == "ball":
            starts.append((plant.AddJoint(BallRpyJoint(joint["name"], frame, child)).set_angular_velocity, joint["velocity"]))
            continue
        slide = plant.AddJoint(PrismaticJoint(joint["name"], frame, child, joint["axis"], damping=joint["damping"]))
        plant.AddForceElement(PrismaticSpring(slide, joint["rest_position"], joint["stiffness"]))
        starts.append((slide.set_translation, joint["position"]))
    for pair in scene.get("contact", {}).get("exclude", []):
        a, b = (GeometrySet(groups[pair[key].removeprefix("group:")]) for key in "ab")
        declaration = CollisionFilterDeclaration()
        graph.collision_filter_manager().Apply(declaration.ExcludeWithin(a) if pair["a"] == pair["b"] else declaration.ExcludeBetween(a, b))
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for start, value in starts:
        start(context, value)
    for body, spec in placed:
        if body.is_floating_base_body():
            plant.SetFreeBodyPose(context, body, pose_of(spec["pose"]))
            velocity = spec.get("velocity", {})
            plant.SetFreeBodySpatialVelocity(context=context, body=body, V_JpJc=SpatialVelocity(velocity.get("angular", [0, 0, 0]), velocity.get("linear", [0, 0, 0])))
    return plant, simulator, context, placed


def write_mjcf(scene, step, spring=None, options=""):
    """The scene as MJCF: MuJoCo's own contact, or where `spring` (stiffness over the mass that a contact sees, 1/s^2) is given a spring without damping. `options`:
    attributes of <option> in place of those here."""
    numbers = lambda values: " ".join(f"{value:.17g}" for value in values)
    joints = {joint["child"]: joint for joint in scene.get("joints", [])}
    sites, contact = {}, f'solref="{-spring} 0" solimp="0.9999 0.9999 0.001"' if spring else ""
    chosen = {"cone": "elliptic", "integrator": "implicitfast", "tolerance": "1e-12", **dict(re.findall(r'(\w+)="([^"]*)"', options))}

    def frame(pose):
        position, rotation = placement(pose)
        return f'pos="{numbers(position)}" xyaxes="{numbers([*rotation[:, 0], *rotation[:, 1]])}"'

    def write_body(body):
        joint = joints.get(body["name"])
        if body.get("fixed"):
            lines.append("<body>")
        else:
            lines.append(f'<body name="{body["name"]}" {frame((joint or body).get("pose", {}))}>')
            mass, moments = (HEAVY, np.full(3, HEAVY)) if "motion" in body else inertia_of(body)
            lines.append(f'<inertial pos="{numbers(body.get("com", [0, 0, 0]))}" mass="{mass}" diaginertia="{numbers(moments)}"/>')
            if "motion" in body:
                lines.append('<joint type="hinge" axis="0 0 1"/>')
            elif joint is None:
                lines.append("<freejoint/>")
            elif joint["type"] == "ball":
                lines.append('<joint type="ball"/>')
            elif joint["type"] == "revolute":
                lines.append(f'<joint type="hinge" axis="{numbers(joint.get("axis", [0, 0, 1]))}" damping="{joint.get("damping", 0)}"/>')
            else:
                lines.append(f'<joint type="slide" axis="{numbers(joint["axis"])}" stiffness="{joint.get("stiffness", 0)}" springref="{joint.get("rest_position", 0)}" '
                             f'damping="{joint.get("damping", 0)}"/>')
        for g in body.get("geometry", []):
            if g.get("contact") == "none":
                continue
            shape = {"half_space": lambda: 'type="plane" size="0 0 1"', "sphere": lambda: f'type="sphere" size="{g["radius"]}"',
                     "box": lambda: f'type="box" size="{numbers(np.array(g["size"]) / 2)}"',
                     "cylinder": lambda: f'type="cylinder" size="{g["radius"]} {g["length"] / 2}"'}[g["shape"]]()
            lines.append(f'<geom {shape} {frame(g.get("pose", {}))} condim="3" friction="{scene["materials"][g["material"]]["friction"]} 0 0" {contact}/>')
        write_sites(body["name"])
        for child in scene["bodies"]:
            if joints.get(child["name"], {}).get("parent", "world") == body["name"]:
                write_body(child)
        lines.append("</body>")

    def write_sites(name):
        lines.extend(f'<site name="{site}" pos="{numbers(point)}"/>' for site, point in sites.get(name, []))

    for constraint in scene.get("constraints", []):
        for side in "ab":
            sites.setdefault(constraint[side], []).append((f"{constraint['name']}_{side}", constraint.get(f"point_{side}", [0, 0, 0])))
    lines = ["<mujoco><option " + " ".join(f'{key}="{value}"' for key, value in {"timestep": step, "gravity": numbers(scene.get("gravity", [0, 0, -9.81])), **chosen}.items()) + "/>"
             "<worldbody>"]
    write_sites("world")
    for body in scene["bodies"]:
        if joints.get(body["name"], {}).get("parent", "world") == "world":
            write_body(body)
    lines.append("</worldbody><tendon>")
    for constraint in scene.get("constraints", []):
        if constraint["type"] == "distance":
            k = constraint["stiffness"]
            lines.append(f'<spatial springlength="{constraint["length"]}" stiffness="{k}" damping="{k * constraint.get("relaxation_time", 0)}">'
                         f'<site site="{constraint["name"]}_a"/><site site="{constraint["name"]}_b"/></spatial>')
    lines.append("</tendon><equality>")
    lines += [f'<connect site1="{c["name"]}_a" site2="{c["name"]}_b" solref="{2 * step} 1" solimp="0.9999 0.9999 0.001"/>' for c in scene.get("constraints", []) if c["type"] == "ball"]
    return "".join([*lines, "</equality></mujoco>"])


def build_mujoco(scene, step, spring=None, options=""):
    """(mujoco model, its data) at t = 0."""
    import mujoco
    model = mujoco.MjModel.from_xml_string(write_mjcf(scene, step, spring, options))
    data = mujoco.MjData(model)
    joints = {joint["child"]: joint for joint in scene.get("joints", [])}
    for body in scene["bodies"]:
        if body.get("fixed"):
            continue
        index = model.body(body["name"]).jntadr[0]
        q, v = model.jnt_qposadr[index], model.jnt_dofadr[index]
        joint = joints.get(body["name"])
        if "motion" in body:
            data.qvel[v] = body["motion"]["angular_velocity"][2]
        elif joint is None:  # linear velocity in world axes, angular in those of the body
            velocity = body.get("velocity", {})
            data.qvel[v:v + 3] = velocity.get("linear", [0, 0, 0])
            data.qvel[v + 3:v + 6] = placement(body["pose"])[1].T @ velocity.get("angular", [0, 0, 0])
        elif joint["type"] == "ball":
            data.qvel[v:v + 3] = joint["velocity"]
        else:
            data.qpos[q], data.qvel[v] = joint.get("position", 0.0), joint.get("velocity", 0.0)
    for actuator in scene.get("actuators", []):  # of type effort with a constant command
        data.qfrc_applied[model.jnt_dofadr[model.body(next(j["child"] for j in scene["joints"] if j["name"] == actuator["joint"])).jntadr[0]]] = actuator["command"]
    for force in scene.get("forces", []):
        data.xfrc_applied[model.body(force["body"]).id, :3] = force["force"]
    mujoco.mj_forward(model, data)
    return model, data
