"""contact.engine: the same motion by our own queries and by FCL's, the same bits again, and FCL loaded where it is asked for alone."""
import json
import os
import shutil
import subprocess

import numpy as np

from csim_testing import BALL, CSIM, DONE, INVALID, SCENES, SOURCE, CliTest, Result, compare_bits, load_yaml, main

FCL = ["--set", "contact.engine=fcl"]

# Boxes, cylinders, capsules, ellipsoids and a mesh on a plane and on each other.
HEAP = """\
csim: 1
name: heap
time: {step: 2.0e-3, end: 1.2}
materials: {m: {friction: 0.5, stiffness: 1.0e5, hunt_crossley_dissipation: 0.5}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
""" + "".join(f"  - {{name: b{i}, density: 500, pose: {{xyz: [{0.02 * (i % 3)}, {0.015 * (i % 2)}, {0.08 + 0.11 * i}]}}, geometry: [{{{shape}, material: m}}]}}\n"
              for i, shape in enumerate(3 * ["shape: box, size: [0.1, 0.14, 0.1]", "shape: cylinder, radius: 0.05, length: 0.1",
                                             "shape: capsule, radius: 0.04, length: 0.08", "shape: ellipsoid, semi_axes: [0.06, 0.05, 0.04]",
                                             "shape: sphere, radius: 0.05"]))


def is_of_points(name):
    scene = load_yaml(SOURCE / "scenes" / name / "scene.yaml")
    return all("contact" not in geometry for body in scene["bodies"] for geometry in body.get("geometry", []))


class Engines(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        if "leaves FCL out" in self.csim("run", "ball.yaml", "-q", "--force", *FCL, expect=None).stderr:
            self.skipTest("a build without FCL")

    def test_every_scene_moves_the_same(self):
        """To 0.15 s, before chaos: where the engines' manifolds differ by rounding, the solver's tolerance of 1e-5 is what motions differ by."""
        for name in filter(is_of_points, SCENES):
            with self.subTest(name):
                for engine in ("native", "fcl"):
                    self.csim("run", SOURCE / "scenes" / name / "scene.yaml", "-o", f"{engine}.h5", "--force", "-q", "--end", "0.15",
                              "--set", f"contact.engine={engine}")
                a, b = (Result(self.folder / f"{engine}.h5").data for engine in ("native", "fcl"))
                np.testing.assert_allclose(b["trajectory/position"], a["trajectory/position"], atol=1e-5)
                np.testing.assert_allclose(b["trajectory/velocity"], a["trajectory/velocity"], atol=1e-2)
                self.assertLessEqual(b["stats/step/residual"].max(), 1e-5)

    def test_heap(self):
        """All shapes: the law's energy account holds as with our own queries, and few pairs need them."""
        self.write("heap.yaml", HEAP)
        for engine in ("native", "fcl"):
            self.csim("run", "heap.yaml", "-o", f"{engine}.h5", "--force", "-q", "--set", f"contact.engine={engine}", "--set", "output.period=2e-3",
                      "--set", "contact.model=lagged")  # coulomb's bounds differ by as much as contact.friction_tolerance allows
        a, b = (Result(self.folder / f"{engine}.h5") for engine in ("native", "fcl"))
        self.assertGreater(b.data["stats/step/num_contacts"].max(), 20)
        # Before chaos makes millimetres of what the solver's tolerance leaves: from rounding on, a correction of the step may be made or not.
        early = a.data["trajectory/time"] < 0.3
        self.assertGreater(early.sum(), 100)
        np.testing.assert_allclose(b.data["trajectory/position"][early], a.data["trajectory/position"][early], atol=1e-6)
        self.assertLess(np.diff(b.data["energy/total"]).max(), 1e-3 * b.data["energy/total"][0])
        rows = json.loads(self.csim("info", "fcl.h5", "--json").stdout)["events"]
        unanswered = rows.get("native answer", {"value": 0})["value"]
        # 490 of more than 8000 were seen.
        self.assertLess(unanswered, 0.1 * b.data["stats/step/num_contacts"].sum())

    def test_resumed_and_threaded_runs_have_the_same_bits(self):
        self.write("heap.yaml", HEAP)
        self.csim("run", "heap.yaml", "-o", "whole.h5", "-q", *FCL)
        self.csim("run", "heap.yaml", "-o", "part.h5", "-q", "--end", "0.7", *FCL)
        self.csim("run", "heap.yaml", "-o", "part.h5", "-q", "--resume", *FCL)
        self.assertEqual(compare_bits(self.folder / "whole.h5", self.folder / "part.h5", ignore=["scene/overrides"]), [])
        self.csim("run", "heap.yaml", "-o", "threads.h5", "-q", "--threads", 2, *FCL)
        self.assertEqual(compare_bits(self.folder / "whole.h5", self.folder / "threads.h5"), [])

    def test_is_loaded_where_it_is_asked_for_alone(self):
        environment = os.environ | {"LD_DEBUG": "libs"}
        self.assertNotIn("libfcl", self.csim("run", "ball.yaml", "-q", "--force", env=environment).stderr)
        self.assertIn("libfcl", self.csim("run", "ball.yaml", "-q", "--force", *FCL, env=environment).stderr)

    def test_a_program_without_its_module_says_so(self):
        """Before anything is written; runs that do not ask for it need none."""
        (self.folder / "ball.h5").unlink()
        (self.folder / "bin").mkdir()
        shutil.copy(CSIM, self.folder / "bin/csim")
        alone = self.folder / "bin/csim"
        said = self.run_alone(alone, INVALID, *FCL)
        self.assertRegex(said, r"^--set contact.engine:1:1\d: error: contact.engine: fcl, which is not available in this build: .*csim_fcl.so.*; expected native")
        self.assertEqual(self.files(), ["ball.yaml", "bin"])
        self.run_alone(alone, DONE)

    def run_alone(self, program, expect, *options):
        result = subprocess.run([program, "run", "ball.yaml", "-q", *options], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result.stderr


if __name__ == "__main__":
    main()
