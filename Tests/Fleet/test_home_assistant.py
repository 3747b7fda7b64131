"""From the receiver to Home Assistant, over its REST interface: HASS names the program; without it, the tests are skipped."""

import json
import os
import pathlib
import statistics
import subprocess
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from fleet_helper import free_port
from fleet_service import Receiver, Service
from test_helper import FleetCase

HASS = os.environ.get("HASS")
CONFIGURATION = """
homeassistant:
  name: test
  latitude: 48.0
  longitude: 11.0
  elevation: 500
  unit_system: metric
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
config:
onboarding:
mqtt:
"""


class HomeAssistant:
    """A Home Assistant with an account and the integration of one MQTT broker."""

    def __init__(self, folder, broker_port):
        self.port = free_port()
        self.folder = pathlib.Path(folder)
        (self.folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port))
        self.token = None
        self.start()
        client = f"http://127.0.0.1:{self.port}/"
        code = self.request("/api/onboarding/users", {
            "client_id": client, "name": "a", "username": "a", "password": "secret", "language": "en"})["auth_code"]
        form = urllib.parse.urlencode({"grant_type": "authorization_code", "code": code, "client_id": client}).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/auth/token", form, timeout=30) as answer:
            self.token = json.load(answer)["access_token"]
        flow = self.request("/api/config/config_entries/flow", {"handler": "mqtt"})
        done = self.request(f"/api/config/config_entries/flow/{flow['flow_id']}", {"broker": "127.0.0.1", "port": broker_port})
        assert done["type"] == "create_entry", done

    def start(self):
        self.log = open(self.folder / "out", "ab")
        self.process = subprocess.Popen([HASS, "-c", str(self.folder)], stdout=self.log, stderr=subprocess.STDOUT)
        # At its first start, it installs what it needs from PyPI.
        deadline = time.monotonic() + 600
        while True:
            try:
                self.request("/api/onboarding")
                return
            except (OSError, urllib.error.HTTPError):
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "out").read_text())
                time.sleep(0.5)

    def request(self, path, content=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=240) as answer:
            return json.load(answer)

    def wait(self, entity, condition, timeout=60):
        """The state of an entity as soon as it satisfies the condition."""
        deadline = time.monotonic() + timeout
        state = None
        while time.monotonic() < deadline:
            try:
                state = self.request(f"/api/states/{entity}")
                if condition(state):
                    return state
            except urllib.error.HTTPError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"{entity}: {state}")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


@unittest.skipUnless(HASS, "HASS names no Home Assistant")
class HomeAssistantByDiscovery(FleetCase):
    def test_the_tracker_follows_the_receiver_and_shows_when_it_is_gone(self):
        bus = self.broker("allow_anonymous true")
        folder = self.folder / "hass"
        folder.mkdir()
        home = HomeAssistant(folder, bus.port)
        self.addCleanup(home.stop)
        receiver = Receiver()
        self.addCleanup(receiver.close)
        service = Service(f"serial:{receiver.path}")
        self.addCleanup(service.close)
        service.run("fleet", "add", "home", f"mqtt://127.0.0.1:{bus.port}", "--as", "ann/van", "--interval", "1s",
                    "--home-assistant", "homeassistant", "--unheard")
        tracker = next_of(home, "device_tracker.")
        state = home.wait(tracker, lambda one: one["attributes"].get("latitude"))
        self.assertGreater(state["attributes"]["gps_accuracy"], 0)
        self.assertAlmostEqual(state["attributes"]["longitude"], 11.575, places=3)
        delays = []
        for _ in range(2):
            before = state["attributes"]["latitude"]
            state = home.wait(tracker, lambda one: one["attributes"].get("latitude") not in (None, before))
            at = time.time()
            # The time of the position, in whole seconds.
            second = max(one for one in receiver.sent if one <= at)
            delays.append(at - receiver.sent[second])
        print(f"\nreceiver's last byte to Home Assistant's state, at most every 10 s: {max(delays) * 1000:.0f} ms")
        self.assertLess(max(delays), 1)
        outbox = home.wait(next_of(home, "sensor.", "outbox"), lambda one: one["state"].isdigit())
        self.assertLess(int(outbox["state"]), 10)
        # The broker publishes the will.
        service.kill()
        home.wait(tracker, lambda one: one["state"] == "unavailable")
        # What is retained says so after a restart as well.
        home.stop()
        home.start()
        home.wait(tracker, lambda one: one["state"] == "unavailable", 120)
        service.start()
        home.wait(tracker, lambda one: one["state"] not in ("unavailable", "unknown"))
        # It leaves Home Assistant with its destination.
        service.run("fleet", "remove", "home", "--discard", "--force")
        deadline = time.monotonic() + 20
        while any(one["entity_id"] == tracker for one in home.request("/api/states")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)


def next_of(home, prefix, end=""):
    """The first entity whose name begins and ends so, once it is there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for one in home.request("/api/states"):
            if one["entity_id"].startswith(prefix) and one["entity_id"].endswith(end):
                return one["entity_id"]
        time.sleep(0.2)
    raise AssertionError(f"no {prefix}")


if __name__ == "__main__":
    unittest.main()
