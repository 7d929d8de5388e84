"""Every relative link of the repository's pages leads to a file that is there, and to a heading that the file has."""
import collections
import functools
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+)$", re.M)


def pages():
    """The pages that belong to the repository; in an archive without git all of its folders."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=SOURCE, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [SOURCE / name for name in listed.stdout.splitlines() if (SOURCE / name).exists()]
    return [path for folder in ("docs", "lib", "scenes", "schemas", ".") for path in (SOURCE / folder).glob("*.md" if folder == "." else "**/*.md")]


@functools.cache
def anchors(page):
    """The fragments of a page's headings, as GitHub makes them; of equal headings the later ones end in -1, -2."""
    found, count = [], collections.Counter()
    for title in HEADING.findall(re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title.strip().lower())
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.append(f"{anchor}-{count[anchor]}" if count[anchor] else anchor)
        count[anchor] += 1
    return found


class Links(unittest.TestCase):
    def test_they_lead_somewhere(self):
        count = 0
        for page in pages():
            if SOURCE / "scripts/studies" in page.parents:   # texts for pages in docs/evidence
                continue
            for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
                count += 1
                file, _, fragment = link.partition("#")
                target = page.parent / file if file else page
                with self.subTest(f"{page.relative_to(SOURCE)}: {link}"):
                    self.assertTrue(target.exists(), "no such file")
                    if fragment and target.suffix == ".md":
                        self.assertIn(fragment, anchors(target))
        self.assertGreater(count, 200)

    def test_every_page_of_docs_is_listed(self):
        for folder in ("docs", "docs/evidence"):
            index = (SOURCE / folder / "README.md").read_text(encoding="utf-8")
            for page in (SOURCE / folder).glob("*.md"):
                if page.name != "README.md":
                    self.assertIn(f"]({page.name})", index, page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
