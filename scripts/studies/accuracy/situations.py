"""Ten everyday situations: a scene, what is measured, and what is right."""
import dataclasses
import math
from collections.abc import Callable

import numpy as np

G = 9.81


@dataclasses.dataclass(frozen=True)
class Rows:
    """A run: times [F] (s); by body positions of the origin [F, 3] (m) and quaternions [F, 4] (w, x, y, z)."""
    time: np.ndarray
    position: dict
    quaternion: dict


@dataclasses.dataclass(frozen=True)
class Situation:
    """`scene` without its step; `error(rows, reference)` in `unit`. `reference`: keys of the run of csim it is compared with, none where a
    closed form is known. `spring`: (stiffness over the mass that a contact sees, 1/s^2) where MuJoCo can have the same contact; elsewhere it has its own."""
    name: str
    remark: str
    scene: dict
    unit: str
    error: Callable
    reference: dict | None = None
    spring: float | None = None


ACCELERATION_LEVEL = {"integrator.type": "continuous", "integrator.accuracy": 1e-7}


def make_scene(end, friction, stiffness, dissipation, bodies, gravity=(0.0, 0.0, -G), **more):
    contact = {"friction": friction, "hunt_crossley_dissipation": dissipation, "relaxation_time": 0.0}
    return {"csim": 1, "time": {"step": 1e-3, "end": end}, "gravity": list(gravity), "contact": {"model": "lagged", "stiction_tolerance": 1e-4},
            "materials": {"soft": {**contact, "stiffness": stiffness}, "hard": {**contact, "stiffness": "rigid"}}, "bodies": bodies, **more}


GROUND = {"name": "ground", "fixed": True, "geometry": [{"shape": "half_space", "material": "soft"}]}


def ball(name, mass, radius, xyz, velocity=(0, 0, 0), material="hard"):
    return {"name": name, "mass": mass, "inertia": [0.4 * mass * radius**2] * 3, "pose": {"xyz": list(xyz)}, "velocity": {"linear": list(velocity)},
            "geometry": [{"shape": "sphere", "radius": radius, "material": material}]}


def box(name, mass, size, xyz, heights, rpy_deg=(0, 0, 0), linear=(0, 0, 0), angular=(0, 0, 0), material="hard"):
    """A box that touches with spheres of 1 mm inside its corners, at the `heights` (m, of their centres); every simulator then has the same points."""
    x, y, z = size
    corners = [[a, b, c] for a in (0.001 - x / 2, x / 2 - 0.001) for b in (0.001 - y / 2, y / 2 - 0.001) for c in heights]
    return {"name": name, "mass": mass, "inertia": [mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y)],
            "pose": {"xyz": list(xyz), "rpy_deg": list(rpy_deg)}, "velocity": {"linear": list(linear), "angular": list(angular)},
            "geometry": [{"shape": "sphere", "radius": 0.001, "material": material, "pose": {"xyz": corner}} for corner in corners]}


def plate(name, size, material="soft", **more):
    return {"name": name, **more, "geometry": [{"shape": "box", "size": list(size), "material": material}]}


def final(rows, body):
    return rows.position[body][-1]


def landing():
    scene = make_scene(0.6, 0.5, 1e6, 50.0, [GROUND, box("box", 0.5, (0.1, 0.1, 0.1), (0, 0, 0.0640857 + 0.02), (-0.049, 0.049), (0, 20, 0), (1, 0, 0))])
    return Situation("Landing", "A box of 0.1 m, tilted by 20°, comes down 20 mm at 1 m/s along the ground and slides 0.17 m. Error: that distance.", scene, "mm",
                     lambda rows, reference: 1e3 * abs(final(rows, "box")[0] - final(reference, "box")[0]), ACCELERATION_LEVEL)


def sliding():
    mass, stiffness, friction = 0.5, 1e6, 0.5
    scene = make_scene(0.5, friction, stiffness, 50.0, [GROUND, box("box", mass, (0.1, 0.1, 0.04), (0, 0, 0.02 - mass * G / 4 / stiffness), (-0.019,), linear=(1, 0, 0))])
    return Situation("Sliding", "A flat box at 1 m/s slides until friction has stopped it. Error: its way, right is v²/(2 μ g) = 102 mm.", scene, "mm",
                     lambda rows, _: 1e3 * abs(final(rows, "box")[0] - 1 / (2 * friction * G)))


def rolling():
    mass, radius, friction, speed, end = 0.5, 0.05, 0.2, 2.0, 1.0
    scene = make_scene(end, friction, 1e6, 50.0, [GROUND, ball("ball", mass, radius, (0, 0, radius - mass * G / 1e6), (speed, 0, 0))])
    slides = 2 * speed / (7 * friction * G)
    way = speed * slides - 0.5 * friction * G * slides**2 + 5 / 7 * speed * (end - slides)
    return Situation("Rolling", "A ball slides at 2 m/s and rolls at 5/7 of that after 0.29 s. Error: its way in 1 s, right is 1.51 m.", scene, "mm",
                     lambda rows, _: 1e3 * abs(final(rows, "ball")[0] - way))


def tipping():
    angle = math.radians(25)
    height = 0.001 + 0.049 * math.sin(angle) + 0.149 * math.cos(angle)
    scene = make_scene(0.4, 1.0, 1e6, 50.0, [GROUND, box("box", 1.0, (0.1, 0.1, 0.3), (0, 0, height), (-0.149, 0.149), (0, 25, 0))])
    return Situation("Tipping", "A box of 0.1 m × 0.1 m × 0.3 m, tilted by 25°, falls over the edge it stands on. Error: its centre after 0.4 s.", scene, "mm",
                     lambda rows, reference: 1e3 * np.linalg.norm(final(rows, "box") - final(reference, "box")), ACCELERATION_LEVEL)


def stacking():
    """Feet of a box stand on the box below, whose faces lie inside the spheres' lowest points."""
    tilt, mass, stiffness = math.radians(10), 0.5, 1e6
    boxes, z = [GROUND], 0.0
    for i in range(3):
        pair = stiffness if i == 0 else stiffness / 2
        sinks = (3 - i) * mass * G * math.cos(tilt) / 4 / pair
        boxes.append(box(f"box_{i}", mass, (0.1, 0.1, 0.1), (0, 0, z + 0.05 - sinks), (-0.049,), material="hard" if i == 0 else "soft"))
        boxes[-1]["geometry"].append({"shape": "box", "size": [0.12, 0.12, 0.09], "material": "soft", "pose": {"xyz": [0, 0, 0.005]}})
        z += 0.1 - sinks
    scene = make_scene(2.0, 0.5, stiffness, 50.0, boxes, (G * math.sin(tilt), 0.0, -G * math.cos(tilt)))
    return Situation("Stacking", "Three boxes on each other rest on a slope of 10° (friction holds up to 27°). Error: way of the highest from 1 s to 2 s.", scene, "mm",
                     lambda rows, _: 1e3 * np.linalg.norm(final(rows, "box_2") - rows.position["box_2"][rows.time.searchsorted(1 - 1e-9)]))


def spinning():
    mass, arm, about_axis, tilt, spin = 0.5, 0.1, 1.2e-3, 0.4, 150.0
    across = 2e-3 + mass * arm**2
    scene = {"csim": 1, "time": {"step": 1e-3, "end": 1.0}, "bodies": [{"name": "top", "mass": mass, "com": [0, 0, arm], "inertia": [2e-3, 2e-3, about_axis]}],
             "joints": [{"name": "pivot", "type": "ball", "parent": "world", "child": "top", "pose": {"xyz": [0, 0, 1], "rpy": [tilt, 0, 0]}, "velocity": [0, 0, spin]}]}

    def rates(axis, momentum):  # the momentum about the pivot: its part along the axis turns the top about itself
        return np.cross(momentum / across, axis), np.cross(mass * arm * axis, [0, 0, -G])
    axis, dt = np.array([0, -math.sin(tilt), math.cos(tilt)]), 1e-3
    momentum = about_axis * spin * axis
    for _ in range(1000):  # Runge-Kutta of the symmetric top
        k1 = rates(axis, momentum)
        k2 = rates(axis + 0.5 * dt * k1[0], momentum + 0.5 * dt * k1[1])
        k3 = rates(axis + 0.5 * dt * k2[0], momentum + 0.5 * dt * k2[1])
        k4 = rates(axis + dt * k3[0], momentum + dt * k3[1])
        axis, momentum = (x + dt / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((axis, momentum), k1, k2, k3, k4))

    def error(rows, _):
        w, x, y, z = rows.quaternion["top"][-1]
        found = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z])
        return math.degrees(math.atan2(np.linalg.norm(np.cross(found, axis)), found @ axis))
    return Situation("Spinning", "A top of 150 rad/s on a ball joint. Error: direction of its axis after 1 s, in which it precesses by 3 rad.", scene, "°", error)


def turning():
    mass, stiffness, speed = 0.5, 1e6, 2.0
    table = plate("table", (1.0, 1.0, 0.1), pose={"xyz": [0, 0, 0]}, motion={"velocity": [0, 0, 0], "angular_velocity": [0, 0, speed]})
    block = box("block", mass, (0.06, 0.06, 0.06), (0.3, 0, 0.08 - mass * G / 4 / stiffness), (-0.029,), linear=(0, 0.3 * speed, 0), angular=(0, 0, speed))
    return Situation("Turning support", "A block stuck on a table that turns at 2 rad/s. Error: its distance of 0.3 m from the axis, after 5 s.",
                     make_scene(5.0, 0.5, stiffness, 50.0, [table, block]), "mm", lambda rows, _: 1e3 * abs(math.hypot(*final(rows, "block")[:2]) - 0.3))


def grasping():
    bodies = [plate(name, (0.02, 0.08, 0.08), mass=0.1, inertia=[1e-4] * 3) for name in ("left", "right")]
    bodies.append(box("block", 0.2, (0.06, 0.06, 0.06), (0, 0, 0.5), (-0.029, 0.029)))
    joints = [{"name": f"{name}_slide", "type": "prismatic", "parent": "world", "child": name, "pose": {"xyz": [0, 0, 0.5]}, "axis": [1, 0, 0],
               "position": 0.04 * side, "stiffness": 500.0, "rest_position": 0.032 * side, "damping": 10.0} for name, side in (("left", -1), ("right", 1))]
    return Situation("Grasping", "Two fingers press a block with 4 N each and carry its 1.96 N at μ = 0.5. Error: how far it slips in 2 s.",
                     make_scene(2.0, 0.5, 1e6, 50.0, bodies, joints=joints), "mm", lambda rows, _: 1e3 * abs(final(rows, "block")[2] - 0.5))


def chain():
    mass, radius, stiffness = 0.5, 0.05, 1e5
    balls = [ball(f"ball_{i}", mass, radius, (0.101 * i, 0, 0), (1 if i == 0 else 0, 0, 0), "soft") for i in range(3)]

    def error(rows, _):
        x = rows.position["ball_2"][:, 0]
        return 100 * abs((x[-1] - x[-2]) / (rows.time[-1] - rows.time[-2]) - 1)
    return Situation("Impact in a chain", "A ball hits a second and that a third, elastic contacts of 5 ms. Error: speed of the third, right is 1 m/s.",
                     make_scene(0.3, 0.0, 2 * stiffness, 0.0, balls, (0.0, 0.0, 0.0)), "%", error, spring=stiffness / (mass / 2))


def soft():
    mass, radius, stiffness, fall = 0.5, 0.05, 2000.0, 0.1
    scene = make_scene(0.3, 0.0, stiffness, 0.0, [GROUND, ball("ball", mass, radius, (0, 0, radius + fall))])
    touch, omega, rest = math.sqrt(2 * fall / G), math.sqrt(stiffness / mass), -mass * G / stiffness
    speed = G * touch
    leaves = touch + (2 * math.pi - 2 * math.atan2(speed / omega, -rest)) / omega

    def height(t):
        if t < touch:
            return fall - 0.5 * G * t * t
        if t < leaves:
            return rest - rest * math.cos(omega * (t - touch)) - speed / omega * math.sin(omega * (t - touch))
        return speed * (t - leaves) - 0.5 * G * (t - leaves)**2
    return Situation("Soft contact", "A ball falls 0.1 m onto a spring of 2 kN/m, sinks 25 mm and is thrown back. Error: its height, largest in 0.3 s.", scene, "mm",
                     lambda rows, _: 1e3 * max(abs(z - radius - height(t)) for t, z in zip(rows.time, rows.position["ball"][:, 2])), spring=stiffness / mass)


SITUATIONS = (landing, sliding, rolling, tipping, stacking, spinning, turning, grasping, chain, soft)
