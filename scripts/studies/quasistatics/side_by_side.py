"""Stepping without momentum beside csim's dynamics: where they agree, and what the convex relaxation of friction changes."""
import json
import pathlib
import subprocess
import tempfile

import numpy as np

import grasp
import svg_panels
from report import number
from runs import SOURCE, Case

SCENE = "push_grasp_place"
STEP, STEPS = 0.01, (0.02, 0.01, 5e-3)         # s
WEIGHT, MU, PUSH = 5.0, 0.5, 0.0825           # N; m/s, of the command while it pushes
SPRING = 1 / (1 / 1000 + 1 / 2000)            # N/m, finger and arm in series along the push
HEIGHT_SPRING, RAISE = 2000.0, 0.1            # N/m; m/s, of the command while it lifts
PUSHES, LIFTS = 1.5, (4.7, 5.0)               # s: a time while it pushes, times while it lifts
WEAK = 485.0                                  # N/m of the fingers, with 0.01 m of overlap: 2 mu F is 4.85 N
DYNAMICS = {"integrator.type": "discrete"}


def study(runner, report, quick, folder):
    cases = {("qp", h): Case(SCENE, h) for h in STEPS} | {"discrete": Case(SCENE, STEP, DYNAMICS)}
    weak = {f"actuators.{side}_grip.stiffness": WEAK for side in ("left", "right")}
    cases |= {"weak qp": Case(SCENE, STEP, weak), "weak qp, 1 ms": Case(SCENE, 1e-3, weak, rows=10), "weak discrete": Case(SCENE, STEP, weak | DYNAMICS)}
    fall = {"joints.ball_y.position": 0.2, "actuators.close_left.command": -0.106, "actuators.close_right.command": 0.106, "actuators.raise.command": 0}
    cases |= {f"fall {kind}": Case(grasp.SCENE, grasp.STEP, {**fall, "integrator": grasp.INTEGRATOR.format(kind)}, end=grasp.STEP) for kind in ("qp", "lcp")}
    runs = runner.run_all(cases)
    svg_panels.draw("Block", {label: {name: (run.time, run.position["block"][:, k]) for name, run in (("quasistatic", runs["qp", STEP]), ("dynamics", runs["discrete"]), ("weak, quasistatic", runs["weak qp"]),
                              ("weak, dynamics", runs["weak discrete"]))} for label, k in (("x (m)", 0), ("z (m)", 2))}, folder / "side_by_side.svg")
    report.text("## Beside the dynamics", "",
                "Scene [`push_grasp_place`](../../scenes/push_grasp_place/README.md): a gripper pushes a block along a table, grasps it and puts it on a shelf. One key changes the kind of stepping:", "",
                "    csim run scenes/push_grasp_place/scene.yaml -o q.h5",
                "    csim run scenes/push_grasp_place/scene.yaml --set integrator.type=discrete -o d.h5",
                "    csim diff q.h5 d.h5", "",
                "![Block](quasistatics/side_by_side.svg)")
    agree(report, runs, compared(runner))
    boundary_layer(report, runs)
    creep(report, runs)
    at_a_distance(report, runs)


def compared(runner):
    """Largest absolute differences of the two runs by `csim diff`: dataset -> value."""
    with tempfile.TemporaryDirectory() as name:
        files = [pathlib.Path(name) / f"{kind}.h5" for kind in "qd"]
        for file, options in zip(files, ([], ["--set", "integrator.type=discrete"])):
            subprocess.run([runner.csim, "run", SOURCE / "scenes" / SCENE / "scene.yaml", "-q", "-o", file, *options], check=True, stdout=subprocess.DEVNULL)
        found = json.loads(subprocess.run([runner.csim, "diff", *files, "--json"], capture_output=True, text=True).stdout)
        return {quantity["path"]: quantity["largest_absolute"] for quantity in found["quantities"]}


def agree(report, runs, differences):
    q, d = runs["qp", STEP], runs["discrete"]
    report.between("positions of all bodies over 8 s, largest difference by `csim diff`, m", differences["/trajectory/position"], 0.0, 3e-3)
    for time, what in ((5.5, "lifted"), (6.5, "carried"), (8.0, "on the shelf")):
        report.within(f"block {what}, at {time} s: distance between the two, m", np.linalg.norm(q.position["block"][q.at(time)] - d.position["block"][d.at(time)]), 0.0, 1e-4)
    for name, run in (("quasistatic", q), ("dynamics", d)):
        report.near(f"{name}: force of a finger on the block while it is carried, N: 1000 N/m · 0.01 m", run.normal_force("right", "block")[run.at(6.0)], 10.0, 2e-3)
        report.near(f"{name}: sag of the arm with the block, m: weight/2000 N/m", (run.command["height"] - run.joint["height"])[run.at(6.0)], WEIGHT / HEIGHT_SPRING, 2e-2)
    report.near("dynamics: lag of the finger while it pushes, m: μ W over the springs' stiffness", lag(d), MU * WEIGHT / SPRING, 5e-3)
    report.text("They agree where nothing slides: the grasp, the lift, the carrying. They differ by millimetres where something slides (the boundary layer, below) and where the arm stops:",
                "its inertia carries the block on, by 0.8 mm at the end of the push and by 2.4 mm for a moment at 6.54 s.")


def lag(run):
    """Of the pushing finger behind its command, m."""
    row = run.at(PUSHES)
    return sum(run.command[command][row] - run.joint[joint][row] for command, joint in (("along", "along"), ("right_grip", "right_slide")))


def boundary_layer(report, runs):
    report.text("### The boundary layer", "",
                "Where a contact slides, the relaxation holds it apart by μ times the way of the step. The block floats on that gap, and takes the finger that pushes it along,",
                "against the spring of its height: the table carries K μ h v more than the weight, and the push is larger by μ times that. Both vanish with the step.")
    for h in STEPS:
        run, layer = runs["qp", h], MU * h * PUSH
        report.near(f"h = {number(h)} s: height of the block over the table while it is pushed, m: μ h v", run.position["block"][run.at(PUSHES), 2] - 0.03, layer, 1e-3)
        report.near(f"h = {number(h)} s: lag of the finger, m: μ (W + K μ h v) over the springs' stiffness", lag(run), MU * (WEIGHT + HEIGHT_SPRING * layer) / SPRING, 1e-3)
    report.within("dynamics: height of the block while it is pushed, m: the depth of the contacts", runs["discrete"].position["block"][runs["discrete"].at(PUSHES), 2] - 0.03, 0.0, 5e-6)


def creep(report, runs):
    slip = (WEIGHT / (2 * MU * WEAK) - 0.01) / MU
    report.text("### Creep", "",
                f"With fingers of {WEAK:g} N/m the grip carries 2 μ F = {number(2 * MU * WEAK * 0.01)} N, less than the weight of 5 N. Coulomb's law leaves the block on the table. The relaxation lifts it as long as the slip of a",
                "step that the weight needs, (W/(2 μ K) − o)/μ with the overlap o, is smaller than the rise of a step: the layer of that slip presses the fingers apart and makes up for the force.",
                "With smaller steps this ends.")
    for name, expected in (("weak qp", RAISE - slip / STEP), ("weak qp, 1 ms", 0.0), ("weak discrete", 0.0)):
        run = runs[name]
        rise = np.diff(run.position["block"][[run.at(time) for time in LIFTS], 2])[0] / (LIFTS[1] - LIFTS[0])
        report.within(f"{name}: speed of the block while the gripper rises by 0.1 m/s, m/s", rise, expected, 1e-4)
    report.within("weak qp: height of the block after it has fallen 31 mm from the grip in one step, m", runs["weak qp"].position["block"][-1, 2], 0.03, 1e-6)
    report.within("weak qp: its lowest height, m", runs["weak qp"].position["block"][:, 2].min(), 0.03, 1e-6)


def at_a_distance(report, runs):
    report.text("### Force at a distance", "",
                "A candidate contact acts when it slides by more than 1/μ times the gap that is left. In `planar_grasp` with the ball 0.1 m over the ground and the fingers at rest 6 mm beside it, the",
                "ball falls in one step. With Coulomb's law it falls to the ground. With the relaxation it falls along the fingers, opens them and drags them down, without touching: to the height where",
                "both carry its 10 N, μ (0.042 − 0.010) = 0.006 + 0.010.")
    for kind, height, press in (("lcp", 0.1, 0.0), ("qp", 0.158, 10.0)):
        run = runs[f"fall {kind}"]
        report.within(f"{kind.upper()}: height of the ball after the step, m", run.position["ball"][-1, 1], height, 1e-8)
        report.within(f"{kind.upper()}: force of each finger, N", run.normal_force("left", "ball")[-1], press, 1e-6)
    report.within("QP: gap between ball and finger at the end of the step, m", run.position["ball"][-1, 0] - 0.1 - run.joint["left_slide"][-1], 0.016, 1e-8)
