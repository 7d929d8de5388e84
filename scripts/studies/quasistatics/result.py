"""What the studies of stepping without momentum read of a result file."""
import h5py
import numpy as np


class Run:
    """Times; bodies, joints and actuators by name; contacts by the names of their bodies; the steps' statistics."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.time = file["trajectory/time"][:]
            self.bodies = names(file["bodies/name"])
            self.position = {name: file["trajectory/position"][:, i] for i, name in enumerate(self.bodies)}
            self.quaternion = {name: file["trajectory/quaternion"][:, i] for i, name in enumerate(self.bodies)}
            self.joint = {name: file["joint/position"][:, i] for name, i in zip(names(file["joints/name"]), file["joints/q_offset"][:])}
            self.command = {name: file["actuator/command"][:, i] for i, name in enumerate(names(file["actuator/name"]))}
            self.contact = {name: file[f"contact/{name}"][:] for name in ("phi", "normal_force", "force", "normal", "point")}
            owner = file["geometries/body"][:]
            self.pair = np.stack([owner[file[f"contact/geometry_{side}"][:]] for side in "ab"], axis=1)
            self.row = np.repeat(np.arange(len(self.time)), np.diff(file["contact/row_offset"][:]))
            self.gradient = {name: values[:] for name, values in file.get("gradient", {}).items()}
            self.step = {name: file[f"stats/step/{name}"][:] for name in ("iterations", "residual", "num_contacts", "seconds_solve", "seconds_geometry", "seconds_total")}

    def at(self, time):
        """The row at a time."""
        row = int(np.argmin(np.abs(self.time - time)))
        if abs(self.time[row] - time) > 1e-6:
            raise ValueError(f"no row at {time} s")
        return row

    def between(self, a, b):
        """Indices of the contacts of two bodies, and for each +1 where the force in the file is that on b, else -1."""
        i, j = (self.bodies.index(name) for name in (a, b))
        same, other = (self.pair == (i, j)).all(axis=1), (self.pair == (j, i)).all(axis=1)
        chosen = np.flatnonzero(same | other)
        return chosen, np.where(same[chosen], 1.0, -1.0)

    def force(self, a, b):
        """Force of a on b, a row [F, 3], N."""
        chosen, sign = self.between(a, b)
        return np.stack([np.bincount(self.row[chosen], sign * self.contact["force"][chosen, k], len(self.time)) for k in range(3)], axis=1)

    def normal_force(self, a, b):
        chosen, _ = self.between(a, b)
        return np.bincount(self.row[chosen], self.contact["normal_force"][chosen], len(self.time))


def names(dataset):
    return [name.decode() for name in dataset[:]]
