"""Both clients against the real daemon."""

import asyncio
import itertools
import os
import threading
import unittest
from datetime import datetime, timedelta, timezone

import bed
import locationd
from locationd import aio


def setUpModule():
    global daemon
    daemon = bed.Daemon()
    os.environ["LOCATIOND_SOCKET"] = daemon.path


def tearDownModule():
    daemon.close()


class ClientTests(unittest.TestCase):
    def setUp(self):
        self.client = locationd.Client("a test", program="client-tests")
        self.addCleanup(self.client.close)

    def test_one_fix(self):
        fix = self.client.fix(timeout_s=30)
        # Where the simulated receiver is.
        self.assertAlmostEqual(fix.latitude, 47.285, 2)
        self.assertAlmostEqual(fix.longitude, 8.565, 2)
        self.assertTrue(fix.is_simulated)
        self.assertGreater(fix.horizontal_radius_m, 0)
        self.assertEqual(fix.technologies, locationd.Technologies.GNSS)

    def test_the_function_without_a_client(self):
        self.assertTrue(locationd.fix("a test", timeout_s=30).is_simulated)

    def test_accuracy_that_is_not_reached(self):
        with self.assertRaisesRegex(locationd.NoFix, "accuracy"):
            self.client.fix(timeout_s=3, accuracy_m=0.001)
        best = self.client.fix(timeout_s=3, accuracy_m=0.001, otherwise=locationd.Otherwise.BEST)
        self.assertGreater(best.horizontal_radius_m, 0.001)

    def test_bad_arguments_are_refused_before_they_are_sent(self):
        for arguments in ({"timeout_s": 0}, {"max_age_s": -1}, {"accuracy_m": 0}):
            with self.subTest(arguments), self.assertRaises(ValueError):
                self.client.fix(**arguments)

    def test_updates_grow_newer_and_other_requests_work_meanwhile(self):
        times = []
        for update in self.client.watch():
            if isinstance(update, locationd.Fix):
                times.append(update.time_ns)
                self.assertEqual(len(self.client.devices()), 1)
            if len(times) == 3:
                break
        self.assertEqual(times, sorted(set(times)))

    def test_sky(self):
        sky = next(self.client.sky())
        self.assertGreater(len(sky.satellites), 4)
        self.assertTrue(any(satellite.is_used for satellite in sky.satellites))

    def test_status(self):
        status = self.client.status()
        self.assertEqual(status.process_id, daemon.process.pid)
        self.assertIn("client-tests", [client.name for client in status.clients])
        self.assertTrue(status.location_services_are_on)

    def test_a_log(self):
        self.client.start_log("drive", records_standing=True)
        self.assertTrue(self.client.logs()[0].is_recording)
        updates = (update for update in self.client.watch() if isinstance(update, locationd.Fix))
        for _ in itertools.islice(updates, 3):
            pass
        self.client.add_note("coffee", "drive")
        with self.assertRaisesRegex(locationd.RequestFailed, "one line of 1 to 200 bytes"):
            self.client.add_note("two\nlines", "drive")
        self.client.rename_log("drive", "tour")
        with self.assertRaisesRegex(locationd.RequestFailed, "There is a log 'tour' already"):
            self.client.rename_log("tour", "tour")
        self.client.rename_log("tour", "drive")
        self.assertGreaterEqual(self.client.logs()[0].fix_count, 2)
        self.client.stop_log("drive")
        entries = list(self.client.read_log("drive"))
        self.assertTrue(any(isinstance(entry, locationd.Fix) for entry in entries))
        tomorrow = datetime.now(timezone.utc) + timedelta(days=1)
        self.assertFalse(any(isinstance(entry, locationd.Fix) for entry in self.client.read_log("drive", begin=tomorrow)))
        self.client.remove_log("drive")
        with self.assertRaisesRegex(locationd.RequestFailed, "no log 'drive'"):
            self.client.stop_log("drive")

    def test_regions_and_their_events(self):
        fix = self.client.fix(timeout_s=30)
        here = locationd.Region("here", locationd.Circle(fix.latitude, fix.longitude, 200))
        far = locationd.Region("far", locationd.Polygon(((1, 1), (2, 2), (1, 2))))
        self.client.add_regions(here, far)
        self.assertEqual({region.identifier for region in self.client.regions()}, {"here", "far"})
        for event in self.client.events():
            if event.region == "here":
                self.assertEqual(event.state, locationd.RegionState.INSIDE)
                break
        self.assertEqual(self.client.region_state("far"), locationd.RegionState.OUTSIDE)
        self.client.remove_regions(far)
        self.assertIsNone(self.client.region_state("far"))
        self.client.remove_all_regions()
        self.assertEqual(list(self.client.regions()), [])

    def test_visits(self):
        self.client.monitor_visits()
        self.assertEqual(self.client.visits(), ())
        self.client.monitor_visits(False)

    def test_no_daemon(self):
        with self.assertRaisesRegex(locationd.ServiceUnavailable, "No locationd at /nowhere/socket .*systemctl"):
            locationd.Client("a test", path="/nowhere/socket")


class RestartTests(unittest.TestCase):
    def test_updates_go_on_after_a_restart(self):
        with locationd.Client("a test") as client:
            updates = (update for update in client.watch() if isinstance(update, locationd.Fix))
            before = next(updates)
            daemon.stop()
            threading.Thread(target=daemon.start).start()
            after = next(update for update in updates if update.time_ns > before.time_ns + 10**9)
            self.assertGreater(after.time_ns, before.time_ns)

    def test_without_reconnecting_the_end_is_an_error(self):
        with locationd.Client("a test") as client:
            updates = client.watch(reconnects=False)
            next(updates)
            daemon.stop()
            with self.assertRaises((locationd.ServiceUnavailable, locationd.Refused)):
                for _ in updates:
                    pass
            daemon.start()


class AsyncTests(unittest.IsolatedAsyncioTestCase):
    async def test_requests_at_the_same_time(self):
        async with aio.Client("a test") as client:
            fix, status, devices, logs = await asyncio.gather(
                client.fix(timeout_s=30), client.status(), client.devices(), client.logs()
            )
            self.assertTrue(fix.is_simulated)
            self.assertEqual(status.process_id, daemon.process.pid)
            self.assertEqual(len(devices), 1)
            self.assertEqual(logs, ())

    async def test_a_timeout_cancels_the_request(self):
        async with aio.Client("a test") as client:
            with self.assertRaises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await client.fix(timeout_s=30, accuracy_m=0.001)
            self.assertTrue((await client.fix(timeout_s=30)).is_simulated)

    async def test_updates_across_a_restart(self):
        async with aio.Client("a test") as client:
            fixes = []
            async for update in client.watch():
                if isinstance(update, locationd.Fix):
                    fixes.append(update.time_ns)
                if len(fixes) == 1:
                    await asyncio.to_thread(daemon.stop)
                    await asyncio.to_thread(daemon.start)
                if len(fixes) == 2:
                    break
            self.assertLess(fixes[0], fixes[1])

    async def test_regions_and_their_events(self):
        async with aio.Client("a test", program="async-tests") as client:
            fix = await client.fix(timeout_s=30)
            await client.add_regions(locationd.Region("here", locationd.Circle(fix.latitude, fix.longitude, 200)))
            async for event in client.events():
                self.assertEqual(event.region, "here")
                break
            self.assertEqual([region.identifier async for region in client.regions()], ["here"])
            await client.remove_all_regions()

    async def test_no_daemon(self):
        with self.assertRaises(locationd.ServiceUnavailable):
            async with aio.Client("a test", path="/nowhere/socket"):
                pass


if __name__ == "__main__":
    unittest.main()
