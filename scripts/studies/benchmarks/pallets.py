"""Ten pallets of mixed boxes shaken sideways: does the load stand or fall, and does half the step say the same?"""
import numpy as np
from program import HAS_MUJOCO, run_mujoco
from table import Entry

TITLE = "Pallets shaken sideways"
INTRODUCTION = """
Ten pallets (1.2 m × 0.8 m) with 17 to 30 boxes in three or four layers of random sizes, weights and turns (seeds 1 to 10), shaken along x for 2 s at 1 Hz with 0.2 to 0.92 g; μ = 0.45. A load has fallen when the centre of any
box has come down by 50 mm or moved by 150 mm on the pallet. `alike`: the verdict with half the step. In MuJoCo the pallet stands still and gravity turns instead, which is the same motion seen
from the pallet. Drake is left out: its plant of `peers.py` has no such gravity, and its boxes meet in one point.
"""
STEP, FREQUENCY, END, MU, G = 2e-3, 1.0, 2.5, 0.45, 9.81
SHAKING = 2.0  # s, then half a second in which loads may still fall
TABLES = [
    {"name": "pallets", "title": "Verdicts, 2 ms and 1 ms", "keys": ("case", "who"), "labels": ("pallet", "program"),
     "expected": "Expected: the weakest shaking leaves every load, the strongest, beyond the limit of friction (0.45 g), moves some by more than the bound; verdicts with 2 ms and 1 ms alike in nine of ten under `coulomb`. Programs "
                 "may differ where a load is at its limit."},
]


def make_load(seed):
    """Boxes as (size [3], mass, x, y, z, turn in degrees), in layers of 2 to 3 by 2 to 3 cells, each box smaller than its cell and as high as its layer."""
    random = np.random.default_rng(seed)
    boxes, bottom = [], 0.0
    for _ in range(int(random.integers(3, 5))):
        columns, rows, height = int(random.integers(2, 4)), int(random.integers(2, 4)), float(random.uniform(0.2, 0.35))
        for i in range(columns):
            for j in range(rows):
                cell = np.array([1.1 / columns, 0.7 / rows])
                size = [*(cell * random.uniform(0.82, 0.94, 2)), height]
                x, y = (np.array([i + 0.5, j + 0.5]) * cell - [0.55, 0.35])
                boxes.append((size, float(random.uniform(100, 400) * np.prod(size)), x, y, bottom + height / 2, float(random.uniform(-2, 2))))
        bottom += height
    return boxes


def make_scene(seed, amplitude):
    """`amplitude` (g) of the pallet's acceleration; its motion is a sine of position that begins at its end, so that the acceleration begins at its largest."""
    omega = 2 * np.pi * FREQUENCY
    times = np.linspace(0, SHAKING, 401)
    # From rest to rest: x = a (1 - cos wt) has no jump of velocity, and whole periods.
    x = amplitude * G / omega**2 * (1 - np.cos(omega * times))
    bodies = [{"name": "pallet", "motion": {"times": [float(t) for t in times], "xyz": [[float(value), 0.0, 0.0] for value in x], "interpolation": "cubic"},
               "geometry": [{"shape": "box", "size": [1.6, 1.2, 0.1], "pose": {"xyz": [0, 0, -0.05]}, "material": "m"}]}]
    for k, (size, mass, x0, y0, z0, turn) in enumerate(make_load(seed)):
        a, b, c = size
        bodies.append({"name": f"box{k}", "mass": mass, "inertia": [mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12],
                       "pose": {"xyz": [float(x0), float(y0), float(z0)], "rpy_deg": [0, 0, turn]}, "geometry": [{"shape": "box", "size": [float(s) for s in size], "material": "m"}]})
    return {"csim": 1, "name": "pallet", "gravity": [0, 0, -G], "time": {"step": STEP, "end": END}, "output": {"period": 0.05}, "contact": {"model": "coulomb"},
            "materials": {"m": {"friction": MU, "stiffness": 4e5, "hunt_crossley_dissipation": 20}}, "bodies": bodies}


def standing_pallet(scene):
    """The scene seen from the pallet."""
    pallet = {key: value for key, value in scene["bodies"][0].items() if key != "motion"}
    return {**scene, "bodies": [{**pallet, "fixed": True}, *scene["bodies"][1:]]}


def verdict(motion, moves):
    """(stands or falls, largest way on the pallet, m). `moves`: whether positions are the world's, in which the pallet moves."""
    if motion.failure:
        return motion.failure, float("nan")
    frame = motion.position["pallet"] if moves else 0.0
    ways = [motion.position[name] - frame for name in motion.position if name != "pallet"]
    drop = max(float((x[0, 2] - x[:, 2]).max()) for x in ways)
    way = max(float(np.linalg.norm(x[:, :2] - x[0, :2], axis=1).max()) for x in ways)
    return ("falls" if drop > 0.05 or way > 0.15 else "stands"), way


def run(csim):
    entries = []
    for seed, amplitude in enumerate(np.linspace(0.2, 0.92, 10), start=1):
        scene, case = make_scene(seed, amplitude), f"{seed}: {{}} boxes, {amplitude:.2f} g"
        case = case.format(len(scene["bodies"]) - 1)
        omega = 2 * np.pi * FREQUENCY

        def shake(model, time, amplitude=amplitude, omega=omega):
            model.opt.gravity[0] = -amplitude * G * np.cos(omega * time) if time < SHAKING else 0.0

        programs = {f"csim, {law}": lambda step, law=law: (csim.run(scene, {"contact.model": law, "time.step": step}), True) for law in ("coulomb", "lagged")}
        if HAS_MUJOCO:
            programs["MuJoCo"] = lambda step: (run_mujoco(standing_pallet(scene), step, before_step=shake), False)
        for who, program in programs.items():
            motion, moves = program(STEP)
            found, way = verdict(motion, moves)
            finer, _ = verdict(*program(STEP / 2))
            entries.append(Entry("pallets", case, who, "", "verdict", found))
            entries.append(Entry("pallets", case, who, "", "largest way, mm", 1e3 * way))
            entries.append(Entry("pallets", case, who, "", "alike at half the step (1: yes)", float(found == finer), 1.0, 0.0, True) if who == "csim, coulomb"
                           else Entry("pallets", case, who, "", "alike at half the step (1: yes)", float(found == finer)))
            entries.append(Entry("pallets", case, who, "", "µs a step", motion.microseconds_per_step))
    return entries
