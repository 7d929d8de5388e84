"""Runs of scenes for a study: cases side by side, each a result file that is read and dropped."""
import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[3]
# Keys of the papers' scheme: all terms at the start of the step, springs at its end.
AT_START = {"integrator.velocity_terms": "start"}


@dataclasses.dataclass(frozen=True)
class Case:
    """A scene of scenes/ (or the path of a folder with a scene.yaml) with keys set: `Case("conveyor_belt", 1e-3, {"contact.model": "sap"})`. A row every `rows` steps."""
    scene: str
    step: float
    keys: dict = dataclasses.field(default_factory=dict)
    end: float | None = None
    rows: int = 1

    def options(self):
        keys = {"time.step": self.step, "output.period": self.rows * self.step, "solver.condition_number": "none", **self.keys}
        options = [option for key, value in keys.items() for option in ("--set", f"{key}={value}")]
        return options if self.end is None else [*options, "--end", repr(self.end)]


class Run:
    """What a study reads of a result: times, coordinates q and v, bodies by name, and sums over the contacts of a row."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.time = file["trajectory/time"][:]
            self.q, self.v = file["trajectory/q"][:], file["trajectory/v"][:]
            names = [name.decode() for name in file["bodies/name"][:]]
            self.position = {name: file["trajectory/position"][:, i] for i, name in enumerate(names)}
            self.velocity = {name: file["trajectory/velocity"][:, i] for i, name in enumerate(names)}
            self.angular_velocity = {name: file["trajectory/angular_velocity"][:, i] for i, name in enumerate(names)}
            self.energy = {name: file[f"energy/{name}"][:] for name in ("kinetic", "potential", "elastic", "total")}
            offset = file["contact/row_offset"][:]
            row = np.repeat(np.arange(len(self.time)), np.diff(offset))
            count = len(self.time)
            self.normal_force = np.bincount(row, file["contact/normal_force"][:], count)
            self.sticks = np.bincount(row, file["contact/mode"][:] == 1, count) > 0


class Runner:
    """Runs cases with the program `csim`, `jobs` at a time; `read` makes of a result file what the study keeps of it."""

    def __init__(self, csim, jobs=None, read=Run):
        self.csim, self.jobs, self.read, self.count = csim, jobs or os.cpu_count(), read, 0

    def run(self, case):
        with tempfile.TemporaryDirectory(prefix="csim_study_") as folder:
            path = pathlib.Path(folder) / "result.h5"
            scene = SOURCE / "scenes" / case.scene / "scene.yaml"
            done = subprocess.run([self.csim, "run", scene, "-o", path, "-q", *case.options()], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"{case}: exit code {done.returncode}\n{done.stderr}")
            self.count += 1
            return self.read(path)

    def run_all(self, cases):
        """name -> Case to name -> Run."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return dict(zip(cases, pool.map(self.run, cases.values()), strict=True))


def rms_over_time(time, difference):
    """((1/T) integral of |difference|^2 dt)^(1/2) by the trapezoidal rule; [F] or [F, n]."""
    squared = np.square(difference).reshape(len(time), -1).sum(axis=1)
    return float(np.sqrt(np.sum(0.5 * (squared[1:] + squared[:-1]) * np.diff(time)) / (time[-1] - time[0])))


def at_times(reference, time):
    """Rows of the reference run that stand at `time`."""
    rows = np.searchsorted(reference.time, time - 1e-9)
    if not np.allclose(reference.time[rows], time, rtol=0, atol=1e-9):
        raise ValueError("the reference has no row at a time of the run")
    return rows


def slopes(steps, errors):
    """Orders of convergence between neighbouring steps."""
    return [float(np.log(e1 / e0) / np.log(h1 / h0)) for (h0, e0), (h1, e1) in zip(zip(steps, errors), zip(steps[1:], errors[1:]))]
