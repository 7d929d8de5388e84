"""Fields of 16 to 400 cubes that a bar pushes, in quasistatic steps: factorizations and times of csim, beside Clarabel on the same problems; writes docs/evidence/quasistatic_fields.md.

    python3 scripts/studies/quasistatic_scaling.py [--csim PROGRAM] [--sides 4 6 ..]    # with clarabel and scipy (PyPI)
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts/studies/quasistatics"))

import program  # noqa: E402

STEPS = 30  # the last 20 are taken: all cubes move
LARGEST_FOR_PEER = 400  # cubes: its matrices are built dense
PEER_STEPS = (15, 20, 25, 30)

HEAD = """\
# Fields of cubes

A bar on a spring of 5000 N/m pushes a square field of cubes of 5 cm over the floor by 0.1 m/s, steps of 0.01 s, μ = 0.4. Neighbours touch in their whole faces, or
stand 1 mm apart. Where they touch, neither velocities nor impulses are unique. Counts are of steps 11 to 30. Times are of the processor, of the whole run over all its 30 steps (contacts, problem, solution; one
thread), on the machine that wrote this page, beside other work that takes its caches; `scripts/studies/quasistatic_scaling.py` writes it. Clarabel solves the problem of every fifth step, built anew from poses and
contacts of the result, to 1e-9 in all its tolerances.
"""
COLUMNS = ("cubes", "stand", "problem", "contacts", "factorizations, mean", "most", "ms a step", "µs a step and contact", "µs a factorization and contact", "largest residual", "Clarabel: iterations", "ms")


def field(side, gap, problem):
    pitch = 0.05 + gap
    half = 0.5 * (side - 1) * pitch
    cubes = "".join(f"""
- {{name: cube_{i}_{j}, density: 800, pose: {{xyz: [{0.037 + pitch * i}, {pitch * j - half}, 0.025]}}, geometry: [{{shape: box, size: [0.05, 0.05, 0.05], material: m}}]}}"""
                    for i in range(side) for j in range(side))
    return f"""\
csim: 1
time: {{step: 0.01, end: {STEPS / 100}}}
materials: {{m: {{friction: 0.4}}}}
bodies:
- {{name: floor, fixed: true, geometry: [{{shape: half_space, material: m}}]}}
- {{name: bar, mass: 1, inertia: solid, geometry: [{{shape: box, size: [0.02, {side * pitch + 0.1}, 0.04], material: m}}]}}{cubes}
joints: [{{name: x, type: prismatic, parent: world, child: bar, pose: {{xyz: [0, 0, 0.025]}}, axis: [1, 0, 0]}}]
actuators: [{{name: a, joint: x, type: position, stiffness: 5000, command: {{times: [0, 1], values: [0, 0.1]}}}}]
integrator: {{type: quasistatic, problem: {problem}}}
"""


def clarabel_solve(p, cones):
    """Iterations and seconds."""
    import clarabel
    from scipy import sparse
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
    rows = len(p.e)
    cone = [clarabel.SecondOrderConeT(3)] * (rows // 3) if cones else [clarabel.NonnegativeConeT(rows)]
    solver = clarabel.DefaultSolver(sparse.triu(p.Q, format="csc"), -p.b, sparse.csc_matrix(-p.J), p.e, cone, settings)
    start = time.process_time()
    solution = solver.solve()
    seconds = time.process_time() - start
    if str(solution.status) != "Solved":
        print(f"Clarabel: {solution.status}", file=sys.stderr)
    return solution.iterations, seconds


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(csim, side, gap, problem):
    with tempfile.TemporaryDirectory() as folder:
        scene, result = pathlib.Path(folder) / "field.yaml", pathlib.Path(folder) / "field.h5"
        scene.write_text(field(side, gap, problem))
        start = seconds_of_children()
        subprocess.run([csim, "run", "-q", "--threads", "1", scene, "-o", result], check=True)
        seconds = seconds_of_children() - start
        programs = program.Programs(result)
    data, later = programs.data, slice(10, None)
    factorizations = data["stats/step/factorizations"][later]
    contacts = np.diff(data["contact/row_offset"])[1:][later].mean()
    peer = ("–", "–")
    if side * side <= LARGEST_FOR_PEER:
        solved = np.array([clarabel_solve(programs.program(step), programs.cones) for step in PEER_STEPS])
        peer = (f"{solved[:, 0].mean():.0f}", f"{1e3 * solved[:, 1].mean():.1f}")
    return (side * side, "1 mm apart" if gap else "touching", f"`{problem}`", f"{contacts:.0f}", f"{factorizations.mean():.0f}", factorizations.max(), f"{1e3 * seconds / STEPS:.1f}",
            f"{1e6 * seconds / STEPS / contacts:.1f}", f"{1e6 * seconds / data['stats/step/factorizations'].sum() / contacts:.2f}", f"{data['stats/step/residual'][later].max():.0e}", *peer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", default=SOURCE / "build/release/bin/csim")
    parser.add_argument("--sides", type=int, nargs="+", default=[4, 6, 10, 14, 20], help="cubes along a side of the field")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=SOURCE / "docs/evidence/quasistatic_fields.md")
    options = parser.parse_args()
    lines = [HEAD, "| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    for problem in ("qp", "socp"):
        for gap in (0.0, 0.001):
            for side in options.sides:
                lines.append("| " + " | ".join(map(str, row(options.csim, side, gap, problem))) + " |")
                print(lines[-1], file=sys.stderr, flush=True)
    options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
