#!/usr/bin/env python3
"""Writes docs/evidence/reproduction.md: every statement, table and figure of the three papers, whether csim reproduces it, and with which number.

    scripts/studies/reproduction.py [-o FILE]

The list is scripts/studies/reproduction.yaml. It holds no numbers of csim: each entry names the row of a page in docs/evidence/ (or the test) in which its number stands, and
the number is read there. Exit code 5: a row, a test, a picture or a program that the list names is missing, a row does not hold, or its page says "not
reproduced" where the list says "reproduced". Run it again after any of the pages was written. Needs python3-yaml.
"""
import argparse
import collections
import functools
import pathlib
import re
import sys

import yaml
from page_parts import parts_of, write_part

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCS = SOURCE / "docs/evidence"
LIST = pathlib.Path(__file__).with_suffix(".yaml")
GATE = 5  # csim's own exit code for a gate that failed
VERDICTS = ("reproduced", "differs", "not judged")


class Missing(Exception):
    """What the list names is not there, or does not hold."""


class Page:
    """A page in docs/evidence/: sections by their headings, in them tables and lines. `experiments` is a part of the page that this program writes."""

    def __init__(self, name):
        self.name, self.link = name, "#experiments" if name == "experiments" else f"{name}.md"
        self.file = "docs/evidence/" + ("reproduction.md" if name == "experiments" else f"{name}.md")
        text = (SOURCE / self.file).read_text(encoding="utf-8")
        self.lines = (parts_of(text)["contact_models"] if name == "experiments" else text).splitlines()

    def section(self, under):
        """Lines below the first heading that starts with `under`, to the next one of its level or above; the whole page without `under`."""
        if under is None:
            return self.lines
        first = next((i for i, line in enumerate(self.lines) if re.match(rf"#+ {re.escape(under)}", line)), None)
        if first is None:
            raise Missing(f"{self.file}: no section '{under}'")
        level = self.lines[first].index(" ")
        end = next((i for i in range(first + 1, len(self.lines)) if re.match(rf"#{{1,{level}}} ", self.lines[i])), len(self.lines))
        return self.lines[first + 1:end]

    def tables(self, under=None):
        """Every table of a section: rows of head -> cell; a head's second column is `head (2)`."""
        head = None
        found = []
        for line in [*self.section(under), ""]:
            if not line.startswith("|"):
                head = None
                continue
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if head is None:
                head = [name if name not in cells[:i] else f"{name} ({cells[:i + 1].count(name)})" for i, name in enumerate(cells)]
                found.append([])
            elif set(line) - set("|-: "):
                found[-1].append(dict(zip(head, cells)))
        return found

    def table(self, under, first, which=0):
        """The table of a section whose first head is `first`: number `which` of those."""
        tables = [table for table in self.tables(under) if table and first in table[0]]
        if which >= len(tables):
            raise Missing(f"{self.file}, '{under}': no table {which} with a column '{first}'")
        return tables[which]

    def row(self, under, label, column=None, nth=None):
        """The only row of a section whose first cells are `label` (cells joined by ' | ') and that has the column; of several number `nth`."""
        wanted = label.split(" | ")
        rows = [row for table in self.tables(under) for row in table if list(row.values())[:len(wanted)] == wanted and (column or "holds") in row]
        if nth is None and len(rows) != 1 or nth is not None and nth >= len(rows):
            raise Missing(f"{self.file}, '{under or 'whole page'}': {len(rows)} rows '{label}' with a column '{column or 'holds'}'")
        return rows[nth or 0]


@functools.cache
def page(name):
    try:
        return Page(name)
    except OSError:
        raise Missing(f"no page docs/evidence/{name}.md") from None


@functools.cache
def test_names():
    """Suite.Name of every C++ test, and every method of the Python tests."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((SOURCE / "tests").rglob("*")) if path.suffix in (".cpp", ".py"))
    return {f"{suite}.{name}" for suite, name in re.findall(r"TEST(?:_P|_F)?\((\w+),\s*(\w+)\)", text)} | set(re.findall(r"def (test_\w+)", text))


def judged(row, label):
    """A row of found and expected numbers."""
    if row["holds"] != "yes":
        raise Missing(f"'{label}' does not hold")
    return f"{row['csim']} (expected {row['expected']})"


def number(evidence, verdict):
    """The cell of one piece of evidence: what its page, its test or its picture says."""
    if "test" in evidence:
        if evidence["test"] not in test_names():
            raise Missing(f"no test '{evidence['test']}'")
        return f"test `{evidence['test']}`"
    if "picture" in evidence:
        if not (DOCS / evidence["picture"]).exists():
            raise Missing(f"no picture docs/evidence/{evidence['picture']}")
        return f"[picture]({evidence['picture']})"
    source, under = page(evidence["page"]), evidence.get("under")
    if "line" in evidence:
        lines = [line for line in source.section(under) if line.startswith(f"- {evidence['line']}")]
        if len(lines) != 1:
            raise Missing(f"{source.file}: {len(lines)} lines '{evidence['line']}'")
        sentence, holds = lines[0][2:].rsplit(": ", 1)
        if verdict == "reproduced" and "not" in holds:
            raise Missing(f"{source.file}: '{evidence['line']}' is not reproduced")
        found = f"“{sentence}”: {'does not hold' if 'not' in holds else 'holds'}"
    else:
        label, column = evidence["row"], evidence.get("column")
        row = source.row(under, label, column, evidence.get("nth"))
        found = row[column] if column else judged(row, label)
        if "**no**" in found:
            raise Missing(f"{source.file}: '{label}' says no")
    name = f"{evidence['as']}: " if "as" in evidence else ""
    return f"{name}{found} [{source.name}]({source.link})"


def numbers(entry):
    return "; ".join(number(evidence, entry["verdict"]) for evidence in entry.get("numbers", ())) or "–"


def problems(entry):
    """What is wrong with an entry, a sentence each."""
    found = []
    if entry["verdict"] not in VERDICTS:
        found.append(f"verdict '{entry['verdict']}'")
    if entry["verdict"] != "reproduced" and "why" not in entry:
        found.append(f"{entry['verdict']} without a reason")
    if entry["verdict"] != "not judged" and "numbers" not in entry:
        found.append(f"{entry['verdict']} without a number")
    found += [f"no picture docs/evidence/{picture}" for picture in entry.get("pictures", ()) if not (DOCS / picture).exists()]
    for evidence in entry.get("numbers", ()):
        try:
            number(evidence, entry["verdict"])
        except Missing as error:
            found.append(str(error))
    return [f"{entry.get('at', entry.get('figure'))}: {sentence}" for sentence in found]


def all_problems(listed):
    programs = [program for command in listed["commands"].values() for program in re.findall(r"scripts/[\w/.]+", command)]
    return [*(f"no program {program}" for program in programs if not (SOURCE / program).exists()),
            *(f"{paper['name']}, {problem}" for paper in listed["papers"] for entry in entries_of(paper) for problem in problems(entry))]


def entries_of(paper):
    return [*paper["statements"], *paper["figures"]]


def word(entry):
    """The verdict, with its reason; what is not reproduced stands out."""
    verdict = entry["verdict"] if entry["verdict"] == "reproduced" else f"**{entry['verdict']}**"
    return f"{verdict}: {entry['why']}" if "why" in entry else verdict


def statements(entries):
    lines = ["| in the paper | it says | csim | number |", "|---|---|---|---|"]
    return lines + [f"| {entry['at']} | {entry['says']} | {word(entry)} | {numbers(entry)} |" for entry in entries]


def figure(entry, commands):
    """Heading, verdict, pictures and the command of a figure or table."""
    lines = [f"#### {entry['figure']}: {entry['says']}", "", f"{word(entry)}."]
    if entry.get("numbers"):
        lines += ["", numbers(entry)]
    for picture in entry.get("pictures", ()):
        lines += ["", f"![{entry['figure']}]({picture})"]
    made_by = sorted({commands[picture.split("/")[0]] for picture in entry.get("pictures", ())})
    return [*lines, *(line for command in made_by for line in ("", f"    {command}")), ""]


def counts(title, entries):
    found = collections.Counter(entry["verdict"] for entry in entries)
    return f"| {title} | {' | '.join(str(found[verdict]) for verdict in VERDICTS)} |"


def markdown(listed):
    """The page of the list."""
    commands, papers = listed["commands"], listed["papers"]
    parts = [listed["head"].rstrip(), "", "| | reproduced | differs | not judged |", "|---|---|---|---|"]
    for paper in papers:
        parts += [counts(f"{paper['name']}: statements", paper["statements"]), counts(f"{paper['name']}: figures and tables", paper["figures"])]
    parts += [counts("all", [entry for paper in papers for entry in entries_of(paper)]), "", "| pages and pictures | are made by |", "|---|---|"]
    parts += [f"| `{name}` | `{command}` |" for name, command in commands.items()]
    for paper in papers:
        parts += ["", f"## {paper['name']}", "", paper["text"].rstrip(), "", "### Statements", "", *statements(paper["statements"]), "", "### Figures and tables", ""]
        for entry in paper["figures"]:
            parts += figure(entry, commands)
    return "\n".join(parts).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=pathlib.Path, default=LIST, help="default: the one beside this program")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=DOCS / "reproduction.md")
    options = parser.parse_args()
    listed = yaml.safe_load(options.list.read_text(encoding="utf-8"))
    found = all_problems(listed)
    if found:
        print("\n".join(f"{options.list.name}: {problem}" for problem in found), file=sys.stderr)
        return GATE
    write_part(options.output, "", markdown(listed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
