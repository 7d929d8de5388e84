"""Motions of mechanisms with one degree of freedom by another way than csim's: all joints and closure conditions at the level of accelerations. The null space of the
closure's Jacobian is the direction in which the joints can move; forces and bias accelerations are projected on it, and DOP853 integrates. Scenes of revolute joints,
constraints of the types ball and distance (springs), constant efforts."""
import numpy as np


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def turn(axis, angle):
    """Rotation about a unit axis."""
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


class Frame:
    """Of a body: pose, twist, and acceleration without joint accelerations; columns of angular and linear Jacobian (of its origin), joint -> vector."""

    def __init__(self, p, R, w, v, alpha, a, columns):
        self.p, self.R, self.w, self.v, self.alpha, self.a, self.columns = p, R, w, v, alpha, a, columns

    def arm(self, local):
        return self.R @ local

    def acceleration(self, r):
        return self.a + cross(self.alpha, r) + cross(self.w, cross(self.w, r))

    def jacobian(self, r, n):
        """(angular [3, n], linear [3, n]) of the point at the arm r."""
        angular, linear = np.zeros((3, n)), np.zeros((3, n))
        for joint, (axis, velocity) in self.columns.items():
            angular[:, joint], linear[:, joint] = axis, velocity + cross(axis, r)
        return angular, linear


class Mechanism:
    def __init__(self, scene):
        self.joints = scene["joints"]
        self.n = len(self.joints)
        vector = lambda values: np.array(values, dtype=float)
        self.axes = [vector(joint["axis"]) / np.linalg.norm(joint["axis"]) for joint in self.joints]
        self.places = [vector(joint.get("pose", {}).get("xyz", [0, 0, 0])) for joint in self.joints]
        self.bodies = [(body["name"], body["mass"], vector(body.get("com", [0, 0, 0])), vector(body["inertia"])) for body in scene["bodies"]]
        constraints = [(c, (c["a"], vector(c["point_a"])), (c["b"], vector(c["point_b"]))) for c in scene.get("constraints", [])]
        self.loops = [(a, b) for c, a, b in constraints if c["type"] == "ball"]
        self.springs = [(a, b, c["length"], c["stiffness"]) for c, a, b in constraints if c["type"] == "distance"]
        efforts = {actuator["joint"]: actuator["command"] for actuator in scene.get("actuators", [])}
        self.efforts = vector([efforts.get(joint["name"], 0.0) for joint in self.joints])
        self.gravity = vector(scene["gravity"])

    def start(self):
        return np.array([joint.get("position", 0.0) for joint in self.joints], dtype=float)

    def frames(self, q, qdot):
        """Name -> Frame; parents stand before their children in the scene."""
        zero = np.zeros(3)
        frames = {"world": Frame(zero, np.eye(3), zero, zero, zero, zero, {})}
        for i, joint in enumerate(self.joints):
            parent = frames[joint["parent"]]
            r = parent.arm(self.places[i])
            axis = parent.R @ self.axes[i]
            w = parent.w + axis * qdot[i]
            columns = {k: (angular, linear + cross(angular, r)) for k, (angular, linear) in parent.columns.items()}
            columns[i] = (axis, zero)
            frames[joint["child"]] = Frame(parent.p + r, parent.R @ turn(self.axes[i], q[i]), w, parent.v + cross(parent.w, r), parent.alpha + cross(parent.w, axis * qdot[i]),
                                           parent.acceleration(r), columns)
        return frames

    def point(self, q, body, local):
        frame = self.frames(q, 0 * q)[body]
        return frame.p + frame.arm(np.array(local, dtype=float))

    def closure(self, frames):
        """(Jacobian, bias acceleration) of the loops."""
        rows, bias = [], []
        for (a, local_a), (b, local_b) in self.loops:
            r_a, r_b = frames[a].arm(local_a), frames[b].arm(local_b)
            rows.append(frames[a].jacobian(r_a, self.n)[1] - frames[b].jacobian(r_b, self.n)[1])
            bias.append(frames[a].acceleration(r_a) - frames[b].acceleration(r_b))
        return np.concatenate(rows), np.concatenate(bias)

    def rate(self, _, y):
        q, qdot = y[:self.n], y[self.n:]
        frames = self.frames(q, qdot)
        J, bias = self.closure(frames)
        U, singular, rows = np.linalg.svd(J)
        rank = self.n - 1
        if singular[rank - 1] < 1e-5 * singular[0] or (len(singular) > rank and singular[rank] > 1e-5 * singular[0]):
            raise RuntimeError("not one degree of freedom")
        free = rows[rank]
        qdot = free * (free @ qdot)  # what the integration has drifted off the closure
        particular = -rows[:rank].T @ ((U[:, :rank].T @ bias) / singular[:rank])
        M, force = np.zeros((self.n, self.n)), self.efforts.copy()
        for name, mass, com, inertia in self.bodies:
            frame = frames[name]
            r = frame.arm(com)
            angular, linear = frame.jacobian(r, self.n)
            I = frame.R @ np.diag(inertia) @ frame.R.T
            M += mass * linear.T @ linear + angular.T @ I @ angular
            force -= mass * linear.T @ (frame.acceleration(r) - self.gravity) + angular.T @ (I @ frame.alpha + cross(frame.w, I @ frame.w))
        for (a, local_a), (b, local_b), length, stiffness in self.springs:
            r_a, r_b = frames[a].arm(local_a), frames[b].arm(local_b)
            way = frames[a].p + r_a - frames[b].p - r_b
            distance = np.linalg.norm(way)
            force -= stiffness * (distance - length) * (way / distance) @ (frames[a].jacobian(r_a, self.n)[1] - frames[b].jacobian(r_b, self.n)[1])
        return np.concatenate([qdot, particular + free * (free @ (force - M @ particular) / (free @ M @ free))])

    def motion(self, times, tolerance=1e-10):
        """Joint positions [len(times), n] from rest."""
        from scipy.integrate import solve_ivp
        found = solve_ivp(self.rate, (0, times[-1]), np.append(self.start(), np.zeros(self.n)), method="DOP853", t_eval=times, rtol=tolerance, atol=tolerance)
        if not found.success:
            raise RuntimeError(found.message)
        return found.y[:self.n].T
