#!/usr/bin/env python3
"""How calm the clutter is after six seconds: csim, Drake and MuJoCo on the same scene.

    scripts/studies/rest.py [--csim PROGRAM] [--columns N...] [-o docs/evidence/clutter.md]

Writes the last part of the page that scripts/studies/clutter.py writes. Needs numpy and h5py; Drake (pydrake) and MuJoCo are run when Python finds
them. Everybody takes steps of 10 ms, the paper's stiffness and dissipation and all else as it comes: MuJoCo has its own soft contact.
"""
import argparse
import importlib.metadata
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from page_parts import write_part

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/scenes"))
import clutter  # noqa: E402  (the scene's numbers)

STEP, END, WINDOW = 1e-2, 6.0, 1.0    # s; depths and contacts are means over the last WINDOW
STIFFNESS, DISSIPATION, RELAXATION, STICTION = 1e7, 10.0, 1e-4, 1e-4


def bodies(per_side):
    """(name, is a cube, position, quaternion)"""
    shapes, quaternions = clutter.draw_shapes(clutter.PER_COLUMN), clutter.draw_quaternions(clutter.PER_COLUMN)
    places = [(i - (per_side - 1) / 2) * clutter.COLUMN_SPACING for i in range(per_side)]
    return [(f"{shape}_{c}_{i}", shape == "cube", (x, y, clutter.FIRST_HEIGHT + clutter.SPACING * i), quaternions[i])
            for c, (x, y) in enumerate((x, y) for x in places for y in places) for i, shape in enumerate(shapes)]


def container(per_side):
    """(size, position) of floor and walls"""
    width, height, thick = per_side * clutter.COLUMN_SPACING, clutter.HEIGHT, clutter.THICKNESS
    walls = [((thick, width, height), (s * width / 2, 0, height / 2)) for s in (1, -1)]
    walls += [((width, thick, height), (0, s * width / 2, height / 2)) for s in (1, -1)]
    return [((40.0, 40.0, thick), (0, 0, -thick / 2))] + walls


def beads():
    step = clutter.SIDE / 3
    return [(i * step, j * step, k * step) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) != (0, 0, 0)]


def figures(names, speed, touching, depths, counts):
    """`touching`: pairs of body names with a contact force between them at the end."""
    is_cube = np.array([n.startswith("cube") for n in names])
    on_balls = {n for pair in touching for n, other in (pair, pair[::-1]) if other.startswith("ball")}
    free = np.array([n not in on_balls for n in names])
    return dict(cubes=speed[is_cube & free].max(), all_cubes=speed[is_cube].max(), fast=int((speed[is_cube] > 1e-3).sum()), balls=speed[~is_cube].max(),
                depth=float(np.mean(depths)), contacts=float(np.mean(counts)))


def run_csim(program, per_side, law, true_cubes):
    import h5py
    with tempfile.TemporaryDirectory() as folder:
        scene, result = pathlib.Path(folder) / "scene.yaml", pathlib.Path(folder) / "result.h5"
        scene.write_text(clutter.scene("clutter", "", not true_cubes, per_side))
        subprocess.run([program, "run", scene, "-o", result, "-q", "--end", str(END), "--set", f"contact.model={law}"], check=True)
        with h5py.File(result) as f:
            names = [n.decode() for n in f["bodies/name"][:]]
            moving = [b for b, n in enumerate(names) if n != "container"]
            offset, phi, body = f["contact/row_offset"][:], f["contact/phi"][:], f["geometries/body"][:]
            late = np.flatnonzero(f["trajectory/time"][:] > END - WINDOW + 1e-9)
            rows = [phi[offset[r]:offset[r + 1]] for r in late]
            last = slice(offset[-2], offset[-1])
            loaded = f["contact/normal_force"][last] > 0
            pairs = [(names[body[a]], names[body[b]]) for a, b in zip(f["contact/geometry_a"][last][loaded], f["contact/geometry_b"][last][loaded])]
            speed = np.linalg.norm(f["trajectory/velocity"][-1], axis=1)[moving]
            return figures([names[b] for b in moving], speed, pairs, [-p[p < 0].mean() for p in rows], [(p < 0).sum() for p in rows])


def run_drake(per_side, law, true_cubes):
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.geometry import AddContactMaterial, Box, CollisionFilterDeclaration, GeometrySet, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import SpatialInertia, UnitInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    def material(stiffness):
        properties = ProximityProperties()
        AddContactMaterial(DISSIPATION, stiffness, CoulombFriction(1.0, 1.0), properties)
        properties.AddProperty("material", "relaxation_time", RELAXATION)
        return properties

    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlant(MultibodyPlantConfig(time_step=STEP, discrete_contact_approximation=law, contact_model="point",
                                                                stiction_tolerance=STICTION, sap_near_rigid_threshold=0.0), builder)
    body_material, wall_material = material(STIFFNESS), material(1e40)
    walls = [plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(p), Box(*size), f"wall_{i}", wall_material)
             for i, (size, p) in enumerate(container(per_side))]
    cubes, added = [], []
    for name, is_cube, position, quaternion in bodies(per_side):
        mass = clutter.DENSITY * (clutter.SIDE**3 if is_cube else 4 / 3 * math.pi * clutter.RADIUS**3)
        unit = UnitInertia.SolidCube(clutter.SIDE) if is_cube else UnitInertia.SolidSphere(clutter.RADIUS)
        body = plant.AddRigidBody(name, SpatialInertia(mass, np.zeros(3), unit))
        added.append((body, RigidTransform(Quaternion(quaternion), position)))
        shape = Box(clutter.SIDE, clutter.SIDE, clutter.SIDE) if is_cube else Sphere(clutter.RADIUS)
        geometry = plant.RegisterCollisionGeometry(body, RigidTransform(), shape, name, body_material)
        if is_cube and not true_cubes:
            cubes.append(geometry)
            for i, centre in enumerate(beads()):
                plant.RegisterCollisionGeometry(body, RigidTransform(centre), Sphere(clutter.SIDE / 6), f"{name}_{i}", body_material)
    if cubes:
        filters = scene_graph.collision_filter_manager()
        filters.Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(cubes)))
        filters.Apply(CollisionFilterDeclaration().ExcludeBetween(GeometrySet(cubes), GeometrySet(walls)))
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, pose in added:
        plant.SetFreeBodyPose(context, body, pose)
    simulator.Initialize()
    depths, counts, info = [], [], []
    simulator.AdvanceTo(END - WINDOW)
    for i in range(round(WINDOW / 0.05)):
        simulator.AdvanceTo(END - WINDOW + 0.05 * (i + 1))
        contacts = plant.get_contact_results_output_port().Eval(context)
        info = [contacts.point_pair_contact_info(k) for k in range(contacts.num_point_pair_contacts())]
        counts.append(len(info))
        if info:
            depths.append(np.mean([c.point_pair().depth for c in info]))
    pairs = [(plant.get_body(c.bodyA_index()).name(), plant.get_body(c.bodyB_index()).name()) for c in info]
    speed = np.array([np.linalg.norm(plant.EvalBodySpatialVelocityInWorld(context, b).translational()) for b, _ in added])
    return figures([b.name() for b, _ in added], speed, pairs, depths, counts)


def run_mujoco(per_side, true_cubes):
    import mujoco
    text = [f'<mujoco><option timestep="{STEP}" gravity="0 0 -9.81" cone="elliptic" solver="Newton" iterations="200" integrator="implicitfast"/>'
            '<size memory="1G"/><default><geom friction="1 0 0" condim="3"/></default><worldbody>']

    def numbers(values):
        return " ".join(repr(float(v)) for v in values)

    # contype, conaffinity: 1 spheres, 2 walls, 4 whole cubes, which meet spheres only unless true_cubes.
    for size, position in container(per_side):
        text.append(f'<geom type="box" size="{numbers(s / 2 for s in size)}" pos="{numbers(position)}" contype="2" conaffinity="{5 if true_cubes else 1}"/>')
    for name, is_cube, position, quaternion in bodies(per_side):
        mass = clutter.DENSITY * (clutter.SIDE**3 if is_cube else 4 / 3 * math.pi * clutter.RADIUS**3)
        spin = mass * (clutter.SIDE**2 / 6 if is_cube else 0.4 * clutter.RADIUS**2)
        text.append(f'<body name="{name}" pos="{numbers(position)}" quat="{numbers(quaternion)}"><freejoint/>'
                    f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{spin} {spin} {spin}"/>')
        if is_cube:
            text.append(f'<geom type="box" size="{numbers([clutter.SIDE / 2] * 3)}" contype="4" conaffinity="{7 if true_cubes else 1}"/>')
            if not true_cubes:
                text += [f'<geom type="sphere" size="{clutter.SIDE / 6}" pos="{numbers(c)}" contype="1" conaffinity="7"/>' for c in beads()]
        else:
            text.append(f'<geom type="sphere" size="{clutter.RADIUS}" contype="1" conaffinity="7"/>')
        text.append("</body>")
    model = mujoco.MjModel.from_xml_string("\n".join(text) + "</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=round((END - WINDOW) / STEP))
    depths, counts = [], []
    for _ in range(round(WINDOW / 0.05)):
        mujoco.mj_step(model, data, nstep=round(0.05 / STEP))
        touching = data.contact.dist < 0
        counts.append(int(touching.sum()))
        depths.append(float(-data.contact.dist[touching].mean()))
    names = [model.body(i).name for i in range(1, model.nbody)]
    pairs = [tuple(model.body(model.geom_bodyid[g]).name for g in data.contact.geom[i]) for i in np.flatnonzero(data.contact.dist < 0)]
    return figures(names, np.linalg.norm(data.qvel.reshape(-1, 6)[:, :3], axis=1), pairs, depths, counts)


def rows(csim, columns):
    """(who, cubes as, figures)"""
    peers = [("csim, " + law, lambda cubes, law=law: run_csim(csim, columns, law, cubes)) for law in ("lagged", "sap", "similar")]
    try:
        import pydrake.multibody.plant  # noqa: F401
        version = importlib.metadata.version("drake")
        peers += [(f"Drake {version}, {law}", lambda cubes, law=law: run_drake(columns, law, cubes)) for law in ("lagged", "sap", "similar")]
    except ImportError:
        print("Drake is left out: no pydrake", file=sys.stderr)
    try:
        import mujoco
        peers.append((f"MuJoCo {mujoco.__version__}, elliptic cones, Newton", lambda cubes: run_mujoco(columns, cubes)))
    except ImportError:
        print("MuJoCo is left out: no mujoco", file=sys.stderr)
    for true_cubes in (False, True):
        for who, run in peers:
            x = run(true_cubes)
            print(who, "true cubes" if true_cubes else "26 spheres", x, file=sys.stderr)
            yield who, "as they are" if true_cubes else "through 26 spheres", x


def table(found):
    lines = ["| | cubes touch | fastest cube off the spheres (m/s) | fastest cube | cubes above 1 mm/s | fastest sphere | mean depth (m) | touching |",
             "|---|---|---|---|---|---|---|---|"]
    for who, cubes, x in found:
        lines.append(f"| {who} | {cubes} | {x['cubes']:.1e} | {x['all_cubes']:.1e} | {x['fast']} | {x['balls']:.1e} | {x['depth']:.1e} | {x['contacts']:.0f} |")
    return "\n".join(lines)


def section(tables):
    parts = "\n\n".join(f"{count} bodies:\n\n{text}" for count, text in tables)
    return f"""## Rest, compared with other simulators

Written by `scripts/studies/rest.py`. The same bodies at dt = 10 ms after {END:g} s, at csim's own margin; depths and contacts are means over the last
{WINDOW:g} s. "Off the spheres": cubes that touch no pressing sphere. A cube on spheres rocks with them, and nothing resists that motion.

{parts}

Weights over stiffness give depths of a few 1e-7 m. csim includes a contact in the problem before it closes, as soon as it could close
within the step. A simulator that includes overlapping pairs only finds them too deep, pushes them apart and loses them again. MuJoCo's contact is softer by
design. Drake offers one point between two boxes, so that "as they are" is outside the purpose of its point contact (its hydroelastic contact is meant for it).
Cubes with tens of metres a second have been thrown out of the box.

Whether cubes that lie on spheres come to rest with Similar depends on the heap. In some heaps they keep rocking on the gap that its law keeps under
sliding contacts, also at e_r = 1e-8. With Lagged none of eight runs with gravities 1e-7 m/s^2 apart had a cube above 1 mm/s after 6 s.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--csim", type=pathlib.Path, default=ROOT / "build/release/bin/csim")
    parser.add_argument("--columns", type=int, nargs="+", default=[2, 4], help="columns of ten along each side; a table each")
    parser.add_argument("-o", dest="page", type=pathlib.Path, default=ROOT / "docs/evidence/clutter.md")
    options = parser.parse_args()
    text = section([(n * n * clutter.PER_COLUMN, table(rows(options.csim.resolve(), n))) for n in options.columns])
    write_part(options.page, "rest.py", text)
    print(f"wrote {options.page}")


if __name__ == "__main__":
    main()
