"""What `csim run` reads and writes: inputs that are none, outputs that are there already or cannot be written."""
import os
import resource

import h5py

from csim_testing import BALL, INVALID, LONG_BALL, OUTPUT, CliTest, main


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

    def test_a_folder_that_is_not_there_or_not_writable(self):
        # /proc takes no files, from root neither.
        for output in ("nowhere/out.h5", "/proc/out.h5"):
            with self.subTest(output):
                result = self.csim("run", "scene.yaml", "-o", output, expect=OUTPUT)
                self.assertIn(output, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(self.files(), ["scene.yaml"])

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

    def test_names_with_spaces_and_accents(self):
        os.mkdir(self.folder / "mes scènes")
        self.write("mes scènes/été 1.yaml", BALL)
        self.csim("run", "mes scènes/été 1.yaml", "-o", "mes scènes/résultat.h5")
        with h5py.File(self.folder / "mes scènes/résultat.h5") as file:
            self.assertEqual(file.attrs["status"], "complete")


if __name__ == "__main__":
    main()
