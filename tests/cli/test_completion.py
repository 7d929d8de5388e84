"""csim completion: the scripts in the shells that are installed; csim help and csim man."""
import os
import re
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
         ("csim completion ", {"bash", "zsh", "fish"}, {"run"}),
         ("csim help ", {"run", "contact.model", "revolute", "gates.share"}, {"scene one.yaml"}),
         ("csim help contact.mo", {"contact.model"}, {"run"}))


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


    @shell("zsh")
    def test_zsh_from_a_folder_of_functions(self):
        """As `cmake --install` puts it there: a file that is the body of the function, called to complete from the first time on."""
        (self.folder / "functions").mkdir()
        self.write("functions/_csim", self.csim("completion", "zsh").stdout)
        program = """
            zmodload zsh/zpty; zpty shell zsh -f -i
            zpty -w shell "PS1= ; fpath=(./functions \\$fpath); autoload -U compinit && compinit -D -u; echo rea''dy"
            zpty -r shell seen "*ready*"
            zpty -w -n shell $'csim comp\\t'
            zpty -r -m shell seen "*completion*" && print found
            zpty -d shell"""
        shown = subprocess.run(["timeout", "20", "zsh", "-f", "-c", program], cwd=self.folder, capture_output=True, text=True, timeout=60,
                               env={**os.environ, "PATH": f"{CSIM.parent}:{os.environ['PATH']}", "HOME": str(self.folder), "TERM": "dumb"})
        self.assertEqual(shown.stdout.splitlines()[-1:], ["found"], shown.stdout + shown.stderr)


class Manual(CliTest):
    def words(self, *command):
        """Options and commands that --help names."""
        text = self.csim(*command, "--help").stdout.split("Examples:")[0]
        commands = re.findall(r"^  ([a-z]+) ", text.split("Subcommands:")[1], re.M) if "Subcommands:" in text else []
        options = re.findall(r"^  ((?:-\w,)?--[a-z-]+)", text, re.M)
        return commands, {option.split(",")[-1] for option in options} - {"--help", "--help-all"}

    def test_has_every_command_and_option_of_help(self):
        page = self.csim("man").stdout.replace("\\-", "-")
        sections = {title: text for title, text in re.findall(r'^\.SS "(.*?)"\n(.*?)(?=^\.S[SH] )', page, re.M | re.S)}
        named = set()
        for name in self.words()[0]:
            below, options = self.words(name)
            for command, options in [((name,), options), *(((name, one), self.words(name, one)[1]) for one in below)]:
                title = " ".join(("csim", *command))
                with self.subTest(title):
                    named.add(title)
                    entries = set(re.findall(r"--[a-z-]+", " ".join(re.findall(r"^\.TP\n(.*)\n", sections[title], re.M))))
                    self.assertEqual(entries, options)
                    help_text = self.csim(*command, "--help").stdout
                    if "Examples:" in help_text:
                        self.assertIn(help_text.split("Examples:\n")[1].strip(), sections[title].replace("\\e", "\\").replace("\\&", ""))
        self.assertEqual(named, set(sections))
        self.assertGreater(len(named), 20)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_is_good_troff(self):
        page = self.csim("man").stdout
        shown = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou"], input=page, capture_output=True, text=True, timeout=60)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for words in ("csim - batch simulation of contact mechanics", "--checkpoint-every S", "csim study run", "75 interrupted with a checkpoint"):
            self.assertIn(words, shown.stdout)


class Help(CliTest):
    def test_help_command(self):
        self.assertEqual(self.csim("help").stdout, self.csim("--help").stdout)
        self.assertEqual(self.csim("help", "run").stdout, self.csim("run", "--help").stdout)
        self.assertEqual(self.csim("help", "mesh", "make").stdout, self.csim("mesh", "make", "--help").stdout)
        other = "expected a command, or a key, type or value of a scene or study"
        for words, says in ((("rnu",), f"help: 'rnu', {other} (did you mean 'run'?)"), (("mesh", "mkae"), "help: 'mkae', expected a command (did you mean 'make'?)"),
                            (("gates.shar",), f"help: 'gates.shar', {other} (did you mean 'gates.share'?)"), (("xylophone",), f"help: 'xylophone', {other}")):
            shown = self.csim("help", *words, expect=INVALID)
            self.assertEqual((shown.stdout, shown.stderr.splitlines()[0]), ("", f"csim: error: {says}"))

    def test_help_of_a_key(self):
        """The rows of the reference page, from both formats."""
        for word, rows in (("contact.model", {"contact.model  (scene)"}), ("gates.share", {"gates.share  (study)"}), ("sphere", {"bodies.geometry.shape: sphere  (scene)"}),
                           ("shape.mesh", {"bodies.geometry.shape: mesh  (scene)"}), ("cartesian", {"actuators.type: cartesian  (scene)"}), ("vary.sample.seed", {"vary.sample.seed  (study)"}),
                           ("friction", {f"{place}.friction  (scene)" for place in ("materials", "joints", "models", "contact.pairs")})):
            with self.subTest(word):
                shown = self.csim("help", word)
                self.assertEqual({line for line in shown.stdout.splitlines() if line.endswith(("(scene)", "(study)"))}, rows)
                self.assertEqual(shown.stderr, "")
        for form in ("quantile", "crossing"):  # a form of a value, whose key is told
            self.assertIn(f"{{{form}: ", self.csim("help", form).stdout)
        self.assertIn("default coulomb", self.csim("help", "contact.model").stdout)
        self.assertIn("Coulomb friction coefficient", self.csim("help", "friction").stdout)


if __name__ == "__main__":
    main()
