"""Tosses in MuJoCo and Drake, and the same fit as csim's: BOBYQA of NLopt on the same objective, from as many starts with as many candidates."""
import hashlib
import importlib.util
import pathlib
import sys

import numpy as np
from data import G, HALF, MASS, rotation_matrix
from models import PERIOD, SEED, TOLERANCE, WIDTH, Fit, Found, differences, objective

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import peers  # noqa: E402

NEEDS = {"MuJoCo": ("mujoco", "nlopt"), "Drake": ("pydrake", "nlopt")}
CORNER = 1e-4      # m, radius of the spheres that stand for the corners in Drake, whose box touches a half space at one point alone
FIRST_STEP, AGREE = 0.1, 1e-2  # of the search and of its ends, as csim's fit has them
FAILED = 1.0       # m^2, f^2 of a candidate that fails: more than any that does not


def missing(program):
    """Packages that the program needs and that are not there."""
    return [name for name in NEEDS.get(program, ()) if importlib.util.find_spec(name) is None]


def make_scene(values, inertia, corners):
    cube = [{"shape": "box", "size": [WIDTH] * 3, "material": "cube"}]
    if corners:
        at = HALF - CORNER
        cube = [{"shape": "sphere", "radius": CORNER, "pose": {"xyz": [x, y, z]}, "material": "cube"} for x in (-at, at) for y in (-at, at) for z in (-at, at)]
    return {"gravity": [0, 0, -G], "materials": {"cube": values}, "contact": {},
            "bodies": [{"name": "ground", "fixed": True, "geometry": [{"shape": "half_space", "material": "cube"}]},
                       {"name": "cube", "mass": MASS, "inertia": [inertia] * 3, "pose": {"xyz": [0, 0, 1]}, "geometry": cube}]}


def output_times(toss):
    return np.arange(int(np.ceil(toss.time[-1] / PERIOD - 1e-9)) + 1) * PERIOD


def with_mujoco(step, tosses, starts, inertia, values):
    import mujoco
    model, data = peers.build_mujoco(make_scene({"friction": values["friction"]}, inertia, False), step)
    model.geom_solref[:] = values["timeconst"], values["dampratio"]
    per_row = round(PERIOD / step)
    for toss, start in zip(tosses, starts):
        mujoco.mj_resetData(model, data)
        data.qpos[:] = [*start.position, *start.quaternion]
        data.qvel[:] = [*start.velocity, *(rotation_matrix(start.quaternion).T @ start.angular_velocity)]
        times, rows = output_times(toss), [data.qpos.copy()]
        for _ in times[1:]:
            mujoco.mj_step(model, data, nstep=per_row)
            rows.append(data.qpos.copy())
        rows = np.array(rows)
        yield times, rows[:, :3], rows[:, 3:7]


def with_drake(step, tosses, starts, inertia, values):
    from pydrake.math import RigidTransform
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.multibody.math import SpatialVelocity
    plant, simulator, context, placed = peers.build_drake(make_scene(values, inertia, True), step)
    body = placed[0][0]
    for toss, start in zip(tosses, starts):
        simulator.get_mutable_context().SetTime(0.0)
        plant.SetFreeBodyPose(context, body, RigidTransform(Quaternion(start.quaternion), start.position))
        plant.SetFreeBodySpatialVelocity(context=context, body=body, V_JpJc=SpatialVelocity(start.angular_velocity, start.velocity))
        simulator.Initialize()
        times, rows = output_times(toss), []
        for t in times:
            simulator.AdvanceTo(t)
            pose = plant.EvalBodyPoseInWorld(context, body)
            rows.append([*pose.translation(), *pose.rotation().ToQuaternion().wxyz()])
        rows = np.array(rows)
        yield times, rows[:, :3], rows[:, 3:7]


def simulate(model, step, tosses, starts, inertia, values):
    """(time, position, quaternion) of each toss."""
    return list({"MuJoCo": with_mujoco, "Drake": with_drake}[model.program](step, tosses, starts, inertia, values))


def draw(text):
    """csim's u in (0, 1) of a text: the first 8 bytes of its SHA-256."""
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") + 0.5) / 2.0**64


def fit(model, step, tosses, inertia, num_starts, evaluations):
    """The Fit of the keys of `model`; no intervals. Starts are drawn as csim draws them, by the keys' names."""
    import nlopt
    starts, ends, count = [toss.start for toss in tosses], [], 0

    def mean_square(place, _gradient):
        nonlocal count
        count += 1
        values = {key.name: key.at(x) for key, x in zip(model.keys, place)}
        runs = simulate(model, step, tosses, starts, inertia, values)
        value = objective([differences(toss, *run) for toss, run in zip(tosses, runs)]) ** 2
        if not np.isfinite(value):
            value = FAILED
        if value < best[0]:
            best[:] = value, place.copy()
        return value

    for start in range(num_starts):
        best = [np.inf, None]
        optimizer = nlopt.opt(nlopt.LN_BOBYQA, len(model.keys))
        optimizer.set_min_objective(mean_square)
        optimizer.set_lower_bounds(0.0)
        optimizer.set_upper_bounds(1.0)
        optimizer.set_initial_step(FIRST_STEP)
        optimizer.set_xtol_abs(TOLERANCE)
        optimizer.set_maxeval(evaluations)
        try:
            optimizer.optimize([draw(f"{SEED} {csim_name(key)} {start}") for key in model.keys])
        except nlopt.RoundoffLimited:
            pass
        ends.append((*best,))
    value, place = min(ends, key=lambda end: end[0])
    found = {key.name: Found(key.at(x), at_bound="low" if x <= 10 * TOLERANCE else "high" if x >= 1 - 10 * TOLERANCE else "") for key, x in zip(model.keys, place)}
    return Fit(found, float(np.sqrt(value)), count, sum(bool(np.abs(end - place).max() <= AGREE) for _, end in ends), num_starts)


def csim_name(key):
    return f"materials.cube.{key.name}"
