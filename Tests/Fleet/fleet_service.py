"""A real locationd with a receiver at a pseudo-terminal and one destination, and a subscriber that records what arrives."""

import datetime
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import threading
import time
import tty

import paho.mqtt.client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from fleet_helper import ROOT

sys.path.insert(0, str(ROOT / "Tests/Receivers"))
from nmea import sentence  # noqa: E402

LOCATIOND = os.environ.get("LOCATIOND", str(ROOT / ".build/debug/locationd"))
LOCATIONCTL = os.environ.get("LOCATIONCTL", str(ROOT / ".build/debug/locationctl"))


class Receiver:
    """An NMEA receiver in a car, once a second; notes when the last byte of each second was written."""

    def __init__(self):
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self.master, False)
        self.sent = {}
        self.start = int(time.time())
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        second = int(time.time()) + 1
        while not self.is_over.wait(max(0, second - time.time())):
            try:
                # What waits for a service that does not run would arrive late.
                if os.write(self.master, self.epoch(second)):
                    self.sent[second] = time.time()
            except (BlockingIOError, OSError):
                pass
            second += 1

    def latitude(self, second):
        """Degrees: 12 m/s to the north."""
        return 48.125 + (second - self.start) * 0.000108

    def epoch(self, second):
        moment = datetime.datetime.fromtimestamp(second, datetime.timezone.utc)
        clock = f"{moment:%H%M%S}.00"
        degrees = self.latitude(second)
        latitude = f"{int(degrees):02d}{degrees % 1 * 60:08.5f},N"
        return b"".join(sentence(body) for body in (
            f"GNRMC,{clock},A,{latitude},01134.50000,E,23.30,0.00,{moment:%d%m%y},,,A",
            f"GNGGA,{clock},{latitude},01134.50000,E,1,09,0.95,545.4,M,46.9,M,,",
            "GNGSA,A,3,04,05,09,12,17,23,25,29,31,,,,1.78,0.95,1.50",
        ))

    def close(self):
        self.is_over.set()
        self.thread.join()
        os.close(self.master)


class Recorder:
    """A persistent session at the broker, which it connects to again at once; records (topic, object, time of arrival)."""

    def __init__(self, port, topic="owntracks/#"):
        self.port, self.topic = port, topic
        self.received, self.changed = [], threading.Condition()
        self.is_over, self.is_ready = False, threading.Event()
        self.client = paho.Client("recorder", protocol=paho.MQTTv5)
        self.client.on_message = self._received
        self.client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self.client.on_subscribe = lambda *_: self.is_ready.set()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self.is_ready.wait(20)

    def _run(self):
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = 86_400
        while not self.is_over:
            try:
                self.client.connect("127.0.0.1", self.port, clean_start=False, properties=properties)
                while not self.is_over and self.client.loop(0.2) == paho.MQTT_ERR_SUCCESS:
                    pass
            except OSError:
                # There is nothing to wait for but the broker's port.
                time.sleep(0.02)

    def _received(self, _client, _context, message):
        with self.changed:
            self.received.append((message.topic, json.loads(message.payload or b"null"), time.time()))
            self.changed.notify_all()

    def fixes(self):
        with self.changed:
            return [(one, at) for _, one, at in self.received if one and one.get("_type") == "location"]

    def wait(self, condition, timeout=60):
        with self.changed:
            return self.changed.wait_for(condition, timeout)

    def wait_for_more(self, count, timeout=60):
        """Waits for so many positions that are newer than those that are there."""
        newest = max((one["tst"] for one, _ in self.fixes()), default=0)
        ok = self.wait(lambda: len({one["tst"] for one, _ in self.fixes() if one["tst"] > newest}) >= count, timeout)
        assert ok, f"no {count} new positions in {timeout} s"

    def close(self):
        self.is_over = True
        self.thread.join()


class Service:
    """locationd with a state of its own."""

    def __init__(self, source, **variables):
        self.folder = tempfile.TemporaryDirectory()
        self.source = source
        self.log = open(f"{self.folder.name}/log", "ab")
        self.environment = os.environ | {
            "LOCATIOND_SOCKET": f"{self.folder.name}/socket", "LOCATIOND_STATE": f"{self.folder.name}/state",
            "LOCATIOND_GPSD": "off", "LOCATIOND_GPSD_LISTEN": "off", "LOCATIOND_WIFI": "off",
        } | variables
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [LOCATIOND, "--source", self.source], env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if "Listening" in line:
                break
        else:
            raise RuntimeError(f"locationd does not start: {''.join(lines)}")
        # Its log must not fill the pipe.
        self.reader = threading.Thread(target=self._drain, args=(self.process.stderr,), daemon=True)
        self.reader.start()

    def _drain(self, stream):
        for line in stream:
            self.log.write(line.encode())
        self.log.flush()
        stream.close()

    def run(self, *arguments, check=True):
        done = subprocess.run([LOCATIONCTL, *arguments], env=self.environment, capture_output=True, text=True, timeout=130)
        if check and done.returncode:
            raise AssertionError(f"locationctl {' '.join(arguments)}: status {done.returncode}: {done.stderr}")
        return done

    def report(self, name):
        lines = self.run("fleet", "list", "--json").stdout.splitlines()
        return next(one for one in map(json.loads, lines) if one["name"] == name)

    def helpers(self):
        """The processes of its helpers."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and "fleet-helper" in (entry / "cmdline").read_text():
                    fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                    if int(fields[1]) == self.process.pid:
                        found.append(int(entry.name))
            except (OSError, ValueError):
                continue
        return found

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()

    def close(self):
        if self.process.poll() is None:
            self.stop()
        self.log.close()
        self.folder.cleanup()


class Result:
    """What arrived, compared with what the receiver sent."""

    def __init__(self, receiver, recorder, absences, unsynced=()):
        """`absences`: intervals in which there was no locationd; `unsynced`: times that were in its memory alone when it was killed."""
        fixes = recorder.fixes()
        first_by_id, self.duplicates, self.conflicts = {}, 0, 0
        order = []
        for one, _ in fixes:
            if one["_id"] in first_by_id:
                self.duplicates += 1
                self.conflicts += first_by_id[one["_id"]] != one["tst"]
            else:
                first_by_id[one["_id"]] = one["tst"]
                order.append(one["tst"])
        self.count = len(order)
        self.out_of_order = sum(b < a for a, b in zip(order, order[1:]))
        there = set(order)
        sent = [second for second in sorted(list(receiver.sent)) if order and order[0] <= second <= max(order)]
        missing = [second for second in sent if second not in there]
        self.absent = [s for s in missing if any(a <= s <= b for a, b in absences)]
        self.unsynced = [s for s in missing if s in unsynced and s not in self.absent]
        self.lost = [s for s in missing if s not in self.absent and s not in self.unsynced]
        self.delays = sorted(at - receiver.sent[one["tst"]] for one, at in fixes if one["tst"] in receiver.sent)

    def __str__(self):
        return (f"{self.count} positions; lost {len(self.lost)}, out of order {self.out_of_order}, duplicates "
                f"{self.duplicates} ({self.conflicts} with another content), without a service {len(self.absent)}, "
                f"in its memory when it was killed {len(self.unsynced)}")
