"""The generated files in scenes/ are what their programs write."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Generators(unittest.TestCase):
    def test_write_what_is_in_the_tree(self):
        programs = sorted((SOURCE / "scripts/scenes").glob("*.py"))
        self.assertGreaterEqual(len(programs), 2)
        for program in programs:
            with self.subTest(program.name), tempfile.TemporaryDirectory() as folder:
                subprocess.run([sys.executable, program, folder], check=True, timeout=60)
                written = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
                self.assertGreater(len(written), 0)
                for path in written:
                    name = path.relative_to(folder)
                    self.assertEqual(path.read_bytes(), (SOURCE / "scenes" / name).read_bytes(), f"scenes/{name}")

    def test_every_file_that_says_so_is_written(self):
        """A file whose first lines name a program is one that this program writes."""
        for path in sorted(path for path in (SOURCE / "scenes").glob("*/*") if path.is_file()):
            head = path.read_text(errors="replace")[:300]
            if "Written by scripts/scenes/" in head:
                program = SOURCE / "scripts/scenes" / head.split("Written by scripts/scenes/")[1].split(":")[0]
                with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                    subprocess.run([sys.executable, program, folder], check=True, timeout=60)
                    self.assertTrue((pathlib.Path(folder) / path.parent.name / path.name).exists())

    def test_clutter_draws_what_libstdcxx_draws(self):
        """Shapes and the first orientation, to twelve digits, from a C++ program with std::mt19937(41)."""
        sys.path.insert(0, str(SOURCE / "scripts/scenes"))
        import clutter
        self.assertEqual("".join(shape[0] for shape in clutter.draw_shapes(10)), "bcbbcbbcbc")
        expected = {0: (0.509907910694, -0.243764632426, 0.683360483598, 0.462159253987),
                    9: (-0.177291440885, 0.518831527376, -0.584229030643, -0.598379504114)}
        quaternions = clutter.draw_quaternions(10)
        for i, quaternion in expected.items():
            for found, value in zip(quaternions[i], quaternion, strict=True):
                self.assertAlmostEqual(found, value, delta=1e-12)

    def test_clutter_of_any_size(self):
        """4 x 4 columns are the four columns again, farther out; two columns along each side write the very scene of the tree."""
        program = SOURCE / "scripts/scenes/clutter.py"
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "c.yaml"
            for columns, boxes, scene in ((2, [], "clutter"), (2, ["--boxes"], "clutter_boxes"), (4, ["--boxes"], None)):
                subprocess.run([sys.executable, program, "--columns", str(columns), *boxes, "-o", file], check=True, timeout=60)
                bodies = file.read_text().split("bodies:\n")[1]
                if scene:
                    self.assertEqual(bodies, (SOURCE / "scenes" / scene / "scene.yaml").read_text().split("bodies:\n")[1])
            self.assertEqual(bodies.count("  - name: cube"), 64)
            self.assertEqual(bodies.count("  - name: ball"), 96)
            self.assertIn("xyz: [-0.6000000000000001, 0.6000000000000001, 1.425]", bodies)
            for wrong in (["--columns", "4"], ["-o", "x.yaml"], ["--boxes"], ["--columns", "0", "-o", "x.yaml"]):
                self.assertEqual(subprocess.run([sys.executable, program, *wrong], capture_output=True, cwd=folder, timeout=60).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
