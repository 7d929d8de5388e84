#!/usr/bin/env python3
"""The stacking of scenes/iiwa_stacking in Drake, beside csim's runs of it.

    scripts/studies/quasistatics/stacking_drake.py PROGRAM [--step 1e-3] [--json FILE]

Drake takes the same URDF, cubes and gains, as implicit drives of its discrete plant, and the commands that csim recorded; cubes and ground are
pressure fields there (1e8 Pa), since its point contact has one point a pair of boxes. Printed is the path of the red cube: the integral of the
distance of its positions over the 20 s, and the largest distance and angle, of csim with momentum and without it against Drake's. Needs the packages
drake, h5py, numpy and scipy.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from pydrake.geometry import AddCompliantHydroelasticProperties, AddContactMaterial, Box, HalfSpace, ProximityProperties
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.tree import PdControllerGains, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem
from scipy.interpolate import CubicSpline

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENE = ROOT / "scenes/iiwa_stacking/scene.yaml"
sys.path.insert(0, str(ROOT / "scripts/scenes"))
from common import iiwa7  # noqa: E402
import iiwa_stacking  # noqa: E402

MODULUS = 1e8  # Pa
FRICTION = {"cube": 1.0, "ground": 0.5}


class Commands(LeafSystem):
    """Desired positions, then velocities, of the joints in the order of the plant's actuators."""

    def __init__(self, times, values, follows_slope):
        LeafSystem.__init__(self)
        self.spline = CubicSpline(times, values)
        self.slope = self.spline.derivative()
        self.mask = np.array(follows_slope, dtype=float)
        self.DeclareVectorOutputPort("desired", 2 * values.shape[1], self.calc)

    def calc(self, context, output):
        t = min(context.get_time(), self.spline.x[-1])
        output.SetFromVector(np.concatenate([self.spline(t), self.mask * self.slope(t)]))


def proximity(material):
    properties = ProximityProperties()
    AddCompliantHydroelasticProperties(0.02, MODULUS, properties)
    AddContactMaterial(1.0, None, CoulombFriction(FRICTION[material], FRICTION[material]), properties)
    return properties


def run_drake(command_times, commands, names, step, end, period):
    """Times, positions and quaternions of cube_0."""
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, step)
    plant.set_contact_model(ContactModel.kHydroelasticWithFallback)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kLagged)
    robot = Parser(plant).AddModels(str(SCENE.parent / "iiwa7_wsg.urdf"))[0]
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("link_0", robot))
    # Pads are felt as pressure fields too; links are clear of everything.
    for body in ("left_finger", "right_finger"):
        plant.RegisterCollisionGeometry(plant.GetBodyByName(body, robot), RigidTransform(), Box(*iiwa_stacking.PAD), f"{body}_field", proximity("cube"))
    for n, (edge, mass, _) in enumerate(iiwa_stacking.CUBES):
        inertia = SpatialInertia(mass, np.zeros(3), UnitInertia.SolidCube(edge))
        body = plant.AddRigidBody(f"cube_{n}", plant.AddModelInstance(f"m{n}"), inertia)
        plant.RegisterCollisionGeometry(body, RigidTransform(), Box(edge, edge, edge), f"c{n}", proximity("cube"))
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform([0, 0, -0.5]), Box(10, 10, 1), "ground", proximity("ground"))
    gains = {f"joint_{n}": pair for n, pair in enumerate(zip(iiwa7.STIFFNESS, iiwa_stacking.DAMPING), 1)}
    for name in names:
        joint = plant.GetJointByName(name, robot)
        p, d = gains.get(name, (iiwa_stacking.FINGER_STIFFNESS, 2 * np.sqrt(iiwa_stacking.FINGER_STIFFNESS * iiwa_stacking.PAD_MASS)))
        actuator = plant.AddJointActuator(name, joint)
        actuator.set_controller_gains(PdControllerGains(p=p, d=d))
        if name in gains:
            rotor = iiwa7.JOINTS[int(name[-1]) - 1][5]
            actuator.set_default_rotor_inertia(rotor)
            actuator.set_default_gear_ratio(iiwa7.GEAR)
    plant.set_gravity_enabled(robot, False)
    plant.Finalize()
    source = builder.AddSystem(Commands(command_times, commands, [name in gains for name in names]))
    builder.Connect(source.get_output_port(), plant.get_desired_state_input_port(robot))
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for k, name in enumerate(names):
        plant.GetJointByName(name, robot).set_translation(context, commands[0, k]) if "slide" in name else \
            plant.GetJointByName(name, robot).set_angle(context, commands[0, k])
    for n, (_, _, centre) in enumerate(iiwa_stacking.CUBES):
        plant.SetFreeBodyPose(context, plant.GetBodyByName(f"cube_{n}"), RigidTransform(list(centre)))
    simulator.Initialize()
    red, times, positions, quaternions = plant.GetBodyByName("cube_0"), [], [], []
    for k in range(round(end / period) + 1):
        simulator.AdvanceTo(k * period)
        X = plant.EvalBodyPoseInWorld(context, red)
        times.append(k * period)
        positions.append(X.translation())
        quaternions.append(X.rotation().ToQuaternion().wxyz())
    return np.array(times), np.array(positions), np.array(quaternions)


def run_csim(program, settings, folder):
    """The same of csim, and its commands by joint."""
    result = folder / "run.h5"
    subprocess.run([program, "run", str(SCENE), "-o", str(result), "--force", "-q", *(f for s in settings for f in ("--set", s))], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(result) as f:
        names = [n.decode() for n in f["actuator/name"][:]]
        red = [n.decode() for n in f["bodies/name"][:]].index("cube_0")
        return (f["trajectory/time"][:], f["trajectory/position"][:, red], f["trajectory/quaternion"][:, red], names, f["actuator/command"][:])


def compare(times, positions, quaternions, reference):
    t, p, q = reference
    where = np.searchsorted(t, times - 1e-9)
    distance = np.linalg.norm(positions - p[where], axis=1)
    angle = 2 * np.degrees(np.arccos(np.clip(np.abs(np.sum(quaternions * q[where], axis=1)), 0, 1)))
    return {"integral": float(np.trapezoid(distance, times)), "largest": float(distance.max()), "angle": float(angle.max()), "end": float(distance[-1])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        times, _, _, drives, commands = run_csim(options.program, ["time.step=1e-3"], folder)
        joints = [{"drive_": "joint_"}.get(d[:6], d[:-5] + "slide") + (d[6:] if d.startswith("drive_") else "") for d in drives]
        reference = run_drake(times, commands, joints, options.step, times[-1], times[1] - times[0])
        for kind, step in [("discrete", h) for h in (2e-2, 1e-2, 5e-3, 2e-3, 1e-3)] + [("quasistatic", h) for h in (0.2, 0.1, 0.02)]:
            period = max(step, 0.02)
            t, p, q, _, _ = run_csim(options.program, [f"integrator={{type: {kind}}}", f"time.step={step}", f"output.period={period}"], folder)
            rows.append({"integrator": kind, "step": step, **compare(t, p, q, reference)})
            print("{integrator:12} {step:7g} s   integral {integral:.5f} m s   largest {largest:.5f} m {angle:.3f} degrees   at the end {end:.5f} m".format(**rows[-1]))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
