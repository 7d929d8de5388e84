"""Five scenes against the motion that other programs compute with the same law and step (README.md beside this)."""
import json
import pathlib

import numpy as np

from csim_testing import CliTest, Result, main

HERE = pathlib.Path(__file__).resolve().parent


def values(result, check, row):
    quantity, name = check["quantity"], check["name"]
    if quantity.startswith("joint_"):
        return result.joint(name, quantity.removeprefix("joint_"))[row]
    if quantity == "normal_force_sum":
        return np.atleast_1d(result.contact_sum(row, "normal_force"))
    return result.body(name, quantity)[row]


def deviation(quantity, found, expected):
    """Largest deviation of a component; q and -q are the same rotation."""
    error = np.max(np.abs(found - expected))
    return min(error, np.max(np.abs(found + expected))) if quantity == "quaternion" else error


class Oracles(CliTest):
    def check(self, case):
        expected = json.loads((HERE / case / "expected.json").read_text())
        self.csim("run", HERE / case / "scene.yaml", "-o", "result.h5", "-q")
        result = Result(self.folder / "result.h5")
        self.assertGreater(len(expected["checks"]), 0)
        for check in expected["checks"]:
            for time, row in zip(check["times"], check["values"], strict=True):
                found = values(result, check, result.row(time))
                with self.subTest(quantity=check["quantity"], name=check["name"], time=time):
                    self.assertEqual(found.shape, np.shape(row))
                    self.assertLessEqual(deviation(check["quantity"], found, np.array(row)), check["tolerance"], check["reason"])

    def test_bounce_sap(self):
        self.check("bounce_sap")

    def test_com_offset_throw(self):
        self.check("com_offset_throw")

    def test_drop_similar(self):
        self.check("drop_similar")

    def test_pendulum(self):
        self.check("pendulum")

    def test_slide_roll_lagged(self):
        self.check("slide_roll_lagged")


if __name__ == "__main__":
    main()
