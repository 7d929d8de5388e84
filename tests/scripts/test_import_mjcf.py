"""csim.py import-mjcf: a model of MuJoCo's moves as MuJoCo says, and what has no counterpart is listed. Needs the package mujoco, which Debian has not."""
import subprocess
import sys
import unittest

from csim_testing import CSIM, SOURCE, CliTest, Result, load_yaml, main

sys.path[:0] = [str(SOURCE / "scripts/studies"), str(SOURCE / "scripts/python")]
try:
    import mjcf_corpus
except ImportError:
    mjcf_corpus = None

# Several joints a body with anchors and references of their own, a ball joint, free bodies, one of them without a mass of its own, springs, losses of actuators, tendons,
# a closed loop, a mass without moments, part of gravity compensated, a pair of frictions, contact pairs.
MODEL = """\
<mujoco model="machine">
  <option timestep="0.002" gravity="0.5 0 -9.81"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0  0.1 0 0  0 0.1 0  0 0 0.1"/>
    <mesh name="seen" vertex="0 0 0  0.1 0 0  0 0.1 0  0 0 0.1" face="0 2 1  0 1 3  1 2 3  0 3 2"/>
    <material name="red" rgba="1 0 0 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="5 5 0.1" pos="0 0 1.5" friction="0.9"/>
    <body name="arm" pos="0.1 0.2 1" quat="0.9 0.1 0.3 0.2" gravcomp="1">
      <joint name="lift" type="slide" axis="0 0.6 0.8" ref="0.3" stiffness="20" springref="0.1" damping="0.4"/>
      <joint name="turn" type="hinge" axis="1 1 0" pos="0.1 -0.2 0.05" ref="0.4" armature="0.02" range="-60 90"/>
      <joint name="twist" type="hinge" axis="0 0 1" pos="-0.1 0 0.3" stiffness="3" frictionloss="0.1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.4 0.1 0" size="0.03" mass="1.5"/>
      <geom name="look" type="mesh" mesh="seen" contype="0" conaffinity="0" material="red" mass="0"/>
      <site name="tip" pos="0.4 0.1 0"/>
      <body name="hand" pos="0.4 0.1 0" euler="20 30 40" gravcomp="0.5">
        <joint name="wrist" type="ball" pos="0 0 -0.02" damping="0.05"/>
        <geom type="box" size="0.05 0.04 0.03" density="800"/>
        <body name="tool" pos="0 0 0.1"><geom type="ellipsoid" size="0.02 0.03 0.04" mass="0.2"/></body>
        <body name="stop" pos="0 0.1 0"><inertial pos="0.01 0 0" mass="0.3" diaginertia="0 0 0"/></body>
      </body>
    </body>
    <body name="ball" pos="1 0 1"><freejoint name="free"/><geom name="shell" type="sphere" size="0.1" friction="0.4" condim="6"/><site name="eye" pos="0 0 0.1"/></body>
    <body name="frame" pos="-1 0 1"><freejoint name="loose"/><body name="load" pos="0 0.1 0"><geom name="block" type="mesh" mesh="wedge" contype="0"/></body></body>
  </worldbody>
  <contact><exclude body1="arm" body2="ball"/><pair geom1="floor" geom2="block" friction="0.3 0.3 0.005 0.0001 0.0001" condim="3"/></contact>
  <tendon>
    <fixed name="pull" stiffness="12" damping="0.3" springlength="0.2"><joint joint="turn" coef="0.5"/><joint joint="twist" coef="-1.5"/></fixed>
    <spatial name="rope" limited="true" range="0 3" stiffness="7" springlength="0.4"><site site="tip"/><site site="eye"/></spatial>
  </tendon>
  <equality><joint name="gears" joint1="turn" joint2="twist" polycoef="0.1 0.5 0 0 0"/><connect name="hook" body1="ball" body2="load" anchor="0.1 0 0" active="true"/></equality>
  <actuator>
    <position name="servo" joint="turn" kp="50" kv="2" gear="2" armature="0.03"/>
    <motor name="motor" joint="twist" gear="3" ctrlrange="-2 2" ctrllimited="true"/>
    <motor name="winch" tendon="pull" gear="4"/>
    <general name="offset" joint="lift" gear="0.5" gainprm="3" biastype="affine" biasprm="0.7 -20 -1"/>
    <general name="filter" joint="twist" dyntype="filter" dynprm="0.1" gainprm="1"/>
    <general name="grip" tendon="pull" gear="2" gainprm="0.3" biastype="affine" biasprm="0.2 -5 -0.5" forcerange="-9 9"/>
  </actuator>
  <keyframe><key name="up" qpos="0.1 0.2 0.3 1 0 0 0 1 0 2 1 0 0 0 -1 0 1 1 0 0 0" ctrl="0.6 0 0 0 0 0"/></keyframe>
</mujoco>
"""


@unittest.skipIf(mjcf_corpus is None, "without the packages mujoco, h5py and numpy")
class ImportMjcf(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("machine.xml", MODEL)

    def imported(self, *arguments):
        result = subprocess.run([sys.executable, SOURCE / "scripts/python/csim.py", "import-mjcf", self.model, "-o", self.folder / "machine.yaml", *arguments],
                                capture_output=True, text=True)
        return load_yaml(self.folder / "machine.yaml") if result.returncode == 0 else None, result.stderr

    def test_it_moves_and_touches_as_mujoco_says(self):
        row = mjcf_corpus.check(CSIM, self.model, 5, 1)
        self.assertNotIn("csim", row)
        self.assertLess(row["accelerations"], 1e-10)
        self.assertLess(row["violations"], 1e-12)
        self.assertGreater(row["pairs"], 0)
        self.assertEqual(row["pairs_differ"], [])

    def test_what_has_no_counterpart_is_listed(self):
        _, listed = self.imported()
        for line in ("not in the scene: lights: light_0", "not in the scene: torsional and rolling friction: shell", "not in the scene: actuators: dynamics filter: filter",
                     "not in the scene: masses of their own (they count with the body above): tool, stop", "note: command of servo: 0.5 times the control of MuJoCo",
                     "note: command of offset: 0.3 times the control of MuJoCo + 0.07"):
            self.assertIn(f"{line}\n", listed)

    def test_contacts(self):
        scene, _ = self.imported()
        self.assertIn({"a": "arm", "b": "ball"}, scene["contact"]["exclude"])
        frictions = {(pair["a"], pair["b"]): pair["friction"] for pair in scene["contact"]["pairs"]}
        self.assertEqual(frictions["material:friction_0_9", "material:friction_1"], 1.0)
        self.assertEqual(frictions["material:friction_0_9", "material:friction_0_4"], 0.9)  # the larger one
        self.assertEqual(frictions["world_geometry/floor", "load/block"], 0.3)

    def test_a_body_has_no_name_of_the_importer(self):
        self.write("machine.xml", MODEL.replace('<body name="frame"', '<body name="world_geometry"'))
        scene, _ = self.imported()
        names = [body["name"] for body in scene["bodies"]]
        self.assertEqual([name for name in names if name.startswith("world")], ["world_geometry", "world_geometry_"])
        row = mjcf_corpus.check(CSIM, self.model, 5, 1)
        self.assertNotIn("csim", row)
        self.assertEqual(row["pairs_differ"], [])

    def test_actuators(self):
        scene, listed = self.imported()
        servo, motor, *winch, offset, turn, twist = scene["actuators"]
        self.assertEqual((servo["type"], servo["stiffness"], servo["damping"]), ("position", 200.0, 8.0))
        self.assertEqual((motor["type"], motor["effort_limit"]), ("effort", 6.0))
        self.assertEqual([row["name"] for row in winch], ["winch+turn", "winch+twist"])
        self.assertEqual((offset["type"], offset["stiffness"], offset["damping"]), ("position", 5.0, 0.25))
        self.assertAlmostEqual(offset["command"], 0.07)
        # A servo on a tendon: what follows its length is a spring of the tendon, the rest efforts of its joints.
        self.assertEqual([(row["name"], row["type"], round(row["command"], 12)) for row in (turn, twist)], [("grip+turn", "effort", 0.2), ("grip+twist", "effort", -0.6)])
        self.assertIn({"name": "grip+feedback", "type": "tendon", "joints": {"turn": 0.5, "twist": -1.5}, "length": 0.0, "stiffness": 20.0, "relaxation_time": 0.1}, scene["constraints"])
        self.assertIn("not in the scene: limits of efforts with feedback through a tendon: grip+turn, grip+twist\n", listed)

    def test_what_is_apart_at_the_start_is_assembled(self):
        scene, listed = self.imported()
        self.assertFalse([row for row in scene["constraints"] if "assemble" in row])
        self.write("machine.xml", MODEL.replace('range="0 3"', 'range="0 0.4"'))
        scene, listed = self.imported()
        self.assertEqual([row["name"] for row in scene["constraints"] if row.get("assemble")], ["rope"])
        self.assertIn("note: rope is violated by ", listed)
        self.csim("run", "machine.yaml", "-o", "machine.h5", "--end", "0", "-q")
        result = Result(self.folder / "machine.h5")
        names = [name.decode() for name in result.data["constraint/name"]]
        for name in ("gears", "hook", "rope"):
            at = names.index(name)
            rows = slice(*result.data["constraint/row_offset"][at:at + 2])
            self.assertLess(abs(result.data["constraint/violation"][0, rows]).max(), 1e-9, name)

    def test_a_mesh_that_is_only_seen_is_a_file(self):
        look = self.imported()[0]["bodies"][3]["geometry"][1]
        self.assertEqual((look["name"], look["shape"], look["contact"], look["color"]), ("look", "mesh", "none", [1.0, 0.0, 0.0, 1.0]))
        self.assertTrue((self.folder / look["file"]).is_file())

    def test_a_key_frame_is_the_start(self):
        scene, _ = self.imported("--key", "up")
        self.assertEqual(scene["actuators"][0]["command"], 0.3)
        scene["constraints"] = [row for row in scene["constraints"] if "stiffness" in row]
        self.write("start.yaml", mjcf_corpus.import_mjcf.yaml_of(scene))
        self.csim("run", "start.yaml", "-o", "machine.h5", "--end", "0", "-q")
        result = Result(self.folder / "machine.h5")
        self.assertEqual([result.joint(name, "position")[0, 0] for name in ("lift", "turn", "twist")], [0.1, 0.2, 0.3])
        self.assertEqual(list(result.body("ball", "position")[0]), [1.0, 0.0, 2.0])

    def test_an_unknown_key_frame_is_refused(self):
        scene, message = self.imported("--key", "down")
        self.assertIsNone(scene)
        self.assertIn("'down', unknown key frame; the file has: up", message)


if __name__ == "__main__":
    main()
