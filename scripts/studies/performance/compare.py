#!/usr/bin/env python3
"""Times piles in csim and, where they are installed, in MuJoCo and Drake: one thread each, one after the other.

    scripts/studies/performance/compare.py --clutter 2 4 10 20                    40, 160, 1000, 4000 bodies
    scripts/studies/performance/compare.py --clutter 2 4 10 --boxes               cubes as boxes instead of 26 spheres
    scripts/studies/performance/compare.py --silo 200 1000 --settle 2 --mujoco-solver CG
    scripts/studies/performance/compare.py --clutter 2 --csim-only --end 10 --windows 0 1 3 6 10

Prints two tables, milliseconds a step of each program and csim's stages. csim's figures are its own, from the result file, with everything
included, records too. Those of the others are of the stepping call alone, without any output. Only ratios within one run on a quiet machine mean
something; --repeat takes the smallest of several runs. On a machine that others use, --cpu compares processor time instead of wall time:
csim's is that of whole runs to the ends of the windows, one less the other.
"""
import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "scripts/scenes")]
import clutter  # noqa: E402
import silo  # noqa: E402

STAGES = ["total", "geometry", "assembly", "factor", "solve", "line_search", "record"]


def has(module):
    return importlib.util.find_spec(module) is not None


def scenes(options):
    for per_side in options.clutter:
        count = per_side**2 * clutter.PER_COLUMN
        yield clutter.scene(f"clutter_{count}", "", not options.boxes, per_side)
    for count in options.silo:
        yield silo.scene(count, not options.boxes)


def sets(options):
    return [word for assignment in options.set for word in ("--set", assignment)]


def run_csim(text, options):
    """Rows of (window, milliseconds a step by stage, mean and largest number of iterations, contacts)."""
    with tempfile.TemporaryDirectory() as folder:
        scene, result = pathlib.Path(folder, "scene.yaml"), pathlib.Path(folder, "result.h5")
        scene.write_text(text, encoding="utf-8")
        command = [options.csim, "run", str(scene), "-o", str(result), "-q", "--threads", "1", "--end", str(options.end),
                   "--set", "output.period=0.1"] + sets(options)
        subprocess.run(command, check=True)
        with h5py.File(result) as f:
            step = {name: f["stats/step"][name][:] for name in
                    ["time", "iterations", "num_contacts"] + [f"seconds_{stage}" for stage in STAGES]}
    rows = []
    for begin, end in zip(options.windows, options.windows[1:]):
        inside = (step["time"] > begin + 1e-9) & (step["time"] <= end + 1e-9)
        if inside.any():
            seconds = [1e3 * step[f"seconds_{stage}"][inside].mean() for stage in STAGES]
            rows.append((f"{begin:g}-{end:g} s", seconds, step["iterations"][inside].mean(), step["iterations"][inside].max(),
                         step["num_contacts"][inside].mean()))
    return rows


def csim_cpu(text, options):
    """Milliseconds of processor time (user and system) a step in each window."""
    totals = []
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder, "scene.yaml")
        scene.write_text(text, encoding="utf-8")
        for end in options.windows:
            command = [options.csim, "run", str(scene), "-o", str(pathlib.Path(folder, f"{end}.h5")), "-q", "--threads", "1", "--end", str(end),
                       "--set", "output.period=0.1"] + sets(options)
            # The BLAS would start threads that wait busily, if only at the start.
            process = subprocess.Popen(command, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
            _, status, usage = os.wait4(process.pid, 0)
            if status != 0:
                raise RuntimeError(f"csim failed: {status}")
            totals.append(usage.ru_utime + usage.ru_stime)
    h = float(yaml.safe_load(text.split("\nbodies:")[0])["time"]["step"])
    return [1e3 * (b - a) * h / (end - begin)
            for a, b, begin, end in zip(totals, totals[1:], options.windows, options.windows[1:])]


def geometries(body):
    for g in body["geometry"]:
        pose = g.get("pose", {})
        yield g, pose.get("xyz", [0.0, 0.0, 0.0])


def inertia_of(body):
    """Mass and (isotropic) moment of inertia of a ball or a cube of the clutter."""
    if "mass" in body:
        return body["mass"], body["inertia"][0]
    shape = body["geometry"][0]
    if shape["shape"] == "sphere":
        mass = body["density"] * 4 / 3 * np.pi * shape["radius"]**3
        return mass, 0.4 * mass * shape["radius"]**2
    mass = body["density"] * np.prod(shape["size"])
    return mass, mass * shape["size"][0]**2 / 6


def run_mujoco(text, options):
    """Milliseconds a step in each window. Its contact is another model, softer by design."""
    import mujoco
    scene = yaml.safe_load(text)
    h = scene["time"]["step"]
    beads = "exclude" in scene["contact"]
    # Who meets whom as two bit masks a group: balls 1, walls 2, cubes 4.
    bits = {"balls": (1, 7), "walls": (2, 1 if beads else 5), "cubes": (4, 1 if beads else 7)}

    def geom(g, xyz):
        own, other = bits[g["group"]]
        size = g["radius"] if g["shape"] == "sphere" else " ".join(str(s / 2) for s in g["size"])
        place = " ".join(map(str, xyz))
        return f'<geom type="{g["shape"]}" size="{size}" pos="{place}" contype="{own}" conaffinity="{other}"/>'

    lines = [f'<mujoco><option timestep="{h}" gravity="0 0 -9.81" cone="elliptic" solver="{options.mujoco_solver}" tolerance="1e-8" '
             'iterations="200" integrator="implicitfast"/><size memory="2G"/><default><geom friction="1 0 0" condim="3"/></default><worldbody>']
    for body in scene["bodies"]:
        if body.get("fixed"):
            lines += [geom(g, xyz) for g, xyz in geometries(body)]
            continue
        mass, inertia = inertia_of(body)
        pose = body["pose"]
        lines.append(f'<body pos="{" ".join(map(str, pose["xyz"]))}" quat="{" ".join(map(str, pose["quaternion_wxyz"]))}"><freejoint/>'
                     f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>')
        lines += [geom(g, xyz) for g, xyz in geometries(body)] + ["</body>"]
    lines.append("</worldbody></mujoco>")
    model = mujoco.MjModel.from_xml_string("\n".join(lines))
    data = mujoco.MjData(model)
    return time_windows(options, h, lambda steps: mujoco.mj_step(model, data, nstep=steps))


def run_drake(text, options):
    """Milliseconds a step in each window, with the same law, materials and step."""
    from pydrake.geometry import AddContactMaterial, Box, CollisionFilterDeclaration, GeometrySet, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
    from pydrake.multibody.tree import SpatialInertia, UnitInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder
    scene = yaml.safe_load(text)
    h = scene["time"]["step"]
    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlantSceneGraph(builder, time_step=h)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kLagged)
    plant.set_stiction_tolerance(scene["contact"]["stiction_tolerance"])
    stiffness = {"body": scene["materials"]["body"]["stiffness"], "wall": 1e40}
    groups = {"balls": [], "walls": [], "cubes": []}
    placed = []

    def register(body, name, g, xyz):
        properties = ProximityProperties()
        AddContactMaterial(dissipation=scene["materials"]["body"]["hunt_crossley_dissipation"], point_stiffness=float(stiffness[g["material"]]),
                           friction=CoulombFriction(1.0, 1.0), properties=properties)
        shape = Sphere(g["radius"]) if g["shape"] == "sphere" else Box(*g["size"])
        groups[g["group"]].append(plant.RegisterCollisionGeometry(body, RigidTransform(xyz), shape, name, properties))

    for body in scene["bodies"]:
        if body.get("fixed"):
            target = plant.world_body()
        else:
            mass, inertia = inertia_of(body)
            target = plant.AddRigidBody(body["name"], SpatialInertia(mass, [0, 0, 0], UnitInertia(*[inertia / mass] * 3)))
            placed.append((target, body["pose"]))
        for i, (g, xyz) in enumerate(geometries(body)):
            register(target, f"{body['name']}_{i}", g, xyz)
    if "exclude" in scene["contact"] and groups["cubes"]:
        filters = graph.collision_filter_manager()
        filters.Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(groups["cubes"])))
        filters.Apply(CollisionFilterDeclaration().ExcludeBetween(GeometrySet(groups["cubes"]), GeometrySet(groups["walls"])))
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, pose in placed:
        plant.SetFreeBodyPose(context, body, RigidTransform(Quaternion(np.array(pose["quaternion_wxyz"])), pose["xyz"]))
    simulator.Initialize()
    done = 0

    def advance(steps):
        nonlocal done
        done += steps
        simulator.AdvanceTo(done * h)

    return time_windows(options, h, advance)


def time_windows(options, h, advance):
    """Milliseconds a step of each window, in calls of a tenth of a second."""
    result = []
    for begin, end in zip(options.windows, options.windows[1:]):
        seconds, steps = 0.0, 0
        while steps < round((min(end, options.end) - begin) / h):
            chunk = max(1, round(0.1 / h))
            start = options.clock()
            advance(chunk)
            seconds += options.clock() - start
            steps += chunk
        if steps:
            result.append(1e3 * seconds / steps)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=str(ROOT / "build/release/bin/csim"))
    parser.add_argument("--clutter", nargs="*", type=int, default=[], help="columns of ten bodies along each side")
    parser.add_argument("--silo", nargs="*", type=int, default=[], help="bodies in a deep pile")
    parser.add_argument("--boxes", action="store_true")
    parser.add_argument("--end", type=float, default=3.0, help="s")
    parser.add_argument("--settle", type=float, default=1.0, help="s, end of the transient window")
    parser.add_argument("--windows", nargs="+", type=float, help="s, instead of 0 SETTLE END")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="compare processor time")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for csim alone, as in contact.model=coulomb")
    parser.add_argument("--mujoco-solver", default="Newton", choices=["Newton", "CG"])
    parser.add_argument("--csim-only", action="store_true")
    parser.add_argument("--drake", action="store_true", help="Drake too, which takes minutes from 160 bodies on")
    options = parser.parse_args()
    options.clock = time.process_time if options.cpu else time.perf_counter
    options.windows = options.windows or [0.0, options.settle, options.end]
    peers = [] if options.csim_only else [(f"MuJoCo {options.mujoco_solver}", "mujoco", run_mujoco)]
    if options.drake:
        peers.append(("Drake Lagged", "pydrake", run_drake))
    for name, module, _ in peers:
        if not has(module):
            sys.exit(f"{module} is not installed: pip install {module}, or --csim-only")
    times = [["scene", "window", "csim"] + [head for name, _, _ in peers for head in (name, f"{name} / csim")]]
    stages = [["scene", "window"] + STAGES + ["contacts", "iterations (largest)"]]
    for text in scenes(options):
        kind, count = yaml.safe_load(text.split("\nbodies:")[0])["name"].split("_")
        scene = f"{kind}, {count} bodies" + (", true boxes" if options.boxes else "")
        print(scene, file=sys.stderr, flush=True)
        runs = [run_csim(text, options) for _ in range(options.repeat)]
        best = [min(windows, key=lambda row: row[1][0]) for windows in zip(*runs)]
        own = [row[1][0] for row in best]
        if options.cpu:
            own = np.min([csim_cpu(text, options) for _ in range(options.repeat)], axis=0)
        others = [np.min([run(text, options) for _ in range(options.repeat)], axis=0) for _, _, run in peers]
        for k, (window, seconds, mean, largest, contacts) in enumerate(best):
            times.append([scene, window, f"{own[k]:.3g}"] + [cell for ms in others for cell in (f"{ms[k]:.3g}", f"{ms[k] / own[k]:.2f}")])
            stages.append([scene, window] + [f"{s:.3g}" for s in seconds] + [f"{contacts:.0f}", f"{mean:.1f} ({largest})"])
    for table in (times, stages):
        table.insert(1, ["---"] * len(table[0]))
        print("\n".join("| " + " | ".join(row) + " |" for row in table) + "\n")


if __name__ == "__main__":
    main()
