"""Sequences: phases of commands, each until its condition holds."""
import numpy as np

from csim_testing import DONE, FAILED, INVALID, CliTest, Result, compare_bits, main

HEAD = "csim: 1\nname: scene\n"

# A slide that nothing moves but its drive, and one beside it.
SLIDES = HEAD + """\
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
output: {period: 1.0e-3}
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: ja, type: prismatic, parent: world, child: a, axis: [1, 0, 0]}
  - {name: jb, type: prismatic, parent: world, child: b, axis: [1, 0, 0]}
actuators:
  - {name: ma, joint: ja, type: position, stiffness: 4000, damping: 130, command: 0.5}
  - {name: mb, joint: jb, type: position, stiffness: 4000, damping: 130, command: {sine: {amplitude: 0.1, frequency: 1}}}
sequence:
"""

# Two fingers that close on a box, lift it and let it go.
GRIPPER = HEAD + """\
time: {step: 2.0e-3, end: 3}
materials: {rubber: {friction: 0.8, stiffness: 1.0e5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: rubber}]}
  - {name: hand, mass: 1, inertia: [0.01, 0.01, 0.01]}
  - {name: left, mass: 0.2, inertia: [0.001, 0.001, 0.001], geometry: [{shape: box, size: [0.02, 0.04, 0.06], material: rubber}]}
  - {name: right, mass: 0.2, inertia: [0.001, 0.001, 0.001], geometry: [{shape: box, size: [0.02, 0.04, 0.06], material: rubber}]}
  - {name: cube, mass: 0.3, inertia: solid, pose: {xyz: [0, 0, 0.0399]}, geometry: [{shape: box, size: [0.05, 0.05, 0.08], material: rubber}]}
joints:
  - {name: lift, type: prismatic, parent: world, child: hand, axis: [0, 0, 1], position: 0.05}
  - {name: jl, type: prismatic, parent: hand, child: left, axis: [1, 0, 0], position: -0.06}
  - {name: jr, type: prismatic, parent: hand, child: right, axis: [-1, 0, 0], position: -0.06}
actuators:
  - {name: up, joint: lift, type: position, stiffness: 5000, damping: 300, command: 0.05}
  - {name: ml, joint: jl, type: position, stiffness: 500, damping: 30, effort_limit: 30, command: -0.06}
  - {name: mr, joint: jr, type: position, stiffness: 500, damping: 30, effort_limit: 30, command: -0.06}
sequence:
  - {name: wait, until: {time: 0.2}}
  - name: close
    commands: {ml: {ramp: {to: 0.03, duration: 1.5}}, mr: {ramp: {to: 0.03, duration: 1.5}}}
    until: {pair_force: {a: left, b: cube}, above: 10}
    timeout: 3
  - name: raise
    commands: {up: {times: [0, 0.8], values: [0.05, 0.2], interpolation: smooth}}
  - {name: hold, until: {time: 0.5}}
  - {name: open, commands: {ml: -0.06, mr: -0.06}, until: {body_position: {body: cube, axis: z}, below: 0.05}, timeout: 1}
"""


class Sequence(CliTest):
    def run_scene(self, text, *options, expect=DONE, name="out.h5"):
        self.write("scene.yaml", text)
        self.said = self.csim("run", "scene.yaml", "-o", name, "--force", "-q", *options, expect=expect)
        return Result(self.folder / name)

    def phases(self, r):
        """(name, time, value) of the events."""
        return [(a.decode(), t, v) for a, t, k, v in zip(r.data["event/subject_a"], r.data["event/time"], r.data["event/kind"], r.data["event/value"])
                if k == b"phase"]

    def test_ramps_tables_and_values_that_are_held(self):
        r = self.run_scene(SLIDES + """\
  - {name: first, commands: {ma: {ramp: {to: 0.7, duration: 0.2}}}}
  - {name: second, commands: {mb: {times: [0, 0.1], values: [0.3, 0.1]}}, until: {time: 0.1}}
  - {name: third, commands: {ma: {ramp: {to: 0, duration: 0.5}}}, until: {time: 0.25}}
  - {name: last, commands: {ma: 0.1}}
""")
        self.assertEqual([n.decode() for n in r.data["sequence/name"]], ["first", "second", "third", "last"])
        for (name, t, value), expected in zip(self.phases(r), [("first", 0, 0), ("second", 0.2, 1), ("third", 0.3, 2), ("last", 0.55, 3)], strict=True):
            self.assertEqual((name, value), (expected[0], expected[2]))
            self.assertAlmostEqual(t, expected[1], places=9)
        t, (a, b) = r.time, r.data["actuator/command"].T
        # A step belongs to the phase that was in force at its start, its row too.
        np.testing.assert_array_equal(r.data["sequence/phase"][[0, 1, 200, 201, 300, 301, 550, 551, 1000]], [0, 0, 0, 1, 1, 2, 2, 3, 3])
        np.testing.assert_allclose(a[t <= 0.2 + 1e-9], 0.5 + t[t <= 0.2 + 1e-9], atol=1e-12)
        np.testing.assert_allclose(a[201:301], 0.7, atol=0)  # held
        np.testing.assert_allclose(a[301:551], 0.7 - 1.4 * (t[301:551] - 0.3), atol=1e-12)
        np.testing.assert_array_equal(a[551:], 0.1)
        np.testing.assert_allclose(b[:201], 0.1 * np.sin(2 * np.pi * t[:201]), atol=1e-12)  # its own
        np.testing.assert_allclose(b[201:301], 0.3 - 2 * (t[201:301] - 0.2), atol=1e-12)
        np.testing.assert_allclose(b[301:], 0.1, atol=1e-15)  # held, not its own again
        self.assertLess(np.abs(r.data["energy/balance_error"]).max(), 1e-9)

    def test_conditions_of_joints_and_actuators(self):
        r = self.run_scene(SLIDES + """\
  - {name: position, commands: {ma: {ramp: {to: 1.5, duration: 1}}}, until: {joint_position: ja, above: 0.3}}
  - {name: velocity, commands: {ma: 0}, until: {joint_velocity: ja, below: -1}}
  - {name: effort, commands: {ma: 2}, until: {actuator_effort: ma, below: 100}, timeout: 1}
  - {name: done, until: {time: 0.01}}
""")
        at = [round(t / 1e-3) for _, t, _ in self.phases(r)]
        q, v, effort = r.data["joint/position"][:, 0], r.data["joint/velocity"][:, 0], r.data["actuator/effort"][:, 0]
        self.assertEqual(len(at), 4)
        self.assertLessEqual(q[at[1] - 1], 0.3)
        self.assertGreater(q[at[1]], 0.3)
        self.assertTrue(v[at[2] - 1] >= -1 > v[at[2]])
        self.assertTrue(effort[at[3] - 1] >= 100 > effort[at[3]])
        self.assertTrue((effort[at[2] + 1:at[3]] >= 100).all())

    def test_times_that_are_up(self):
        waits = SLIDES + "  - {name: never, commands: {ma: 0.2}, until: {joint_position: ja, above: 5}, timeout: 0.3%s}\n  - {name: after, commands: {ma: 0.4}}\n"
        r = self.run_scene(waits % "", expect=FAILED)
        self.assertIn("phase 'never' timed out after 0.3 s, at t = 0.3 s: it waits for the position of joint 'ja' above 5, found ", self.said.stderr)
        self.assertEqual(r.attributes["status"], "failed")
        self.assertAlmostEqual(r.time[-1], 0.3, places=9)
        r = self.run_scene(waits % ", on_timeout: next")
        self.assertEqual([name for name, _, _ in self.phases(r)], ["never", "after"])
        self.assertAlmostEqual(self.phases(r)[1][1], 0.3, places=9)
        # Whatever the rounding of its beginning.
        for begin, timeout in ((0.005, 0.1), (0.013, 0.05), (0.017, 0.3)):
            r = self.run_scene(SLIDES + f"  - {{name: first, until: {{time: {begin}}}}}\n  - {{name: never, until: {{joint_position: ja, above: 5}}, timeout: {timeout}, on_timeout: next}}\n"
                               "  - {name: after}\n")
            self.assertEqual([round(t / 1e-3) for _, t, _ in self.phases(r)], [0, round(begin / 1e-3), round((begin + timeout) / 1e-3)])
        # The last phase too, and between two rows of the output.
        r = self.run_scene(SLIDES.replace("period: 1.0e-3", "period: 0.25") +
                           "  - {name: last, until: {joint_position: ja, above: 5}, timeout: 0.3}\n", expect=FAILED)
        np.testing.assert_allclose(r.time, [0, 0.25, 0.3], atol=1e-9)

    def test_a_gripper_closes_until_it_holds(self):
        r = self.run_scene(GRIPPER)
        begin = {name: t for name, t, _ in self.phases(r)}
        self.assertEqual(list(begin), ["wait", "close", "raise", "hold", "open"])
        # The fingers (0.035 m off the cube's sides) follow 0.06 m/s with a lag of at most c/k = 0.06 s x 0.06 m/s,
        # and press 10 N at 10/500 m beyond.
        touch = (0.06 - 0.025 - 0.01 + 0.02) / 0.06
        self.assertAlmostEqual(begin["close"], 0.2, places=9)
        self.assertAlmostEqual(begin["raise"] - begin["close"], touch, delta=0.07)
        self.assertAlmostEqual(begin["hold"] - begin["raise"], 0.8, places=9)
        z = np.interp([begin["open"] - 0.01, 2.9], r.time, r.body("cube", "position")[:, 2])
        self.assertAlmostEqual(z[0], 0.04 + 0.15, delta=0.002)  # it holds
        self.assertAlmostEqual(z[1], 0.04, delta=1e-3)  # it is let go

    def test_a_resumed_run_has_the_bits_of_one_that_was_not_interrupted(self):
        for time in (0.1, 0.55, 1.05, 2.3):
            whole = self.run_scene(GRIPPER, name="whole.h5")
            self.run_scene(GRIPPER, "--end", str(time), name="part.h5")
            self.csim("run", "scene.yaml", "-o", "part.h5", "--resume", "-q")
            self.assertEqual(whole.attributes["status"], "complete")
            self.assert_same_bits(self.folder / "whole.h5", self.folder / "part.h5")

    def test_other_integrators(self):
        for kind in ("error_controlled", "continuous"):
            r = self.run_scene(SLIDES + "  - {name: go, commands: {ma: {ramp: {to: 0.7, duration: 0.2}}}}\n  - {name: back, commands: {ma: 0}}\n",
                               "--set", f"integrator.type={kind}", "--set", "output.period=0.05")
            self.assertEqual([name for name, _, _ in self.phases(r)], ["go", "back"])
            self.assertAlmostEqual(r.data["joint/position"][-1, 0], 0, delta=1e-3)
            # A step ends where the clock ends a phase, whatever the rows.
            r = self.run_scene(SLIDES + "  - {name: go, commands: {ma: {ramp: {to: 0.7, duration: 0.2}}}, until: {time: 0.337}}\n  - {name: back, commands: {ma: 0}}\n",
                               "--set", f"integrator.type={kind}", "--set", "output.period=0.5")
            self.assertAlmostEqual(self.phases(r)[1][1], 0.337, places=9)

    def test_quasistatic(self):
        text = (SLIDES + "  - {name: go, commands: {ma: {ramp: {to: 0.7, duration: 0.2}}}, until: {joint_position: ja, above: 0.6}}\n  - {name: hold}\n"
                ).replace("time: {step: 1.0e-3, end: 1}", "time: {step: 1.0e-3, end: 1}\nintegrator: {type: quasistatic}")
        r = self.run_scene(text)
        (_, _, _), (name, t, _) = self.phases(r)
        self.assertEqual(name, "hold")
        self.assertAlmostEqual(t, 0.101, delta=1.1e-3)
        self.assertAlmostEqual(r.data["joint/position"][-1, 0], 0.6, delta=2e-3)

    def test_the_resolved_scene_runs_to_the_same_bits(self):
        self.run_scene(GRIPPER, name="a.h5")
        self.write("resolved.yaml", self.csim("resolve", "scene.yaml").stdout)
        self.csim("run", "resolved.yaml", "-o", "b.h5", "-q")
        differences = [d for d in compare_bits(self.folder / "a.h5", self.folder / "b.h5") if not d.startswith("scene/")]
        self.assertEqual(differences, [])

    def test_what_is_wrong_is_told_at_its_place(self):
        for phase, column, words in (
                ("{name: x, commands: {mc: 1}}", 26, "sequence.x.commands.mc: 'mc', unknown actuator, expected ma or mb"),
                ("{name: x, commands: {ma: fast}}", 30, "sequence.x.commands.ma: 'fast', expected a number, a ramp, or values over time"),
                ("{name: x, commands: {ma: {ramp: {to: 1}}}}", 37, "sequence.x.commands.ma.ramp.duration: missing"),
                ("{name: x, commands: {ma: {times: [0, 1], values: [1]}}}", None, "sequence.x.commands.ma.values: a list of 1, expected one row for each of the 2 times"),
                ("{name: x, until: {joint_position: ja}}", None, "sequence.x.until.above: missing, expected above or below"),
                ("{name: x, until: {time: 1, above: 2}}", None, "sequence.x.until.above: a bound of a time"),
                ("{name: x, until: {above: 2}}", None, "sequence.x.until: no quantity, expected one of time, joint_position"),
                ("{name: x, until: {time: 1, joint_position: ja, above: 1}}", None, "a second quantity"),
                ("{name: x, until: {joint_position: jc, above: 1}}", None, "'jc', unknown joint, expected ja or jb"),
                ("{name: x, until: {pair_force: {a: a, b: a}, above: 1}}", None, "sequence.x.until.pair_force: a body with itself"),
                ("{name: x, on_timeout: next}", None, "sequence.x.timeout: missing beside on_timeout"),
                ("{name: x, comands: {ma: 1}}", 15, "sequence.x.comands: unknown key, expected a key of a phase (did you mean 'commands'?)")):
            self.write("scene.yaml", SLIDES + f"  - {phase}\n")
            said = self.csim("run", "scene.yaml", expect=INVALID).stderr
            self.assertIn(words, said)
            if column is not None:
                self.assertIn(f"scene.yaml:{len(SLIDES.splitlines()) + 1}:{column}: error: ", said)
            self.assertEqual(self.files(), ["scene.yaml"])


if __name__ == "__main__":
    main()
