"""Every step of two scenes against cvxopt, on programs that Python builds from poses and contacts of the result file alone: assembly, solver and recorded forces."""
import importlib.util
import os
import sys
import unittest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small: threads of cvxopt's BLAS wait for each other, 50 s in place of 4

import numpy as np  # noqa: E402

from csim_testing import SOURCE, CliTest, main  # noqa: E402

sys.path.insert(0, str(SOURCE / "scripts/studies/quasistatics"))
import program  # noqa: E402


@unittest.skipUnless(importlib.util.find_spec("cvxopt"), "needs python3-cvxopt")
class QuasistaticPrograms(CliTest):
    def check(self, scene, problem, steps, tolerance):
        self.csim("run", SOURCE / "scenes" / scene / "scene.yaml", "-o", "result.h5", "-q", "--force", "--set", f"integrator.problem={problem}")
        programs = program.Programs(self.folder / "result.h5")
        for row in range(1, steps + 1):
            with self.subTest(scene=scene, problem=problem, row=row):
                p, v = programs.program(row), programs.velocity(row)
                np.testing.assert_allclose(v, program.solve(p, programs.cones), rtol=0, atol=tolerance)
                # Of the arm: K (command - q) = -J' f, exactly.
                np.testing.assert_allclose(p.Q @ v - p.b, p.impulse, rtol=0, atol=1e-11 * np.abs(p.b).max())

    def test_cube_stacking(self):
        for problem in ("qp", "socp"):
            self.check("cube_stacking", problem, 200, 1e-7)

    def test_planar_grasp(self):
        """The fingers just touch at the end of the third step: there an interior point ends with the square root of its gap."""
        self.check("planar_grasp", "qp", 35, 1e-6)


if __name__ == "__main__":
    main()
