"""The committed JSON Schema and the program accept the same scenes, as far as a schema can express."""
import json
import re
import unittest

import jsonschema
import yaml

from csim_testing import DONE, INVALID, SCENES, SOURCE, CliTest, main

SCHEMA = json.loads((SOURCE / "schemas/scene.schema.json").read_text())
BAD_SCENES = SOURCE / "tests/regression/bad_scenes"

# Faults that take more than one place of the file to see: names that do not exist or are taken, files, combinations, inertias, coordinates.
BEYOND_A_SCHEMA = {
    "alias_unknown", "axis_angle", "bad_scene_name", "barrier_missing", "com_beside_density", "default_geometry_name_taken", "duplicate_key", "duplicate_names",
    "file_missing", "group_unknown", "half_space_that_moves", "inertia_not_positive", "inertia_triangle",
    "inertia_triangle_off_diagonal", "interior_point_hertz", "interior_point_lagged", "joint_child_with_pose", "joint_ends", "joint_loop", "joint_two_parents", "mass_alone", "mass_and_density", "mass_of_nothing",
    "material_missing_and_unknown", "material_without_any", "motion_beside_pose_and_fixed", "motion_of_a_jointed_body", "no_mass", "normal_law_of_sap", "two_rotations", "models", "models_inertia", "models_keys", "models_strict", "version",
    "velocity_of_a_fixed_body"}


class Loader(yaml.SafeLoader):
    """YAML 1.2's numbers and booleans: PyYAML's own take 1e5 for text and `yes` for true."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", "true|false", "tf"), ("null", "~|null|", ["~", "n", ""]), ("int", "[-+]?(0|[1-9][0-9]*)", "-+0123456789"),
                            ("float", r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile("^(?:" + pattern + ")$"), list(first))


def errors(text):
    return [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(yaml.load(text, Loader))]


class Schema(CliTest):
    def test_is_a_schema_and_what_the_program_prints(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        self.assertEqual(json.loads(self.csim("schema").stdout), SCHEMA)

    def test_accepts_the_scenes_and_their_resolved_forms(self):
        self.assertGreater(len(SCENES), 5)
        for name in SCENES:
            with self.subTest(name):
                file = SOURCE / "scenes" / name / "scene.yaml"
                self.assertEqual(errors(file.read_text()), [])
                self.assertEqual(errors(self.csim("resolve", str(file)).stdout), [])

    def test_refuses_the_bad_scenes(self):
        judged = 0
        for file in sorted(BAD_SCENES.glob("*.yaml")):
            text = file.read_bytes()
            if b"# set: " in text:
                continue
            try:
                found = errors(text)
            except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
                continue
            with self.subTest(file.stem):
                self.assertEqual(found == [], file.stem in BEYOND_A_SCHEMA, found)
            judged += 1
        self.assertGreater(judged, 60)

    def test_every_key_carries_description_and_example(self):
        for name, section in {"scene": SCHEMA, **SCHEMA["definitions"]}.items():
            for key, field in section["properties"].items():
                with self.subTest(f"{name}.{key}"):
                    self.assertTrue(field["description"])
                    # The example is one, unless the key is not supported yet.
                    if "Not supported yet" not in field["description"]:
                        checked = jsonschema.Draft7Validator({**field, "definitions": SCHEMA["definitions"]})
                        self.assertEqual([error.message for error in checked.iter_errors(field["examples"][0])], [])
                        if "default" in field:
                            self.assertEqual([error.message for error in checked.iter_errors(field["default"])], [])


class Agreement(CliTest):
    """A wrong type at every key of a complete scene: both refuse it."""

    def test_wrong_types(self):
        document = yaml.load(self.csim("resolve", str(SOURCE / "scenes/movers/scene.yaml")).stdout, Loader)
        for path in (("gravity",), ("time", "step"), ("time", "end"), ("materials",), ("bodies", 0, "fixed"), ("bodies", 0, "geometry"), ("bodies", 0, "name"),
                     ("contact", "model"), ("contact", "margin"), ("contact", "sigma"), ("solver", "max_iterations"), ("output", "contacts")):
            for wrong in (None, {"a": 1}, [[1]], -5.5):
                copy = json.loads(json.dumps(document))
                parent = copy
                for key in path[:-1]:
                    parent = parent[key]
                parent[path[-1]] = wrong
                with self.subTest(f"{path} = {wrong}"):
                    text = json.dumps(copy)
                    self.write("wrong.yaml", text)
                    code = self.csim("validate", "wrong.yaml", expect=None).returncode
                    self.assertEqual(errors(text) == [], code == DONE)
                    self.assertIn(code, (DONE, INVALID))


if __name__ == "__main__":
    main()
