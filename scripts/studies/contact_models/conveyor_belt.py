"""The box on the oscillating belt: Castro et al. 2023, Irrotational Contact Fields, section IX-A, figures 2 and 3."""
import math

import numpy as np

from report import number
from runs import Case, at_times, rms_over_time, slopes

SCENE = "conveyor_belt"
MU, G, AMPLITUDE, OMEGA = 0.3, 9.81, 0.1, 2 * math.pi
MASS, STIFFNESS, DISSIPATION = 1.0, 1e7, 100.0
REST = 0.05 - MASS * G / STIFFNESS  # m, height of the box at rest
SLIP_START = math.asin(MU * G / (AMPLITUDE * OMEGA ** 2)) / OMEGA  # s


def slip(time):
    """Slip velocity, belt minus box, of rigid bodies and Coulomb's law: from SLIP_START until the box has the belt's velocity again, then
    every half period with the other sign."""
    half = 0.5 * 2 * math.pi / OMEGA
    count = np.floor(time / half)
    t = time - count * half
    u = AMPLITUDE * OMEGA * (np.cos(OMEGA * t) - math.cos(OMEGA * SLIP_START)) + MU * G * (t - SLIP_START)
    return np.where((t > SLIP_START) & (t < slip_end()), u, 0.0) * (-1.0) ** count


def slip_end():
    """Time (s) at which the first slip ends: the root of slip's u after its largest value, by bisection."""
    low, high = SLIP_START + 0.25, SLIP_START + 0.5
    for _ in range(60):
        t = 0.5 * (low + high)
        u = AMPLITUDE * OMEGA * (math.cos(OMEGA * t) - math.cos(OMEGA * SLIP_START)) + MU * G * (t - SLIP_START)
        low, high = (t, high) if u < 0 else (low, t)
    return low


def predicted_rise(model, step, tau):
    """((1/T) integral of (z - z_rest)^2 dt)^(1/2) over whole periods: gliding (eq 41) and, for Similar, its stiffness k (1 + mu d u)."""
    time = np.linspace(0.0, 2.0, 200001)
    u = np.abs(slip(time))
    if model == "sap":
        return rms_over_time(time, MU * (step + tau) * u)
    stiffening = MU * DISSIPATION * u
    return rms_over_time(time, MU * step * u + MASS * G / STIFFNESS * stiffening / (1 + stiffening))


def cases(steps):
    found = {("reference",): Case(SCENE, steps[-1] / 10, rows=10),
             ("reference", "tight"): Case(SCENE, steps[-1] / 10, {"contact.stiction_tolerance": 1e-6}, rows=10)}
    for step in steps:
        found["lagged", 0.0, step] = Case(SCENE, step)
        found["similar", 0.0, step] = Case(SCENE, step, {"contact.model": "similar"})
        for tau in (1e-3, 1e-4, 0.0):
            found["sap", tau, step] = Case(SCENE, step, {"contact.model": "sap", "materials.box.relaxation_time": tau})
    found["tight"] = Case(SCENE, steps[-1], {"contact.stiction_tolerance": 1e-6})
    return found


def study(runner, report, quick):
    steps = [8e-3 / 2 ** j for j in range(4 if quick else 8)]
    runs = runner.run_all(cases(steps))
    error = {}
    for key, run in runs.items():
        if len(key) == 3:
            for reference in ("reference",), ("reference", "tight"):
                difference = run.q - runs[reference].q[at_times(runs[reference], run.time)]
                error[key, len(reference)] = [rms_over_time(run.time, difference[:, i]) for i in range(2)]
    total = {key: math.hypot(*error[key, 1]) for key in runs if len(key) == 3}
    first, last = steps[0], steps[-1]
    ladder = {(model, tau): [total[model, tau, step] for step in steps]
              for model, tau in (("lagged", 0.0), ("similar", 0.0), ("sap", 1e-3), ("sap", 1e-4), ("sap", 0.0))}

    report.text("## Oscillating conveyor belt (section IX-A)", "",
                "Scene [`conveyor_belt`](../scenes/conveyor_belt/README.md). Chosen: box 1 kg, μ = 0.3, belt 0.1 m at 1 Hz, k = 10⁷ N/m, d = 100 s/m, "
                "T = 2 s. Error e of the box's position against Lagged with a tenth of the smallest step; e_z is its vertical part.")
    report.table(["dt (s)", "e Lagged", "e Similar", "e_z Similar", "predicted", "e SAP, τ = 10⁻³", "e_z", "predicted", "e SAP, τ = 10⁻⁴", "e_z", "predicted",
                  "e SAP, τ = 0", "e_z", "predicted"],
                 [[number(step), number(total["lagged", 0.0, step], 4), number(total["similar", 0.0, step], 4), number(error[("similar", 0.0, step), 1][1], 4),
                   number(predicted_rise("similar", step, 0.0), 4)]
                  + [cell for tau in (1e-3, 1e-4, 0.0) for cell in (number(total["sap", tau, step], 4), number(error[("sap", tau, step), 1][1], 4),
                                                                   number(predicted_rise("sap", step, tau), 4))] for step in steps])
    report.text("Predicted, with the slip speed u of rigid bodies and Coulomb's law: for SAP the gliding gap μ (dt + τ) u of eq 41, for Similar μ dt u and what its "
                "stiffness k (1 + μ d u) takes from the depth m g/k.")

    def velocities(run):
        return run.velocity["belt"][:, 0] - run.velocity["box"][:, 0], run.velocity["box"][:, 2]

    lagged, fig2 = runs["lagged", 0.0, last], 1e-3
    force = np.concatenate([runs["lagged", 0.0, step].normal_force[1:] for step in steps])
    report.within("Lagged: the normal force is m g, N, largest deviation at any step", np.abs(force - MASS * G).max(), 0.0, 1e-9, "Fig 2")
    report.within("Lagged: largest vertical speed, m/s", max(np.abs(velocities(runs["lagged", 0.0, step])[1]).max() for step in steps), 0.0, 1e-12, "Fig 2")
    for model, tau in (("similar", 0.0), ("sap", 1e-4)):
        run = runs[model, tau, fig2]
        u, v_n = velocities(run)
        expected = MU * (fig2 + tau) * np.abs(u).max()
        report.near(f"{model}: highest rise at dt = 1 ms, μ (dt + τ) max u, m", run.position["box"][:, 2].max() - REST, expected,
                    0.025 if model == "similar" else 0.001, "Fig 2, eq 41")
        report.between(f"{model}: peak of the normal force at the ends of slip, N", run.normal_force.max(), 1.02 * MASS * G, 1.08 * MASS * G, "Fig 2")
        rests = (slip(run.time) == 0) & (slip(run.time - 0.02) == 0) & (run.time > 0.02)
        report.within(f"{model}: normal force − m g 20 ms after slip has ended, N", np.abs(run.normal_force[rests] - MASS * G).max(), 0.0, 2e-3, "Fig 2")
    tight, sap = runs["tight"], runs["sap", 0.0, last]
    for name, run in (("Lagged with v_s = 10⁻⁶ m/s", tight), ("SAP, τ = 0", sap)):
        u, _ = velocities(run)
        report.within(f"{name}: slip velocity against the closed form, m/s, largest difference at dt = {number(last)} s (μ g dt is one step of friction)",
                      np.abs(u - slip(run.time)).max(), 0.0, MU * G * last)
    u, _ = velocities(sap)
    half = run.time < 0.5
    report.near("largest slip, m/s", np.abs(u).max(), np.abs(slip(np.linspace(0, 0.5, 500001))).max(), 1e-4)
    report.within("at, s", run.time[half][np.abs(u[half]).argmax()], 0.36612, 2 * last)
    for name, (low, high) in {("lagged", 0.0): (0.98, 1.09), ("similar", 0.0): (0.97, 1.09)}.items():
        orders = slopes(steps, ladder[name])
        report.between(f"{name[0]}: lowest order of convergence over the ladder", min(orders), low, high, "Fig 3")
        report.between(f"{name[0]}: highest", max(orders), low, high, "Fig 3")
    report.between("Similar's error over Lagged's, largest", max(s / l for s, l in zip(ladder["similar", 0.0], ladder["lagged", 0.0])), 1.0, 1.01, "Fig 3")
    report.near(f"SAP, τ = 10⁻³: e_z/(μ (dt + τ) rms u), smallest of all steps", min(
        error[("sap", 1e-3, step), 1][1] / predicted_rise("sap", step, 1e-3) for step in steps), 1.0, 0.002, "eq 41")
    report.near("the same for τ = 0: first order", min(error[("sap", 0.0, step), 1][1] / predicted_rise("sap", step, 0.0) for step in steps), 1.0, 0.002, "eq 41")
    report.near("Similar: e_z over its prediction, furthest from 1 of all steps", max(
        (error[("similar", 0.0, step), 1][1] / predicted_rise("similar", step, 0.0) for step in steps), key=lambda x: abs(x - 1)), 1.0, 0.01, "eq 41, VII-B")
    if not quick:
        orders = slopes(steps, ladder["sap", 1e-3])
        report.between("SAP, τ = 10⁻³: order at the smallest steps (a plateau)", orders[-1], 0.0, 0.25, "Fig 3")
        report.between("SAP, τ = 0, against a reference of v_s = 10⁻⁶ m/s: order at the smallest steps", slopes(
            steps, [math.hypot(*error[("sap", 0.0, step), 2]) for step in steps])[-1], 0.9, 1.1)
        report.text("SAP's *horizontal* error levels off too, at "
                    f"{number(error[('sap', 0.0, last), 1][0], 3)} m even with τ = 0: that is no gliding. SAP's creep in stiction, of the speed σ μ w m g dt, "
                    "vanishes with the step, while the Lagged reference goes on creeping at up to v_s = 10⁻⁴ m/s; against a reference of v_s = 10⁻⁶ m/s the same runs "
                    f"end at {number(error[('sap', 0.0, last), 2][0], 3)} m. Consistency is to be judged by e_z.")
    return {"title": "Box on the belt", "steps": steps, "curves": {"Lagged": ladder["lagged", 0.0], "Similar": ladder["similar", 0.0], "SAP, τ = 10⁻³ s": ladder["sap", 1e-3],
            "SAP, τ = 10⁻³ s, e_z": [error[("sap", 1e-3, step), 1][1] for step in steps], "SAP, τ = 0, e_z": [error[("sap", 0.0, step), 1][1] for step in steps]}}
