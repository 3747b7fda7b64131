"""The map in a real browser: what the user sees is what the service reports, and nothing leaves the machine."""

import http.client
import math
import subprocess
import unittest
from urllib.parse import urlsplit

from map_bed import BUILD, PATIENCE, Browser, Service, drive

BLUE = (26, 109, 255)


def near(a, b, most: int = 12) -> bool:
    return all(abs(x - y) <= most for x, y in zip(a, b))


class MapTests(unittest.TestCase):
    def begin(self, *options: str, seconds: int = 300, replay: tuple = ("--realtime",), **browser) -> None:
        self.service = Service(drive(seconds), *replay)
        self.addCleanup(self.service.close)
        self.address = self.service.show(*options)
        self.browser = Browser(**browser)
        self.addCleanup(self.browser.close)
        self.browser.open(self.address)

    def live(self) -> None:
        self.browser.wait("globalThis.page?.live.fix && document.body.dataset.idle")

    def check_quiet(self) -> None:
        """Nothing was asked outside of this server, and nothing has failed."""
        origin = self.address[: self.address.index("/?")]
        outside = [url for url in self.browser.requests if not url.startswith((origin + "/", "blob:" + origin, "data:"))]
        self.assertEqual(outside, [])
        self.assertEqual(self.browser.problems, [])

    # MARK: the position

    def test_the_dot_moves_along_the_recording(self) -> None:
        self.begin()
        self.live()
        self.assertEqual(self.browser.evaluate("location.search"), "", "the token has left the address")
        places = []
        for _ in range(2):
            before = int(self.browser.evaluate("document.body.dataset.fixes"))
            self.browser.wait(f"Number(document.body.dataset.fixes) > {before + 1}")
            places.append(self.browser.evaluate("[page.live.fix.longitude, page.live.fix.latitude]"))
        (x1, y1), (x2, y2) = places
        self.assertGreater(x2, x1)
        self.assertGreater(y2, y1)
        self.browser.click("#follow")
        self.browser.settle()
        at = self.browser.evaluate("(() => { const { x, y } = page.map.project([page.live.fix.longitude, page.live.fix.latitude]); return [x, y]; })()")
        # At most one fix later, the dot is 14 m further: less than its own size at this zoom.
        found = self.browser.colors("desktop", [(at[0] + dx, at[1] + dy) for dx in range(-8, 9, 2) for dy in range(-8, 9, 2)])
        self.assertTrue(any(near(color, BLUE) for color in found), found)
        self.check_quiet()

    def test_the_circle_has_the_radius_of_the_position(self) -> None:
        # All of the recording is played at once, and the last position stays.
        self.begin(seconds=30, replay=())
        self.browser.wait("globalThis.page?.live.fix && ['lost', 'failed', 'stale'].includes(document.body.dataset.position)")
        self.live()
        self.browser.evaluate(
            "void page.map.fire('free').jumpTo({ center: [page.live.fix.longitude, page.live.fix.latitude], zoom: 20 })")
        self.browser.settle()
        measured = self.browser.evaluate(
            """(async () => {
              const { map, live } = page, fix = live.fix, center = map.project([fix.longitude, fix.latitude]);
              const data = await map.getSource('accuracy').getData();
              const ring = (data.features ?? [data])[0].geometry.coordinates[0].map(point => map.project(point));
              const sizes = ring.map(({ x, y }) => Math.hypot(x - center.x, y - center.y));
              return { least: Math.min(...sizes), most: Math.max(...sizes), zoom: map.getZoom(), latitude: fix.latitude, radius: fix.horizontalAccuracy };
            })()""")
        meters_per_pixel = 2 * math.pi * 6378137 * math.cos(math.radians(measured["latitude"])) / (512 * 2 ** measured["zoom"])
        expected = measured["radius"] / meters_per_pixel
        self.assertGreater(expected, 10, "the circle can be seen")
        self.assertAlmostEqual(measured["least"], expected, delta=1)
        self.assertAlmostEqual(measured["most"], expected, delta=1)
        self.check_quiet()

    # MARK: regions

    def region(self) -> dict:
        found = [one for one in self.service.run("region", "list", "--json") if one["region"].startswith("Garden")]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_a_region_is_drawn_changed_and_deleted(self) -> None:
        self.begin()
        self.live()
        browser = self.browser
        browser.click("[data-panel=regions]")
        browser.click("#draw-circle")
        browser.settle()
        browser.drag((300, 420), (380, 420))
        browser.wait("!document.getElementById('region-form').hidden")
        meters = browser.evaluate("page.map.unproject([300, 420]).distanceTo(page.map.unproject([380, 420]))")
        browser.evaluate("document.getElementById('region-name').value = 'Garden & <b>'")
        browser.click("#region-form [type=submit]")
        browser.wait("document.querySelector('#region-list button')?.textContent.startsWith('Garden')")
        region = self.region()
        self.assertEqual((region["region"], region["list"]), ("Garden & <b>", "map"))
        self.assertAlmostEqual(region["radius"], meters, delta=meters / 50)
        browser.settle()
        browser.picture("region")

        # The list selects it; its border is dragged further out.
        browser.click("#region-list button")
        browser.settle()
        handles = browser.evaluate(
            "page.map.getSource('handles').getData().then(data => data.features.map(one => { const { x, y } = page.map.project(one.geometry.coordinates); return [x, y]; }))")
        self.assertEqual(len(handles), 2)
        (cx, cy), (ex, ey) = handles
        browser.drag((ex, ey), (cx + (ex - cx) * 0.5, cy))
        browser.click("#region-form [type=submit]")
        browser.wait("document.getElementById('region-form').hidden")
        self.assertAlmostEqual(self.region()["radius"], meters / 2, delta=meters / 25)

        browser.click("#region-list button")
        browser.click("#region-delete")
        browser.wait("!document.querySelector('#region-list button')")
        self.assertEqual(self.service.run("region", "list", "--json"), [])

        browser.click("#draw-polygon")
        browser.settle()
        for point in ((300, 300), (420, 300), (360, 400)):
            browser.mouse("mouseMoved", *point)
            browser.mouse("mousePressed", *point)
            browser.mouse("mouseReleased", *point)
        browser.wait("page.map.getSource('handles').getData().then(data => data.features.length === 3)")
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter")
        browser.wait("!document.getElementById('region-form').hidden")
        browser.evaluate("document.getElementById('region-name').value = 'Garden'")
        browser.click("#region-form [type=submit]")
        browser.wait("document.querySelector('#region-list button')?.textContent.startsWith('Garden')")
        self.assertEqual(len(self.region()["polygon"]), 3)
        self.check_quiet()

    def test_a_map_that_only_shows_changes_nothing(self) -> None:
        self.begin("--read-only")
        self.live()
        status = self.browser.evaluate(
            "fetch('/regions/x', { method: 'PUT', body: new URLSearchParams({ shape: 'circle', points: '47,9', radius: 50 }) }).then(answer => answer.status)")
        self.assertEqual(status, 403)
        self.assertEqual(self.service.run("region", "list", "--json"), [])

    # MARK: tracks, satellites, sizes

    def test_the_track_of_a_log_is_shown(self) -> None:
        self.begin()
        self.live()
        self.service.run("log", "start", "trip")
        self.browser.wait("fetch('/tracks/trip').then(answer => answer.json()).then(track => track.time?.length > 3)")
        self.browser.click("[data-panel=tracks]")
        self.browser.wait("document.querySelector('#log option[value=trip]')")
        self.browser.evaluate("(() => { const log = document.getElementById('log'); log.value = 'trip'; log.dispatchEvent(new Event('change')); })()")
        self.browser.wait("Number(document.body.dataset.track) > 3")
        self.browser.settle()
        shown = self.browser.evaluate("new Set(page.map.queryRenderedFeatures({ layers: ['track'] }).map(one => one.properties.color)).size")
        self.assertGreater(shown, 0)
        self.browser.picture("track")
        self.check_quiet()

    def test_satellites_and_small_and_dark_screens(self) -> None:
        self.begin(width=320, height=640, dark=True)
        self.live()
        self.browser.settle()
        self.browser.picture("phone-dark")
        self.assertEqual(self.browser.evaluate("document.documentElement.dataset.theme"), "dark")
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 320)
        for selector in ("#status", "#tools", "#follow", "[data-panel=settings]"):
            left, right = self.browser.evaluate(
                f"(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); return [box.left, box.right]; }})()")
            self.assertGreaterEqual(left, 0, selector)
            self.assertLessEqual(right, 320, selector)
        self.browser.click("[data-panel=sky]")
        self.browser.wait("document.querySelectorAll('#sky .satellite').length === 8")
        self.browser.picture("phone-sky")
        self.check_quiet()

    def test_without_webgl_there_is_a_picture(self) -> None:
        self.begin(webgl=False)
        self.browser.wait("document.body.dataset.picture === 'drawn' && document.body.dataset.position === 'live'")
        self.assertTrue(self.browser.evaluate("document.getElementById('map').hidden"))
        before = self.browser.evaluate("Number(document.body.dataset.fixes)")
        self.browser.wait(f"Number(document.body.dataset.fixes) > {before}")
        # The dot is in the middle.
        self.browser.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 200)))")
        self.assertTrue(near(self.browser.colors("picture", [(640, 400)])[0], BLUE))
        self.check_quiet()

    def test_the_end_of_the_map_is_shown(self) -> None:
        self.begin()
        self.live()
        self.service.map.terminate()
        self.service.map.wait()
        self.browser.wait("document.body.dataset.position === 'failed'")
        self.assertIn("has ended", self.browser.evaluate("document.getElementById('headline-text').textContent"))


class ServerTests(unittest.TestCase):
    """Without a browser: what other websites and other users of the machine can do."""

    def setUp(self) -> None:
        self.service = Service(drive(60), "--realtime")
        self.addCleanup(self.service.close)
        parts = urlsplit(self.service.show())
        self.port, self.query = parts.port, parts.query

    def ask(self, method: str, target: str, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        connection.putrequest(method, target, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        return connection.getresponse()

    def cookie(self) -> str:
        answer = self.ask("GET", f"/?{self.query}")
        self.assertEqual((answer.status, answer.headers["Location"]), (303, "/"))
        self.assertIn("HttpOnly; SameSite=Strict", answer.headers["Set-Cookie"])
        return answer.headers["Set-Cookie"].split(";")[0]

    def test_only_the_own_page_is_served(self) -> None:
        cookie, own = self.cookie(), f"http://127.0.0.1:{self.port}"
        self.assertEqual(self.ask("GET", "/", Cookie=cookie).status, 200)
        # Another user of this machine has no token; a website has a name of its own, or another origin.
        self.assertEqual(self.ask("GET", "/").status, 403)
        self.assertEqual(self.ask("GET", "/events").status, 403)
        self.assertEqual(self.ask("GET", "/", Cookie=cookie, Host="evil.example").status, 403)
        self.assertEqual(self.ask("GET", "/", Cookie=cookie, Host=f"evil.example:{self.port}").status, 403)
        self.assertEqual(self.ask("GET", f"/?{self.query}", Host=f"evil.example:{self.port}").status, 403)
        self.assertEqual(self.ask("POST", "/regions/x", Cookie=cookie, Content_Length="0").status, 403)
        self.assertEqual(self.ask("PUT", "/regions/x", Cookie=cookie, Content_Length="0").status, 403)
        self.assertEqual(self.ask("PUT", "/regions/x", Cookie=cookie, Origin="http://evil.example", Content_Length="0").status, 403)
        self.assertEqual(self.ask("PUT", "/regions/x", Cookie=cookie, Origin=own, Content_Length="0").status, 400)
        self.assertEqual(self.ask("GET", "/../../etc/passwd", Cookie=cookie).status, 404)
        for answer in (self.ask("GET", "/"), self.ask("GET", "/", Cookie=cookie)):
            self.assertTrue(answer.headers["Content-Security-Policy"].startswith("default-src 'none'"))

    def test_an_unchanged_file_is_not_sent_again(self) -> None:
        cookie = self.cookie()
        answer = self.ask("GET", "/map.js", Cookie=cookie)
        self.assertEqual(answer.status, 200)
        again = self.ask("GET", "/map.js", Cookie=cookie, If_None_Match=answer.headers["ETag"])
        self.assertEqual((again.status, again.read()), (304, b""))

    def test_large_and_broken_requests_end_nothing(self) -> None:
        cookie, own = self.cookie(), f"http://127.0.0.1:{self.port}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("PUT", "/regions/x", b"x" * 100_000, {"Cookie": cookie, "Origin": own})
        self.assertEqual(connection.getresponse().status, 413)
        for bytes in (b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"a" * 200_000, b"PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"):
            raw = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self.addCleanup(raw.close)
            raw.connect()
            try:
                raw.sock.sendall(bytes)
                raw.sock.shutdown(1)
                raw.sock.recv(1000)
            except OSError:
                pass
        self.assertEqual(self.ask("GET", "/", Cookie=cookie).status, 200)

    def test_the_port_can_be_chosen_and_is_reported_if_in_use(self) -> None:
        second = subprocess.run(
            [BUILD / "locationctl", "map", "--port", str(self.port)], env=self.service.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(second.returncode, 69)
        self.assertIn(f"port {self.port} is in use", second.stderr)


if __name__ == "__main__":
    unittest.main()
