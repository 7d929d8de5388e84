#!/usr/bin/env python3
"""Simulates a Drake plant and writes its motion for `csim audit`.

    scripts/peers/drake_audit.py MODEL.sdf|box|pile|disc -o FILE.h5 [--end T] [--step H] [--approximation sap|lagged|similar|tamsi]

`box`, `pile` and `disc` are those of mujoco_audit.py. Point contact of a discrete plant: impulses are the contact forces of the plant's output port
times the step, at the poses of its start; gaps are minus the depths. Bodies with joints are `held`. Needs pydrake, h5py and numpy.
"""
import math

import numpy as np
from pydrake.geometry import AddContactMaterial, Box, Cylinder, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import BodyIndex, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from trajectory_file import WORLD, TrajectoryFile, command_line


def properties(mu):
    result = ProximityProperties()
    AddContactMaterial(dissipation=1.0, point_stiffness=1e5, friction=CoulombFriction(mu, mu), properties=result)
    return result


def add_scene(plant, name):
    """Adds the bodies; returns [(body, pose, velocity)]."""
    mu = {"box": 0.3, "pile": 0.5, "disc": 0.9}[name]
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", properties(mu))
    bodies = []

    def add(body_name, shape, mass, unit_inertia, pose, velocity=SpatialVelocity(np.zeros(3), np.zeros(3))):
        body = plant.AddRigidBody(body_name, SpatialInertia(mass, np.zeros(3), unit_inertia))
        plant.RegisterCollisionGeometry(body, RigidTransform(), shape, body_name, properties(mu))
        bodies.append((body, pose, velocity))

    if name == "box":
        add("box", Box(0.1, 0.06, 0.04), 0.24, UnitInertia.SolidBox(0.1, 0.06, 0.04), RigidTransform([0, 0, 0.02]),
            SpatialVelocity(np.zeros(3), np.array([1.0, 0, 0])))
    elif name == "pile":
        for i in range(20):
            add(f"ball{i}", Sphere(0.02), 0.0335, UnitInertia.SolidSphere(0.02),
                RigidTransform([0.03 * (i % 2), 0.03 * (i // 2 % 2), 0.05 + 0.05 * (i // 4)]))
    else:
        add("disc", Cylinder(0.04, 0.004), 0.1568, UnitInertia.SolidCylinder(0.04, 0.004, [0, 0, 1]),
            RigidTransform(RotationMatrix.MakeYRotation(math.radians(20.0)), [0, 0, 0.015560191]),
            SpatialVelocity(np.array([-17.2125876, 0, 6.26486953]), np.zeros(3)))
    return bodies


def quaternion(pose):
    return pose.rotation().ToQuaternion().wxyz()


def states(plant, context, bodies):
    rows = []
    for body in bodies:
        pose, twist = plant.EvalBodyPoseInWorld(context, body), plant.EvalBodySpatialVelocityInWorld(context, body)
        rows.append((pose.translation(), quaternion(pose), twist.translational(), twist.rotational(), np.zeros(3), np.zeros(3)))
    return rows


def friction_of(inspector, id_a, id_b):
    """Drake's rule of two dynamic coefficients."""
    mu = [inspector.GetProximityProperties(i).GetProperty("material", "coulomb_friction").dynamic_friction() for i in (id_a, id_b)]
    return 2 * mu[0] * mu[1] / (mu[0] + mu[1]) if sum(mu) > 0 else 0.0


def contacts(plant, context, inspector, index_of, step):
    """Of the step that ends at the context's time."""
    results, rows = plant.get_contact_results_output_port().Eval(context), []
    if results.num_hydroelastic_contacts():
        raise SystemExit("hydroelastic contact has no points; expected contact_model point")
    for i in range(results.num_point_pair_contacts()):
        info = results.point_pair_contact_info(i)
        pair = info.point_pair()
        rows.append({"body_a": index_of.get(int(info.bodyA_index()), WORLD), "body_b": index_of.get(int(info.bodyB_index()), WORLD),
                     "point": info.contact_point(), "normal": -pair.nhat_BA_W, "impulse": step * info.contact_force(), "moment": np.zeros(3),
                     "gap": -pair.depth, "gap_end": np.nan, "friction": friction_of(inspector, pair.id_A, pair.id_B)})
    return rows


def main():
    parser = command_line(__doc__, step=1e-3)
    parser.add_argument("--approximation", choices=("sap", "lagged", "similar", "tamsi"), default="lagged")
    options = parser.parse_args()
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlant(
        MultibodyPlantConfig(time_step=options.step, contact_model="point", discrete_contact_approximation=options.approximation), builder)
    placed = add_scene(plant, options.model) if options.model in ("box", "pile", "disc") else []
    if not placed:
        Parser(plant).AddModels(options.model)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, pose, velocity in placed:
        plant.SetFreeBodyPose(context, body, pose)
        plant.SetFreeBodySpatialVelocity(context, body, velocity)
    simulator.Initialize()
    floating = {int(i) for i in plant.GetFloatingBaseBodies()}
    parents = {int(plant.get_joint(i).parent_body().index()) for i in plant.GetJointIndices()}
    # The world is no row.
    world = int(plant.world_body().index())
    bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies()) if i != world]
    file = TrajectoryFile(f"Drake, {options.approximation}", plant.gravity_field().gravity_vector())
    for body in bodies:
        inertia = body.default_spatial_inertia()
        com = inertia.get_com()
        about_com = inertia.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
        alone = int(body.index()) in floating and int(body.index()) not in parents
        file.add_body(body.name(), inertia.get_mass(), com, about_com, "free" if alone else "held")
    index_of = {int(body.index()): i for i, body in enumerate(bodies)}
    inspector = scene_graph.model_inspector()
    file.add_row(0.0, states(plant, context, bodies))
    for i in range(round(options.end / options.step)):
        simulator.AdvanceTo((i + 1) * options.step)
        file.add_row((i + 1) * options.step, states(plant, context, bodies), contacts(plant, context, inspector, index_of, options.step))
    file.write(options.output)


if __name__ == "__main__":
    main()
