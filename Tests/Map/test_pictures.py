"""Pictures of the service's data: the position, regions and logs, at the pixels where they are computed to be."""

import os
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

from map_bed import BUILD, PATIENCE, Service, drive

BLUE, VIOLET, DARK_VIOLET = (26, 109, 255), (122, 63, 196), (187, 148, 242)


class Picture:
    """A PNG of cairo: 8 bits for red, green, blue and perhaps alpha, without interlacing (PNG, third edition)."""

    def __init__(self, data: bytes) -> None:
        assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:40]
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at : at + 8])
            body = data[at + 8 : at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and color in (2, 6)
                size = 3 if color == 2 else 4
            packed += body if kind == b"IDAT" else b""
            at += 12 + length
        rows, self.rows = zlib.decompress(packed), []
        before = bytearray(self.width * size)
        for y in range(self.height):
            start = y * (self.width * size + 1)
            kind, row = rows[start], bytearray(rows[start + 1 : start + 1 + self.width * size])
            for x in range(len(row)):
                left, up, corner = row[x - size] if x >= size else 0, before[x], before[x - size] if x >= size else 0
                guess = left + up - corner
                nearest = min((left, up, corner), key=lambda value: abs(guess - value))
                row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
            self.rows.append([tuple(row[x : x + 3]) for x in range(0, len(row), size)])
            before = row

    def find(self, color: tuple, most: int = 10) -> list:
        """The pixels of a color."""
        return [(x, y) for y, row in enumerate(self.rows) for x, pixel in enumerate(row) if all(abs(a - b) <= most for a, b in zip(pixel, color))]


class PictureTests(unittest.TestCase):
    def setUp(self) -> None:
        # All of the recording is played at once, and the last position stays.
        self.service = Service(drive(300))
        self.addCleanup(self.service.close)
        folder = tempfile.TemporaryDirectory(prefix="pictures-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [BUILD / "locationctl", *arguments], env=self.service.environment, capture_output=True, timeout=PATIENCE, cwd=self.folder)

    def draw(self, name: str, *arguments: str) -> Picture:
        path = self.folder / f"{name}.png"
        result = self.command("map", "--snapshot", str(path), *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        if keep := os.environ.get("MAP_PICTURES"):
            (Path(keep) / path.name).write_bytes(path.read_bytes())
        return Picture(path.read_bytes())

    def test_the_position_is_a_blue_dot_in_the_middle(self) -> None:
        picture = self.draw("here")
        self.assertEqual((picture.width, picture.height), (512, 512))
        dot = picture.find(BLUE)
        self.assertGreater(len(dot), 80)
        self.assertAlmostEqual(sum(x for x, _ in dot) / len(dot), 256, delta=4)

    def test_a_region_has_its_radius(self) -> None:
        self.service.run("region", "add", "Castle", "--at", "47.1396,9.5245", "--radius", "300")
        for name, style, color in (("region", "light", VIOLET), ("region-dark", "dark", DARK_VIOLET)):
            picture = self.draw(name, "--regions", "--style", style)
            # The line of two pixels; the name is inside. The picture is 1000 m wide.
            line = picture.find(color, 40)
            left, right = min(x for x, _ in line), max(x for x, _ in line)
            top, bottom = min(y for _, y in line), max(y for _, y in line)
            self.assertAlmostEqual((right - left + 1) / 2, 300 / (1000 / 512) + 1, delta=1.5)
            self.assertAlmostEqual((bottom - top + 1) / 2, 300 / (1000 / 512) + 1, delta=1.5)

    def test_a_log_is_a_colored_line(self) -> None:
        # North-eastwards for 400 s: slowly in the first half, fast in the second; one position of each is in doubt.
        lines = ["time,latitude,longitude,horizontalAccuracy,speed,suspect"]
        for second in range(400):
            far = second * 4 if second < 200 else 800 + (second - 200) * 20
            suspect = "implausible" if second in (100, 300) else ""
            lines.append(
                f"2026-11-01T12:{second // 60:02d}:{second % 60:02d}Z,{47.14 + far * 9e-6 / 2:.6f},{9.52 + far * 1.32e-5 / 2:.6f},3,"
                f"{4 if second < 200 else 20},{suspect}")
        (self.folder / "trip.csv").write_text("\n".join(lines) + "\n")
        result = self.command("log", "import", "trip", "trip.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        picture = self.draw("log", "--log", "trip", "--size", "400x300", "--units", "nautical")
        self.assertEqual((picture.width, picture.height), (400, 300))
        # The slow half is dark blue, the fast half is red; the fast half is five times as long. Each color is in the legend, too.
        slow, fast = picture.find((59, 76, 192)), picture.find((216, 53, 42))
        self.assertGreater(len(slow), 30)
        self.assertGreater(len(fast), 3 * len(slow))
        self.assertLess(max(x for x, _ in slow), min(x for x, y in fast if y > 100))
        # Rings in another red, with a light inside, and one in the legend.
        self.assertGreater(len(picture.find((194, 38, 29), 4)), 20)

        # The same picture from the export; with a hidden region, the log is read by the other program.
        plain = self.command("log", "export", "trip", "--output", "trip.png")
        self.assertEqual((plain.returncode, plain.stderr), (0, b""))
        self.assertEqual(Picture((self.folder / "trip.png").read_bytes()).width, 512)
        output = self.command("log", "export", "trip", "--format", "png", "--hide", "47.14,9.52,20")
        self.assertEqual(output.returncode, 0, output.stderr)
        self.assertEqual(Picture(output.stdout).width, 512)
        hidden = self.command("log", "export", "trip", "--format", "png", "--hide", "47.14,9.52,200000")
        self.assertEqual((hidden.returncode, hidden.stdout), (69, b""))
        self.assertIn(b"hidden by --hide", hidden.stderr)

    def test_what_is_missing_is_named(self) -> None:
        for arguments, status, text in (
            (("--log", "none"), 66, b"log none: There is no log of that name"),
            (("--regions",), 66, b"there are no regions"),
        ):
            result = self.command("map", "--snapshot", "x.png", *arguments)
            self.assertEqual(result.returncode, status)
            self.assertTrue(result.stderr.startswith(b"locationctl: " + text), result.stderr)
            self.assertEqual(result.stderr.count(b"\n"), 1)
            self.assertFalse((self.folder / "x.png").exists())


if __name__ == "__main__":
    unittest.main()
