"""What sending positions costs and how late they arrive: through locationd's outbox, its helper and mosquitto, beside a mosquitto bridge."""

import json
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

import settings
from table import Row, absent

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOSQUITTO = "/usr/sbin/mosquitto"
BACKLOG = 40
FOLDER = ".build/release"
# OwnTracks Recorder takes 15 messages a second. The receiver here takes this many times as many, and the destination has this many times
# the rate of 10 a second, so that the queue between them, of 1,000 messages, fills and drains as with the Recorder, in less time.
TIMES_FASTER = 10
SLOW_RECEIVER, RATE = 15 * TIMES_FASTER, 10 * TIMES_FASTER
QUEUED = 100_000 if settings.FULL else 6_000
PERSISTENT = ["allow_anonymous true", "persistence true", "max_queued_messages 0"]


def modules():
    """Those of `make fleet`, with the release build."""
    os.environ.setdefault("FLEET_HELPER", str(ROOT / FOLDER / "locationd-fleet-helper"))
    os.environ.setdefault("LOCATIOND", str(ROOT / FOLDER / "locationd"))
    os.environ.setdefault("LOCATIONCTL", str(ROOT / FOLDER / "locationctl"))
    sys.path.insert(0, str(ROOT / "Tests/Fleet"))
    import fleet_helper
    import fleet_service
    return fleet_helper, fleet_service


def memory(process: int) -> float:
    with open(f"/proc/{process}/smaps_rollup") as file:
        found = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
    return int(found["Rss"].split()[0]) / 1000


def switches(process: int) -> int:
    with open(f"/proc/{process}/status") as file:
        found = dict(line.split(":", 1) for line in file.read().splitlines())
    return int(found["voluntary_ctxt_switches"])


def cursor_bytes(state: str) -> int:
    """Bytes written for the cursor: its sectors of 512 bytes count their writes."""
    with open(f"{state}/fleet/bench/cursor", "rb") as file:
        data = file.read()
    return 512 * max(struct.unpack_from("<Q", data, offset + 8)[0] for offset in range(0, len(data), 512))


def sent(helper, fleet, folder: str) -> list[Row]:
    """At 1 Hz, connected."""
    bus = helper.Broker(folder, ["allow_anonymous true"])
    recorder = fleet.Recorder(bus.port)
    receiver = fleet.Receiver()
    service = fleet.Service(f"serial:{receiver.path}")
    try:
        service.run("fleet", "add", "bench", f"mqtt://127.0.0.1:{bus.port}", "--interval", "0s")
        recorder.wait_for_more(70, 120)
        result = fleet.Result(receiver, recorder, [])
        written = cursor_bytes(f"{service.folder.name}/state")
        return [
            Row("receiver's last byte → subscriber of a broker on this machine, median",
                statistics.median(result.delays) * 1000, "ms", 1000, note=f"slowest {result.delays[-1] * 1000:.0f} ms"),
            Row("bytes written for a sent position beyond logging it, 1 Hz", written / result.count, "bytes", 20,
                "a queue in SQLite (issue 29)", 1529)]
    finally:
        service.close()
        receiver.close()
        recorder.close()
        bus.kill()


def idle(helper, folder: str) -> list[Row]:
    """A connected helper for a minute, and Debian's own client of the same library."""
    bus = helper.Broker(folder, ["allow_anonymous true"])
    try:
        client = subprocess.Popen(["mosquitto_sub", "-p", str(bus.port), "-t", "bench", "-k", "60"])
        with helper.Helper(helper.connect(bus.address, keep_alive=60)) as one:
            one.receive()
            time.sleep(2)
            before, others = switches(one.process.pid), switches(client.pid)
            time.sleep(62)
            rows = [
                Row("helper of a destination, connected and idle, resident", memory(one.process.pid), "MB", 9,
                    "mosquitto_sub", memory(client.pid)),
                Row("the same, wakeups in 62 s at a keep-alive of 60 s", switches(one.process.pid) - before, "", 1,
                    "mosquitto_sub", switches(client.pid) - others)]
        client.terminate()
        client.wait()
        return rows
    finally:
        bus.kill()


def lost_by_a_bridge(helper, fleet, folder: str) -> int:
    """Positions that an edge broker with a bridge has acknowledged, and that never arrive: the far broker is away, and the edge is killed."""
    port = helper.free_port()
    far = helper.Broker(folder, PERSISTENT, port)
    recorder = fleet.Recorder(port, "bench/#")
    far.kill()
    edge = helper.Broker(folder, [
        *PERSISTENT, "connection up", f"address 127.0.0.1:{port}", "topic bench/# out 1", "cleansession false",
        "restart_timeout 1"])
    with helper.Helper(helper.connect(edge.address, window=64)) as source:
        source.receive()
        for number in range(BACKLOG):
            source.send("bench/a", f'{{"_type":"location","_id":"{number}","tst":{number}}}')
        for _ in range(BACKLOG):
            assert source.receive()[0] == "answered"
    edge.kill()
    edge.start()
    far.start()
    recorder.wait(lambda: len(recorder.fixes()) >= BACKLOG, 10)
    count = len({one["_id"] for one, _ in recorder.fixes()})
    recorder.close()
    edge.kill()
    far.kill()
    return BACKLOG - count


def kept(helper, fleet, folder: str) -> list[Row]:
    """Positions of a time without the broker, at the end of which the service is killed."""
    port = helper.free_port()
    bus = helper.Broker(folder, [*PERSISTENT, "autosave_on_changes true", "autosave_interval 1"], port)
    recorder = fleet.Recorder(port)
    receiver = fleet.Receiver()
    service = fleet.Service(f"serial:{receiver.path}")
    try:
        service.run("fleet", "add", "bench", f"mqtt://127.0.0.1:{port}", "--interval", "0s")
        recorder.wait_for_more(2)
        bus.kill()
        began = time.time()
        # What is younger than 30 s is in the memory alone, as with a log.
        time.sleep(BACKLOG + 32)
        service.kill()
        bus.start()
        service.start()
        recorder.wait_for_more(BACKLOG + 5, 120)
        times = {one["tst"] for one, _ in recorder.fixes()}
        away = [second for second in receiver.sent if began < second < began + BACKLOG]
        missing = sum(second not in times for second in away)
        result = fleet.Result(receiver, recorder, [])
        return [
            Row(f"{len(away)} positions without a broker, then kill -9 of the sender: lost", missing, "", 0,
                "mosquitto as a bridge, of 40", lost_by_a_bridge(helper, fleet, folder)),
            Row("the same: sent twice, with the same identifier", result.duplicates, "", 64),
            Row("the same: out of order", result.out_of_order, "", 0)]
    finally:
        service.close()
        receiver.close()
        recorder.close()
        bus.kill()


class SlowReceiver:
    """A subscriber with a persistent session that takes a bounded number of messages a second; counts the identifiers."""

    def __init__(self, port: int, topic: str, client: str):
        import paho.mqtt.client as paho
        self.identifiers, self.count, self.is_ready = set(), 0, threading.Event()
        self.next = 0.0
        self.client = paho.Client(client, clean_session=False)
        self.client.on_message = self.received
        self.client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self.client.on_subscribe = lambda *_: self.is_ready.set()
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self.is_ready.wait(20)

    def received(self, _client, _context, message):
        # paho acknowledges a message when this returns.
        now = time.monotonic()
        # On a busy machine, it makes up for half a second at most.
        self.next = max(self.next + 1 / SLOW_RECEIVER, now - 0.5)
        time.sleep(max(0, self.next - now))
        self.count += 1
        body = message.payload
        if b'"_id"' in body:
            self.identifiers.add(body.split(b'"_id":"', 1)[1].split(b'"', 1)[0])

    def settle(self) -> int:
        """How many different positions have arrived once nothing comes any more."""
        last = -1
        while last != self.count:
            last = self.count
            time.sleep(5)
        self.client.loop_stop()
        self.client.disconnect()
        return len(self.identifiers)


def lost_unpaced(helper, folder: str) -> int:
    """Of as many positions that a publisher hands to mosquitto as fast as it acknowledges them."""
    bus = helper.Broker(folder, ["allow_anonymous true"])
    receiver = SlowReceiver(bus.port, "bench/#", "slow")
    with helper.Helper(helper.connect(bus.address, window=64)) as source:
        source.receive()
        waiting = 0
        for number in range(QUEUED):
            source.send("bench/a", f'{{"_type":"location","_id":"{number}","tst":{number}}}')
            waiting += 1
            while waiting >= 60 or waiting and number == QUEUED - 1:
                assert source.receive()[0] == "answered"
                waiting -= 1
        arrived = receiver.settle()
    bus.kill()
    return QUEUED - arrived


def backlog(helper, fleet, folder: str) -> list[Row]:
    """A backlog for a receiver that takes less than a broker accepts, with mosquitto's default limits."""
    writer = ROOT / FOLDER / "Benchmarks"
    if not writer.exists():
        return [absent("backlog of a destination", "", "Benchmarks is not built")]
    bus = helper.Broker(folder, ["allow_anonymous true"])
    receiver = SlowReceiver(bus.port, "owntracks/#", "slow")
    # Without any position of its own.
    master, slave = os.openpty()
    service = fleet.Service(f"serial:{os.ttyname(slave)}")
    try:
        service.run("fleet", "add", "bench", f"mqtt://127.0.0.1:{bus.port}", "--interval", "0s", "--rate", str(RATE))
        service.run("fleet", "pause", "bench")
        service.stop()
        fixes = f"{folder}/fixes"
        with open(fixes, "w") as file:
            for number in range(100):
                file.write(f"{int(time.time()) - QUEUED - 1000 + number} {47 + number / 1e5} 8.5 2.5 440 393 4 12 0.2 46 1 12 2\n")
        subprocess.run(
            [writer, "track", fixes, f"{service.folder.name}/state/fleet/bench/track", str(QUEUED), "0", "-"], check=True,
            stdout=subprocess.DEVNULL)
        service.start()
        queued = service.report("bench")["waiting"]
        began = time.time()
        service.run("fleet", "resume", "bench")
        while service.report("bench")["waiting"]:
            time.sleep(2)
        duration = time.time() - began
        lost = queued - receiver.settle()
        return [
            Row(f"backlog of {queued:,} positions at {RATE} a second to mosquitto with its default limits, and a receiver of {SLOW_RECEIVER} a "
                "second: lost", lost, "", 0, f"an MQTT client without a pace, of {QUEUED:,}", lost_unpaced(helper, folder),
                note=f"in {duration:.0f} s")]
    finally:
        service.close()
        os.close(master)
        os.close(slave)
        bus.kill()


def measured() -> list[Row]:
    helper, fleet = modules()
    folder = tempfile.mkdtemp()
    parts = {
        "sent": lambda: sent(helper, fleet, folder), "idle": lambda: idle(helper, folder),
        "kept": lambda: kept(helper, fleet, folder), "backlog": lambda: backlog(helper, fleet, folder)}
    rows = []
    try:
        for name, measure in parts.items():
            try:
                rows += measure()
            except Exception as failure:  # One part that fails does not hide the others.
                rows.append(absent(f"destinations: {name}", "", f"failed: {failure}"))
        return rows
    finally:
        shutil.rmtree(folder)


def rows() -> list[Row]:
    if not os.access(MOSQUITTO, os.X_OK):
        return [absent("destinations", "", "mosquitto is not installed: make packages-fleet")]
    # Debian's Python has paho from Debian's packages; another one that comes first in the path need not have it.
    done = subprocess.run(["/usr/bin/python3", "-B", __file__, "--json"], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode:
        return [absent("destinations", "", "failed: make packages-fleet, then see the error above")]
    return [Row(**row) for row in json.loads(done.stdout)]


if __name__ == "__main__":
    if "--json" in sys.argv:
        print(json.dumps([vars(row) for row in measured()]))
    else:
        import table
        print(table.markdown(measured()))
