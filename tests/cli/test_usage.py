"""The command line itself: help, version, wrong arguments."""
import json
import os
import re
import resource
import subprocess

from csim_testing import BALL, CSIM, DONE, GATE, INVALID, CliTest, main

COMMANDS = ["run", "validate", "resolve", "schema", "info", "diff", "table", "mesh", "view", "study", "completion", "explain", "replay", "solve", "man"]


class Usage(CliTest):
    def test_alone_prints_help_that_names_the_commands(self):
        result = self.csim()
        for command in COMMANDS:
            self.assertIn(command, result.stdout)
        self.assertEqual(result.stderr, "")

    def test_help_of_each_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                result = self.csim(command, "--help")
                self.assertIn("Usage", result.stdout)
                self.assertEqual(result.stderr, "")

    def test_the_examples_of_every_help_run(self):
        """As a shell runs them, in an order in which each finds what it reads."""
        self.write("bounce.yaml", BALL.replace("name: ball\n", "name: bounce\n", 1))
        environment = {**os.environ, "PATH": f"{CSIM.parent}:{os.environ['PATH']}"}
        for command in ("run", "validate", "resolve", "explain", "schema", "info", "replay", "diff", "table", "mesh", "mesh make", "mesh check", "mesh info", "mesh export", "mesh repair", "view", "export", "solve", "completion", "man",
                        "study", "study new", "study list", "study run", "study status", "study collect", "study report", "study slurm", "study commands"):
            lines = self.csim(*command.split(), "--help").stdout.split("Examples:\n")[1].splitlines()
            examples = [re.split(r" {4,}|(?<=\S)  (?=\S)", line.strip())[0] for line in lines if line.strip().startswith("csim")]
            self.assertGreaterEqual(len(examples), 1, command)
            for example in examples:
                with self.subTest(example):
                    self.assertTrue(example.startswith((f"csim {command} ", f"csim help {command} ")), example)
                    ran = subprocess.run(["bash", "-c", example], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)
                    self.assertEqual(ran.returncode, GATE if command == "diff" else DONE, ran.stderr)
        for name in ("bounce.html", "side.png", "tables/energy.csv", "series/bodies.pvd", "sap.yaml", "scene.schema.json", "ball.vtk", "surface.obj"):
            self.assertTrue((self.folder / name).exists(), name)

    def test_threads_that_the_system_does_not_start_exit_2_and_write_nothing(self):
        self.write("scene.yaml", BALL)

        def leave_room_for_some():  # of 64 MB each
            for limit, size in ((resource.RLIMIT_STACK, 2**26), (resource.RLIMIT_AS, 2**32)):
                resource.setrlimit(limit, (size, resource.getrlimit(limit)[1]))

        said = self.csim("run", "scene.yaml", "--threads", "1000", expect=INVALID, preexec_fn=leave_room_for_some).stderr
        self.assertRegex(said, r"error: --threads 1000: the system starts no more than [1-9]\d? threads \(.+\)\n")
        self.assertEqual(self.files(), ["scene.yaml"])

    def test_wrong_arguments_exit_2_and_write_nothing(self):
        self.write("scene.yaml", BALL)
        for arguments in (["walk"], ["--no-such-option"], ["--json"], ["run"], ["run", "scene.yaml", "--threads", "0"], ["run", "scene.yaml", "--threads", "two"],
                          ["run", "scene.yaml", "--end", "soon"], ["run", "scene.yaml", "--progress", "sometimes"], ["run", "scene.yaml", "-q", "-v"],
                          ["run", "scene.yaml", "extra.yaml"], ["validate"], ["resolve"], ["info"], ["view"], ["diff", "a.h5"],
                          ["diff", "a.h5", "b.h5", "--rtol", "-1"], ["schema", "poem"]):
            with self.subTest(" ".join(arguments)):
                result = self.csim(*arguments, expect=INVALID)
                self.assertEqual(result.stdout, "")
                self.assertNotEqual(result.stderr, "")
                self.assertEqual(self.files(), ["scene.yaml"])

    def test_an_empty_name_is_none(self):
        """As a shell gives it for a variable that is not set: no default in its place."""
        self.write("ball.yaml", BALL)
        for arguments, option in ((("run", "ball.yaml", "-o", ""), "--output"), (("run", ""), "scene"), (("info", ""), "file"), (("study", "run", "ball.yaml", "-o", ""), "--output"),
                                  (("run", "ball.yaml", "--log-file", ""), "--log-file"), (("export", "ball.h5", "--csv", ""), "--csv")):
            with self.subTest(arguments):
                self.assertIn(f"csim: error: {option}: an empty text, expected one", self.csim(*arguments, expect=INVALID).stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["ball.yaml"])

    def test_a_misspelt_word_names_the_nearest(self):
        for arguments, word, meant in ((["rnu", "scene.yaml"], "rnu", "run"), (["run", "scene.yaml", "--thread", "2"], "--thread", "--threads"),
                                       (["run", "scene.yaml", "--outptu=x.h5"], "--outptu", "--output"), (["mesh", "mkae"], "mkae", "make"),
                                       (["run", "scene.yaml", "other.yaml"], "other.yaml", None)):
            with self.subTest(" ".join(arguments)):
                first = self.csim(*arguments, expect=INVALID).stderr.splitlines()[0]
                self.assertEqual(first, f"csim: error: unexpected argument '{word}'" + (f" (did you mean '{meant}'?)" if meant else ""))

    def test_wrong_arguments_have_the_form_of_all_errors(self):
        """What was found, what is expected, the nearest; then where help is."""
        self.write("scene.yaml", BALL)
        run = ["run", "scene.yaml"]
        for arguments, error in (([*run, "--end", "1,5"], "--end: 1,5 with a comma for the decimal point, expected a number >= 0"),
                                 ([*run, "--end", "-1"], "--end: -1, expected a number >= 0"),
                                 ([*run, "--threads", "0"], "--threads: 0, expected a whole number >= 1 and <= 1024"),
                                 ([*run, "--threads", "1e1"], "--threads: 1e1, expected a whole number >= 1 and <= 1024"),
                                 ([*run, "--threads", "1.5"], "--threads: 1.5, expected a whole number >= 1 and <= 1024"),
                                 ([*run, "--progress", "alway"], "--progress: 'alway', expected auto, always or never (did you mean 'always'?)"),
                                 ([*run, "-q", "-v"], "--quiet excludes --verbose"),
                                 (["view"], "file is required"),
                                 (["diff", "a.h5", "b.h5", "--rtol", "nan"], "--rtol: nan is not finite, expected a number >= 0"),
                                 (["export", "a.h5", "--csv", "d", "--every", "0"], "--every: 0, expected a whole number >= 1"),
                                 (["export", "a.h5", "--csv", "d", "--frames", "x"], "--frames: 'x', expected A:B:STEP, such as 0:100:10 or -50:, with STEP > 0"),
                                 (["view", "a.h5", "--png", "--size", "3x"], "--size: '3x', expected WIDTHxHEIGHT in pixels, 16 to 8192 each, such as 1280x800"),
                                 (["view", "a.h5", "--elevation", "90"], "--elevation: 90, expected degrees from -89.9 to 89.9"),
                                 (["mesh"], "A subcommand is required"),
                                 (["mesh", "make", "cube"], "shape: 'cube', expected sphere, box, cylinder, capsule, ellipsoid or convex (did you mean 'box'?)"),
                                 (["mesh", "make", "sphere", "--radius", "0,05"], "--radius: 0,05 with a comma for the decimal point, expected a number"),
                                 (["mesh", "make", "box", "--size", "1", "2", "x"], "--size: 'x', expected a number")):
            with self.subTest(" ".join(arguments)):
                said = self.csim(*arguments, expect=INVALID).stderr
                self.assertEqual(said, f"csim: error: {error}\nRun with --help or --help-all for more information.\n")
                self.assertEqual(self.files(), ["scene.yaml"])

    def test_negative_or_endless_end_time_is_refused(self):
        self.write("scene.yaml", BALL)
        for end in ("-1", "nan", "inf"):
            with self.subTest(end):
                self.csim("run", "scene.yaml", f"--end={end}", expect=INVALID)
                self.assertEqual(self.files(), ["scene.yaml"])


class Version(CliTest):
    def test_names_libraries_blas_and_licence(self):
        text = self.csim("--version").stdout.lower()
        for word in ("csim", "eigen", "hdf5", "qhull", "yaml-cpp", "blas", "licen"):
            self.assertIn(word, text)

    def test_json(self):
        version = json.loads(self.csim("--version", "--json").stdout)
        self.assertIsInstance(version, dict)
        text = json.dumps(version).lower()
        for word in ("version", "revision", "compiler", "blas", "eigen"):
            self.assertIn(word, text)


class Cholmod(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        if "leaves CHOLMOD out" in self.run_supernodal(expect=None).stderr:
            self.skipTest("a build without CHOLMOD")

    def run_supernodal(self, **options):
        return self.csim("run", "scene.yaml", "--set", "solver.linear_solver=supernodal", "-q", "--force", **options)

    def blas(self):
        return json.loads(self.csim("info", "ball.h5", "--json").stdout)["provenance"]["blas"]

    def test_is_loaded_where_it_is_used_alone(self):
        self.assertIn(".so", self.blas())
        self.csim("run", "scene.yaml", "-q", "--force")
        self.assertEqual(self.blas(), "none")

    def test_that_is_none_is_told_of_before_anything_is_written(self):
        (self.folder / "ball.h5").unlink()
        (self.folder / "lib").mkdir()
        with open("/proc/self/maps", encoding="utf-8") as maps:
            another = next(line.split()[-1] for line in maps if "/libc" in line)
        for version in range(3, 7):
            (self.folder / f"lib/libcholmod.so.{version}").symlink_to(another)
        environment = os.environ | {"LD_LIBRARY_PATH": str(self.folder / "lib")}
        said = self.run_supernodal(expect=INVALID, env=environment).stderr
        self.assertRegex(said, r"^--set solver.linear_solver:1:22: error: solver.linear_solver: supernodal, which is not available in this build: .*cholmod_start")
        self.assertEqual(self.files(), ["lib", "scene.yaml"])
        self.csim("run", "scene.yaml", "-q", env=environment)   # which needs none
        self.assertRegex(self.csim("--version", env=environment).stdout, "BLAS       none: .*cholmod_start")


if __name__ == "__main__":
    main()
