"""From the receiver to a program: locationd, its helper, mosquitto and paho, each of which is killed."""

import os
import random
import signal
import socket
import statistics
import subprocess
import threading
import time
import unittest

from fleet_helper import ROOT, Broker, free_port
from fleet_service import Receiver, Recorder, Result, Service
from test_helper import FleetCase

# As the manual page recommends, with a state on the disk that is never older than a change.
BROKER = ["allow_anonymous true", "persistence true", "autosave_on_changes true", "autosave_interval 1",
          "max_queued_messages 0"]
SECONDS = 300 if os.environ.get("LOCATION_SOAK") else 0
# Positions of a time without a network; FleetSimulationTests has three days of them. mosquitto, which writes its state after each message,
# takes some hundred a second.
BACKLOG = int(os.environ.get("FLEET_BACKLOG", "30000"))
LOGGER = os.environ.get("TRACK_LOGGER", str(ROOT / ".build/debug/track-logger"))
# An acknowledgement of the connection, and an AUTH packet with an unknown property: an assertion in libmosquitto 2.0.11 fails.
CONNECTED, FATAL = b"\x20\x03\x00\x00\x00", bytes.fromhex("f0065a8add53641a")


class FromReceiverToSubscriber(FleetCase):
    def setUp(self):
        port = free_port()
        self.bus = self.broker(*BROKER, port=port)
        self.recorder = Recorder(port)
        self.addCleanup(self.recorder.close)
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)
        self.service = Service(f"serial:{self.receiver.path}")
        self.addCleanup(self.service.close)
        self.absences, self.unsynced = [], set()
        self.service.run("fleet", "add", "van", f"mqtt://127.0.0.1:{port}", "--as", "ann/van", "--interval", "0s")

    def kill_helper(self):
        for process in self.service.helpers():
            os.kill(process, signal.SIGKILL)

    def kill_broker(self):
        self.bus.kill()
        self.bus.start()

    def kill_service(self):
        began = time.time()
        self.service.kill()
        there = {one["tst"] for one, _ in self.recorder.fixes()}
        # What had not arrived yet and was not synced, which is done every 30 seconds.
        self.unsynced |= {second for second in list(self.receiver.sent) if began - 31 < second and second not in there}
        self.service.start()
        # Until the receiver's driver has its first whole second.
        self.absences.append((began - 1, time.time() + 2))

    def add_backlog(self):
        """Writes the positions of a time without a network into the outbox; returns their number."""
        self.service.run("fleet", "pause", "van")
        self.recorder.wait(lambda: False, 1)
        self.service.stop()
        began = time.time()
        before = self.waiting()
        with subprocess.Popen(
                [LOGGER, f"{self.service.folder.name}/state/fleet/van/track", "0", "1000000", "50"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as logger:
            for line in logger.stdout:
                if int(line.split()[1]) >= BACKLOG:
                    break
            logger.stdin.close()
            logger.stdout.read()
        self.service.start()
        self.absences.append((began - 1, time.time() + 2))
        count = self.waiting() - before
        self.service.run("fleet", "resume", "van")
        return count

    def waiting(self):
        """The positions in the outbox; 0 without a service."""
        return self.service.report("van")["waiting"] if self.service.process.poll() is None else 0

    def result(self, timeout=400):
        self.recorder.wait_for_more(2, timeout)
        self.assertTrue(self.service.run("fleet", "list").stdout)
        result = Result(self.receiver, self.recorder, self.absences, self.unsynced)
        print(f"\n{self.id().rsplit('.', 1)[-1]}: {result}", flush=True)
        return result

    def test_positions_arrive_within_a_second_and_survive_each_kill_once(self):
        self.recorder.wait_for_more(6)
        delays = Result(self.receiver, self.recorder, []).delays[1:]
        print(f"\nreceiver's last byte to the subscriber: median {statistics.median(delays) * 1000:.1f} ms, "
              f"longest {delays[-1] * 1000:.1f} ms of {len(delays)}")
        self.assertLess(statistics.median(delays), 1)
        self.kill_helper()
        self.recorder.wait_for_more(3)
        self.kill_broker()
        self.recorder.wait_for_more(3)
        self.kill_service()
        self.recorder.wait_for_more(3)
        result = self.result()
        self.assertEqual((result.lost, result.out_of_order, result.conflicts), ([], 0, 0))
        self.assertEqual(result.unsynced, [])
        # After the service was killed: what was acknowledged in 30 s, and the window.
        self.assertLessEqual(result.duplicates, 30 + 3 * 32)

    def test_a_region_s_events_arrive_in_their_place(self):
        self.recorder.wait_for_more(2)
        middle = self.receiver.latitude(int(time.time()) + 10)
        self.service.run("region", "add", "gate", "--at", f"{middle:.6f},11.575", "--radius", "50")
        # It is root's or the test's own region.
        self.service.run("fleet", "add", "van", "--replace", "--events")
        def transitions():
            return [one for _, one, _ in self.recorder.received if one and one.get("_type") == "transition"]
        self.assertTrue(self.recorder.wait(lambda: len(transitions()) >= 2, 40), transitions())
        enter, leave = transitions()
        self.assertEqual([(one["event"], one["desc"]) for one in (enter, leave)], [("enter", "gate"), ("leave", "gate")])
        self.assertAlmostEqual(leave["tst"] - enter["tst"], 100 / 12, delta=3)
        # In the order of the outbox: the position at which the crossing was known came before.
        order = [one for _, one, _ in self.recorder.received if one and one.get("_type") in ("location", "transition")]
        for event in (enter, leave):
            place = order.index(event)
            self.assertTrue(all(one["tst"] >= event["tst"] for one in order[place + 1:] if one["_type"] == "location"))
        self.assertEqual(self.result().lost, [])

    @unittest.skipUnless(SECONDS, "LOCATION_SOAK=1 runs it for five minutes")
    def test_a_backlog_and_five_minutes_of_kills_lose_nothing_of_the_outbox(self):
        chance = random.Random(int(os.environ.get("FLEET_SEED", "1")))
        self.recorder.wait_for_more(3)
        self.service.run("fleet", "add", "van", "--replace", "--rate", "1000")
        backlog = self.add_backlog()
        self.assertGreaterEqual(backlog, BACKLOG)
        kills = {self.kill_helper: 0, self.kill_broker: 0, self.kill_service: 0}
        end = time.time() + SECONDS
        due = time.time()
        while (due := due + 2) < end:
            # The kills are at their times, whatever happens meanwhile.
            time.sleep(max(0, due - time.time()))
            which = chance.choice(list(kills))
            kills[which] += 1
            which()
        print(f"\nat the end of the kills, {self.waiting()} of {backlog} wait")
        while self.waiting() > 100:
            time.sleep(2)
        # The backlog has times before the first position of the receiver.
        ids = [one["_id"] for one, _ in self.recorder.fixes() if one["tst"] < self.receiver.start - 60]
        result = self.result(900)
        print(f"backlog: {len(set(ids))} of {backlog} arrived, {len(ids) - len(set(ids))} duplicates")
        print("killed: " + ", ".join(f"{which.__name__[5:]} {count} times" for which, count in kills.items()))
        self.assertEqual(len(set(ids)), backlog)
        self.assertEqual((result.lost, result.conflicts), ([], 0))
        self.assertEqual(result.out_of_order, 1 if backlog else 0)
        # What was acknowledged since the cursor was stored, at up to 1000 a second, and the window.
        self.assertLessEqual(result.duplicates, (30 * 1000 + 32) * kills[self.kill_service] + 32 * sum(kills.values()))


class HostileBroker(FleetCase):
    """A server that makes the library in the helper fail, again and again."""

    def setUp(self):
        self.port = free_port()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.times = []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            self.times.append(time.time())
            with peer:
                peer.settimeout(5)
                try:
                    # CONNECT.
                    peer.recv(65536)
                    peer.sendall(CONNECTED)
                    # A position.
                    peer.recv(65536)
                    peer.sendall(FATAL)
                    peer.recv(65536)
                except OSError:
                    pass

    def close(self):
        # On Linux, this ends the accept as well.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()

    def test_a_library_that_fails_again_and_again_costs_nothing_but_pauses(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        service = Service(f"serial:{receiver.path}")
        self.addCleanup(service.close)
        began = time.time()
        service.run("fleet", "add", "van", f"mqtt://127.0.0.1:{self.port}", "--as", "ann/van", "--interval", "0s")
        while len(self.times) < 4:
            self.assertLess(time.time() - began, 30, self.times)
            time.sleep(0.1)
        # Pauses of 1, 2 and 4 seconds, half of which is random.
        pauses = [b - a for a, b in zip(self.times, self.times[1:])]
        print("\npauses: " + ", ".join(f"{pause:.1f} s" for pause in pauses))
        for pause, least in zip(pauses, (0.5, 1, 2)):
            self.assertGreaterEqual(pause, least)
        # No helper is left between two connections.
        self.assertLessEqual(len(service.helpers()), 1)
        report = service.report("van")
        self.assertEqual((report["state"], report["problem"]), ("waiting", "notUnderstood"))
        self.assertGreater(report["waiting"], 0)
        listed = service.run("fleet", "list").stdout
        self.assertIn("does not speak", listed)
        doctor = service.run("doctor", check=False).stdout
        self.assertEqual(doctor.count("of 'van'"), 1, doctor)
        self.assertIn("does not keep to its protocol", doctor)
        # Another server at the same address gets everything, once and in order.
        self.close()
        bus = self.broker(*BROKER, port=self.port)
        recorder = Recorder(bus.port)
        self.addCleanup(recorder.close)
        service.run("fleet", "resume", "van")
        recorder.wait_for_more(8)
        result = Result(receiver, recorder, [])
        self.assertEqual((result.lost, result.out_of_order, result.duplicates), ([], 0, 0))
        # The position to which the server answered first is there.
        self.assertLessEqual(min(one["tst"] for one, _ in recorder.fixes()), self.times[1] + 1)


if __name__ == "__main__":
    unittest.main()
