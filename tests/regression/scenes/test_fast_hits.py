"""Random shots at steps in which a shape travels up to twice its size (scripts/studies/fast_hits.py, which makes ten thousand of them): none goes
through its target without an event, none gains energy."""
import sys
import unittest

from csim_testing import CSIM, SOURCE, main

sys.path.insert(0, str(SOURCE / "scripts/studies"))
import fast_hits  # noqa: E402

SHOTS = 280
# Pressure fields that came out behind a thin wall, or to rest beyond their middle or within a block, and boxes and cylinders that
# spin while they are pressed.
HARD = (9823, 10391, 12592, 12725, 13264, 14874, 16596)


class FastHits(unittest.TestCase):
    def test_shots(self):
        shots = [fast_hits.fire(CSIM, number, fast_hits.KINDS, []) for number in (*range(SHOTS), *HARD)]
        self.assertEqual([s["number"] for s in shots if s["code"] != 0], [], "failed")
        self.assertEqual([s["number"] for s in shots if s["silent"]], [], "passed without an event")
        self.assertEqual([s["number"] for s in shots if s["gain"] > fast_hits.GAIN], [], "gained")
        # The shots are such that something has to be done about them.
        self.assertGreater(sum(s["divided"] > 0 for s in shots), SHOTS // 10)


if __name__ == "__main__":
    main()
