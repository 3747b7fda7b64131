"""Tiles, addresses, files that are dropped, sharing and the browser's start."""

import base64
import hashlib
import http.client
import math
import os
import re
import signal
import sqlite3
import ssl
import stat
import struct
import subprocess
import tempfile
import time
import unittest
import zlib
from pathlib import Path
from urllib.parse import urlsplit

from map_bed import BUILD, PATIENCE, Browser, Service, drive
from test_map import near
from tilefiles import mbtiles, pmtiles, polygon_tile

def png(width: int, height: int) -> bytes:
    """A red image (PNG specification, third edition)."""
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + b"\xff\0\0" * width) * height
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


WATER = (185, 214, 234)
LAND = (246, 243, 236)
EXTRACT = Path(os.environ.get("LOCATION_DATA", "/nonexistent")) / "places/liechtenstein-2024.osm.pbf"


def tile_at(longitude: float, latitude: float, zoom: int) -> tuple:
    x = (longitude / 360 + 0.5) * 2**zoom
    y = (0.5 - math.asinh(math.tan(math.radians(latitude))) / (2 * math.pi)) * 2**zoom
    return zoom, int(x), int(y)


VADUZ = tile_at(9.52, 47.14, 12)


class PageTests(unittest.TestCase):
    def begin(self, *options: str, prepare=lambda service: None, **browser) -> None:
        self.service = Service(drive(300), "--realtime")
        self.addCleanup(self.service.close)
        prepare(self.service)
        self.address = self.service.show(*options)
        self.browser = Browser(**browser)
        self.addCleanup(self.browser.close)
        self.browser.open(self.address)
        self.browser.wait("globalThis.page?.live.fix && document.body.dataset.idle")

    def folder(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="tiles-")
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def check_quiet(self) -> None:
        origin = self.address[: self.address.index("/?")]
        outside = [url for url in self.browser.requests if not url.startswith((origin + "/", "blob:" + origin, "data:"))]
        self.assertEqual(outside, [])
        self.assertEqual(self.browser.problems, [])

    def colors_of_the_square(self) -> list:
        """In the middle of the tile's polygon, and beside it."""
        zoom, x, y = VADUZ
        points = self.browser.evaluate(
            f"""(() => {{ page.map.fire('free'); const at = (x, y) => [(x / 4096 + {x}) / 2 ** {zoom} * 360 - 180,
              Math.atan(Math.sinh(Math.PI * (1 - 2 * (y / 4096 + {y}) / 2 ** {zoom}))) * 180 / Math.PI];
              page.map.jumpTo({{ center: at(2048, 2048), zoom: 12 }});
              document.getElementById('status').hidden = true;
              return [[2300, 2300], [700, 2700]].map(([x, y]) => {{ const p = page.map.project(at(x, y)); return [p.x, p.y]; }}); }})()""")
        self.browser.settle()
        return self.browser.colors("square", points)

    def check_square(self, path: Path) -> None:
        self.begin("--tiles", str(path))
        inside, outside = self.colors_of_the_square()
        self.assertTrue(near(inside, WATER), inside)
        self.assertTrue(near(outside, LAND), outside)
        self.check_quiet()

    def test_mbtiles_of_openmaptiles_are_drawn(self) -> None:
        path = self.folder() / "a.mbtiles"
        notice = '<a href="https://evil.example">&copy; OpenMapTiles</a><img src=x onerror=alert(1)>'
        mbtiles(path, {VADUZ: polygon_tile("water", {"class": "lake"})}, ["water", "transportation"], attribution=notice)
        self.check_square(path)
        shown = self.browser.evaluate("document.querySelector('.maplibregl-ctrl-attrib').innerHTML")
        self.assertIn("© OpenMapTiles", shown)
        self.assertNotIn("evil.example", shown)

    def test_pmtiles_with_leaves_are_drawn(self) -> None:
        path = self.folder() / "a.pmtiles"
        tiles = {VADUZ: polygon_tile("water", {"class": "lake"}), (0, 0, 0): polygon_tile("park", {"class": "x"})}
        pmtiles(path, tiles, ["water", "transportation"], has_leaves=True)
        self.check_square(path)

    @unittest.skipUnless(EXTRACT.exists(), "LOCATION_DATA names no extracts")
    def test_imported_places_are_the_map(self) -> None:
        def place(service: Service) -> None:
            result = subprocess.run(
                [BUILD / "locationctl", "places", "import", EXTRACT], env=service.environment, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            (file,) = Path(service.folder.name).glob(".local/share/locationd/places/*.places")
            database = sqlite3.connect(file)
            self.addCleanup(database.close)
            (size,) = database.execute("SELECT sum(length(tile_data)) FROM tiles").fetchone()
            self.assertLess(size, 3 << 20)

        self.begin(prepare=place)
        browser = self.browser
        browser.evaluate("void page.map.fire('free').jumpTo({ center: [9.5215, 47.1385], zoom: 15 })")
        browser.settle()
        found = browser.evaluate(
            """Object.entries({ 'building-0': 1, 'road-0': 5, 'road-name-0': 1, 'areas-0': 1 }).map(([layer, least]) =>
              [layer, page.map.queryRenderedFeatures({ layers: [layer] }).length >= least])""")
        self.assertEqual([layer for layer, is_there in found if not is_there], [])
        names = browser.evaluate("page.map.queryRenderedFeatures({ layers: ['road-name-0'] }).map(one => one.properties.name)")
        self.assertIn("Städtle", names)
        self.assertIn("OpenStreetMap", browser.evaluate("document.querySelector('.maplibregl-ctrl-attrib').textContent"))
        for name, center, zoom in (("tiles-town", [9.5215, 47.1385], 15), ("tiles-country", [9.55, 47.15], 10.6), ("tiles-house", [9.5215, 47.1385], 17)):
            browser.evaluate(f"void page.map.jumpTo({{ center: {center}, zoom: {zoom} }})")
            browser.settle()
            browser.picture(name)
        # The address under a click, from the same data.
        browser.evaluate("void page.map.jumpTo({ center: [9.52126, 47.13936], zoom: 17 })")
        browser.settle()
        browser.mouse("mouseMoved", 640, 400)
        browser.mouse("mousePressed", 640, 400)
        browser.mouse("mouseReleased", 640, 400)
        browser.wait("document.querySelector('.spot strong')")
        self.assertRegex(browser.evaluate("document.querySelector('.spot').textContent"), r"9490 Vaduz.*47\.139\d+, 9\.521\d+")
        browser.picture("address")
        self.check_quiet()

    def test_without_webgl_nothing_fails(self) -> None:
        path = self.folder() / "a.mbtiles"
        mbtiles(path, {VADUZ: polygon_tile("water", {"class": "lake"})}, ["water", "transportation"])
        self.service = Service(drive(300), "--realtime")
        self.addCleanup(self.service.close)
        self.address = self.service.show("--tiles", str(path))
        self.browser = Browser(webgl=False)
        self.addCleanup(self.browser.close)
        self.browser.open(self.address)
        self.browser.wait("document.body.dataset.picture")
        self.check_quiet()

    # MARK: files

    def drop(self, name: str, kind: str, content: bytes) -> None:
        data = base64.b64encode(content).decode()
        self.browser.evaluate(
            f"""(() => {{ const data = new DataTransfer();
              data.items.add(new File([Uint8Array.from(atob('{data}'), one => one.charCodeAt(0))], {name!r}, {{ type: {kind!r} }}));
              dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()""")

    def test_files_are_dropped_on_the_map(self) -> None:
        self.begin()
        browser = self.browser
        browser.click("[data-panel=overlays]")
        files = {
            "a.gpx": b'<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.2" lon="9.5"><name>Hut &lt;b&gt;</name></wpt>'
            b'<trk><trkseg><trkpt lat="47.1" lon="9.4"/><trkpt lat="47.2" lon="9.6"/></trkseg></trk></gpx>',
            "b.kml": b'<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>9.4,47.1,0 9.6,47.1,0 '
            b"9.6,47.2,0 9.4,47.1,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>",
            "c.geojson": b'{"type": "Feature", "properties": {"stroke": "#ff0000"}, "geometry": {"type": "LineString", "coordinates": [[9.4, 47.15], [9.6, 47.15]]}}',
        }
        for count, (name, content) in enumerate(files.items(), 1):
            self.drop(name, "", content)
            browser.wait(f"document.querySelectorAll('#overlay-list li').length === {count}")
        browser.settle()
        at = browser.evaluate("(() => { const { x, y } = page.map.project([9.47, 47.15]); return [x, y]; })()")
        self.assertTrue(any(near(color, (255, 0, 0), 40) for color in browser.colors("overlays", [(at[0], at[1] + dy) for dy in (-1, 0, 1)])))
        # An image lies between its four corners, which are dragged.
        self.drop("map.png", "image/png", png(16, 8))
        browser.wait("document.querySelectorAll('.corner').length === 4")
        browser.click("#overlay-list .danger")
        browser.wait("document.querySelectorAll('#overlay-list li').length === 3")
        self.check_quiet()
        # The browser itself reports the damaged XML.
        for name, content in (("x.gpx", b"<gpx"), ("y.json", b'{"type": "Point", "coordinates": [900, 1]}'), ("z.txt", b"hello")):
            self.drop(name, "", content)
            browser.wait(f"document.getElementById('overlay-text').textContent.startsWith('{name}: ')")


class HostileFileTests(unittest.TestCase):
    """Files of tiles that are damaged or hostile: a message, or no tile, and never more than that."""

    def setUp(self) -> None:
        self.service = Service(drive(60), "--realtime")
        self.addCleanup(self.service.close)
        self.home = Path(self.service.folder.name)

    def message(self, path: Path) -> str:
        result = subprocess.run(
            [BUILD / "locationctl", "map", "--tiles", path], env=self.service.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(result.returncode, 65, result)
        return result.stderr

    def serve(self, path: Path):
        parts = urlsplit(self.service.show("--tiles", str(path)))
        connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=PATIENCE)
        self.addCleanup(connection.close)

        def ask(target: str, headers: dict) -> http.client.HTTPResponse:
            connection.request("GET", target, headers=headers)
            answer = connection.getresponse()
            answer.content = answer.read()
            return answer

        cookie = ask(f"/?{parts.query}", {}).headers["Set-Cookie"].split(";")[0]
        return lambda target: ask(target, {"Cookie": cookie})

    def test_what_cannot_be_shown_is_said(self) -> None:
        path = self.home / "a"
        water = {VADUZ: polygon_tile("water", {"class": "lake"})}
        self.assertIn("there is no such file", self.message(path))
        for content, message in (
            (b"", "neither"), (b"PK\x03\x04", "neither"), (b"PMTiles\x03", "damaged"), (b"PMTiles\x02" + b"\0" * 200, "version 2"),
            (b"PMTiles\x03" + b"\xff" * 200, "damaged"), (b"SQLite format 3\0" + b"\xff" * 4096, "no valid MBTiles"),
        ):
            path.write_bytes(content)
            self.assertIn(message, self.message(path))
        for changes, message in (({"compression": 3}, "brotli"), ({"type": 6}, "MLT")):
            pmtiles(path, water, ["water"], **changes)
            self.assertIn(message, self.message(path))
        pmtiles(path, water, ["water"])
        path.write_bytes(path.read_bytes()[:140])
        self.assertIn("damaged", self.message(path))
        path.unlink()
        mbtiles(path, water, ["water"], format="tiff")
        self.assertIn("'tiff'", self.message(path))
        path.unlink()
        os.mkfifo(path)
        self.assertIn("not a regular file", self.message(path))

    def test_a_tile_is_served_as_it_is(self) -> None:
        path = self.home / "a.pmtiles"
        content = polygon_tile("water", {"class": "lake"})
        pmtiles(path, {VADUZ: content}, ["water"])
        ask = self.serve(path)
        zoom, x, y = VADUZ
        found = ask(f"/tiles/0/{zoom}/{x}/{y}")
        self.assertEqual((found.status, found.headers["Content-Encoding"]), (200, "gzip"))
        self.assertIn(found.content, path.read_bytes())
        self.assertEqual(ask(f"/tiles/0/{zoom}/{x}/{y + 1}").status, 204)
        self.assertEqual(ask(f"/tiles/1/{zoom}/{x}/{y}").status, 204)
        for target in ("/tiles/0/12/4096/0", "/tiles/0/40/0/0", "/tiles/0/-1/0/0", "/tiles/0/1/1", "/tiles/0/1/1/../..", "/tiles/99999999999999999999/1/1/1"):
            self.assertEqual(ask(target).status, 404, target)

    def test_a_view_without_an_end_ends(self) -> None:
        path = self.home / "a.mbtiles"
        mbtiles(path, {VADUZ: b""}, ["water"])
        database = sqlite3.connect(path)
        database.execute("DROP TABLE tiles")
        database.execute(
            "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT 1 AS zoom_level, i AS tile_column, -1 AS tile_row, x'00' AS tile_data FROM n")
        database.commit()
        database.close()
        ask = self.serve(path)
        begin = time.monotonic()
        self.assertEqual(ask("/tiles/0/1/0/0").status, 204)
        self.assertLess(time.monotonic() - begin, PATIENCE / 2)

    def test_a_bomb_is_no_directory(self) -> None:
        path = self.home / "a.pmtiles"
        pmtiles(path, {VADUZ: b"x"}, ["water"])
        import gzip
        content = bytearray(path.read_bytes())
        bomb = gzip.compress(b"\x80" * (64 << 20))
        content[8:24] = len(content).to_bytes(8, "little") + len(bomb).to_bytes(8, "little")
        path.write_bytes(content + bomb)
        self.assertIn("damaged", self.message(path))


class SharingTests(unittest.TestCase):
    def begin(self) -> tuple:
        self.service = Service(drive(60), "--realtime")
        self.addCleanup(self.service.close)
        process = self.service.map = subprocess.Popen(
            [BUILD / "locationctl", "map", "--share"], env=self.service.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = process.stdout.readline().strip()
        self.assertTrue(address.startswith("https://"), address)
        lines = [process.stderr.readline() for _ in range(3)]
        fingerprint = lines[2].strip()
        self.assertRegex(fingerprint, r"^([0-9A-F]{2}:){31}[0-9A-F]{2}$")
        return urlsplit(address), fingerprint

    def test_the_network_reads_over_tls(self) -> None:
        address, fingerprint = self.begin()
        seen = ssl.get_server_certificate(("127.0.0.1", address.port))
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(seen)).hexdigest().upper()
        self.assertEqual(digest, fingerprint.replace(":", ""))
        context = ssl.create_default_context(cadata=seen)
        context.check_hostname = False

        def ask(method: str, target: str, host: str = f"127.0.0.1:{address.port}", **headers: str):
            connection = http.client.HTTPSConnection("127.0.0.1", address.port, timeout=PATIENCE, context=context)
            self.addCleanup(connection.close)
            connection.putrequest(method, target, skip_host=True)
            for name, value in ({"Host": host} | headers).items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            return connection.getresponse()

        entry = ask("GET", f"/?{address.query}", host=address.netloc)
        self.assertEqual(entry.status, 303)
        self.assertIn("; Secure", entry.headers["Set-Cookie"])
        cookie = entry.headers["Set-Cookie"].split(";")[0]
        self.assertEqual(ask("GET", "/", Cookie=cookie).status, 200)
        self.assertEqual(ask("GET", "/").status, 403)
        self.assertEqual(ask("GET", "/", host=f"evil.example:{address.port}", Cookie=cookie).status, 403)
        own = f"https://127.0.0.1:{address.port}"
        self.assertEqual(ask("DELETE", "/regions/x", Cookie=cookie, Origin=own).status, 403)
        stream = ask("GET", "/events", Cookie=cookie)
        self.assertEqual(stream.headers["Content-Type"], "text/event-stream")
        self.assertTrue(any(stream.readline().startswith(b"event: ") for _ in range(10)))
        # Without TLS there is nothing.
        plain = http.client.HTTPConnection("127.0.0.1", address.port, timeout=PATIENCE)
        self.addCleanup(plain.close)
        with self.assertRaises((http.client.HTTPException, OSError)):
            plain.request("GET", "/")
            plain.getresponse()
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises(OSError):
            connection = http.client.HTTPSConnection("127.0.0.1", address.port, timeout=PATIENCE, context=old)
            self.addCleanup(connection.close)
            connection.request("GET", "/")

    def test_the_certificate_stays(self) -> None:
        _, first = self.begin()
        folder = Path(self.service.folder.name) / ".local/share/locationd/map"
        self.assertEqual(stat.S_IMODE((folder / "key.pem").stat().st_mode), 0o600)
        self.service.map.send_signal(signal.SIGINT)
        self.service.map.wait(timeout=PATIENCE)
        output = self.service.map.stderr.read()
        self.assertGreater(output.count("█"), 100, "the QR code")
        again = subprocess.Popen(
            [BUILD / "locationctl", "map", "--share"], env=self.service.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(again.wait)
        self.addCleanup(again.terminate)
        self.addCleanup(again.stdout.close)
        self.addCleanup(again.stderr.close)
        again.stdout.readline()
        self.assertEqual([again.stderr.readline() for _ in range(3)][2].strip(), first)


class StartTests(unittest.TestCase):
    """What opens the page."""

    def start(self, **changes: str) -> tuple:
        self.service = Service(drive(60), "--realtime")
        self.addCleanup(self.service.close)
        home = Path(self.service.folder.name)
        (home / "bin").mkdir()
        (home / "run").mkdir()
        opener = home / "bin/xdg-open"
        opener.write_text(f'#!/bin/sh\nstat -c %a "$1" >{home}/mode\ncat "$1" >{home}/page.new\nmv {home}/page.new {home}/page\n')
        opener.chmod(0o755)
        self.service.environment |= {"PATH": f"{home}/bin:{os.environ['PATH']}", "XDG_RUNTIME_DIR": str(home / "run")} | changes
        return home, self.service.show()

    def test_a_session_opens_it_without_its_address_in_an_argument(self) -> None:
        home, address = self.start(DISPLAY=":9")
        Browser.until((home / "page").exists)
        self.assertIn(address, (home / "page").read_text())
        self.assertEqual((home / "mode").read_text(), "600\n")
        (page,) = (home / "run").glob("*.html")
        # The browser comes from that file, whose site is another one.
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(f"file://{page}")
        browser.wait("globalThis.page?.live.fix")
        self.assertFalse(page.exists())

    def test_over_ssh_the_address_is_forwarded(self) -> None:
        home, address = self.start(DISPLAY=":9", SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22")
        port = urlsplit(address).port
        self.assertRegex(self.service.map.stderr.readline(), rf"ssh -L {port}:127\.0\.0\.1:{port} HOST")
        self.assertFalse((home / "page").exists())

    def test_both_addresses_of_this_machine_are_served(self) -> None:
        _, address = self.start()
        port, query = urlsplit(address).port, urlsplit(address).query
        if not Path("/proc/net/if_inet6").read_text().strip():
            self.skipTest("there is no IPv6")
        connection = http.client.HTTPConnection("::1", port, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request("GET", f"/?{query}")
        self.assertEqual(connection.getresponse().status, 303)


if __name__ == "__main__":
    unittest.main()
