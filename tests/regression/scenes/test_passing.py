"""Bodies that pass each other exchange nothing (scripts/studies/passing.py), and floors with seams are as one floor."""
import sys
import unittest

import numpy as np
from csim_testing import CSIM, SOURCE, CliTest, Result, main

sys.path.insert(0, str(SOURCE / "scripts/studies"))
import passing  # noqa: E402

SCENES = 25


class Passing(unittest.TestCase):
    def test_pairs_exchange_no_impulse(self):
        self.assertEqual([pair for number in range(SCENES) for pair in passing.fly(CSIM, number, [])], [])


FLOORS = {
    "one": "  - {name: t, fixed: true, pose: {xyz: [0, 0, -0.5]}, geometry: [{shape: box, size: [8, 4, 1], material: m}]}\n",
    "two bodies": """  - {name: t1, fixed: true, pose: {xyz: [-2, 0, -0.5]}, geometry: [{shape: box, size: [4, 4, 1], material: m}]}
  - {name: t2, fixed: true, pose: {xyz: [2, 0, -0.5]}, geometry: [{shape: box, size: [4, 4, 1], material: m}]}
""",
    "one body": """  - {name: t, fixed: true, geometry: [{shape: box, size: [4, 4, 1], pose: {xyz: [-2, 0, -0.5]}, material: m},
      {shape: box, size: [4, 4, 1], pose: {xyz: [2, 0, -0.5]}, material: m}]}
""",
    "a step down": """  - {name: t1, fixed: true, pose: {xyz: [-2, 0, -0.5]}, geometry: [{shape: box, size: [4, 4, 1], material: m}]}
  - {name: t2, fixed: true, pose: {xyz: [2, 0, -0.5001]}, geometry: [{shape: box, size: [4, 4, 1], material: m}]}
""",
    "mesh tiles": """  - {name: t1, fixed: true, pose: {xyz: [-2, 0, -0.5]}, geometry: [{shape: mesh, file: tile.obj, material: m}]}
  - {name: t2, fixed: true, pose: {xyz: [2, 0, -0.5]}, geometry: [{shape: mesh, file: tile.obj, material: m}]}
""",
}
SLIDERS = {"box": ("{shape: box, size: [0.1, 0.06, 0.04], material: m}", 0.02)}
WHEELS = {
    "cylinder": ("{shape: cylinder, radius: 0.05, length: 0.04, pose: {rpy_deg: [90, 0, 0]}, material: m}", 0.05),
    "capsule": ("{shape: capsule, radius: 0.05, length: 0.04, pose: {rpy_deg: [90, 0, 0]}, material: m}", 0.05),
    "sphere": ("{shape: sphere, radius: 0.05, material: m}", 0.05),
}


def box_obj(size):
    corners = [[s * x / 2 for s, x in zip((2 * (k & 1) - 1, (k & 2) - 1, (k & 4) / 2 - 1), size)] for k in range(8)]
    faces = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
    return "".join("v {} {} {}\n".format(*c) for c in corners) + "".join("f {} {} {}\n".format(*(i + 1 for i in f)) for f in faces)


class Seams(CliTest):
    """A body slides or rolls from x = -0.4 at 2 m/s over the seam at x = 0."""

    def run_over(self, floor, shape, height, friction=0.1, spin=0.0, yaw=0.0, speed=2.0, end=2.0, start=-0.4, settings=()):
        (self.folder / "tile.obj").write_text(box_obj((4, 4, 1)))
        scene = f"""csim: 1
time: {{step: 1.0e-3, end: {end}}}
materials: {{m: {{friction: {friction}}}}}
output: {{period: 2.0e-3}}
bodies:
{FLOORS[floor]}  - {{name: b, density: 1000, pose: {{xyz: [{start}, 0.037, {height}], rpy_deg: [0, 0, {yaw}]}}, velocity: {{linear: [{speed}, 0, 0], angular: [0, {spin}, 0]}}, geometry: [{shape}]}}
"""
        (self.folder / "scene.yaml").write_text(scene)
        self.csim("run", "scene.yaml", "-o", "out.h5", "-q", "--force", *(word for s in settings for word in ("--set", s)))
        data = Result(self.folder / "out.h5").data
        return data["trajectory/position"][:, -1], data["trajectory/angular_velocity"][:, -1]

    def slides(self, floor, **how):
        shape, height = SLIDERS["box"]
        x, w = self.run_over(floor, shape, height, **how)
        self.assertAlmostEqual(x[-1, 0], -0.4 + 2 * 2 - 0.5 * 0.1 * 9.81 * 4, delta=0.02)
        self.assertLess(x[:, 2].max() - x[0, 2], 2e-4)
        self.assertLess(np.abs(w[:, 2]).max(), 1e-3)
        return x, w

    def test_a_box_slides_as_on_one_floor(self):
        for floor in FLOORS:
            with self.subTest(floor):
                self.slides(floor)

    def test_in_every_way_of_solving(self):
        for settings in (["contact.model=coulomb"], ["contact.model=tamsi"], ["contact.engine=fcl"], ["contact.margin=0"], ["integrator.type=error_controlled"]):
            with self.subTest(settings):
                self.slides("two bodies", settings=settings)

    def test_friction_that_lifts_what_slides_lifts_as_on_one_floor(self):
        shape, height = SLIDERS["box"]
        for model in ("sap", "similar"):
            one, seam = (self.run_over(floor, shape, height, settings=[f"contact.model={model}"])[0] for floor in ("one", "two bodies"))
            with self.subTest(model):
                self.assertLess(np.abs(one - seam).max(), 1e-6)

    def test_turned_by_a_few_degrees(self):
        """Lagged lets a box turn by 0.3 degrees while its weight goes from contact to contact."""
        for yaw in (1.0, 5.0, 30.0):
            with self.subTest(yaw):
                self.slides("two bodies", yaw=yaw, settings=["contact.model=coulomb"])

    def test_slow_and_fast(self):
        shape, height = SLIDERS["box"]
        for speed, start in ((0.01, -0.0501), (0.1, -0.051), (20.0, -0.4)):
            one, seam = (self.run_over(floor, shape, height, friction=0.0, speed=speed, start=start, end=0.1)[0] for floor in ("one", "two bodies"))
            with self.subTest(speed):
                self.assertLess(np.abs(one - seam).max(), 1e-6)

    def test_wheels_roll_as_on_one_floor(self):
        for name, (shape, height) in WHEELS.items():
            for floor in ("two bodies", "one body", "mesh tiles"):
                one, seam = (self.run_over(f, shape, height, friction=0.5, spin=2 / 0.05, end=0.5)[0] for f in ("one", floor))
                with self.subTest(wheel=name, floor=floor):
                    self.assertLess(np.abs(one - seam)[:, 0].max(), 2e-3)
                    self.assertLess(np.abs(one - seam)[:, 1:].max(), 2e-5)


if __name__ == "__main__":
    main()
