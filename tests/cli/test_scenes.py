"""Every scene in scenes/: valid, and its first steps run; what `resolve` prints runs to the same bits."""
import json
import re
import shutil

import jsonschema
import yaml

from csim_testing import SCENES, SOURCE, CliTest, Result, compare_bits, load_yaml, main

FIRST_STEPS = ["--end", "0.05", "-q"]


class Scenes(CliTest):
    def test_there_are_some_and_each_has_a_readme_and_names_its_schema(self):
        self.assertGreaterEqual(len(SCENES), 11)
        for name in SCENES:
            with self.subTest(name):
                folder = SOURCE / "scenes" / name
                first = (folder / "scene.yaml").read_text().splitlines()[0]
                self.assertEqual(first, "# yaml-language-server: $schema=../../schemas/scene.schema.json")
                self.assertIn(f"csim run scenes/{name}/scene.yaml", (folder / "README.md").read_text())
                self.assertIn(f"[`{name}`]({name}/README.md)", (SOURCE / "scenes/README.md").read_text())

    def test_valid(self):
        self.csim("validate", *(SOURCE / "scenes" / name / "scene.yaml" for name in SCENES))

    def test_numbers_are_numbers_to_readers_of_yaml_1_1(self):
        """PyYAML takes a real number with an exponent for text when it lacks the point or the sign of the exponent: 1.0e+6, not 1e6 or 1.0e6."""
        def texts(node):
            if isinstance(node, (dict, list)):
                return [text for child in (node.values() if isinstance(node, dict) else node) for text in texts(child)]
            return [node] if isinstance(node, str) else []

        def is_number(text):
            try:
                float(text)
            except ValueError:
                return False
            return any(map(str.isdigit, text))                    # `inf` is a word

        shipped = {path: path.read_text() for path in sorted((SOURCE / "scenes").rglob("*.yaml"))}
        shipped |= {f"README.md {i}": block for i, block in enumerate(re.findall(r"```yaml\n(.*?)```", (SOURCE / "README.md").read_text(), re.S))}
        shipped |= {f"csim resolve {name}": self.csim("resolve", SOURCE / "scenes" / name / "scene.yaml").stdout for name in SCENES}
        self.assertGreater(len(shipped), 2 * len(SCENES))
        for name, text in shipped.items():
            with self.subTest(name):
                self.assertEqual([text for text in texts(yaml.safe_load(text)) if is_number(text)], [])

    def test_valid_by_the_schema(self):
        schema = json.loads((SOURCE / "schemas/scene.schema.json").read_text())
        validator = jsonschema.Draft7Validator(schema)
        for name in SCENES:
            with self.subTest(name):
                scene = load_yaml(SOURCE / "scenes" / name / "scene.yaml")
                self.assertEqual([e.message for e in validator.iter_errors(scene)], [])

    def test_the_schema_in_the_tree_is_the_programs(self):
        self.assertEqual(json.loads(self.csim("schema").stdout), json.loads((SOURCE / "schemas/scene.schema.json").read_text()))

    def test_first_steps(self):
        for name in SCENES:
            with self.subTest(name):
                self.csim("run", SOURCE / "scenes" / name / "scene.yaml", "-o", f"{name}.h5", *FIRST_STEPS)
                self.assertEqual(Result(self.folder / f"{name}.h5").attributes["status"], "complete")

    def test_resolved_runs_to_the_same_bits(self):
        for name in SCENES:
            with self.subTest(name):
                folder = self.folder / name
                shutil.copytree(SOURCE / "scenes" / name, folder)
                resolved = self.csim("resolve", folder / "scene.yaml").stdout
                (folder / "resolved.yaml").write_text(resolved)
                self.assertEqual(self.csim("resolve", folder / "resolved.yaml").stdout, resolved)
                self.csim("run", folder / "scene.yaml", "-o", folder / "a.h5", *FIRST_STEPS)
                self.csim("run", folder / "resolved.yaml", "-o", folder / "b.h5", *FIRST_STEPS)
                self.assertEqual(compare_bits(folder / "a.h5", folder / "b.h5", ignore=["scene/source"]), [])

    def test_threads_do_not_change_a_bit(self):
        for name in ("clutter", "chain"):
            with self.subTest(name):
                for threads in (1, 2):
                    self.csim("run", SOURCE / "scenes" / name / "scene.yaml", "-o", f"{name}_{threads}.h5", "--threads", threads, "--end", "0.5", "-q")
                self.assert_same_bits(self.folder / f"{name}_1.h5", self.folder / f"{name}_2.h5")


if __name__ == "__main__":
    main()
