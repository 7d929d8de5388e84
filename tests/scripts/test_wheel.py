"""The wheel's files: the package csim and the command, laid out as in the wheel by `cmake --install --component wheel`. scripts/check/wheel makes and tries the wheel itself."""
import json
import os
import signal
import subprocess
import sys
import time

from csim_testing import BALL, CSIM, DONE, INTERRUPTED, INVALID, LONG_BALL, CliTest, main

BUILD = CSIM.parents[1]


class Wheel(CliTest):
    def setUp(self):
        super().setUp()
        self.place = self.folder / "site"
        subprocess.run(["cmake", "--install", BUILD, "--component", "wheel", "--prefix", self.place], check=True, stdout=subprocess.DEVNULL)
        kept = {key: value for key, value in os.environ.items() if key.startswith(("LD_", "OPENBLAS_", "ASAN_", "UBSAN_", "TSAN_"))}
        self.environment = kept | {"PYTHONPATH": str(self.place), "PYTHONDONTWRITEBYTECODE": "1"}
        self.write("ball.yaml", BALL)

    def python(self, *arguments, expect=DONE):
        result = subprocess.run([sys.executable, *map(str, arguments)], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    def test_the_command_is_the_program(self):
        command = self.place / "scripts/csim"
        self.assertEqual(command.read_text().splitlines()[0], "#!python")   # installers put their interpreter there
        said, told = json.loads(self.python(command, "--version", "--json").stdout), json.loads(self.csim("--version", "--json").stdout)
        self.assertEqual(said, told)
        self.python(command, "run", "ball.yaml", "-q", "-o", "there.h5")
        self.csim("run", "ball.yaml", "-q", "-o", "here.h5")
        self.assert_same_bits(self.folder / "here.h5", self.folder / "there.h5")
        wrong = self.python(command, "run", "ball.yaml", "--set", "contact.modl=sap", expect=INVALID)
        self.assertIn("did you mean 'model'", wrong.stderr)

    def test_a_signal_reaches_the_program(self):
        self.write("long.yaml", LONG_BALL)
        process = subprocess.Popen([sys.executable, self.place / "scripts/csim", "run", "long.yaml", "-q"], cwd=self.folder, env=self.environment, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        for _ in range(600):
            if (self.folder / "ball.h5.part").exists():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), INTERRUPTED)

    def test_the_package_runs_its_own_program(self):
        shown = self.python("-c", "import csim, pathlib; print(csim.find_program()); r = csim.run('ball.yaml', end=0.1); print(r.num_steps, r.body('ball').position.shape)\n"
                            "import csim.import_mjcf\n"
                            "page = csim.show(r); print(page._repr_html_()[:24])\n"
                            "print(page, all(name in page.html for name in ('ground', 'shell')))")
        lines = shown.stdout.splitlines()
        self.assertEqual(lines[:3], [str(self.place / "csim/bin/csim"), "100 (11, 3)", "<iframe srcdoc=\"&lt;!DOC"], shown.stderr)
        self.assertRegex(lines[3], r"^<csim.Page: \d+\.\d MB of HTML, for a notebook> True$")

    def test_the_command_of_the_package(self):
        self.assertIn("python -m csim import-mjcf", self.python("-m", "csim", "import-mjcf", "--help").stdout)
        self.assertIn("import-mjcf", self.python("-m", "csim", expect=INVALID).stderr)


if __name__ == "__main__":
    main()
