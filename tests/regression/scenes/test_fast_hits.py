"""Random shots at steps in which a shape travels up to twice its size (scripts/studies/fast_hits.py, which makes ten thousand of them): none goes
through its target without an event, none gains energy."""
import sys
import unittest

from csim_testing import CSIM, SOURCE, CliTest, Result, main

sys.path.insert(0, str(SOURCE / "scripts/studies"))
import fast_hits  # noqa: E402

SHOTS = 280
# Pressure fields that came out behind a thin wall, or to rest beyond their middle or within a block, and boxes and cylinders that
# spin while they are pressed.
HARD = (9823, 10391, 12592, 12725, 13264, 14874, 16596)
# Bumps of meshes that turn through the middle of a thin plate.
HARD_MESHES = (557, 652, 679, 2760, 3367)


class FastHits(unittest.TestCase):
    def fire(self, numbers, kinds):
        shots = [fast_hits.fire(CSIM, number, kinds, []) for number in numbers]
        self.assertEqual([s["number"] for s in shots if s["code"] != 0], [], "failed")
        self.assertEqual([s["number"] for s in shots if s["silent"]], [], "passed without an event")
        self.assertEqual([s["number"] for s in shots if s["gain"] > fast_hits.GAIN], [], "gained")
        return shots

    def test_shots(self):
        shots = self.fire((*range(SHOTS), *HARD), fast_hits.KINDS)
        # The shots are such that something has to be done about them.
        self.assertGreater(sum(s["divided"] > 0 for s in shots), SHOTS // 10)

    def test_meshes(self):
        self.fire((*range(40), *HARD_MESHES), ("mesh",))


class Parts(CliTest):
    """How many parts steps are divided into: dividing more than needed would be as right, and dear."""

    def parts(self, name, *options):
        """The number of parts of each divided step"""
        self.csim("run", SOURCE / "scenes" / name / "scene.yaml", "-o", "out.h5", "-q", "--force", "--set", "output.contacts=false", *options)
        events = Result(self.folder / "out.h5").data
        return events["event/value"][events["event/kind"] == b"divided step"]

    def test_what_rests_or_slides_is_never_divided(self):
        for name in ("belt", "conveyor_belt", "landing_box", "gripper", "movers", "incline", "box_stack"):
            with self.subTest(name):
                self.assertEqual(len(self.parts(name)), 0)

    def test_bricks_that_fall_take_few(self):
        """0 to 5 steps of 800, over walls that differ by 1e-9 in gravity."""
        self.assertLess(len(self.parts("wall")), 10)

    def test_the_landing_takes_few(self):
        """A guard against change: 24 steps in 64 parts in all, and 32 in 94."""
        for name, steps, parts in (("clutter", 24, 64), ("clutter_boxes", 32, 94)):
            with self.subTest(name):
                found = self.parts(name, "--set", "time.end=1")
                self.assertGreater(len(found), 0)
                self.assertLess(len(found), 1.5 * steps)
                self.assertLess(sum(found), 1.5 * parts)


if __name__ == "__main__":
    main()
