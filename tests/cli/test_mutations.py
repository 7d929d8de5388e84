"""Scenes with one corrupted value: a clear error, never a crash. `validate` and `run` accept the same scenes."""
import copy
import random

import yaml

from csim_testing import DONE, FAILED, INVALID, SOURCE, CliTest, load_yaml, main

NAMES = ["free_fall", "incline", "box_stack", "pendulum", "chain", "belt", "movers"]
SPOILT = [-1, 0, 1, 2.5, 1e300, -1e300, 1e-300, float("nan"), float("inf"), "", "text", "world", "007", True, None, [], {}, [1, 2], [0, 0, 0],
          [1, 2, 3, 4, 5], {"a": 1}, 10**25]
MUTATIONS_PER_SCENE = 60


def places(node, path=()):
    """Every key and list element of a document, as paths."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield path + (key,)
        yield from places(value, path + (key,))


def mutate(document, generator):
    """One value replaced, removed or given twice; returns what was done, in words."""
    path = generator.choice(list(places(document)))
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    where = ".".join(map(str, path))
    kind = generator.random()
    if kind < 0.15:
        del parent[path[-1]]
        return f"{where} removed"
    if kind < 0.25 and isinstance(parent, list):
        parent.append(copy.deepcopy(parent[path[-1]]))
        return f"{where} given twice"
    if kind < 0.35 and isinstance(parent, dict):
        parent[f"{path[-1]}s"] = parent.pop(path[-1])
        return f"{where} misspelt"
    parent[path[-1]] = copy.deepcopy(generator.choice(SPOILT))
    return f"{where} = {parent[path[-1]]!r}"


class Mutations(CliTest):
    def test_never_a_crash(self):
        generator = random.Random(20240229)
        answers = {DONE: 0, INVALID: 0, FAILED: 0}
        for name in NAMES:
            original = load_yaml(SOURCE / "scenes" / name / "scene.yaml")
            original["time"] = {"step": 1e-3, "end": 2e-3}
            for _ in range(MUTATIONS_PER_SCENE):
                document = copy.deepcopy(original)
                what = mutate(document, generator)
                with self.subTest(f"{name}: {what}"):
                    self.write("scene.yaml", yaml.safe_dump(document, sort_keys=False))
                    validated = self.csim("validate", "scene.yaml", expect=None)
                    # An end of 1e300 s is valid and takes for ever: only two steps here.
                    ran = self.csim("run", "scene.yaml", "-o", "out.h5", "-q", "--force", "--set", "time.end=2e-3", "--set", "time.step=1e-3", expect=None)
                    self.assertIn(validated.returncode, (DONE, INVALID), validated.stderr)
                    if "time" not in what.split(".")[0]:
                        self.assertEqual(ran.returncode == INVALID, validated.returncode == INVALID, ran.stderr + validated.stderr)
                    self.assertIn(ran.returncode, answers, ran.stderr)
                    if validated.returncode == INVALID:
                        self.assertIn("scene.yaml:", validated.stderr)
                    answers[ran.returncode] += 1
        # The mutations are of use only while both answers occur often.
        self.assertGreater(answers[DONE], 50)
        self.assertGreater(answers[INVALID], 100)


if __name__ == "__main__":
    main()
