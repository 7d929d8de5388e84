"""Extreme valid scenes, and runs that fail: the file is always complete and readable."""
import h5py
import numpy as np

from csim_testing import BALL, FAILED, INVALID, SOURCE, CliTest, Result, main

GROUPS = ["bodies", "geometries", "joints", "trajectory", "energy", "contact", "joint", "actuator", "stats/step", "artefact", "scene", "provenance"]


class Edges(CliTest):
    def test_no_bodies(self):
        self.write("empty.yaml", "csim: 1\nbodies: []\ntime: {end: 0.1}\n")
        self.csim("run", "empty.yaml", "-q")
        with h5py.File(self.folder / "empty.h5") as file:
            for group in GROUPS:
                self.assertIn(group, file)
            self.assertEqual(file["trajectory/position"].shape, (11, 0, 3))
            self.assertEqual(file["trajectory/q"].shape, (11, 0))
            self.assertEqual(len(file["stats/step/time"]), 100)
            np.testing.assert_array_equal(file["contact/row_offset"], np.zeros(12))
            np.testing.assert_array_equal(file["energy/total"], np.zeros(11))

    def test_end_at_the_start(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "--end", "0", "-q")
        result = Result(self.folder / "ball.h5")
        self.assertEqual(result.attributes["status"], "complete")
        np.testing.assert_array_equal(result.time, [0.0])
        np.testing.assert_array_equal(result.body("ball", "position"), [[0, 0, 0.3]])
        self.assertEqual(len(result.data["stats/step/time"]), 0)
        np.testing.assert_array_equal(result.data["contact/row_offset"], [0, 0])

    def test_more_steps_than_can_be_counted(self):
        self.write("ball.yaml", BALL)
        for key, settings in (("time.step", ("time.step=1e-300",)), ("integrator.max_step", ("integrator={type: continuous, max_step: 1e-300}",)),
                              ("integrator.max_step", ("integrator={type: error_controlled, max_step: 1e-300}",))):
            result = self.csim("run", "ball.yaml", "-o", "never.h5", *(word for setting in settings for word in ("--set", setting)), expect=INVALID)
            self.assertIn(f"time.end: more than 2^53 steps of {key}", result.stderr)
            self.assertEqual(list(self.folder.glob("never*")), [])

    def test_an_end_between_steps(self):
        """N = round(end/step), with a note; the last step has a row."""
        self.write("scene.yaml", BALL)
        result = self.csim("run", "scene.yaml", "--end", "0.0154")
        self.assertRegex(result.stderr, "note.*whole number of steps")
        np.testing.assert_allclose(Result(self.folder / "ball.h5").time, [0, 0.010, 0.015], atol=1e-12)

    def test_rows_of_a_period_between_steps(self):
        """Row f stands after floor(f period/step + 1/2) steps."""
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "--end", "0.01", "--set", "output.period=0.0025", "-q")
        np.testing.assert_allclose(Result(self.folder / "ball.h5").time, [0, 0.003, 0.005, 0.008, 0.010], atol=1e-12)

    def test_a_period_shorter_than_a_step_gives_every_step(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "--end", "0.01", "--set", "output.period=1e-5", "-q")
        np.testing.assert_allclose(Result(self.folder / "ball.h5").time, np.arange(11) * 1e-3, atol=1e-12)

    def test_contacts_switched_off(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "--set", "output.contacts=false", "-q")
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertNotIn("contact", file)
            self.assertIn("artefact", file)

    def test_iterations_switched_on(self):
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "--set", "output.iterations=true", "-q")
        with h5py.File(self.folder / "ball.h5") as file:
            offsets = file["stats/iteration/row_offset"][()]
            self.assertEqual(len(offsets), len(file["stats/step/time"]) + 1)
            np.testing.assert_array_equal(np.diff(offsets), file["stats/step/iterations"])

    def test_no_friction_no_gravity_light_and_heavy(self):
        for override in ("materials.rubber.friction=0", "gravity=[0, 0, 0]", "bodies.ball.mass=1e-6", "bodies.ball.mass=1e6", "time.step=1e-9"):
            with self.subTest(override):
                end = ["--end", "1e-7"] if "step" in override else []
                self.csim("run", "scene.yaml" if (self.folder / "scene.yaml").exists() else self.write("scene.yaml", BALL), "--set", override, *end, "-q", "--force")
                result = Result(self.folder / "ball.h5")
                self.assertTrue(np.isfinite(result.data["trajectory/q"]).all())


class Failure(CliTest):
    def test_no_convergence(self):
        self.write("scene.yaml", BALL)
        result = self.csim("run", "scene.yaml", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", expect=FAILED)
        self.assertIn("after 1 iteration", result.stderr)
        self.assertEqual(self.files(), ["ball.h5", "scene.yaml"])
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual(file.attrs["status"], "failed")
            self.assertEqual(file.attrs["exit_code"], FAILED)
            self.assertIn("after 1 iteration", file.attrs["message"])
            # It fell for a while before it touched the floor: that is kept.
            self.assertGreater(len(file["trajectory/time"]), 10)
        self.assertIn("failed", self.csim("info", "ball.h5").stdout)

    def test_a_mass_matrix_of_a_state_beyond_measure(self):
        """A spring that turns a light arm by more than a radian a step throws the slider off: the state's rounding, no mistake of csim."""
        self.write("scene.yaml", """\
            csim: 1
            time: {step: 1.0e-3, end: 0.1}
            bodies:
              - {name: arm, mass: 0.5, inertia: [5.0e-4, 5.0e-4, 5.0e-4]}
              - {name: slider, mass: 0.5, inertia: [5.0e-4, 5.0e-4, 5.0e-4]}
            joints:
              - {name: hinge, type: revolute, parent: world, child: arm, position: 90, rest_position: 45, stiffness: 1}
              - {name: slide, type: planar, parent: arm, child: slider, position: [90, 0, 0]}
            """)
        for terms, cause in ("start", "a velocity is not finite"), ("mean", "no mean velocity for the Coriolis and gyroscopic forces of 'arm'"):
            with self.subTest(terms):
                told = self.csim("run", "scene.yaml", "--force", "--set", f"integrator.velocity_terms={terms}", "--set", "guards.energy_gain=none", expect=FAILED).stderr
                self.assertRegex(told, rf"csim: error: step \d+ at t = \S+ s: {cause}")
                self.assertNotIn("internal error", told)

    def test_a_spin_too_fast_for_the_step_is_the_cause_that_is_named(self):
        """By the error and the file, once, whatever the spin ended in: a number that is none, or a solver that found no way with it."""
        self.write("scene.yaml", """\
            csim: 1
            name: spin
            time: {step: 1.0e-2, end: 2}
            integrator: {velocity_terms: start}
            materials: {m: {friction: 0.5}}
            bodies:
              - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
              - name: brick
                density: 1000
                pose: {xyz: [0, 0, 0.3]}
                velocity: {angular: [90, 30, 60]}
                geometry: [{shape: box, size: [0.1, 0.2, 0.3], material: m}]
            """)
        cause = r"; before that, bodies of uneven inertia spun too fast for a step of 0\.01 s \(\d+ times\), first 'brick' at t = 0\.01 s: .*a shorter time\.step prevents it$"
        for scene, ends in ({}, "the Hessian is not positive definite"), ({"bodies.ground.geometry": "[]"}, "a velocity is not finite"):
            with self.subTest(ends):
                overrides = [word for key, value in scene.items() for word in ("--set", f"{key}={value}")]
                said = self.csim("run", "scene.yaml", "--force", *overrides, "--set", "guards.energy_gain=none", expect=FAILED).stderr
                with h5py.File(self.folder / "spin.h5") as file:
                    message = file.attrs["message"]
                self.assertRegex(message, ends)
                self.assertRegex(message, cause)
                self.assertIn(f"csim: error: {message}\n", said)
                self.assertEqual(said.count("spun too fast"), 1)

    def test_no_convergence_accepted(self):
        self.write("scene.yaml", BALL)
        said = self.csim("run", "scene.yaml", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12",
                         "--set", "solver.on_nonconvergence=accept").stderr
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual(file.attrs["status"], "complete")
            status, residual, time = (file[f"stats/step/{quantity}"][()] for quantity in ("status", "residual", "time"))
        self.assertIn(4, status)
        above = np.isin(status, (1, 2, 4)) & (residual > 1e-12)
        self.assertIn(f"tolerance = 1e-12: {above.sum()} of {len(status)}, the largest {residual[above].max():.3g}, the first at t = {time[above][0]:.3g} s", said)

    def test_overlap_under_a_barrier_names_the_overlap(self):
        """Not the fast ball above the floor, whose gap would close within the step too."""
        self.write("scene.yaml", """\
            csim: 1
            time: {step: 1.0e-2, end: 0.1}
            materials: {m: {friction: 0.5}}
            contact: {normal: log_barrier, barrier: {stiffness: 1.0e-4, thickness: 0.01}}
            bodies:
              - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
              - {name: low, density: 1000, pose: {xyz: [0, 0, 0.105]}, velocity: {linear: [0, 0, -5]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
              - {name: high, density: 1000, pose: {xyz: [0, 0, 0.303]}, velocity: {linear: [0, 0, -5]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
            """)
        said = self.csim("run", "scene.yaml", expect=FAILED).stderr
        self.assertIn("a contact overlaps by 0.002 m before the step", said)
        self.assertIn("(contact of 'low/geometry_0' and 'high/geometry_0')", said)

    def test_no_residual_above_tolerance_is_no_warning(self):
        self.write("scene.yaml", BALL)
        self.assertNotIn("residual", self.csim("run", "scene.yaml").stderr)

    def test_no_method_exceeds_the_limit_of_iterations(self):
        """The clutter's impacts under Similar, where the interior point alone would take more."""
        for method in ("newton", "interior_point", "auto"):
            for limit in (1, 5, 10):
                with self.subTest(method, limit=limit):
                    self.csim("run", SOURCE / "scenes/clutter/scene.yaml", "-o", "a.h5", "--force", "-q", "--end", "0.4", "--set", "contact.model=similar",
                              "--set", f"solver.method={method}", "--set", f"solver.max_iterations={limit}", "--set", "solver.on_nonconvergence=accept",
                              "--set", "output.contacts=false", "--set", "contact.margin=0.01", "--set", "integrator.velocity_terms=start",   # one solve a step
                              "--set", "guards.energy_gain=none")                                 # what is not solved gains energy
                    with h5py.File(self.folder / "a.h5") as file:
                        self.assertEqual(file["stats/step/iterations"][()].max(), limit)


if __name__ == "__main__":
    main()
