"""docs/evidence/tosses.md from the files beside it."""
import csv
import importlib.metadata
import importlib.util
import os
import pathlib
import platform
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEMPLATE = pathlib.Path(__file__).with_name("page.txt")  # with @NAME@ for a table
KEY_COLUMNS = ["model", "step", "word", "unit", "value", "low", "high", "at_bound", "bound_low", "bound_high", "objective", "candidates", "agree", "starts"]
ERROR_COLUMNS = ["model", "fitted_at", "step", "quantity", "value"]
AIM = 1.1  # of the floor


def write_csv(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows([f"{value:.9g}" if isinstance(value, float) else "" if value is None else value for value in row] for row in rows)


def read_csv(path):
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def versions(csim):
    """Lines of the machine and of the versions that made the numbers."""
    version = subprocess.run([str(csim), "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    lines = [f"csim: {version}", f"processors: {os.cpu_count()}, {platform.system()} {platform.machine()}, Python {platform.python_version()}", f"date: {time.strftime('%Y-%m-%d')}"]
    for name, module in (("MuJoCo", "mujoco"), ("Drake", "pydrake"), ("NLopt", "nlopt")):
        there = importlib.util.find_spec(module) is not None
        lines.append(f"{name}: {importlib.metadata.version({'pydrake': 'drake'}.get(module, module)) if there else 'not installed, left out'}")
    return lines


def number(text, digits=3):
    return f"{float(text):.{digits}g}" if text else "–"


def milliseconds(step):
    return f"{1e3 * float(step):g} ms"


def table(columns, rows):
    return "\n".join(["| " + " | ".join(line) + " |" for line in (columns, ["---"] * len(columns), *rows)])


def keys_table(rows):
    """A row a fit, a column a key."""
    fits = {}
    for row in rows:
        fits.setdefault((row["model"], row["step"]), []).append(row)

    def cell(row):
        interval = f" ({number(row['low'])} to {number(row['high'])})" if row["low"] else ""
        bound = " at its bound" if row["at_bound"] else ""
        return f"{number(row['value'])}{' ' + row['unit'] if row['unit'] else ''}{interval}{bound}"
    lines = [[model, milliseconds(step), *(cell(row) if i == 0 else f"{row['word']} {cell(row)}" for i, row in enumerate(found)),
              number(1e3 * float(found[0]["objective"])), found[0]["candidates"], f"{found[0]['agree']} of {found[0]['starts']}"] for (model, step), found in fits.items()]
    return table(["program", "step", "friction", "second key", "third key", "f, mm", "candidates", "starts that agree"], lines)


def errors_table(rows, floor):
    """A row a fit and step."""
    runs = {}
    for row in rows:
        runs.setdefault((row["model"], row["fitted_at"], row["step"]), {})[row["quantity"]] = float(row["value"])
    lines = []
    for (model, fitted, step), one in runs.items():
        ratio = f"{one['position'] / floor['position']:.2f}" if floor else "–"
        lines.append([model, milliseconds(fitted), milliseconds(step), number(100 * one["position"]), number(100 * one["position_median"]), number(one["rotation"]), f"{100 * one['same_face']:.0f}",
                      ratio])
    if floor:
        lines.append(["**floor** (noise of the measurement)", "", "", *(f"**{number(value)}**" for value in (100 * floor["position"], 100 * floor["position_median"], floor["rotation"])),
                      f"**{100 * floor['same_face']:.0f}**", "1"])
    return table(["program", "fitted at", "run at", "position, % of the width", "median toss", "rotation, °", "same face up, %", "position / floor"], lines)


def across_steps(rows):
    """For each fit, how the mean errors at the steps compare."""
    found = {}
    for row in rows:
        if row["quantity"] == "position":
            found.setdefault((row["model"], row["fitted_at"]), []).append(float(row["value"]))
    return table(["program", "fitted at", "position error, largest over least of the steps"],
                 [[model, milliseconds(fitted), f"{max(values) / min(values):.2f}"] for (model, fitted), values in found.items() if len(values) > 1])


def verdict(rows, floor):
    """How many meet the aim of AIM times the floor."""
    ratios = [(row["model"], float(row["value"]) / floor["position"]) for row in rows if row["quantity"] == "position"]
    met = sorted({model for model, ratio in ratios if ratio <= AIM})
    least = min(ratios, key=lambda one: one[1])
    text = f"Aim: at most {AIM} of the floor, at every step. "
    text += f"Met at some step by {', '.join(met)}." if met else "Met by none."
    return text + f" Nearest: {least[0]}, {least[1]:.2f} of the floor."


def data_table(rows):
    f = {row["quantity"]: float(row["value"]) for row in rows}
    return table(["of the data", ""], [
        ["tosses; with ten rows of free flight or more, used", f"{f['tosses']:.0f}; {f['used']:.0f}"], ["fitted to, judged by", f"{f['training']:.0f} ({f['training_rows']:.0f} rows each), {f['held_out']:.0f} (all rows)"],
        ["factor on lengths, by the height of cubes at rest", f"{f['scale']:.4f}"],
        ["gravity in free flight, before and after it", f"{f['gravity_unscaled']:.3f} and {f['gravity']:.3f} ± {f['gravity_error']:.3f} m/s²"],
        ["noise of a pose (cubes at rest): place, angle about each axis", f"{1e3 * f['noise_position']:.2f} mm, {1e3 * f['noise_rotation']:.1f} mrad"],
        ["noise of a start (halves of a flight): velocity, angular velocity", f"{1e3 * f['noise_velocity']:.1f} mm/s, {f['noise_angular_velocity']:.3f} rad/s"],
        ["inertia, by first hits", f"{1e4 * f['inertia']:.2f}e-4 kg m² ({f['hits']:.0f} hits); off on csim's own tosses by {100 * (f['inertia_again'] / f['inertia'] - 1) if 'inertia_again' in f else float('nan'):.1f} %"],
        ["median speed of fall at the first contact", f"{f['rate_of_impact']:.2f} m/s"]])


def rebound_table(rows):
    return table(["keys", "stiffness, N/m", "dissipation, s/m", "step", "speed after / before", "position, % of the width", "rotation, °"],
                 [[row["setting"], number(row["stiffness"]), number(row["dissipation"]), milliseconds(row["step"]), f"{float(row['restitution']):.2f}", number(100 * float(row["position"])),
                   number(row["rotation"])] for row in rows])


def write(folder):
    """FOLDER/tosses.md from the files in FOLDER/tosses/."""
    rows = {name: read_csv(folder / "tosses" / f"{name}.csv") for name in ("data", "keys", "errors", "floor", "rebound")}
    floor = {row["quantity"]: float(row["value"]) for row in rows["floor"]}
    parts = {"DATA": data_table(rows["data"]), "KEYS": keys_table(rows["keys"]), "ERRORS": errors_table(rows["errors"], floor), "ACROSS": across_steps(rows["errors"]),
             "VERDICT": verdict(rows["errors"], floor) if floor else "No floor was computed.", "REBOUND": rebound_table(rows["rebound"])}
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tosses.md").write_text(text, encoding="utf-8")
