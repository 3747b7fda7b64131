"""The page of the map in headless Chromium: how soon it is there, how fresh its dot is, and what its server needs."""

import http.client
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import map_pictures
import programs
import settings
from table import Row, absent

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "Sources/locationctl-map/Web"
QUIET_SECONDS = 60
LIVE_SECONDS = 30 if settings.FULL else 15
EXTRACT = Path(os.environ.get("LOCATION_DATA", "/nonexistent")) / "places/liechtenstein-2024.osm.pbf"


def rows() -> list[Row]:
    if not shutil.which("chromium"):
        return [absent("page of the map", "", "chromium is not installed: make packages-map")]
    if importlib.util.find_spec("websocket") is None:
        sys.path.append("/usr/lib/python3/dist-packages")
    os.environ["PROGRAMS"] = str(ROOT / ".build/release")
    os.environ.setdefault("LOCATIOND_WORLD", str(ROOT / ".build/places-data"))
    sys.path.insert(0, str(ROOT / "Tests/Map"))
    from map_bed import Browser, Service, drive

    service = Service(drive(600, rate=10), "--realtime")
    try:
        result = [page_size()]
        if EXTRACT.exists():
            result += importing(service)
        address = service.show()
        server = service.map.pid
        result.append(Row(f"the map's server without a page: wakeups in {QUIET_SECONDS} s", wakeups(server, QUIET_SECONDS), "", 0))
        browser = Browser()
        try:
            result += live(browser, service, address)
            result += track(browser, service)
        finally:
            browser.close()
        time.sleep(1)
        result.append(Row(f"the same after the page has closed, in {QUIET_SECONDS} s", wakeups(server, QUIET_SECONDS), "", 0))
        return result
    finally:
        service.close()


def page_size() -> Row:
    import gzip

    size = sum(len(gzip.compress(file.read_bytes(), 9)) for pattern in ("*.html", "*.css", "*.js", "vendor/*.js", "vendor/*.css") for file in WEB.glob(pattern))
    return Row("page of the map with all scripts, gzip", size / 1000, "kB", 400)


def importing(service) -> list[Row]:
    import sqlite3

    command = [programs.LOCATIONCTL, "places", "import", str(EXTRACT), "--replace"]
    begin = time.monotonic()
    process = subprocess.Popen(command, env=service.environment, stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, anonymous_of_children(process.pid))
        time.sleep(0.02)
    seconds = time.monotonic() - begin
    (file,) = Path(service.folder.name).glob(".local/share/locationd/places/*.places")
    database = sqlite3.connect(file)
    (size,) = database.execute("SELECT sum(length(tile_data) + 20) FROM tiles").fetchone()
    database.close()
    return [
        Row("import of Liechtenstein: addresses and tiles", seconds, "s", 6, "tilemaker", 4.0),
        Row("the same, anonymous memory", peak / 1e6, "MB", 250, "tilemaker", 562),
        Row("tiles of Liechtenstein", size / 1e6, "MB", 3, "tilemaker", 1.93),
    ]


def anonymous_of_children(pid: int) -> int:
    total = 0
    try:
        pids = [pid] + [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        for one in pids:
            for line in Path(f"/proc/{one}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    total = max(total, int(line.split()[1]) * 1024)
    except OSError:
        pass
    return total


def status(pid: int, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise KeyError(name)


def wakeups(pid: int, seconds: float) -> int:
    before = status(pid, "voluntary_ctxt_switches")
    time.sleep(seconds)
    return status(pid, "voluntary_ctxt_switches") - before


def processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def live(browser, service, address: str) -> list[Row]:
    browser.open(address)
    browser.wait("globalThis.page?.live.fix && document.body.dataset.idle")
    idle = float(browser.evaluate("document.body.dataset.idle"))
    # A second reader of the same stream notes when the server has sent each fix.
    parts = urlsplit(address)
    sent, ends = {}, threading.Event()

    def listen() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=60)
        connection.request("GET", f"/?{parts.query}")
        answer = connection.getresponse()
        answer.read()
        connection.request("GET", "/events", headers={"Cookie": answer.headers["Set-Cookie"].split(";")[0]})
        stream = connection.getresponse()
        import json

        while not ends.is_set():
            line = stream.readline()
            if line.startswith(b"data: {") and b'"latitude"' in line:
                sent.setdefault(json.loads(line[6:])["timestamp"], time.time() * 1e3)

    reader = threading.Thread(target=listen, daemon=True)
    reader.start()
    browser.evaluate(
        """void (() => { const seen = globalThis.seen = []; const now = () => performance.timeOrigin + performance.now();
          page.live.listeners.add(() => { const one = { time: page.live.fix.timestamp, handler: now() }; seen.push(one);
            const drawn = event => { if (event.sourceId === 'position' && event.isSourceLoaded) { page.map.off('sourcedata', drawn);
              page.map.once('render', () => { one.frame = now(); }); } };
            page.map.on('sourcedata', drawn); }); })()""")
    server, begin = service.map.pid, time.monotonic()
    before = processor(server)
    time.sleep(LIVE_SECONDS)
    share = (processor(server) - before) / (time.monotonic() - begin)
    memory = status(server, "VmRSS") * 1024
    seen = browser.evaluate("seen")
    ends.set()
    handlers = [one["handler"] - sent[one["time"]] for one in seen if one["time"] in sent]
    frames = [one["frame"] - sent[one["time"]] for one in seen if one["time"] in sent and "frame" in one]
    return [
        Row("page of the map in headless Chromium, until idle", idle / 1e3, "s", 2),
        Row("fix sent to handler in the page, median", statistics.median(handlers) if handlers else None, "ms", 5),
        Row("fix sent to frame, median", statistics.median(frames) if frames else None, "ms", 20, note="drawn by the processor"),
        Row("the map's server with a page and a second reader, 10 fixes a second", share * 100, "%", 0.5),
        Row("the same, resident memory", memory / 1e6, "MB", 25),
    ]


def track(browser, service) -> list[Row]:
    large = Path(service.folder.name) / "large.gpx"
    large.write_text(map_pictures.track(map_pictures.POINTS), encoding="ascii")
    subprocess.run([programs.LOCATIONCTL, "log", "import", "large", large], env=service.environment, check=True, capture_output=True)
    browser.click("[data-panel=tracks]")
    browser.wait("[...document.getElementById('log').options].some(one => one.value === 'large')")
    shown = browser.evaluate(
        """(async () => { const begin = performance.now(), log = document.getElementById('log'); log.value = 'large'; log.dispatchEvent(new Event('change'));
          while (!document.body.dataset.track) await new Promise(done => setTimeout(done, 5));
          await new Promise(done => { page.map.once('idle', done); page.map.triggerRepaint(); });
          return performance.now() - begin; })()""")
    browser.call("Performance.enable")

    def script() -> float:
        return next(one["value"] for one in browser.call("Performance.getMetrics")["metrics"] if one["name"] == "ScriptDuration")

    times = []
    browser.evaluate("void (globalThis.frames = 0, page.map.on('render', () => { globalThis.frames++; }))")
    for step in range(10):
        before, count = script(), browser.evaluate("globalThis.frames")
        x, y = [(200, 0), (0, 150), (-200, 0), (0, -150)][step % 4]
        browser.evaluate(f"new Promise(done => {{ page.map.once('moveend', () => done()); page.map.panBy([{x}, {y}], {{ duration: 500 }}); }})")
        frames = browser.evaluate("globalThis.frames") - count
        if frames:
            times.append((script() - before) * 1e3 / frames)
    return [
        Row(f"log of {map_pictures.POINTS:,} points shown on the page", shown / 1e3, "s", 2),
        Row("script of a frame while the map is panned over it, median", statistics.median(times) if times else None, "ms", 10),
    ]
