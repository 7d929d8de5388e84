"""The studies beside the scenes: they fit the schema, run, and their gates hold."""
import json

import jsonschema

from csim_testing import SOURCE, CliTest, load_yaml, main


class ShippedStudies(CliTest):
    def test_they_fit_the_schema_and_hold(self):
        studies = sorted(SOURCE.glob("scenes/*/studies/*.yaml"))
        self.assertGreaterEqual(len(studies), 1)
        schema = json.loads((SOURCE / "schemas/study.schema.json").read_text())
        self.assertEqual(schema, json.loads(self.csim("schema", "study").stdout))
        for study in studies:
            with self.subTest(study.name):
                self.assertEqual(study.read_text().splitlines()[0], "# yaml-language-server: $schema=../../../schemas/study.schema.json")
                jsonschema.Draft7Validator(schema).validate(load_yaml(study))
                shown = self.csim("study", "run", study, "-o", f"{study.parents[1].name}_{study.stem}", "--progress", "never")
                self.assertRegex(shown.stdout, r"^gates held: (\d+) of \1, cases complete: (\d+) of \2(, with warnings: \d+)?\n")


if __name__ == "__main__":
    main()
