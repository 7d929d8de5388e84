"""The iiwa that stacks a cube: Pang & Tedrake 2021, section V.B, figures 1, 7 and 8."""
import pathlib
import subprocess
import tempfile

import numpy as np

import svg_panels
from report import number
from runs import SOURCE, Case, slopes
from svg_plot import log_log

SCENE, CUBE = "cube_stacking", "cube_0"
QUASISTATIC = (0.2, 0.1, 0.05, 0.02, 0.01)                # s
DYNAMIC = (0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3)      # s
REFERENCE = 5e-5                                          # s, as in the paper
LIFTED = (2.5, 6.0)                                       # s, of the paper's remark about the angle
SHOWN = 0.01                                              # s between rows of the dynamics, the longer of it and the step


def dynamics(step, **keys):
    return Case(SCENE, step, {"integrator": "{type: discrete}", **keys}, rows=max(1, round(SHOWN / step)))


def study(runner, report, quick, folder):
    cases = {"reference": dynamics(1e-3 if quick else REFERENCE), "h = 0.4 s": Case(SCENE, 0.4, end=12)}
    cases |= {("qp", h): Case(SCENE, h) for h in QUASISTATIC[:3 if quick else None]}
    cases |= {("discrete", h): dynamics(h) for h in ((0.01, 5e-3) if quick else DYNAMIC)}
    if not quick:
        cases |= {("socp", 0.1): Case(SCENE, 0.1, {"integrator.problem": "socp"}), "braked": dynamics(1e-3, **{f"actuators.drive_{n}.feed_forward_velocity": "false" for n in range(1, 8)})}
    runs = runner.run_all(cases)
    draw_figures(runs, folder)
    report.text("## An arm that stacks cubes (section V.B)", "",
                "Scene [`cube_stacking`](../../scenes/cube_stacking/README.md), with the dimensions, stiffnesses and way points of the authors' program; 69 degrees of freedom. Ground truth is",
                "csim's own dynamics (Lagged) with the same springs, critically damped about the commanded motion, rotors for inertia, and steps of 5e-5 s as in the paper.")
    if not quick:
        draw_scene(runner.csim, folder / "figure_1.png")
        report.text("![The cube above the stack, with the contact forces](quasistatics/figure_1.png)", "", "Figure 1: the cube above the stack at 10 s.")
    judge_path(report, runs)
    judge_errors(report, runs, quick)
    if not quick:
        tabulate_cost(report, runs)


def pose(run):
    q = run.quaternion[CUBE]
    return np.hstack([q * np.sign(q[:, :1]), run.position[CUBE]])


def difference(run, reference, end=None):
    """Pose minus that of the reference at the run's times."""
    at = np.stack([np.interp(run.time, reference.time, column) for column in pose(reference).T], axis=1)
    return (pose(run) - at)[run.time <= (end or run.time[-1]) + 1e-9]


def integral_error(run, reference, end=None):
    """Eq 13 with the cube's quaternion and position, by the trapezoidal rule: m s (an angle of 2 rad counts as 1 m)."""
    distance = np.linalg.norm(difference(run, reference, end), axis=1)
    return float(np.sum(0.5 * (distance[1:] + distance[:-1]) * np.diff(run.time)[:len(distance) - 1]))


def angle(run):
    """Of the cube against the world, degrees."""
    q = run.quaternion[CUBE]
    return np.degrees(2 * np.arctan2(np.linalg.norm(q[:, 1:], axis=1), np.abs(q[:, 0])))


def judge_path(report, runs):
    run = runs["qp", 0.1]
    lift = run.at(4.0)
    report.within("force of a finger on the cube while it is carried, N: 500 N/m · 9.5 mm", run.normal_force("left_finger", CUBE)[lift], 4.75, 1e-3, "unique")
    report.within("height of the cube on the stack, m: three cubes and the shrinkage of a face", run.position[CUBE][-1, 2], 0.2585, 1e-6, "figure 8")
    others = [run.position[f"cube_{n}"] for n in range(1, 10)]
    report.within("way of the other cubes after the first step, largest, m", max(np.abs(p[1:] - p[1]).max() for p in others), 0.0, 1e-6)
    report.near("contacts in a step, mean: without the faces of the boxes, which the authors' program counts (56)", run.step["num_contacts"].mean(), 44.05, 1e-9, "56")
    report.within("deepest overlap at the start of a step, m: the arc of the motion in a step", -min(0.0, run.contact["phi"].min()), 0.0, 2e-3)


def lifted_angle(run, reference):
    """Largest difference of the cube's angle while it is lifted, degrees."""
    turn = angle(run) - np.interp(run.time, reference.time, angle(reference))
    return np.abs(turn[(run.time >= LIFTED[0]) & (run.time < LIFTED[1])]).max()


def judge_errors(report, runs, quick):
    reference = runs["reference"]
    steps = [h for kind, h in (key for key in runs if isinstance(key, tuple)) if kind == "qp"]
    error = {key: integral_error(run, reference) for key, run in runs.items()}
    away = np.linalg.norm(difference(runs["qp", 0.1], reference)[:, 4:], axis=1)
    report.text("![Integral error against step](quasistatics/figure_7.svg)", "",
                "Figure 7: the integral error of eq 13, of the cube's quaternion and position over 20 s. *Braked*: see below.")
    report.between("QP: integral error at 0.1 s, m s; at most that of the authors' own test", error["qp", 0.1], 0.0, 0.2, "figure 7")
    report.between("QP: largest distance of the cube from the dynamics at 0.1 s, m", away.max(), 0.0, 4e-3, "almost identical")
    report.between("QP: difference of the cube's angle while it is lifted, largest, degrees", lifted_angle(runs["qp", 0.1], reference), 0.0, 0.1, "0.8")
    if quick:
        return
    own = {h: integral_error(runs["qp", h], runs["qp", steps[-1]]) for h in steps[:-1]}
    for h, expected in zip(own, (0.080, 0.037, 0.016, 0.0041)):
        report.near(f"QP at {number(h)} s against QP at {number(steps[-1])} s: integral error, m s", own[h], expected, 0.04)
    report.between("QP against itself: lowest order of neighbouring steps", min(slopes(list(own), list(own.values()))), 1.0, 1.6)
    report.near("QP at 0.4 s against QP at 0.01 s, until 12 s", integral_error(runs["h = 0.4 s"], runs["qp", steps[-1]], 12), 0.0781, 0.04)
    report.between("QP at 0.01 s against the dynamics, m s: what the two models differ by", error["qp", 0.01], 0.0, 0.02)
    report.between("dynamics: integral error at 1e-3 s, m s", error["discrete", 1e-3], 0.0, 1e-3, "small")
    report.between("dynamics: integral error at 0.05 s, m s", error["discrete", 0.05], 1.0, 100.0, "explodes above 0.001 s")
    braked = {h: integral_error(runs["qp", h], runs["braked"]) for h in steps}
    report.between("QP against a braked arm: integral error at 0.2 s over that at 0.01 s", braked[0.2] / braked[0.01], 1.0, 1.25, "flat")
    report.text(f"The scheme is of first order in the step: the kinematics of a step are those of its start. From 0.2 s to 0.01 s its error against the dynamics falls from {number(error['qp', 0.2], 2)}",
                f"to {number(error['qp', 0.01], 2)} m s. The paper's curve is flat, up to 0.4 s. The same happens here with a reference whose joints are damped against the world instead of",
                f"about the commanded motion (`feed_forward_velocity: false`), as in the authors' controller: it lags behind the command, by {number(braked[0.01], 3)} m s, and all steps share this",
                f"lag (*braked*, {number(braked[0.2], 3)} m s at 0.2 s). The flat part is the controller's lag, not an error of the scheme. The angle while the cube is lifted differs by",
                f"{number(lifted_angle(runs['qp', 0.1], reference), 2)} degrees here, and by {number(lifted_angle(runs['qp', 0.1], runs['braked']), 2)} degrees against the braked arm; the paper has 0.8.",
                "", "At 0.4 s the cube is turned by 90 degrees in ten steps, arrives 11 mm beside its place, hangs over the edge of the stack, and loses it when the gripper opens at 13.6 s: the run ends there,",
                "with the body's name. The way points of the paper differ a little; its 0.4 s are not reproduced beyond that time.",
                "", "The dynamics stay stable at every step (the problem is convex), but above 0.02 s the cube is lost.",
                "", "![Path of the cube](quasistatics/figure_8.svg)", "", "Figure 8: the cube that is moved, by the dynamics at 5e-5 s and by quasistatic steps.",
                "", "![Angle while the cube is lifted](quasistatics/figure_8_angle.svg)")


def tabulate_cost(report, runs):
    rows = []
    for name, run in (("QP", runs["qp", 0.1]), ("SOCP", runs["socp", 0.1])):
        solve, other = (1e3 * run.step[f"seconds_{part}"] for part in ("solve", "geometry"))
        rows.append([name, number(run.step["iterations"].mean(), 3), int(run.step["iterations"].max()), *(number(f(solve), 3) for f in (np.mean, lambda x: np.percentile(x, 99))), number(other.mean(), 2),
                     number(1e3 * run.step["seconds_total"].sum(), 3), number(run.step["residual"].max(), 2)])
    report.table(("0.1 s", "iterations, mean", "most", "solve, mean (ms)", "99 % (ms)", "contact query (ms)", "all 200 steps (ms)", "largest residual"), rows)
    report.text("Measured on the machine that wrote this page, beside other work. The paper's mean for the QP is 3.56 ms (Gurobi, Intel i7-8700B), with 56 contacts.")


def draw_figures(runs, folder):
    reference = runs["reference"]
    steps = sorted({key[1] for key in runs if isinstance(key, tuple)}, reverse=True)
    names = {"QP": ("qp", "reference"), "dynamics": ("discrete", "reference"), "QP, braked": ("qp", "braked")}
    curves = {name: [integral_error(runs[kind, h], runs[against]) if (kind, h) in runs else 0.0 for h in steps] for name, (kind, against) in names.items() if against in runs}
    log_log("Moved cube", steps, curves, folder / "figure_7.svg", y_label="integral error (m s)", slope=None)
    shown = {"dynamics, 5e-5 s": reference, **{f"QP, {number(h)} s": runs["qp", h] for h in (0.01, 0.1, 0.2) if ("qp", h) in runs}, "QP, 0.4 s": runs["h = 0.4 s"]}
    panels = {label: {name: (run.time, values(run)) for name, run in shown.items()} for label, values in
              (("x (m)", lambda run: run.position[CUBE][:, 0]), ("y (m)", lambda run: run.position[CUBE][:, 1]), ("z (m)", lambda run: run.position[CUBE][:, 2]), ("angle (degrees)", angle))}
    while_lifted = {name: (run.time[mask], angle(run)[mask]) for name, run in shown.items() for mask in [(run.time > 1.5) & (run.time < LIFTED[1] + 0.05)]}
    svg_panels.draw("Moved cube", panels, folder / "figure_8.svg")
    svg_panels.draw("Moved cube while it is lifted", {"angle (degrees)": while_lifted}, folder / "figure_8_angle.svg")


def draw_scene(csim, picture):
    with tempfile.TemporaryDirectory() as name:
        output = pathlib.Path(name) / "scene.h5"
        subprocess.run([csim, "run", SOURCE / "scenes" / SCENE / "scene.yaml", "-o", output, "-q", "--end=10"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([csim, "view", output, "--png", picture, "--size", "900x560", "--zoom", "1.4", "--look-at", "0.4,0,0.3", "--force"], check=True, stdout=subprocess.DEVNULL)
