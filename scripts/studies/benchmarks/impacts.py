"""Impacts of spheres against Hertz's closed form and the sliding regime of oblique impacts, after the tests of Chung & Ooi (Granular Matter 13, 2011)."""
import math

import numpy as np
from table import Entry

TITLE = "Impacts by Hertz"
INTRODUCTION = """
After the verification tests of Chung & Ooi, Granular Matter 13 (2011) 643: csim with `contact.normal: hertz` (stiffness 4/3 E* √R*), no dissipation, no gravity. Closed form of Hertz: overlap
(15 m* v²/(16 E* √R*))^(2/5), contact 2.9432 times that over v. Drake and MuJoCo have no such law. A step is given as part of the contact's duration.
"""
TABLES = [
    {"name": "normal", "title": "Normal impacts: largest overlap, largest force, duration, rebound", "keys": ("case", "who", "setting"), "labels": ("test", "integrator", "step"),
     "expected": "Expected: within 0.5 % under `continuous`, and under `discrete` with 200 steps in a contact (aim 2 %), whose implicit spring loses speed in proportion to the step."},
    {"name": "oblique", "title": "Oblique impacts that slide throughout", "keys": ("case", "who", "setting"), "labels": ("angle from the normal", "law", "step"),
     "expected": "A sphere (aluminium oxide, R 2.5 mm, 3.9 m/s, μ = 0.092) on a plane, at angles beyond tan θ = 7/2 μ (1 + e), where it slides throughout: tangential speed v_t - μ (1 + e) v_n, "
                 "spin 5/2 μ (1 + e) v_n/R. e is that of the run, so that friction alone is judged. Expected: within 1 % of the change with 200 steps in a contact. "
                 "`sap` has no Hertz, but its own linear spring."},
]


def hertz(m, E, R, v):
    """(overlap, force, duration)."""
    overlap = (15 * m * v**2 / (16 * E * math.sqrt(R)))**0.4
    return overlap, 4 / 3 * E * math.sqrt(R) * overlap**1.5, 2.943275 * overlap / v


# name: (radius, m; density, kg/m^3; E*, Pa, of one material; relative speed, m/s; sphere on a plane or two spheres)
NORMAL = {"two glass spheres": (0.010, 2800, 4.8e10 / (1 - 0.2**2), 10.0, True), "aluminium sphere, rigid plane": (0.1, 2699, 7e10 / (1 - 0.33**2), 0.2, False),
          "limestone spheres": (0.010, 2500, 2e10 / (1 - 0.25**2), 0.2, True)}


def scene_of(radius, mass, stiffness, bodies, duration, friction=0.0, model="coulomb"):
    """The run ends 1.5 contacts after the touch, which is after half of one."""
    return {"csim": 1, "name": "impact", "gravity": [0, 0, 0], "time": {"step": duration / 100, "end": 2 * duration}, "output": {"period": duration / 100, "contacts": True},
            "materials": {"m": {"friction": friction, "hertz_stiffness": 2**1.5 * stiffness, "stiffness": 2 * stiffness * math.sqrt(1e-5), "hunt_crossley_dissipation": 0.0, "relaxation_time": 0.0}},
            "contact": {"model": model, **({} if model == "sap" else {"normal": "hertz"}), "stiction_tolerance": 1e-6}, "bodies": bodies, "solver": {"tolerance": 1e-9}}


def sphere(name, radius, mass, xyz, velocity):
    return {"name": name, "mass": mass, "inertia": [0.4 * mass * radius**2] * 3, "pose": {"xyz": [float(x) for x in xyz]}, "velocity": {"linear": [float(v) for v in velocity]},
            "geometry": [{"shape": "sphere", "radius": radius, "material": "m"}]}


GROUND = {"name": "ground", "fixed": True, "geometry": [{"shape": "half_space", "material": "m"}]}


def normal(csim):
    for case, (radius, density, modulus, speed, is_pair) in NORMAL.items():
        mass = density * 4 / 3 * math.pi * radius**3
        m, R, E = (mass / 2, radius / 2, modulus / 2) if is_pair else (mass, radius, modulus)
        overlap, force, duration = hertz(m, E, R, speed)
        stiffness, gap = 4 / 3 * E * math.sqrt(R), speed * duration / 2
        if is_pair:
            bodies = [sphere("a", radius, mass, [-radius - gap / 2, 0, 0], [speed / 2, 0, 0]), sphere("b", radius, mass, [radius + gap / 2, 0, 0], [-speed / 2, 0, 0])]
        else:
            bodies = [GROUND, sphere("a", radius, mass, [0, 0, radius + gap], [0, 0, -speed])]
        scene = scene_of(radius, mass, stiffness, bodies, duration)
        settings = [("discrete", f"1/{n}", {"time.step": duration / n, "output.period": duration / n}, 0.02 if n == 200 else None) for n in (20, 200, 2000)]
        settings.append(("continuous", "accuracy 1e-5", {"integrator.type": "continuous", "integrator.accuracy": 1e-5, "output.period": duration / 500}, 0.005))
        for who, setting, keys, aim in settings:
            motion = csim.run(scene, keys)
            if motion.failure:
                yield Entry("normal", case, who, setting, "overlap, % off", motion.failure, 0.0, aim)
                continue
            if is_pair:
                gaps, after = motion.position["b"][:, 0] - motion.position["a"][:, 0] - 2 * radius, motion.velocity["b"][-1, 0] - motion.velocity["a"][-1, 0]
            else:
                gaps, after = motion.position["a"][:, 2] - radius, motion.velocity["a"][-1, 2]
            offset = motion.contact["row_offset"]
            forces = np.array([motion.contact["normal_force"][i:j].sum() for i, j in zip(offset[:-1], offset[1:])])
            found = {"overlap": -gaps.min() / overlap, "force": forces.max() / force, "duration": crossings(motion.time, gaps) / duration, "rebound": after / speed}
            for quantity, value in found.items():
                yield Entry("normal", case, who, setting, f"{quantity}, % off", 100 * (value - 1), *((0.0, 100 * aim, True) if aim else ()))


def crossings(time, gaps):
    """Time between the first and the last passage of the gap through 0, between rows by lines."""
    inside = np.flatnonzero(gaps < 0)
    first, last = inside[0], inside[-1]
    enter = time[first - 1] + (time[first] - time[first - 1]) * gaps[first - 1] / (gaps[first - 1] - gaps[first])
    leave = time[last] + (time[last + 1] - time[last]) * gaps[last] / (gaps[last] - gaps[last + 1]) if last + 1 < len(gaps) else math.nan
    return leave - enter


def oblique(csim):
    radius, density, modulus, speed, mu = 2.5e-3, 4000, 3.8e11 / (1 - 0.23**2), 3.9, 0.092
    mass = density * 4 / 3 * math.pi * radius**3
    for angle in (40.0, 75.0):
        v_n, v_t = speed * math.cos(math.radians(angle)), speed * math.sin(math.radians(angle))
        _, _, duration = hertz(mass, modulus / 2, radius, v_n)
        stiffness = 4 / 3 * modulus / 2 * math.sqrt(radius)
        bodies = [GROUND, sphere("a", radius, mass, [0, 0, radius + v_n * duration / 2], [v_t, 0, -v_n])]
        for law in ("lagged", "coulomb", "similar", "sap", "continuous"):
            scene = scene_of(radius, mass, stiffness, bodies, duration, mu, "coulomb" if law == "continuous" else law)
            settings = [("accuracy 1e-5", {"integrator.type": "continuous", "integrator.accuracy": 1e-5})] if law == "continuous" else [(f"1/{n}", {"time.step": duration / n}) for n in (20, 200)]
            for setting, keys in settings:
                motion = csim.run(scene, keys)
                aim = None if setting == "1/20" else 0.01
                if motion.failure:
                    yield Entry("oblique", f"{angle:g}°", law, setting, "e", motion.failure, 0.0, aim)
                    continue
                e = motion.velocity["a"][-1, 2] / v_n
                impulse = mu * (1 + e) * v_n
                spin = motion.angular_velocity["a"][-1, 1] * radius
                yield Entry("oblique", f"{angle:g}°", law, setting, "e", e)
                for quantity, value in (("change of tangential speed, % off", (v_t - motion.velocity["a"][-1, 0]) / impulse), ("spin, % off", spin / (2.5 * impulse))):
                    yield Entry("oblique", f"{angle:g}°", law, setting, quantity, 100 * (value - 1), *((0.0, 100 * aim, True) if aim else ()))


def run(csim):
    return [*normal(csim), *oblique(csim)]
