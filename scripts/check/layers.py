#!/usr/bin/env python3
"""Holds the order of the folders of lib/ along the include closure, and each outside library in its one place.

    scripts/check/layers.py [ROOT]

Prints each breach as FILE:LINE: what, with the way that leads there, and exits 1 when there is one.

1. Includes go backwards along core, law, geometry, mesh, patch, scene, model, contact, problem, solver, step, record, view, run, export, audit, study; cli stands at the end.
2. Nothing that solver/ reaches lies in geometry/, mesh/, patch/, scene/, model/ or contact/.
3. contact/ reaches core/, geometry/, mesh/, patch/ and model/pair_table.h; find_contacts.cpp alone may include model/model.h, and reaches what that needs.
4. An outside library is included by one source file, never by a header, so that it can be replaced there; the few that need more are
   listed in NEEDS_MORE with their files. Eigen, the language of every interface, is free.
"""
import pathlib
import re
import sys

ORDER = ["core", "law", "geometry", "mesh", "patch", "scene", "model", "contact", "problem", "solver", "step", "record", "view", "run", "export", "audit", "study"]

# Outside library -> how its headers begin.
LIBRARIES = {
    "yaml-cpp": r"yaml-cpp/",
    "HDF5": r"hdf5|H5",
    "pugixml": r"pugixml",
    "libdeflate": r"libdeflate",
    "nettle": r"nettle",
    "cairo": r"cairo",
    "CHOLMOD": r"(suitesparse/)?(cholmod|SuiteSparse_config)|Eigen/CholmodSupport",
    "BLAS": r"(cblas|openblas|lapacke)",
    "qhull": r"(lib)?qhull",
    "Assimp": r"assimp/",
    "FCL": r"(fcl|ccd)/",
    "NLopt": r"nlopt",
    "CLI11": r"CLI/",
    "spdlog": r"(spdlog|fmt)/",
}
NEEDS_MORE = {
    # All behind record/hdf5_file.h; the file driver that orders writes is a driver of HDF5's, in HDF5's own types.
    "HDF5": {"record/hdf5/hdf5_detail.h", "record/hdf5/hdf5_detail.cpp", "record/hdf5/hdf5_file.cpp", "record/hdf5/hdf5_growing.cpp", "record/hdf5/hdf5_attributes.cpp",
             "record/hdf5/hdf5_reading.cpp", "record/hdf5/ordered_driver.h", "record/hdf5/ordered_driver.cpp"},
}
FREE = re.compile(r"Eigen/(?!CholmodSupport)")
# Headers of the C++ library have no suffix and no folder; those of the C library and of POSIX are listed.
STANDARD = re.compile(r"[a-z_0-9]+$|(sys/[a-z]+|unistd|fcntl|dlfcn|signal|spawn|pthread|cxxabi|execinfo|link|malloc|poll|sched|cpuid|immintrin)\.h$")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


class Sources:
    """The C++ files under lib/ and cli/, by path relative to those folders' parent of includes: `core/types.h`, `cli/main.cpp`."""

    def __init__(self, root):
        self.root = root
        self.files = {}                                    # name -> [(line, header, is_outside)]
        for folder, prefix in (("lib", ""), ("cli", "cli/")):
            base = root / folder
            for path in sorted(base.rglob("*")):
                if path.suffix in (".h", ".cpp"):
                    self.files[prefix + path.relative_to(base).as_posix()] = list(self._includes(path))

    @staticmethod
    def _includes(path):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1) or match.group(2), match.group(2) is not None

    def path(self, name):
        return name if name.startswith("cli/") else "lib/" + name

    def resolve(self, name, header):
        """The project file that `header` means in `name`, or None."""
        sibling = (pathlib.PurePosixPath(name).parent / header).as_posix()
        return header if header in self.files else sibling if sibling in self.files else None

    def reached(self, start):
        """name -> the way from `start` to it, for every project file in the include closure."""
        ways, pending = {start: [start]}, [start]
        while pending:
            name = pending.pop()
            for _, header, _ in self.files[name]:
                target = self.resolve(name, header)
                if target and target not in ways:
                    ways[target] = ways[name] + [target]
                    pending.append(target)
        return ways


def folder(name):
    return name.split("/")[0]


def rank(name):
    return ORDER.index(folder(name)) if folder(name) in ORDER else len(ORDER)


def check_order(sources):
    for name, includes in sources.files.items():
        if folder(name) not in ORDER + ["cli"]:
            yield f"{sources.path(name)}:1: folder {folder(name)}/ has no place in the order of lib/"
        for line, header, outside in includes:
            target = None if outside else sources.resolve(name, header)
            if not outside and target is None:
                yield f"{sources.path(name)}:{line}: \"{header}\" is no file of lib/; outside headers stand in <>"
            elif target and rank(target) > rank(name):
                yield f"{sources.path(name)}:{line}: {folder(name)}/ includes {target}, which comes after it"


def check_reach(sources, start, allowed, rule):
    """Complains of the first file on each way out of `start` that `allowed` does not admit."""
    ways = sources.reached(start)
    for name, way in ways.items():
        if not allowed(name) and all(allowed(step) for step in way[:-1]):
            yield f"{sources.path(start)}:1: {rule}: " + " -> ".join(way)


def check_solver(sources):
    forbidden = ("geometry", "mesh", "patch", "scene", "model", "contact")
    for name in sources.files:
        if folder(name) == "solver":
            yield from check_reach(sources, name, lambda n: folder(n) not in forbidden, "solver/ sees problem/, law/ and core/ only")


def check_contact(sources):
    def allowed(name):
        return folder(name) in ("core", "geometry", "mesh", "patch", "contact") or name == "model/pair_table.h"

    whole_model = sources.reached("model/model.h") if "model/model.h" in sources.files else {}
    for name in sources.files:
        if folder(name) == "contact":
            gate = (lambda n: allowed(n) or n in whole_model) if name == "contact/find_contacts.cpp" else allowed
            yield from check_reach(sources, name, gate, "contact/ sees core/, geometry/, mesh/, patch/ and model/pair_table.h")


def check_libraries(sources):
    users = {}                                             # library -> [(name, line)]
    for name, includes in sources.files.items():
        for line, header, outside in includes:
            if not outside or FREE.match(header):
                continue
            library = next((lib for lib, pattern in LIBRARIES.items() if re.match(pattern, header)), None)
            if library:
                users.setdefault(library, []).append((name, line))
            elif not STANDARD.match(header):
                yield f"{sources.path(name)}:{line}: <{header}> belongs to no library that this check knows"
    for library, places in users.items():
        listed = NEEDS_MORE.get(library, set())
        for name, line in places:
            if name.endswith(".h") and name not in listed:
                yield f"{sources.path(name)}:{line}: {library} in a header"
        files = sorted({name for name, _ in places})
        if len(files) > 1 and not listed.issuperset(files):
            yield f"{sources.path(files[1])}:1: {library} is confined to one file, and is in {', '.join(files)}"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    sources = Sources(root)
    breaches = [b for check in (check_order, check_solver, check_contact, check_libraries) for b in check(sources)]
    print("\n".join(breaches) if breaches else f"layers: {len(sources.files)} files in order")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
