"""`csim view --frames` and `--mp4`, by a program that stands for ffmpeg and by ffmpeg itself; a second result over the first."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np

from csim_testing import BALL, INVALID, OUTPUT, CliTest, main
from browser import decode_png
from test_view import page_data

# Writes its arguments, a line each, and the number of bytes that it is given.
FFMPEG = """\
#!/bin/sh
for word; do last=$word; done
{ printf '%s\\n' "$@"; wc -c; } > "$last"
"""


class Film(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-q")

    def programs(self, ffmpeg=FFMPEG):
        """An environment whose PATH holds one `ffmpeg`, or nothing at all."""
        folder = self.folder / "programs"
        folder.mkdir(exist_ok=True)
        if ffmpeg:
            (folder / "ffmpeg").write_text(ffmpeg)
            (folder / "ffmpeg").chmod(0o755)
        for tool in ("wc", "sh", "sleep", "head"):
            if not (folder / tool).exists():
                (folder / tool).symlink_to(shutil.which(tool))
        return {**os.environ, "PATH": str(folder)}

    def test_pictures_at_the_times_of_a_film(self):
        said = self.csim("view", "ball.h5", "--frames", "out", "--fps", "20", "--size", "160x100", "--plain").stdout
        self.assertIn("11 pictures", said)
        names = sorted(path.name for path in (self.folder / "out").glob("*.png"))
        self.assertEqual(names, [f"frame_{k:05d}.png" for k in range(11)])
        # Those on a row are the stills of its time; the same rows say where the camera stands.
        for k in (0, 4, 10):
            self.csim("view", "ball.h5", "--png", "still.png", "--time", str(0.05 * k), "--fps", "20", "--size", "160x100", "--plain", "--force")
            self.assertEqual((self.folder / "still.png").read_bytes(), (self.folder / f"out/frame_{k:05d}.png").read_bytes())

    def test_paths_up_to_each_picture(self):
        options = ["--fps", "20", "--size", "160x100", "--plain", "--trace", "ball"]
        self.csim("view", "ball.h5", "--frames", "out", *options)
        for k in (0, 4, 10):
            self.csim("view", "ball.h5", "--png", "still.png", "--time", str(0.05 * k), *options, "--force")
            self.assertEqual((self.folder / "still.png").read_bytes(), (self.folder / f"out/frame_{k:05d}.png").read_bytes())

    def test_slow_motion_and_a_part(self):
        self.assertIn("21 pictures", self.csim("view", "ball.h5", "--frames", "out", "--fps", "20", "--speed", "0.1", "--from", "0.2", "--to", "0.3", "--size", "64x48").stdout)
        # Rows are 0.01 s apart, pictures 0.005: the odd ones stand between two rows.
        pictures = [(self.folder / f"out/frame_{k:05d}.png").read_bytes() for k in range(3)]
        self.assertEqual(len(set(pictures)), 3)

    def test_a_folder_with_other_files_needs_force(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/mine.txt").write_text("kept")
        self.csim("view", "ball.h5", "--frames", "out", "--fps", "4", "--size", "64x48", expect=INVALID)
        self.assertEqual(os.listdir(self.folder / "out"), ["mine.txt"])
        self.csim("view", "ball.h5", "--frames", "out", "--fps", "4", "--size", "64x48", "--force")
        self.csim("view", "ball.h5", "--frames", "out", "--fps", "2", "--size", "64x48", "--force")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").glob("[!.]*")), ["frame_00000.png", "frame_00001.png", "mine.txt"])

    def test_raw_pictures_go_to_ffmpeg(self):
        self.csim("view", "ball.h5", "--mp4", "film.mp4", "--fps", "10", "--size", "64x48", env=self.programs())
        *words, size = (self.folder / "film.mp4").read_text().split("\n")[:-1]
        self.assertEqual(int(size), 6 * 64 * 48 * 4)
        self.assertEqual(words[words.index("-video_size") + 1], "64x48")
        self.assertEqual(words[words.index("-framerate") + 1], "10")
        self.assertEqual(self.files(), ["ball.h5", "film.mp4", "programs", "scene.yaml"])

    def test_without_ffmpeg(self):
        for extra in ([], ["--frames", "out"]):
            result = self.csim("view", "ball.h5", "--mp4", "film.mp4", *extra, env=self.programs(None), expect=OUTPUT)
            self.assertIn("film.mp4: cannot be written: a film needs the program ffmpeg, which is not on PATH", result.stderr)
            self.assertIn("--frames DIR", result.stderr)
            self.assertEqual(self.files(), ["ball.h5", "programs", "scene.yaml"])

    def test_an_ffmpeg_that_fails(self):
        for script, reason in (("#!/bin/sh\nwc -c > /dev/null\necho no such encoder >&2\nexit 3\n", "ffmpeg ended with exit code 3"),
                               ("#!/bin/sh\nexit 4\n", "ffmpeg ended with exit code 4"),
                               ("#!/bin/sh\nhead -c 10 > /dev/null\n", "ffmpeg ended before all pictures were there")):
            with self.subTest(reason):
                result = self.csim("view", "ball.h5", "--mp4", "film.mp4", "--fps", "20", "--size", "640x480", env=self.programs(script), expect=OUTPUT)
                self.assertIn(f"film.mp4: cannot be written: {reason}", result.stderr)
                self.assertEqual(self.files(), ["ball.h5", "programs", "scene.yaml"])

    def test_an_interrupt_leaves_nothing(self):
        # The program in place of ffmpeg outlives what it is given; it has to end as well.
        slow = '#!/bin/sh\nfor word; do last=$word; done\necho $$ > "$last"\nwc -c >> "$last"\nsleep 600\n'
        for number in (signal.SIGINT, signal.SIGTERM):
            film = self.start("view", "ball.h5", "--mp4", "film.mp4", "--frames", "out", "--fps", "1000", env=self.programs(slow))
            part = self.folder / "film.mp4.part"
            end = time.monotonic() + 60
            while not (part.exists() and part.read_text()) and time.monotonic() < end:
                time.sleep(0.01)
            process = int(part.read_text().split()[0])
            film.send_signal(number)
            _, errors = film.communicate(timeout=60)
            self.assertEqual(film.returncode, -number)
            self.assertIn("interrupted; nothing was written", errors)
            self.assertEqual(self.files(), ["ball.h5", "programs", "scene.yaml"])
            with self.assertRaises(ProcessLookupError):
                os.kill(process, 0)

    def test_an_existing_film_needs_force(self):
        (self.folder / "film.mp4").write_text("mine")
        self.csim("view", "ball.h5", "--mp4", "film.mp4", env=self.programs(), expect=INVALID)
        self.assertEqual((self.folder / "film.mp4").read_text(), "mine")

    def test_wrong_usage(self):
        for arguments, said in ((["--speed", "2"], "--speed stands alone, expected --frames or --mp4 beside it"), (["--size", "64x48"], "--size stands alone, expected --png, --frames or --mp4 beside it"),
                                (["--frames", "out", "--fps", "1e9"], "pictures, expected at most 100000"), (["--frames", "out", "--speed", "0"], "--speed: 0, expected a number > 0")):
            with self.subTest(said):
                self.assertIn(said, self.csim("view", "ball.h5", *arguments, expect=INVALID).stderr)
                self.assertEqual(self.files(), ["ball.h5", "scene.yaml"])

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_a_film_by_ffmpeg(self):
        self.csim("view", "ball.h5", "--mp4", "film.mp4", "--fps", "20", "--size", "161x100")
        probe = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height,nb_frames,r_frame_rate", "-of", "json", self.folder / "film.mp4"], check=True, capture_output=True)
        # An even size; eleven pictures.
        self.assertEqual(json.loads(probe.stdout)["streams"], [{"codec_name": "h264", "width": 160, "height": 100, "r_frame_rate": "20/1", "nb_frames": "11"}])
        subprocess.run(["ffmpeg", "-v", "error", "-i", self.folder / "film.mp4", "-vf", "select=eq(n\\,10)", "-frames:v", "1", self.folder / "last.png"], check=True)
        self.csim("view", "ball.h5", "--png", "still.png", "--fps", "20", "--size", "161x100")
        last, still = (decode_png((self.folder / name).read_bytes()).astype(int) for name in ("last.png", "still.png"))
        # Within what the coding loses.
        self.assertLess(np.abs(last - still[:, :160]).mean(), 6)


class Overlay(CliTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", BALL)
        self.csim("run", "scene.yaml", "-q")
        self.csim("run", "scene.yaml", "-q", "-o", "other.h5", "--set", "bodies.ball.velocity.linear=[2, 0, 0]", "--set", "output.period=0.02")

    def test_in_the_page(self):
        self.csim("view", "ball.h5", "--overlay", "other.h5")
        data = page_data(self.folder / "ball.html")
        other = data["overlay"]
        self.assertEqual((other["file"], len(data["surfaces"]), other["parts"][0]["surface"]), ("other.h5", 1, 0))
        self.assertGreater(other["frames"]["position"][-3], data["frames"]["position"][-3] + 0.2)
        self.assertEqual([plot["title"] for plot in other["plots"]], [plot["title"] for plot in data["plots"]])
        self.assertEqual([item["name"] for item in other["columns"]["items"]], ["ball"])
        self.csim("view", "ball.h5", "-o", "alone.html")
        self.assertIsNone(page_data(self.folder / "alone.html")["overlay"])

    def test_in_still_and_film(self):
        for name, extra in (("alone", []), ("both", ["--overlay", "other.h5"]), ("same", ["--overlay", "ball.h5"])):
            self.csim("view", "ball.h5", "--png", f"{name}.png", "--plain", "--fps", "2", "--size", "320x200", "--look-at", "0.7,0,0.1", "--zoom", "0.7", *extra)
        alone, both, same = (decode_png((self.folder / f"{name}.png").read_bytes()).astype(int) for name in ("alone", "both", "same"))
        # The other ball stands beside the first; where both are in one place the first is seen.
        changed = np.abs(alone - both).max(axis=2) > 12
        self.assertGreater(np.count_nonzero(changed), 50)
        self.assertLess(np.count_nonzero(np.abs(alone - same).max(axis=2) > 12), 5)
        self.csim("view", "ball.h5", "--frames", "out", "--plain", "--size", "320x200", "--fps", "2", "--look-at", "0.7,0,0.1", "--zoom", "0.7", "--overlay", "other.h5")
        self.assertEqual((self.folder / "out/frame_00001.png").read_bytes(), (self.folder / "both.png").read_bytes())

    def test_what_is_no_result(self):
        for name, said in (("scene.yaml", "scene.yaml: a scene, expected a result to lay over the first"), ("none.h5", "none.h5: no such file")):
            self.assertIn(said, self.csim("view", "ball.h5", "--overlay", name, expect=INVALID).stderr)
        self.assertEqual(self.files(), ["ball.h5", "other.h5", "scene.yaml"])


if __name__ == "__main__":
    main()
