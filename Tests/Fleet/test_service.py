"""From the receiver to a program: locationd, its helper, mosquitto and paho, each of which is killed."""

import os
import random
import signal
import statistics
import time
import unittest

from fleet_helper import Broker, free_port
from fleet_service import Receiver, Recorder, Result, Service
from test_helper import FleetCase

# As the manual page recommends, with a state on the disk that is never older than a change.
BROKER = ["allow_anonymous true", "persistence true", "autosave_on_changes true", "autosave_interval 1",
          "max_queued_messages 0"]
SECONDS = 300 if os.environ.get("LOCATION_SOAK") else 0


class FromReceiverToSubscriber(FleetCase):
    def setUp(self):
        port = free_port()
        self.bus = self.broker(*BROKER, port=port)
        self.bus.path.write_text(self.bus.path.read_text() + f"persistence_location {self.bus.folder}/\n")
        self.bus.kill()
        self.bus.start()
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
        self.unsynced |= {second for second in self.receiver.sent if began - 31 < second and second not in there}
        self.service.start()
        # Until the receiver's driver has its first whole second.
        self.absences.append((began - 1, time.time() + 2))

    def result(self):
        self.recorder.wait_for_more(2, 400)
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
    def test_five_minutes_of_kills_lose_nothing_of_the_outbox(self):
        chance = random.Random(int(os.environ.get("FLEET_SEED", "1")))
        self.recorder.wait_for_more(3)
        kills = {self.kill_helper: 0, self.kill_broker: 0, self.kill_service: 0}
        end = time.time() + SECONDS
        due = time.time()
        while (due := due + 2) < end:
            # The kills are at their times, whatever happens meanwhile.
            time.sleep(max(0, due - time.time()))
            which = chance.choice(list(kills))
            kills[which] += 1
            which()
        result = self.result()
        print("killed: " + ", ".join(f"{which.__name__[5:]} {count} times" for which, count in kills.items()))
        self.assertEqual((result.lost, result.out_of_order, result.conflicts), ([], 0, 0))
        self.assertLessEqual(result.duplicates, (30 + 32) * kills[self.kill_service] + 32 * sum(kills.values()))


if __name__ == "__main__":
    unittest.main()
