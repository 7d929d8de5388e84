"""integrator.type: quasistatic from the command line: certificates, what is recorded, resuming, runs without an answer."""
import json
import math

import h5py
import numpy as np

from csim_testing import DONE, FAILED, INVALID, SOURCE, CliTest, main

SCENE = SOURCE / "scenes/planar_grasp/scene.yaml"
CERTIFICATE = ("stationarity", "primal", "dual_sign", "complementarity", "balance")


def squeezed(radius):
    return f"""csim: 1
gravity: [0, 0, 0]
time: {{step: 0.01, end: 0.1}}
materials: {{m: {{}}}}
bodies:
  - {{name: left, fixed: true, pose: {{xyz: [-0.2, 0, 0]}}, geometry: [{{shape: box, size: [0.2, 1, 1], material: m}}]}}
  - {{name: right, fixed: true, pose: {{xyz: [0.2, 0, 0]}}, geometry: [{{shape: box, size: [0.2, 1, 1], material: m}}]}}
  - {{name: ball, mass: 1, inertia: solid, geometry: [{{shape: sphere, radius: {radius}, material: m}}]}}
integrator: {{type: quasistatic}}
"""


# Scenes that no quasistatic step is made of.
ACTUATORS = """\
csim: 1
time: {end: 1}
bodies:
  - {name: upper, mass: 1, inertia: [1, 1, 1]}
  - {name: lower, mass: 1, inertia: [1, 1, 1]}
  - {name: soft, mass: 1, inertia: [1, 1, 1]}
  - {name: pushed, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper}
  - {name: elbow, type: revolute, parent: upper, child: lower}
  - {name: slide, type: prismatic, parent: world, child: soft}
  - {name: push, type: prismatic, parent: world, child: pushed}
actuators:
  - {name: a, joint: shoulder, type: position, stiffness: 100, command: 0}
  - {name: b, joint: slide, type: position, stiffness: 0, command: 0}
  - {name: c, joint: slide, type: position, stiffness: 1, command: 0}
  - {name: d, joint: push, type: effort, command: 1}
integrator: {type: quasistatic}
"""
IMPOSSIBLE = """\
csim: 1
time: {end: 1}
materials: {m: {}}
bodies:
  - {name: conveyor, fixed: true, surface_velocity: [1, 0, 0], geometry: [{shape: box, size: [1, 1, 1], material: m}]}
  - {name: mover, motion: {velocity: [1, 0, 0]}}
  - {name: stone, density: 1000, geometry: [{shape: sphere, radius: 0.1, material: m, contact: compliant}]}
  - {name: plate, fixed: true, geometry: [{shape: box, size: [1, 1, 1], material: m, contact: rigid}]}
  - {name: p, mass: 1, inertia: [1, 1, 1]}
  - {name: q, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: jp, type: revolute, parent: world, child: p}
  - {name: jq, type: revolute, parent: world, child: q}
constraints: [{name: gear, type: coupler, joint_a: jp, joint_b: jq}]
integrator: {type: quasistatic, rays_per_contact: 2, mass: scaled}
"""
BARRIER = """\
csim: 1
time: {end: 1}
bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]
integrator: {type: quasistatic, problem: log_barrier, rays_per_contact: 5}
"""
DRAWER = """\
csim: 1
time: {step: 0.01, end: 0.1}
materials: {m: {friction: 0.3}}
bodies:
  - {name: drawer, mass: 2, inertia: solid, geometry: [{shape: box, size: [0.1, 0.2, 0.1], material: m}]}
  - {name: finger, mass: 0.1, inertia: solid, geometry: [{shape: sphere, radius: 0.02, material: m}]}
joints:
  - {name: rail, type: prismatic, parent: world, child: drawer, axis: [1, 0, 0], stiffness: 100}
  - {name: push, type: prismatic, parent: world, child: finger, axis: [1, 0, 0], pose: {xyz: [-0.07, 0, 0]}}
actuators: [{name: push, joint: push, type: position, stiffness: 300, command: {times: [0, 0.1], values: [0, 0.02]}}]
integrator: {type: quasistatic}
"""


class Quasistatic(CliTest):
    def run_scene(self, name, *options, expect=DONE):
        return self.csim("run", SCENE, "-o", name, "-q", "--force", *options, expect=expect)

    def test_certificates_of_every_step(self):
        self.run_scene("out.h5")
        with h5py.File(self.folder / "out.h5") as file:
            step = file["stats/step"]
            values = np.array([step[name][:] for name in CERTIFICATE])
            self.assertEqual(values.shape, (5, 35))
            self.assertLess(values.max(), 1e-9)
            np.testing.assert_array_equal(step["residual"][:], values.max(axis=0))
            np.testing.assert_allclose(file["artefact/momentum_residual"][:], values[0], atol=1e-14)
            self.assertTrue(np.all(step["status"][:] == 0))
            self.assertTrue(np.all(np.isnan(step["condition"][:])))
        info = json.loads(self.csim("info", "out.h5", "--json").stdout)
        for name, value in zip(CERTIFICATE, values):
            self.assertEqual(info["solver"][name]["max"], value.max())
        text = self.csim("info", "out.h5", "-v").stdout
        for words in ("stationarity", "impulses that pull", "complementarity", "balance of forces"):
            self.assertIn(words, text)
        self.assertNotIn("stationarity", self.csim("info", self.dynamic(), "-v").stdout)

    def dynamic(self):
        self.csim("run", SOURCE / "scenes/free_fall/scene.yaml", "-o", "fall.h5", "-q", "--force", "--end", "0.01")
        return "fall.h5"

    def test_forces_are_recorded_as_those_of_dynamics(self):
        self.run_scene("out.h5")
        with h5py.File(self.folder / "out.h5") as f:
            geometries = [name.decode().split("/")[0] for name in f["geometries/name"][:]]
            bodies = [name.decode() for name in f["bodies/name"][:]]
            offsets = f["contact/row_offset"][:]
            self.assertEqual(offsets[1], 0)  # row 0 has none
            positions, efforts, commands = f["joint/position"][:], f["actuator/effort"][:], f["actuator/command"][:]
            np.testing.assert_allclose(efforts, 1000 * (commands - positions[:, 2:]), atol=1e-12)
            ball = f["trajectory/position"][:, bodies.index("ball")]
            for row in range(1, 36):
                total = np.zeros(3)
                for k in range(offsets[row], offsets[row + 1]):
                    pair = [geometries[f[f"contact/geometry_{side}"][k]] for side in "ab"]
                    sign = 1 if pair[1] == "ball" else -1
                    total += sign * f["contact/force"][k]
                    # phi is that of the step's start, the gap of a finger is known from the positions of the row before.
                    if "left" in pair:
                        gap = ball[row - 1, 0] - f["trajectory/position"][row - 1, bodies.index("left"), 0] - 0.1
                        self.assertAlmostEqual(f["contact/phi"][k], gap, delta=1e-12)
                np.testing.assert_allclose(total, [0, 10, 0], atol=1e-8)  # the ball's weight
            energy = {name: f[f"energy/{name}"][:] for name in ("kinetic", "elastic", "total", "potential", "dissipated", "work", "balance_error")}
            self.assertFalse(energy["kinetic"].any() or energy["elastic"].any())
            np.testing.assert_array_equal(energy["total"], energy["potential"])
            self.assertGreaterEqual(np.diff(energy["dissipated"]).min(), -1e-15)
            # Springs, friction and gravity of the step as solved balance; positions are linear in the velocities here.
            self.assertLess(np.abs(energy["balance_error"]).max(), 1e-9)
            self.assertGreater(energy["dissipated"][-1], 0.05)

    def test_the_same_bits_for_any_number_of_threads_and_after_a_resume(self):
        self.run_scene("one.h5")
        self.run_scene("three.h5", "--threads", "3")
        self.run_scene("part.h5", "--end", "0.17")
        self.csim("run", SCENE, "-o", "part.h5", "-q", "--resume")
        for other in ("three.h5", "part.h5"):
            self.csim("diff", "one.h5", other, "--rtol", "0", "--atol", "0")

    def test_gradients_are_recorded_on_demand(self):
        self.run_scene("plain.h5")
        self.run_scene("out.h5", "--set", "output.gradients=true")
        with h5py.File(self.folder / "plain.h5") as plain, h5py.File(self.folder / "out.h5") as f:
            self.assertNotIn("gradient", plain)
            self.assertEqual(set(f["gradient"]), {"q", "command", "kinks"})
            frames, nq = f["trajectory/q"].shape
            q, command, kinks = (f["gradient"][name][:] for name in ("q", "command", "kinks"))
            self.assertEqual((q.shape, command.shape, kinks.shape), ((frames, nq, nq), (frames, nq, 3), (frames,)))
            self.assertTrue(np.isnan(q[0]).all() and np.isnan(command[0]).all())
            self.assertFalse(np.isnan(q[1:]).any() or np.isnan(command[1:]).any())
            self.assertEqual(list(np.flatnonzero(kinks)), [3, 13])  # the touch, the limit of friction
            # The free fingers go where they are told; all else stays, and the motion is the same.
            finger = {name.decode(): i for name, i in zip(f["joints/name"][:], f["joints/q_offset"][:])}
            np.testing.assert_allclose(command[1, [finger["height"], finger["left_slide"], finger["right_slide"]]], np.eye(3), atol=1e-9)
            for name in ("trajectory/q", "contact/force", "stats/step/residual"):
                np.testing.assert_array_equal(plain[name][:], f[name][:])

    def test_gradients_are_the_same_after_a_resume(self):
        gradients = ("--set", "output.gradients=true")
        self.run_scene("one.h5", *gradients)
        self.run_scene("part.h5", "--end", "0.17", *gradients)
        self.csim("run", SCENE, "-o", "part.h5", "-q", "--resume", *gradients)
        with h5py.File(self.folder / "one.h5") as one, h5py.File(self.folder / "part.h5") as part:
            for name in one["gradient"]:
                np.testing.assert_array_equal(one["gradient"][name][:], part["gradient"][name][:])

    def test_gradients_of_what_has_none_are_errors(self):
        self.write("lcp.yaml", SCENE.read_text().replace("problem: qp", "problem: lcp").replace("output: {", "output: {gradients: true, "))
        self.assertRegex(self.csim("validate", "lcp.yaml", expect=INVALID).stderr,
                         r"lcp.yaml:\d+:\d+: error: output.gradients: true, but Coulomb's law itself has no optimum to differentiate; expected false")
        result = self.csim("run", SCENE, "--set", "output.gradients=true", "--set", "integrator.problem=planning_lcp", expect=INVALID)
        self.assertIn("output.gradients: true, but Coulomb's law itself", result.stderr)
        result = self.csim("run", SOURCE / "scenes/falling_sphere/scene.yaml", "--set", "output.gradients=true", expect=INVALID)
        self.assertIn("output.gradients: true, expected false but under integrator.type: quasistatic", result.stderr)

    def test_view_and_export(self):
        self.run_scene("out.h5")
        self.csim("view", "out.h5", "-o", "out.html")
        self.csim("export", "out.h5", "--csv", "tables", "--paraview", "series")
        self.assertIn("stationarity", next((self.folder / "tables").glob("*step*")).read_text().splitlines()[0])

    def test_resolved_scene_runs_to_the_same_bits(self):
        self.run_scene("out.h5")
        resolved = self.csim("resolve", SCENE).stdout
        self.assertIn("contact_threshold: inf", resolved)
        self.write("resolved.yaml", resolved)
        self.csim("run", "resolved.yaml", "-o", "resolved.h5", "-q")
        self.csim("diff", "out.h5", "resolved.h5", "--rtol", "0", "--atol", "0")

    def test_a_tendon_is_the_spring_that_a_joint_does_not_have(self):
        self.write("drawer.yaml", DRAWER)
        self.assertIn("joints.rail.stiffness has no effect under integrator.type: quasistatic; a constraint of type tendon with this stiffness is such a spring",
                      self.csim("run", "drawer.yaml", "-o", "out.h5").stderr)
        self.csim("run", "drawer.yaml", "-o", "out.h5", "-q", "--force", "--set", "constraints=[{name: spring, type: tendon, joints: {rail: 1}, length: 0, stiffness: 100}]")
        with h5py.File(self.folder / "out.h5") as f:  # the finger's spring of 300 N/m pulls the drawer against the other
            np.testing.assert_allclose(f["joint/position"][:, 0], f["actuator/command"][:, 0] * 300 / (300 + 100), atol=1e-12)

    def test_leaps_are_told(self):
        # A box that falls on the floor: by less than its size, and by more. A spring too soft for its weight turns by whole turns.
        fall = """\
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 0.02}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: box, mass: 1, inertia: solid, pose: {xyz: [0, 0, %s]}, geometry: [{shape: box, size: [0.2, 0.2, 0.2], material: m}]}
integrator: {type: quasistatic, problem: %s, contact_threshold: inf}
"""
        radius = 0.1 * math.sqrt(3)
        for problem in ("qp", "socp", "lcp"):
            for way, leaps in ((0.9 * radius, []), (5 * radius, [5.0])):
                self.write("fall.yaml", fall % (0.1 + way, problem))
                told = self.csim("run", "fall.yaml", "-o", "out.h5", "--force").stderr
                self.assertEqual("steps in which bodies leapt: 1, first 'box'" in told, bool(leaps))
                with h5py.File(self.folder / "out.h5") as f:
                    np.testing.assert_allclose([v for k, v in zip(f["event/kind"][:], f["event/value"][:]) if k == b"leap"], leaps, rtol=1e-6)
        self.write("soft.yaml", """\
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 0.01}
bodies: [{name: bob, mass: 2, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}]
joints: [{name: pivot, type: revolute, parent: world, child: bob, axis: [0, 1, 0]}]
constraints: [{name: soft, type: tendon, joints: {pivot: 1}, length: 0, stiffness: 0.5}]
integrator: {type: quasistatic}
""")
        self.csim("run", "soft.yaml", "-o", "out.h5", "--force")
        with h5py.File(self.folder / "out.h5") as f:
            self.assertEqual([k.decode() for k in f["event/kind"][:]], ["leap"])
            self.assertAlmostEqual(f["event/value"][0], 6 / 0.5 / math.pi, delta=1e-9)

    def test_a_squeezed_body_ends_the_run(self):
        self.write("squeezed.yaml", squeezed(0.101))
        result = self.csim("run", "squeezed.yaml", "-o", "out.h5", "-q", expect=FAILED)
        self.assertIn("body 'ball' is squeezed by 0.002 m between 'left/geometry_0', 'right/geometry_0'", result.stderr)
        with h5py.File(self.folder / "out.h5") as f:
            self.assertEqual((f.attrs["status"], f.attrs["exit_code"]), ("failed", 3))
            self.assertIn("squeezed", f.attrs["message"])
            self.assertEqual([k.decode() for k in f["event/kind"][:]], ["squeezed"])
            self.assertAlmostEqual(f["event/value"][0], 0.002, delta=1e-7)
            self.assertEqual(len(f["trajectory/time"]), 1)
            # The attempt, with its certificate.
            self.assertEqual((len(f["stats/step/status"]), f["stats/step/status"][-1]), (1, 9))
            residual = f["stats/step/residual"][-1]
            self.assertGreater(residual, 1e-5)
            self.assertEqual(residual, max(f[f"stats/step/{name}"][-1] for name in CERTIFICATE))
        self.assertIn("failed 1", self.csim("info", "out.h5", "-v").stdout)
        self.write("loose.yaml", squeezed(0.0999))
        self.csim("run", "loose.yaml", "-o", "loose.h5", "-q")

    def test_an_unsupported_body_ends_the_run(self):
        self.write("fall.yaml", squeezed(0.05).replace("gravity: [0, 0, 0]", "gravity: [0, 0, -10]"))
        result = self.csim("run", "fall.yaml", "-o", "out.h5", "-q", expect=FAILED)
        self.assertIn("body 'ball' is unsupported", result.stderr)
        with h5py.File(self.folder / "out.h5") as f:
            self.assertEqual([k.decode() for k in f["event/kind"][:]], ["unsupported"])
            self.assertEqual([k.decode() for k in f["event/subject_a"][:]], ["ball"])
            self.assertAlmostEqual(f["event/value"][0], 10.0, delta=1e-9)

    def test_a_squeeze_is_relaxed(self):
        self.write("squeezed.yaml", squeezed(0.101).replace("type: quasistatic", "type: quasistatic, on_infeasible: relax"))
        self.csim("run", "squeezed.yaml", "-o", "out.h5", "-q")
        with h5py.File(self.folder / "out.h5") as f:
            self.assertTrue(np.all(f["stats/step/status"][:] == 8))
            self.assertEqual([k.decode() for k in f["event/kind"][:]], ["squeezed"] * 10)
            self.assertLess(np.abs(f["trajectory/v"][:]).max(), 1e-9)
        info = self.csim("info", "out.h5", "-v").stdout
        self.assertIn("relaxed 10", info)

    def test_ambiguous_forces_end_the_run_or_are_flagged(self):
        options = ("--set", "integrator.problem=planning_lcp", "--end", "0.03")
        error = self.run_scene("out.h5", *options, expect=FAILED).stderr
        self.assertIn("the commanded motion does not determine the contact forces", error)
        self.assertIn("two solutions are", error)
        self.run_scene("out.h5", *options, "--set", "integrator.on_ambiguous=flag")
        with h5py.File(self.folder / "out.h5") as f:
            self.assertEqual([k.decode() for k in f["event/kind"][:]], ["ambiguous force"])
            self.assertTrue(np.isinf(f["event/value"][0]))
        json.loads(self.csim("info", "out.h5", "--json").stdout)

    def test_impossible_scenes_are_errors_at_their_places(self):
        for text, expected in (
            (ACTUATORS, {
                "15:56: error: actuators.b.stiffness: 0, expected a stiffness > 0",
                "16:22: error: actuators.c.joint: joint 'slide' has the actuator 'b' already",
                "17:34: error: actuators.d.type: effort, expected position",
                "10:5: error: joints.elbow: no actuator, beside the actuator 'a' of the same tree; expected an actuator of type position on all its joints or on none, "
                "or integrator.passive_joints: true"}),
            (IMPOSSIBLE, {
                "5:53: error: bodies.conveyor.surface_velocity: a belt is not possible",
                "6:27: error: bodies.mover.motion: a prescribed motion is not possible",
                "7:5: error: bodies.stone: the pair stone/geometry_0 and plate/geometry_0 meets by pressure fields",
                "15:51: error: integrator.rays_per_contact: 2, but the passive bodies do not move in one plane",
                "15:60: error: integrator.mass: scaled"}),
            (BARRIER, {
                "4:73: error: integrator.rays_per_contact: 5, expected an even number",
                "4:13: error: integrator.mass: none, with which a barrier has no minimum"})):
            self.write("bad.yaml", text)
            errors = self.csim("validate", "bad.yaml", expect=INVALID).stderr
            for line in expected:
                self.assertIn("bad.yaml:" + line, errors)
            self.assertEqual(errors.count(": error: "), len(expected), errors)

    def test_dynamic_keys_are_notes(self):
        result = self.csim("run", SCENE, "-o", "notes.h5", "--force", "--set", "actuators.raise.damping=5", "--set", "solver.tolerance=1e-7",
                           "--set", "joints.height.friction=1")
        for key in ("actuators.raise.damping", "solver", "joints.height.friction"):
            self.assertIn(f"{key} has no effect", result.stderr)
        result = self.csim("run", SCENE, "-o", "notes.h5", "--force", "--set", "contact.margin=0.01", "--set", "contact.stiction_tolerance=1e-3",
                           "--set", "materials.skin.stiffness=1e5", "--set", "integrator.on_ambiguous=flag",
                           "--set", "contact.normal=hertz", "--set", "materials.skin.hertz_stiffness=1e9", "--set", "contact.friction_tolerance=0.1", "--set", "contact.max_repetitions=3",
                           "--set", "contact.barrier={stiffness: 1, thickness: 0.01}")
        for key in ("contact.normal", "materials.skin.hertz_stiffness", "contact.friction_tolerance", "contact.max_repetitions", "contact.barrier", "contact.margin", "contact.stiction_tolerance", "materials.skin.stiffness", "integrator.on_ambiguous"):
            self.assertIn(f"{key} has no effect", result.stderr)

    def test_keys_in_vain_are_notes_at_their_places(self):
        scene = squeezed(0.05).replace("{type: quasistatic}", "{type: quasistatic, problem: socp, mass: full, rays_per_contact: 8, mass_scale: 3, barrier_weight: 7, regularization: 1.0e-5}")
        self.write("vain.yaml", scene + "output: {iterations: true, patches: full, gradients: true, period: 0.05}\n")
        notes = self.csim("validate", "vain.yaml").stderr
        for place, key in (("9:78", "integrator.rays_per_contact"), ("9:93", "integrator.mass_scale"), ("9:112", "integrator.barrier_weight"),
                           ("9:131", "integrator.regularization"), ("10:22", "output.iterations"), ("10:37", "output.patches")):
            self.assertIn(f"vain.yaml:{place}: note: {key} has no effect", notes)
        self.assertIn("vain.yaml:10:54: note: output.gradients are those of the steps that are recorded", notes)
        self.assertEqual(notes.count(": note: "), 7, notes)
        self.assertIn("vain.yaml:9:93: note: integrator.mass_scale", self.csim("run", "vain.yaml", "-o", "vain.h5").stderr)

    def test_a_start_outside_limits_ends_in_the_first_step(self):
        self.write("outside.yaml", """csim: 1
time: {step: 0.01, end: 0.01}
bodies: [{name: arm, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: j, type: revolute, parent: world, child: arm, limits: [0.1, 1]}]
actuators: [{name: a, joint: j, type: position, stiffness: 10, command: 0}]
integrator: {type: quasistatic}
""")
        told = self.csim("run", "outside.yaml", "-o", "out.h5").stderr
        self.assertIn("joints.j.position lies 0.1 rad outside its limits: it is pushed back by all of that in the first step", told)
        with h5py.File(self.folder / "out.h5") as f:
            self.assertAlmostEqual(f["trajectory/q"][-1][0], 0.1, delta=1e-12)

    def test_gradients_have_a_stage_and_contact_model_no_value(self):
        self.run_scene("gradients.h5", "--set", "output.gradients=true", "--end", "0.05")
        with h5py.File(self.folder / "gradients.h5") as f:
            seconds = {name: f[f"stats/step/seconds_{name}"][:].sum() for name in ("gradients", "record", "total")}
        self.assertGreater(seconds["gradients"], 0.0)
        self.assertGreater(seconds["record"], 0.0)
        self.assertGreater(seconds["total"], seconds["gradients"] + seconds["record"])
        table = json.loads(self.csim("table", "gradients.h5", "--columns", "contact.model,integrator.problem", "--format", "json").stdout)
        self.assertNotIn("lagged", json.dumps(table))
        self.assertIn("qp", json.dumps(table))

    def test_mass_is_needed_where_gravity_acts(self):
        self.write("bad.yaml", squeezed(0.05).replace("mass: 1, inertia: solid, ", ""))
        self.assertIn("bad.yaml:8:5: error: bodies.ball", self.csim("validate", "bad.yaml", expect=INVALID).stderr)

    def test_an_odd_number_of_rays_is_no_fault_of_cones(self):
        self.run_scene("cones.h5", "--set", "integrator.problem=socp", "--set", "integrator.rays_per_contact=5")


if __name__ == "__main__":
    main()
