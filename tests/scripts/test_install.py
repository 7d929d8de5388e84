"""`cmake --install`: installed files, and the installed program runs."""
import json
import os
import subprocess
import sys

from csim_testing import BALL, CSIM, SCENES, SOURCE, CliTest, main

BUILD = CSIM.parents[1]


class Install(CliTest):
    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "opt"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)

    def installed(self, *arguments, folder):
        # Nothing of the caller's environment but what the loader may need.
        kept = {key: value for key, value in os.environ.items() if key.startswith(("LD_", "ASAN_", "UBSAN_", "TSAN_"))}
        result = subprocess.run([self.prefix / "bin/csim", *map(str, arguments)], cwd=folder, env=kept, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_files_are_in_the_usual_places(self):
        share = self.prefix / "share/csim"
        modules = sorted(path.name for path in (BUILD / "lib").glob("**/csim_fcl.so"))   # in a build with FCL
        self.assertEqual(sorted(path.name for path in self.prefix.iterdir()), ["bin", "lib", "share"] if modules else ["bin", "share"])
        self.assertEqual(sorted(path.name for path in (self.prefix / "lib").rglob("*.so")), modules)
        self.assertEqual(sorted(path.name for path in (self.prefix / "bin").iterdir()), ["csim"])
        self.assertEqual(sorted(path.name for path in (self.prefix / "share/doc/csim").iterdir()), ["CHANGELOG.md", "LICENSE", "README.md"])
        for folder in ("scenes", "schemas"):
            there, here = ({path.relative_to(base / folder) for path in (base / folder).rglob("*")} for base in (share, SOURCE))
            self.assertEqual(there, here)
        self.assertEqual(json.loads((share / "schemas/scene.schema.json").read_text()), json.loads(self.installed("schema", folder=self.folder)))

    def test_help_for_man_and_shells(self):
        share = self.prefix / "share"
        self.assertEqual((share / "man/man1/csim.1").read_text(), self.installed("man", folder=self.folder))
        for shell, place in (("bash", "bash-completion/completions/csim"), ("zsh", "zsh/vendor-completions/_csim"), ("fish", "fish/vendor_completions.d/csim.fish")):
            self.assertEqual((share / place).read_text(), self.installed("completion", shell, folder=self.folder))

    def test_scenes_are_complete(self):
        scenes = self.prefix / "share/csim/scenes"
        self.installed("validate", *(scenes / name / "scene.yaml" for name in SCENES), folder=self.folder)
        for name in SCENES:   # the schema that an editor looks for
            place = (scenes / name / "scene.yaml").read_text().splitlines()[0].split("$schema=")[1]
            self.assertTrue((scenes / name / place).resolve().is_relative_to(self.prefix), name)
            self.assertTrue((scenes / name / place).is_file(), name)

    def test_runs_from_anywhere_as_where_it_was_built(self):
        work = self.folder / "work"
        work.mkdir()
        (work / "scene.yaml").write_text(BALL)
        self.installed("run", "scene.yaml", "-o", "there.h5", "-q", folder=work)
        self.installed("view", "there.h5", "-o", "there.html", "--png", "there.png", folder=work)
        self.csim("run", work / "scene.yaml", "-o", work / "here.h5", "-q")
        self.assert_same_bits(work / "here.h5", work / "there.h5")
        if any(self.prefix.rglob("csim_fcl.so")):
            self.installed("run", "scene.yaml", "-o", "fcl.h5", "-q", "--set", "contact.engine=fcl", folder=work)
        self.csim("view", work / "there.h5", "-o", work / "here.html", "--png", work / "here.png")
        for ending in ("html", "png"):
            self.assertEqual((work / f"here.{ending}").read_bytes(), (work / f"there.{ending}").read_bytes())

    def test_python_finds_the_program(self):
        (self.folder / "scene.yaml").write_text(BALL)
        program = "import csim; print(csim.find_program()); r = csim.run('scene.yaml', end=0.1); print(r.num_steps, csim.load('ball.h5').body('ball').position.shape)"
        kept = {key: value for key, value in os.environ.items() if key != "CSIM"} | {"PYTHONPATH": str(self.prefix / "share/csim/python")}
        shown = subprocess.run([sys.executable, "-B", "-c", program], cwd=self.folder, env=kept, capture_output=True, text=True)
        self.assertEqual(shown.stdout.splitlines(), [str((self.prefix / "bin/csim").resolve()), "100 (11, 3)"], shown.stderr)


if __name__ == "__main__":
    main()
