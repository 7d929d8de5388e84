"""scripts/site, as far as it needs no package: what it does to equations and code, and that all that a page shows and links to is there."""
import importlib.machinery
import importlib.util
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("site_of_csim", str(SOURCE / "scripts/site"))
site = importlib.util.module_from_spec(importlib.util.spec_from_loader(LOADER.name, LOADER))
LOADER.exec_module(site)


def shown(tex, display):
    return f"<{display}:{tex}>"


class Site(unittest.TestCase):
    def test_equations(self):
        for text, expected in (("a $x_1$ b", "a <inline:x&#95;1> b"), ("`$HOME` and $y$", "`$HOME` and <inline:y>"), ("```math\na\n= b*c\n```", '<div class="equation"><block:a = b&#42;c></div>'),
                               ("```sh\necho $PATH $HOME\n```", "```sh\necho $PATH $HOME\n```")):
            with self.subTest(text):
                self.assertEqual(site.with_equations(text, shown), expected)

    def test_pages_and_what_they_link_to(self):
        with tempfile.TemporaryDirectory() as folder:
            staged = pathlib.Path(folder)
            site.stage(staged, shown)
            pages = list(staged.glob("**/*.md"))
            self.assertGreater(len(pages), 50)
            for page in pages:
                text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
                for _, link in site.LINK.findall(text):
                    self.assertTrue((page.parent / link).is_file(), f"{page.relative_to(staged)}: {link}")
            listed = re.findall(r"- (\S+\.md)$", site.navigation(), re.M)
            self.assertEqual(sorted(listed), sorted(str(page.relative_to(staged)) for page in pages))  # each page once in the menu


if __name__ == "__main__":
    unittest.main(verbosity=2)
