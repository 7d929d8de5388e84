"""Writes a trajectory for `csim audit` (docs/audit.md), row by row. Needs h5py and numpy."""
import argparse

import h5py
import numpy as np

WORLD = -1  # as a body of a contact


def command_line(description, step):
    """What every writer asks for: the model, the file, its end and the step (s); it may add options of its own."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--end", type=float, default=1.0)
    parser.add_argument("--step", type=float, default=step)
    return parser


class TrajectoryFile:
    """Bodies first, then the initial state as row 0, then a row a step with the impulses of that step."""

    def __init__(self, program, gravity):
        self.program, self.gravity = program, np.asarray(gravity, dtype=float)
        self.bodies, self.times, self.states, self.contacts, self.offsets = [], [], [], [], [0]

    def add_body(self, name, mass, com, inertia, motion):
        """`inertia` [3, 3] about the centre of mass, body axes; `motion`: free, held (by joints) or prescribed."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = np.asarray(inertia, dtype=float)
        self.bodies.append({"name": name, "mass": mass, "com": com, "inertia": [xx, yy, zz, xy, xz, yz], "motion": motion})

    def add_row(self, time, states, contacts=()):
        """`states`: (position, quaternion wxyz, velocity, angular velocity, applied impulse, applied angular impulse) a body, of its origin, world axes.
        `contacts`: dictionaries of the datasets of /contact."""
        self.times.append(time)
        self.states.append(states)
        self.contacts += contacts
        self.offsets.append(len(self.contacts))

    def write(self, path):
        with h5py.File(path, "w") as file:
            file.attrs["csim_schema"] = "csim-trajectory/1"
            file.attrs["program"] = self.program
            file["gravity"], file["time"] = self.gravity, np.array(self.times)
            for key in ("mass", "com", "inertia"):
                file[f"body/{key}"] = np.array([body[key] for body in self.bodies], dtype=float)
            for key in ("name", "motion"):
                file[f"body/{key}"] = np.array([body[key] for body in self.bodies], dtype=h5py.string_dtype())
            for i, key in enumerate(("position", "quaternion", "velocity", "angular_velocity", "applied_impulse", "applied_angular_impulse")):
                file[f"trajectory/{key}"] = np.array([[state[i] for state in row] for row in self.states])
            file["contact/row_offset"] = np.array(self.offsets)
            width = {"point": 3, "normal": 3, "impulse": 3, "moment": 3}
            for key in ("body_a", "body_b", "point", "normal", "impulse", "moment", "gap", "gap_end", "friction"):
                values = [contact[key] for contact in self.contacts]
                shape = (len(values), 3) if key in width else (len(values),)
                file[f"contact/{key}"] = np.array(values, dtype=int if key.startswith("body") else float).reshape(shape)
