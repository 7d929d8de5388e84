"""Times of cvxopt and Clarabel on the problems of scenes/cube_stacking, beside csim's, for docs/evidence/performance.md.

    python3 scripts/studies/quasistatics/peers.py [CSIM]    # with cvxopt, and clarabel and scipy (PyPI) where they are there
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import program

SOURCE = pathlib.Path(__file__).resolve().parents[3]


def cvxopt_solver(p):
    import cvxopt
    from cvxopt import solvers
    matrices = [cvxopt.matrix(x) for x in (p.Q, -p.b, -p.J, p.e)]
    options = {"show_progress": False, "abstol": 1e-9, "reltol": 1e-9, "feastol": 1e-9}
    return lambda: np.array(solvers.coneqp(*matrices, options=options)["x"]).ravel()


def clarabel_solver(p):
    import clarabel
    from scipy import sparse
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
    solver = clarabel.DefaultSolver(sparse.csc_matrix(p.Q), -p.b, sparse.csc_matrix(-p.J), p.e, [clarabel.NonnegativeConeT(len(p.e))], settings)
    return lambda: np.array(solver.solve().x)


def report(name, seconds, error):
    print(f"{name:9} mean {1e3 * np.mean(seconds):6.3f} ms, p99 {1e3 * np.percentile(seconds, 99):6.3f} ms, furthest from csim {error:.1e} m/s or rad/s")


def main():
    csim = sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build/release/bin/csim"
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.h5"
        subprocess.run([csim, "run", "-q", SOURCE / "scenes/cube_stacking/scene.yaml", "-o", result], check=True)
        programs = program.Programs(result)
    seconds = programs.data["stats/step/seconds_solve"]
    report("csim", seconds, 0.0)
    for name, prepare in (("clarabel", clarabel_solver), ("cvxopt", cvxopt_solver)):
        times, error = [], 0.0
        for row in range(1, len(seconds) + 1):
            solve = prepare(programs.program(row))
            start = time.perf_counter()
            v = solve()
            times.append(time.perf_counter() - start)
            error = max(error, np.abs(v - programs.velocity(row)).max())
        report(name, times, error)


if __name__ == "__main__":
    main()
