"""Pages of a study: tables, judged numbers and text, written as Markdown."""
import dataclasses
import math

NO_FIGURE = "–"


@dataclasses.dataclass
class Judgement:
    statement: str
    source: str
    expected: str
    found: float
    holds: bool


class Report:
    """Collects Markdown and judgements; `failures()` names what does not hold."""

    def __init__(self):
        self.lines, self.judgements, self._open = [], [], []

    def text(self, *lines):
        self._close()
        self.lines += [*lines, ""]

    def table(self, head, rows):
        self._close()
        self.lines += ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        self.lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]

    def near(self, statement, found, expected, rtol, source=NO_FIGURE):
        """Judges |found - expected| <= rtol |expected|."""
        self._judge(statement, source, f"{number(expected)} ± {number(100 * rtol, 2)} %", found, abs(found - expected) <= rtol * abs(expected))

    def within(self, statement, found, expected, atol, source=NO_FIGURE):
        """Judges |found - expected| <= atol."""
        self._judge(statement, source, f"{number(expected)} ± {number(atol, 2)}", found, abs(found - expected) <= atol)

    def between(self, statement, found, low, high, source=NO_FIGURE):
        self._judge(statement, source, f"{number(low)} to {number(high)}", found, low <= found <= high)

    def _judge(self, statement, source, expected, found, holds):
        judgement = Judgement(statement, source, expected, float(found), bool(holds))
        self.judgements.append(judgement)
        self._open.append(judgement)

    def _close(self):
        judgements, self._open = self._open, []
        if judgements:
            self.table(("what", "in the paper", "expected", "csim", "holds"),
                       [(j.statement, j.source, j.expected, number(j.found), "yes" if j.holds else "**no**") for j in judgements])

    def markdown(self):
        self._close()
        return "\n".join(self.lines).rstrip() + "\n"

    def failures(self):
        return [f"{j.statement}: expected {j.expected}, found {number(j.found)}" for j in self.judgements if not j.holds]


def number(value, digits=5):
    """A number for a table: 0, 1.23e-4 or 12.3."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return str(value)
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}"
