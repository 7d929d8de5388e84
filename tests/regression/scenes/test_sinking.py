"""Shapes thrown at the fixed gear of scenes/gear_pile: points sampled in a shape never lie deep in the gear. Each of these poses once failed."""
import numpy as np

from csim_testing import SOURCE, CliTest, Result, main

SCENE = """\
csim: 1
name: thrown
gravity: [0, 0, 0]
time: {{step: {step}, end: 0.15}}
materials: {{m: {{friction: 0.5, stiffness: 1.0e6, hunt_crossley_dissipation: 5.0}}}}
output: {{period: {step}}}
bodies:
  - {{name: gear, fixed: true, geometry: [{{shape: mesh, file: {mesh}, material: m}}]}}
  - name: thrown
    density: 1000
    pose: {{xyz: {xyz}, quaternion_wxyz: {quaternion}}}
    velocity: {{linear: {linear}, angular: {angular}}}
    geometry: [{{{shape}, material: m}}]
"""

EDGE = """\
csim: 1
name: edge
time: {{step: 1.0e-3, end: 0.15}}
materials: {{m: {{stiffness: 2.0e4, hunt_crossley_dissipation: 0.1}}}}
output: {{period: 1.0e-3}}
bodies:
  - {{name: block, fixed: true, geometry: [{{{block}, material: m}}]}}
  - name: cylinder
    density: 2000
    pose: {{xyz: [0.1642, -0.0461, 0.1635], quaternion_wxyz: [0.7541, -0.4146, 0.2296, -0.4546]}}
    velocity: {{linear: [0, 0, -1]}}
    geometry: [{{shape: cylinder, radius: 0.04, length: 0.1, material: m}}]
"""


def rotate(q, v):
    w, u = q[0], q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


class Sinking(CliTest):
    def deepest(self, points, **scene):
        """Depth of the deepest point at any row; the gear is taken as the ring between its bore and its roots, which is a part of it."""
        self.write("thrown.yaml", SCENE.format(mesh=SOURCE / "scenes/gear_pile/gear.obj", **scene))
        self.csim("run", "thrown.yaml", "-q", "--force")
        r = Result(self.folder / "thrown.h5")
        self.assertGreater(r.data["contact/normal_force"].max(initial=0.0), 1)   # it did hit
        deepest = -1.0
        for p, q in zip(r.body("thrown", "position"), r.body("thrown", "quaternion")):
            x, y, z = (rotate(q, points) + p).T
            radius = np.hypot(x, y)
            deepest = max(deepest, np.minimum(np.minimum(radius - 0.05, 0.118 - radius), 0.03 - np.abs(z)).max())
        return deepest

    def grid(self):
        line = np.linspace(-1, 1, 13)
        return np.stack(np.meshgrid(line, line, line, indexing="ij"), -1).reshape(-1, 3)

    def test_bar_over_the_rim_of_the_bore(self):
        """It came down with an edge across the rim and sank by 10 mm. Steps of 1 ms at 2 m/s leave overlaps below 1 mm."""
        depth = self.deepest(
            self.grid() * [0.05, 0.01, 0.01], step=1e-3, shape="shape: box, size: [0.1, 0.02, 0.02]",
            xyz=[0.2581845201400386, 0.03085207890892329, -0.14962921769178483],
            quaternion=[-0.016327848376614974, 0.9280352907315516, -0.216285513851266, 0.3028274707193661],
            linear=[-1.6448785009949698, -0.21891935896274287, 1.1164448178194397],
            angular=[-1.7826432182306642, 1.2747641923980615, 5.140453781581755])
        self.assertLess(depth, 2e-3)

    def test_cylinder_between_two_teeth(self):
        """It came down with its rim between two teeth and sank by 15 mm. At 85 rad/s the rim moves by 10 mm in a step of 3 ms."""
        grid = self.grid()
        depth = self.deepest(
            grid[(grid[:, :2]**2).sum(1) <= 1] * [0.025, 0.025, 0.03], step=3e-3, shape="shape: cylinder, radius: 0.025, length: 0.06",
            xyz=[-0.011790972445609406, -0.2997322119378057, -0.004644792315832229],
            quaternion=[0.0006807870936289778, -0.9542008842497383, 0.167401488331054, 0.24794545918507713],
            linear=[1.1299777306363403, 3.8290390583544975, 0.24821405653518544],
            angular=[-0.4048190764680544, -13.82924361671262, -6.051078791441458])
        self.assertLess(depth, 6e-3)

    def test_cylinder_on_the_edge_of_a_soft_block(self):
        """It came down on an edge, sank by 6 mm, was let go there and drawn in, and gained half its energy. No step may gain any: with the springs' energy and what was dissipated counted the total only falls. The block as a box is the twin."""
        corners = [(x, y, z) for x in (-0.15, 0.15) for y in (-0.15, 0.15) for z in (-0.1, 0.1)]
        quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
        self.write("block.obj", "".join("v %g %g %g\n" % c for c in corners) + "".join("f %d %d %d %d\n" % q for q in quads))
        depth = {}
        for block in ("shape: mesh, file: block.obj", "shape: box, size: [0.3, 0.3, 0.2]"):
            self.write("edge.yaml", EDGE.format(block=block))
            self.csim("run", "edge.yaml", "-q", "--force")
            data = Result(self.folder / "edge.h5").data
            depth[block] = -data["contact/phi"].min()
            total = data["energy/total"] + data["energy/dissipated"] - data["energy/work"] + data["energy/normal_overlap_gain"] - data["energy/normal_spring_loss"]
            self.assertLess(np.diff(total).max(), 1e-9 * total[0])
        mesh, box = depth.values()
        self.assertGreater(mesh, 6e-3)  # as deep as it was lost
        self.assertLess(mesh, 1.5 * box)  # at one point where the box has two


if __name__ == "__main__":
    main()
