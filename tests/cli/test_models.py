"""models: robots from URDF run like the bodies and joints that they are."""
import hashlib
import json
import math

import h5py
import numpy as np

from csim_testing import INVALID, SOURCE, CliTest, Result, load_yaml, main

ARM = SOURCE / "tests/robots/arm_description/urdf/arm.urdf"
SCENE = f"""\
csim: 1
name: arm
time: {{step: 1.0e-3, end: 0.2}}
bodies: []
models: [{{file: {ARM}, name: arm, positions: {{elbow: 0.3}}}}]
output: {{period: 0.05}}
"""

# Two links, a revolute joint and a fixed one between them; no geometry.
PENDULUM = """\
<robot name="pendulum">
  <link name="stand"/>
  <link name="rod"><inertial><origin xyz="0 0 -0.5" rpy="0.4 0 0"/><mass value="2"/><inertia ixx="0.2" iyy="0.3" izz="0.1"/></inertial></link>
  <link name="bob"><inertial><mass value="1"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="stand"/><child link="rod"/><origin xyz="0 0 2" rpy="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="20" velocity="1"/><dynamics damping="0.1"/></joint>
  <joint name="weld" type="fixed"><parent link="rod"/><child link="bob"/><origin xyz="0 0 -1"/></joint>
</robot>
"""


class Models(CliTest):
    def run_scene(self, text, name="scene", *arguments):
        self.write(f"{name}.yaml", text)
        self.csim("run", f"{name}.yaml", "-o", f"{name}.h5", "--force", "-q", *arguments)
        return Result(self.folder / f"{name}.h5")

    def test_the_same_by_hand(self):
        self.write("pendulum.urdf", PENDULUM)
        head = "csim: 1\ntime: {step: 1.0e-3, end: 0.5}\noutput: {period: 0.1}\n"
        robot = self.run_scene(head + "bodies: []\nmodels: [{file: pendulum.urdf, positions: {hinge: 0.4}, velocities: {hinge: -1}}]\n", "robot")
        c, s = math.cos(0.4), math.sin(0.4)
        hand = self.run_scene(head + f"""\
bodies:
  - {{name: stand, fixed: true}}
  - {{name: rod, mass: 2, com: [0, 0, -0.5], inertia: [0.2, {c * c * 0.3 + s * s * 0.1!r}, {s * s * 0.3 + c * c * 0.1!r}, 0, 0, {c * s * 0.2!r}]}}
  - {{name: bob, mass: 1, inertia: [1.0e-14, 1.0e-14, 1.0e-14]}}
joints:
  - {{name: hinge, type: revolute, parent: stand, child: rod, pose: {{xyz: [0, 0, 2], rpy: [0, 0, 0.5]}}, axis: [0, 1, 0], limits: [-3, 3], damping: 0.1, position: 0.4, velocity: -1}}
  - {{name: weld, type: weld, parent: rod, child: bob, pose: {{xyz: [0, 0, -1]}}}}
""", "hand")
        self.assertEqual(robot.bodies, ["pendulum::stand", "pendulum::rod", "pendulum::bob"])
        np.testing.assert_allclose(robot.data["trajectory/position"], hand.data["trajectory/position"], atol=1e-12)
        np.testing.assert_allclose(robot.data["trajectory/quaternion"], hand.data["trajectory/quaternion"], atol=1e-12)

    def test_the_resolved_scene_runs_to_the_same_bits(self):
        first = self.run_scene(SCENE, "first")
        self.assertEqual(first.joints, ["arm::shoulder", "arm::bolt", "arm::elbow", "arm::grip"])
        self.write("resolved.yaml", self.csim("resolve", "first.yaml").stdout)
        self.csim("run", "resolved.yaml", "-o", "second.h5", "-q")
        differences = [name for name in ("trajectory/q", "trajectory/v", "energy/total", "stats/step/residual")
                       if not np.array_equal(first.data[name], Result(self.folder / "second.h5").data[name])]
        self.assertEqual(differences, [])

    def test_inputs_are_the_robot_and_its_meshes(self):
        self.run_scene(SCENE)
        with h5py.File(self.folder / "scene.h5") as file:
            inputs = list(file["provenance"].attrs["inputs"])
        for path in (ARM, ARM.parent.parent / "meshes/wedge.dae"):
            self.assertIn(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}", inputs)

    def test_a_dae_has_its_unit_and_the_places_of_its_nodes(self):
        """The wedge's hull has its corners at (10, 0, 0) mm and 100, 200, 300 mm from there; half of that by the scale. The mass is that of the solid."""
        mesh = ARM.parent.parent / "meshes/wedge.dae"
        result = self.run_scene("csim: 1\ntime: {end: 0}\nmaterials: {m: {}}\nbodies:\n"
                                f"  - {{name: hull, density: 1000, geometry: [{{shape: convex, file: {mesh}, material: m}}]}}\n"
                                f"  - {{name: half, density: 1000, geometry: [{{shape: mesh, file: {mesh}, scale: 0.5, material: m}}]}}\n")
        volume = 0.1 * 0.2 * 0.3 / 6
        np.testing.assert_allclose(result.data["bodies/mass"], [1000 * volume, 125 * volume], rtol=1e-6)
        np.testing.assert_allclose(result.data["bodies/com"][0], [0.01 + 0.1 / 4, 0.2 / 4, 0.3 / 4], rtol=1e-6)

    def test_gravity_compensation(self):
        result = self.run_scene(SCENE.replace("positions:", "limits: false, friction: false, gravity_compensation: true, positions:"))
        np.testing.assert_allclose(result.data["trajectory/q"][-1], result.data["trajectory/q"][0], atol=1e-15)  # rounding of a coupler
        np.testing.assert_array_equal(result.data["energy/potential"], 0.0)

    def test_a_free_base_falls(self):
        result = self.run_scene(SCENE.replace("positions:", "base: free, pose: {xyz: [0, 0, 3]}, positions:"))
        mass, com = result.data["bodies/mass"], result.data["bodies/com"]
        def height(row):
            q = result.data["trajectory/quaternion"][row]
            w, x, y, z = q.T
            up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
            return (mass * (result.data["trajectory/position"][row, :, 2] + (up * com).sum(axis=1))).sum() / mass.sum()
        # The end of each step's velocity is what it moves by: a step more than g t^2/2.
        self.assertAlmostEqual(height(0) - height(-1), 0.5 * 9.81 * 0.2 * (0.2 + 1e-3), delta=1e-5)

    def test_a_planar_joint_moves_in_the_plane_across_its_axis(self):
        self.write("plane.urdf", """\
            <robot name="plane"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
            <joint name="slide" type="planar"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/></joint></robot>""")
        result = self.run_scene("csim: 1\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\nbodies: []\n"
                                "models: [{file: plane.urdf, positions: {slide: [0.1, 0.2, 0.3]}, velocities: {slide: [1, 2, 0.5]}}]\n")
        # z onto x the shortest way: x goes to -z, y stays.
        np.testing.assert_allclose(result.body("plane::b", "position")[0], [0, 0.2, -0.1], atol=1e-15)
        np.testing.assert_allclose(result.body("plane::b", "position")[-1], [0, 2.2, -1.1], atol=1e-12)
        np.testing.assert_allclose(result.body("plane::b", "angular_velocity")[-1], [0.5, 0, 0], atol=1e-15)

    def test_the_effort_of_a_limit_is_that_of_an_actuator(self):
        self.write("pendulum.urdf", PENDULUM)
        result = self.run_scene("csim: 1\ntime: {step: 1.0e-3, end: 0.05}\nbodies: []\nmodels: [{file: pendulum.urdf, name: p}]\n"
                                "actuators: [{name: a, joint: \"p::hinge\", type: effort, command: 50}]\n")
        self.assertEqual(result.data["actuator/effort"][-1, 0], 20.0)

    def test_two_robots_touch_and_one_does_not_touch_itself(self):
        self.write("ball.urdf", """\
            <robot name="ball"><link name="a"><inertial><mass value="1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3"/></inertial>
            <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
            <link name="b"><inertial><mass value="1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3"/></inertial>
            <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
            <joint name="j" type="floating"><parent link="a"/><child link="b"/><origin xyz="0.15 0 0"/></joint></robot>""")
        def contacts(keys):
            scene = ("csim: 1\ngravity: [0, 0, 0]\ntime: {step: 1.0e-3, end: 1.0e-3}\nbodies: []\n"
                     f"models: [{{file: ball.urdf, name: one, base: free{keys}}}, {{file: ball.urdf, name: two, base: free, pose: {{xyz: [0, 0.15, 0]}}{keys}}}]\n")
            result = self.run_scene(scene)
            owner = np.array(result.data["geometries/body"])
            return {tuple(result.bodies[owner[result.data[f"contact/geometry_{side}"][i]]] for side in "ab") for i in range(len(result.data["contact/phi"]))
                    if result.data["contact/phi"][i] < 0}
        across = {("one::a", "two::a"), ("one::b", "two::b")}
        self.assertEqual(contacts(""), across | {("one::a", "one::b"), ("two::a", "two::b")})
        self.assertEqual(contacts(", self_collision: false"), across)
        self.assertEqual(contacts(", exclude: [[a, b]]"), across)
        self.assertEqual(contacts(", geometry: none"), set())

    def test_problems_have_their_places_in_the_robot(self):
        self.write("bad.urdf", PENDULUM.replace('<mass value="2"/>', '<mass value="two"/>').replace('<child link="rod"/>', '<child link="rode"/>'))
        self.write("scene.yaml", "csim: 1\ntime: {end: 1}\nbodies: []\nmodels: [{file: bad.urdf}]\n")
        result = self.csim("validate", "scene.yaml", expect=INVALID)
        self.assertIn("bad.urdf:3:68: error: robot/link[rod]/inertial/mass: value 'two', expected a finite number\n", result.stderr)
        self.assertIn("bad.urdf:5:61: error: robot/joint[hinge]/child: 'rode', unknown link, expected bob, rod or stand (did you mean 'rod'?)\n",
                      result.stderr)
        found = json.loads(self.csim("validate", "--json", "scene.yaml", expect=INVALID).stdout)
        self.assertEqual((found[0]["file"], found[0]["line"], found[0]["path"]), ("bad.urdf", 3, "robot/link[rod]/inertial/mass"))

    def test_a_singular_mass_matrix_is_told_at_the_link(self):
        self.write("light.urdf", PENDULUM.replace('<mass value="2"/><inertia ixx="0.2" iyy="0.3" izz="0.1"/>', '<mass value="0"/><inertia ixx="0" iyy="0" izz="0"/>')
                   .replace('<mass value="1"/>', '<mass value="0"/>'))
        self.write("scene.yaml", "csim: 1\ntime: {end: 1}\nbodies: []\nmodels: [{file: light.urdf}]\n")
        self.assertIn("light.urdf:3:3: error: robot/link[rod]: the mass matrix of its tree is singular", self.csim("validate", "scene.yaml", expect=INVALID).stderr)

    def test_explain_lists_joints_and_masses(self):
        self.write("pendulum.urdf", PENDULUM)
        self.write("scene.yaml", "csim: 1\ntime: {end: 1}\nbodies: []\nmodels: [{file: pendulum.urdf, name: p}]\n")
        text = self.csim("explain", "scene.yaml").stdout
        self.assertIn("p::hinge: revolute, p::stand to p::rod (2 kg), at 0 in [-3, 3] rad, damping 0.1", text)
        self.assertIn("p::weld: weld, p::rod to p::bob (1 kg)", text)
        rows = json.loads(self.csim("explain", "scene.yaml", "--json").stdout)["joint_list"]
        self.assertEqual((rows[0]["name"], rows[0]["limits"], rows[0]["mass"]), ("p::hinge", [-3.0, 3.0], 2.0))

    def test_the_schema_knows_models(self):
        schema = json.loads(self.csim("schema").stdout)
        keys = schema["definitions"]["model"]["properties"]
        for key in ("file", "name", "base", "pose", "velocity", "positions", "velocities", "geometry", "mesh", "material", "packages", "inertia",
                    "self_collision", "exclude", "srdf", "limits", "friction", "damping", "gravity_compensation"):
            self.assertIn(key, keys)
        self.assertIn("models", load_yaml(self.write("resolved.yaml", self.csim("resolve", self.write("s.yaml", SCENE)).stdout)))


if __name__ == "__main__":
    main()
