"""What is fitted: programs with their laws, their keys with bounds, and the objective."""
import dataclasses
import math

import numpy as np
from data import HALF, angle_between, face_up

WIDTH = 2 * HALF
TURN_WEIGHT = HALF  # m/rad: a rotation counts as the way of a point in the middle of a face
STEPS = (1e-4, 1e-3)  # s, that keys are fitted and judged at
SEED, TOLERANCE = 10, 1e-3  # the seed: of 1 to 29 the one whose first starts are farthest from the bounds, 0.2 of the range
PERIOD = 2e-3       # s, rows of a simulation; between them linear, which misses 5 um of a fall and, in the row of an impact, 0.5 mm


@dataclasses.dataclass(frozen=True)
class Key:
    """`name`: as each program has it; `low`, `high`: bounds; `log`: the search is in logarithms; `word`, `unit`: on the page."""
    name: str
    low: float
    high: float
    log: bool
    word: str
    unit: str = ""

    def at(self, place):
        value = self.low * (self.high / self.low) ** place if self.log else self.low + (self.high - self.low) * place
        return float(f"{value:.12g}")


@dataclasses.dataclass
class Found:
    """A key with its 95 % interval, None where there is none, and the bound that it is at, or ""."""
    value: float
    low: float = None
    high: float = None
    at_bound: str = ""


@dataclasses.dataclass
class Fit:
    """`keys`: name -> Found; `objective`: f of the training tosses, m; `agree` of `starts` came to the best place."""
    keys: dict
    objective: float
    candidates: int
    agree: int
    starts: int

    def values(self):
        return {name: key.value for name, key in self.keys.items()}


@dataclasses.dataclass(frozen=True)
class Model:
    name: str     # on the page
    program: str  # csim, MuJoCo, Drake
    law: str
    keys: tuple


# Reasons of the bounds stand on the page.
FRICTION = Key("friction", 0.03, 0.6, False, "friction")
STIFFNESS = Key("stiffness", 1e4, 1e6, True, "stiffness", "N/m")
MODULUS = Key("hydroelastic_modulus", 1e4, 1e8, True, "modulus", "Pa")
DISSIPATION = Key("hunt_crossley_dissipation", 0.05, 50.0, True, "dissipation", "s/m")
RELAXATION = Key("relaxation_time", 1e-5, 0.1, True, "relaxation time", "s")
TIME_CONSTANT = Key("timeconst", 2e-3, 0.1, True, "time constant", "s")
DAMPING_RATIO = Key("dampratio", 0.05, 5.0, True, "damping ratio")

POINT, PATCH = (FRICTION, STIFFNESS, DISSIPATION), (FRICTION, MODULUS, DISSIPATION)
MODELS = [Model("csim, coulomb", "csim", "coulomb", POINT), Model("csim, lagged", "csim", "lagged", POINT), Model("csim, similar", "csim", "similar", POINT),
          Model("csim, sap", "csim", "sap", (FRICTION, STIFFNESS, RELAXATION)), Model("csim, pressure field", "csim", "pressure field", PATCH),
          Model("MuJoCo", "MuJoCo", "", (FRICTION, TIME_CONSTANT, DAMPING_RATIO)),
          Model("Drake, Lagged", "Drake", "Lagged", POINT)]


def differences(toss, time, position, quaternion):
    """(rms distance in m, rms angle in rad) of a simulation, interpolated to the measured rows, as csim's measures `difference` have them."""
    place, turn = distances(toss, time, position, quaternion)
    return math.sqrt(np.mean(place**2)), math.sqrt(np.mean(turn**2))


def distances(toss, time, position, quaternion):
    """(m, rad) at each measured row."""
    place = np.stack([np.interp(toss.time, time, position[:, i]) for i in range(3)], axis=1)
    right = np.clip(np.searchsorted(time, toss.time), 1, len(time) - 1)
    before, after = quaternion[right - 1], quaternion[right]
    after = np.where(np.sum(before * after, axis=1, keepdims=True) < 0, -after, after)
    share = ((toss.time - time[right - 1]) / (time[right] - time[right - 1]))[:, None]
    between = before + share * (after - before)  # rows are a fiftieth of a radian apart: as slerp to 1e-6 of it
    between /= np.linalg.norm(between, axis=1, keepdims=True)
    return np.linalg.norm(place - toss.position, axis=1), angle_between(toss.quaternion, between)


def objective(pairs):
    """f of `differences` of several tosses."""
    return math.sqrt(np.mean([path**2 + (TURN_WEIGHT * turn) ** 2 for path, turn in pairs]))


@dataclasses.dataclass
class Errors:
    """Of one toss: mean distance in parts of the width, mean angle in degrees, both over the measured rows, and whether the same face came up."""
    position: float
    rotation: float
    same_face: bool
    objective: float  # m^2, its part of f^2

    @classmethod
    def of(cls, toss, time, position, quaternion):
        place, turn = distances(toss, time, position, quaternion)
        return cls(float(place.mean() / WIDTH), float(np.degrees(turn.mean())), bool(face_up(toss.quaternion[-1]) == face_up(quaternion[-1])),
                   float(np.mean(place**2) + TURN_WEIGHT**2 * np.mean(turn**2)))
