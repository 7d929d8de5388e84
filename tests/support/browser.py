"""A headless Chromium for the tests, by its DevTools protocol over a pipe; and PNG files as arrays. Standard library and numpy alone."""
import base64
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

import numpy as np

CHROMIUM = os.environ.get("CSIM_CHROMIUM") or shutil.which("chromium")


class Browser:
    """One page. Exceptions, console errors and every request of it are kept."""

    def __init__(self, width=1280, height=800):
        self.profile = tempfile.mkdtemp(prefix="csim_browser_")
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()

        def wire():
            # Chromium reads commands from descriptor 3 and writes answers to 4.
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
             "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
             "--disable-background-networking", "--disable-component-update", "--force-device-scale-factor=1",
             f"--window-size={width},{height}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.errors, self.requests, self.events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.reading)
        os.close(self.writing)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self, timeout):
        end = time.monotonic() + timeout
        while b"\0" not in self.buffer:
            if not select.select([self.reading], [], [], max(0.0, end - time.monotonic()))[0]:
                return None
            piece = os.read(self.reading, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        self._note(message)
        return message

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(argument.get("value", argument.get("description"))) for argument in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def call(self, method, timeout=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(timeout)
            if answer is None:
                raise TimeoutError(method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, fragment=""):
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait("document.readyState === 'complete' && (document.body.dataset.drawn > 0 || !document.getElementById('fault').hidden)")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition, timeout=60):
        end = time.monotonic() + timeout
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition}; errors: {self.errors}")
            time.sleep(0.03)

    def settle(self):
        """Waits until all that was asked for is drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **({"text": key} if len(key) == 1 and kind == "keyDown" else {}))

    def click(self, x, y, count=1):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=count)

    def wheel(self, x, y, by):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def drag(self, x0, y0, x1, y1):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x0, y=y0, button="left", buttons=1, clickCount=1)
        for k in range(1, 6):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x0 + (x1 - x0) * k / 5, y=y0 + (y1 - y0) * k / 5, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x1, y=y1, button="left", buttons=0, clickCount=1)

    def pixels(self, canvas):
        """A canvas as an array [height, width, 3], WebGL or not."""
        self.settle()
        width, height, text = self.evaluate(f"""(() => {{
            const from = document.querySelector({json.dumps(canvas)}), to = document.createElement("canvas");
            to.width = from.width; to.height = from.height;
            const g = to.getContext("2d");
            g.drawImage(from, 0, 0);
            const p = g.getImageData(0, 0, to.width, to.height).data;
            let text = "";
            for (let i = 0; i < p.length; i += 8192) text += String.fromCharCode(...p.subarray(i, i + 8192));
            return [to.width, to.height, btoa(text)]; }})()""")
        return np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[:, :, :3]

    def screenshot(self, path=None):
        """The window as an array [height, width, 3]; also as a file."""
        self.settle()
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            pathlib.Path(path).write_bytes(data)
        return decode_png(data)


def decode_png(data):
    """An 8-bit RGB or RGBA PNG as an array [height, width, 3]; checks signature and checksums (PNG specification, second edition)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG signature"
    place, packed, header = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        assert struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0] == zlib.crc32(kind + body), f"checksum of {kind}"
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    width, height, depth, color, _, _, interlaced = header
    assert depth == 8 and color in (2, 6) and not interlaced, header
    channels = 3 if color == 2 else 4
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    image = np.zeros((height, width * channels), np.uint8)
    above = np.zeros(width * channels, np.uint8)
    for j in range(height):
        kind, row = rows[j, 0], rows[j, 1:].copy()
        if kind == 2:
            row += above
        elif kind in (1, 3, 4):
            pixels, up = row.reshape(width, channels), above.reshape(width, channels)
            left = np.zeros(channels, np.int32)
            corner = np.zeros(channels, np.int32)
            for i in range(width):
                b = up[i].astype(np.int32)
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + b) // 2
                else:
                    p = left + b - corner
                    pa, pb, pc = abs(p - left), abs(p - b), abs(p - corner)
                    guess = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, b, corner))
                pixels[i] = (pixels[i] + guess) & 255
                left, corner = pixels[i].astype(np.int32), b
        image[j] = above = row
    return image.reshape(height, width, channels)[:, :, :3]
