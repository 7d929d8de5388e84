"""The bits of a run do not depend on the alignment of its memory: every block at a random multiple of 16 bytes (tests/support/random_alignment.cpp)."""
import os
import unittest

from csim_testing import CSIM, SOURCE, CliTest, main

ALLOCATOR = CSIM.parent.parent / "tests/random_alignment.so"
# Free and articulated bodies, every law's solver, patches, quasistatic steps.
RUNS = (("chain", "0.5"), ("chain", "0.2", "contact.model=tamsi"), ("chain", "0.2", "contact.model=similar"), ("chain", "0.2", "contact.model=coulomb"), ("clutter", "0.4"), ("clutter", "0.15", "contact.model=tamsi"),
        ("gripper", "0.3"), ("spatula_slip_control", "0.05"), ("cube_stacking", "1.5"), ("cube_stacking", "1.5", "integrator.problem=socp"))


@unittest.skipUnless(ALLOCATOR.exists(), "needs glibc")
class Alignment(CliTest):
    def test_bits_do_not_depend_on_it(self):
        for scene, end, *settings in RUNS:
            with self.subTest(scene, settings=settings):
                for seed in range(3):
                    self.csim("run", SOURCE / "scenes" / scene / "scene.yaml", "-o", f"{seed}.h5", "--force", "--end", end,
                              *(word for setting in settings for word in ("--set", setting)),
                              env={**os.environ, "LD_PRELOAD": str(ALLOCATOR), "ALIGNMENT_SEED": str(seed)})
                for seed in (1, 2):
                    self.assert_same_bits(self.folder / "0.h5", self.folder / f"{seed}.h5")


if __name__ == "__main__":
    main()
