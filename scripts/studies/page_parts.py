"""Pages that several programs write.

A part begins with a comment, `<!-- what follows is written by scripts/studies/NAME -->`, and ends at the next such comment. The text before the first one is the head. A program
writes its own part and keeps the others.
"""
import re

MARK = re.compile(r"^<!-- what follows is .*?scripts/studies/([\w.]+).*-->$", re.M)


def parts_of(text):
    """Name of the program -> its part without the comment, in their order; the head under ""."""
    pieces = MARK.split(text)
    return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2]))}


def write_part(page, name, text):
    """Writes the part of `name` ("": the head) into the file `page`, which is made where it is missing."""
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    marks = {match[1]: match[0] for match in MARK.finditer(old)}
    marks.setdefault(name, f"<!-- what follows is written by scripts/studies/{name} -->")
    parts = {**parts_of(old), name: text}
    blocks = [parts.pop("").strip(), *(f"{marks[one]}\n\n{part.strip()}" for one, part in parts.items())]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n\n".join(blocks).strip() + "\n", encoding="utf-8")


def lowered(text):
    """The text of a page as a section: every heading one level lower."""
    return re.sub(r"^#", "##", text, flags=re.M)
