"""SimBenchmark's tests (leggedrobotics.github.io/SimBenchmark): rolling, bouncing, 666 balls, elastic 666, by closed forms."""
import math

import numpy as np
from program import HAS_DRAKE, HAS_MUJOCO, run_drake, run_mujoco
from table import Entry

TITLE = "SimBenchmark's tests"
INTRODUCTION = """
After [SimBenchmark](https://leggedrobotics.github.io/SimBenchmark/) of ETH Zürich: its situations with a closed form, with numbers of our own where stated. csim has no coefficient of restitution: a rebound is the
stiffness and dissipation of the material, and Hunt & Crossley's law without gravity leaves e with ln((1 + d v)/(1 - d e v)) = d v (1 + e). MuJoCo's contact is its own model with no such parameter;
where it can be given the same undamped spring, it is.
"""
G = 9.81
TABLES = [
    {"name": "rolling", "title": "Rolling", "keys": ("case", "who", "setting"), "labels": ("case", "program", "step"),
     "expected": "A plate of 10 kg on 25 balls of 1 kg is drawn by 50 N for 0.5 s. μ = 0.8, all roll: acceleration F/(M + 7/20 N m). μ = 0.2, the plate slides over the balls: (F - μ M g)/M, "
                 "the balls at μ M g/(7/10 N m). A ball with 2 m/s and μ = 0.2 slides, then rolls at 5/7 of it. Expected: speeds within 1 % at 1 ms."},
    {"name": "bouncing", "title": "Bouncing", "keys": ("case", "who", "setting"), "labels": ("e without gravity", "program", "step"),
     "expected": "25 balls of 1 kg (k = 1e5 N/m: a contact of 9.9 ms) fall 1 m; d as e asks. Right: own integration of the law with gravity. Expected: within 1 % under `continuous`; "
                 "`discrete`, as Drake, loses speed to the implicit step until it is far below the contact's duration, and misses 1 % at 0.1 ms too."},
    {"name": "666", "title": "666: a lattice of 6 × 6 × 6 balls falls", "keys": ("case", "who", "setting"), "labels": ("case", "program", "step"),
     "expected": "216 balls of 1 kg, 0.1 m radius, 10 mm apart, fall together on a plane, 1 s. Damped, or elastic (k = 1e5 N/m, no dissipation, no friction). Momentum: that of the balls and their weight over time "
                 "against the impulses of the plane as recorded. Accounts: csim's energy less what it books as dissipated and lost by the scheme. Expected: columns stay straight, momentum to "
                 "the solver's tolerance, 1e-5, accounts to 1e-6; elastic: only `continuous` keeps the energy, to 0.1 %."},
]


def ball(name, xyz, radius=0.1, mass=1.0, velocity=None):
    body = {"name": name, "mass": mass, "inertia": [0.4 * mass * radius**2] * 3, "pose": {"xyz": [float(x) for x in xyz]}, "geometry": [{"shape": "sphere", "radius": radius, "material": "m"}]}
    return body if velocity is None else {**body, "velocity": velocity}


def scene_of(bodies, end, period, friction=0.5, stiffness=1e6, dissipation=50.0, **more):
    ground = {"name": "ground", "fixed": True, "geometry": [{"shape": "half_space", "material": "m"}]}
    return {"csim": 1, "name": "simbenchmark", "gravity": [0, 0, -G], "time": {"step": 1e-3, "end": end}, "output": {"period": period},
            "materials": {"m": {"friction": friction, "stiffness": 2 * stiffness, "hunt_crossley_dissipation": dissipation, "relaxation_time": 0.0}}, "contact": {"model": "coulomb"},
            "bodies": [ground, *bodies], **more}


def runs(csim, scene, laws=("lagged", "coulomb"), steps=(1e-3,), drake=True, mujoco=True, continuous=False, spring=None):
    """(who, setting, motion) of every program."""
    for step in steps:
        for law in laws:
            yield f"csim, {law}", f"{1e3 * step:g} ms", csim.run(scene, {"contact.model": law, "time.step": step})
    if continuous:
        yield "csim, continuous", "accuracy 1e-5", csim.run(scene, {"integrator.type": "continuous", "integrator.accuracy": 1e-5})
    for step in steps:
        if drake and HAS_DRAKE:
            yield "Drake, Lagged", f"{1e3 * step:g} ms", run_drake(scene, step)
        if mujoco and HAS_MUJOCO:
            yield "MuJoCo", f"{1e3 * step:g} ms", run_mujoco(scene, step, spring=spring)


def failed(table, case, who, setting, quantity, motion):
    return Entry(table, case, who, setting, quantity, motion.failure, 0.0, 0.0)


def rolling(csim):
    plate_mass, count, force, end, half = 10.0, 25, 50.0, 0.5, 0.02
    balls = [ball(f"ball{i}{j}", [0.4 * i, 0.4 * j, 0.1]) for i in range(-2, 3) for j in range(-2, 3)]
    plate = {"name": "plate", "mass": plate_mass, "inertia": [4.0, 14.0, 18.0], "pose": {"xyz": [0, 0, 0.2 + half]},
             "geometry": [{"shape": "box", "size": [4.0, 2.4, 2 * half], "material": "m"}]}
    for case, friction in (("plate on balls, all roll", 0.8), ("plate on balls, slides", 0.2)):
        scene = scene_of([*balls, plate], end, 0.1, friction, forces=[{"name": "pull", "body": "plate", "force": [force, 0, 0]}])
        if friction == 0.8:
            plate_speed = force / (plate_mass + 0.35 * count) * end
            ball_speed = plate_speed / 2
        else:
            plate_speed = (force - friction * plate_mass * G) / plate_mass * end
            ball_speed = friction * plate_mass * G / (0.7 * count) * end
        for who, setting, motion in runs(csim, scene, drake=False):  # Drake's plant of peers.py has no forces
            if motion.failure:
                yield failed("rolling", case, who, setting, "plate or ball, m/s", motion)
                continue
            yield Entry("rolling", case, who, setting, "plate or ball, m/s", motion.velocity["plate"][-1, 0], plate_speed, 0.01)
            yield Entry("rolling", case, who, setting, "right", plate_speed)
            yield Entry("rolling", case, who, setting, "balls on the mean, m/s", float(np.mean([motion.velocity[b["name"]][-1, 0] for b in balls])), ball_speed, 0.01)
            yield Entry("rolling", case, who, setting, "right ", ball_speed)
            yield Entry("rolling", case, who, setting, "µs a step", motion.microseconds_per_step)
    scene = scene_of([ball("ball", [0, 0, 0.1 - G / 1e6], velocity={"linear": [2.0, 0, 0]})], 1.0, 0.1, friction=0.2)
    for who, setting, motion in runs(csim, scene):
        yield Entry("rolling", "ball, from sliding", who, setting, "plate or ball, m/s", motion.velocity["ball"][-1, 0], 10 / 7, 0.01)
        yield Entry("rolling", "ball, from sliding", who, setting, "right", 10 / 7)
        yield Entry("rolling", "ball, from sliding", who, setting, "µs a step", motion.microseconds_per_step)


def dissipation_of(e, speed):
    """d (s/m) of Hunt & Crossley's law that leaves the part e of the speed: by bisection of x = d v in ln((1 + x)/(1 - e x)) = x (1 + e)."""
    if e >= 1.0:
        return 0.0
    low, high = 1e-9, (1 - 1e-12) / e
    for _ in range(200):
        x = 0.5 * (low + high)
        low, high = (x, high) if math.log((1 + x) / (1 - e * x)) < x * (1 + e) else (low, x)
    return x / speed


def rebound(k, d, v):
    """Part of the speed v that a unit mass has left after Hunt & Crossley's contact under gravity: RK4 with 1 us, to 1e-9."""
    h, x, u = 1e-6, 0.0, v  # overlap and its rate

    def rates(x, u):
        return u, G - max(k * x * (1 + d * u), 0.0)

    while x >= 0:
        k1 = rates(x, u)
        k2 = rates(x + 0.5 * h * k1[0], u + 0.5 * h * k1[1])
        k3 = rates(x + 0.5 * h * k2[0], u + 0.5 * h * k2[1])
        k4 = rates(x + h * k3[0], u + h * k3[1])
        x, u = x + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]), u + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return math.sqrt(u * u - 2 * G * x) / v  # x: beyond the surface, by less than a step


def bouncing(csim):
    stiffness, speed = 1e5, math.sqrt(2 * G)
    for e in (1.0, 0.8, 0.5):
        dissipation = dissipation_of(e, speed)
        right = rebound(stiffness, dissipation, speed)
        scene = scene_of([ball(f"ball{i}{j}", [i, j, 1.1]) for i in range(5) for j in range(5)], 0.55, 0.01, 0.4, stiffness, dissipation)
        for who, setting, motion in runs(csim, scene, ("coulomb",), (1e-3, 1e-4), continuous=True, spring=stiffness, mujoco=e == 1.0):
            if motion.failure:
                yield failed("bouncing", f"{e:g}", who, setting, "e found", motion)
                continue
            names = [name for name in motion.position if name != "ground"]
            # The speed with which a ball left the plane, from its energy at the end.
            left = [math.sqrt(max(motion.velocity[name][-1, 2]**2 + 2 * G * (motion.position[name][-1, 2] - 0.1), 0)) for name in names]
            yield Entry("bouncing", f"{e:g}", who, setting, "e found", float(np.mean(left)) / speed, right, 0.01)
            yield Entry("bouncing", f"{e:g}", who, setting, "right", right)
            yield Entry("bouncing", f"{e:g}", who, setting, "µs a step", motion.microseconds_per_step)


def lattice(csim):
    bodies = [ball(f"ball{i}{j}{k}", [0.21 * i, 0.21 * j, 0.11 + 0.21 * k]) for i in range(6) for j in range(6) for k in range(6)]
    names = [body["name"] for body in bodies]
    for case, dissipation, friction, stiffness in (("damped", 50.0, 0.5, 1e6), ("elastic", 0.0, 0.0, 1e5)):
        scene = scene_of(bodies, 1.0, 0.01, friction, stiffness, dissipation)
        for who, setting, motion in runs(csim, scene, ("coulomb",), (1e-3,), continuous=case == "elastic", spring=stiffness if case == "elastic" else None):
            if motion.failure:
                yield failed("666", case, who, setting, "energy, J", motion)
                continue
            kinetic = sum(0.5 * ((motion.velocity[n][-1]**2).sum() + 0.004 * (motion.angular_velocity[n][-1]**2).sum()) for n in names)
            start = sum(G * motion.position[n][0, 2] for n in names)
            mechanical = kinetic + sum(G * motion.position[n][-1, 2] for n in names)
            sideways = max(np.abs(motion.position[n][-1, :2] - motion.position[n][0, :2]).max() for n in names)
            yield Entry("666", case, who, setting, "energy at the start, J", start)
            total = motion.energy["total"][-1] if motion.energy else mechanical
            yield Entry("666", case, who, setting, "lost, % of the start", 100 * (1 - total / start), *((0.0, 0.1, True) if case == "elastic" and who == "csim, continuous" else ()))
            if who == "csim, coulomb":
                yield Entry("666", case, who, setting, "accounts off, part of the turnover", float(np.abs(motion.energy["balance_error"]).max() / motion.energy["turned_over"][-1]), 0.0, 1e-6, True)
                gained = sum(motion.velocity[n][-1, 2] for n in names) + len(names) * G * scene["time"]["end"]
                yield Entry("666", case, who, setting, "momentum off, relative", abs(motion.ground_impulse[2] / gained - 1), 0.0, 1e-5, True)
            yield Entry("666", case, who, setting, "balls off their column, mm", 1e3 * sideways)
            yield Entry("666", case, who, setting, "µs a step", motion.microseconds_per_step)


def run(csim):
    return [*rolling(csim), *bouncing(csim), *lattice(csim)]
