"""Measured tosses of a cube: what is read, the state each toss starts from, and the noise of these states."""
import dataclasses

import numpy as np

RATE = 148.0        # rows a second
HALF = 0.0524       # m, half the cube's width
MASS = 0.37         # kg
G = 9.81
CLEAR = 0.002       # m: rows before the lowest corner comes so near to the ground are free flight; at rest the height is known to 0.3 mm
FREE_ROWS = 10      # tosses with fewer are left out: their velocities would be worse than a hundredth of the motion's
LONGEST = 1.0       # s; the cube lies still long before, and some films go on for seconds
HELD_OUT = 100
AFTER = 4           # rows from which the velocities after the first hit are fitted
ALONE = 0.006       # m: no second corner comes so near to the ground meanwhile


def rotation_matrix(q):
    """[..., 3, 3] of unit quaternions w, x, y, z [..., 4]."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=float), -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(*np.shape(w), 3, 3)


def multiply(p, q):
    """Product of quaternions [..., 4]."""
    p0, q0 = p[..., :1], q[..., :1]
    p, q = p[..., 1:], q[..., 1:]
    return np.concatenate([p0 * q0 - np.sum(p * q, axis=-1, keepdims=True), p0 * q + q0 * p + np.cross(p, q)], axis=-1)


def conjugate(q):
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def from_vector(v):
    """Quaternion of a rotation vector [..., 3]."""
    half = 0.5 * np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * v * np.sinc(half / np.pi)], axis=-1)


def to_vector(q):
    """Rotation vector, of at most pi, of a quaternion [..., 4]."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    return np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 2.0) * q[..., 1:]


def angle_between(p, q):
    """Of the rotation from one to the other, rad."""
    return np.linalg.norm(to_vector(multiply(p, conjugate(q))), axis=-1)


def face_up(q):
    """Of a cube: +-1, +-2, +-3, the axis of the body that points up most, and its sense."""
    up = rotation_matrix(q)[..., 2, :]
    axis = np.argmax(np.abs(up), axis=-1)
    return (axis + 1) * np.sign(np.take_along_axis(up, axis[..., None], axis=-1)[..., 0]).astype(int)


def lowest(position, quaternion):
    """Height of the lowest corner, m."""
    return position[..., 2] - HALF * np.abs(rotation_matrix(quaternion)[..., 2, :]).sum(axis=-1)


@dataclasses.dataclass
class State:
    """At t = 0; velocities in world axes."""
    position: np.ndarray
    quaternion: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray

    def later(self, t):
        """After t of free flight: without torque a cube's angular velocity stays."""
        gravity = np.array([0.0, 0.0, -G])
        return State(self.position + self.velocity * t + 0.5 * gravity * t * t, multiply(from_vector(self.angular_velocity * t), self.quaternion),
                     self.velocity + gravity * t, self.angular_velocity)


@dataclasses.dataclass
class Toss:
    name: str
    time: np.ndarray        # [rows], s, from 0
    position: np.ndarray    # [rows, 3], m
    quaternion: np.ndarray  # [rows, 4]
    free: int               # rows before the first contact
    start: State = None     # fitted to these


def fit_flight(time, position, quaternion):
    """The State at t = 0 of the free flight nearest to the rows: a parabola, and a turn at a constant rate."""
    columns = np.stack([np.ones(len(time)), time], axis=1)
    start, velocity = np.linalg.lstsq(columns, position + 0.5 * G * np.outer(time**2, [0.0, 0.0, 1.0]), rcond=None)[0]
    rate = to_vector(multiply(quaternion[-1], conjugate(quaternion[0]))) / (time[-1] - time[0])
    turn = multiply(from_vector(-rate * time[0]), quaternion[0])
    for _ in range(5):  # Gauss-Newton; residuals of a degree shrink to round-off
        at = multiply(from_vector(np.outer(time, rate)), turn)
        change, change_of_rate = np.linalg.lstsq(columns, to_vector(multiply(quaternion, conjugate(at))), rcond=None)[0]
        turn, rate = multiply(from_vector(change), turn), rate + change_of_rate
    return State(start, turn / np.linalg.norm(turn), velocity, rate)


def resting(rows):
    """Whether the cube lies still in the last five rows, by the positions."""
    return len(rows) > 5 and np.ptp(rows[-5:, :3], axis=0).max() < 2e-4


def measured_scale(arrays):
    """What the lengths have to be multiplied by so that the cube at rest is half its width high."""
    return HALF / np.median([rows[-5:, 2].mean() for rows in arrays.values() if resting(rows)])


def read(path):
    """(tosses with FREE_ROWS rows of free flight or more, facts of the data) of an .npz file: an array a toss, rows of position (m) and quaternion (w, x, y, z) at RATE,
    more columns are not used."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in sorted(file.files)}
    scale = measured_scale(arrays)
    tosses = []
    for name, rows in arrays.items():
        rows = rows[:int(LONGEST * RATE) + 1]
        position, quaternion = rows[:, :3] * scale, rows[:, 3:7] / np.linalg.norm(rows[:, 3:7], axis=1, keepdims=True)
        near = lowest(position, quaternion) < CLEAR
        free = int(np.argmax(near)) if near.any() else 0
        if free >= FREE_ROWS:
            time = np.arange(len(rows)) / RATE
            tosses.append(Toss(name, time, position, quaternion, free, fit_flight(time[:free], position[:free], quaternion[:free])))
    return tosses, {"tosses": len(arrays), "used": len(tosses), "scale": scale, **facts(tosses, scale)}


def facts(tosses, scale):
    """Gravity as measured, and the noise of a start (standard deviations): of poses by how cubes at rest differ from lying flat at half their width, of velocities by the
    two halves of a flight, each fitted alone, compared in its middle and divided by sqrt 2."""
    falls = [2 * np.polyfit(toss.time[:toss.free], toss.position[:toss.free, 2], 2)[0] for toss in tosses]
    heights, tilts, speeds, rates = [], [], [], []
    for toss in tosses:
        if np.ptp(toss.position[-5:], axis=0).max() < 2e-4:
            turned = rotation_matrix(toss.quaternion[-1])[2]  # the vertical in body axes
            flat = np.where(np.abs(turned) == np.abs(turned).max(), 0.0, turned)
            heights.append(toss.position[-1, 2] - HALF)
            tilts.append(flat[flat != 0])
        half, rows = toss.free // 2, toss.free
        first, second = (fit_flight(toss.time[part], toss.position[part], toss.quaternion[part]) for part in (slice(0, half), slice(half, rows)))
        speeds.append(first.velocity - second.velocity)
        rates.append(first.angular_velocity - second.angular_velocity)
    return {"gravity": -float(np.mean(falls)), "gravity_error": float(np.std(falls) / np.sqrt(len(falls))), "gravity_unscaled": -float(np.mean(falls)) / scale,
            "noise_position": float(np.std(heights)), "noise_rotation": float(np.sqrt(np.mean(np.square(np.concatenate(tilts))))),
            "noise_velocity": float(np.sqrt(np.mean(np.square(speeds)) / 2)), "noise_angular_velocity": float(np.sqrt(np.mean(np.square(rates)) / 2))}


def measured_inertia(tosses):
    """(inertia of the cube about an axis in kg m^2, how many hits it is from). While one corner alone touches, at r from the centre, I dw = r x m dv for the changes beyond
    free flight: I is the ratio of the root mean squares of the two sides, which leaves neither out of the noise."""
    corners = HALF * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    moments, changes = [], []
    for toss in tosses:
        hit, rows = toss.free, slice(toss.free + 1, toss.free + 1 + AFTER)
        arms = corners @ np.swapaxes(rotation_matrix(toss.quaternion[hit - 1:rows.stop]), -1, -2)
        heights = np.sort(toss.position[hit - 1:rows.stop, 2][:, None] + arms[..., 2], axis=1)
        if rows.stop > len(toss.time) or heights[:, 1].min() < ALONE:
            continue
        time = toss.time[rows] - toss.time[rows.start]
        after, before = fit_flight(time, toss.position[rows], toss.quaternion[rows]), toss.start.later(toss.time[rows.start])
        arm = arms[1][np.argmin(arms[1][:, 2])]
        moments.append(np.cross(arm, MASS * (after.velocity - before.velocity)))
        changes.append(after.angular_velocity - before.angular_velocity)
    return float(np.sqrt(np.sum(np.square(moments)) / np.sum(np.square(changes)))), len(moments)


def split(tosses, training):
    """(`training` tosses to fit to, HELD_OUT to judge by, all that are not held out), the first two evenly spread: the i-th where floor(i n/N) rises. Those to fit to are cut to
    the rows of the shortest."""
    def spread(items, count):
        return [item for i, item in enumerate(items) if (i + 1) * count // len(items) > i * count // len(items)]
    test = spread(tosses, min(HELD_OUT, len(tosses) // 3))
    chosen = {toss.name for toss in test}
    rest = [toss for toss in tosses if toss.name not in chosen]
    return cut(spread(rest, min(training, len(rest)))), test, rest


def cut(tosses):
    """All to as many rows as the shortest has."""
    rows = min(len(toss.time) for toss in tosses)
    return [dataclasses.replace(toss, time=toss.time[:rows], position=toss.position[:rows], quaternion=toss.quaternion[:rows]) for toss in tosses]


def perturbed(start, facts, random):
    """A start with the noise of the data."""
    return State(start.position + facts["noise_position"] * random.standard_normal(3), multiply(from_vector(facts["noise_rotation"] * random.standard_normal(3)), start.quaternion),
                 start.velocity + facts["noise_velocity"] * random.standard_normal(3), start.angular_velocity + facts["noise_angular_velocity"] * random.standard_normal(3))
