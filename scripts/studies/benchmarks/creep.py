"""A box held by two pads: how fast it creeps down by law and keys, and whether csim explain says so before."""
import math

from program import HAS_DRAKE, HAS_MUJOCO, run_drake, run_mujoco
from table import Entry

TITLE = "Creep of a held box"
INTRODUCTION = """
A box of 0.5 kg hangs between two pads that press it with a force each, on slides, for 2 s at steps of 1 ms; μ = 0.5, 8 points of 1e6 N/m, pressed in at the start by what they carry. Friction is regularised under every law, so
the box creeps; the speed is that of the last second. A third grip closes from 1 mm apart, each pad braked by 200 N s/m. All laws hold the first grip, `lagged` and `sap` the others. `said`: from `csim explain --json`, before the run: `creep_floor`
and `creep_per_load` of the pair, by the load of a point and the part q of the limit of friction that is used (`lagged`, `coulomb`, `similar`, `continuous`: q/√(1 - q²) of the tolerance; `sap`: q; `tamsi`: 1 - √(1 - q)).
"""
TABLES = [
    {"name": "hold", "title": "Speed by law and keys", "keys": ("case", "who", "setting"), "labels": ("grip", "law", "keys"),
     "expected": "Expected: the stiction tolerance alone, 1e-4 m/s, by default where the grip is light; sigma's share with a strong grip or a small tolerance; below 0.1 µm/s with "
                 "`stiction_tolerance: 1.0e-7, sigma: 1.0e-6` (or `regularise_stiction: false` in place of sigma) and with `sap`, `sigma: 1.0e-6` (aim of these rows). `said` within 10 % of the speed; where no contact at the start tells `csim explain` its weight, "
                 "it says that it only estimates."},
    {"name": "peers", "title": "Beside Drake and MuJoCo", "keys": ("case", "who"), "labels": ("grip", "program"),
     "expected": "MuJoCo on the same scene, with its own contact: expected to slip by its softened friction, less with a larger `impratio`, and not at all with `noslip_iterations`. Drake with pads that stay, "
                 "pressed in by the same force (its plant of `peers.py` has no drives): expected as csim's `lagged` there, of the same tolerance."},
]
G, MASS, STEP, POINTS, STIFFNESS, MU = 9.81, 0.5, 1e-3, 4, 1e6, 0.5
GRIPS = {"10 N": (10.0, 0.0), "200 N": (200.0, 0.0), "10 N, from apart": (10.0, 1e-3)}  # N, m
SMALL = {"contact.stiction_tolerance": 1e-7}
# (law, keys, whether 0.1 um/s is the aim)
CASES = [("lagged", {}, False), ("lagged", SMALL, False), ("lagged", {**SMALL, "contact.sigma": 1e-6}, True), ("lagged", {**SMALL, "contact.regularise_stiction": False}, True),
         ("coulomb", {}, False), ("coulomb", SMALL, False), ("coulomb", {**SMALL, "contact.sigma": 1e-6}, True),
         ("similar", {}, False), ("similar", SMALL, False), ("similar", {**SMALL, "contact.sigma": 1e-6}, True),
         ("sap", {}, False), ("sap", {"contact.sigma": 1e-6}, True), ("tamsi", {}, False), ("tamsi", SMALL, True), ("continuous", {}, False)]


def part_of_tolerance(law, q):
    """At which a contact creeps that uses the part q of the limit of friction."""
    if law == "sap":
        return q
    return 1 - math.sqrt(1 - q) if law == "tamsi" else q / math.sqrt(1 - q * q)


def make_scene(force, apart=0.0, pads_stay=False):
    """The box between its pads, pressed in so that every point carries its part of the force from the start, or `apart` (m), with pads that are braked and a box that
    stands on a floor until they have closed. `pads_stay`: fixed pads of four small spheres each."""
    depth = -apart if apart else force / POINTS / STIFFNESS
    pads = []
    for side, sign in (("left", -1), ("right", 1)):
        pad = {"name": side, "geometry": [{"shape": "box", "size": [0.02, 0.04, 0.04], "material": "m"}]}
        place = [sign * (0.02 + 0.01 - depth), 0.0, 0.0]
        if pads_stay:
            tips = [{"shape": "sphere", "radius": 0.01, "pose": {"xyz": [0, y, z]}, "material": "m"} for y in (-0.015, 0.015) for z in (-0.015, 0.015)]
            pads.append({"name": side, "fixed": True, "geometry": [{**tip, "pose": {"xyz": [place[0], *tip["pose"]["xyz"][1:]]}} for tip in tips]})
        else:
            pads.append({**pad, "mass": 0.2, "inertia": [1e-4] * 3})
    scene = {"csim": 1, "name": "hold", "gravity": [0, 0, -G], "time": {"step": STEP, "end": 2.0}, "output": {"period": 0.1},
             "materials": {"m": {"friction": MU, "stiffness": 2 * STIFFNESS, "hunt_crossley_dissipation": 50, "relaxation_time": 1e-3}},
             "contact": {"model": "lagged"}, "solver": {"tolerance": 1e-8},
             "bodies": [{"name": "box", "mass": MASS, "inertia": [MASS * 0.04**2 / 6] * 3, "pose": {"xyz": [0, 0, 0]}, "geometry": [{"shape": "box", "size": [0.04] * 3, "material": "m"}]}, *pads]}
    if not pads_stay:
        scene["joints"] = [{"name": side, "type": "prismatic", "parent": "world", "child": side, "axis": [1, 0, 0], "pose": {"xyz": [sign * (0.03 - depth), 0, 0]}, "damping": 200.0 if apart else 0.0}
                           for side, sign in (("left", -1), ("right", 1))]
        scene["actuators"] = [{"name": f"press_{side}", "joint": side, "type": "effort", "command": -sign * force} for side, sign in (("left", -1), ("right", 1))]
    if apart:  # a floor that goes away downwards once the grip is closed
        scene["bodies"].append({"name": "floor", "motion": {"times": [0, 0.2, 0.4], "xyz": [[0, 0, -0.03 - 1e-6], [0, 0, -0.03 - 1e-6], [0, 0, -0.1]], "interpolation": "smooth"},
                                "geometry": [{"shape": "box", "size": [0.03, 0.03, 0.02], "material": "floor"}]})
        scene["materials"]["floor"] = scene["materials"]["m"]
    return scene


def speed(motion):
    """Of the box, um/s, downwards, over the last second."""
    z = motion.position["box"][:, 2]
    return 1e6 * (z[-11] - z[-1]) / (motion.time[-1] - motion.time[-11])


def said(explanation, law, force):
    """(the speed in um/s that csim explain predicts, whether by an estimate)."""
    pair = next(pair for pair in explanation["pairs"] if pair["material_a"] == pair["material_b"] == "m")
    tolerance = max(pair["creep_floor"], pair["creep_per_load"] * force / POINTS)
    q = MASS * G / (2 * MU * force)
    return 1e6 * tolerance * part_of_tolerance(law, q), pair["delassus_estimated"]


def words(keys):
    return ", ".join(f"{key.removeprefix('contact.')}: {str(value).lower()}" for key, value in keys.items()) or "defaults"


def hold(csim):
    for grip, (force, apart) in GRIPS.items():
        scene = make_scene(force, apart)
        for law, keys, aimed in CASES:
            if grip != "10 N" and law not in ("lagged", "sap"):
                continue  # the same again; `continuous` is explicit, with steps of v_s m/(mu N), 5 us at 200 N
            settings = {"integrator.type": "continuous", "integrator.accuracy": 1e-5} if law == "continuous" else {"contact.model": law, **keys}
            motion = csim.run(scene, settings)
            if motion.failure:
                yield Entry("hold", grip, law, words(keys), "speed, µm/s", motion.failure, 0.0, 0.1 if aimed else None, True)
                continue
            value, (prediction, estimated) = speed(motion), said(csim.explain(scene, settings), law, force)
            yield Entry("hold", grip, law, words(keys), "speed, µm/s", value, 0.0, 0.1 if aimed else None, True)
            yield Entry("hold", grip, law, words(keys), "said, µm/s", prediction)
            yield Entry("hold", grip, law, words(keys), "said / found", prediction / value, 1.0, 0.1)
            yield Entry("hold", grip, law, words(keys), "said as", "estimate" if estimated else "exact")


def beside(csim):
    for grip, (force, apart) in GRIPS.items():
        if apart:
            continue
        scene, staying = make_scene(force), make_scene(force, pads_stay=True)
        runs = {}
        if HAS_MUJOCO:
            runs["csim, lagged"], runs["csim, lagged, " + words(CASES[2][1])] = csim.run(scene), csim.run(scene, CASES[2][1])
            for name, options in (("MuJoCo", ""), ("MuJoCo, impratio 100", 'impratio="100"'), ("MuJoCo, noslip_iterations 10", 'noslip_iterations="10"')):
                runs[name] = run_mujoco(scene, STEP, options)
        if HAS_DRAKE:
            runs["csim, lagged, pads stay"], runs["Drake, Lagged, pads stay"] = csim.run(staying), run_drake(staying, STEP)
        for who, motion in runs.items():
            yield Entry("peers", grip, who, "", "speed, µm/s", motion.failure or speed(motion))
            if not motion.failure:
                yield Entry("peers", grip, who, "", "µs a step", motion.microseconds_per_step)


def run(csim):
    return [*hold(csim), *beside(csim)]
