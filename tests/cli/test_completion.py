"""csim completion: the scripts in the shells that are installed, and csim help."""
import os
import shutil
import subprocess
import unittest

from csim_testing import CSIM, INVALID, CliTest, main

# A line up to the cursor -> some of what is offered, some of what is not.
CASES = (("csim ", {"run", "diff", "table", "mesh", "completion"}, {"make", "--set"}),
         ("csim ru", {"run"}, {"diff"}),
         ("csim run --pro", {"--progress"}, {"--set"}),
         ("csim run --progress ", {"auto", "always", "never"}, {"run", "scene one.yaml"}),
         ("csim run --quiet sc", {"scene one.yaml"}, {"schema", "validate"}),
         ("csim run -o sc", {"scene one.yaml"}, {"schema"}),
         ("csim mesh ", {"make", "check", "info", "export"}, {"run", "view"}),
         ("csim mesh m", {"make"}, {"mesh"}),
         ("csim mesh make ", {"sphere", "convex"}, {"make", "run"}),
         ("csim mesh make box --s", {"--size", "--semi-axes", "--strategy"}, {"--set", "--strict"}),
         ("csim table a.h5 --format m", {"markdown"}, {"csv", "mesh"}),
         ("csim completion ", {"bash", "zsh", "fish"}, {"run"}))


def shell(name):
    return unittest.skipUnless(shutil.which(name), f"no {name}")


class Completion(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene one.yaml", "")

    def offers(self, name, program):
        """What the shell offers for each case; `program` makes the command that shows it, a line each."""
        self.write("script", self.csim("completion", name).stdout)
        for line, some, none in CASES:
            with self.subTest(line):
                shown = subprocess.run(program(line), cwd=self.folder, capture_output=True, text=True, timeout=60,
                                       env={**os.environ, "PATH": f"{CSIM.parent}:{os.environ['PATH']}", "HOME": str(self.folder)})
                self.assertEqual((shown.returncode, shown.stderr), (0, ""))
                found = {offer.split("\t")[0].replace("\\ ", " ").strip() for offer in shown.stdout.splitlines()}
                if name == "zsh":                                   # drops by itself what does not begin with the word
                    found = {offer for offer in found if offer.startswith(self.words(line)[-1])}
                self.assertTrue(some <= found, found)
                self.assertFalse(none & found, found)

    def words(self, line):
        return line.split() + ([""] if line.endswith(" ") else [])

    def test_bash(self):
        self.offers("bash", lambda line: ["bash", "--norc", "-c", 'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _csim; printf "%s\\n" "${COMPREPLY[@]}"',
                                          "bash", *self.words(line)])

    def test_bash_with_an_equals_sign(self):
        self.write("script", self.csim("completion", "bash").stdout)
        shown = subprocess.run(["bash", "--norc", "-c", "source ./script; COMP_WORDS=(csim run --progress = al); COMP_CWORD=4; _csim; echo ${COMPREPLY[@]}"],
                               cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(shown.stdout, "always\n")

    @shell("fish")
    def test_fish(self):
        self.offers("fish", lambda line: ["fish", "--no-config", "-c", "source ./script; complete -C $argv[1]", line])

    @shell("zsh")
    def test_zsh(self):
        """As bashcompinit calls the function: with arrays that begin at 0."""
        program = ('autoload -U +X compinit && compinit -D -u; source ./script; words=("$@"); '
                   'f() { emulate -L ksh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _csim; print -l -- "${COMPREPLY[@]}"; }; f "$@"')
        self.offers("zsh", lambda line: ["zsh", "-f", "-c", program, "zsh", *self.words(line)])


class Help(CliTest):
    def test_help_command(self):
        self.assertEqual(self.csim("help").stdout, self.csim("--help").stdout)
        self.assertEqual(self.csim("help", "run").stdout, self.csim("run", "--help").stdout)
        self.assertEqual(self.csim("help", "mesh", "make").stdout, self.csim("mesh", "make", "--help").stdout)
        for words, says in ((("rnu",), "help: 'rnu', expected a command (did you mean 'run'?)"), (("mesh", "mkae"), "help: 'mkae', expected a command (did you mean 'make'?)")):
            self.assertEqual(self.csim("help", *words, expect=INVALID).stderr.splitlines()[0], f"csim: error: {says}")


if __name__ == "__main__":
    main()
