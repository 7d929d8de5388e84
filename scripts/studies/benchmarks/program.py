"""Runs of csim, MuJoCo and Drake of one scene (a dictionary with the keys of csim), each with its time."""
import dataclasses
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/studies"))
import peers  # noqa: E402

HAS_MUJOCO, HAS_DRAKE = (importlib.util.find_spec(name) is not None for name in ("mujoco", "pydrake"))
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@dataclasses.dataclass
class Motion:
    """Rows of a run. `failure`: why it has none, or "". `seconds`: of the steps alone, `steps` in number."""
    time: np.ndarray = None
    position: dict = None          # name -> [F, 3]
    quaternion: dict = None        # name -> [F, 4]
    velocity: dict = None          # name -> [F, 3], body origins
    angular_velocity: dict = None  # name -> [F, 3], world axes
    energy: dict = dataclasses.field(default_factory=dict)   # csim: name -> [F]
    contact: dict = dataclasses.field(default_factory=dict)  # csim, with output.contacts: name -> [N], and row_offset
    ground_impulse: np.ndarray = None  # csim: on all others by the body `ground`, which stands first; N s [3]
    failure: str = ""
    seconds: float = float("nan")
    steps: int = 0

    @property
    def microseconds_per_step(self):
        return 1e6 * self.seconds / max(self.steps, 1)


def plain(value):
    """Without types of numpy."""
    return json.loads(json.dumps(value, default=float))


def flow(value):
    """YAML of a setting on the command line."""
    return yaml.safe_dump(plain(value), default_flow_style=True, width=10**9).removesuffix("...\n").strip()


class Csim:
    def __init__(self, program):
        self.program = str(program)

    def version(self):
        return subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]

    def _call(self, command, scene, keys, *options):
        """Runs a command on the scene, in a folder of its own, and returns its exit code, what it printed, and what `read` makes of the result."""
        with tempfile.TemporaryDirectory() as folder:
            text, result = pathlib.Path(folder, "scene.yaml"), pathlib.Path(folder, "result.h5")
            text.write_text(yaml.safe_dump(plain(scene), sort_keys=False), encoding="utf-8")
            settings = [word for key, value in keys.items() for word in ("--set", f"{key}={flow(value)}")]
            if command == "run":
                options = ("-o", str(result), "-q", "--threads", "1")
            done = subprocess.run([self.program, command, str(text), *options, *settings], capture_output=True, text=True, check=False, env=ENVIRONMENT)
            return done, self._read(result) if command == "run" and done.returncode == 0 else None

    def run(self, scene, keys=None):
        """The Motion of a run with `keys` (path -> value) set."""
        contacts = scene.get("output", {}).get("contacts", False)
        defaults = {"output.contacts": contacts, "solver.condition_number": "none"}
        done, motion = self._call("run", scene, {**defaults, **(keys or {})})
        if motion is not None:
            return motion
        lines = [line for line in done.stderr.splitlines() if "error" in line or "failed" in line] or done.stderr.splitlines() or ["no message"]
        return Motion(failure=f"exit {done.returncode}: {lines[-1].split(': ', 1)[-1]}")

    def explain(self, scene, keys=None):
        """What `csim explain --json` says of the scene."""
        done, _ = self._call("explain", scene, keys or {}, "--json")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    @staticmethod
    def _read(path):
        with h5py.File(path) as file:
            names = file["bodies/name"].asstr()[:]

            def by_name(quantity):
                rows = file[f"trajectory/{quantity}"][:]
                return {name: rows[:, i] for i, name in enumerate(names)}

            seconds = file["stats/step/seconds_total"][:] - file["stats/step/seconds_record"][:]
            contact = {name: item[:] for name, item in file["contact"].items()} if "contact/phi" in file else {}
            pair = file["pair"]
            ground_impulse = pair["impulse"][:][pair["body_a"][:] == 0].sum(axis=0)
            return Motion(file["trajectory/time"][:], by_name("position"), by_name("quaternion"), by_name("velocity"), by_name("angular_velocity"),
                          {name: item[:] for name, item in file["energy"].items()}, contact, ground_impulse, "", float(seconds.sum()), len(seconds))


def output_times(scene):
    period = scene.get("output", {}).get("period", 0.01)
    return np.arange(round(scene["time"]["end"] / period) + 1) * period, period


def run_mujoco(scene, step, options="", spring=None, before_step=None):
    """The Motion under MuJoCo; `options`: attributes of <option>; `before_step(model, time)` is called before each step."""
    import mujoco
    mujoco.set_mju_user_warning(lambda message: None)  # it would write a file into the current folder
    model, data = peers.build_mujoco(scene, step, spring, options)
    time_of_rows, period = output_times(scene)
    names = [body["name"] for body in scene["bodies"] if not body.get("fixed")]
    keys = ("position", "quaternion", "velocity", "angular_velocity")
    rows = {key: {name: [] for name in names} for key in keys}
    twist, per_row, seconds = np.zeros(6), round(period / step), 0.0
    for row in range(len(time_of_rows)):
        if row > 0:
            start = time.perf_counter()
            if before_step is None:
                mujoco.mj_step(model, data, nstep=per_row)
            else:
                for _ in range(per_row):
                    before_step(model, data.time)
                    mujoco.mj_step(model, data)
            seconds += time.perf_counter() - start
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_comVel(model, data)
        for name in names:
            body = data.body(name)
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body.id, twist, 0)
            for key, value in zip(keys, (body.xpos, body.xquat, twist[3:], twist[:3])):
                rows[key][name].append(value.copy())
    motion = Motion(time_of_rows, *({name: np.array(x) for name, x in rows[key].items()} for key in keys), seconds=seconds, steps=per_row * (len(time_of_rows) - 1))
    if not all(np.isfinite(x).all() for x in motion.position.values()) or data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number > 0:
        return Motion(failure="not finite")
    return motion


def run_drake(scene, step):
    """The Motion under Drake's discrete scheme with Lagged."""
    plant, simulator, context, placed = peers.build_drake(scene, step)
    time_of_rows, period = output_times(scene)
    keys = ("position", "quaternion", "velocity", "angular_velocity")
    rows, seconds = {key: {spec["name"]: [] for _, spec in placed} for key in keys}, 0.0
    try:
        simulator.Initialize()
        for t in time_of_rows:
            start = time.perf_counter()
            simulator.AdvanceTo(t)
            seconds += time.perf_counter() - start
            for body, spec in placed:
                pose, twist = plant.EvalBodyPoseInWorld(context, body), plant.EvalBodySpatialVelocityInWorld(context, body)
                for key, value in zip(keys, (pose.translation(), pose.rotation().ToQuaternion().wxyz(), twist.translational(), twist.rotational())):
                    rows[key][spec["name"]].append(np.array(value))
    except RuntimeError as error:
        return Motion(failure=str(error).splitlines()[0][:60])
    return Motion(time_of_rows, *({name: np.array(x) for name, x in rows[key].items()} for key in keys), seconds=seconds, steps=round(scene["time"]["end"] / step))


def versions(csim):
    """Lines of the machine and of the versions that made the numbers."""
    import platform
    cpu = next((line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if line.startswith("model name")), platform.processor())
    lines = [f"csim: {csim.version()}", f"cpu: {cpu}, {os.cpu_count()} processors", f"system: {platform.system()} {platform.machine()}, Python {platform.python_version()}",
             f"date: {time.strftime('%Y-%m-%d')}"]
    for name, module in (("MuJoCo", "mujoco"), ("Drake", "pydrake"), ("SciPy", "scipy")):
        if importlib.util.find_spec(module) is None:
            lines.append(f"{name}: not installed, left out")
        else:
            lines.append(f"{name}: {importlib.metadata.version({'pydrake': 'drake'}.get(module, module))}")
    return lines
