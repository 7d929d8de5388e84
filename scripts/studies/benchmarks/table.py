"""What the groups hand over: numbers in long form (a CSV file a group), and tables of the page made of them."""
import csv
import dataclasses
import math

COLUMNS = ("table", "case", "who", "setting", "quantity", "value", "reference", "aim", "met")


@dataclasses.dataclass
class Entry:
    """A number. `aim`: largest |value - reference| / |reference| that was hoped for, or with `absolute` largest |value - reference|."""
    table: str
    case: str
    who: str
    setting: str
    quantity: str
    value: object  # a number, or a word
    reference: float | None = None
    aim: float | None = None
    absolute: bool = False

    @property
    def error(self):
        """The error that `aim` bounds; NaN where there is nothing to compare."""
        if self.reference is None or isinstance(self.value, str):
            return math.nan
        return abs(self.value - self.reference) / (1.0 if self.absolute else abs(self.reference))

    @property
    def met(self):
        """yes, no, or "" where nothing was aimed at. A run that failed has not met its aim."""
        if self.aim is None:
            return ""
        return "yes" if self.error <= self.aim else "no"

    def row(self):
        value = self.value if isinstance(self.value, str) else f"{self.value:.9g}"
        aim = "" if self.aim is None else f"{'abs ' if self.absolute else ''}{self.aim:g}"
        return [self.table, self.case, self.who, self.setting, self.quantity, value, "" if self.reference is None else f"{self.reference:.9g}", aim, self.met]


def write(path, entries):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(entry.row() for entry in entries)


def read(path):
    """The rows of a CSV file as entries."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text

    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            aim, absolute = row["aim"], row["aim"].startswith("abs ")
            yield Entry(row["table"], row["case"], row["who"], row["setting"], row["quantity"], number(row["value"]), float(row["reference"]) if row["reference"] else None,
                        float(aim.removeprefix("abs ")) if aim else None, absolute)


def cell(entry):
    """A number to three digits, four where an aim was missed, perhaps by little; bold there."""
    value = entry.value
    if not isinstance(value, str):
        digits = 4 if entry.met == "no" else 3
        value = f"{value:.{digits}g}" if abs(value) < 1000 or abs(value) >= 1e6 else f"{value:.0f}"
    return f"**{value}**" if entry.met == "no" else value


def pivot(entries, keys, labels):
    """A table of Markdown: a row for each set of `keys` (attributes of entries), a column for each quantity, in the order of the entries."""
    quantities = list(dict.fromkeys(entry.quantity for entry in entries))
    rows = {}
    for entry in entries:
        rows.setdefault(tuple(getattr(entry, key) for key in keys), {})[entry.quantity] = cell(entry)
    lines = [[*labels, *quantities], ["---"] * (len(labels) + len(quantities))]
    lines += [[*key, *(row.get(quantity, "") for quantity in quantities)] for key, row in rows.items()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def verdict(entries):
    """How many of the aims were met, and which not."""
    judged = [entry for entry in entries if entry.aim is not None]
    if not judged:
        return ""
    missed = [entry for entry in judged if entry.met == "no"]
    text = f"Aims met: {len(judged) - len(missed)} of {len(judged)}."
    return text + (" Bold: not met." if missed else "")
