"""The scripts that a newcomer meets first explain themselves, and do nothing else, when asked."""
import subprocess
import unittest

from csim_testing import SOURCE


class Usage(unittest.TestCase):
    def test_help(self):
        for name in ("quickstart", "setup", "build", "test", "package"):
            for option in ("-h", "--help"):
                with self.subTest(f"{name} {option}"):
                    done = subprocess.run([SOURCE / "scripts" / name, option], capture_output=True, text=True, timeout=10, cwd="/")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    comment = (SOURCE / "scripts" / name).read_text(encoding="utf-8").split("\n", 1)[1]
                    self.assertTrue(done.stdout and all(line == f"# {said}".rstrip() for line, said in zip(comment.splitlines(), done.stdout.splitlines())), done.stdout)
                    self.assertNotIn("set -euo", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
