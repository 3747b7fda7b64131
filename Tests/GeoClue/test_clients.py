"""Real programs, and clients in Python, at a private system bus."""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import unittest
from pathlib import Path

from bed import BRIDGE, NAME, PERSON, STRANGER, Bed

CLIENT = [sys.executable, "-B", str(Path(__file__).with_name("client.py"))]
WHERE_AM_I = "/usr/libexec/geoclue-2.0/demos/where-am-i"
IS_LONG = os.environ.get("LOCATION_PEERS") == "1"


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.bed = Bed()
        self.addCleanup(self.bed.close)

    def ask(self, *arguments: str, user=PERSON) -> dict:
        result = self.bed.run(*CLIENT, *arguments, user=user)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout.splitlines()[-1])

    def begin(self, *grant: str) -> None:
        self.bed.serve()
        self.bed.grant(*grant)
        self.bed.keep_fix()


class RealPrograms(Case):
    def test_where_am_i(self) -> None:
        """libgeoclue: exact and city level."""
        self.begin()
        exact = self.bed.run(WHERE_AM_I, "-t", "2", "-a", "8")
        self.assertRegex(exact.stdout, r"Latitude: +47\.1[0-9]+°")
        self.assertRegex(exact.stdout, r"Accuracy: +[0-9]{1,2}\.[0-9]+ meters")
        city = self.bed.run(WHERE_AM_I, "-t", "2", "-a", "4")
        self.assertRegex(city.stdout, r"Latitude: +4[67]\.[0-9]+°")
        self.assertRegex(city.stdout, r"Accuracy: +[0-9]{4}\.[0-9]+ meters")

    def test_gdbus(self) -> None:
        self.begin()
        shown = self.bed.run("gdbus", "introspect", "--system", "--dest", NAME, "--object-path",
                             "/org/freedesktop/GeoClue2/Manager")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        for text in ("GetClient(out o client)", "AddAgent(in  s id)", "readonly b InUse = false",
                     "readonly u AvailableAccuracyLevel = 8"):
            self.assertIn(text, shown.stdout)

    @unittest.skipUnless(IS_LONG, "part of `make peers`")
    def test_the_portal(self) -> None:
        """xdg-desktop-portal, whose sessions share one client: the second one gets a position at once, too."""
        self.begin()
        home = Path(self.bed.folder.name)
        # Without a backend for dialogs the portal does not offer the location. Programs outside sandboxes cause no dialog.
        (home / "portals").mkdir()
        (home / "portals/test.portal").write_text(
            "[portal]\nDBusName=org.freedesktop.impl.portal.desktop.test\n"
            "Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Lockdown\nUseIn=test\n")
        script = home / "portal"
        script.write_text(
            "#!/bin/sh\n"
            "/usr/libexec/xdg-permission-store &\n/usr/libexec/xdg-desktop-portal &\n"
            "gdbus wait --session --timeout 20 org.freedesktop.portal.Desktop\n"
            f"exec {sys.executable} -B {Path(__file__).with_name('portal_client.py')}\n")
        script.chmod(0o755)
        (home / "run").mkdir()
        os.chown(home / "run", PERSON.pw_uid, PERSON.pw_gid)
        result = self.bed.run(
            "env", f"XDG_DESKTOP_PORTAL_DIR={home}/portals", "XDG_CURRENT_DESKTOP=test", f"XDG_RUNTIME_DIR={home}/run",
            f"HOME={home}/run", f"XDG_DATA_HOME={home}/run", "dbus-run-session", "--", str(script))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for line in result.stdout.splitlines():
            self.assertGreaterEqual(len(json.loads(line)), 2, line)

    @unittest.skipUnless(IS_LONG, "part of `make peers`")
    def test_night_light(self) -> None:
        """redshift and gammastep, which wait for ever for GeoClue with a GPS receiver alone."""
        self.begin()
        for program in ("redshift", "gammastep"):
            with self.subTest(program):
                self.assertTrue(shutil.which(program))
                begin = time.monotonic()
                result = self.bed.run(program, "-v", "-m", "dummy", "-l", "geoclue2", "-p", limit=20)
                taken = time.monotonic() - begin
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                output = result.stdout + result.stderr
                self.assertRegex(output, r"Location: 4[67]\.[0-9]+ N")
                self.assertRegex(output, "Period: ")
                print(f"{program}: {taken:.2f} s", file=sys.stderr)


class Order(Case):
    def test_signals_and_values(self) -> None:
        self.begin()
        seen = self.ask("order")
        place = seen["path"] + "/Location/"
        self.assertEqual(seen["seen"], [
            ["Client", "Active", "DesktopId", "RequestedAccuracyLevel"], ["Manager", "InUse"],
            ["LocationUpdated", "/", place + "0"], ["Client", "Location"],
            ["LocationUpdated", place + "0", place + "1"], ["Client", "Location"]])
        location = seen["location"]
        self.assertEqual(len(location), 8)
        self.assertGreater(location["Accuracy"], 0)
        self.assertAlmostEqual(location["Latitude"], 47.15, delta=0.1)
        self.assertAlmostEqual(location["Altitude"], 455, delta=5)
        self.assertAlmostEqual(location["Speed"], 14, delta=1)
        self.assertEqual(location["Timestamp"][0] // 86_400, 20_758)

    def test_a_reduced_grant_reduces_every_level(self) -> None:
        self.begin("--reduced")
        self.assertGreater(self.ask("first", "8")["accuracy"], 1000)


class Access(Case):
    def test_nobody_is_asked_without_an_agent(self) -> None:
        self.bed.serve()
        answers = [self.ask("first", "8", user=STRANGER) for _ in range(5)]
        for answer in answers:
            self.assertEqual(answer["error"], "AccessDenied")
        self.bed.grant()
        refused = sorted(answer["refused"] for answer in answers)
        print(f"refused in {refused[2] * 1000:.1f} ms", file=sys.stderr)

    def test_others_get_nothing(self) -> None:
        """Forged names, foreign paths and signals of others: no position."""
        self.begin()
        victim = subprocess.Popen(
            ["setpriv", f"--reuid={PERSON.pw_uid}", f"--regid={PERSON.pw_gid}", "--clear-groups", *CLIENT, "hold"],
            env=self.bed.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            path = json.loads(victim.stdout.readline())["path"]
            tries = 10_000 if IS_LONG else 500
            result = self.ask("attack", path, str(tries), user=STRANGER)
            self.assertEqual(result, {"positions": 0, "denied": tries, "foreign_signals": 0})
        finally:
            seen, _ = victim.communicate()
        self.assertTrue(any(signal[0] == "LocationUpdated" for signal in json.loads(seen.splitlines()[-1])["seen"]))

    def test_another_account_acts_for_nobody(self) -> None:
        """The daemon takes "on behalf of" from the bridge's account alone."""
        self.begin()
        # version 3 to 3, the name "x", and this process of root as the caller; then `locate` with ID 1.
        script = (
            "import os, socket\n"
            "def number(n):\n"
            "    out = b''\n"
            "    while n > 127: out += bytes([n & 127 | 128]); n >>= 7\n"
            "    return out + bytes([n])\n"
            "stat = open(f'/proc/{PID}/stat').read().rsplit(')', 1)[1].split()\n"
            "caller = b'\\x08' + number(PID) + b'\\x10' + number(0) + b'\\x18' + number(int(stat[19])) + b'\\x20\\x00'\n"
            "hello = b'\\x01\\x08\\x03\\x10\\x03\\x1a\\x01x\\x2a' + number(len(caller)) + caller\n"
            "locate = bytes.fromhex('020801120d1080e0ba84bf031880d0acf30e')\n"
            "s = socket.socket(socket.AF_UNIX); s.connect(os.environ['LOCATIOND_SOCKET'])\n"
            "for frame in (hello, locate): s.sendall(len(frame).to_bytes(4, 'little') + frame)\n"
            "def frame():\n"
            "    size = int.from_bytes(s.recv(4, socket.MSG_WAITALL), 'little')\n"
            "    return s.recv(size, socket.MSG_WAITALL)\n"
            "frame()\n"
            "while (kind := frame()[0]) == 8: pass\n"
            "print(kind)\n").replace("PID", str(os.getpid()))
        located, failed = "3", "4"
        for user, expected in (STRANGER, failed), (PERSON, failed), (BRIDGE, located):
            result = self.bed.run(sys.executable, "-c", script, user=user)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.strip(), expected, user.pw_name)

    def test_an_agent_stops_clients_and_lets_them_go_on(self) -> None:
        self.begin()
        as_person = ["setpriv", f"--reuid={PERSON.pw_uid}", f"--regid={PERSON.pw_gid}", "--clear-groups"]
        client = subprocess.Popen([*as_person, *CLIENT, "hold"], env=self.bed.environment, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        agent = subprocess.Popen([*as_person, *CLIENT, "agent"], env=self.bed.environment, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn("path", json.loads(client.stdout.readline()))
            self.assertEqual(json.loads(agent.stdout.readline()), {"added": True})
            agent.stdin.write("0\n")
            agent.stdin.flush()
            self.await_clients(0)
            agent.stdin.write("8\n")
            agent.stdin.flush()
            self.await_clients(1)
        finally:
            for process in (client, agent):
                process.communicate()

    def await_clients(self, count: int) -> None:
        """Until so many clients of the person use the location."""
        end = time.monotonic() + 20
        while True:
            status = json.loads(self.bed.control("status", "--json").stdout)
            found = [entry for entry in status["clients"] if entry.get("name") == "victim"]
            if len(found) == count:
                return
            self.assertLess(time.monotonic(), end, status["clients"])
            time.sleep(0.05)


class Figures(Case):
    @unittest.skipUnless(IS_LONG, "part of `make peers`")
    def test_times(self) -> None:
        """Prints what Documentation/Benchmarks.md has; the debug build is slower."""
        self.begin()
        starts = []
        for _ in range(10):
            self.bed.stop_bridge()
            starts.append(self.ask("start_time"))
        answers = [self.ask("first", "8") for _ in range(20)]

        def show(what: str, values: list) -> None:
            print(f"{what}: median {statistics.median(values) * 1000:.1f} ms, most {max(values) * 1000:.1f} ms",
                  file=sys.stderr)

        show("activation to the owned name", [start["activated"] for start in starts])
        show("GetClient", [start["get_client"] for start in starts])
        show("Start to the first position", [answer["first"] for answer in answers])
        self.assertEqual([answer for answer in answers if "error" in answer], [])


if __name__ == "__main__":
    unittest.main()
