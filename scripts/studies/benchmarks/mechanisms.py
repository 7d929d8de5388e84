"""Mechanisms of the IFToMM library of multibody benchmarks (iftomm-multibody.org), A01 to A05, beside references."""
import math

import numpy as np
from program import HAS_MUJOCO, run_mujoco
from reference import Mechanism
from table import Entry

TITLE = "Mechanisms (IFToMM library)"
INTRODUCTION = """
A01 to A05 of the [IFToMM library of multibody benchmarks](https://www.iftomm-multibody.org/benchmark). `discrete` is csim's step of constant length (semi-implicit Euler, first
order), `continuous` its integrator of variable step at accuracy 1e-6. Loops are closed by `ball` constraints, which are near-rigid under `discrete` and
exact at the level of accelerations under `continuous`. Hinges of the tree are exact in both. MuJoCo
closes loops by soft `connect` constraints with a time constant of two steps. Drake is left out: `peers.py` builds no loops there.

Errors: largest over the run, of the position of the named point; drift: largest change of the total energy less work and dissipation by dampers. Where the library has no numbers of enough digits the reference
is this project's own, made in another way than csim's (`reference.py`, `mechanisms.py`): said with each.
"""
TABLES = [
    {"name": name, "title": title, "keys": ("who", "setting"), "labels": ("program", "step"), "expected": expected} for name, title, expected in (
        ("A01", "A01, simple pendulum", "1 kg at 1 m, released level, 10 s. Reference: elliptic functions. Expected: an error in proportion to the step under `discrete` (aim 10 mm at 0.1 ms), "
         "below 1 mm under `continuous` (aim)."),
        ("A02", "A02, four-bar windows in a row, N = 40", "81 rods of 1 m and 1 kg, started upright with 1 m/s, 10 s; all rods lie in one line four times, where the mechanism could leave its mode. Reference: "
         "own, the one equation of motion of the undisturbed mode, to 1e-11. Expected: the mode is kept, an error of some centimetres at 1 ms (aim 100 mm)."),
        ("A03", "A03, Andrews' squeezing mechanism", "Seven bodies, a motor of 0.033 N m, 0.03 s, in which the crank comes to 1000 rad/s: steps of 1 ms turn it by half a radian, so smaller ones are needed. Reference: "
         "the seven angles at 0.03 s as published (Hairer & Wanner; Test Set for IVP Solvers), and own for the way there. Expected: useless at 1 ms, an error in proportion to the step below (aim 0.1 mm at 0.01 ms)."),
        ("A04", "A04, Bricard's mechanism", "Five rods on six hinges along the edges of a cube, one degree of freedom with redundant constraints, 10 s. Reference: own, integration along the "
         "closed loop to 1e-10. Expected: keeps its one degree of freedom; centimetres at 1 ms (aim 10 mm at 0.1 ms)."),
        ("A05", "A05, flyball governor", "Two rods with balls, a sleeve on two stiff damped springs (8e5 N/m, 4e4 N s/m), 10 s from 30° at 2π rad/s; dimensions as in `mechanisms.py`. Reference: own, "
         "three equations of motion, Radau to 1e-10. Expected: the stiff springs cost no smaller step; millimetres at 1 ms (aim 1 mm at 0.1 ms)."),
    )]
CONTINUOUS = {"integrator.type": "continuous", "integrator.accuracy": 1e-6}


def rod(name, com, inertia, mass=1.0):
    return {"name": name, "mass": mass, "com": com, "inertia": inertia}


def make_pendulum():
    scene = {"gravity": [0, 0, -9.81], "bodies": [rod("rod", [0, 0, -1], [1e-6] * 3)],
             "joints": [{"name": "hinge", "type": "revolute", "parent": "world", "child": "rod", "axis": [0, 1, 0], "position": -math.pi / 2}]}

    def reference(times):
        from scipy.special import ellipj
        k2 = 0.5
        _, cn, dn, _ = ellipj(math.sqrt(9.81 / (1 + 1e-6)) * times, k2)
        angle = -2 * np.arcsin(math.sqrt(k2) * cn / dn)
        return np.stack([-np.sin(angle), 0 * angle, -np.cos(angle)], axis=1)

    return scene, ("rod", [0, 0, -1]), reference


def make_windows(count=40):
    thin = [1 / 12, 1 / 12, 1e-4]
    bodies = [rod(f"post{i}", [0, 0, 0.5], thin) for i in range(count + 1)] + [rod(f"bar{i}", [0.5, 0, 0], thin[::-1]) for i in range(count)]
    joints = [{"name": f"foot{i}", "type": "revolute", "parent": "world", "child": f"post{i}", "axis": [0, 1, 0], "pose": {"xyz": [i, 0, 0]}, "velocity": 1.0} for i in range(count + 1)]
    joints += [{"name": f"head{i}", "type": "revolute", "parent": f"post{i}", "child": f"bar{i}", "axis": [0, 1, 0], "pose": {"xyz": [0, 0, 1]}, "velocity": -1.0} for i in range(count)]
    constraints = [{"name": f"loop{i}", "type": "ball", "a": f"bar{i}", "b": f"post{i + 1}", "point_a": [1, 0, 0], "point_b": [0, 0, 1]} for i in range(count)]
    scene = {"gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "constraints": constraints}

    def reference(times):
        from scipy.integrate import solve_ivp
        factor = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
        angle = solve_ivp(lambda _, y: [y[1], factor * math.sin(y[0])], (0, times[-1]), [0, 1], method="DOP853", t_eval=times, rtol=1e-11, atol=1e-11).y[0]
        return np.stack([np.sin(angle), 0 * angle, np.cos(angle)], axis=1)

    return scene, ("post0", [0, 0, 1]), reference


# Andrews' mechanism, in the names of Hairer & Wanner, Solving Ordinary Differential Equations II, VII.7; m, kg, kg m^2.
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
START = (-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885, 1.23054744454982120)
PUBLISHED = (15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948, 1.048080741042263)  # at 0.03 s


def make_squeezer():
    position, m, inertia = dict(zip(ANGLES, START)), MASSES, INERTIAS
    body = lambda i, com: rod(f"K{i}", [*com, 0], [inertia[i - 1]] * 3, m[i - 1])
    bodies = [body(1, (92e-5, 0)), body(2, (-115e-4, 0)), body(3, (1043e-5, -1874e-5)), body(5, (916e-5, -2308e-5)), body(4, (0, -(2e-2 - 1421e-5))), body(7, (-449e-5, -1228e-5)),
              body(6, (2e-2 - 1421e-5, 0))]
    tree = [("beta", "world", "K1", (0, 0)), ("theta", "K1", "K2", (7e-3, 0)), ("gamma", "world", "K3", (-0.03635, 0.03273)), ("delta", "world", "K5", (-0.06934, -0.00227)),
            ("phi", "K5", "K4", (4e-2, 0)), ("epsilon", "world", "K7", (-0.06934, -0.00227)), ("omega", "K7", "K6", (0, -4e-2))]
    joints = [{"name": name, "type": "revolute", "parent": parent, "child": child, "axis": [0, 0, 1], "pose": {"xyz": [*at, 0]}, "position": position[name]} for name, parent, child, at in tree]
    ends = {"K3": [0, -35e-3, 0], "K4": [0, -2e-2, 0], "K6": [2e-2, 0, 0]}
    constraints = [{"name": f"loop_{name}", "type": "ball", "a": "K2", "b": name, "point_a": [-28e-3, 0, 0], "point_b": end} for name, end in ends.items()]
    constraints.append({"name": "spring", "type": "distance", "a": "world", "b": "K3", "point_a": [0.014, 0.072, 0], "point_b": [2e-2, -18e-3, 0], "length": 0.07785, "stiffness": 4530.0})
    scene = {"gravity": [0, 0, 0], "bodies": bodies, "joints": joints, "constraints": constraints, "actuators": [{"name": "motor", "joint": "beta", "type": "effort", "command": 0.033}]}
    point = ("K2", [-28e-3, 0, 0])

    def reference(times):
        mechanism = Mechanism(scene)
        joint_names = [joint["name"] for joint in joints]
        q = mechanism.motion(times)
        end = dict(zip(joint_names, q[-1]))
        difference = max(abs(end[name] - value) for name, value in zip(ANGLES, PUBLISHED))
        if difference > 1e-6:
            raise RuntimeError(f"the reference misses the published angles by {difference:.1e} rad")
        return np.array([mechanism.point(row, *point) for row in q])

    return scene, point, reference


def make_bricard():
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    axes = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
    bodies, joints = [], []
    for i in range(5):
        along = corners[i + 1] - corners[i]
        bodies.append(rod(f"rod{i}", (along / 2).tolist(), np.where(along == 0, 1 / 12, 1e-4).tolist()))
        joints.append({"name": f"hinge{i}", "type": "revolute", "parent": f"rod{i - 1}" if i else "world", "child": f"rod{i}", "axis": axes[i].tolist(),
                       "pose": {"xyz": (corners[i] - (corners[i - 1] if i else 0)).tolist()}})
    # The sixth hinge: two points of its axis.
    end = corners[5] - corners[4]
    constraints = [{"name": f"hinge5_{side}", "type": "ball", "a": "rod4", "b": "world", "point_a": (end + 0.2 * s * axes[5]).tolist(), "point_b": (corners[5] + 0.2 * s * axes[5]).tolist()}
                   for side, s in (("left", -1), ("right", 1))]
    scene = {"gravity": [0, -9.81, 0], "bodies": bodies, "joints": joints, "constraints": constraints}
    point = ("rod2", [0, 0, 1])

    def reference(times):
        mechanism = Mechanism(scene)
        return np.array([mechanism.point(row, *point) for row in mechanism.motion(times)])

    return scene, point, reference


def make_governor():
    rod_mass, ball, sleeve, shaft, axial, k, c = 3.0, 5.0, 3.0, 0.1, 1e-3, 8e5, 4e4
    mass, com = rod_mass + ball, (0.5 * rod_mass + ball) / (rod_mass + ball)
    across = rod_mass / 12 + rod_mass * (com - 0.5)**2 + ball * (1 - com)**2
    alpha, spin, length = math.radians(30), 2 * math.pi, 0.5
    z0 = 1 - 0.5 * math.cos(alpha) - math.sqrt(length**2 - (0.5 * math.sin(alpha))**2)
    scene = {"gravity": [0, 0, -9.81],
             "bodies": [{"name": "shaft", "mass": 1.0, "inertia": [shaft] * 3}, *(rod(f"arm{i}", [0, 0, -com], [across, across, axial], mass) for i in (0, 1)), rod("sleeve", [0, 0, 0], [1e-3] * 3, sleeve)],
             "joints": [{"name": "spin", "type": "revolute", "parent": "world", "child": "shaft", "axis": [0, 0, 1], "velocity": spin},
                        {"name": "arm0", "type": "revolute", "parent": "shaft", "child": "arm0", "axis": [0, -1, 0], "pose": {"xyz": [0, 0, 1]}, "position": alpha},
                        {"name": "arm1", "type": "revolute", "parent": "shaft", "child": "arm1", "axis": [0, 1, 0], "pose": {"xyz": [0, 0, 1]}, "position": alpha},
                        {"name": "slide", "type": "prismatic", "parent": "shaft", "child": "sleeve", "axis": [0, 0, 1], "position": z0}],
             "constraints": [{"name": f"rod{i}", "type": "distance", "a": f"arm{i}", "b": "sleeve", "point_a": [0, 0, -0.5], "point_b": [0, 0, 0], "length": length, "stiffness": k,
                              "relaxation_time": c / k} for i in (0, 1)]}

    def reference(times):
        from scipy.integrate import solve_ivp
        J = across + mass * com**2  # of an arm about its hinge

        def rate(_, y):
            a, z, phi_rate, a_rate, z_rate = y
            sin, cos = math.sin(a), math.cos(a)
            x, down = 0.5 * sin, 1 - 0.5 * cos - z
            distance = math.hypot(x, down)
            by_a, by_z = (x * 0.5 * cos + down * 0.5 * sin) / distance, -down / distance
            force = k * (distance - length) + c * (by_a * a_rate + by_z * z_rate)  # of one spring, pulling
            about_z = shaft + sleeve_about_z + 2 * (J * sin**2 + axial * cos**2)
            changes = 4 * (J - axial) * sin * cos
            return [a_rate, z_rate, -changes * a_rate * phi_rate / about_z, (changes / 2 * phi_rate**2 - 2 * mass * 9.81 * com * sin - 2 * force * by_a) / (2 * J), -9.81 - 2 * force * by_z / sleeve]

        sleeve_about_z = 1e-3
        z = solve_ivp(rate, (0, times[-1]), [alpha, z0, spin, 0, 0], method="Radau", t_eval=times, rtol=1e-10, atol=1e-10).y[1]
        return np.stack([0 * z, 0 * z, z], axis=1)

    return scene, ("sleeve", [0, 0, 0]), reference


# name: (maker, end, s; period of rows, s; steps of discrete, s; steps under continuous, s; aim at the last step of discrete, m)
CASES = {"A01": (make_pendulum, 10.0, 0.1, (2e-3, 1e-3, 1e-4), (1e-3,), 0.01), "A02": (make_windows, 10.0, 0.1, (2e-3, 1e-3), (1e-3,), 0.1),
         "A03": (make_squeezer, 0.03, 1e-3, (1e-3, 1e-4, 1e-5), (1e-4,), 1e-4), "A04": (make_bricard, 10.0, 0.1, (2e-3, 1e-3, 1e-4), (1e-3,), 0.01),
         "A05": (make_governor, 10.0, 0.1, (2e-3, 1e-3, 1e-4), (1e-3,), 0.001)}


def rotate(quaternion, point):
    """Points [F, 3] turned by quaternions [F, 4]."""
    w, u = quaternion[:, :1], quaternion[:, 1:]
    p = np.broadcast_to(np.array(point, dtype=float), u.shape)
    return p + 2 * np.cross(u, np.cross(u, p) + w * p)


def path(motion, point):
    name, local = point
    return motion.position[name] + rotate(motion.quaternion[name], local)


def energy_of(scene, motion):
    """Kinetic energy and that of gravity and springs [F], from the motion: the same for every program."""
    total = np.zeros(len(motion.time))
    places = {"world": lambda local: np.broadcast_to(np.array(local, dtype=float), (len(total), 3))}
    for body in scene["bodies"]:
        name, com = body["name"], body.get("com", [0, 0, 0])
        places[name] = lambda local, name=name: motion.position[name] + rotate(motion.quaternion[name], local)
        arm = rotate(motion.quaternion[name], com)
        velocity, spin = motion.velocity[name] + np.cross(motion.angular_velocity[name], arm), motion.angular_velocity[name]
        inverse = motion.quaternion[name] * [1, -1, -1, -1]
        w, u = inverse[:, :1], inverse[:, 1:]
        local_spin = spin + 2 * np.cross(u, np.cross(u, spin) + w * spin)
        total += 0.5 * body["mass"] * (velocity**2).sum(1) + 0.5 * (local_spin**2) @ np.array(body["inertia"]) - body["mass"] * (motion.position[name] + arm) @ np.array(scene["gravity"])
    for c in scene.get("constraints", []):
        if c["type"] == "distance":
            length = np.linalg.norm(places[c["a"]](c["point_a"]) - places[c["b"]](c["point_b"]), axis=1)
            total += 0.5 * c["stiffness"] * (length - c["length"])**2
    return total


def entries(name, who, setting, motion, scene, point, right, aim=None):
    make = lambda quantity, value, **more: Entry(name, name, who, setting, quantity, value, **more)
    if motion.failure:
        return [make("error, mm", motion.failure, **({} if aim is None else {"reference": 0.0, "aim": 1e3 * aim, "absolute": True}))]
    error = 1e3 * np.linalg.norm(path(motion, point) - right, axis=1).max()
    energy = energy_of(scene, motion)
    rows = [make("error, mm", error, **({} if aim is None else {"reference": 0.0, "aim": 1e3 * aim, "absolute": True}))]
    if name not in ("A03", "A05"):  # a motor, dampers
        rows.append(make("energy drift, J", np.abs(energy - energy[0]).max()))
    if name == "A03":
        angle = 2 * np.arctan2(motion.quaternion["K1"][-1, 3], motion.quaternion["K1"][-1, 0]) - PUBLISHED[0]
        rows.append(make("crank at 0.03 s, rad off", abs((angle + math.pi) % (2 * math.pi) - math.pi)))
    return [*rows, make("seconds", motion.seconds), make("µs a step", motion.microseconds_per_step)]


def run(csim):
    import scipy.integrate  # noqa: F401  an ImportError leaves the group out
    found = []
    for name, (make, end, period, steps, continuous, aim) in CASES.items():
        scene, point, reference = make()
        scene = {"csim": 1, "name": name, "time": {"step": 1e-3, "end": end}, "output": {"period": period}, **scene}
        times = np.arange(round(end / period) + 1) * period
        right = reference(times)
        for step in steps:
            motion = csim.run(scene, {"time.step": step})
            found += entries(name, "csim, discrete", f"{1e3 * step:g} ms", motion, scene, point, right, aim if step == steps[-1] else None)
        for step in continuous:
            motion = csim.run(scene, {"time.step": step, **CONTINUOUS})
            found += entries(name, "csim, continuous", f"time.step {1e3 * step:g} ms", motion, scene, point, right, 1e-3 if name == "A01" else None)
        if HAS_MUJOCO:
            for integrator in ("implicitfast", "RK4", *(("implicit",) if name == "A05" else ())):
                for step in steps:
                    motion = run_mujoco(scene, step, f'integrator="{integrator}"')
                    found += entries(name, f"MuJoCo, {integrator}", f"{1e3 * step:g} ms", motion, scene, point, right)
    return found
