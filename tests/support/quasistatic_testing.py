"""What tests of integrator.type: quasistatic share."""
import numpy as np

from csim_testing import DONE, CliTest, Result

G = 9.81
HEAD = "csim: 1\nname: scene\nintegrator: {type: quasistatic, tolerance: 1.0e-8}\n"
BODY = "mass: 1, inertia: [0.01, 0.01, 0.01]"
TIGHT = "near_rigid: 1.0e-4"  # softer than a drive by 2.5e-10 at most
PROBLEMS = ("qp", "socp", "lcp")


def four_bar(theta):
    """Angle of the rocker, and potential energy of coupler and rocker, of the loop that is open upwards."""
    knee = 0.1 * np.stack([np.cos(theta), np.sin(theta)])
    to_pivot = np.array([[0.3], [0.0]]) - knee
    d = np.linalg.norm(to_pivot, axis=0)
    along = (0.3**2 - 0.2**2 + d**2) / (2 * d)
    across = np.sqrt(0.3**2 - along**2)
    e = to_pivot / d
    tip = knee + along * e + across * np.stack([-e[1], e[0]])
    rocker = np.arctan2(tip[1], tip[0] - 0.3)
    potential = G * (2 * (knee[1] + tip[1]) / 2 + 1.5 * tip[1] / 2)
    return rocker, potential


def four_bar_scene(head, coupler, constraints):
    """The loop of four_bar with a drive at the crank; `coupler` is its joint, `constraints` close the loop."""
    return head + f"""\
time: {{step: 1.0e-2, end: 1}}
bodies:
  - {{name: crank, {BODY}}}
  - {{name: coupler, mass: 2, inertia: [0.01, 0.01, 0.01], com: [0.15, 0, 0]}}
  - {{name: rocker, mass: 1.5, inertia: [0.01, 0.01, 0.01], com: [0.1, 0, 0]}}
joints:
  - {{name: motor, type: revolute, parent: world, child: crank, axis: [0, -1, 0], position: 1.2}}
  - {{{coupler}}}
  - {{name: pivot, type: revolute, parent: world, child: rocker, pose: {{xyz: [0.3, 0, 0]}}, axis: [0, -1, 0], position: 1.4864}}
actuators: [{{name: drive, joint: motor, type: position, stiffness: 40, command: {{times: [0, 1], values: [1.2, 1.8]}}}}]
constraints:
""" + "".join(f"  - {{{constraint}, assemble: true, {TIGHT}}}\n" for constraint in constraints)


class QuasistaticTest(CliTest):
    def check_four_bar(self, scene, *options):
        """The rocker goes where the lengths say, at the effort of virtual work; returns the result of the smaller step."""
        errors = []
        for step in (1e-2, 2.5e-3):
            r = self.run_scene(scene, "--set", f"time.step={step}", "--set", f"output.period={step}", *options)
            theta = r.joint("motor", "position")[:, 0]
            rocker, _ = four_bar(theta)
            errors.append(np.abs(r.joint("pivot", "position")[3:, 0] - rocker[3:]).max())
            d = 1e-6
            torque = (four_bar(theta + d)[1] - four_bar(theta - d)[1]) / (2 * d)
            # Loads are those of the pose at the start of a step; the first steps also close the loop.
            np.testing.assert_allclose(r.data["actuator/effort"][5:, 0], torque[4:-1], atol=1e-4)
        self.assertLess(errors[0], 2e-5)
        self.assertLess(errors[1], errors[0] / 8)  # of h^2
        return r

    def run_scene(self, scene, *options, expect=DONE, name="out.h5"):
        self.write("scene.yaml", scene)
        self.said = self.csim("run", "scene.yaml", "-o", name, "--force", "-q", *options, expect=expect).stderr
        if expect != DONE:
            return None
        r = Result(self.folder / name)
        self.assertLess(r.data["stats/step/residual"].max(), 1e-8)
        self.assertLess(r.data["artefact/momentum_residual"].max(), 1e-8)
        if "integrator.mass=full" not in options:  # whose drag is no account
            energy = r.data["energy/balance_error"]
            self.assertLess(np.abs(energy).max(), 1e-9 * r.data["energy/turned_over"][-1] + 1e-12)
        return r
