"""The equations that the contact laws tend to as the step goes to zero, integrated by themselves: truths for the experiments.

Normal force of a spring k at the gap phi, with v_n = phi' and the slip speed u (Castro et al. 2023, Irrotational Contact Fields,
section VII; friction mu f_n against the slip):

    lagged    f_n = k x (1 - d v_n)_+              x = (-phi)_+: Hunt & Crossley's law itself
    similar   f_n = k x (1 + mu d u - d v_n)_+     stiffness k (1 + mu d u), dissipation d/(1 + mu d u)
    sap       f_n = k (-phi + tau (mu u - v_n))_+  a gap of mu tau u
"""
import dataclasses
import math

import numpy as np


@dataclasses.dataclass(frozen=True)
class Law:
    model: str
    mu: float
    k: float   # N/m
    d: float   # s/m, lagged and similar
    tau: float = 0.0  # s, sap

    def normal_force(self, phi, v_n, slip):
        if self.model == "sap":
            return self.k * max(-phi + self.tau * (self.mu * slip - v_n), 0.0)
        stiffening = self.mu * self.d * slip if self.model == "similar" else 0.0
        return self.k * max(-phi, 0.0) * max(1.0 + stiffening - self.d * v_n, 0.0)


def runge_kutta(rates, state, step, stop):
    """Classical Runge-Kutta steps of `state` (a tuple of floats) until stop(t, state); returns times and states."""
    t, times, states = 0.0, [0.0], [state]
    while not stop(t, state):
        k1 = rates(state)
        k2 = rates(tuple(x + 0.5 * step * k for x, k in zip(state, k1)))
        k3 = rates(tuple(x + 0.5 * step * k for x, k in zip(state, k2)))
        k4 = rates(tuple(x + step * k for x, k in zip(state, k3)))
        state = tuple(x + step / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4))
        t += step
        times.append(t)
        states.append(state)
    return np.array(times), np.array(states)


def sphere_landing(law, mass, speed_down, slip, gravity, duration, step=2e-6):
    """A solid sphere that comes down to the ground, from where the law acts first: columns phi, v_n, slip. The slip of the contact
    point falls by 7/2 of what friction takes from the centre's speed; the end is that of the slip, or `duration`."""
    def rates(state):
        phi, v_n, u = state
        f = law.normal_force(phi, v_n, max(u, 0.0))
        return v_n, f / mass - gravity, -3.5 * law.mu * f / mass
    reach = law.tau * (law.mu * slip + speed_down) if law.model == "sap" else 0.0
    return runge_kutta(rates, (reach, -speed_down, slip), step, lambda t, s: t >= duration or s[2] <= 0.0)


def rod_slide(law, mass, inertia, arm, radius, angle, speed, gravity, gap, step=1e-6, end=0.03):
    """A rod that slides along x with its leading end `angle` below the middle (both m, rad); `arm` from the middle to the end's
    centre. Columns x, z, angle and their rates, until the slip ends. Starts at the gap (m)."""
    def contact(state):
        x, z, a, vx, vz, w = state
        c, s = math.cos(a), math.sin(a)
        rx, rz = arm * c, arm * s - radius
        return rx, rz, z + rz, vz + w * rx, vx - w * rz

    def rates(state):
        rx, rz, phi, v_n, u = contact(state)
        f = law.normal_force(phi, v_n, max(u, 0.0))
        ft = -law.mu * f
        _, _, _, vx, vz, w = state
        # The gap's rate is v_n itself: the lowest point of the end moves on the round end, n . (w x r) is that of the centre.
        return vx, vz, w, ft / mass, f / mass - gravity, (rx * f - rz * ft) / inertia
    start = (0.0, -(arm * math.sin(angle) - radius) + gap, angle, speed, 0.0, 0.0)
    return runge_kutta(rates, start, step, lambda t, s: t >= end or contact(s)[4] <= 0.0)
