"""scripts/figures: its parts are those that docs/evidence/reproduction.md names, in the order in which they read each other; short forms write their pages elsewhere."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = SOURCE / "scripts/figures"


def run(*arguments, expect=0):
    result = subprocess.run([sys.executable, "-B", PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, env=os.environ)
    assert result.returncode == expect, result.stderr
    return result


def names():
    return [line.split()[0] for line in run("--list").stdout.splitlines()]


class Figures(unittest.TestCase):
    def test_the_list_has_every_page_of_the_reproduction(self):
        listed = names()
        self.assertEqual(listed[-1], "reproduction")   # it reads the others' pages
        commands = yaml.safe_load((SOURCE / "scripts/studies/reproduction.yaml").read_text(encoding="utf-8"))["commands"]
        made = {match[1] for command in commands.values() if (match := re.fullmatch(r"scripts/figures (\w+)", command))}
        self.assertLessEqual(made, set(listed))
        self.assertEqual(set(listed) - made, {"studies"})
        self.assertEqual([page for page, command in commands.items() if not command.startswith("scripts/figures ")], ["performance"])

    def test_every_program_and_page_exists(self):
        for line in run("--list").stdout.splitlines():
            for page in re.findall(r"\w+\.(?:md|png)", line):
                self.assertTrue((SOURCE / "docs/evidence" / page).exists(), page)
        for path in re.findall(r'program\("([\w/.]+)"', PROGRAM.read_text(encoding="utf-8")):
            self.assertTrue((SOURCE / "scripts/studies" / path).exists(), path)

    def test_wrong_arguments(self):
        for arguments, says in ((["experimnts"], "did you mean 'experiments'?"), (["--quick"], "name another folder with -o"), (["--quick", "-o", SOURCE / "docs/evidence"], "name another folder with -o"),
                                (["clutter", "--quick", "-o", "x"], "no --quick of clutter"), (["--csim", "/nowhere/csim"], "no program /nowhere/csim")):
            with self.subTest(says):
                self.assertIn(says, run(*arguments, expect=2).stderr)

    def test_short_forms_in_the_right_order(self):
        with tempfile.TemporaryDirectory() as folder:
            shown = run("reproduction", "quasistatics", "--quick", "-o", folder, "--work", pathlib.Path(folder) / "work").stderr
            self.assertRegex(shown, r"quasistatics +done after \d+ s\nreproduction +done after \d+ s\n$")
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), ["quasistatics", "quasistatics.md", "reproduction", "reproduction.md", "work"])
            page = (SOURCE / "docs/evidence/reproduction.md").read_text(encoding="utf-8")
            self.assertEqual((pathlib.Path(folder) / "reproduction.md").read_text(encoding="utf-8").strip(), page.split("<!--")[0].strip())   # its own part


if __name__ == "__main__":
    unittest.main(verbosity=2)
