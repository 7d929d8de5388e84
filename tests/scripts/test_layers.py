"""scripts/check/layers.py reports each violation in small trees, and none in a correct one."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# In order: every rule used to its limit.
GOOD = {
    "lib/core/types.h": "#include <Eigen/Core>\n#include <vector>\n",
    "lib/core/log.cpp": '#include <spdlog/spdlog.h>\n#include <unistd.h>\n#include "core/types.h"\n',
    "lib/geometry/shape.h": '#include "core/types.h"\n',
    "lib/record/hdf5/hdf5_file.cpp": "#include <hdf5.h>\n",
    "lib/record/hdf5/ordered_driver.h": "#include <hdf5.h>\n",
    "lib/scene/scene.h": '#include "core/types.h"\n',
    "lib/scene/read_yaml.cpp": '#include <yaml-cpp/yaml.h>\n#include "scene/scene.h"\n',
    "lib/model/pair_table.h": '#include "core/types.h"\n',
    "lib/model/model.h": '#include "geometry/shape.h"\n#include "model/pair_table.h"\n#include "scene/scene.h"\n',
    "lib/contact/contact_set.h": '#include "core/types.h"\n',
    "lib/contact/find_contacts.cpp": '#include "contact/contact_set.h"\n#include "model/model.h"\n',
    "lib/contact/narrow.cpp": '#include "contact/contact_set.h"\n#include "geometry/shape.h"\n#include "model/pair_table.h"\n',
    "lib/problem/problem.h": '#include "core/types.h"\n',
    "lib/problem/build.h": '#include "contact/contact_set.h"\n#include "model/model.h"\n#include "problem/problem.h"\n',
    "lib/solver/method/newton.h": '#include "problem/problem.h"\n',
    "lib/solver/method/newton.cpp": '#include "solver/method/newton.h"\n',
    "cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "solver/method/newton.h"\n',
}

# What is added to GOOD (text appended to a file) -> what the check has to say.
BREACHES = {
    ("lib/core/types.h", '#include "scene/scene.h"\n'): "core/ includes scene/scene.h, which comes after it",
    ("lib/problem/problem.h", '#include "contact/contact_set.h"\n'): "solver/ sees problem/, law/ and core/ only: solver/method/newton.h -> problem/problem.h -> contact/contact_set.h",
    ("lib/solver/method/newton.cpp", '#include "geometry/shape.h"\n'): "solver/ sees problem/, law/ and core/ only: solver/method/newton.cpp -> geometry/shape.h",
    ("lib/contact/narrow.cpp", '#include "model/model.h"\n'): "contact/ sees core/, geometry/, mesh/, patch/ and model/pair_table.h: contact/narrow.cpp -> model/model.h",
    ("lib/contact/contact_set.h", '#include "scene/scene.h"\n'): "contact/ sees core/, geometry/, mesh/, patch/ and model/pair_table.h: contact/contact_set.h -> scene/scene.h",
    ("lib/core/other.cpp", "#include <spdlog/spdlog.h>\n"): "spdlog is confined to one file, and is in core/log.cpp, core/other.cpp",
    ("lib/record/other.cpp", "#include <hdf5.h>\n"): "HDF5 is confined to one file, and is in record/hdf5/hdf5_file.cpp, record/hdf5/ordered_driver.h, record/other.cpp",
    ("lib/solver/method/newton.h", "#include <suitesparse/cholmod.h>\n"): "CHOLMOD in a header",
    ("lib/core/types.h", "#include <boost/any.hpp>\n"): "<boost/any.hpp> belongs to no library that this check knows",
    ("lib/core/types.h", '#include "core/none.h"\n'): '"core/none.h" is no file of lib/',
    ("lib/extra/file.h", "#include <vector>\n"): "folder extra/ has no place in the order of lib/",
}


class Layers(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            return subprocess.run([sys.executable, SOURCE / "scripts/check/layers.py", folder], capture_output=True, text=True, timeout=60)

    def test_in_order(self):
        result = self.run_on(GOOD)
        self.assertEqual((result.returncode, result.stdout), (0, f"layers: {len(GOOD)} files in order\n"))

    def test_each_breach(self):
        for (name, addition), message in BREACHES.items():
            with self.subTest(message):
                result = self.run_on({**GOOD, name: GOOD.get(name, "") + addition})
                self.assertEqual(result.returncode, 1)
                self.assertIn(message, result.stdout)

    def test_of_this_tree(self):
        result = subprocess.run([sys.executable, SOURCE / "scripts/check/layers.py"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
