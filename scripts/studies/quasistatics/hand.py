"""The Allegro hand that closes around a ball: a scene of the authors' program in 3D."""
import math
import pathlib
import tempfile

import numpy as np

import builder as b
from runs import Case

STEP, STIFFNESS, GRAVITY, RADIUS, MASS, SCALE = 0.1, 100.0, 10.0, 0.06, 1.0, 5.0
TILT = math.radians(5)
FINGER, THUMB = (0, 1, 0), (0, math.cos(TILT), -math.sin(TILT))
# Link: parent, position and rpy in the root's frame at angles 0, axis of its joint in that frame.
LINKS = []
for roll, y, z in ((-TILT, 0.0435, 0.093458), (0.0, 0.0, 0.0957), (TILT, -0.0435, 0.093458)):
    out, axis = np.array([0, -math.sin(roll), math.cos(roll)]), (0, math.cos(roll), math.sin(roll))
    base = len(LINKS)
    LINKS += [(-1, (0, y, z), (roll, 0, 0), tuple(out))] + [(base + k, tuple(np.array([0, y, z]) + way * out), (roll, 0, 0), axis) for k, way in enumerate((0.0164, 0.0704, 0.1088))]
TURN = (math.pi, -1.48353, math.pi / 2)
LINKS += [(-1, (-0.0182, 0.019333, 0.049013), TURN, (0, -math.sin(TILT), -math.cos(TILT))), (12, (-0.0132, 0.056728, 0.018638), TURN, THUMB),
          (13, (-0.0132, 0.074361, 0.017096), TURN, (1, 0, 0)), (14, (-0.0132, 0.125565, 0.012616), TURN, (1, 0, 0))]
# Radius and height on its link, m, of the balls of a link.
BALLS = {1: [(0.013, 0.008), (0.013, 0.034)], 2: [(0.013, 0.012), (0.013, 0.038)], 3: [(0.012, 0.0267)], 14: [(0.013, 0.0257)], 15: [(0.013, 0.016), (0.012, 0.042)]}
BALLS |= {base + k: BALLS[k] for base in (4, 8) for k in (1, 2, 3)}
STILL = (0, 8, 12)  # joints whose command stays


def rotation(rpy):
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in rpy)
    return np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]) @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])


def write(folder):
    bodies = [{**b.fixed("palm", b.box((0.0408, 0.113, 0.095), (-0.0093, 0, 0.0475), "skin")), "pose": {"rpy_deg": [0, -90, 0]}},
              b.body("ball", [b.sphere(RADIUS, (0, 0, 0), "skin")], MASS, 1e-3, pose={"xyz": [-0.12, 0.01, 0.07]})]
    joints, drives = [], []
    for k, (parent, place, rpy, axis) in enumerate(LINKS):
        # All frames are parallel to the root's at angles 0.
        up = rotation(rpy)[:, 2]
        bodies.append(b.body(f"link_{k}", [b.sphere(radius, tuple(height * up), "skin") for radius, height in BALLS.get(k, ())]))
        joints.append(b.joint(f"joint_{k}", "revolute", "palm" if parent < 0 else f"link_{parent}", f"link_{k}", axis, 0.0, tuple(np.subtract(place, LINKS[parent][1] if parent >= 0 else (0, 0, 0)))))
        drives.append(b.drive(f"joint_{k}", STIFFNESS, (0, 2), (0, 0 if k in STILL else 1)))
    return b.write(folder, "hand", bodies, joints, drives, {"contact_threshold": 0.025, "mass": "scaled", "mass_scale": SCALE}, STEP, 2, (0, 0, -GRAVITY), {"skin": 1})


def study(runner, report, quick, folder):
    with tempfile.TemporaryDirectory() as place:
        scene = write(pathlib.Path(place))
        runs = runner.run_all({"qp": Case(scene, STEP), "qp, 16 rays": Case(scene, STEP, {"integrator.rays_per_contact": 16}), "socp": Case(scene, STEP, {"integrator.problem": "socp"})})
    report.text("## A hand of sixteen joints", "",
                "The Allegro hand with springs of 100 N m/rad and a ball of 1 kg on its palm: all joints but three close by 1 rad in 2 s. The ball has the scaled mass of the scheme, h² K/5.")
    for name, bound in (("qp", 1e-2), ("qp, 16 rays", 1e-3)):
        report.between(f"{name}: largest distance of the ball from that of socp, m", np.linalg.norm(runs[name].position["ball"] - runs["socp"].position["ball"], axis=1).max(), 0.0, bound)
    for name, run in runs.items():
        speed = np.diff(run.position["ball"], axis=0) / STEP
        # The largest entry of the ball's mass matrix is its mass: scaled to h^2 K/s; inertia goes along.
        drag = STEP ** 2 * STIFFNESS / SCALE * speed / STEP
        force = sum(run.force(other, "ball") for other in run.bodies if other != "ball")[1:]
        report.within(f"{name}: contact forces on the ball − its weight − M v/h, largest in any step, N", np.abs(force - (0, 0, MASS * GRAVITY) - drag).max(), 0.0, 1e-6)
        report.within(f"{name}: deepest overlap at the start of a step but the first (2.3 mm), m", -min(0.0, run.contact["phi"][run.row > 1].min()), 0.0, 2e-4)
