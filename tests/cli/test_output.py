"""What goes to stdout and to stderr, also without a terminal."""
import json
import os
import subprocess

from csim_testing import BALL, CSIM, DONE, INVALID, OUTPUT, SOURCE, CliTest, main


class Streams(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)

    def test_summary_to_stdout(self):
        result = self.csim("run", "scene.yaml")
        self.assertIn("ball.h5", result.stdout)
        self.assertNotIn("ball.h5.part", result.stdout)

    def test_quiet_leaves_stderr_empty(self):
        self.assertEqual(self.csim("run", "scene.yaml", "-q").stderr, "")

    def test_one_json_object(self):
        summary = json.loads(self.csim("run", "scene.yaml", "--json").stdout)
        self.assertEqual(summary["status"], "complete")
        self.assertEqual(summary["exit_code"], 0)
        self.assertEqual(summary["file"], "ball.h5")

    def test_json_of_a_failed_run(self):
        result = self.csim("run", "scene.yaml", "--json", "--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", expect=3)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["status"], "failed")
        self.assertEqual(summary["exit_code"], 3)

    def test_no_control_characters_when_not_a_terminal(self):
        for arguments in (["run", "scene.yaml", "--force"], ["run", "scene.yaml", "--force", "--progress", "always"], ["info", "ball.h5"], ["--version"]):
            result = self.csim(*arguments)
            for stream in (result.stdout, result.stderr):
                self.assertTrue(stream.replace("\n", "").isprintable(), repr(stream))

    def test_progress_in_lines_when_not_a_terminal(self):
        shown = self.csim("run", "scene.yaml", "--progress", "always", "--force").stderr
        self.assertRegex(shown, r"(?m)^.*\b(100|90) ?%.*$")
        self.assertLess(len(shown.splitlines()), 30)
        hidden = self.csim("run", "scene.yaml", "--progress", "never", "--force").stderr
        self.assertNotIn("%", hidden)

    def test_progress_of_a_short_run_is_one_line(self):
        """And its wall time has three digits."""
        shown = self.csim("run", "scene.yaml", "--progress", "always").stderr.splitlines()
        lines = [line for line in shown if "%" in line]
        self.assertEqual(len(lines), 1, shown)
        number = r"(?:0\.0*[1-9]\d{0,2}|[1-9]\.\d{1,2}|[1-9]\d\.\d)"
        self.assertRegex(lines[0], rf"^csim: 100 %  t = 0\.5 s  {number} s elapsed$")
        self.assertRegex(shown[-1], rf"made 500 steps in {number} s$")

    def test_log_file_holds_what_quiet_hides(self):
        self.csim("run", "scene.yaml", "-q", "--log-file", "run.log")
        self.assertIn("scene.yaml", (self.folder / "run.log").read_text())

    def test_a_log_file_goes_on(self):
        """The next run and a resumed one write at its end; --force starts it anew."""
        def runs():
            return (self.folder / "run.log").read_text().count("running scene.yaml")
        self.csim("run", "scene.yaml", "-q", "--log-file", "run.log")
        self.csim("run", "scene.yaml", "-q", "--log-file", "run.log", "-o", "other.h5")
        self.assertEqual(runs(), 2)
        self.csim("run", "scene.yaml", "-q", "--log-file", "run.log", "--resume", "--end", "0.6")
        self.assertEqual(runs(), 3)
        self.assertIn("resuming after step", (self.folder / "run.log").read_text())
        self.csim("run", "scene.yaml", "-q", "--log-file", "run.log", "--force")
        self.assertEqual(runs(), 1)

    def test_the_log_is_not_the_output(self):
        for log in ("ball.h5", "./ball.h5.part", str(self.folder / "ball.h5")):
            result = self.csim("run", "scene.yaml", "--log-file", log, "--force", expect=2)
            self.assertIn("is the output of the run; it cannot be the log file too", result.stderr)
        self.assertEqual(self.files(), ["scene.yaml"])

    def test_a_log_file_that_cannot_be_written(self):
        result = self.csim("run", "scene.yaml", "--log-file", "/proc/run.log", expect=4)
        self.assertIn("/proc/run.log", result.stderr)
        self.assertEqual(self.files(), ["scene.yaml"])

    def test_no_output_in_the_place_of_an_input(self):
        """By name, through a link and from another folder; --force does not help."""
        (self.folder / "link.h5").symlink_to("scene.yaml")
        (self.folder / "hard.h5").hardlink_to(self.folder / "scene.yaml")
        for arguments in (["-o", "scene.yaml"], ["-o", "link.h5"], ["-o", "hard.h5"], ["-o", str(self.folder / "scene.yaml")],
                          ["--log-file", "scene.yaml"]):
            result = self.csim("run", "scene.yaml", "--force", *arguments, expect=2)
            self.assertIn("is an input of the run (scene.yaml); it cannot be an output too", result.stderr)
            self.assertEqual((self.folder / "scene.yaml").read_text(), BALL)
        self.assertEqual(self.files(), ["hard.h5", "link.h5", "scene.yaml"])

    def test_no_output_in_the_place_of_a_device(self):
        """A rename would put a file where the pipe is (or where /dev/null is, for who may)."""
        os.mkfifo(self.folder / "pipe")
        (self.folder / "folder").mkdir()
        self.csim("run", "scene.yaml", "--end", "0", "-q", "-o", "out.h5")
        for name, reason in (("pipe", "a device, a pipe or a socket, expected a file"), ("folder", "is a folder")):
            for command in (["run", "scene.yaml", "--end", "0", "-q", "-o", name], ["view", "out.h5", "--png", name]):
                for force in ([], ["--force"]):
                    with self.subTest(name=name, command=command[0], force=force):
                        result = self.csim(*command, *force, expect=OUTPUT)
                        self.assertIn(reason, result.stderr)
        self.assertTrue((self.folder / "pipe").is_fifo())
        self.assertEqual(self.files(), ["folder", "out.h5", "pipe", "scene.yaml"])

    def test_a_closed_reader_is_no_crash(self):
        """`csim resolve scene.yaml | head -1` ends without a word of a crash, with the exit code of what could not be written."""
        command = f"set -o pipefail; '{CSIM}' resolve '{SOURCE}/scenes/clutter/scene.yaml' | head -1"
        pipe = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
        self.assertEqual(pipe.returncode, OUTPUT)
        self.assertEqual(pipe.stderr, "")

    def test_standard_output_that_cannot_be_written(self):
        self.csim("run", "scene.yaml", "-q")
        for command in ("run scene.yaml --force", "info ball.h5", "info ball.h5 --json", "resolve scene.yaml", "schema", "validate scene.yaml --json",
                        "diff ball.h5 ball.h5", "mesh make sphere --radius 0.1", "view ball.h5 --force", "--version", "--help"):
            with self.subTest(command=command):
                result = subprocess.run(f"'{CSIM}' {command} > /dev/full", shell=True, cwd=self.folder, capture_output=True, text=True, timeout=60)
                self.assertEqual(result.returncode, OUTPUT)
                self.assertIn("csim: error: standard output cannot be written", result.stderr)

    def test_a_log_file_that_runs_full(self):
        (self.folder / "full.log").symlink_to("/dev/full")
        result = self.csim("run", "scene.yaml", "-q", "--log-file", "full.log", expect=OUTPUT)
        self.assertIn("csim: error: the log file cannot be written", result.stderr)

    def test_a_link_to_nothing_is_refused_before_the_run(self):
        (self.folder / "link.h5").symlink_to("nowhere.h5")
        for force in ([], ["--force"]):
            result = self.csim("run", "scene.yaml", "-o", "link.h5", *force, expect=OUTPUT)
            self.assertIn("link.h5: is a link to a file that is not there", result.stderr)
        self.assertEqual(self.files(), ["link.h5", "scene.yaml"])

    def test_of_runs_forced_at_once_one_runs(self):
        for _ in range(25):
            runs = [subprocess.Popen([CSIM, "run", "scene.yaml", "--force", "-q"], cwd=self.folder, stderr=subprocess.PIPE, text=True) for _ in range(4)]
            ends = [(run.communicate()[1], run.returncode) for run in runs]
            self.assertIn(DONE, [code for _, code in ends])
            for stderr, code in ends:
                self.assertIn(code, (DONE, INVALID))
                self.assertEqual(code == INVALID, "another run is writing it" in stderr)
            self.assertEqual(self.files(), ["ball.h5", "scene.yaml"])

    def test_a_limit_on_file_sizes_is_a_full_disk(self):
        self.csim("run", "scene.yaml", "-q")
        for command in ("view ball.h5", "mesh make sphere --radius 0.1 --resolution 0.005 -o ball.vtk"):
            result = subprocess.run(f"ulimit -f 8; '{CSIM}' {command}", shell=True, cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, OUTPUT, result.stderr)
            self.assertIn("cannot be written", result.stderr)
        self.assertEqual(self.files(), ["ball.h5", "scene.yaml"])

    def test_a_scene_that_never_ends(self):
        result = self.csim("validate", "/dev/zero", expect=INVALID)
        self.assertIn("more than 256 MiB, expected a scene", result.stderr)

    def test_a_name_too_long_for_the_disk(self):
        name = 248 * "n" + ".h5"
        result = self.csim("run", "scene.yaml", "-o", name, expect=OUTPUT)
        self.assertIn("File name too long", result.stderr)


class Resolved(CliTest):
    def test_goes_to_stdout_alone(self):
        self.write("scene.yaml", BALL)
        result = self.csim("resolve", "scene.yaml")
        self.assertEqual(result.stderr, "")
        for key in ("gravity", "stiction_tolerance", "relaxation_time", "max_iterations", "period"):
            self.assertIn(key, result.stdout)
        self.assertEqual(self.files(), ["scene.yaml"])


if __name__ == "__main__":
    main()
