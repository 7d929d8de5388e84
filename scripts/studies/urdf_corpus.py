#!/usr/bin/env python3
"""Robots that nobody here wrote: every URDF of a folder through csim, and the loaded ones beside Pinocchio.

    scripts/studies/urdf_corpus.py PROGRAM FOLDER... [--states 2] [--seed 1] [--jobs 2] [--json FILE]

Each file is validated as it stands: it loads, or csim refuses it with a place and a reason. Then its links, joints and inertias alone (no geometry,
no followers) run one step from random positions, velocities and efforts. Compared with Pinocchio at that state:

    pose      of every link, m and rotation matrix entries
    mass      sum of the links', over its own
    energy    kinetic and potential, over their scale
    force     inverse dynamics of csim's acceleration less the efforts applied, over the sum of the absolute terms: M a + b - tau

The step has velocity_terms: start, so that its change of velocity over its length is the acceleration of the start. Needs the packages pin, h5py
and numpy; example-robot-data and pybullet bring the two corpora.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import h5py
import numpy as np

STEP = 1e-3
MOVING = ("revolute", "continuous", "prismatic")


def bare(file, folder):
    """A copy of the robot without geometries, followers and what is no robot's business."""
    tree = ET.parse(file)
    root = tree.getroot()
    for element in root.findall("link"):
        for tag in ("visual", "collision"):
            for child in element.findall(tag):
                element.remove(child)
    for element in root.findall("joint"):
        for child in element.findall("mimic"):
            element.remove(child)
    for tag in ("transmission", "gazebo"):
        for child in root.findall(tag):
            root.remove(child)
    path = folder / "robot.urdf"
    tree.write(path)
    return path, root


def random_state(root, rng):
    """Positions, velocities and efforts of the joints with one coordinate, by name."""
    state = {}
    for joint in root.findall("joint"):
        if joint.get("type") in MOVING:
            state[joint.get("name")] = (float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)))
    return state


def scene_of(robot, state, free, rng):
    quote = json.dumps
    lines = ["csim: 1", f"time: {{step: {STEP}, end: {STEP}}}", "bodies: []", "gravity: [0.3, -0.2, -9.81]",
             "integrator: {type: discrete, velocity_terms: start}", f"output: {{period: {STEP}}}", "models:",
             f"  - file: {quote(str(robot))}", "    name: m", "    limits: false", "    friction: false", "    damping: false"]
    base = None
    if free:
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        base = dict(p=rng.uniform(-1, 1, 3), q=q, v=rng.uniform(-1, 1, 3), w=rng.uniform(-1, 1, 3))
        rows = {k: json.dumps([float(x) for x in v]) for k, v in base.items()}
        lines += ["    base: free", f"    pose: {{xyz: {rows['p']}, quaternion_wxyz: {rows['q']}}}",
                  f"    velocity: {{linear: {rows['v']}, angular: {rows['w']}}}"]
    lines += ["    positions: {" + ", ".join(f"{quote(n)}: {s[0]!r}" for n, s in state.items()) + "}",
              "    velocities: {" + ", ".join(f"{quote(n)}: {s[1]!r}" for n, s in state.items()) + "}", "actuators:"]
    lines += [f"  - {{name: {quote('m::' + n)}, joint: {quote('m::' + n)}, type: effort, command: {s[2]!r}}}" for n, s in state.items()] or ["  []"]
    return "\n".join(lines) + "\n", base


def pinocchio_state(pin, model, state, base):
    q, v, tau = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    if base is not None:
        q[:3], q[3:7] = base["p"], [*base["q"][1:], base["q"][0]]
        R = pin.Quaternion(q[6], q[3], q[4], q[5]).matrix()
        v[:3], v[3:6] = R.T @ base["v"], R.T @ base["w"]
    for name, (position, velocity, effort) in state.items():
        joint = model.joints[model.getJointId(name)]
        if joint.nq == 2:
            q[joint.idx_q:joint.idx_q + 2] = np.cos(position), np.sin(position)
        else:
            q[joint.idx_q] = position
        v[joint.idx_v], tau[joint.idx_v] = velocity, effort
    return q, v, tau


def compare(pin, program, robot, root, free, rng, folder):
    """Largest differences at one random state; a text where one of the two programs does not load the robot."""
    state = random_state(root, rng)
    text, base = scene_of(robot, state, free, rng)
    scene, result = folder / "scene.yaml", folder / "scene.h5"
    scene.write_text(text)
    run = subprocess.run([program, "run", scene, "-o", result, "--force", "-q", "--threads", "1"], capture_output=True, text=True)
    if run.returncode != 0:
        return f"csim: {run.stderr.strip().splitlines()[0] if run.stderr.strip() else run.returncode}"
    try:
        model = pin.buildModelFromUrdf(str(robot), pin.JointModelFreeFlyer()) if free else pin.buildModelFromUrdf(str(robot))
    except Exception as error:  # Pinocchio's own exceptions have many types
        return f"pinocchio: {str(error).splitlines()[0]}"
    model.gravity.linear = np.array([0.3, -0.2, -9.81])
    data = model.createData()
    q, v, tau = pinocchio_state(pin, model, state, base)
    pin.framesForwardKinematics(model, data, q)
    with h5py.File(result) as f:
        bodies = [name.decode() if isinstance(name, bytes) else name for name in f["/bodies/name"][()]]
        joints = [name.decode() if isinstance(name, bytes) else name for name in f["/joints/name"][()]]
        position, quaternion = f["/trajectory/position"][0], f["/trajectory/quaternion"][0]
        masses = f["/bodies/mass"][()]
        joint_velocity, offset = f["/joint/velocity"][()], f["/joints/v_offset"][()]
        root_velocity = (f["/trajectory/velocity"][()], f["/trajectory/angular_velocity"][()])
        kinetic, potential = f["/energy/kinetic"][0], f["/energy/potential"][0]
    worst = dict(pose=0.0)
    for i, name in enumerate(bodies):
        frame = model.getFrameId(name.split("::", 1)[1], pin.FrameType.BODY)
        M = data.oMf[frame]
        w, x, y, z = quaternion[i]
        scale = max(1.0, np.abs(M.translation).max())
        worst["pose"] = max(worst["pose"], np.abs(M.translation - position[i]).max() / scale,
                            np.abs(M.rotation - pin.Quaternion(w, x, y, z).matrix()).max())
    # The links that move; Pinocchio keeps those at rest apart.
    total = sum(float(link.find("inertial/mass").get("value")) for link in root.findall("link") if link.find("inertial/mass") is not None)
    worst["mass"] = abs(masses.sum() - total) / max(total, 1e-300)
    if model.nv == 0:
        return worst
    a = np.zeros(model.nv)
    for name in state:
        joint, column = model.joints[model.getJointId(name)], offset[joints.index("m::" + name)]
        a[joint.idx_v] = (joint_velocity[1, column] - joint_velocity[0, column]) / STEP
    if free:
        links = [link.get("name") for link in root.findall("link")]
        children = {joint.find("child").get("link") for joint in root.findall("joint")}
        i = bodies.index("m::" + next(link for link in links if link not in children))
        R = pin.Quaternion(q[6], q[3], q[4], q[5]).matrix()
        linear, angular = [(rows[1, i] - rows[0, i]) / STEP for rows in root_velocity]
        # Pinocchio's coordinates are those of the body: d/dt (R' v) = R' (v' - w x v).
        a[:3] = R.T @ (linear - np.cross(base["w"], base["v"]))
        a[3:6] = R.T @ angular
    # The scale: the largest of the terms that cancel.
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    bias = np.array(pin.nonLinearEffects(model, data, q, v))
    gravity = np.array(pin.computeGeneralizedGravity(model, data, q))
    scale = np.abs(M) @ np.abs(a) + np.abs(bias - gravity) + np.abs(gravity) + np.abs(tau)
    worst["force"] = float(np.max(np.abs(M @ a + bias - tau) / np.maximum(scale, scale.max() * 1e-6)))
    K, U = pin.computeKineticEnergy(model, data, q, v), pin.computePotentialEnergy(model, data, q)
    worst["energy"] = abs(kinetic - K) / max(abs(K), 1e-300) if abs(K) > 0 else abs(kinetic)
    if free:  # without the links at rest
        worst["energy"] = max(worst["energy"], abs(potential - U) / max(abs(U), abs(K), 1e-300))
    return worst


def check(arguments):
    program, file, states, seed = arguments
    import pinocchio as pin

    row = dict(file=str(file), states={})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scene = folder / "validate.yaml"
        scene.write_text(f"csim: 1\ntime: {{end: 0}}\nbodies: []\nmodels: [{{file: {json.dumps(str(file))}, name: m, self_collision: false}}]\n")
        run = subprocess.run([program, "validate", "--json", scene], capture_output=True, text=True)
        row["exit"] = run.returncode
        row["errors"] = [{k: d[k] for k in ("line", "column", "path", "message")} | dict(own=d["file"] == str(file)) for d in json.loads(run.stdout or "[]")]
        try:
            robot, root = bare(file, folder)
        except ET.ParseError as error:
            row["xml"] = str(error)
            return row
        rng = np.random.default_rng(seed)
        for free in (False, True):
            for k in range(states):
                try:
                    row["states"][f"{'free' if free else 'world'} {k}"] = compare(pin, program, robot, root, free, rng, folder)
                except Exception as error:  # a robot that neither program was asked about yet
                    row["states"][f"{'free' if free else 'world'} {k}"] = f"study: {type(error).__name__}: {error}"
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--states", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted({path for folder in options.folders for path in ([folder] if folder.is_file() else folder.rglob("*.urdf"))})
    work = [(options.program, file.resolve(), options.states, options.seed) for file in files]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(check, work, chunksize=4))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    loaded = [row for row in rows if row["exit"] == 0]
    refused = [row for row in rows if row["exit"] != 0]
    print(f"{len(rows)} files: {len(loaded)} load, {len(refused)} are refused")
    reasons = collections.Counter()
    for row in refused:
        first = row["errors"][0] if row["errors"] else dict(message=f"exit code {row['exit']}", path="", line=0)
        reasons[first["message"].split("'")[-1][:100]] += 1
    for reason, count in reasons.most_common():
        print(f"  refused {count}: {reason}")
    worst, compared, others = collections.Counter(), 0, collections.Counter()
    where = {}
    for row in rows:
        for name, state in row["states"].items():
            if isinstance(state, str):
                others[state[:110]] += 1
                continue
            compared += 1
            for key, value in state.items():
                if not value <= worst[key]:
                    worst[key], where[key] = value, row["file"] + " " + name
    print(f"{compared} states beside Pinocchio; largest differences:")
    for key in worst:
        print(f"  {key:8} {worst[key]:.2e}  {where[key]}")
    for text, count in others.most_common(40):
        print(f"  not compared {count}: {text}")
    return 0 if all(value < 1e-10 for value in worst.values()) else 5


if __name__ == "__main__":
    sys.exit(main())
