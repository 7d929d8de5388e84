"""A coin that slides and spins on a plane, reduced to three coordinates: truths for the experiment.

Friction mu p against the local velocity v + omega x r couples sliding (speed v) and spinning (omega); eps = v/(omega R). With the force F (unit
mu N) and the torque T (unit mu N R) of the pressure's distribution and the moment of inertia c m R^2

    d eps/dt = mu g/(omega R) (eps T/c - F)

so that eps comes to rest at the root of c F = eps T (Farkas, Bartels, Unger and Wolf, Frictional Coupling between Sliding and Spinning Motion,
Phys. Rev. Lett. 90, 248302, 2003), whatever mu, g, R and the mass.
"""
import dataclasses
import math

import numpy as np


def elliptic(m):
    """Complete elliptic integrals K, E of the parameter m < 1, by the arithmetic-geometric mean."""
    a, b, sum_c, power = 1.0, math.sqrt(1.0 - m), m, 1.0
    while abs(a - b) > 1e-15 * a:
        a, b, c = 0.5 * (a + b), math.sqrt(a * b), 0.5 * (a - b)
        power *= 2.0
        sum_c += power * c * c
    k = 0.5 * math.pi / a
    return k, k * (1.0 - 0.5 * sum_c)


def disc(eps):
    """F and T of uniform pressure on a disc."""
    if abs(eps - 1.0) < 1e-9:
        return 8 / (3 * math.pi), 8 / (9 * math.pi)
    if eps < 1.0:
        k, e = elliptic(eps ** 2)
        return (4 / (3 * math.pi * eps) * ((eps ** 2 + 1) * e + (eps ** 2 - 1) * k), 4 / (9 * math.pi) * ((4 - 2 * eps ** 2) * e + (eps ** 2 - 1) * k))
    k, e = elliptic(eps ** -2)
    return (4 / (3 * math.pi) * ((eps ** 2 + 1) * e - (eps ** 2 - 1) * k), 4 * eps / (9 * math.pi) * ((4 - 2 * eps ** 2) * e + (2 * eps ** 2 - 5 + 3 / eps ** 2) * k))


def ring(eps, radius=2 / 3):
    """F and T of all pressure on a ring, whose radius is a part of R."""
    rho = eps / radius
    if abs(rho - 1.0) < 1e-9:
        return 2 / math.pi, 2 / math.pi * radius
    k, e = elliptic(4 * rho / (1 + rho) ** 2)
    return ((1 + rho) * e + (rho - 1) * k) / (math.pi * rho), radius * ((1 + rho) * e + (1 - rho) * k) / math.pi


def points(xy, weight, angles=16):
    """F and T of points xy [n, 2] (unit R) with parts of the weight [n], mean over the directions of sliding: a coin that spins goes through all."""
    weight = np.asarray(weight) / np.sum(weight)
    turns = 2 * math.pi * (np.arange(angles) + 0.5) / angles
    direction = np.stack([np.cos(turns), np.sin(turns)], axis=1)  # of sliding, in the coin

    def forces(eps):
        velocity = eps * direction[:, None, :] + np.stack([-xy[:, 1], xy[:, 0]], axis=1)[None]
        slip = velocity / np.linalg.norm(velocity, axis=2, keepdims=True)
        force = np.einsum("akj,aj,k->a", slip, direction, weight)
        torque = np.einsum("ak,k->a", xy[None, :, 0] * slip[:, :, 1] - xy[None, :, 1] * slip[:, :, 0], weight)
        return float(force.mean()), float(torque.mean())
    return forces


def fan(n, radius=2 / 3):
    """The centroids of n sectors."""
    angle = 2 * math.pi * (np.arange(n) + 0.5) / n
    return radius * math.cos(math.pi / n) * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def fixed_point(forces, c=0.5):
    """The root of c F(eps) = eps T(eps) by bisection of log eps; NaN without one between 1e-3 and 1e3: one motion outlives the other."""
    def excess(log_eps):
        force, torque = forces(math.exp(log_eps))
        return math.exp(log_eps) * torque - c * force
    low, high = math.log(1e-3), math.log(1e3)
    if not excess(low) > 0.0 > excess(high):
        return math.nan
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    return math.exp(0.5 * (low + high))


def slow_down(forces, eps, ratio, c=0.5, steps=200):
    """eps when the speed sqrt(v^2 + (omega R)^2) has fallen to `ratio` of its start. In x = log(speed) time drops out: with
    d log omega = -T/c and d v = -F (in mu g dt/(omega R)),  d log(speed)/ds = -(eps F + T/c)/(1 + eps^2),  d eps/ds = eps T/c - F."""
    def rate(log_eps):
        e = math.exp(log_eps)
        force, torque = forces(e)
        return -(torque / c - force / e) * (1 + e * e) / (e * force + torque / c)
    x, y = 0.0, math.log(eps)
    h = math.log(ratio) / steps
    for _ in range(steps):  # Runge and Kutta's
        k1 = rate(y)
        k2 = rate(y + 0.5 * h * k1)
        k3 = rate(y + 0.5 * h * k2)
        k4 = rate(y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        x += h
    return math.exp(y)


@dataclasses.dataclass(frozen=True)
class PlanarCoin:
    """A coin of n points that stays flat: x, y and the turn, by implicit steps with friction mu g |v_t|_s a point,
    |v_t|_s^2 = |v_t|^2 + v_s^2."""
    xy: np.ndarray  # [n, 2], m, in the coin
    mu: float = 0.2
    g: float = 9.81
    c_r2: float = 0.5 * 0.01213 ** 2  # moment of inertia over mass, m^2
    v_s: float = 1e-4

    def run(self, step, end, velocity, spin):
        """Positions [steps + 1, 2] of the centre."""
        count = round(end / step)
        v, angle, place = np.array([*velocity, spin]), 0.0, np.zeros(2)
        mass = np.array([1.0, 1.0, self.c_r2])
        path = np.zeros((count + 1, 2))
        for i in range(count):
            cosine, sine = math.cos(angle), math.sin(angle)
            arm = self.xy @ np.array([[cosine, sine], [-sine, cosine]])
            v = self._implicit(v, arm, mass, step)
            place = place + step * v[:2]
            angle += step * v[2]
            path[i + 1] = place
        return path

    def _implicit(self, v0, arm, mass, step):
        """The minimum of |v - v0|^2_mass/2 + step mu g mean |v_t|_s, by Newton's method with steps that are halved."""
        jacobian = np.zeros((len(arm), 2, 3))
        jacobian[:, 0, 0] = jacobian[:, 1, 1] = 1.0
        jacobian[:, 0, 2], jacobian[:, 1, 2] = -arm[:, 1], arm[:, 0]
        strength = step * self.mu * self.g / len(arm)

        def cost(v):
            slip = jacobian @ v
            return 0.5 * np.dot(mass, (v - v0) ** 2) + strength * np.sqrt((slip ** 2).sum(axis=1) + self.v_s ** 2).sum()
        v = v0.copy()
        for _ in range(60):
            slip = jacobian @ v
            norm = np.sqrt((slip ** 2).sum(axis=1) + self.v_s ** 2)
            unit = slip / norm[:, None]
            gradient = mass * (v - v0) + strength * np.einsum("kij,ki->j", jacobian, unit)
            along = np.einsum("kij,ki->kj", jacobian, unit)
            hessian = np.diag(mass) + strength * (np.einsum("kia,kib,k->ab", jacobian, jacobian, 1 / norm) - along.T @ (along / norm[:, None]))
            change = np.linalg.solve(hessian, -gradient)
            if np.dot(mass, change ** 2) <= 1e-26 * np.dot(mass, v ** 2):
                return v
            length, before = 1.0, cost(v)
            while cost(v + length * change) > before and length > 1e-6:
                length *= 0.5
            v = v + length * change
        return v
