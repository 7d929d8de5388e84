#!/usr/bin/env python3
"""Writes docs/evidence/friction_problems.md: csim solve on every problem of a folder, beside Siconos' NSGS where it is installed.

    scripts/studies/friction_board.py build/release/bin/csim FOLDER [--limit 60]

FOLDER holds problems in FCLIB's format (.hdf5) or in the text of Siconos (.dat), such as numerics/src/FrictionContact/test/data of Siconos' sources. Siconos:
Debian's python3-siconos with its defaults; without it csim's own sweeps stand there. All impulses are judged here, by the formula on the page, written again.
"""
import argparse
import hashlib
import json
import multiprocessing
import subprocess
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-8
SWEEPS = 10000
try:
    import siconos.numerics as siconos
except ImportError:
    siconos = None

HEAD = """# Problems of friction

Every problem at hand, solved by `csim solve` to {tolerance:g}. Each is one step of a simulation of others, rigid contacts with Coulomb friction, that
researchers of solvers collect (FCLIB; the test data of Siconos). Written by `scripts/studies/friction_board.py`; the files are not part of csim.

The residual is the larger of two, computed from the file's matrices and the impulses alone, with $u = W r + q$ and $\\tilde u = u + \\mu |u_T| e_N$ (rolling:
$+ \\mu_r |\\omega|$):

$$|r - P_K(r - \\tilde u)|/|q| \\qquad\\text{{and}}\\qquad |(r - P_K(r - \\rho\\,\\tilde u))/\\rho|/|q|,\\quad \\rho_c = \\text{{rows}}/\\operatorname{{tr}} W_{{cc}}$$

The first is the natural map of Acary, Brémond & Huber 2018, the merit function of FCLIB, in the file's units; it is divided by $|q|$ alone (FCLIB's source has $1 + \\sqrt{{|q|}}$, a
version of Siconos' $1 + |q|$). The second does not change with the units. Global problems are reduced to $W = H^T M^{{-1}} H$; the residual of $M v = H r + f$ is in csim's report.

"""


def files(folder):
    """Problems by name, each contents once."""
    seen = set()
    for path in sorted(folder.iterdir()):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if path.suffix in (".hdf5", ".dat") and digest not in seen:
            seen.add(digest)
            yield path


def solve(csim, path, method, folder, limit):
    """csim's report, its impulses and the reduced problem; what it says of a file that it does not take; None when it takes too long."""
    reduced, output = folder / "reduced.hdf5", folder / "out.h5"
    try:
        ran = subprocess.run([csim, "solve", path, "--json", "--method", method, "--tolerance", str(TOLERANCE), "--reduced", reduced, "-o", output, "--force",
                              *(["--max-iterations", str(SWEEPS)] if method == "gauss_seidel" else [])],
                             capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None
    if not ran.stdout:
        return ran.stderr.strip().replace(str(path), path.name).removeprefix("csim: error: ")
    with h5py.File(output) as f:
        return json.loads(ran.stdout), f["reaction"][:], Problem(reduced)


class Problem:
    """W, q, mu of a reduced problem; csim's residual written again."""

    def __init__(self, path):
        with h5py.File(path) as f:
            group, = (f[name] for name in f if name.startswith("fclib_local"))
            self.dimension = int(group["spacedim"][0])
            self.q, self.mu = group["vectors/q"][:], group["vectors/mu"][:]
            self.mu_rolling = group["vectors/mu_r"][:] if self.dimension == 5 else np.zeros_like(self.mu)
            self.W = np.zeros((len(self.q),) * 2)
            self.W[group["W/i"][:], group["W/p"][:]] = group["W/x"][:]

    def residual(self, r):
        """The two residuals of one or two frictions a contact, by bisection of the projection's normal component."""
        n = len(self.mu)
        r = r.reshape(n, self.dimension)
        u = (self.W @ r.ravel() + self.q).reshape(r.shape)
        parts = [slice(1, self.dimension)] if self.dimension < 5 else [slice(1, 3), slice(3, 5)]
        mus = [self.mu, self.mu_rolling]
        size = np.linalg.norm(self.q) or 1.0
        found = []
        for rho in (np.ones(n), 1 / self.W.diagonal().reshape(r.shape).mean(axis=1)):
            z = r - rho[:, None] * u
            z[:, 0] -= rho * sum(mu * np.linalg.norm(u[:, p], axis=1) for mu, p in zip(mus, parts))
            length = [np.linalg.norm(z[:, p], axis=1) for p in parts]
            low, high = np.zeros(n), np.abs(z).sum(axis=1) * (1 + self.mu) + 1e-300
            for _ in range(200):
                middle = (low + high) / 2
                slope = middle - z[:, 0] - sum(mu * np.maximum(t - mu * middle, 0) for mu, t in zip(mus, length))
                low, high = np.where(slope < 0, middle, low), np.where(slope < 0, high, middle)
            p_z = z.copy()
            p_z[:, 0] = high
            for mu, t, p in zip(mus, length, parts):
                p_z[:, p] *= np.minimum(1, mu * high / np.maximum(t, 1e-300))[:, None]
            found.append(np.linalg.norm((r - p_z) / rho[:, None]) / size)
        return max(found)


def nsgs(problem):
    """Siconos' NSGS: sweeps, seconds, residual."""
    solver, driver = {2: ("SICONOS_FRICTION_2D_NSGS", siconos.fc2d_driver), 3: ("SICONOS_FRICTION_3D_NSGS", siconos.fc3d_driver)}[problem.dimension]
    task = (siconos.frictionContact_new_from_filename(str(problem.text)) if problem.text
            else siconos.FrictionContactProblem(problem.dimension, len(problem.mu), problem.W, problem.q, problem.mu))
    options = siconos.SolverOptions(getattr(siconos, solver))
    options.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = SWEEPS
    options.dparam[siconos.SICONOS_DPARAM_TOL] = TOLERANCE
    r, u = np.zeros_like(problem.q), np.zeros_like(problem.q)
    begin = time.perf_counter()
    driver(task, r, u, options)
    return int(options.iparam[siconos.SICONOS_IPARAM_ITER_DONE]), time.perf_counter() - begin, problem.residual(r)


def apart(function, argument, limit):
    """The function's value from a process of its own; what became of it as text where it crashes or takes longer than `limit` s."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=lambda: there.send(function(argument)))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(limit) else f"none within {limit} s"
    except EOFError:
        return "crashed"
    finally:
        process.kill()
        process.join()


def outcome(residual):
    return f"{residual:.1e}" if residual <= TOLERANCE else f"**{residual:.1e}**"


def row_of(csim, path, limit):
    """A row of the table, and (whether csim solves it, whether the one beside it does, csim's seconds); nothing of the latter where it is no problem."""
    name = path.name.replace("__test__data__", "/").replace("__tests__data__", "/")
    with tempfile.TemporaryDirectory() as folder:
        found = solve(csim, path, "auto", Path(folder), limit)
        if isinstance(found, str):
            return f"| {name} | | | | not a problem of friction: {found} | | |", None
        if found is None:
            return f"| {name} | | | | none within {limit} s | | |", (False, None, limit)
        report, reaction, problem = found
        problem.text = path if report["format"] == "siconos_local" and problem.dimension == 3 else None  # which Siconos reads itself, with its own storage of W
        residual, modes = problem.residual(reaction), report["modes"]
        parts = ", ".join(f"{p['method'].replace('_', ' ')} {p['iterations']}" for p in report["parts"]) or "none needed"
        text = (f"| {name} | {report['dimension']} | {report['contacts']} | {modes['apart']}, {modes['stick']}, {modes['slip']} | "
                f"{parts}; {1e3 * report['seconds']:.2g} ms | {outcome(residual)} {report['message']}")
        beside, sweeps = beside_of(csim, path, problem, Path(folder), limit)
        return f"{text} | {sweeps} |", (report["converged"] and residual <= TOLERANCE, beside, report["seconds"])


def beside_of(csim, path, problem, folder, limit):
    """Whether the sweeps solve it, and their cell; None and a dash where there is no such solver."""
    if problem.dimension == 5 or not len(problem.mu):
        return None, "–"
    if siconos:
        found = apart(nsgs, problem, limit)
        if isinstance(found, str):
            return False, found
        sweeps, seconds, residual = found
    else:
        found = solve(csim, path, "gauss_seidel", folder, limit)
        if found is None:
            return False, f"none within {limit} s"
        sweeps, seconds, residual = found[0]["iterations"], found[0]["seconds"], problem.residual(found[1])
    return residual <= TOLERANCE, f"{sweeps}; {1e3 * seconds:.2g} ms; {outcome(residual)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csim")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=60, help="s, of each solution")
    parser.add_argument("-o", type=Path, default=ROOT / "docs/evidence/friction_problems.md")
    options = parser.parse_args()
    rows = []
    for path in files(options.folder):
        rows.append(row_of(options.csim, path, options.limit))
        print(rows[-1][0], flush=True)
    judged = [verdict for _, verdict in rows if verdict]
    peers = [verdict[1] for verdict in judged if verdict[1] is not None]
    peer = ("Siconos' NSGS (Debian's python3-siconos, its defaults; it reads spatial local problems in its own text, and gets a dense W of others)" if siconos
            else "csim's own sweeps (`--method gauss_seidel`), as Siconos was not at hand")
    text = HEAD.format(tolerance=TOLERANCE) + (
        f"csim solves {sum(v[0] for v in judged)} of {len(judged)} problems, the longest in {max(v[2] for v in judged):.2g} s. Beside it stands {peer}, at most {SWEEPS} sweeps and {options.limit} s, "
        f"asked for the same tolerance by its own measure: {sum(peers)} of {len(peers)} plane and spatial problems by the residual above. A residual above {TOLERANCE:g} is bold. "
        "Times are of one run on a busy machine. Files with equal contents appear once.\n\n"
        "| problem | rows | contacts | apart, stick, slip | csim: iterations; time | residual | beside it: sweeps; time; residual |\n|---|---|---|---|---|---|---|\n")
    options.o.write_text(text + "\n".join(row for row, _ in rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
