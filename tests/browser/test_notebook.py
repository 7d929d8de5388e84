"""The page of csim.show inside another page, as a notebook shows it: it loads, draws and plays in a frame that has no address of its own."""
import pathlib
import shutil
import sys
import tempfile
import unittest

import numpy as np

from csim_testing import BALL, CSIM, SOURCE, main
from browser import Browser

sys.path.insert(0, str(SOURCE / "scripts/python"))
import csim  # noqa: E402

FRAME = "document.querySelector('iframe')"
INSIDE = f"{FRAME}.contentDocument"


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="csim_test_"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        (folder / "scene.yaml").write_text(BALL)
        result = csim.run(folder / "scene.yaml", output=folder / "ball.h5", program=CSIM)
        cls.cell = csim.show(result, height=500, program=CSIM, azimuth=30)
        cls.page = folder / "notebook.html"
        cls.page.write_text(f"<!doctype html><title>notebook</title><p>A cell</p>{cls.cell._repr_html_()}<p>The next</p>", encoding="utf-8")
        cls.browser = Browser(1000, 640)
        cls.addClassCleanup(cls.browser.close)

    def test_plays_in_its_frame(self):
        self.browser.call("Page.navigate", url=self.page.resolve().as_uri())
        self.browser.wait(f"document.readyState === 'complete' && {FRAME} && {INSIDE}.body && {INSIDE}.body.dataset.drawn > 0")
        self.assertEqual(self.browser.evaluate(f"[{FRAME}.clientHeight, {FRAME}.contentWindow.location.protocol]"), [500, "about:"])
        first = self.browser.screenshot().astype(int)
        self.browser.evaluate(f"{INSIDE}.getElementById('play').click()")
        self.browser.wait(f"{INSIDE}.body.dataset.time == 0.5 && {INSIDE}.getElementById('play').getAttribute('aria-label') === 'Play'")
        # What is shown would go into the address a moment after.
        self.browser.evaluate("new Promise((done) => setTimeout(done, 400))")
        self.browser.settle()
        self.assertGreater(np.count_nonzero(np.abs(self.browser.screenshot() - first).max(axis=2) > 24), 1000)
        self.assertEqual(self.browser.errors, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("about:", self.page.resolve().as_uri()))], [])


if __name__ == "__main__":
    main()
