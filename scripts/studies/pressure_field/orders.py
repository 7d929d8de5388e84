"""Orders of convergence of patch forces: in the mesh against closed forms of the elastic force, in the step against the restitution of the law."""
import dataclasses
import math
import pathlib
import tempfile

import h5py

from report import number
from runs import Case, slopes

SCENE = "orders"
MODULUS = 1e6
SAP_TAUS = (1e-3, 1e-2)  # s
HEAD = """\
csim: 1
name: orders
gravity: [0, 0, 0]
time: {step: 1.0e-4, end: 1.0e-4}
materials: {m: {friction: 0, hydroelastic_modulus: 1.0e+6, hunt_crossley_dissipation: 0, relaxation_time: 0}}
contact: {model: lagged, patch: {quadrature: centroid}}
"""


class PatchRun:
    """Heights and speeds along z of the last body, whether it touches at the end, and the elastic force on it in the first step."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.time = file["trajectory/time"][:]
            self.z, self.speed = file["trajectory/position"][:, -1, 2], file["trajectory/velocity"][:, -1, 2]
            offset = file["patch/row_offset"][:]
            self.touches = offset[-1] > offset[-2]
            self.force = float(file["patch/elastic_force"][0, 2]) if len(file["patch/elastic_force"]) else 0.0
            self.kinetic = float(file["energy/kinetic"][-1] / max(file["energy/kinetic"][0], 1e-300))  # of that at the start
            self.num_faces = int(file["stats/step/num_faces"][0])


def scene(folder, name, bodies):
    """A folder with a scene; its path stands in for the name of one of scenes/."""
    place = pathlib.Path(folder) / name
    place.mkdir()
    (place / "scene.yaml").write_text(HEAD + "bodies:\n" + "".join(f"  - {body}\n" for body in bodies), encoding="utf-8")
    return place


def body(name, geometry, z, more="mass: 1, inertia: [1, 1, 1]", turn="", modulus=None):
    return f"{{name: {name}, {more}, pose: {{xyz: [0, 0, {z!r}]{turn}}}, geometry: [{geometry}]}}"


GROUND = "{name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}"
LYING = ", rpy_deg: [90, 0, 0]"


def round_shapes():
    """name -> (keys of the geometry, turn, height of the middle above the lowest point, depth, exact force, longest radius)."""
    e, r, d, length = MODULUS, 0.1, 0.02, 0.3
    s = r - d
    w = math.sqrt(r * r - s * s)
    ball = math.pi * e * d * d * (1 - 2 * d / (3 * r))
    a, b, c = 0.1, 0.06, 0.08
    return {
        "sphere": (f"shape: sphere, radius: {r}", "", r, d, ball),
        "ellipsoid": (f"shape: ellipsoid, semi_axes: [{a}, {b}, {c}]", "", c, d, math.pi * e * a * b * (d / c) ** 2 * (1 - 2 * d / (3 * c))),
        "cylinder on its side": (f"shape: cylinder, radius: {r}, length: {length}", LYING, r, d,
                                 e / r * ((length - 2 * r) * (r * w - s * s * math.log((r + w) / s)) + 4 / 3 * w ** 3)),
        "capsule on its side": (f"shape: capsule, radius: {r}, length: {length}", LYING, r, d, ball + length * e * (w - s * s / r * math.asinh(w / s))),
        "capsule on its end": (f"shape: capsule, radius: {r}, length: {length}", "", r + length / 2, d, ball)}


def grid(runner, report, folder, quick):
    sectors = [16, 32, 64] if quick else [16, 32, 64, 128]
    shapes = round_shapes()
    cases = {}
    for name, (keys, turn, height, depth, _) in shapes.items():
        place = scene(folder, name.replace(" ", "_"), [GROUND, body("b", f"{{{keys}, material: m, contact: compliant, resolution: 0.1}}", height - depth, turn=turn)])
        for n in sectors:
            cases[name, n] = Case(place, 1e-4, {"bodies.b.geometry.0.resolution": 2 * math.pi * 0.1 / (n - 0.5)})
    runs = runner.run_all(cases)
    report.text("### In the mesh", "",
                "Elastic force on a rigid plane, E = 1 MPa, against (E/H) times the volume under the slices (layer cake), with meshes of one interior vertex or medial",
                "axis; columns: edges of a rim. The force of inscribed meshes is too small.")
    rows = []
    errors = {name: [1 - runs[name, n].force / shapes[name][4] for n in sectors] for name in shapes}
    for name in shapes:
        rows.append([name, f"{shapes[name][4]:.3f}", *(f"{1 - error:.4f}" for error in errors[name]), number(-slopes(sectors, errors[name])[-1], 3)])
    report.table(["body, depth 20 mm", "exact (N)", *(f"F/F_exact, {n}" for n in sectors), "last order"], rows)
    for name in shapes:
        orders = [-order for order in slopes(sectors, errors[name])]
        report.between(f"{name}: lowest order", min(orders), 1.8, 2.3, "Fig 6: second order")
        report.between(f"{name}: highest", max(orders), 1.8, 2.3)


def exact_bodies(runner, report, folder):
    """Meshes that carry the field exactly."""
    a, b, c, d = 0.1, 0.14, 0.08, 0.01
    n, r, length = 23, 0.1, 0.3
    area = 0.5 * n * r * r * math.sin(2 * math.pi / n)
    cases = {
        "box": (GROUND, body("b", f"{{shape: box, size: [{a}, {b}, {c}], material: m, contact: compliant}}", c / 2 - d),
                MODULUS / (c / 2) * (a * b * d - (a + b) * d * d + 4 * d ** 3 / 3)),
        "cylinder, upright": (GROUND, body("b", f"{{shape: cylinder, radius: {r}, length: {length}, material: m, contact: compliant, resolution: {2 * math.pi * r / (n - 0.5)!r}}}", length / 2 - d),
                              area * MODULUS / 3 * (1 - (1 - d / r) ** 3)),
        "cube on a wider box": ("{name: ground, fixed: true, geometry: [{shape: box, size: [0.4, 0.4, 0.2], material: m, contact: compliant}]}",
                                body("b", "{shape: box, size: [0.1, 0.1, 0.1], material: m, contact: compliant}", 0.15 - d), None)}
    # Slopes E/(0.1 m) and E/(0.05 m) in series: the cube gives way by a third of d.
    share = d / 3
    known = {**{name: values[2] for name, values in cases.items()}, "cube on a wider box": MODULUS / 0.05 * (0.01 * share - 0.2 * share ** 2 + 4 * share ** 3 / 3)}
    runs = runner.run_all({name: Case(scene(folder, name.replace(" ", "_").replace(",", ""), values[:2]), 1e-4) for name, values in cases.items()})
    for name, run in runs.items():
        report.near(f"{name}, depth 10 mm: force, N", run.force, known[name], 1e-11)


def restitution(dv0):
    """e of d v0 (1 + e) = ln((1 + d v0)/(1 - d e v0)), by bisection."""
    low, high = 0.0, min(1.0, (1 - 1e-12) / dv0)
    for _ in range(80):
        e = 0.5 * (low + high)
        low, high = (e, high) if dv0 * (1 + e) > math.log((1 + dv0) / (1 - dv0 * e)) else (low, e)
    return 0.5 * (low + high)


def box_with_relaxation(tau, mass=1.0, speed=0.1, side=0.1, modulus=1e5, step=2e-6):
    """(e, largest depth) of a cube that meets a rigid plane flat, m x'' = -(F_b + tau F' x')_+ - F_w, by Runge and Kutta: F_b + F_w of layer cake,
    F_w that of the strips along the walls, which have no stiffness and so no damping."""
    slope = modulus / (side / 2)

    def rates(x, u):
        force, bottom = slope * (side ** 2 * x - 2 * side * x ** 2 + 4 / 3 * x ** 3), slope * x * (side - 2 * x) ** 2
        return u, -(max(bottom + tau * slope * (side - 2 * x) ** 2 * u, 0.0) + force - bottom) / mass
    x, u, deepest = 0.0, speed, 0.0
    while x >= 0.0:
        k1 = rates(x, u)
        k2 = rates(x + 0.5 * step * k1[0], u + 0.5 * step * k1[1])
        k3 = rates(x + 0.5 * step * k2[0], u + 0.5 * step * k2[1])
        k4 = rates(x + step * k3[0], u + step * k3[1])
        x += step / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        u += step / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        deepest = max(deepest, x)
    return -u / speed, deepest


def impacts(runner, report, folder, quick):
    """A ball that meets the plane with 0.1 m/s: R = 0.1 m, 1 kg."""
    place = scene(folder, "impact", [GROUND, body("b", "{shape: sphere, radius: 0.1, material: m, contact: compliant, resolution: 0.02}", 0.1,
                                                  more="mass: 1, inertia: solid, velocity: {linear: [0, 0, -0.1]}")])
    speed = 0.1
    values = (0.1, 1.0, 5.0) if quick else (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
    steps = [1e-3 / 2 ** i for i in range(3 if quick else 5)]

    def case(step, model="lagged", dv0=0.0, tau=0.0, end=0.7):
        return Case(place, step, {"contact.model": model, "materials.m.hunt_crossley_dissipation": dv0 / speed, "materials.m.relaxation_time": 0.5 * tau,
                                  "output.contacts": "false", "solver.tolerance": 1e-9}, end=end)
    cases = {("dissipation", dv0, step): case(step, dv0=dv0) for dv0 in values for step in steps[-2:]}
    cases |= {("law", model, step): case(step, model, 1.0) for model in ("lagged", "similar", "tamsi") for step in steps}
    cube = scene(folder, "cube", [GROUND, body("b", "{shape: box, size: [0.1, 0.1, 0.1], material: m, contact: compliant}", 0.05,
                                               more="mass: 1, inertia: solid, velocity: {linear: [0, 0, -0.1]}")])
    for tau in SAP_TAUS:
        for step in (*steps, steps[-1] / 2):
            sap = case(step, "sap", tau=tau, end=0.1)
            cases["sap", tau, step] = dataclasses.replace(sap, scene=cube, keys={**sap.keys, "materials.m.hydroelastic_modulus": 1e5})
    cases |= {("elastic", step): case(step) for step in (1e-2, 5e-3, 2e-3, 1e-3, 1e-4)}
    runs = runner.run_all(cases)
    if any(run.touches for run in runs.values()):
        raise RuntimeError("a body has not left the ground")
    e = {key: float(run.speed[-1]) / speed for key, run in runs.items()}

    report.text("### In the step", "",
                "Restitution e of a ball (R = 0.1 m, 1 kg, E = 1 MPa) that meets the plane with v₀ = 0.1 m/s. The law's own is the root of",
                "d v₀ (1 + e) = ln((1 + d v₀)/(1 − d e v₀)), whatever the body and its mesh. *Extrapolated*: 2 e(dt/2) − e(dt).")
    fine, finer = steps[-2:]
    extrapolated = {dv0: 2 * e["dissipation", dv0, finer] - e["dissipation", dv0, fine] for dv0 in values}
    report.table(["d v₀", f"Lagged, dt = {number(1e3 * finer)} ms", "extrapolated", "closed form"],
                 [[number(dv0), f"{e['dissipation', dv0, finer]:.5f}", f"{extrapolated[dv0]:.5f}", f"{restitution(dv0):.6f}"] for dv0 in values])
    report.between("largest departure of the extrapolated from the closed form", max(abs(extrapolated[dv0] - restitution(dv0)) for dv0 in values), 0.0, 2e-3 if quick else 5e-4)
    exact = restitution(1.0)
    report.table(["dt (ms), d v₀ = 1", "Lagged", "Similar", "TAMSI"],
                 [[number(1e3 * step), *(f"{e['law', model, step]:.5f}" for model in ("lagged", "similar", "tamsi"))] for step in steps])
    for model in ("lagged", "similar", "tamsi"):
        orders = slopes(steps, [exact - e["law", model, step] for step in steps])
        report.between(f"{model}: lowest order of 1 − e/e_exact", min(orders), 0.9, 1.1, "Fig 5: first order")
        report.between(f"{model}: highest", max(orders), 0.9, 1.1)
    sap_steps = (*steps, steps[-1] / 2)
    truth = {tau: box_with_relaxation(tau) for tau in SAP_TAUS}
    report.text("SAP with its linear relaxation, a cube of 0.1 m with E = 0.1 MPa that meets the plane flat: its mesh has the exact force. *ODE*: m ẍ = −(F_b + τ F′ ẋ)₊ − F_w, F_w of the strips along the walls.")
    report.table(["dt (ms), SAP", *(head for tau in SAP_TAUS for head in (f"e, τ = {number(1e3 * tau)} ms", "depth (m)"))],
                 [[number(1e3 * step), *(cell for tau in SAP_TAUS for cell in (f"{e['sap', tau, step]:.5f}", f"{0.05 - runs['sap', tau, step].z.min():.5e}"))] for step in sap_steps]
                 + [["ODE", *(cell for tau in SAP_TAUS for cell in (f"{truth[tau][0]:.5f}", f"{truth[tau][1]:.5e}"))]])
    for tau, (limit, depth) in truth.items():
        one, half = (e["sap", tau, step] for step in sap_steps[-2:])
        orders = slopes(sap_steps, [abs(limit - e["sap", tau, step]) for step in sap_steps])
        report.between(f"SAP, τ = {number(1e3 * tau)} ms: lowest order of e", min(orders), 0.85, 1.15, "Fig 5: first order")
        report.between("highest", max(orders), 0.85, 1.15)
        report.near("e extrapolated to dt → 0", 2 * half - one, limit, 1e-3)
        report.near("largest depth at the smallest step, m", 0.05 - float(runs["sap", tau, sap_steps[-1]].z.min()), depth, 0.02)
    prototype = {1e-2: 0.403, 5e-3: 0.569, 2e-3: 0.780, 1e-3: 0.880, 1e-4: 0.987}
    report.text("Without dissipation the implicit step alone takes energy, less and less: e → 1.")
    report.table(["dt (ms), d = 0", "Lagged"], [[number(1e3 * step), f"{e['elastic', step]:.4f}"] for step in prototype])
    losses = [1 - e["elastic", step] for step in (1e-3, 1e-4)]
    report.between("order of 1 − e between 1 and 0.1 ms", slopes([1e-3, 1e-4], losses)[0], 0.9, 1.1)
    report.between("largest departure from an independent prototype", max(abs(e["elastic", step] - value) for step, value in prototype.items()), 0.0, 0.02)
    return {"title": "Ball, d v₀ = 1", "steps": steps, "curves": {model: [abs(exact - e["law", model, step]) for step in steps] for model in ("lagged", "similar", "tamsi")},
            "y_label": "error of the restitution"}


def energy(runner, report, folder):
    """A body without dissipation that meets the plane tilted, and leaves turning: what the points of its faces make of its energy as dt -> 0."""
    bodies = {"box": "shape: box, size: [0.1, 0.14, 0.08]", "sphere, 16 chords": "shape: sphere, radius: 0.08, resolution: 0.08",
              "capsule, 7 sides": "shape: capsule, radius: 0.04, length: 0.1, resolution: 0.04"}
    steps, cases = (4e-5, 2e-5), {}
    for name, keys in bodies.items():
        place = scene(folder, "energy_" + name.split(",")[0], [GROUND, body("b", f"{{{keys}, material: m, contact: compliant}}", 0.09, turn=", rpy: [0.2, 0.1, 0]",
                                                                           more="mass: 1, inertia: solid, velocity: {linear: [0, 0, -1]}")])
        for quadrature in ("centroid", "center_of_pressure", "three_point"):
            for step in steps:
                cases[name, quadrature, step] = Case(place, step, {"contact.patch.quadrature": quadrature, "output.contacts": "false", "contact.patch.cull_angle_deg": "none"}, end=0.15)
    runs = runner.run_all(cases)
    left = {(name, quadrature): 2 * runs[name, quadrature, steps[1]].kinetic - runs[name, quadrature, steps[0]].kinetic for name, quadrature, _ in cases}
    report.text("### Energy", "",
                "Kinetic energy after over before an impact at 1 m/s, tilted by 0.2 and 0.1 rad, without friction and dissipation; extrapolated to dt → 0 from 40 and 20 μs.",
                "The pressure of exact faces has a potential. One point at the centroid has the exact force but only a part of its moment, and on coarse faces",
                "that matters: `center_of_pressure` and `three_point` correct it.")
    report.table(["", "centroid", "center_of_pressure", "three_point"], [[name, *(f"{left[name, q]:.4f}" for q in ("centroid", "center_of_pressure", "three_point"))] for name in bodies])
    for quadrature in ("center_of_pressure", "three_point"):
        report.between(f"{quadrature}: largest departure from 1", max(abs(left[name, quadrature] - 1) for name in bodies), 0.0, 0.003)
    report.between("centroid: the same", max(abs(left[name, "centroid"] - 1) for name in bodies), 0.003, 0.12)


def study(runner, report, quick):
    report.text("## Orders of convergence")
    with tempfile.TemporaryDirectory(prefix="csim_study_") as folder:
        grid(runner, report, folder, quick)
        exact_bodies(runner, report, folder)
        if not quick:
            energy(runner, report, folder)
        return impacts(runner, report, folder, quick)
