"""Planar scenes of the authors' program: a hand that holds a ball, a box that is pushed, a box that is turned over, an arm, a rope, a plate, many discs."""
import math
import pathlib
import random
import tempfile

import numpy as np

import builder as b
from runs import Case


def planar_hand(folder, name, mass, height, end):
    """Two arms of two links hold a ball; the commands stay."""
    bodies = [b.body("ball", [b.sphere(0.25, (0, 0, 0), "skin")], 1.0, 0.025)]
    joints, drives = [b.planar("ball", (0, height, 0))], []
    for side, sign in (("left", -1), ("right", 1)):
        upper, lower = f"{side}_upper", f"{side}_lower"
        bodies += [b.body(upper, [b.sphere(0.05, (0.1 * sign * k, 0, 0), "skin") for k in range(4)]), b.body(lower, [b.sphere(0.05, (0.1 * sign * k, 0, 0), "skin") for k in (1, 2)])]
        for joint, parent, child, x, span, stiffness in ((f"{side}_1", "world", upper, 0.1 * sign, math.pi / 2, 50), (f"{side}_2", upper, lower, 0.3 * sign, 2.4, 25)):
            joints.append(b.joint(joint, "revolute", parent, child, (0, 0, 1), sign * math.pi / 4, (x, 0, 0), limits=sorted((0, sign * span))))
            drives.append(b.drive(joint, stiffness, None, sign * math.pi / 4))
    return b.write(folder, name, bodies, joints, drives, {**b.PLANAR, "contact_threshold": 10, "mass": mass}, 0.05, end, (0, -10, 0), {"skin": 0.8})


def pushed_box(folder, name, way, step, end, gravity, grounded):
    """A box of 1 m and an actuated ball that pushes it; with `grounded` on the ground."""
    bodies, joints, drives = b.cartesian("hand", [b.sphere(0.1, (0, 0, 0), "hand")], 50, (0, end), *zip(*way))
    bodies.append(b.cornered_box("box", 5.0, 0.1666667))
    exclude = [("ground", "material:box"), ("ground", "hand")] if grounded else []
    return b.write(folder, name, bodies + ([b.ground(0.025)] if grounded else []), joints + [b.planar("box", (0, 0.5, 0))], drives, {**b.PLANAR, "contact_threshold": 0.1, "mass": "full"}, step, end,
                   gravity, {"box": 0.5, "corner": 1, "hand": 1, "ground": 0.5}, exclude)


def reaching_arm(folder, name):
    """Three links of 1 m push a box with the ball at their end."""
    start, bodies, joints, drives = (math.pi / 2, -math.pi / 2, -math.pi / 2), [], [], []
    for n, angle in enumerate(start):
        bodies.append(b.body(f"link_{n}", [b.sphere(0.1, (1, 0, 0), "hand")] if n == 2 else []))
        joints.append(b.joint(f"joint_{n}", "revolute", f"link_{n - 1}" if n else "world", f"link_{n}", (0, 0, 1), angle, (1 if n else 0, 0 if n else 0.1, 0)))
        drives.append(b.drive(f"joint_{n}", 1000, (0, 10), (angle, angle + 0.3), "cubic") | {"damping": 20, "feed_forward_velocity": True})
    bodies += [b.cornered_box("box", 1.0, 1 / 6, corners=((-1, -1), (1, -1))), b.ground()]
    return b.write(folder, name, bodies, joints + [b.planar("box", (1.7, 0.5, 0))], drives, {**b.PLANAR, "contact_threshold": "inf", "mass": "scaled"}, 0.02, 10, (0, -10, 0),
                   {"box": 1, "corner": 1, "hand": 1, "ground": 0.5}, [("ground", "material:box"), ("ground", "link_2")])


def rope(folder, name):
    """Thirty balls that hang on each other; a gripper sweeps through."""
    bodies, joints, drives = b.gripper([(x, -0.6, math.pi / 2, -0.05, 0.05) for x in (-0.32, 0.32)], (0, 12))
    bodies += [b.fixed("ball_0", b.sphere(0.009, (0, 0, 0), "rope"))]
    for n in range(1, 30):
        # A link's frame is at its parent's centre, its ball 0.02 m below.
        centre = (0, -0.02, 0)
        bodies.append(b.body(f"ball_{n}", [b.sphere(0.009, centre, "rope")], 1e-3, 4e-8, com=list(centre)))
        joints.append(b.joint(f"joint_{n}", "revolute", f"ball_{n - 1}", f"ball_{n}", (0, 0, 1), 0, (0, 0, 0) if n == 1 else centre, armature=0))
    return b.write(folder, name, bodies, joints, drives, {**b.PLANAR, "contact_threshold": 0.1, "mass": "full"}, 0.01, 12, (0, -1, 0), {"rope": 0.8, "finger": 1}, [("left_finger", "right_finger")])


def plate(folder, name):
    """A gripper takes a plate from the ground by its rim."""
    knots = [(0.32, 0.2, -0.6, -0.05, 0.05), (0.22, 0.05, -0.6, -0.04, 0.04), (0.18, 0.05, -1.0, -0.02, 0.02), (0.05, 0.03, -1.2, -0.02, 0.02), (0.05, 0.06, -1.2, -0.01, 0.01), (0.05, 0.2, -1.2, 0, 0),
             (0.32, 0.5, -1.2, 0, 0)]
    bodies, joints, drives = b.gripper(knots, [2 * k for k in range(7)])
    circles = [(0.025, 0, 0), (0.025, 0.05, 0), (0.02, 0.09, 0.008), (0.015, 0.125, 0.011), (0.01, 0.15, 0.017)]
    bodies += [b.body("plate", [b.sphere(radius, (sign * x, y, 0), "plate") for radius, x, y in circles for sign in ((-1, 1) if x else (1,))], 0.01, 1e-4), b.ground(0.025),
               b.fixed("wall", b.box((0.05, 1, 1), (-0.3, 0, 0), "ground"))]
    return b.write(folder, name, bodies, joints + [b.planar("plate", (0, 0.1, 0))], drives, {**b.PLANAR, "contact_threshold": 1, "mass": "full"}, 0.2, 12, (0, -10, 0),
                   {"plate": 0.8, "finger": 1, "ground": 0.5}, [("left_finger", "right_finger"), ("ground", "wall")])


def discs(folder, name):
    """A hundred balls on a frictionless table, swept by a gripper."""
    bodies, joints, drives = b.gripper([(x, 0.25, 0, -0.05, 0.05) for x in (-0.1, 0.4)], (0, 3))
    draw = random.Random(1)
    for n in range(100):
        bodies.append(b.body(f"disc_{n}", [b.sphere(0.01, (0, 0, 0), "disc")], 1e-4, 4e-9))
        joints.append(b.planar(f"disc_{n}", (0.05 * (n % 10 + 0.5) + draw.uniform(-0.014, 0.014), 0.05 * (n // 10 + 0.5) + draw.uniform(-0.014, 0.014), 0)))
    return b.write(folder, name, bodies, joints, drives, {**b.PLANAR, "contact_threshold": 0.1, "mass": "full"}, 0.2, 3, frictions={"disc": 0.1, "finger": 1}, exclude=[("left_finger", "right_finger")])


SCENES = {
    "hand": lambda folder, name: planar_hand(folder, name, "full", 0.5, 2), "hand at rest": lambda folder, name: planar_hand(folder, name, "none", 0.32, 1),
    "push": lambda folder, name: pushed_box(folder, name, ((0, -0.2), (0.1, 1.0)), 0.2, 5, (0, 0, 0), False),
    "pivot": lambda folder, name: pushed_box(folder, name, ((-0.7, 0.5), (1.0, 1.2)), 0.1, 5, (0, -9.81, 0), True),
    "arm": reaching_arm, "rope": rope, "plate": plate, "discs": discs}


STEPS = {"hand": 0.05, "hand at rest": 0.05, "push": 0.2, "pivot": 0.1, "arm": 0.02, "rope": 0.01, "plate": 0.2, "discs": 0.2}  # s


def study(runner, report, quick, folder):
    with tempfile.TemporaryDirectory() as place:
        scenes = {name: make(pathlib.Path(place), name.replace(" ", "_")) for name, make in SCENES.items()}
        cases = {name: Case(scenes[name], step) for name, step in STEPS.items()}
        cases["arm with momentum"] = Case(scenes["arm"], 1e-3, {"integrator": "{type: discrete}"}, rows=20)
        runs = runner.run_all(cases)
    report.text("## Scenes of the authors' program, in the plane", "",
                "`scripts/studies/quasistatics/further.py` builds them with the parameters of that program. Expected: values of a prototype with another solver, to its digits, where no other source is named.")
    judge_hand(report, runs)
    judge_box(report, runs)
    judge_others(report, runs)
    report.text("Smaller scenes have closed forms that tests hold to round-off (`tests/analytic/quasistatic_test.cpp`, `quasistatic_problems_test.cpp`): a ball that grazes a box, two spheres in line, a sphere",
                "that is pushed in 3D, a block that is pushed, a tripod, a slope, stops, rolling.")


def judge_hand(report, runs):
    report.text("**Hand and ball.** Two arms of two links with springs of 50 and 25 N m/rad hold a ball of 1 kg; with the ball's full mass it sinks at first as in honey, then the forces balance.")
    run = runs["hand"]
    for time, height in ((0.05, 0.47586021), (0.3, 0.36761551), (0.5, 0.32027701), (2.0, 0.31611055)):
        report.within(f"full mass: height of the ball at {time:g} s, m", run.position["ball"][run.at(time), 1], height, 1e-8)
    report.within("full mass: angles of the left arm at rest, furthest from expected, rad", max(abs(run.joint["left_1"][-1] + 0.77460743), abs(run.joint["left_2"][-1] + 0.78539816)), 0.0, 1e-8)
    report.within("full mass: sum of the normal forces on the ball at rest, N", pressed(run), 11.554260, 1e-6)
    report.within("full mass: left arm against the right one, largest difference, rad", max(np.abs(run.joint[f"left_{k}"] + run.joint[f"right_{k}"]).max() for k in (1, 2)), 0.0, 1e-8)
    rest = runs["hand at rest"]
    report.within("no mass: height of the ball, m", rest.position["ball"][-1, 1], 0.31611446, 1e-8)
    report.within("no mass: sum of the normal forces on the ball, N: twice 5.768757", pressed(rest), 2 * 5.768757, 1e-6)


def pressed(run):
    """Sum of the normal forces on the ball in the last row, N."""
    return sum(run.normal_force(f"{side}_{link}", "ball")[-1] for side in ("left", "right") for link in ("upper", "lower"))


def turn(run, name):
    """Angle about z, rad."""
    return 2 * np.arctan2(run.quaternion[name][:, 3], run.quaternion[name][:, 0])


def judge_box(report, runs):
    report.text("**A box that is pushed**, without gravity, by a ball on springs of 50 N/m; its mass of 5 kg is a drag.")
    run = runs["push"]
    for time, expected in ((1.0, (0.000138, 0.564748, 0.024664)), (3.0, (-0.027101, 0.995734, 0.185934)), (5.0, (-0.125993, 1.438590, 0.523602))):
        row = run.at(time)
        found = (*run.position["box"][row, :2], turn(run, "box")[row])
        report.within(f"x, y and angle of the box at {time:g} s, furthest from expected, m or rad", np.abs(np.subtract(found, expected)).max(), 0.0, 1e-6)
    report.within("force of the ball at 5 s, N", run.normal_force("hand", "box")[-1], 5.3958, 1e-4)
    report.text("**A box that is turned over** an edge by a ball that goes up and across.")
    run = runs["pivot"]
    report.within("angle of the box at the end, rad", turn(run, "box")[-1], -math.pi / 2, 1e-6)
    report.within("height of its centre, m", run.position["box"][-1, 1], 0.525, 1e-6)
    chosen, _ = run.between("ground", "box")
    last = chosen[run.row[chosen] == len(run.time) - 1]
    loads = np.sort(run.contact["normal_force"][last])[::-1]
    report.within("load of each of the two corners that stand at the end, further from half the weight, N", np.abs(loads[:2] - 24.525).max(), 0.0, 1e-6)
    for time, expected in ((3.0, (0.179, 0.649, -0.295)), (4.0, (0.669, 0.717, -1.011))):
        found = (*run.position["box"][run.at(time), :2], turn(run, "box")[run.at(time)])
        report.within(f"x, y and angle of the box at {time:g} s, furthest from expected, m or rad", np.abs(np.subtract(found, expected)).max(), 0.0, 1e-2)


def judge_others(report, runs):
    report.text("**An arm of three links** pushes a box along the ground and tilts it. Against csim's dynamics at 0.001 s (links of armature alone, damped about the commanded motion), integrals over 10 s, within the",
                "bounds of the authors' own test.")
    run, truth = runs["arm"], runs["arm with momentum"]
    joints = np.stack([run.joint[f"joint_{n}"] - truth.joint[f"joint_{n}"] for n in range(3)], axis=1)
    for what, away, bound in (("joints, rad s", joints, 0.1), ("angle of the box, rad s", (turn(run, "box") - turn(truth, "box"))[:, None], 0.15), ("position of the box, m s", run.position["box"] - truth.position["box"], 0.1)):
        report.between(f"integral of the difference: {what}", np.linalg.norm(away, axis=1).mean() * run.time[-1], 0.0, bound)
    report.text("**A rope** of thirty balls hangs; a gripper sweeps through it.")
    run = runs["rope"]
    joints = np.abs(np.stack([run.joint[f"joint_{n}"] for n in range(1, 30)], axis=1)).max(axis=1)
    touched = np.argmax(np.bincount(run.row, run.contact["normal_force"], len(run.time)) > 1e-6)
    report.within("angle of a joint of the rope before it is touched, largest, rad", joints[:touched].max(), 0.0, 1e-9)
    report.between("the same at any time", joints.max(), 0.1, math.pi)
    report.between("lowest height of the rope, m: its length below the hook", min(run.position[f"ball_{n}"][:, 1].min() for n in range(30)) - 0.02, -0.58 - 1e-9, -0.58 + 1e-9)
    report.text("**A plate** of nine discs is taken by its rim and lifted; **a hundred discs** are swept together.")
    run = runs["plate"]
    report.between("height of the plate's middle disc over the ground before the gripper rises with it, m", run.position["plate"][run.at(8.0), 1] - 0.05, 0.0, 0.03)
    report.between("the same at 10 s", run.position["plate"][run.at(10.0), 1] - 0.05, 0.05, 0.15)
    run = runs["discs"]
    report.within("discs: deepest overlap at the start of a step, m", -min(0.0, run.contact["phi"].min()), 0.0, 1e-6)
    moved = [name for name in run.bodies if name.startswith("disc_") and np.linalg.norm(run.position[name][-1] - run.position[name][0]) > 1e-9]
    report.between("discs that were moved: those in reach of the gripper's fingers and those that they push", len(moved), 10, 60)
