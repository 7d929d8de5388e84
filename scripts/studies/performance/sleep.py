#!/usr/bin/env python3
"""What a step costs when most bodies rest: towers of four boxes that stand, and twenty balls in the air, awake and asleep, beside MuJoCo.

    scripts/studies/performance/sleep.py [--bodies 400 2000 10000] [--csim build/release/bin/csim]

ms a step, the mean of the second half of each run at steps of 1 ms, records included in csim's; MuJoCo (where its package is) is the stepping call alone, with the
same sizes, elliptic cones and its own contacts. Thresholds are loose, so that the towers fall asleep soon. One thread; load of the machine and versions come first.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[3]
BALLS, STEP, SPEED, PERIOD = 20, 1e-3, 1e-2, 2e-3    # number; s; m/s and s after which towers sleep


def places(bodies):
    """Centres of the boxes of towers on a square grid, then of the balls beside it."""
    towers = (bodies - BALLS) // 4
    width = math.ceil(math.sqrt(towers))
    boxes = [(0.12 * (t % width), 0.12 * (t // width), 0.05 + 0.1 * k) for t in range(towers) for k in range(4)]
    return boxes, [(0.15 * (i % 10) - 2, 0.15 * (i // 10) - 2, 1 + 0.5 * (i % 7)) for i in range(BALLS)]


def scene(bodies, sleeps):
    def body(name, p, **shape):
        return {"name": name, "mass": 1, "inertia": "solid", "pose": {"xyz": p}, "geometry": [shape | {"material": "m"}]}

    boxes, balls = places(bodies)
    return {"csim": 1, "name": "towers", "time": {"step": STEP, "end": 0.6 if sleeps else 0.1}, "output": {"period": 0.1},
            "integrator": {"type": "discrete"} | ({"sleep_speed": SPEED, "sleep_time": PERIOD} if sleeps else {}),
            "materials": {"m": {"stiffness": 1e5, "friction": 0.5, "hunt_crossley_dissipation": 20}},
            "bodies": [{"name": "floor", "fixed": True, "geometry": [{"shape": "half_space", "material": "m"}]},
                       *(body(f"b{i}", (*p[:2], p[2] - 1e-6), shape="box", size=[0.1] * 3) for i, p in enumerate(boxes)),
                       *(body(f"f{i}", p, shape="sphere", radius=0.05) for i, p in enumerate(balls))]}


def time_csim(program, bodies, sleeps):
    with tempfile.TemporaryDirectory() as folder:
        file, result = pathlib.Path(folder, "towers.yaml"), pathlib.Path(folder, "towers.h5")
        file.write_text(json.dumps(scene(bodies, sleeps)))
        subprocess.run([program, "run", file, "-o", result, "-q"], check=True)
        with h5py.File(result) as data:
            steps = data["stats/step"]
            half = len(steps["time"]) // 2
            return 1e3 * steps["seconds_total"][half:].mean(), int(steps["num_asleep"][-1]) if sleeps else 0


def time_mujoco(bodies, sleeps):
    import mujoco

    boxes, balls = places(bodies)
    text = f'<mujoco><option timestep="{STEP}" cone="elliptic" {f"""sleep_tolerance="{SPEED}" """ if sleeps else ""}>'
    text += ('<flag sleep="enable"/>' if sleeps else "") + '</option><size memory="2G"/><worldbody><geom type="plane" size="0 0 1"/>'
    for points, geom in ((boxes, 'type="box" size=".05 .05 .05"'), (balls, 'type="sphere" size=".05"')):
        for x, y, z in points:
            text += f'<body pos="{x} {y} {z}"><freejoint/><geom {geom} mass="1"/></body>'
    model = mujoco.MjModel.from_xml_string(text + "</worldbody></mujoco>")
    data = mujoco.MjData(model)
    first, timed = (300, 300) if sleeps else (50, 50)
    for _ in range(first):
        mujoco.mj_step(model, data)
    begin = time.perf_counter()
    for _ in range(timed):
        mujoco.mj_step(model, data)
    return 1e3 * (time.perf_counter() - begin) / timed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bodies", type=int, nargs="+", default=[400, 2000, 10000])
    parser.add_argument("--csim", default=str(ROOT / "build/release/bin/csim"))
    options = parser.parse_args()
    try:
        import mujoco
        peer = f"MuJoCo {mujoco.__version__}"
    except ImportError:
        peer = ""
    print(f"load {os.getloadavg()[0]:.1f}; {peer or 'no MuJoCo'}\n")
    print("| bodies | csim awake | asleep | of them asleep | MuJoCo awake | asleep |\n|--:|--:|--:|--:|--:|--:|")
    for bodies in options.bodies:
        awake, asleep = time_csim(options.csim, bodies, False)[0], time_csim(options.csim, bodies, True)
        theirs = [f"{time_mujoco(bodies, sleeps):.3g}" for sleeps in (False, True)] if peer else ["", ""]
        print(f"| {bodies} | {awake:.3g} | {asleep[0]:.3g} | {asleep[1]} | {theirs[0]} | {theirs[1]} |", flush=True)


if __name__ == "__main__":
    main()
