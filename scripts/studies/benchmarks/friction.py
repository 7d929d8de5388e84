"""Sliding to rest: the stopping distance v^2/(2 mu g) over friction, speed and shape."""
from program import HAS_DRAKE, HAS_MUJOCO, run_drake, run_mujoco
from table import Entry

TITLE = "Friction: stopping distances"
INTRODUCTION = """
A body of 1 kg slides on a plane until friction has stopped it. Right is v²/(2 μ g). The body starts pressed in by its weight; the stiffness is 1e6 N/m a point. The centre
of mass lies low enough that no body tips. Shapes: a flat box (4 points), a flat upright cylinder (4 points) and a plate on three spheres (3 points), the peers' with the same
plate on four spheres instead of the box, since Drake's and MuJoCo's boxes and cylinders touch in points of their own choice.
"""
G = 9.81
FRICTIONS, SPEEDS, STEP = (0.05, 0.1, 0.2, 0.5, 1.0), (1.0, 2.0, 5.0), 1e-3
LAWS = ("lagged", "coulomb", "similar", "sap")
STIFFNESS = 1e6
AIM = 0.01
FEET = {"three spheres": [(0.15, 0.0), (-0.075, 0.13), (-0.075, -0.13)], "four spheres": [(0.15, 0.1), (0.15, -0.1), (-0.15, 0.1), (-0.15, -0.1)]}

TABLES = [
    {"name": "grid", "title": "Largest error of each shape and law, 1 ms", "keys": ("case", "who"), "labels": ("shape", "law"),
     "expected": "15 runs a row: μ of 0.05, 0.1, 0.2, 0.5, 1 and 1, 2, 5 m/s. Expected: each error below 1 %. A step of h lets the body stop h v/2 early, a part μ g h/v of the way: 0.98 % at μ = 1 and 1 m/s, the worst of the grid."},
    {"name": "worst", "title": "Beside Drake and MuJoCo, 1 ms", "keys": ("case", "who"), "labels": ("μ, speed", "program"),
     "expected": "Expected: the error μ g h/v from every program, half of it or less from MuJoCo, whose friction is softened by its `solref` and stops the body later."},
]


def body_of(shape):
    """(geometries, height of the centre, number of points that carry)."""
    if shape == "box":
        return [{"shape": "box", "size": [0.4, 0.3, 0.04], "material": "m"}], 0.02, 4
    if shape == "cylinder":
        return [{"shape": "cylinder", "radius": 0.2, "length": 0.04, "material": "m"}], 0.02, 4
    feet = FEET[shape]
    return [{"shape": "sphere", "radius": 0.01, "pose": {"xyz": [x, y, -0.01]}, "material": "m"} for x, y in feet], 0.02, len(feet)


def make_scene(shape, mu, speed):
    """The scene, which goes on for 0.5 s after the body should have stopped."""
    geometry, height, points = body_of(shape)
    return {
        "csim": 1, "name": "stop", "gravity": [0, 0, -G], "time": {"step": STEP, "end": round(speed / (mu * G) + 0.5, 1)}, "output": {"period": 0.1},
        "materials": {"m": {"friction": mu, "stiffness": 2 * STIFFNESS, "hunt_crossley_dissipation": 50, "relaxation_time": 0.0}},
        "contact": {"model": "lagged"},
        "bodies": [{"name": "ground", "fixed": True, "geometry": [{"shape": "half_space", "material": "m"}]},
                   {"name": "body", "mass": 1.0, "inertia": [0.01, 0.015, 0.02], "pose": {"xyz": [0, 0, height - G / (points * STIFFNESS)]}, "velocity": {"linear": [speed, 0, 0]},
                    "geometry": geometry}]}


def way(motion):
    return motion.position["body"][-1, 0]


def grid(csim):
    for shape in ("box", "cylinder", "three spheres"):
        for law in LAWS:
            worst, place, failure = -1.0, "", ""
            for mu in FRICTIONS:
                for speed in SPEEDS:
                    motion = csim.run(make_scene(shape, mu, speed), {"contact.model": law})
                    right = speed**2 / (2 * mu * G)
                    failure = failure or motion.failure
                    error = 0.0 if motion.failure else 100 * abs(way(motion) - right) / right
                    if error > worst:
                        worst, place = error, f"{mu:g}, {speed:g} m/s"
            yield Entry("grid", shape, law, f"{STEP:g}", "largest error, %", failure or worst, 0.0, 100 * AIM, absolute=True)
            yield Entry("grid", shape, law, f"{STEP:g}", "at μ, speed", place)


def beside(csim):
    for mu, speed in ((0.05, 5.0), (0.2, 2.0), (0.5, 1.0), (1.0, 1.0)):
        scene, right = make_scene("four spheres", mu, speed), speed**2 / (2 * mu * G)
        runs = {f"csim, {law}": csim.run(scene, {"contact.model": law}) for law in ("lagged", "coulomb")}
        if HAS_DRAKE:
            runs["Drake, Lagged"] = run_drake(scene, STEP)
        if HAS_MUJOCO:
            runs["MuJoCo"] = run_mujoco(scene, STEP)
            runs["MuJoCo, impratio 100"] = run_mujoco(scene, STEP, 'impratio="100"')
        for who, motion in runs.items():
            case = f"{mu:g}, {speed:g} m/s"
            if motion.failure:
                yield Entry("worst", case, who, f"{STEP:g}", "error, %", motion.failure, 0.0, 100 * AIM, absolute=True)
                continue
            yield Entry("worst", case, who, f"{STEP:g}", "error, %", 100 * abs(way(motion) - right) / right, 0.0, 100 * AIM, absolute=True)
            yield Entry("worst", case, who, f"{STEP:g}", "µs a step", motion.microseconds_per_step)


def run(csim):
    return [*grid(csim), *beside(csim)]
