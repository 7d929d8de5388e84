"""Why low dissipation goes with errors that change with the step: how fast a cube leaves the ground, and what the tosses say, by step and dissipation."""
import data
import numpy as np
from fits import mean_errors

COLUMNS = ["setting", "stiffness", "dissipation", "step", "restitution", "position", "rotation"]
STEPS = (1e-3, 5e-4, 2e-4, 1e-4)
STIFF, LITTLE = 1e6, 0.1  # N/m; s/m: csim's default stiffness, and less than a hundredth of its default dissipation
CORNER_DOWN = data.from_vector(np.arctan(np.sqrt(2.0)) * np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0))


def restitution(programs, model, step, values, speed, word):
    """Of a cube that falls on its corner, the centre above it: fastest upwards after, over `speed` before (m/s)."""
    height = data.HALF * np.sqrt(3.0) + 1e-3
    start = data.State(np.array([0.0, 0.0, height]), CORNER_DOWN, np.array([0.0, 0.0, -speed]), np.zeros(3))
    toss = data.Toss("drop", np.array([0.0, 0.05]), None, None, 0)
    times, position, _ = programs.simulate(model, step, [toss], [start], values, word)[0]
    return float(max(np.diff(position[:, 2]) / np.diff(times)) / speed)


def table(programs, model, tosses, values, speed):
    """Rows of COLUMNS for the fitted keys, for these with little dissipation, and for stiff contact with little."""
    little = {**values, "hunt_crossley_dissipation": LITTLE}
    settings = {"fitted": values, "fitted, little dissipation": little, "stiff, little dissipation": {**little, "stiffness": STIFF},
                "stiff, fitted dissipation": {**values, "stiffness": STIFF}}
    for name, keys in settings.items():
        for step in STEPS:
            word = f"rebound_{name.replace(', ', '_').replace(' ', '_')}_{step:g}"
            errors = mean_errors(programs.errors(model, step, tosses, keys, word))
            yield [name, keys["stiffness"], keys["hunt_crossley_dissipation"], step, restitution(programs, model, step, keys, speed, word + "_drop"), errors["position"], errors["rotation"]]
