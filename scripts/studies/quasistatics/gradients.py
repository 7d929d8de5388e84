"""How a run ends by its commands: the gradients of its steps, multiplied, against the closed form and against other runs."""
import numpy as np

import grasp
from runs import Case

FROM, WAY = 0.08, 1e-5  # s: commands that change; m: of the other runs


def sensitivity(gradient, direction):
    """Change of q at the end with the commands: those of the step that ends in row k change along direction[k]. `output.period` is `time.step`."""
    total, chain = 0.0, np.eye(gradient["q"].shape[1])  # chain: d q_end / d q of row k
    for k in range(len(gradient["q"]) - 1, 0, -1):
        total = total + chain @ gradient["command"][k] @ direction[k]
        chain = chain @ gradient["q"][k]
    return total


def study(runner, report, quick, folder):
    overlap = {"left": 1.0, "right": -1.0}
    keys = {"integrator": grasp.INTEGRATOR.format("qp")}
    shifted = {sign: keys | {f"actuators.close_{side}.command": f"{{times: [0, {FROM}, 0.35], values: [{-towards * 0.106}, {x}, {x}]}}"
                             for side, towards in overlap.items() for x in [towards * (sign * WAY - 0.09)]} for sign in (-1, 1)}
    runs = runner.run_all({0: Case(grasp.SCENE, grasp.STEP, keys | {"output.gradients": "true"})} | {sign: Case(grasp.SCENE, grasp.STEP, extra) for sign, extra in shifted.items()})
    run = runs[0]
    direction = np.array([[overlap.get(name.removeprefix("close_"), 0.0) * (time > FROM - 1e-9) for name in run.command] for time in run.time])
    height = list(run.joint).index("height")
    found = sensitivity(run.gradient, direction)[height]
    difference = (runs[1].joint["height"][-1] - runs[-1].joint["height"][-1]) / (2 * WAY)
    report.text("## Gradients", "",
                "With `output.gradients: true` each row holds how the end of its step changes with the start and with the commands, by implicit differentiation of the step's",
                "optimality conditions ([`theory.md`](../theory.md#quasistatic-steps), [`results.md`](../../schemas/results.md)). Multiplied they are the gradient of a whole run. How high are the fingers of",
                "`planar_grasp` at the end, if both are told to close by more from 0.08 s on? They hang in the friction of the ball, 2 μ K o/K = o above their command.", "",
                "    csim run scenes/planar_grasp/scene.yaml --set output.gradients=true -o grasp.h5", "",
                "```python",
                "import h5py",
                "import numpy as np",
                "",
                'with h5py.File("grasp.h5") as file:',
                '    A, B, time = file["gradient/q"][:], file["gradient/command"][:], file["trajectory/time"][:]',
                "more = np.array([0.0, 1.0, -1.0])  # of the commands raise, close_left, close_right",
                "total, chain = 0.0, np.eye(A.shape[1])  # chain: d q of the end / d q of row k",
                "for k in range(len(A) - 1, 0, -1):",
                "    total = total + chain @ B[k] @ more * (time[k] > 0.079)",
                "    chain = chain @ A[k]",
                f"print(total[{height}])  # 1 m/m, of the joint `height`",
                "```", "",
                "The gradient holds as long as no contact changes. At the touch and at the limit of friction a step has a kink; its gradient is that of one side, and `/gradient/kinks` says so.")
    report.within("change of the fingers' height at the end with the overlap, by the gradients", found, 1.0, 1e-4)
    report.within("the same, by runs with 0.01 mm more and less", difference, 1.0, 1e-4)
    report.within("steps at a kink: the touch at 0.03 s, the limit of friction at 0.13 s", np.count_nonzero(run.gradient["kinks"]), 2, 0)
