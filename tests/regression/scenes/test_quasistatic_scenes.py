"""The numbers in the READMEs of the scenes without momentum."""
import math

import numpy as np

from csim_testing import main
from test_scenes import SceneTest


class CubeStacking(SceneTest):
    # Of a prototype with another solver (cvxopt), to its digits: time, position and quaternion of the cube.
    PATH = {
        3.0: (0.54808, 0, 0.10009, 0.999994, 0, 0.003516, 0), 4.0: (0.54887, 0, 0.17392, 0.999993, 0, 0.003676, 0),
        6.0: (0.55084, 0, 0.32086, 0.999992, 0, 0.003917, 0), 8.0: (0.62555, 0.00170, 0.32045, 0.923893, 0.001587, 0.003935, 0.382627),
        10.0: (0.69905, 0.00268, 0.32009, 0.707183, 0.003113, 0.003259, 0.707016), 20.0: (0.69824, 0.00267, 0.25850, 0.707184, 0, 0, 0.707030)}

    def test(self):
        r = self.run_scene("cube_stacking")
        pose = np.hstack([r.body("cube_0", "position"), r.body("cube_0", "quaternion")])
        for time, expected in self.PATH.items():
            np.testing.assert_allclose(pose[r.row(time)], expected, atol=2e-5, err_msg=f"t = {time}")
        self.assertAlmostEqual(pose[-1, 2], 0.189 + 0.0395 + 0.03, delta=1e-6)  # 0.1 um of a corner's ball, twice
        heights = {2: 0.1145, 3: 0.189, 5: 0.1145, 6: 0.189, 8: 0.1145}
        for n in range(1, 10):
            position = r.body(f"cube_{n}", "position")
            self.assertAlmostEqual(position[1, 2], heights.get(n, 0.04), delta=1e-6)
            self.assertLess(np.abs(position[-1] - position[1]).max(), 1e-6)
        # Grip: the finger's spring, while the cube is carried straight up.
        for finger in ("left_finger", "right_finger"):
            self.assertAlmostEqual(r.contact_sum(r.row(4.0), "normal_force", finger), 4.75, delta=1e-4)
        counts = np.diff(r.data["contact/row_offset"])[1:]
        self.assertEqual((counts.min(), counts.max(), round(counts.mean(), 2)), (40, 50, 44.05))

    def test_lag_of_the_joints_is_that_of_the_weight(self):
        r = self.run_scene("cube_stacking", "--set", "time.step=0.02", "--end", "4")
        command, joints = r.data["actuator/command"][-1], (2, 4, 6)
        q = {j: r.joint(f"joint_{j}", "position")[-1, 0] for j in joints}
        lag = np.array([q[j] - command[j - 1] for j in joints])
        np.testing.assert_allclose(lag, [0.004567, -0.002826, -0.000050], atol=1e-6)
        # K^-1 J^T F: F = 5 N down at the cube's centre x; joint origins in the x-z plane, axes y, -y, y.
        x, stiffness = r.body("cube_0", "position")[-1, 0], {2: 600, 4: 600, 6: 200}
        elbow = 0.3995 * math.sin(q[2])
        origins = {2: 0.0, 4: elbow, 6: elbow + 0.3995 * math.sin(q[2] - q[4])}
        expected = [sign * 5 * (x - origins[j]) / stiffness[j] for j, sign in zip(joints, (1, -1, 1))]
        np.testing.assert_allclose(lag, expected, atol=2e-5)  # the grip's lever changes in a step: of first order

    def test_the_same_with_momentum(self):
        """One key: within 4 mm, the error of steps of 0.1 s and the inertia of the drives."""
        paths = [self.run_scene("cube_stacking", *options).body("cube_0", "position") for options in
                 ((), ("--set", "integrator={type: discrete}", "--set", "time.step=1e-3"))]
        self.assertLess(np.linalg.norm(paths[0] - paths[1], axis=1).max(), 4e-3)
        np.testing.assert_allclose(paths[1][-1], [0.6982, 0, 0.2585], atol=1e-3)


class IiwaStacking(SceneTest):
    # Position of the red cube in Drake 1.51.1 (scripts/studies/quasistatics/stacking_drake.py: the same URDF, gains and commands; 1 ms).
    DRAKE = {
        4.0: (0.54792, 0, 0.17397), 6.0: (0.54839, -1e-5, 0.32341), 8.0: (0.62383, 0, 0.32026), 10.0: (0.69931, 5e-5, 0.31781),
        12.0: (0.69835, 3e-5, 0.25986), 20.0: (0.69825, 3e-5, 0.25985)}

    def test_with_momentum_it_follows_drake(self):
        r = self.run_scene("iiwa_stacking")
        position = r.body("cube_0", "position")
        for time, expected in self.DRAKE.items():
            # Points on faces of 1e6 N/m here, pressure fields there: a weight of 50 N is 0.1 mm deeper.
            np.testing.assert_allclose(position[r.row(time)], expected, atol=5e-4, err_msg=f"t = {time}")
        for n in range(1, 10):
            cube = r.body(f"cube_{n}", "position")
            self.assertLess(np.abs(cube[-1] - cube[0]).max(), 2e-4)
        # Lifted and held still, before the next part of the way: each pad presses as its spring says.
        for finger in ("iiwa::left_finger", "iiwa::right_finger"):
            self.assertAlmostEqual(r.contact_sum(r.row(5.98), "normal_force", finger), 5.0, delta=0.05)

    def test_without_momentum_it_comes_to_the_same(self):
        r = self.run_scene("iiwa_stacking", "--set", "integrator={type: quasistatic}", "--set", "time.step=0.02", "--set", "output.period=0.1")
        position = r.body("cube_0", "position")
        for time in (12.0, 20.0):
            np.testing.assert_allclose(position[r.row(time)], self.DRAKE[time], atol=1e-3)
        self.assertAlmostEqual(position[-1, 2], 0.26, delta=1e-6)


class PushGraspPlace(SceneTest):
    def test(self):
        """What holds for both kinds of stepping, and the lag of the push, which does not; docs/evidence/quasistatics.md has the rest."""
        for kind, lag in (("quasistatic", 4.36875e-3), ("discrete", 3.75e-3)):
            with self.subTest(kind):
                r = self.run_scene("push_grasp_place", "--set", f"integrator.type={kind}")
                behind = r.data["actuator/command"] - r.data["joint/position"]
                self.assertAlmostEqual(behind[r.row(1.5), [0, 3]].sum(), lag, delta=1e-5)
                self.assertAlmostEqual(behind[r.row(6.0), 1], 2.5e-3, delta=1e-5)
                for finger in ("left", "right"):
                    self.assertAlmostEqual(r.contact_sum(r.row(6.0), "normal_force", finger), 10, delta=0.02)
                np.testing.assert_allclose(r.body("block", "position")[-1], [0.25, 0, 0.07], atol=1e-4)


class PlanarGraspDrop(SceneTest):
    def test_what_falls_further_than_its_contacts_were_sought_lands(self):
        """2 cm over the ground the ball's only candidates are the fingers, 4 mm away, which it would open by falling 38 mm: through the ground."""
        fingers = {"left": -0.104, "right": 0.104}
        keys = {"integrator.contact_threshold": "auto", "joints.ball_y.position": 0.12, **{f"actuators.close_{side}.command": x for side, x in fingers.items()},
                **{f"joints.{side}_slide.position": x for side, x in fingers.items()}}
        r = self.run_scene("planar_grasp", "--end", "0.01", *(word for key, value in keys.items() for word in ("--set", f"{key}={value}")))
        self.assertAlmostEqual(r.body("ball", "position")[-1, 1], 0.1, delta=1e-9)


if __name__ == "__main__":
    main()
