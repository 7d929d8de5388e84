"""The recipe for conda, which no machine of ours builds: that it names what the build needs, in the version that is here."""
import re
import unittest

import yaml

from csim_testing import SOURCE, main

# Debian's package of scripts/setup -> conda-forge's.
CONDA = {
    "libassimp-dev": "assimp", "libcairo2-dev": "cairo", "libcli11-dev": "cli11", "libdeflate-dev": "libdeflate", "libeigen3-dev": "eigen", "libfcl-dev": "fcl", "libfmt-dev": "fmt",
    "libhdf5-dev": "hdf5", "libnlopt-dev": "nlopt", "libpugixml-dev": "pugixml", "libqhull-dev": "qhull", "libspdlog-dev": "spdlog", "libyaml-cpp-dev": "yaml-cpp",
    "nettle-dev": "nettle", "zlib1g-dev": "zlib",
}
OTHERS = {"libsuitesparse-dev", "libopenblas0-pthread"}     # CHOLMOD, which the recipe leaves out


class Conda(unittest.TestCase):
    def setUp(self):
        self.recipe = yaml.safe_load((SOURCE / "scripts/conda/meta.yaml").read_text())

    def test_it_needs_what_the_build_needs(self):
        setup = (SOURCE / "scripts/setup").read_text()
        packages = set(re.search(r"^packages=\((.*?)\)", setup, re.S | re.M)[1].split())
        libraries = {package for package in packages if package.endswith("-dev")} | {"libopenblas0-pthread"}
        self.assertEqual(libraries - OTHERS, CONDA.keys())
        self.assertEqual(set(self.recipe["requirements"]["host"]) - {"python"}, set(CONDA.values()))

    def test_version_and_options_are_those_of_the_build(self):
        lists = (SOURCE / "CMakeLists.txt").read_text()
        self.assertEqual(self.recipe["package"]["version"], re.search(r"^project\(csim VERSION ([0-9.]+)", lists, re.M)[1])
        known = set(re.findall(r"CSIM_[A-Z_]+", lists + (SOURCE / "lib/view/CMakeLists.txt").read_text()))
        given = set(re.findall(r"-D(CSIM_[A-Z_]+)=", " ".join(self.recipe["build"]["script"])))
        self.assertLessEqual(given, known)
        self.assertLessEqual({"CSIM_THREE_JS", "CSIM_ORBIT_CONTROLS_JS"}, given)


if __name__ == "__main__":
    main()
