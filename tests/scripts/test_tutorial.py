"""docs/tutorial.md: its commands run and print what it says; its links and pictures exist."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/tutorial.md"


class Tutorial(unittest.TestCase):
    def test_it_runs_as_printed(self):
        done = subprocess.run([sys.executable, "-B", SOURCE / "scripts/check/tutorial", "--csim", os.environ["CSIM_BINARY"]], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^docs/tutorial\.md: 4 files, \d+ groups of commands, as printed\n$")

    def test_links_exist(self):
        for target in re.findall(r"\]\(([^)#:]+)\)", PAGE.read_text(encoding="utf-8")):
            self.assertTrue((PAGE.parent / target).exists(), target)


if __name__ == "__main__":
    unittest.main(verbosity=2)
