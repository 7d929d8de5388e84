"""What the Python tests share: run the program under test as a user does, write scenes, read and compare result files.

CTest sets CSIM_BINARY and CSIM_SOURCE_DIR; by hand: CSIM_BINARY=build/release/bin/csim PYTHONPATH=tests/support python3 tests/cli/test_validate.py
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap
import time
import unittest

import h5py
import numpy as np
import yaml

SOURCE = pathlib.Path(os.environ.get("CSIM_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
CSIM = pathlib.Path(os.environ.get("CSIM_BINARY", SOURCE / "build/release/bin/csim")).resolve()
SCENES = sorted(path.parent.name for path in (SOURCE / "scenes").glob("*/scene.yaml"))

# Exit codes (README).
DONE, INTERNAL, INVALID, FAILED, OUTPUT, GATE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 75

# A ball that falls on the floor and bounces: small, quick, with contact.
# Two links of 0.5 m in the x-z plane, their mass at the ends; an impedance between a frame at the tip and a place.
DRIVEN_ARM = """\
bodies:
  - {name: upper, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}
  - {name: fore, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper, axis: [0, -1, 0], position: 0.4}
  - {name: elbow, type: revolute, parent: upper, child: fore, pose: {xyz: [0.5, 0, 0]}, axis: [0, -1, 0], position: 0.8}
actuators:
  - {name: hand, type: cartesian, body: fore, pose: {xyz: [0.5, 0, 0]}, stiffness: [2000, 0, 3000, 0, 0, 0], damping: [200, 0, 200, 0, 0, 0],
     command: {xyz: [0.6, 0, 0.5]}}
"""
BALL = """\
csim: 1
name: ball
time: {step: 1.0e-3, end: 0.5}
materials:
  rubber: {friction: 0.5, stiffness: 1.0e5, hunt_crossley_dissipation: 0.2}
bodies:
  - name: ground
    fixed: true
    geometry: [{shape: half_space, material: rubber}]
  - name: ball
    mass: 0.5
    inertia: solid
    pose: {xyz: [0, 0, 0.3]}
    velocity: {linear: [1, 0, 0]}
    geometry: [{name: shell, shape: sphere, radius: 0.05, material: rubber}]
"""

# Runs for long enough to be interrupted in any state of the machine; the same physics.
LONG_BALL = BALL.replace("end: 0.5", "end: 1000.0")

# Differ from run to run by their nature.
NOT_COMPARED = ("provenance", "stats/step/seconds_")


def load_yaml(path):
    return yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))


class CliTest(unittest.TestCase):
    """A test case with a folder of its own, which is also the program's working folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="csim_test_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def csim(self, *arguments, expect=DONE, **options):
        """Runs the program in the test's folder and insists on its exit code (None: any)."""
        result = subprocess.run([CSIM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=300, **options)
        if expect is not None:
            self.assertEqual(result.returncode, expect,
                             f"csim {' '.join(map(str, arguments))}\n--- stdout\n{result.stdout}\n--- stderr\n{result.stderr}")
        return result

    def start(self, *arguments, **options):
        """Starts the program in the test's folder and leaves it running; it does not outlive the test."""
        process = subprocess.Popen([CSIM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, **options)
        self.addCleanup(self._end, process)
        return process

    def wait_until_caught(self, process, number):
        """Waits until the program handles a signal."""
        status = pathlib.Path(f"/proc/{process.pid}/status")
        deadline = time.monotonic() + 60
        while not int(re.search(r"SigCgt:\s*([0-9a-f]+)", status.read_text()).group(1), 16) & 1 << number - 1:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    @staticmethod
    def _end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def assert_same_bits(self, a, b):
        """Every dataset of two result files is the same, except timings and provenance."""
        differences = compare_bits(a, b)
        self.assertEqual(differences, [], f"{a} and {b} differ")


def datasets(path):
    """name -> values of every dataset of a result file."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


def compare_bits(a, b, ignore=()):
    """What differs between two result files, as a list of sentences."""
    first, second = datasets(a), datasets(b)
    skip = NOT_COMPARED + tuple(ignore)
    differences = []
    for name in sorted(first.keys() | second.keys()):
        if name.startswith(skip):
            continue
        if name not in first or name not in second:
            differences.append(f"{name} only in {a if name in first else b}")
            continue
        x, y = np.asarray(first[name]), np.asarray(second[name])
        if x.shape != y.shape or x.dtype != y.dtype:
            differences.append(f"{name}: {x.shape} {x.dtype}, {y.shape} {y.dtype}")
        elif x.tobytes() != y.tobytes() and not (x.dtype == object and np.array_equal(x, y)):
            worst = np.nanmax(np.abs(x - y)) if np.issubdtype(x.dtype, np.number) and x.size else "text"
            differences.append(f"{name}: differs by up to {worst}")
    return differences


def text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


class Result:
    """A result file by names: `result.body("ball", "position")` is [F, 3]."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.attributes = {key: value for key, value in file.attrs.items()}
            self.data = datasets(path)
        self.time = self.data["trajectory/time"]
        self.bodies = [text(name) for name in self.data["bodies/name"]]
        self.geometries = [text(name) for name in self.data["geometries/name"]]
        self.joints = [text(name) for name in self.data["joints/name"]]

    def body(self, name, quantity):
        return self.data[f"trajectory/{quantity}"][:, self.bodies.index(name)]

    def joint(self, name, quantity):
        offsets = self.data["joints/q_offset" if quantity == "position" else "joints/v_offset"]
        j = self.joints.index(name)
        return self.data[f"joint/{quantity}"][:, offsets[j]:offsets[j + 1]]

    def row(self, time):
        """The row that stands at `time`, within a millionth of a second."""
        row = int(np.argmin(np.abs(self.time - time)))
        assert abs(self.time[row] - time) < 1e-6, f"no row at t = {time} s (nearest {self.time[row]} s)"
        return row

    def contacts(self, row, body=None):
        """Indices into /contact of one row; with `body`, of the contacts that body takes part in."""
        offset = self.data["contact/row_offset"]
        indices = np.arange(offset[row], offset[row + 1])
        if body is not None:
            b, owner = self.bodies.index(body), self.data["geometries/body"]
            indices = [i for i in indices if b in (owner[self.data["contact/geometry_a"][i]], owner[self.data["contact/geometry_b"][i]])]
        return np.asarray(indices, dtype=int)

    def contact_sum(self, row, quantity, body=None):
        return self.data[f"contact/{quantity}"][self.contacts(row, body)].sum(axis=0)


def main():
    unittest.main(verbosity=2)
