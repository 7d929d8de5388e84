"""The convex programs of a quasistatic run, built anew from the scene, poses and contacts in its result file: eq. 10 of Pang & Tedrake 2021.

For scenes of free bodies, revolute and prismatic joints with `problem: qp` or `socp` and `mass: none`, whose limits of joints do not act and whose pairs have no friction of their own.
"""
import h5py
import numpy as np
import yaml


def skew(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def rotation(quaternion):
    w, v = quaternion[0], skew(quaternion[1:])
    return np.eye(3) + 2 * w * v + 2 * v @ v


def tangents(n, planar):
    """t1 = a x n with the axis a of the smallest component of n (in the x-y plane: a = z), t2 = n x t1."""
    size = np.abs(n)
    t = np.cross(np.eye(3)[2 if planar else np.flatnonzero(size <= size.min() + 1e-9)[0]], n)
    t /= np.linalg.norm(t)
    return t, np.cross(n, t)


class Program:
    """minimise v'Qv/2 - b'v, where Jv + e >= 0, or each three rows of it in the cone s0 >= |(s1, s2)|. v: of the joints; of a free body angular and linear velocity.

    `impulse`: of the recorded contact forces on the joints, Qv - b at the optimum."""

    def __init__(self, n):
        self.Q, self.b, self.J, self.e, self.impulse = np.zeros((n, n)), np.zeros(n), [], [], np.zeros(n)

    def append(self, row, e):
        self.J.append(row)
        self.e.append(e)


class Programs:
    """Of a result file with a row for every step. `program(f)` is the step that ends in row f, `velocity(f)` csim's answer."""

    def __init__(self, path):
        data = self.data = {}
        with h5py.File(path) as file:
            file.visititems(lambda name, item: data.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
        scene = yaml.safe_load(data["scene/resolved"])
        self.h, self.gravity = float(scene["time"]["step"]), np.array(scene["gravity"], float)
        self.cones, self.rays = scene["integrator"]["problem"] == "socp", scene["integrator"]["rays_per_contact"]
        self.bodies, self.joints = scene["bodies"], {joint["child"]: joint for joint in scene["joints"]}
        self.drives = {drive["joint"]: (k, float(drive["stiffness"])) for k, drive in enumerate(scene["actuators"])}
        self.index = {body["name"]: b for b, body in enumerate(self.bodies)}
        self.place = {joint["name"]: data["joints/q_offset"][k] for k, joint in enumerate(scene["joints"])}
        sizes = [0 if body["fixed"] else {"free": 6, "weld": 0}.get(self.joint_type(body), 1) for body in self.bodies]
        self.column = np.concatenate([[0], np.cumsum(sizes)])
        friction = {name: float(material["friction"]) for name, material in scene["materials"].items()}
        self.friction = [friction.get(geometry.get("material")) for body in self.bodies for geometry in body["geometry"]]

    def joint_type(self, body):
        return self.joints[body["name"]]["type"] if body["name"] in self.joints else "free"

    def chain(self, b):
        """Bodies from b to the root of its tree."""
        while not self.bodies[b]["fixed"]:
            yield b
            parent = self.joints.get(self.bodies[b]["name"], {"parent": "world"})["parent"]
            if parent == "world":
                break
            b = self.index[parent]

    def jacobian(self, b, point, f):
        """Velocity of a point of body b in row f, world axes: [3, n]."""
        J = np.zeros((3, self.column[-1]))
        for k in self.chain(b):
            r, c, kind = point - self.data["trajectory/position"][f, k], self.column[k], self.joint_type(self.bodies[k])
            if kind == "free":
                J[:, c:c + 6] = np.hstack([-skew(r), np.eye(3)])
            elif kind != "weld":
                axis = rotation(self.data["trajectory/quaternion"][f, k]) @ np.array(self.joints[self.bodies[k]["name"]]["axis"], float)
                J[:, c] = axis if kind == "prismatic" else np.cross(axis, r)
        return J

    def is_driven(self, b):
        return self.bodies[b]["name"] in self.joints and self.joints[self.bodies[b]["name"]]["name"] in self.drives

    def program(self, f):
        p, d = Program(self.column[-1]), self.data
        for b, body in enumerate(self.bodies):
            if self.is_driven(b):
                joint = self.joints[body["name"]]["name"]
                k, stiffness = self.drives[joint]
                p.Q[self.column[b], self.column[b]] = self.h**2 * stiffness
                p.b[self.column[b]] = self.h * stiffness * (d["actuator/command"][f, k] - d["joint/position"][f - 1, self.place[joint]])
            elif not any(map(self.is_driven, self.chain(b))):
                com = d["trajectory/position"][f - 1, b] + rotation(d["trajectory/quaternion"][f - 1, b]) @ d["bodies/com"][b]
                p.b += self.h * d["bodies/mass"][b] * self.gravity @ self.jacobian(b, com, f - 1)
        for i in range(d["contact/row_offset"][f], d["contact/row_offset"][f + 1]):
            self.append_contact(p, i, f - 1)
        p.J, p.e = np.array(p.J), np.array(p.e)
        return p

    def append_contact(self, p, i, f):
        n, phi = self.data["contact/normal"][i], self.data["contact/phi"][i]
        a, b = self.data["contact/geometry_a"][i], self.data["contact/geometry_b"][i]
        middle, owner = self.data["contact/point"][i], self.data["geometries/body"]
        J = self.jacobian(owner[b], middle + 0.5 * phi * n, f) - self.jacobian(owner[a], middle - 0.5 * phi * n, f)
        p.impulse += self.h * self.data["contact/force"][i] @ J
        mu = 2 * self.friction[a] * self.friction[b] / (self.friction[a] + self.friction[b])
        t1, t2 = tangents(n, self.rays == 2 and not self.cones)
        if self.cones:
            for direction, e in ((n / mu, phi / (self.h * mu)), (t1, 0.0), (t2, 0.0)):
                p.append(direction @ J, e)
            return
        for angle in 2 * np.pi * np.arange(self.rays) / self.rays:
            p.append((n + mu * (np.cos(angle) * t1 + np.sin(angle) * t2)) @ J, phi / self.h)

    def velocity(self, f):
        parts = []
        for b, body in enumerate(self.bodies):
            if self.column[b + 1] == self.column[b] + 1:
                parts.append([self.data["joint/velocity"][f, self.place[self.joints[body["name"]]["name"]]]])
            elif not body["fixed"] and self.joint_type(body) == "free":
                parts += [self.data["trajectory/angular_velocity"][f, b], self.data["trajectory/velocity"][f, b]]
        return np.concatenate(parts)


def solve(p, cones):
    """v by cvxopt, an interior point of its own."""
    import cvxopt  # only the test and peers.py need it
    from cvxopt import solvers
    rows = len(p.e)
    dims = {"l": 0, "q": [3] * (rows // 3), "s": []} if cones else {"l": rows, "q": [], "s": []}
    options = {"show_progress": False, "abstol": 1e-13, "reltol": 1e-12, "feastol": 1e-12}
    result = solvers.coneqp(*map(cvxopt.matrix, (p.Q, -p.b, -p.J, p.e)), dims, options=options)
    return np.array(result["x"]).ravel()
