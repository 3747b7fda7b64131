"""A real locationd that plays a drive, `locationctl map`, and Chromium over the DevTools protocol."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import websocket

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Receivers"))
from nmea import drive  # noqa: E402, F401: for the tests

BUILD = Path(os.environ.get("PROGRAMS", ROOT / ".build/debug"))
CHROMIUM = os.environ.get("CHROMIUM", "chromium")
# No step of these tests takes as long as this on any machine; it only ends a test that hangs.
PATIENCE = 60


class Service:
    """The daemon in a folder of its own, and the commands beside it."""

    def __init__(self, recording: bytes, *options: str) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="map-")
        home = Path(self.folder.name)
        (home / "drive.nmea").write_bytes(recording)
        self.environment = os.environ | {
            "HOME": str(home),
            "LOCATIOND_SOCKET": str(home / "socket"),
            "LOCATIOND_STATE": str(home / "state"),
            "LOCATIOND_CONFIG": str(home / "root"),
            "LOCATIOND_GPSD": "off",
            "LOCATIOND_SOURCE": "",
            "LOCATIOND_MAP": os.environ.get("LOCATIOND_MAP", str(ROOT / "Sources/locationctl-map/Web")),
            "LOCATIOND_WORLD": os.environ.get("LOCATIOND_WORLD", str(ROOT / "Tests/PlacesTests/Cut")),
        }
        for name in ("SSH_CONNECTION", "SSH_TTY", "XDG_DATA_HOME", "DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)
        self.daemon = subprocess.Popen(
            [BUILD / "locationd", "--replay", str(home / "drive.nmea"), *options],
            env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in self.daemon.stderr:
            if "Listening" in line:
                break
        self.map = None

    def run(self, *arguments: str) -> list:
        result = subprocess.run(
            [BUILD / "locationctl", *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]

    def show(self, *options: str) -> str:
        """Starts the map; the result is its address."""
        self.map = subprocess.Popen(
            [BUILD / "locationctl", "map", *options], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = self.map.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), self.map.stderr.read()
        return address

    def close(self) -> None:
        for process in (self.map, self.daemon):
            if process:
                process.terminate()
                process.wait()
                for stream in (process.stdout, process.stderr):
                    if stream:
                        stream.close()
        self.folder.cleanup()


class Browser:
    """One page of a real browser, with what it has requested and what has gone wrong in it."""

    def __init__(self, width: int = 1280, height: int = 800, webgl: bool = True, dark: bool = False) -> None:
        self.profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        graphics = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if webgl else ["--disable-gpu", "--disable-3d-apis"]
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.profile.name}", *graphics, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"HOME": self.profile.name})
        port = Path(self.profile.name) / "DevToolsActivePort"
        self.until(port.exists)
        self.until(lambda: "\n" in port.read_text())
        number = port.read_text().split()[0]
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json"))
        page = next(page for page in pages if page["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=PATIENCE)
        self.last = 0
        self.requests, self.problems = [], []
        for domain in ("Network", "Runtime", "Log", "Page"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        if dark:
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    @staticmethod
    def until(condition) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "it has not happened"
            time.sleep(0.02)

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def call(self, method: str, **parameters):
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.last:
                assert "error" not in message, message
                return message["result"]
            self.note(message)

    def note(self, event: dict) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Runtime.exceptionThrown":
                self.problems.append(parameters["exceptionDetails"])
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning"):
                self.problems.append(parameters["args"])
            case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                self.problems.append(parameters["entry"])

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)

    def evaluate(self, script: str):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, script: str) -> None:
        """Waits until an expression of the page is true."""
        self.until(lambda: self.evaluate(f"Promise.resolve(document.body && ({script})).then(Boolean, () => false)"))

    def settle(self) -> None:
        """Waits until the map has drawn everything."""
        self.evaluate("new Promise(done => { page.map.once('idle', () => done()); page.map.triggerRepaint(); })")

    def click(self, selector: str) -> None:
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def mouse(self, kind: str, x: float, y: float, count: int = 1) -> None:
        held = 0 if kind == "mouseMoved" and not self.held else 1
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if held else "none", buttons=held, clickCount=count)

    held = False

    def drag(self, begin: tuple, end: tuple) -> None:
        self.mouse("mouseMoved", *begin)
        self.mouse("mousePressed", *begin)
        self.held = True
        for step in range(1, 11):
            self.mouse("mouseMoved", *(a + (b - a) * step / 10 for a, b in zip(begin, end)))
        self.held = False
        self.mouse("mouseReleased", *end)

    def picture(self, name: str) -> bytes:
        """A screenshot as PNG; kept in the folder that MAP_PICTURES names, for people who look at it."""
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if folder := os.environ.get("MAP_PICTURES"):
            (Path(folder) / f"{name}.png").write_bytes(data)
        return data

    def colors(self, name: str, points: list) -> list:
        """The colors of a screenshot at some points, which the browser decodes itself."""
        data = base64.b64encode(self.picture(name)).decode()
        return self.evaluate(
            "(async () => { const bytes = Uint8Array.from(atob('" + data + "'), one => one.charCodeAt(0));"
            "const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'})); const canvas = new OffscreenCanvas(image.width, image.height);"
            "const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);"
            f"return {json.dumps(points)}.map(([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3)); }})()")

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()
