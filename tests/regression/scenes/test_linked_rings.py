"""A chain of linked rings (triangle meshes) falls until the links bear on each other."""
import math
import sys

import numpy as np

from csim_testing import SOURCE, CliTest, Result, main

sys.path.insert(0, str(SOURCE / "scripts/scenes"))
import mesh_pile  # noqa: E402

mesh_pile.TUBE = 0.008     # m: two such tubes have room in the hole of a third
G = 9.81
DROP = 0.01     # m, the way that each link falls before it catches the next

SCENE = """csim: 1
name: chain
time: {step: 2.0e-3, end: 1.5}
materials: {m: {friction: 0.3, stiffness: 1.0e6, hunt_crossley_dissipation: 20.0}}
output: {period: 0.02}
bodies:
  - {name: link_0, fixed: true, pose: {rpy_deg: [90, 0, 0]}, geometry: [{shape: mesh, file: ring.obj, material: m}]}
"""
LINK = "  - {{name: link_{i}, density: 1000, pose: {{xyz: [0, 0, {z}], rpy_deg: [90, 0, {yaw}]}}, geometry: [{{shape: mesh, file: ring.obj, material: m}}]}}\n"


class LinkedRings(CliTest):
    def test(self):
        vertices, triangles = mesh_pile.ring()
        self.write("ring.obj", "".join(f"v {x} {y} {z}\n" for x, y, z in vertices) + "".join("f {} {} {}\n".format(*(v + 1 for v in t)) for t in triangles))
        pitch = 2 * (mesh_pile.RING - mesh_pile.TUBE)      # m, between the centres of rings that hold each other
        self.write("chain.yaml", SCENE + "".join(LINK.format(i=i, z=-i * (pitch - DROP), yaw=90 * i) for i in (1, 2, 3)))
        self.csim("run", "chain.yaml", "-o", "chain.h5", "-q")
        r = Result(self.folder / "chain.h5")
        weights = r.data["bodies/mass"] * G
        for i in (1, 2, 3):
            below = np.linalg.norm(r.body(f"link_{i}", "position") - r.body(f"link_{i - 1}", "position"), axis=1)
            # The facets lie inside the torus, by up to 2e-4 m at the tube of either ring; nothing is let through by a fall of 0.4 m/s.
            self.assertLess(below.max(), pitch + 2 * mesh_pile.TUBE * (1 - math.cos(math.pi / mesh_pile.ACROSS)) + 1e-3)
            # At the end each link carries all that hangs below it.
            b = r.bodies.index(f"link_{i}")
            rows = [k for k in r.contacts(-1 % len(r.time), f"link_{i}") if {*r.data["geometries/body"][[r.data["contact/geometry_a"][k], r.data["contact/geometry_b"][k]]]} == {b - 1, b}]
            self.assertAlmostEqual(abs(r.data["contact/force"][rows, 2].sum()), weights[b:].sum(), delta=0.05 * weights[b])
        self.assertLess(np.abs(r.data["trajectory/velocity"][-1]).max(), 0.02)


if __name__ == "__main__":
    main()
