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

# Several joints a body with anchors and references of their own, a ball joint, a free body, springs, a closed loop, a pair of frictions.
MODEL = """\
<mujoco model="machine">
  <option timestep="0.002" gravity="0.5 0 -9.81"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="5 5 0.1" friction="0.9"/>
    <body name="arm" pos="0.1 0.2 1" quat="0.9 0.1 0.3 0.2" gravcomp="1">
      <joint name="lift" type="slide" axis="0 0.6 0.8" ref="0.3" stiffness="20" springref="0.1" damping="0.4"/>
      <joint name="turn" type="hinge" axis="1 1 0" pos="0.1 -0.2 0.05" ref="0.4" armature="0.02" range="-60 90"/>
      <joint name="twist" type="hinge" axis="0 0 1" pos="-0.1 0 0.3" stiffness="3" frictionloss="0.1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.4 0.1 0" size="0.03" mass="1.5"/>
      <body name="hand" pos="0.4 0.1 0" euler="20 30 40">
        <joint name="wrist" type="ball" pos="0 0 -0.02" damping="0.05"/>
        <geom type="box" size="0.05 0.04 0.03" density="800"/>
        <body name="tool" pos="0 0 0.1"><geom type="ellipsoid" size="0.02 0.03 0.04" mass="0.2"/></body>
      </body>
    </body>
    <body name="ball" pos="1 0 1"><freejoint name="free"/><geom type="sphere" size="0.1" friction="0.4" condim="6"/></body>
  </worldbody>
  <contact><exclude body1="arm" body2="ball"/></contact>
  <actuator>
    <position name="servo" joint="turn" kp="50" kv="2" gear="2"/>
    <motor name="motor" joint="twist" gear="3" ctrlrange="-2 2" ctrllimited="true"/>
    <general name="filter" joint="twist" dyntype="filter" dynprm="0.1" gainprm="1"/>
  </actuator>
  <keyframe><key name="up" qpos="0.1 0.2 0.3 1 0 0 0 1 0 2 1 0 0 0"/></keyframe>
</mujoco>
"""


@unittest.skipIf(mjcf_corpus is None, "without the packages mujoco, h5py and numpy")
class ImportMjcf(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("machine.xml", MODEL)

    def imported(self, *arguments):
        result = subprocess.run([sys.executable, SOURCE / "scripts/python/csim.py", "import-mjcf", self.model, "-o", self.folder / "machine.yaml", *arguments],
                                capture_output=True, text=True, check=True)
        return load_yaml(self.folder / "machine.yaml"), result.stderr

    def test_accelerations_are_mujoco_s(self):
        row = mjcf_corpus.check(CSIM, self.model, 10, 1)
        self.assertNotIn("csim", row)
        self.assertLess(row["worst"], 1e-8)

    def test_what_has_no_counterpart_is_listed(self):
        _, listed = self.imported()
        for line in ("lights: 0", "torsional and rolling friction: geom_4", "actuators that are neither motor, position nor velocity of one joint: filter"):
            self.assertIn(f"not in the scene: {line}\n", listed)

    def test_contacts_and_actuators(self):
        scene, _ = self.imported()
        self.assertIn({"a": "arm", "b": "ball"}, scene["contact"]["exclude"])
        self.assertEqual(scene["contact"]["pairs"][0]["friction"], 1.0)  # the larger of 0.9 and 1
        servo, motor = scene["actuators"]
        self.assertEqual((servo["type"], servo["stiffness"], servo["damping"]), ("position", 200.0, 8.0))
        self.assertEqual((motor["type"], motor["effort_limit"]), ("effort", 6.0))

    def test_a_key_frame_is_the_start(self):
        self.imported("--key", "up")
        self.csim("run", "machine.yaml", "-o", "machine.h5", "--end", "0.01", "-q")
        result = Result(self.folder / "machine.h5")
        self.assertEqual([result.joint(name, "position")[0, 0] for name in ("lift", "turn", "twist")], [0.1, 0.2, 0.3])
        self.assertEqual(list(result.body("ball", "position")[0]), [0.0, 2.0, 1.0])


if __name__ == "__main__":
    main()
