"""The planar gripper and the ball: Pang & Tedrake 2021, sections IV.A and V.A, figures 2, 5 and 6."""
import math
import re

import numpy as np

import svg_panels
from runs import Case

SCENE = "planar_grasp"
STEP, STIFFNESS, MU, WEIGHT, OVERTRAVEL = 0.01, 1000.0, 0.5, 10.0, 0.01
EVENTS = (0.03, 0.13, 0.23)  # s: the fingers touch, begin to slip, stop slipping
INTEGRATOR = "{{type: quasistatic, problem: {}, rays_per_contact: 2, contact_threshold: inf}}"


def closed_form(problem, command):
    """Height of the fingers y and gap phi1 of a finger after each step, by the friction of both fingers against the spring of the height, from the
    commands of the height; k = 2 mu K_x/K_y = 1. Coulomb: the spring's stretch is at most o k; relaxed: it is o k + mu k d after a slip d, phi1 = mu d."""
    k = 2 * MU
    height, gap = [command[0]], [0.0]
    for target in command[1:]:
        excess = height[-1] - target - OVERTRAVEL * k
        slip = max(0.0, excess / (1 + MU * k) if problem == "qp" else excess)
        height.append(height[-1] - slip)
        gap.append(MU * slip if problem == "qp" else 0.0)
    return np.array(height), np.array(gap)


def study(runner, report, quick, folder):
    runs = runner.run_all({problem: Case(SCENE, STEP, {"integrator": INTEGRATOR.format(problem)}) for problem in ("lcp", "qp", "socp")})
    draw_system(folder / "figure_2.svg")
    draw_figures(runs, folder)
    report.text("## A grasp in the plane (sections IV.A and V.A)", "",
                "Scene [`planar_grasp`](../../scenes/planar_grasp/README.md), with the numbers of the paper: steps of 0.01 s, a ball of 10 N, springs of 1000 N/m, μ = 0.5.",
                "The fingers close, squeeze, and are then drawn down along the ball. The paper's text lets the command end at 0.24 s, its figure 5 at 0.23 s. The second is",
                "right: the steady lag of 0.010 m is reached at 0.13 s, and the last slip of a commanded step ends at 0.23 s.",
                "", "![The system and a grasp command](quasistatics/figure_2.svg)", "",
                "Figure 2: the joints of the gripper and the coordinates of the ball; a command that overlaps the ball is how a force is asked for: the springs between command",
                "and position press with K times the overlap.")
    judge(report, runs)
    judge_planning(runner, report)
    report.text("![Command and position of the left finger](quasistatics/figure_5.svg)", "", "Figure 5: the left finger; x on top, y below. Dashed: the fingers touch, begin to slip, stop.",
                "", "![Forces and gaps](quasistatics/figure_6.svg)", "",
                "Figure 6: forces on the ball and the gap at the left finger. With Coulomb's law (LCP) nothing but the position changes as the fingers slip. With the relaxation (QP)",
                "the slip opens a gap of μ times the way of the step, the boundary layer; the spring is pushed back by it, which raises the force by K times the gap. When the",
                "command stops, the gap shrinks to a third in each step: μ k/(1 + μ k) with k = 2 μ K_x/K_y = 1.")


def judge_planning(runner, report):
    """The complementarity problem of planners, whose robots go exactly where they are told, has no answer to a grasp."""
    message = {}
    for on_ambiguous in ("error", "flag"):
        integrator = f"{{type: quasistatic, problem: planning_lcp, rays_per_contact: 2, contact_threshold: inf, on_ambiguous: {on_ambiguous}}}"
        try:
            runner.run(Case(SCENE, STEP, {"integrator": integrator}))
        except RuntimeError as error:
            message[on_ambiguous] = str(error)
    ambiguous, squeezed = (re.search(pattern, message.get(kind, "")) for kind, pattern in
                           (("error", r"at t = ([\d.]+) s: the commanded motion does not determine the contact forces"), ("flag", r"at t = ([\d.]+) s: body 'ball' is squeezed by ([\d.]+) m")))
    report.within("planning LCP (1): start of the step whose forces are not determined, s: the fingers touch, and may press with any force", float(ambiguous[1]) if ambiguous else math.nan, 0.02, 1e-9, "ambiguous")
    report.within("planning LCP: start of the step without an answer, s", float(squeezed[1]) if squeezed else math.nan, EVENTS[0], 1e-9, "figure 2b")
    report.within("planning LCP: overlap that no motion resolves, m: two fingers, 2 mm each", float(squeezed[2]) if squeezed else math.nan, 0.004, 1e-9, "figure 2b")


def judge(report, runs):
    row = {time: round(time / STEP) for time in (*EVENTS, 0.08)}
    report.text("The sum of both fingers' friction is unique, its share of one finger is not; friction below is the mean.")
    for problem, run in runs.items():
        kind = "lcp" if problem == "lcp" else "qp"
        press, friction = run.normal_force("left", "ball"), mean_friction(run)
        gap = run.position["ball"][:, 0] - 0.1 - run.joint["left_slide"]
        name = problem.upper()
        report.within(f"{name}: first row with a force of the left finger, s: one after the touch", run.time[np.argmax(press > 1e-6)], EVENTS[0] + STEP, 1e-9, "touch at 0.03 s")
        report.within(f"{name}: force of the left finger at 0.08 s, N", press[row[0.08]], 10.0, 1e-6, "10 N")
        report.within(f"{name}: gap at the left finger until slip starts, largest, m", np.abs(gap[row[0.03]:row[0.13] + 1]).max(), 0.0, 1e-9, "0")
        height, phi = closed_form(kind, run.command["raise"])
        report.within(f"{name}: height of the fingers against the closed form, largest difference, m", np.abs(run.joint["height"] - height).max(), 0.0, 1e-9, "figure 5")
        report.within(f"{name}: last row before the fingers move down, s", run.time[np.argmax(run.joint["height"] < -1e-9) - 1], EVENTS[1], 1e-9, "slip from 0.13 s on")
        report.within(f"{name}: gap against the closed form from then on, largest difference, m", np.abs(gap - phi)[row[0.13]:].max(), 0.0, 1e-9, "figure 6")
        report.within(f"{name}: normal force against K (o + φ₁), largest difference, N", np.abs(press - STIFFNESS * (OVERTRAVEL + phi))[row[0.08]:].max(), 0.0, 1e-6, "figure 6")
        slips = slice(row[0.13] + 1, row[0.23] + 1)
        report.within(f"{name}: friction + μ normal force while it slips, largest, N", np.abs(friction + MU * press)[slips].max(), 0.0, 1e-6, "on the cone's edge")
        report.within(f"{name}: force of the ground − weight + friction of both fingers, largest, N",
                      np.abs(run.normal_force("ground", "ball") - WEIGHT + 2 * friction)[1:].max(), 0.0, 1e-6, "grows with the friction")
    report.near("QP: largest gap, m: μ h 0.2 m/s (1 − 3⁻¹⁰)", (runs["qp"].position["ball"][:, 0] - 0.1 - runs["qp"].joint["left_slide"])[row[0.23]], 1e-3 * (1 - 3.0 ** -10), 1e-6, "small")


def mean_friction(run):
    """On the ball along y, of both fingers, N."""
    return 0.5 * (run.force("left", "ball") + run.force("right", "ball"))[:, 1]


def draw_figures(runs, folder):
    lcp, qp = runs["lcp"], runs["qp"]
    svg_panels.draw("Left finger", {
        "x (m)": {"command": (lcp.time, lcp.command["close_left"]), "LCP": (lcp.time, lcp.joint["left_slide"]), "QP": (qp.time, qp.joint["left_slide"])},
        "y (m)": {"command": (lcp.time, lcp.command["raise"]), "LCP": (lcp.time, lcp.joint["height"]), "QP": (qp.time, qp.joint["height"])}}, folder / "figure_5.svg", marks=EVENTS)
    panels = {}
    for problem, run in (("LCP", lcp), ("QP", qp)):
        ball = run.position["ball"]
        for label, values in (("normal force of the left finger (N)", run.normal_force("left", "ball")), ("friction of a finger, mean (N)", mean_friction(run)),
                              ("gap at the left finger (m)", ball[:, 0] - 0.1 - run.joint["left_slide"]), ("normal force of the ground (N)", run.normal_force("ground", "ball")),
                              ("gap to the ground (m)", ball[:, 1] - 0.1)):
            panels.setdefault(label, {})[problem] = (run.time[1:], np.where(np.abs(values[1:]) < 1e-9, 0.0, values[1:]))
    svg_panels.draw("Contacts of the ball", panels, folder / "figure_6.svg", marks=EVENTS)


def draw_system(path):
    """The system, and beside it a grasp command that overlaps the ball."""
    def gripper(centre, gap, fill, dash):
        bars = "".join(f'<rect x="{centre + side * (60 + gap) - (18 if side < 0 else 0)}" y="60" width="18" height="110" fill="{fill}" stroke="#c0392b" stroke-dasharray="{dash}"/>' for side in (-1, 1))
        return bars + f'<path d="M{centre - 60 - gap - 9} 60 V36 H{centre + 60 + gap + 9} V60" fill="none" stroke="#c0392b" stroke-dasharray="{dash}"/>'

    def label(x, y, words):
        return f'<text x="{x}" y="{y}" font-size="13" text-anchor="middle" fill="#222">{words}</text>'

    ball, ground = '<circle cx="{0}" cy="140" r="60" fill="#ddd" stroke="#555"/>', '<path d="M{0} 200 H{1}" stroke="#555" stroke-width="2"/>'
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="250" viewBox="0 0 640 250" font-family="sans-serif"><rect width="640" height="250" fill="white"/>']
    parts += [ball.format(165), ground.format(30, 300), gripper(165, 14, "#f4c7c0", ""), label(165, 144, "x_c, y_c"), label(165, 28, "y"), label(66, 188, "x_l"), label(264, 188, "x_r"), label(165, 232, "(a) coordinates")]
    parts += [ball.format(475), ground.format(340, 610), gripper(475, 0, "#f4c7c0", ""), gripper(475, -16, "none", "5 3"), label(475, 144, "c_n = K · overlap"),
              label(475, 232, "(b) dashed: a command that overlaps the ball")]
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
