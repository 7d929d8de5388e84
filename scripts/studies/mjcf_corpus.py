#!/usr/bin/env python3
"""MJCF models of others through csim.py's import-mjcf, beside MuJoCo.

    scripts/studies/mjcf_corpus.py PROGRAM FILE_OR_FOLDER... [--states 10] [--seed 1] [--jobs 1] [--json FILE]

Each model is imported and validated, then imported again in random states with random controls. What the importer lists as left out is taken out of MuJoCo's
model, too; everything else has to count in both. Compared are

    accelerations  without contacts, limits, friction and equality constraints, over the largest of each state. csim's step of length h has velocity_terms: start
                   and implicit springs, dampers and drives, so that its change of velocity over h is (M + h D + h² K)^-1 (M a - h K v), with MuJoCo's a
    violations     of each equality constraint: position errors of MuJoCo's rows, m and rad
    pairs          of geometries that overlap by more than 1e-5 m in one of the two programs and do not touch in the other: their number

Needs the packages mujoco, h5py and numpy.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import import_mjcf
from import_mjcf.source import all_names, enum_name, joint_type, matrix, unit

STEP = 1e-4
DEEP = 1e-5  # m

# What the importer leaves out, by how it begins, and why.
WHY = {
    "lights": "the viewer has its own", "cameras": "the viewer has its own", "textures": "colours alone", "skins": "seen only", "sensors": "a result holds all states and forces",
    "sites": "those that no tendon and no constraint of the scene uses", "key frames": "`--key` takes one", "custom data": "means nothing to the motion",
    "margins of contacts": "MuJoCo makes the shapes larger by them", "margins of limits": "limits act at the limit", "torsional and rolling friction": "a point slides only",
    "friction that is not": "one number a pair", "ranges of controls": "commands of position and velocity drives have no range",
    "limits of efforts": "csim's are; the larger end counts", "medium": "no forces of a medium", "options": "they are those of MuJoCo's law of contact", "flexes": "bodies are rigid",
    "actuators: dynamics": "drives have no state of their own", "actuators: gain": "the force is no affine function of control, position and velocity",
    "actuators: damping alone": "a damper acts where its spring does", "actuators: through": "a drive acts on one joint", "actuators: on": "a drive acts on a joint with one coordinate",
    "actuators: negative": "gains are not negative", "actuators: disabled": "switched off in the file", "tendons in space": "no pulleys, and nothing winds around a shape",
    "friction of tendons": "joints alone have friction", "inertia of tendons": "joints alone have armature", "damping of tendons": "a damper acts where its spring does",
    "springs of": "springs have one coordinate", "limits of ball": "limits have one coordinate", "motion of mocap": "`motion` says it in the scene", "masses of their own": "one body must have a whole inertia",
    "geometries of the kind hfield": "no height fields", "geometries of the kind plane": "a half space stays", "meshes without a volume": "a hull has a volume",
    "surfaces with": "a surface has an outside", "equalities that are not active": "switched off in the file", "equalities of the kind": "only straight lines, and of these bodies, joints and fixed tendons",
    "adhesion": "contacts do not pull", "velocities of surfaces": "`surface_velocity` says it in the scene", "contact pairs of": "an exclusion knows no exception",
}


def random_state(model, rng):
    qpos, qvel, ctrl = np.array(model.qpos0), rng.uniform(-1, 1, model.nv), rng.uniform(-1, 1, model.nu)
    for j in range(model.njnt):
        at, kind = model.jnt_qposadr[j], joint_type(model, j)
        if kind == "free":
            qpos[at:at + 3] += rng.uniform(-1, 1, 3)
            at += 3
        if kind in ("free", "ball"):
            qpos[at:at + 4] = unit(rng.normal(size=4))
        else:
            qpos[at] += rng.uniform(-1, 1)
    return qpos, qvel, ctrl


# ---- what the importer leaves out is taken out of MuJoCo's model


def clear(model, names, kind, keys):
    """Zeros in arrays of the things of these names."""
    known = all_names(mujoco, model)[kind]
    for i in (known.index(name) for name in names if name in known):
        for key in keys:
            if hasattr(model, key):
                getattr(model, key)[i] = 0


def take_out(model, left_out):
    for what, names in left_out.items():
        if what.startswith("actuators: "):
            clear(model, names, "ACTUATOR", ("actuator_gainprm", "actuator_biasprm", "actuator_gaintype", "actuator_biastype"))
        elif what in ("springs of ball joints", "springs of free joints"):
            clear(model, names, "JOINT", ("jnt_stiffness", "jnt_stiffnesspoly"))
        elif what.startswith(("tendons in space", "springs of tendons")):
            clear(model, names, "TENDON", ("tendon_stiffness", "tendon_damping"))
        elif what.startswith("damping of tendons"):
            clear(model, names, "TENDON", ("tendon_damping",))
        elif what == "inertia of tendons":
            clear(model, names, "TENDON", ("tendon_armature",))
        elif what.startswith("medium: "):
            setattr(model.opt, what.split()[1], 0)
        elif what in ("flexes", "plugins") or what.endswith("no straight line") or what == "yield of springs":
            raise NotImplementedError(what)
    for key in ("actuator_forcelimited", "jnt_actfrclimited", "tendon_actfrclimited", "geom_margin", "geom_gap", "pair_margin", "pair_gap"):
        if hasattr(model, key):
            getattr(model, key)[:] = 0


# ---- accelerations


def jacobians(model, qpos):
    """Of the lengths of tendons and actuators, from the velocities that unit velocities give them."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    tendons, actuators = np.zeros((model.ntendon, model.nv)), np.zeros((model.nu, model.nv))
    mujoco.mj_fwdPosition(model, data)
    for i in range(model.nv):
        data.qvel[:] = 0
        data.qvel[i] = 1
        mujoco.mj_fwdVelocity(model, data)
        tendons[:, i], actuators[:, i] = data.ten_velocity, np.asarray(data.actuator_velocity)[:model.nu]
    return tendons, actuators, np.array(data.ten_length)


def stiffness_and_damping(model, qpos):
    K, D = np.zeros((model.nv, model.nv)), np.diag(np.array(model.dof_damping).reshape(model.nv, -1)[:, 0])
    tendons, actuators, lengths = jacobians(model, qpos)
    for j in range(model.njnt):
        dof = model.jnt_dofadr[j]
        if joint_type(model, j) in ("hinge", "slide"):
            K[dof, dof] += np.atleast_1d(model.jnt_stiffness[j])[0]
        actuator = model.jnt_actuatorid[j] if hasattr(model, "jnt_actuatorid") else -1
        if actuator >= 0:
            D[dof, dof] += model.actuator_gear[model.actuator_outadr[actuator], 0]**2 * np.atleast_1d(model.actuator_damping[actuator])[0]
    for J, k, d, rest, length in zip(tendons, model.tendon_stiffness, model.tendon_damping, model.tendon_lengthspring, lengths):
        K += np.atleast_1d(k)[0] * np.outer(J, J) * (rest[0] == rest[1] or not rest[0] < length < rest[1])
        D += np.atleast_1d(d)[0] * np.outer(J, J)
    for J, bias, kind in zip(actuators, model.actuator_biasprm, model.actuator_biastype):
        if enum_name(mujoco.mjtBias, kind) == "affine":
            K -= bias[1] * np.outer(J, J)
            D -= bias[2] * np.outer(J, J)
    return K, D


def expected(model, qpos, qvel, ctrl):
    """What csim's step gives in MuJoCo's coordinates."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, M, data.qM) if hasattr(data, "qM") else mujoco.mj_fullM(model, data, M)  # MuJoCo 3 and 4
    K, D = stiffness_and_damping(model, qpos)
    return np.linalg.solve(M + STEP * D + STEP**2 * K, M @ np.array(data.qacc) - STEP * K @ qvel)


def found(model, result, qpos):
    """csim's accelerations in MuJoCo's coordinates."""
    known = all_names(mujoco, model)
    names, bodies = known["JOINT"], known["BODY"]
    a = np.zeros(model.nv)
    with h5py.File(result) as f:
        joints, body_names = ([name.decode() for name in f[key][()]] for key in ("/joints/name", "/bodies/name"))
        offset, velocity = f["/joints/v_offset"][()], f["/joint/velocity"][()]
        linear, angular = f["/trajectory/velocity"][()], f["/trajectory/angular_velocity"][()]
    for j in range(model.njnt):
        dof, at, kind = model.jnt_dofadr[j], model.jnt_qposadr[j], joint_type(model, j)
        if kind == "free":
            R, b = matrix(unit(qpos[at + 3:at + 7])), body_names.index(bodies[model.jnt_bodyid[j]])
            a[dof:dof + 3] = (linear[1, b] - linear[0, b]) / STEP
            a[dof + 3:dof + 6] = R.T @ (angular[1, b] - angular[0, b]) / STEP
            continue
        column = offset[joints.index(names[j])]
        if kind == "ball":
            R = matrix(unit(qpos[at:at + 4]))
            a[dof:dof + 3] = R.T @ (velocity[1, column:column + 3] - velocity[0, column:column + 3]) / STEP
        else:
            a[dof] = (velocity[1, column] - velocity[0, column]) / STEP
    return a


def unbound(scene):
    """Without limits and friction of joints and limits of efforts."""
    scene = json.loads(json.dumps(scene))
    for joint in scene.get("joints", []):
        joint.pop("limits", None)
        joint.pop("friction", None)
    for actuator in scene.get("actuators", []):
        actuator.pop("effort_limit", None)
    return scene


def without_shapes(scene):
    return {key: value for key, value in scene.items() if key != "contact"} | {"bodies": [body | {"geometry": []} for body in scene["bodies"]]}


def smooth(scene):
    """Bodies, joints, springs and drives alone."""
    scene = unbound(without_shapes(scene))
    scene["constraints"] = [row for row in scene.get("constraints", []) if "stiffness" in row]
    return scene | {"time": {"step": STEP, "end": STEP}, "integrator": {"type": "discrete", "velocity_terms": "start"}, "output": {"period": STEP}, "solver": {"tolerance": 1e-12}}


def acceleration_error(model, run, scene, state):
    result = run(smooth(scene))
    a, b = expected(model, *state), found(model, result, state[0])
    return float(np.abs(a - b).max() / max(np.abs(a).max(), 1.0))


# ---- equality constraints


def violation_error(model, run, scene, qpos):
    """Largest difference of the sizes of violations; of a weld those of its point and of its angle."""
    if "constraints" not in scene:
        return 0.0
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    rows = collections.defaultdict(list)
    for kind, owner, position in zip(data.efc_type, data.efc_id, data.efc_pos):
        if enum_name(mujoco.mjtConstraint, kind) == "equality":
            rows[int(owner)].append(float(position))
    soft = [row | {"stiffness": 1.0} for row in scene["constraints"]]  # rigid ones would have to hold at the start
    with h5py.File(run(without_shapes(scene) | {"constraints": soft, "time": {"step": STEP, "end": 0}})) as f:
        names, offset, violation = [name.decode() for name in f["/constraint/name"][()]], f["/constraint/row_offset"][()], f["/constraint/violation"][0]
    worst = 0.0
    for i, name in enumerate(all_names(mujoco, model)["EQUALITY"]):
        if name not in names or i not in rows:
            continue
        at = names.index(name)
        own, theirs = violation[offset[at]:offset[at + 1]], np.array(rows[i])
        sizes = [(np.linalg.norm(own[-3:]), np.linalg.norm(theirs[:3]))]
        if len(own) == 6:  # csim's rotation comes first, a rotation vector; MuJoCo's is torquescale times the vector of the quaternion
            sizes.append((2 * np.sin(np.linalg.norm(own[:3]) / 2), 2 * np.linalg.norm(theirs[3:]) / model.eq_data[i][10]))
        worst = max(worst, max(abs(a - b) for a, b in sizes))
    return float(worst)


# ---- who meets whom


def pairs_that_differ(model, run, scene, qpos):
    """(pairs compared, those that one of the two alone has)."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    known = all_names(mujoco, model)
    bodies, geoms = known["BODY"], known["GEOM"]
    full = [("world_geometry" if model.geom_bodyid[g] == 0 else bodies[model.geom_bodyid[g]]) + "/" + geoms[g] for g in range(model.ngeom)]
    touching = {body["name"] + "/" + geometry["name"] for body in scene["bodies"] for geometry in body.get("geometry", []) if geometry.get("contact") != "none"}
    theirs = collections.defaultdict(lambda: np.inf)
    for contact in data.contact:
        pair = tuple(sorted(full[int(g)] for g in contact.geom))
        if set(pair) <= touching:
            theirs[pair] = min(theirs[pair], float(contact.dist))
    own = collections.defaultdict(lambda: np.inf)
    scene = {key: value for key, value in unbound(scene).items() if key not in ("constraints", "actuators")}
    scene["bodies"] = [body | {"geometry": [one for one in body.get("geometry", []) if one.get("contact") != "none"]} for body in scene["bodies"]]
    soft = {"stiffness": 1e-6, "hunt_crossley_dissipation": 0.0, "friction": 0.0}  # nothing is to move before the pairs are written
    scene["materials"] = {name: material | soft for name, material in scene.get("materials", {}).items()}
    scene |= {"time": {"step": 1e-9, "end": 1e-9}, "output": {"period": 1e-9}, "solver": {"on_nonconvergence": "accept"}, "guards": {"energy_gain": "none"}}
    with h5py.File(run(scene)) as f:
        names = [name.decode() for name in f["/geometries/name"][()]]
        for a, b, phi in zip(f["/contact/geometry_a"][()], f["/contact/geometry_b"][()], f["/contact/phi"][()]):
            pair = tuple(sorted((names[a], names[b])))
            own[pair] = min(own[pair], float(phi))
    deep = {pair for found_pairs in (own, theirs) for pair, phi in found_pairs.items() if phi < -DEEP}
    return len(deep), sorted(pair for pair in deep if not (own[pair] < 0 and theirs[pair] < 0))


# ---- one file


def check(program, file, states, seed):
    row = dict(file=str(file), accelerations=0.0, violations=0.0, pairs=0, pairs_differ=[])
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        return row | dict(refused=" ".join(str(error).split()))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(scene, command="run"):
            (folder / "scene.yaml").write_text(import_mjcf.yaml_of(scene))
            options = ["-o", folder / "scene.h5", "--force", "-q", "--threads", "1"] if command == "run" else []
            done = subprocess.run([program, command, folder / "scene.yaml", *options], capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError(re.sub(r"^\S*/scene\.yaml:\d+:\d+: error: ", "", done.stderr.splitlines()[0]))
            return folder / "scene.h5"

        imported = import_mjcf.scene_of_mjcf(file, mesh_folder=folder / "meshes")
        row |= dict(nv=int(model.nv), bodies=int(model.nbody) - 1, left_out=imported.left_out)
        try:
            run(imported.scene, "validate")
            take_out(model, imported.left_out)
            compare(model, run, states if model.nv else 0, np.random.default_rng(seed), row)
        except RuntimeError as error:
            return row | dict(csim=str(error))
        except NotImplementedError as error:
            return row | dict(not_compared=str(error))
    return row


def compare(model, run, states, rng, row):
    flags, without = model.opt.disableflags, int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    for k in range(states):
        state = random_state(model, rng)
        scene = import_mjcf.scene_of_model(model, *state).scene
        model.opt.disableflags = int(flags) | without
        row["accelerations"] = max(row["accelerations"], acceleration_error(model, run, scene, state))
        model.opt.disableflags = flags
        row["violations"] = max(row["violations"], violation_error(model, run, scene, state[0]))
        if k < 2:
            at_rest = import_mjcf.scene_of_model(model, state[0], np.zeros(model.nv)).scene | {"gravity": [0.0, 0.0, 0.0]}
            number, differing = pairs_that_differ(model, run, at_rest, state[0])
            row["pairs"] += number
            row["pairs_differ"] += differing


def line(row):
    if "refused" in row:
        text = f"MuJoCo: {row['refused'][:110]}"
    elif "csim" in row:
        text = f"csim: {row['csim'][:150]}"
    elif "not_compared" in row:
        text = f"not compared: {row['not_compared']}"
    else:
        text = (f"{row['bodies']:4} bodies {row['nv']:4} velocities; accelerations {row['accelerations']:.1e}, violations {row['violations']:.1e}, "
                f"{len(row['pairs_differ'])} of {row['pairs']} pairs differ; left out: { {key: len(names) for key, names in row['left_out'].items()} }")
    return f"{row['file'][-70:]:70} {text}"


def table(rows):
    """Markdown: how many files, and what of how many models has no counterpart."""
    loaded = [row for row in rows if "refused" not in row]
    robots = [row for row in loaded if row["nv"]]
    left_out = collections.Counter(what for row in robots for what in row["left_out"])
    head = [("files", len(rows)), ("refused by MuJoCo", len(rows) - len(loaded)), ("without anything that moves", len(loaded) - len(robots)), ("models that move", len(robots)),
            ("refused by csim", sum("csim" in row for row in loaded)), ("largest difference of accelerations", f"{max((row['accelerations'] for row in robots), default=0):.1e}"),
            ("largest difference of violations", f"{max((row['violations'] for row in robots), default=0):.1e}"),
            ("overlapping pairs that one program alone has", f"{sum(len(row['pairs_differ']) for row in robots)} of {sum(row['pairs'] for row in robots)}")]
    refused = collections.Counter(re.sub(r"'[^']*'", "..", row["refused"].split(" Element ")[0]) for row in rows if "refused" in row)
    reasons = [(what, f"{count} | {next((why for start, why in WHY.items() if what.startswith(start)), '')}") for what, count in left_out.most_common()]
    return "\n".join((rows_of("of all | ", head), rows_of("refused by MuJoCo | files", refused.most_common()), rows_of("no counterpart | models | because", reasons)))


def rows_of(title, entries):
    return f"| {title} |\n|{'---|' * (title.count('|') + 1)}\n" + "".join(f"| {what} | {value} |\n" for what, value in entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("places", nargs="+", type=pathlib.Path)
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted({path for place in options.places for path in ([place] if place.is_file() else place.rglob("*.xml")) if re.search(r"<mujoco[\s>]", path.read_text(errors="replace"))})
    rows = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for row in pool.map(check, *zip(*[(options.program, file, options.states, options.seed) for file in files])):
            rows.append(row)
            print(line(row), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    print("\n" + table(rows))
    good = all("csim" not in row and row["accelerations"] < 1e-8 and row["violations"] < 1e-8 and not row["pairs_differ"] for row in rows)
    return 0 if good else 5


if __name__ == "__main__":
    sys.exit(main())
