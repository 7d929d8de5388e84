"""Every shipped scene with contact points, run by FCL's queries: the numbers of its README, within the bounds that hold for our own."""
import subprocess
import unittest

import numpy as np

import test_quasistatic_scenes
import test_scenes
from csim_testing import CSIM, SCENES, SOURCE, CliTest, Result, load_yaml, main

# Pressure fields: contact.engine answers for points alone.
PATCHES = {"CompliantBox", "BallPlate", "BallPaddle", "StackedBoxesPatch", "Coin", "PepperBowl", "SpatulaSlipControl", "Pancake", "IiwaPancake"}
# Of the solver: how many iterations a heap takes, what its landing gains.
OF_THE_SOLVER = ("test_clutter_needs", "test_clutter_lands")
OF_ALL = ("SceneTest", "Pile")
HAS_FCL = " FCL " in subprocess.run([CSIM, "--version"], capture_output=True, text=True, check=True).stdout
seen = set()


def has_points_alone(name):
    scene = load_yaml(SOURCE / "scenes" / name / "scene.yaml")
    return all("contact" not in geometry for body in scene["bodies"] for geometry in body.get("geometry", []))


class ByFcl:
    def run_scene(self, name, *options):
        seen.add(name)
        return super().run_scene(name, "--set", "contact.engine=fcl", *options)


def add_tests():
    for name, case in {**vars(test_scenes), **vars(test_quasistatic_scenes)}.items():
        if isinstance(case, type) and issubclass(case, CliTest) and case is not CliTest and name not in PATCHES | set(OF_ALL):
            left_out = {test: None for test in dir(case) if test.startswith(OF_THE_SOLVER)}
            globals()[name + "ByFcl"] = type(name + "ByFcl", (ByFcl, case), left_out)


@unittest.skipUnless(HAS_FCL, "a build without FCL")
class PlanarGrasp(CliTest):
    def test(self):
        """The README's numbers are closed forms that tests/analytic holds to 1e-10 m for our own queries: the same motion by FCL's."""
        seen.add("planar_grasp")
        for engine in ("native", "fcl"):
            self.csim("run", SOURCE / "scenes/planar_grasp/scene.yaml", "-o", f"{engine}.h5", "-q", "--set", f"contact.engine={engine}")
        a, b = (Result(self.folder / f"{engine}.h5").data for engine in ("native", "fcl"))
        np.testing.assert_allclose(b["trajectory/position"], a["trajectory/position"], atol=1e-10)
        np.testing.assert_allclose(b["contact/normal_force"], a["contact/normal_force"], atol=1e-8)


@unittest.skipUnless(HAS_FCL, "a build without FCL")
class ZAllScenes(unittest.TestCase):
    """Last by its name."""

    def test_none_is_left_out(self):
        self.assertEqual({name for name in SCENES if has_points_alone(name)} - seen, set())


if HAS_FCL:
    add_tests()
if __name__ == "__main__":
    main()
