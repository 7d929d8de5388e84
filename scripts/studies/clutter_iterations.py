#!/usr/bin/env python3
"""What the first guess, the method and the matrix of Newton's method do to the iterations in the clutter: writes docs/evidence/clutter.md.

    scripts/studies/clutter_iterations.py [--csim PROGRAM] [--jobs N] [-o docs/evidence/clutter.md]

Some minutes. Needs numpy and h5py.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from page_parts import lowered, write_part

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENE = ROOT / "scenes/clutter/scene.yaml"
LAWS = {"SAP": ["contact.model=sap"], "Lagged": ["contact.model=lagged", "contact.regularise_stiction=false"],
        "Similar": ["contact.model=similar", "contact.regularise_stiction=false"]}
EQ_44 = ["contact.model=lagged", "contact.regularise_stiction=true"]
METHODS = ("auto", "newton")
STEPS = (1e-2, 2e-3, 4e-4, 8e-5, 1.6e-5)     # s
END, EVERY, LATE = 10.0, 0.2, 5.0            # s: of the runs, between the steps that are made again, from which on they count as late
BEFORE = 30                                  # steps before the one that is made again, where the step is not that of the run

TEXT = """\
# Iterations in the clutter

Where the iterations above differ from those of the paper (figures 14 and 16), one thing is changed at a time. Written by
`scripts/studies/clutter_iterations.py`: change the program, not this page. Settings as above, steps are whole; `auto` is `solver.method: auto`, the default.

*Made again*: a step is made a second time, alone, from the stored state, without what the solver keeps from step to step: the guess is then the velocity
before the step, no prediction from earlier ones. *In the run* are the same steps with it.
"""


def margin(step):
    return f"contact.margin={max(0.0025, 5 * step)!r}"


class Runs:
    def __init__(self, csim, folder, jobs):
        self.csim, self.folder, self.count = csim, pathlib.Path(folder), 0
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def start(self, settings):
        """A run in the background; its result is the path of the file."""
        self.count += 1
        path = self.folder / f"{self.count}.h5"
        settings = ["output.contacts=false", "guards.energy_gain=none", "solver.condition_number=none", *settings]
        command = [self.csim, "run", SCENE, "-o", path, "-q", *(word for setting in settings for word in ("--set", setting))]
        return self.pool.submit(lambda: subprocess.run(command, check=True) and path)

    def again(self, path, time, settings, steps=1):
        """`steps` steps from the row of a result at `time`."""
        step = float(next(s for s in settings if s.startswith("time.step=")).split("=")[1])
        return self.start([*settings, f"time.end={steps * step!r}", f"output.period={step!r}", f"initial.from={path}", f"initial.time={time!r}"])


def iterations(path):
    """(time, iterations) of every step."""
    with h5py.File(path) as file:
        return file["stats/step/time"][:], file["stats/step/iterations"][:]


def at(path, time):
    times, count = iterations(path)
    return count[np.argmin(np.abs(times - time))]


def rows_at(path, begin):
    """Times of rows, EVERY apart, at which a step begins."""
    with h5py.File(path) as file:
        frames = file["trajectory/time"][:]
    return [float(frames[np.argmin(np.abs(frames - t))]) for t in np.arange(begin, END - 0.5 * EVERY, EVERY)]


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rows)])


def over_guess(runs):
    """Figure 14 after the first second: laws and methods, with the prediction and without it. Also the runs of Newton's method alone by law."""
    step = ["time.step=0.01", margin(1e-2)]
    made = {(law, method): runs.start([*settings, *step, f"solver.method={method}", f"time.end={END}", "output.period=0.01"]) for law, settings in LAWS.items()
            for method in METHODS}
    rows, whole = [], {}
    for (law, method), job in made.items():
        path = whole[law, method] = job.result()
        again = {t: runs.again(path, t, [*LAWS[law], *step, f"solver.method={method}"]) for t in rows_at(path, 1.0)}
        pairs = [(t, at(path, t + 0.01), iterations(job.result())[1][0]) for t, job in again.items()]
        for name, chosen in (("1 to 5 s", [p for p in pairs if p[0] < LATE]), (f"{LATE:g} to {END:g} s", [p for p in pairs if p[0] >= LATE])):
            rows.append([law, method, name, *(f"{np.mean([pair[k] for pair in chosen]):.1f}" for k in (1, 2))])
    return table(["law", "method", "time", "in the run", "made again"], rows), whole


def over_step(runs, whole):
    """Figure 16: Newton's method alone, 30 steps from rows of the run at 10 ms, and the next one with and without what they leave."""
    rows = []
    for law, settings in LAWS.items():
        path = whole[law, "newton"]
        counts = []
        for step in STEPS:
            own = [*settings, f"time.step={step!r}", margin(step), "solver.method=newton"]
            starts = [t for t in rows_at(path, 0.2) if t < 3.0]
            first = [runs.again(path, t, own, BEFORE + 1) for t in starts]
            second = [(job.result(), runs.again(job.result(), BEFORE * step, own)) for job in first]
            counts.append([(iterations(warm)[1][-1], iterations(job.result())[1][0]) for warm, job in second])
        for k, name in enumerate(("in the run", "made again")):
            rows.append([law, name, *(f"{np.mean([pair[k] for pair in count]):.1f}" for count in counts)])
    return table(["law", "", *(f"{step:g}" for step in STEPS)], rows)


def over_matrix(runs):
    """The first second of figure 14: the laws as csim solves them, and by Newton's method alone with its own matrix."""
    laws = {**LAWS, "Lagged, eq. 44": EQ_44}
    columns = {"default": [], "newton": ["solver.method=newton", "solver.hessian=newton"]}
    made = {(name, column): runs.start([*law, *keys, "time.step=0.01", margin(1e-2), "time.end=1", "output.period=0.1"]) for name, law in laws.items()
            for column, keys in columns.items()}
    return table(["", *columns], [[name, *(f"{iterations(made[name, column].result())[1].mean():.1f}" for column in columns)] for name in laws])


MATRIX = """
## Method and matrix in the first second

Mean iterations of the first second at dt = 10 ms. *newton*: Newton's method alone, with the second derivative of the cost as its matrix, as in the paper
(`solver.method: newton`, `solver.hessian: newton`). *default*: as csim comes, with `primal_dual` for Lagged and the interior point for the others after eight iterations.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csim", type=pathlib.Path, default=os.environ.get("CSIM_BINARY", ROOT / "build/release/bin/csim"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/evidence/clutter.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options.csim, folder, options.jobs)
        guess, whole = over_guess(runs)
        parts = [TEXT, "## First guess and method\n\nMean iterations at dt = 10 ms, a step every 0.2 s.\n", guess,
                 "\n## First guess and step\n\nMean iterations of Newton's method alone (`solver.method: newton`) over dt (s), from states of the first three seconds at 10 ms and 30 steps "
                 "on.\n", over_step(runs, whole),
                 MATRIX, over_matrix(runs)]
    write_part(options.output, "clutter_iterations.py", lowered("\n".join(parts)))
    print(f"{options.output}: {runs.count} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
