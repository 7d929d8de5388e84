"""Starting and going on: where there is a result already, from standard input, by a pattern of names, for a limited time, with other
keys of the solver, from a row of another result; what a scene implies, and a failed step alone."""
import hashlib
import json
import math
import os
import re

import h5py
import numpy as np

from csim_testing import BALL, DONE, FAILED, INTERRUPTED, INVALID, SOURCE, CliTest, Result, compare_bits, main, text

CLUTTER = SOURCE / "scenes/clutter/scene.yaml"
FAILS = ["--set", "solver.max_iterations=1"]   # where the ball first touches the ground
PENDULUM = """\
csim: 1
time: {step: 1.0e-3, end: 0.2}
bodies:
  - {name: bob, mass: 1.0, inertia: [1.0e-3, 1.0e-3, 1.0e-3], com: [0, 0, -0.5]}
  - {name: stone, mass: 2.0, inertia: [1.0e-3, 2.0e-3, 3.0e-3], velocity: {linear: [1, 2, 3], angular: [3, 2, 1]}}
joints:
  - {name: hinge, type: revolute, parent: world, child: bob, axis: [0, 1, 0], position: 0.5, velocity: 1.0}
"""


class Start(CliTest):
    def test_auto_starts_where_there_is_nothing_and_else_goes_on(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-o", "whole.h5", "-q")
        self.assertIn("no such file", self.csim("run", "ball.yaml", "--resume", expect=INVALID).stderr)
        self.csim("run", "ball.yaml", "--resume=auto", "--end", "0.2", "-q")
        self.assertIn("resuming after step 200", self.csim("run", "ball.yaml", "--resume=auto").stderr)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "ball.h5")
        before = (self.folder / "ball.h5").read_bytes()
        self.assertIn("nothing to resume", self.csim("run", "ball.yaml", "--resume=auto").stderr)
        self.assertIn("contact.model", self.csim("run", "ball.yaml", "--resume=auto", "--set", "contact.model=sap", expect=INVALID).stderr)
        self.assertEqual((self.folder / "ball.h5").read_bytes(), before)
        self.assertIn("auto", self.csim("run", "ball.yaml", "--resume=sometimes", expect=INVALID).stderr)

    def test_names_by_a_pattern(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "--end", "0", "-q", "-o", "{name}_{contact.model}_{bodies.ball.mass}.h5")
        self.csim("run", "ball.yaml", "--end", "0", "-q", "--set", "contact.model=sap", "-o", "{name}_{contact.model}.h5")
        self.assertEqual(self.files(), ["ball.yaml", "ball_coulomb_0.5.h5", "ball_sap.h5"])
        for pattern, told in (("{contact.modle}.h5", "did you mean 'model'"), ("{gravity}.h5", "a list or mapping"), ("{name.h5", "without the other brace"),
                              ("name}.h5", "without the other brace"), ("{}.h5", "{}")):
            self.assertIn(told, self.csim("run", "ball.yaml", "-o", pattern, expect=INVALID).stderr)
        self.assertEqual(len(self.files()), 3)

    def test_standard_input(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-o", "file.h5", "-q")
        self.csim("run", "-", "-q", input=BALL)
        self.assert_same_bits(self.folder / "file.h5", self.folder / "ball.h5")
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual(list(file["provenance"].attrs["inputs"]), [f"{hashlib.sha256(BALL.encode()).hexdigest()}  -"])
        self.csim("run", "-", "-q", "--end", "0", input=BALL.replace("name: ball\n", "", 1))
        self.assertIn("stdin.h5", self.files())
        wrong = self.csim("run", "-", input=BALL.replace("mass", "mas"), expect=INVALID)
        self.assertRegex(wrong.stderr, r"^stdin:\d+:\d+: error: bodies\.ball\.mas: ")
        self.assertIn("an empty file", self.csim("run", "-", input="", expect=INVALID).stderr)
        self.assertEqual(self.csim("resolve", "-", input=BALL).stdout, self.csim("resolve", "ball.yaml").stdout)
        self.csim("validate", "-", input=BALL)


class Interruption(CliTest):
    def test_a_limit_of_wall_time_ends_with_a_checkpoint(self):
        whole = ["--end", "20"]
        self.csim("run", CLUTTER, *whole, "-o", "whole.h5", "-q")
        code, times = INTERRUPTED, 0
        while code == INTERRUPTED and times < 200:
            code = self.csim("run", CLUTTER, *whole, "-o", "parts.h5", "-q", "--resume=auto", "--max-walltime", "0.1", expect=None).returncode
            times += 1
            if times == 1:
                with h5py.File(self.folder / "parts.h5") as file:
                    self.assertEqual((file.attrs["status"], file.attrs["exit_code"]), ("interrupted", INTERRUPTED))
                    self.assertRegex(file.attrs["message"], r"^interrupted after 0\.1 s \(--max-walltime\), after step [1-9]")
        self.assertEqual(code, DONE)
        self.assertGreater(times, 2)
        self.assert_same_bits(self.folder / "whole.h5", self.folder / "parts.h5")

    def test_the_least_time_makes_a_step(self):
        self.write("ball.yaml", BALL)
        for _ in range(3):
            self.csim("run", "ball.yaml", "-q", "--resume=auto", "--max-walltime", "1e-9", expect=INTERRUPTED)
        self.assertEqual(len(Result(self.folder / "ball.h5").data["stats/step/time"]), 3)
        self.csim("run", "ball.yaml", "--max-walltime", "0", expect=INVALID)


class Relax(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_a_failed_run_goes_on_with_other_keys_of_the_solver(self):
        self.csim("run", "ball.yaml", "-o", "whole.h5", "-q")
        self.csim("run", "ball.yaml", *FAILS, "-q", expect=FAILED)
        steps = len(Result(self.folder / "ball.h5").data["stats/step/time"])
        self.csim("run", "ball.yaml", *FAILS, "-q", "--resume", expect=FAILED)      # as it did before
        refused = self.csim("run", "ball.yaml", "-q", "--resume", expect=INVALID)
        self.assertIn("solver.max_iterations: 1, now 500", refused.stderr)
        self.csim("run", "ball.yaml", "--resume=relax")
        # Until then one iteration was enough. The attempts that failed are events.
        differences = compare_bits(self.folder / "whole.h5", self.folder / "ball.h5")
        self.assertEqual([d for d in differences if not d.startswith(("event/", "checkpoint/"))], [])
        kinds = [[text(kind) for kind in Result(self.folder / name).data["event/kind"]] for name in ("whole.h5", "ball.h5")]
        self.assertEqual(sorted(kinds[1]), sorted(kinds[0] + 2 * ["refused: unsolved"]))
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual(file.attrs["status"], "complete")
            self.assertEqual(sorted(name for name in file["provenance"]), ["run_0", "run_1"])
            for run in ("run_0", "run_1"):
                origin = file[f"provenance/{run}"].attrs
                self.assertIn("max_iterations: 1,", origin["solver"])
                self.assertEqual(origin["steps"], steps)
            self.assertIn("max_iterations: 500", file["scene/resolved"][()].decode())

    def test_nothing_else_may_differ(self):
        self.csim("run", "ball.yaml", *FAILS, "-q", expect=FAILED)
        for key in ("contact.model=sap", "bodies.ball.mass=0.6", "integrator.velocity_terms=start"):
            refused = self.csim("run", "ball.yaml", "-q", "--resume=relax", "--set", key, expect=INVALID)
            self.assertIn(f"another scene: {key.split('=')[0]}: ", refused.stderr)

    def test_files_of_the_scene_stay_what_they_were(self):
        tet = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
        self.write("ball.yaml", BALL.replace("shape: sphere, radius: 0.05", "shape: convex, file: tet.obj"))
        self.write("tet.obj", tet.format("0.1"))
        self.csim("run", "ball.yaml", *FAILS, "-q", expect=FAILED)
        self.write("tet.obj", tet.format("0.2"))
        self.assertIn("holds other bytes", self.csim("run", "ball.yaml", "-q", "--resume=relax", expect=INVALID).stderr)
        self.write("tet.obj", tet.format("0.1"))
        self.csim("run", "ball.yaml", "-q", "--resume=relax")


class Initial(CliTest):
    def test_bodies_and_joints_take_their_state_from_a_row(self):
        self.write("first.yaml", PENDULUM)
        self.csim("run", "first.yaml", "-q")
        first = Result(self.folder / "first.h5")
        self.write("second.yaml", PENDULUM.replace("position: 0.5, velocity: 1.0", "position: 2.0") + "initial: {from: first.h5, time: 0.07}\n")
        self.csim("run", "second.yaml", "-q", "--end", "0.13")
        second = Result(self.folder / "second.h5")
        row = first.row(0.07)
        for name in ("trajectory/q", "trajectory/v", "trajectory/position", "trajectory/quaternion", "trajectory/velocity", "joint/position", "joint/velocity"):
            self.assertEqual(second.data[name][0].tobytes(), first.data[name][row].tobytes(), name)
            # No contact: a step is a closed form of the state, and the motion goes on as it did, but for the time of round-off.
            np.testing.assert_allclose(second.data[name], first.data[name][row:], rtol=1e-12, atol=1e-12)
        self.assertEqual(second.time[0], 0.0)

    def test_the_last_row_and_what_is_missing(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        other = BALL.replace("name: ball\n", "name: two\n", 1) + """\
  - {name: other, mass: 1.0, inertia: solid, pose: {xyz: [1, 0, 2]}, geometry: [{shape: sphere, radius: 0.1, material: rubber}]}
initial: {from: ball.h5}
"""
        self.write("two.yaml", other)
        shown = self.csim("run", "two.yaml", "--end", "0")
        self.assertRegex(shown.stderr, r"note: initial: these are not in .*ball\.h5 and start as the scene says: other\n")
        ball, two = Result(self.folder / "ball.h5"), Result(self.folder / "two.h5")
        np.testing.assert_array_equal(two.body("ball", "position")[0], ball.body("ball", "position")[-1])
        np.testing.assert_array_equal(two.body("ball", "velocity")[0], ball.body("ball", "velocity")[-1])
        np.testing.assert_array_equal(two.body("other", "position")[0], [1, 0, 2])
        # A body that hangs on a joint there and is free here takes its pose and velocity.
        self.write("first.yaml", PENDULUM)
        self.csim("run", "first.yaml", "-q")
        free = PENDULUM.split("joints:")[0].replace("name: bob", "name: bob")
        self.write("free.yaml", free + "initial: {from: first.h5}\n")
        self.csim("run", "free.yaml", "-q", "--end", "0")
        for quantity in ("position", "quaternion", "velocity", "angular_velocity"):
            np.testing.assert_array_equal(Result(self.folder / "free.h5").body("bob", quantity)[0], Result(self.folder / "first.h5").body("bob", quantity)[-1])

    def test_the_resolved_scene_runs_to_the_same_bits_and_the_file_counts(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        self.write("next.yaml", BALL.replace("name: ball\n", "", 1) + "initial: {from: ball.h5, time: 0.3}\n")
        self.csim("run", "next.yaml", "-q", "--end", "0.1")
        (self.folder / "elsewhere").mkdir()
        self.write("elsewhere/resolved.yaml", self.csim("resolve", "next.yaml", "--set", "time.end=0.1").stdout)
        self.csim("run", "elsewhere/resolved.yaml", "-q", "-o", "resolved.h5")
        self.assertEqual(compare_bits(self.folder / "next.h5", self.folder / "resolved.h5", ignore=["scene/source"]), [])
        with h5py.File(self.folder / "next.h5") as file:
            self.assertIn(hashlib.sha256((self.folder / "ball.h5").read_bytes()).hexdigest(), file["provenance"].attrs["inputs"][1])
        self.csim("run", "ball.yaml", "-q", "--force", "--set", "bodies.ball.mass=0.6")
        self.assertIn("a file of the scene holds other bytes", self.csim("run", "next.yaml", "-q", "--resume", expect=INVALID).stderr)

    def test_mistakes(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        self.write("no.h5", "text")
        self.write("pendulum.yaml", PENDULUM)
        self.csim("run", "pendulum.yaml", "-q")
        universal = PENDULUM.replace("type: revolute", "type: universal").replace("axis: [0, 1, 0], position: 0.5, velocity: 1.0", "position: [0.1, 0.2]")
        slide = PENDULUM.replace("type: revolute", "type: prismatic")  # one coordinate too, in other units
        for text, initial, told in ((BALL, "{from: ball.h5, time: 0.004}", r"initial\.time: 0\.004 s, expected the time of a row .*nearest is 0 s"),
                                    (BALL, "{from: ball.h5, time: 7}", r"initial\.time: 7 s, .*nearest is 0\.5 s"),
                                    (BALL, "{from: ball.h5, time: -1}", r"initial\.time: "), (BALL, "{from: bal.h5}", r"initial\.from: 'bal\.h5', no such file"),
                                    (BALL, "{time: 1}", r"initial: |initial\.from: missing"), (BALL, "{from: no.h5}", r"initial\.from: .*no\.h5"),
                                    (BALL, "{from: pendulum.h5}", r"initial\.from: .*no body and no joint"),
                                    (universal, "{from: pendulum.h5}", r"initial\.from: .*joint 'hinge' is of type revolute there, universal in the scene; expected the same"),
                                    (slide, "{from: pendulum.h5}", r"initial\.from: .*joint 'hinge' is of type revolute there, prismatic in the scene"),
                                    (BALL, "{from: ball.h5, tiem: 1}", r"did you mean 'time'")):
            with self.subTest(initial):
                self.write("scene.yaml", text.replace("name: ball\n", "", 1) if text is BALL else text)
                with open(self.folder / "scene.yaml", "a") as file:
                    file.write(f"initial: {initial}\n")
                shown = self.csim("run", "scene.yaml", expect=INVALID)
                self.assertRegex(shown.stderr, r"^scene\.yaml:\d+:\d+: error: ")
                self.assertRegex(shown.stderr, told)
                self.assertNotIn("scene.h5", self.files())


class Explain(CliTest):
    def explain(self, *options):
        return json.loads(self.csim("explain", "ball.yaml", "--json", *options).stdout)

    def test_stiffness_and_time_scales(self):
        """Two springs of 1e5 N/m in series carry 0.5 kg: k = 5e4 N/m."""
        self.write("ball.yaml", BALL)
        found = self.explain()
        (pair,) = found["pairs"]
        self.assertAlmostEqual(pair["stiffness"], 5e4, delta=1e-6)
        self.assertAlmostEqual(pair["dissipation"], 0.2, delta=1e-12)
        self.assertAlmostEqual(pair["largest_rebound"], 5.0, delta=1e-9)
        self.assertAlmostEqual(pair["contact_time"], math.pi * math.sqrt(0.5 / 5e4), delta=1e-12)
        self.assertAlmostEqual(pair["rest_overlap"], 0.5 * 9.81 / 5e4, delta=1e-15)
        self.assertEqual((pair["body"], pair["other"], pair["friction"]), ("ball", "ground", 0.5))
        self.assertEqual(pair["bodies_are"], "lightest")
        self.assertEqual((pair["creep_floor"], pair["delassus_estimated"], found["creep"]), (1e-4, True, 1e-4))
        self.assertAlmostEqual(pair["creep_per_load"], 0.5 * 1e-3 * math.sqrt(7) / 0.5 * 1e-3, delta=1e-18)  # friction sigma w h, w of a sphere of 0.5 kg
        self.assertEqual((found["steps"], found["rows"], found["bodies"], found["moving_bodies"], found["nq"], found["nv"]), (500, 51, 2, 1, 7, 6))
        text = self.csim("explain", "ball.yaml").stdout
        self.assertIn("rebound speed at most 5 m/s", text)
        self.assertIn("rubber (ground) on rubber (ball): friction 0.5", text)
        self.assertIn("    the lightest pair that may meet, 'ball' and 'ground': reduced mass 0.5 kg; a contact lasts 0.00993 s (9.93 steps)", text)
        self.assertIn("a sticking contact creeps at 0.0001 m/s under loads of up to roughly 37.8 N, under larger ones at 2.65e-06 m/s per newton", text)
        self.assertEqual(self.files(), ["ball.yaml"])

    def test_sizes_are_those_of_the_file(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        found = self.explain()
        with h5py.File(self.folder / "ball.h5") as file:
            def bytes_of(names, rows):
                total = []
                for name in names:
                    file[name].visititems(lambda _, item: total.append(item.dtype.itemsize * int(np.prod(item.shape[1:])))
                                          if isinstance(item, h5py.Dataset) and item.shape[0] in rows else None)
                return sum(total)
            frames, steps = len(file["trajectory/time"]), len(file["stats/step/time"])
            self.assertEqual((frames, steps), (found["rows"], found["steps"]))
            self.assertEqual(found["step_bytes"], bytes_of(["stats/step", "artefact"], [steps]))
            offsets = 3 * file["contact/row_offset"].dtype.itemsize   # of contacts, patches and pairs
            columns = bytes_of([name for name in ("trajectory", "energy", "joint", "actuator", "constraint", "sequence") if name in file], [frames])
            self.assertEqual(found["row_bytes"], columns + offsets)
        self.assertGreater(found["memory_bytes"], 1e6)

    def uncompressed(self, path):
        """Bytes of a result whose rows would stand in whole chunks as they are."""
        total = path.stat().st_size
        def add(_, item):
            nonlocal total
            if isinstance(item, h5py.Dataset) and item.chunks and item.chunks[0] > 0 and item.size > 0:
                chunks = -(-item.shape[0] // item.chunks[0])
                total += chunks * int(np.prod(item.chunks)) * item.dtype.itemsize - item.id.get_storage_size()
        with h5py.File(path) as file:
            file.visititems(add)
        return total

    def test_sizes_of_shipped_scenes(self):
        """The least, a result of the initial state, and the most, all rows uncompressed, are right within 2 and 10 % where contacts stay
        as they begin; what compression leaves lies between them."""
        for name in ("pendulum", "four_bar", "free_fall", "chain", "coin", "conveyor_belt", "belt", "incline", "spring_cylinder"):
            with self.subTest(name):
                scene = SOURCE / "scenes" / name / "scene.yaml"
                found = json.loads(self.csim("explain", str(scene), "--json").stdout)
                self.csim("run", str(scene), "-o", "all.h5", "-q", "--force")
                self.csim("run", str(scene), "-o", "least.h5", "-q", "--force", "--end", "0")
                least, size = ((self.folder / file).stat().st_size for file in ("least.h5", "all.h5"))
                # No block of metadata crosses a page: the texts of a run, longer than those of the trial, may begin another.
                self.assertAlmostEqual(found["fixed_bytes"], least, delta=max(0.02 * least, 4096))
                self.assertAlmostEqual(found["file_bytes"] / self.uncompressed(self.folder / "all.h5"), 1, delta=0.1)
                self.assertLess(found["fixed_bytes"], size + max(0.02 * size, 4096))
                self.assertGreater(found["file_bytes"], size)

    def test_a_trial_knows_the_size_of_a_steady_run(self):
        """Within 10 %: the second half of a trial of 256 rows is two chunks of 64, and the timings of steps compress otherwise in every run."""
        for name in ("pendulum", "four_bar", "chain", "spring_cylinder"):
            with self.subTest(name):
                scene = SOURCE / "scenes" / name / "scene.yaml"
                trial = json.loads(self.csim("explain", str(scene), "--json", "--trial", "200").stdout)["trial"]
                self.assertEqual((trial["rows"], trial["message"]), (256, ""))
                self.csim("run", str(scene), "-o", "all.h5", "-q", "--force")
                self.assertAlmostEqual(trial["file_bytes"] / (self.folder / "all.h5").stat().st_size, 1, delta=0.1)
                self.assertGreater(trial["run_seconds"], trial["seconds"])

    def test_a_trial_of_a_short_run_and_of_one_that_fails(self):
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q")
        size = (self.folder / "ball.h5").stat().st_size
        found = self.explain("--trial", "1")
        self.assertEqual(found["trial"]["rows"], found["rows"])
        self.assertAlmostEqual(found["trial"]["file_bytes"] / size, 1, delta=0.01)
        failed = self.explain("--trial", "1", *FAILS)["trial"]
        self.assertIsNone(failed["file_bytes"])
        self.assertIn("not converge", failed["message"])
        self.assertIsNone(self.explain()["trial"])
        self.assertEqual(self.files(), ["ball.h5", "ball.yaml"])

    def test_sizes_without_a_place_for_files(self):
        self.write("ball.yaml", BALL)
        shown = self.csim("explain", "ball.yaml", "--json", env=os.environ | {"TMPDIR": str(self.folder / "none")})
        found = json.loads(shown.stdout)
        self.assertEqual((found["fixed_bytes"], found["file_bytes"]), (None, None))
        self.assertGreater(found["row_bytes"], 100)

    def test_the_first_step_and_advice(self):
        self.write("ball.yaml", BALL.replace("xyz: [0, 0, 0.3]", "xyz: [0, 0, 0.02]"))
        found = self.explain()
        self.assertEqual((found["start_contacts"], found["first_step"]["contacts"], found["first_step"]["equations"]), (1, 1, 3))
        self.assertIn("overlap by 0.03 m", found["overlaps"][0])
        self.csim("run", "ball.yaml", "-q", "--end", "0.001")
        self.assertEqual(found["first_step"]["iterations"], Result(self.folder / "ball.h5").data["stats/step/iterations"][0])
        (said,) = self.explain("--set", "time.step=0.01")["advice"]
        self.assertIn("if 'ball' hits 'ground', their contact lasts 0.00993 s, 0.99 steps: the step damps it, and leaves hardly anything of the rebound that the contact law gives (5 m/s at most)", said)
        self.assertFalse(self.explain(*FAILS)["first_step"]["ok"])
        self.csim("explain", "ball.yaml", "--set", "time.stpe=1", expect=INVALID)

    def test_keys_without_effect_are_told(self):
        """Of a material, by the law and by what its geometries are; of the solver, where there is nothing to solve."""
        self.write("ball.yaml", BALL)
        material = re.search(r"materials:\s+(\w+):", BALL)[1]
        keys = ("--set", f"materials.{material}.relaxation_time=0.01", "--set", f"materials.{material}.hydroelastic_modulus=1e6")
        said = self.explain(*keys)["advice"]
        self.assertIn(f"materials.{material}.relaxation_time has no effect with contact.normal: hunt_crossley", said)
        self.assertIn(f"materials.{material}.hydroelastic_modulus has no effect: no geometry of this material is contact: compliant", said)
        said = "".join(self.explain(*keys, "--set", "contact.model=sap")["advice"])
        self.assertNotIn("relaxation_time", said)
        self.write("free.yaml", "csim: 1\ntime: {end: 0.1}\nsolver: {tolerance: 1.0e-6}\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n")
        self.assertIn("free.yaml:3:9: note: solver has no effect: the scene has no contact, joint or constraint",
                      self.csim("explain", "free.yaml").stdout)

    def test_the_rebound_that_a_step_leaves(self):
        """Without damping a ball leaves as fast as it came: what is missing is the step's."""
        text = BALL.replace("hunt_crossley_dissipation: 0.2", "hunt_crossley_dissipation: 0").replace("name: ball\ntime", "name: ball\ngravity: [0, 0, 0]\ntime", 1).replace("linear: [1, 0, 0]", "linear: [0, 0, -1]").replace("0, 0.3]", "0, 0.051]")
        self.write("ball.yaml", text)
        contact = math.pi * math.sqrt(0.5 / 5e4)
        for steps in (4, 8):
            options = ("--set", f"time.step={contact / steps!r}", "--set", f"output.period={contact / steps!r}", "--set", f"time.end={8 * contact!r}")
            (said,) = self.explain(*options)["advice"]
            told = float(re.search(r"leaves about (\d+) % of the rebound", said)[1]) / 100
            self.csim("run", "ball.yaml", "-q", "--force", *options)
            left = Result(self.folder / "ball.h5").body("ball", "velocity")[-1, 2]
            self.assertAlmostEqual(told, left, delta=0.03)    # the formula is that of many steps
        (said,) = self.explain(*options[:-2])["advice"]
        good = float(re.search(r"a time.step of (\S+) s leaves 91 %", said)[1])
        self.assertAlmostEqual(good, contact / 50, delta=3e-3 * good)    # three digits
        self.assertEqual(self.explain("--set", f"time.step={good}")["advice"], [])

    def test_bodies_of_a_pair_are_those_that_touch(self):
        """The lightest box of a class lies apart; names are of bodies, where a body has one kind of geometry."""
        box = "  - {{name: {0}, mass: {1}, inertia: solid, pose: {{xyz: [{2}, 0, {3}]}}, geometry: [{{shape: box, size: [0.1, 0.1, 0.1], material: rubber}}]}}\n"
        scene = BALL.split("  - name: ball")[0]
        self.write("ball.yaml", scene + box.format("low", 2, 0, 0.05) + box.format("high", 1, 0, 0.149999) + box.format("light", 0.1, 5, 3))
        floor, boxes = self.explain()["pairs"]
        self.assertEqual((floor["body"], floor["other"], floor["bodies_are"]), ("low", "ground", "touching"))
        self.assertEqual((boxes["body"], boxes["other"], boxes["bodies_are"]), ("high", "low", "touching"))
        self.assertAlmostEqual(boxes["mass"], 2 / 3, delta=1e-15)
        text = self.csim("explain", "ball.yaml").stdout
        self.assertIn("  rubber (ground) on rubber (low and 2 more): friction", text)
        self.assertIn("  rubber (low and 2 more) among themselves: friction", text)
        self.assertIn("    touching or about to touch at the start, 'high' and 'low': reduced mass 0.667 kg", text)


class Replay(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_the_step_that_failed(self):
        self.csim("run", "ball.yaml", *FAILS, "-q", expect=FAILED)
        result = Result(self.folder / "ball.h5")
        found = json.loads(self.csim("replay", "ball.h5", "--json", expect=FAILED).stdout)
        self.assertEqual(found["message"], result.attributes["message"])
        self.assertEqual((found["run_status"], found["step"]), ("failed", len(result.data["stats/step/time"]) + 1))
        self.assertGreater(found["contacts"], 0)
        self.assertGreater(found["residual"], 1e-5)
        self.assertEqual(self.csim("replay", "ball.h5", expect=FAILED).stdout.count(result.attributes["message"]), 1)
        cured = json.loads(self.csim("replay", "ball.h5", "--json", "--set", "solver.max_iterations=500").stdout)
        self.assertTrue(cured["ok"])
        self.assertGreater(cured["iterations"], 1)
        self.assertEqual(len(cured["iteration"]["cost"]), cured["iterations"])
        self.assertIn("converged", self.csim("replay", "ball.h5", "--set", "solver.max_iterations=500", "--set", "contact.model=sap").stdout)
        self.assertEqual(self.files(), ["ball.h5", "ball.yaml"])

    def test_the_last_try_of_a_step_of_variable_length(self):
        controlled = ["--set", "integrator.type=error_controlled", "--set", "solver.tolerance=1e-12", *FAILS]
        self.csim("run", "ball.yaml", *controlled, "-q", expect=FAILED)
        result = Result(self.folder / "ball.h5")
        found = json.loads(self.csim("replay", "ball.h5", "--json", expect=FAILED).stdout)
        self.assertEqual(found["message"], result.attributes["message"])
        self.assertEqual((found["contacts"], found["equations"], found["islands"]), (1, 3, 1))
        # The message tells the island's, in three digits, which here is all there is.
        self.assertIn(f"residual {found['residual']:.3g} after 1 iteration", found["message"])
        self.assertEqual(len(found["iteration"]["cost"]), found["iterations"])
        self.assertIn("1 contact, 3 equations in 1 island", self.csim("replay", "ball.h5", expect=FAILED).stdout)

    def test_a_residual_that_is_no_number(self):
        """.. is not told as 0."""
        self.csim("run", "ball.yaml", "--set", "gravity=[0, 0, -1.0e+200]", "-q", expect=FAILED)
        self.assertIsNone(json.loads(self.csim("replay", "ball.h5", "--json", expect=FAILED).stdout)["residual"])
        self.assertIn(", residual nan,", self.csim("replay", "ball.h5", expect=FAILED).stdout)

    def test_it_is_the_step_of_the_run(self):
        """Of a run that ended early: the step that the longer run makes next, with the memory of the solver."""
        self.csim("run", CLUTTER, "-q", "-o", "whole.h5", "--end", "1")
        self.csim("run", CLUTTER, "-q", "-o", "part.h5", "--end", "0.5")
        whole, part = Result(self.folder / "whole.h5"), Result(self.folder / "part.h5")
        n = len(part.data["stats/step/time"])
        found = json.loads(self.csim("replay", "part.h5", "--json").stdout)
        self.assertEqual(found["step"], n + 1)
        for name in ("iterations", "residual", "condition"):
            self.assertEqual(found[name], whole.data[f"stats/step/{name}"][n], name)
        self.assertEqual((found["contacts"], found["equations"]), (whole.data["stats/step/num_contacts"][n], whole.data["stats/step/num_constraints"][n]))

    def test_mistakes(self):
        self.csim("run", "ball.yaml", "-q", "--end", "0.1")
        self.csim("replay", "none.h5", expect=INVALID)
        self.assertIn("contact.modle", self.csim("replay", "ball.h5", "--set", "contact.modle=sap", expect=INVALID).stderr)
        self.write("no.h5", "text")
        self.csim("replay", "no.h5", expect=INVALID)


if __name__ == "__main__":
    main()
