"""Results of csim in Python: one file on h5py and numpy, with pandas, PyYAML and pyarrow where they are asked for.

    import csim
    r = csim.load("bounce.h5")
    r.body("ball").position           # [F, 3], m, at the times r.time
    r.force("ground", "ball")         # [F, 3], N, on the ball
    r.joint("j1").position            # [F], rad
    r.stats.iterations                # [S], at the times r.stats.time
    r.scene["contact"]["model"]       # the scene with every default
    r.to_pandas()                     # a table with one row per frame
    csim.run("bounce.yaml", output="sap.h5", contact__model="sap")
    csim.study_to_parquet("order")    # order/study.h5 as order/study.parquet, with units
    csim.show(r)                      # the page of `csim view` in a notebook

F frames are recorded of S steps. SI units; quaternions are (w, x, y, z); vectors stand in world axes. What a number means:
schemas/results.md. Examples: docs/python.md.
"""
import html
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as error:
    raise ImportError(f"csim.py needs h5py and numpy (pip install h5py, or Debian's python3-h5py): {error}") from error

__all__ = ["load", "run", "show", "find_program", "study_to_parquet", "Result", "Columns", "Page", "RunError"]

_BODY = ("position", "quaternion", "velocity", "angular_velocity")
# Ragged tables: rows of a frame from entry f to f + 1 of the offsets.
_RAGGED = {"contacts": "contact", "patches": "patch", "pairs": "pair"}
_LETTERS = {3: "xyz", 4: "wxyz"}


def load(path):
    """The result file at `path`: of a run that has ended, was killed (NAME.h5.part) or goes on."""
    return Result(path)


def _open(path):
    """The HDF5 file at `path`, for reading; what cannot be opened is named."""
    path = pathlib.Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a folder, expected a result of csim")
    try:
        return h5py.File(path, "r")
    except OSError as error:
        scene = path.suffix in (".yaml", ".yml", ".json")
        raise OSError(f"{path}: {'a scene or a study by its name, expected its result' if scene else 'cannot be read'}: {error}") from error


def _text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _nearest(name, names):
    import difflib
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f" (did you mean {near[0]!r}?)"
    most = 8
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"; there are {', '.join(map(repr, list(names)[:most])) or 'none'}{more}"


# What does not change with time, in groups of frames.
_STATIC = frozenset(f"{group}/{name}" for group, names in (
    ("actuator", ("name",)), ("constraint", ("name", "type", "row_offset", "body_a", "body_b", "point_a", "point_b", "joint_offset", "joint")),
    ("force", ("name", "body", "point")), ("sequence", ("name",))) for name in names)


class Columns:
    """Datasets as attributes, read when they are asked for: `columns.position`. dir() and `names` list them."""

    def __init__(self, result, title, sources):
        self._result, self._title, self._sources = result, title, sources     # name -> (path, index behind the rows or None)

    @property
    def names(self):
        return sorted(self._sources)

    def __dir__(self):
        return [*super().__dir__(), *self._sources]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        if name not in self._sources:
            raise AttributeError(f"{self._title} has no {name!r}{_nearest(name, self.names)}")
        path, columns = self._sources[name]
        values = self._result._read(path, columns)
        is_one = isinstance(columns, slice) and values.shape[-1] == 1
        return values[..., 0] if is_one else values

    def units(self, name):
        """The unit of a dataset; a list with one a column where they differ."""
        path, columns = self._sources[name]
        units = self._result.units(path)
        if isinstance(units, list) and columns is not None:
            units = units[columns]
        return units[0] if isinstance(units, list) and len(set(units)) == 1 else units

    def __repr__(self):
        return f"<{self._title}: {', '.join(self.names)}>"


class Result:
    """A result file. Arrays are read when they are asked for, and cut to the frames and steps that are whole."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        with _open(self.path) as file:
            if not _text(file.attrs.get("csim_schema", "")).startswith("csim-result/1"):
                raise ValueError(f"{path}: no result of csim (csim-result/1)")
            self.status = _text(file.attrs["status"])           # running, complete, failed, interrupted
            self.message = _text(file.attrs["message"])
            self.exit_code = int(file.attrs["exit_code"])
            self.bodies, self.geometries, self.joints, self.actuators, self.constraints = (
                [_text(name) for name in file[path][:]] for path in
                ("bodies/name", "geometries/name", "joints/name", "actuator/name", "constraint/name"))
            self._datasets = {}
            file.visititems(lambda name, item: self._datasets.__setitem__(name, item.shape) if isinstance(item, h5py.Dataset) else None)
        # Of a run that was killed some tables are longer than others.
        def rows(groups, offsets=()):
            lengths = [shape[0] for name, shape in self._datasets.items() if name.rpartition("/")[0] in groups and not self._is_static(name)]
            return min([*lengths, *(self._datasets[name][0] - 1 for name in offsets if name in self._datasets)])
        self.num_frames = max(0, rows(("trajectory", "energy", "joint", "actuator", "constraint", "force", "sequence"), [f"{group}/row_offset" for group in _RAGGED.values()]))
        self.num_steps = rows(("stats/step", "artefact"))

    @staticmethod
    def _is_static(name):
        return name in _STATIC

    def _read(self, path, columns=None):
        """The rows of a dataset that are whole, of one column or slice of columns."""
        path = path.strip("/")
        if path not in self._datasets:
            raise KeyError(f"{self.path}: no dataset {path!r}{_nearest(path, list(self._datasets))}")
        group = path.rpartition("/")[0]
        rows = slice(None)
        if not self._is_static(path):
            rows = {"trajectory": slice(self.num_frames), "energy": slice(self.num_frames), "joint": slice(self.num_frames),
                    "actuator": slice(self.num_frames), "constraint": slice(self.num_frames), "force": slice(self.num_frames),
                    "sequence": slice(self.num_frames), "stats/step": slice(self.num_steps),
                    "artefact": slice(self.num_steps)}.get(group, rows)
        with _open(self.path) as file:
            dataset = file[path]
            values = dataset[()] if not dataset.shape else dataset[rows] if columns is None else dataset[rows, columns]
        if isinstance(values, np.ndarray) and values.dtype.kind in "SO":
            return np.array([_text(value) for value in values], dtype=object)
        return _text(values) if isinstance(values, bytes) else values

    def __getitem__(self, path):
        """Any dataset by its path: r["contact/phi"]."""
        return self._read(path)

    def __contains__(self, path):
        return path.strip("/") in self._datasets

    def keys(self):
        """The paths of all datasets."""
        return sorted(self._datasets)

    def units(self, path):
        """The unit of a dataset, "1" for a pure number; a list where columns differ."""
        with _open(self.path) as file:
            units = file[path].attrs["units"]
        return [_text(unit) for unit in units] if np.ndim(units) else _text(units)

    def __repr__(self):
        return f"<csim.Result {str(self.path)!r}: {self.status}, {self.num_frames} frames, {self.num_steps} steps, {len(self.bodies)} bodies>"

    @property
    def time(self):
        """Times of the frames, s."""
        return self._read("trajectory/time")

    def _group(self, group, title):
        sources = {name.rpartition("/")[2]: (name, None) for name in self._datasets if name.rpartition("/")[0] == group}
        return Columns(self, title, sources)

    @property
    def stats(self):
        """Statistics of every step; `time` is its end."""
        return self._group("stats/step", "stats")

    @property
    def artefact(self):
        """Measures of the contact law's artefacts, of every step."""
        return self._group("artefact", "artefact")

    @property
    def energy(self):
        return self._group("energy", "energy")

    @property
    def events(self):
        """What happened rarely: time, kind, subjects, value."""
        return self._group("event", "events")

    @property
    def warnings(self):
        """What the run warned of: time, kind, text."""
        return self._group("warning", "warnings")

    @property
    def provenance(self):
        """What made the file: version, revision, libraries, machine, inputs."""
        with _open(self.path) as file:
            return {name: [_text(v) for v in value] if np.ndim(value) else int(value) if np.issubdtype(type(value), np.integer) else _text(value)
                    for name, value in file["provenance"].attrs.items()}

    @property
    def scene_text(self):
        """The scene with every default, as YAML."""
        return self._read("scene/resolved")

    @property
    def scene(self):
        """The scene with every default, as dictionaries and lists; needs PyYAML."""
        try:
            import yaml
        except ImportError as error:
            raise ImportError("Result.scene needs PyYAML (Debian: python3-yaml); Result.scene_text does not") from error
        return yaml.load(self.scene_text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def _index(self, kind, name, names):
        if name not in names:
            raise KeyError(f"{self.path}: no {kind} {name!r}{_nearest(name, names)}")
        return names.index(name)

    def _slice(self, offsets, index):
        offsets = self._read(offsets)
        return slice(int(offsets[index]), int(offsets[index + 1]))

    def _body_quantities(self):
        return [*_BODY, *(name for name in ("asleep",) if f"trajectory/{name}" in self)]

    def body(self, name):
        """position, quaternion, velocity, angular_velocity [F, ..], q, v (of its own joint), asleep [F] where the scene lets bodies sleep; mass, com, inertia."""
        index = self._index("body", name, self.bodies)
        sources = {quantity: (f"trajectory/{quantity}", index) for quantity in self._body_quantities()}
        sources |= {q: (f"trajectory/{q}", self._slice(f"bodies/{q}_offset", index)) for q in ("q", "v")}
        body = Columns(self, f"body {name!r}", sources)
        for quantity in ("mass", "com", "inertia"):
            setattr(body, quantity, self._read(f"bodies/{quantity}")[index])
        return body

    def joint(self, name):
        """position, velocity, effort: [F] of one coordinate, else [F, coordinates]."""
        index = self._index("joint", name, self.joints)
        q, v = (self._slice(f"joints/{which}_offset", index) for which in ("q", "v"))
        return Columns(self, f"joint {name!r}", {"position": ("joint/position", q), "velocity": ("joint/velocity", v), "effort": ("joint/effort", v)})

    def actuator(self, name):
        """command, effort: [F], of a cartesian one [F, 6]."""
        first = name + ".x"
        index = slice(self.actuators.index(first), self.actuators.index(first) + 6) if name not in self.actuators and first in self.actuators \
            else self._index("actuator", name, self.actuators)
        return Columns(self, f"actuator {name!r}", {quantity: (f"actuator/{quantity}", index) for quantity in ("command", "effort")})

    def constraint(self, name):
        """violation, force: [F] of one row, else [F, rows]."""
        rows = self._slice("constraint/row_offset", self._index("constraint", name, self.constraints))
        return Columns(self, f"constraint {name!r}", {quantity: (f"constraint/{quantity}", rows) for quantity in ("violation", "force")})

    def _rows(self, group, a, b):
        """Rows of a ragged table between `a` and `b`: (row, frame, sign); sign is -1 where the file has them as b, a."""
        offsets = self._read(f"{group}/row_offset")[:self.num_frames + 1]
        frame = np.repeat(np.arange(self.num_frames), np.diff(offsets))
        of_bodies = group == "pair"
        names = self.bodies if of_bodies else self.geometries
        def is_of(side, name):
            if name in self.bodies:
                index = self.bodies.index(name)
                return side == index if of_bodies else self._read("geometries/body")[side] == index
            if of_bodies:
                self._index("body", name, names)
            return side == self._index("body or geometry", name, [*self.bodies, *names] if name not in names else names)
        first, second = (self._read(f"{group}/{'body' if of_bodies else 'geometry'}_{side}")[:len(frame)] for side in "ab")
        forward, backward = is_of(first, a) & is_of(second, b), is_of(first, b) & is_of(second, a)
        rows = np.flatnonzero(forward | backward)
        return rows, frame[rows], np.where(forward[rows], 1.0, -1.0)

    def force(self, a, b):
        """The contact force of `a` on `b` at the frames, of points and patches, friction included: [F, 3], N. Names of bodies or body/geometry."""
        if "contact/force" not in self and "patch/force" not in self:
            raise KeyError(f"{self.path}: contacts were not recorded (output.contacts, output.patches)")
        total = np.zeros((self.num_frames, 3))
        for group in ("contact", "patch"):
            if f"{group}/force" not in self:
                continue
            rows, frame, sign = self._rows(group, a, b)
            if group == "contact" and "patch/force" in self:
                points = self._read("contact/kind")[rows] == 0     # the points of faces are in the patches' forces
                rows, frame, sign = rows[points], frame[points], sign[points]
            np.add.at(total, frame, sign[:, None] * self._read(f"{group}/force")[rows])
        return total

    def pair(self, a, b):
        """Of two bodies since the frame before, as a dictionary: impulse on b [F, 3] N s, peak_normal_force [F] N, contact_time [F] s; 0 where they did not touch."""
        rows, frame, sign = self._rows("pair", a, b)
        found = {"impulse": np.zeros((self.num_frames, 3)), "peak_normal_force": np.zeros(self.num_frames), "contact_time": np.zeros(self.num_frames)}
        found["impulse"][frame] = sign[:, None] * self._read("pair/impulse")[rows]
        for quantity in ("peak_normal_force", "contact_time"):
            found[quantity][frame] = self._read(f"pair/{quantity}")[rows]
        return found

    def to_pandas(self, table="frames"):
        """A pandas.DataFrame: `frames` (index: time; columns as `csim table` names them, "trajectory/position[ball].x"), `steps` (index: time),
        or one row per contact, patch, pair of bodies or event: `contacts`, `patches`, `pairs`, `events`."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("Result.to_pandas needs pandas (Debian: python3-pandas); the other functions do not") from error
        tables = {"frames": self._frame_columns, "steps": self._step_columns, "events": self._event_columns} | {
            name: lambda group=group: self._ragged_columns(group) for name, group in _RAGGED.items()}
        if table not in tables:
            raise ValueError(f"no table {table!r}{_nearest(table, list(tables))}")
        columns = tables[table]()
        index = pandas.Index(columns.pop("time"), name="time") if table in ("frames", "steps") else None
        return pandas.DataFrame(columns, index=index)

    def _frame_columns(self):
        columns = {"time": self.time}
        def add(path, item, values):
            label = f"{path}[{item}]" if item else path
            values = values.reshape(len(values), -1)
            width = values.shape[1]
            for i in range(width):
                columns[label if width == 1 else f"{label}.{_LETTERS.get(width, range(width))[i]}"] = values[:, i]
        for quantity in self._body_quantities():
            values = self._read(f"trajectory/{quantity}")
            for i, name in enumerate(self.bodies):
                add(f"trajectory/{quantity}", name, values[:, i])
        for name in self.joints:
            for quantity in ("position", "velocity", "effort"):
                add(f"joint/{quantity}", name, self.joint(name)[quantity])
        for name in self.actuators:
            for quantity in ("command", "effort"):
                add(f"actuator/{quantity}", name, self.actuator(name)[quantity])
        for name in self.constraints:
            for quantity in ("violation", "force"):
                add(f"constraint/{quantity}", name, self.constraint(name)[quantity])
        for quantity in self.energy.names:
            add(f"energy/{quantity}", None, self.energy[quantity])
        return columns

    def _step_columns(self):
        return {name: self.stats[name] for name in self.stats.names} | {name: self.artefact[name] for name in self.artefact.names}

    def _event_columns(self):
        return {name: self.events[name] for name in self.events.names}

    def _ragged_columns(self, group):
        offsets = self._read(f"{group}/row_offset")[:self.num_frames + 1]
        frame = np.repeat(np.arange(self.num_frames), np.diff(offsets))
        columns = {"time": self.time[frame], "frame": frame}
        for name in sorted(self._datasets):
            owner, _, quantity = name.rpartition("/")
            if owner != group or quantity.endswith("_offset"):
                continue
            values = self._read(name)[:len(frame)]
            if quantity in ("geometry_a", "geometry_b", "body_a", "body_b"):
                names = self.bodies if quantity.startswith("body") else self.geometries
                columns[quantity] = np.array(names, dtype=object)[values]
            elif values.ndim == 1:
                columns[quantity] = values
            else:
                columns |= {f"{quantity}.{letter}": values[:, i] for i, letter in enumerate("xyz")}
        return columns


class RunError(RuntimeError):
    """csim ended with an exit code other than 0. `path` is the result file where there is one, as of a simulation that failed (3)."""

    def __init__(self, exit_code, message, path=None):
        super().__init__(message)
        self.exit_code, self.path = exit_code, path


def find_program():
    """The program csim: the environment's CSIM, that of the wheel, installation or build this file belongs to, or the PATH's."""
    here = pathlib.Path(__file__).resolve()
    beside = [here.parent / "bin/csim", here.parents[3] / "bin/csim", here.parents[2] / "build/release/bin/csim"] if len(here.parents) > 3 else []
    for program in (os.environ.get("CSIM"), *beside, shutil.which("csim")):
        if program and os.access(program, os.X_OK):
            return str(program)
    raise FileNotFoundError("csim is found neither beside csim.py nor on the PATH; set the environment variable CSIM")


def _argument(key, value):
    """KEY=VALUE of --set. Text is taken as it stands, so that "auto" and "none" are words."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return f"{key.replace('__', '.')}={value if isinstance(value, str) else json.dumps(value)}"


def _call(program, *arguments):
    """What csim prints; RunError when it ends with another exit code than 0."""
    done = subprocess.run([program or find_program(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        path = json.loads(done.stdout)["file"] if "--json" in arguments and done.stdout else None
        raise RunError(done.returncode, done.stderr.strip() or f"csim ended with {done.returncode}", path)
    return done.stdout


def _scene_file(scene, folder):
    """The file of a scene; a dictionary is written into `folder`. JSON is YAML."""
    if not isinstance(scene, dict):
        return str(scene)
    path = pathlib.Path(folder) / f"{scene.get('name', 'scene')}.yaml"
    path.write_text(json.dumps(scene, default=lambda value: value.tolist()), encoding="utf-8")
    return str(path)


def run(scene, *, output=None, force=False, end=None, threads=None, program=None, **sets):
    """Simulates a scene, a file or a dictionary, and returns the Result.

    `sets` are keys of the scene, as --set has them, with "__" for ".": run("bounce.yaml", contact__model="sap", time__step=1e-3), or
    run("bounce.yaml", **{"bodies.ball.mass": 0.2}). `output`: the result file; default: the scene's name with .h5, here. An existing file is
    refused without `force`. Raises RunError with csim's messages when it ends with another exit code than 0."""
    options = [] if output is None else ["-o", str(output)]
    options += ["--force"] if force else []
    options += [] if end is None else ["--end", repr(float(end))]
    options += [] if threads is None else ["--threads", str(threads)]
    for key, value in sets.items():
        options += ["--set", _argument(key, value)]
    with tempfile.TemporaryDirectory() as folder:
        return load(json.loads(_call(program, "run", _scene_file(scene, folder), "--json", "-q", *options))["file"])


class Page:
    """A page of `csim view`, `html`, which a notebook shows as the value of a cell, `height` pixels high."""

    def __init__(self, text, height):
        self.html, self.height = text, height

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{self.height}" style="border: 0" allowfullscreen></iframe>'

    def __repr__(self):
        return f"<csim.Page: {len(self.html) / 1e6:.1f} MB of HTML, for a notebook>"


def show(what, *, height=600, program=None, **options):
    """The Page of `csim view` for a notebook: of a Result, a result file, or a scene (a file or a dictionary) at its start.

    `options` are those of `csim view`, with "_" for "-": show(r, azimuth=30, look_at="0,0,0.2"). The page is kept in the notebook."""
    if not 0 < height < float("inf"):
        raise ValueError(f"height: {height!r}, expected a number of pixels > 0")
    views = [part for key, value in options.items() for part in ("--" + key.replace("_", "-"), str(value))]
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        _call(program, "view", _scene_file(what.path if isinstance(what, Result) else what, folder), "-o", str(page), *views)
        return Page(page.read_text(encoding="utf-8"), height)


def study_to_parquet(study, output=None):
    """The table of a study, a row per case, as a Parquet file: index, id, role, status, seconds, warnings, then the varied keys and the measures,
    whose units stand in the metadata of their columns (`units`). `study`: its folder or the study.h5 that `csim study collect` writes;
    `output`: default study.parquet beside it. Returns the path of the file."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(f"study_to_parquet needs pyarrow (pip install pyarrow): {error}") from error
    source = pathlib.Path(study)
    if source.is_dir():
        source = source / "study.h5"
    columns = {}                                                  # name -> (field, array)
    with _open(source) as file:
        attributes = {key: _text(file.attrs.get(key, "")) for key in ("csim_schema", "name")}
        if not attributes["csim_schema"].startswith("csim-study/1"):
            raise ValueError(f"{source}: no table of a study (csim-study/1), as `csim study collect` writes it")
        for group in ("case", "vary", "measure"):
            found = {}                                            # a name with a slash lies in a group
            file[group].visititems(lambda name, item, found=found: found.__setitem__(name, item) if isinstance(item, h5py.Dataset) else None)
            order = ("index", "id", "role", "status", "seconds", "warnings") if group == "case" else found
            for name in order:
                values, units = found[name][()], _text(np.ravel(found[name].attrs.get("units", ""))[0])
                if values.dtype.kind in "SO":
                    values = [_text(value) for value in values]
                array = pyarrow.array(values)
                if name in columns:
                    raise ValueError(f"{source}: two columns {name!r}; a measure of another name makes the table possible")
                columns[name] = pyarrow.field(name, array.type, metadata={"units": units} if units else None), array
    schema = pyarrow.schema([field for field, _ in columns.values()], metadata=attributes)
    output = source.with_suffix(".parquet") if output is None else pathlib.Path(output)
    part = output.with_name(f"{output.name}.part")
    pyarrow.parquet.write_table(pyarrow.table([array for _, array in columns.values()], schema=schema), part)
    part.replace(output)
    return output


def _mjcf_module():
    if __package__:                       # of the wheel, where this file is the package csim
        from . import import_mjcf
    else:
        import import_mjcf
    return import_mjcf


def _import_mjcf(options, name):
    import sys

    import_mjcf = _mjcf_module()
    try:
        meshes = pathlib.Path(options.output).with_name(pathlib.Path(options.output).stem + "_meshes") if options.output else None
        scene, left_out, notes = import_mjcf.scene_of_mjcf(options.file, options.key, meshes)
    except ImportError:
        sys.exit(f"{name}: the package mujoco is missing: pip install mujoco")
    except ValueError as error:  # MuJoCo's compiler tells what is wrong with the file
        sys.exit(f"{name}: {options.file}: {error}")
    scene["time"]["end"] = options.end
    text = import_mjcf.yaml_of({"csim": scene.pop("csim"), "name": pathlib.Path(options.output or options.file).stem} | scene)
    if options.output:
        pathlib.Path(options.output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    for what, names in left_out.items():
        print(f"{options.file}: not in the scene: {what}: {', '.join(names)}", file=sys.stderr)
    for note in notes:
        print(f"{options.file}: note: {note}", file=sys.stderr)


def main():
    """`csim.py import-mjcf FILE.xml [-o SCENE.yaml] [--key FRAME]`: an MJCF model as a scene, what has no counterpart on stderr;
    `csim.py parquet STUDY [-o FILE]`: the table of a study as Parquet."""
    import argparse
    import sys

    name = "python -m csim" if __package__ else "csim.py"
    parser = argparse.ArgumentParser(prog=name, description="Scenes from models of other programs, tables for other programs.")
    commands = parser.add_subparsers(dest="command", required=True)
    mjcf = commands.add_parser("import-mjcf", help="an MJCF model as a scene, through the package mujoco", description=_mjcf_module().__doc__,
                               formatter_class=argparse.RawDescriptionHelpFormatter)
    mjcf.add_argument("file")
    mjcf.add_argument("-o", "--output", help="the scene (default: standard output)")
    mjcf.add_argument("--key", help="key frame to start from, by name or number (default: the reference pose)")
    mjcf.add_argument("--end", type=float, default=1.0, help="end of the simulation, s")
    parquet = commands.add_parser("parquet", help="the table of a study as Parquet with units, through the package pyarrow")
    parquet.add_argument("study", help="the study's folder, or its study.h5")
    parquet.add_argument("-o", "--output", help="the Parquet file (default: study.parquet beside it)")
    options = parser.parse_args()
    if options.command == "import-mjcf":
        _import_mjcf(options, name)
        return
    try:
        print(study_to_parquet(options.study, options.output))
    except (ImportError, OSError, ValueError) as error:
        sys.exit(f"{name}: {error}")


if __name__ == "__main__":
    main()
