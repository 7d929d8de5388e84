#!/usr/bin/env python3
"""MJCF models of others through csim.py's import-mjcf: accelerations beside MuJoCo's.

    scripts/studies/mjcf_corpus.py PROGRAM FILE_OR_FOLDER... [--states 10] [--seed 1] [--json FILE]

Each model is imported in random states and makes one step without contacts, limits, friction, equalities and actuators, in both programs. The step has
velocity_terms: start and implicit springs and dampers, so that its change of velocity over its length h is (M + h D + h² K)^-1 (M a - h K v), with a
MuJoCo's acceleration. Compared is that, over the largest of each state. Needs the packages mujoco, h5py and numpy.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import import_mjcf

STEP = 1e-4


def random_state(model, rng):
    qpos, qvel = np.array(model.qpos0), rng.uniform(-1, 1, model.nv)
    for j in range(model.njnt):
        at, kind = model.jnt_qposadr[j], import_mjcf.mujoco_name(mujoco.mjtJoint, model.jnt_type[j])
        if kind == "mjJNT_FREE":
            qpos[at:at + 3] += rng.uniform(-1, 1, 3)
            at += 3
        if kind in ("mjJNT_FREE", "mjJNT_BALL"):
            qpos[at:at + 4] = import_mjcf.unit(rng.normal(size=4))
        else:
            qpos[at] += rng.uniform(-1, 1)
    return qpos, qvel


def expected(model, qpos, qvel):
    """What csim's step gives in MuJoCo's coordinates."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, M, data.qM) if hasattr(data, "qM") else mujoco.mj_fullM(model, data, M)  # MuJoCo 3 and 4
    K = np.zeros(model.nv)
    for j in range(model.njnt):
        if import_mjcf.mujoco_name(mujoco.mjtJoint, model.jnt_type[j]) in ("mjJNT_HINGE", "mjJNT_SLIDE"):
            K[model.jnt_dofadr[j]] = np.atleast_1d(model.jnt_stiffness[j])[0]
    D = np.array(model.dof_damping).reshape(model.nv, -1)[:, 0]
    return np.linalg.solve(M + STEP * np.diag(D) + STEP**2 * np.diag(K), M @ np.array(data.qacc) - STEP * K * qvel)


def found(model, scene, result, qpos):
    names = import_mjcf.Names(mujoco, model, "JOINT", "joint")
    bodies = import_mjcf.Names(mujoco, model, "BODY", "body")
    jointed = {joint["name"] for joint in scene.get("joints", [])}
    a = np.zeros(model.nv)
    with h5py.File(result) as f:
        joints = [name.decode() for name in f["/joints/name"][()]]
        body_names = [name.decode() for name in f["/bodies/name"][()]]
        offset, velocity = f["/joints/v_offset"][()], f["/joint/velocity"][()]
        linear, angular = f["/trajectory/velocity"][()], f["/trajectory/angular_velocity"][()]
    for j in range(model.njnt):
        dof, at, kind = model.jnt_dofadr[j], model.jnt_qposadr[j], import_mjcf.mujoco_name(mujoco.mjtJoint, model.jnt_type[j])
        if kind == "mjJNT_FREE":
            R = import_mjcf.quaternion_matrix(import_mjcf.unit(qpos[at + 3:at + 7]))
            b = body_names.index(bodies[model.jnt_bodyid[j]])
            a[dof:dof + 3] = (linear[1, b] - linear[0, b]) / STEP
            a[dof + 3:dof + 6] = R.T @ (angular[1, b] - angular[0, b]) / STEP
            continue
        column = offset[joints.index(names[j])]
        if kind == "mjJNT_BALL":
            R = import_mjcf.quaternion_matrix(import_mjcf.unit(qpos[at:at + 4]))
            a[dof:dof + 3] = R.T @ (velocity[1, column:column + 3] - velocity[0, column:column + 3]) / STEP
        else:
            a[dof] = (velocity[1, column] - velocity[0, column]) / STEP
    assert all(names[j] in jointed or import_mjcf.mujoco_name(mujoco.mjtJoint, model.jnt_type[j]) == "mjJNT_FREE" for j in range(model.njnt))
    return a


def without_rows(scene):
    """The bodies, joints and springs alone."""
    for body in scene["bodies"]:
        body["geometry"] = []
    for joint in scene.get("joints", []):
        joint.pop("limits", None)
        joint.pop("friction", None)
    for key in ("actuators", "constraints", "contact"):
        scene.pop(key, None)
    scene |= {"time": {"step": STEP, "end": STEP}, "integrator": {"type": "discrete", "velocity_terms": "start"}, "output": {"period": STEP}}
    return scene


def check(program, file, states, seed):
    row = dict(file=str(file), worst=0.0)
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        return row | dict(refused=str(error).splitlines()[0])
    row |= dict(nv=int(model.nv), bodies=int(model.nbody) - 1)
    scene, left_out = import_mjcf.scene_of_mjcf(file)
    row["left_out"] = {key: len(names) for key, names in left_out.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "scene.yaml").write_text(import_mjcf.yaml_of(scene))
        whole = subprocess.run([program, "validate", folder / "scene.yaml"], capture_output=True, text=True)
        if whole.returncode != 0:
            return row | dict(csim=whole.stderr.splitlines()[0])
        m = mujoco.mjtDisableBit
        model.opt.disableflags = int(model.opt.disableflags) | sum(int(flag) for flag in (m.mjDSBL_CONSTRAINT, m.mjDSBL_ACTUATION))
        model.opt.density = model.opt.viscosity = 0
        rng = np.random.default_rng(seed)
        for _ in range(states if model.nv else 0):
            qpos, qvel = random_state(model, rng)
            scene, _ = import_mjcf.scene_of_model(model, qpos, qvel)
            (folder / "scene.yaml").write_text(import_mjcf.yaml_of(without_rows(scene)))
            run = subprocess.run([program, "run", folder / "scene.yaml", "-o", folder / "scene.h5", "--force", "-q", "--threads", "1"], capture_output=True, text=True)
            if run.returncode != 0:
                return row | dict(csim=run.stderr.splitlines()[0])
            a, b = expected(model, qpos, qvel), found(model, scene, folder / "scene.h5", qpos)
            row["worst"] = max(row["worst"], float(np.abs(a - b).max() / max(np.abs(a).max(), 1.0)))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("places", nargs="+", type=pathlib.Path)
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted({path for place in options.places for path in ([place] if place.is_file() else place.rglob("*.xml")) if "<mujoco" in path.read_text(errors="replace")})
    rows = []
    for file in files:
        rows.append(check(options.program, file, options.states, options.seed))
        row = rows[-1]
        print(f"{row['file'][-70:]:70} " + (f"MuJoCo: {row['refused'][:90]}" if "refused" in row else f"csim: {row['csim'][:120]}" if "csim" in row else
                                            f"{row['bodies']:4} bodies {row['nv']:4} velocities, differs by {row['worst']:.1e}; left out: {row['left_out']}"), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    compared = [row for row in rows if "refused" not in row]
    worst = max((row["worst"] for row in compared), default=0.0)
    print(f"{len(compared)} models, largest difference {worst:.1e}")
    return 0 if worst < 1e-8 and not any("csim" in row for row in compared) else 5


if __name__ == "__main__":
    sys.exit(main())
