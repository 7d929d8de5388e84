"""Files of `csim run`: missing or invalid inputs, outputs that exist or cannot be written."""
import os
import resource

import h5py

from csim_testing import BALL, INVALID, LONG_BALL, OUTPUT, SOURCE, CliTest, main


class Input(CliTest):
    def test_what_is_no_scene(self):
        self.write("empty.yaml", "")
        (self.folder / "folder").mkdir()
        before = self.files()
        for name in ("missing.yaml", "empty.yaml", "folder"):
            with self.subTest(name):
                result = self.csim("run", name, expect=INVALID)
                self.assertIn(name, result.stderr)
                self.assertEqual(self.files(), before)


    def test_a_missing_file_is_answered_with_the_nearest(self):
        (self.folder / "scenes").mkdir()
        self.write("scenes/ball.yaml", BALL)
        self.csim("run", "scenes/ball.yaml", "-q")
        for arguments, hint in ((["run", "scenes/bal.yaml"], "(did you mean 'scenes/ball.yaml'?)"), (["validate", "scene/ball.yaml"], "no such folder 'scene' (did you mean 'scenes'?)"),
                                (["info", "bal.h5"], "(did you mean 'ball.h5'?)"), (["run", "scenes/ball.yaml", "-o", "bll.h5", "--resume"], "(did you mean 'ball.h5'?)"),
                                (["mesh", "info", "bal.vtk"], "No such file or directory"), (["view", "zzz.h5"], "zzz.h5: no such file\n")):
            with self.subTest(" ".join(arguments)):
                self.assertIn(hint, self.csim(*arguments, expect=INVALID).stderr)


class Output(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)

    def test_is_named_after_the_scene_in_the_working_folder(self):
        (self.folder / "deep").mkdir()
        (self.folder / "scene.yaml").rename(self.folder / "deep" / "scene.yaml")
        self.csim("run", "deep/scene.yaml")
        self.assertEqual(self.files(), ["ball.h5", "deep"])

    def test_a_scene_without_a_name_gives_its_stem(self):
        self.write("drop.yaml", BALL.replace("name: ball\ntime", "time"))
        self.csim("run", "drop.yaml")
        self.assertIn("drop.h5", self.files())

    def test_an_existing_one_is_refused_and_kept(self):
        self.write("ball.h5", "precious")
        result = self.csim("run", "scene.yaml", expect=INVALID)
        self.assertIn("ball.h5", result.stderr)
        self.assertIn("--force", result.stderr)
        self.assertEqual((self.folder / "ball.h5").read_text(), "precious")
        self.assertEqual(self.files(), ["ball.h5", "scene.yaml"])

    def test_force_overwrites(self):
        self.write("ball.h5", "in the way")
        self.csim("run", "scene.yaml", "--force")
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual(file.attrs["status"], "complete")

    def test_the_unfinished_file_of_another_run_is_refused(self):
        self.write("ball.h5.part", "another run")
        result = self.csim("run", "scene.yaml", expect=INVALID)
        self.assertIn("ball.h5.part", result.stderr)
        self.assertEqual((self.folder / "ball.h5.part").read_text(), "another run")

    def test_a_second_run_to_the_same_file_is_refused_while_the_first_goes_on(self):
        self.write("long.yaml", LONG_BALL)
        first = self.start("run", "long.yaml", "-o", "out.h5")
        while not (self.folder / "out.h5.part").exists():
            self.assertIsNone(first.poll(), "the first run ended before its file was there")
        self.csim("run", "scene.yaml", "-o", "out.h5", expect=INVALID)
        self.assertIsNone(first.poll())

    def test_of_runs_that_start_at_once_one_writes(self):
        """The others are refused and leave nothing, those too that begin as the first one ends."""
        self.write("scene.yaml", BALL)
        for round in range(8):
            runs = [self.start("run", "scene.yaml", "--end", "0.01", "-q", "-o", f"{round}.h5") for _ in range(6)]
            codes = sorted((run.communicate(), run.returncode)[1] for run in runs)
            self.assertEqual(codes, [0, *5 * [INVALID]])
            self.assertEqual([name for name in self.files() if name.startswith(f"{round}.")], [f"{round}.h5"])

    def test_a_folder_that_is_not_there_or_not_writable(self):
        # /proc takes no files, from root neither.
        for output in ("nowhere/out.h5", "/proc/out.h5"):
            with self.subTest(output):
                result = self.csim("run", "scene.yaml", "-o", output, expect=OUTPUT)
                self.assertIn(output, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(self.files(), ["scene.yaml"])

    def test_every_command_names_the_folder_that_is_missing(self):
        self.csim("run", "scene.yaml", "-q")
        (self.folder / "results").mkdir()
        for arguments in (["run", "scene.yaml", "-o", "result/a/x"], ["view", "ball.h5", "-o", "result/a/x"], ["view", "ball.h5", "--png", "result/a/x"],
                          ["export", "ball.h5", "--csv", "result/a/x"], ["mesh", "make", "sphere", "--radius", "1", "-o", "result/a/x.vtk"],
                          ["run", "scene.yaml", "-o", "new.h5", "--log-file", "result/a/x"]):
            with self.subTest(" ".join(arguments)):
                before = self.files()
                told = self.csim(*arguments, expect=OUTPUT).stderr
                self.assertIn("no such folder 'result' (did you mean 'results'?)", told)
                self.assertNotIn(".part", told)
                self.assertEqual(self.files(), before)
        self.assertIn("'ball.h5' is a file, expected a folder", self.csim("run", "scene.yaml", "-o", "ball.h5/x.h5", expect=OUTPUT).stderr)

    def test_a_folder_in_place_of_the_file(self):
        (self.folder / "out.h5").mkdir()
        result = self.csim("run", "scene.yaml", "-o", "out.h5", expect=None)
        self.assertIn(result.returncode, (INVALID, OUTPUT))
        self.csim("run", "scene.yaml", "-o", "out.h5", "--force", expect=OUTPUT)
        self.assertTrue((self.folder / "out.h5").is_dir())

    def test_full_disk(self):
        """A limit on the size of files stands for it; a shell's `ulimit -f` does the same."""
        for limit in (4 * 1024, 64 * 1024, 512 * 1024):
            with self.subTest(f"{limit} bytes"):
                result = self.csim("run", "scene.yaml", "--end", "100", "-o", f"out_{limit}.h5", expect=OUTPUT,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertIn(f"out_{limit}.h5", result.stderr)
                self.assertNotIn("internal error", result.stderr)

    def test_full_disk_while_the_file_is_made(self):
        """Wherever the disk ends: in each kind of block, among them the texts of attributes with the units of many columns."""
        for limit in range(4 * 1024, 200 * 1024, 4 * 1024):
            with self.subTest(f"{limit} bytes"):
                result = self.csim("run", SOURCE / "scenes/gripper/scene.yaml", "-o", "out.h5", "--force", expect=OUTPUT,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertIn("out.h5.part", result.stderr)
                self.assertIn("File too large", result.stderr)

    def test_names_with_spaces_and_accents(self):
        os.mkdir(self.folder / "mes scènes")
        self.write("mes scènes/été 1.yaml", BALL)
        self.csim("run", "mes scènes/été 1.yaml", "-o", "mes scènes/résultat.h5")
        with h5py.File(self.folder / "mes scènes/résultat.h5") as file:
            self.assertEqual(file.attrs["status"], "complete")


if __name__ == "__main__":
    main()
