"""Fits and simulations by any of the programs, each kept in a file of the working folder so that an interrupted run goes on."""
import dataclasses
import json

import csim_tosses
import numpy as np
import peers_tosses
from models import Errors, Fit, Found


class Programs:
    """`csim`: the program; `work`: the folder of the studies and of what is done; `jobs`: processes of csim side by side; `search`: starts of a
    fit and candidates of each; `inertia`: of the cube."""
    def __init__(self, csim, work, jobs, search, inertia):
        self.csim, self.work, self.jobs, self.search, self.inertia = csim, work, jobs, search, inertia

    def folder(self, model, *words):
        return self.work.joinpath(model.name.replace(", ", "_").replace(" ", "_"), *words)

    def fit(self, model, step, tosses):
        """The Fit of `model` at `step`, of the file where the same was made before."""
        kept = self.folder(model, f"fit_{step:g}.json")
        asked = json.loads(json.dumps([[toss.name for toss in tosses], [dataclasses.asdict(key) for key in model.keys], self.search, self.inertia]))
        text = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        if text.get("asked") != asked:
            kept.parent.mkdir(parents=True, exist_ok=True)
            if model.program == "csim":
                found = csim_tosses.fit(self.csim, self.folder(model, f"fit_{step:g}"), model, step, tosses, self.inertia, *self.search, self.jobs)
            else:
                found = peers_tosses.fit(model, step, tosses, self.inertia, *self.search)
            text = {"asked": asked, "found": dataclasses.asdict(found)}
            kept.write_text(json.dumps(text), encoding="utf-8")
        return Fit(**{**text["found"], "keys": {name: Found(**key) for name, key in text["found"]["keys"].items()}})

    def simulate(self, model, step, tosses, starts, values, word):
        """(time, position, quaternion) of each toss."""
        if model.program == "csim":
            return csim_tosses.simulate(self.csim, self.folder(model, word), model, step, tosses, starts, self.inertia, values, self.jobs)
        return peers_tosses.simulate(model, step, tosses, starts, self.inertia, values)

    def errors(self, model, step, tosses, values, word):
        """The Errors of each toss with the keys at `values`."""
        runs = self.simulate(model, step, tosses, [toss.start for toss in tosses], values, word)
        return [Errors.of(toss, *run) for toss, run in zip(tosses, runs)]


def mean_errors(errors):
    """(quantity, value) of the Errors of several tosses."""
    return {"position": float(np.mean([one.position for one in errors])), "position_median": float(np.median([one.position for one in errors])),
            "rotation": float(np.mean([one.rotation for one in errors])), "same_face": float(np.mean([one.same_face for one in errors])),
            "objective": float(np.sqrt(np.mean([one.objective for one in errors])))}
