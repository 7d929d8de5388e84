"""`scripts/package`: the archive runs where there is nothing but the C library, and the Debian package names the packages of its libraries."""
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

from csim_testing import BALL, CSIM, SOURCE, CliTest, main

BUILD = CSIM.parents[1]


class Package(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not BUILD.is_relative_to(SOURCE) or shutil.which("dpkg-shlibdeps") is None:
            raise cls.skipTest(cls, "a build elsewhere, or no dpkg-dev")

    def setUp(self):
        super().setUp()
        self.packages = self.folder / "packages"
        subprocess.run([SOURCE / "scripts/package", self.packages, BUILD.name], check=True, stdout=subprocess.DEVNULL, timeout=500)

    def test_archive_and_package(self):
        self.archive_runs_without_libraries()
        self.package_depends_on_its_libraries()

    def archive_runs_without_libraries(self):
        """In a root of its own that holds the archive, the C library and a scene."""
        archive, = self.packages.glob("*.tar.gz")
        root = self.folder / "root"
        with tarfile.open(archive) as file:
            file.extractall(root / "anywhere", filter="data") if hasattr(tarfile, "data_filter") else file.extractall(root / "anywhere")
        place, = (root / "anywhere").iterdir()
        program = f"/{place.relative_to(root)}/bin/csim"
        libraries = subprocess.run(["ldd", CSIM], capture_output=True, text=True, check=True).stdout
        for path in re.findall(r"(/\S+/(?:ld-linux\S*|libc\.so\S*|libm\.so\S*))", libraries):
            (root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / path.lstrip("/"))
        for name in ("libpthread.so.0", "libdl.so.2", "librt.so.1"):   # of the C library, named by older libraries
            for path in pathlib.Path("/lib").glob(f"*/{name}"):
                shutil.copy(path, root / path.parent.relative_to("/") / name)
        (root / "tmp").mkdir()
        (root / "tmp/ball.yaml").write_text(BALL)
        if os.geteuid() != 0:
            self.skipTest("changing the root needs root")

        def inside(*arguments):
            # The loader finds $ORIGIN by /proc, which this root lacks.
            result = subprocess.run(["/usr/sbin/chroot", root, program, *arguments], capture_output=True, text=True, timeout=60,
                                    env={"LD_ORIGIN_PATH": str(pathlib.Path(program).parent)})
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout
        for solver in ("block", "supernodal"):
            inside("run", "/tmp/ball.yaml", "-o", f"/tmp/{solver}.h5", "-q", "--set", f"solver.linear_solver={solver}")
        inside("view", "/tmp/block.h5", "-o", "/tmp/ball.html", "--png", "/tmp/ball.png")
        self.csim("run", root / "tmp/ball.yaml", "-o", self.folder / "here.h5", "-q", "--set", "solver.linear_solver=block")
        self.assert_same_bits(self.folder / "here.h5", root / "tmp/block.h5")
        self.assertIn("block.h5: complete, no warnings\n", inside("info", "/tmp/block.h5"))

    def package_depends_on_its_libraries(self):
        package, = self.packages.glob("*.deb")
        contents = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
        for path in ("./usr/bin/csim", "./usr/share/csim/schemas/scene.schema.json", "./usr/share/csim/python/csim.py", "./usr/share/man/man1/csim.1"):
            self.assertIn(f" {path}\n", contents)
        depends = subprocess.run(["dpkg-deb", "-f", package, "Depends"], capture_output=True, text=True, check=True).stdout
        for library in ("libyaml-cpp", "libspdlog", "libpugixml", "libqhull", "libc6"):
            self.assertIn(library, depends)


if __name__ == "__main__":
    main()
