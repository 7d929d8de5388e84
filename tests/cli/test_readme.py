"""The examples of README.md work as printed."""
import re
import subprocess
import sys

from csim_testing import CSIM, GATE, SOURCE, CliTest, main

README = (SOURCE / "README.md").read_text()


def block(language):
    return re.search(rf"```{language}\n(.*?)```", README, re.S).group(1)


class Readme(CliTest):
    def test_the_scene_and_the_five_lines_of_python(self):
        self.write("bounce.yaml", block("yaml"))
        self.csim("run", "bounce.yaml")
        self.csim("run", "bounce.yaml", "--set", "contact.model=sap", "-o", "sap.h5")
        self.csim("diff", "bounce.h5", "sap.h5", expect=GATE)
        shown = subprocess.run([sys.executable, "-c", block("python")], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        # It falls 0.25 m, in 0.2258 s.
        self.assertRegex(shown.stdout, r"^complete - lowest at 0\.2[23]\d* s: 0\.0\d+ m\n$")

    def test_the_commands_are_the_programs(self):
        shown = set(re.findall(r"^\| `csim ([a-z]+)", README, re.M))
        help_text = subprocess.run([CSIM, "--help"], capture_output=True, text=True, timeout=60).stdout
        offered = set(re.findall(r"^  ([a-z]+) {2,}", help_text.split("Subcommands:")[1].split("Examples")[0], re.M))
        self.assertEqual(shown, offered)

    def test_links_and_programs_exist(self):
        for target in re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(r"^(scripts/\w+)", README, re.M):
            self.assertTrue((SOURCE / target).exists(), target)


if __name__ == "__main__":
    main()
