"""What sending positions costs and how late they arrive: through locationd's outbox, its helper and mosquitto, beside a mosquitto bridge."""

import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from table import Row, absent

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOSQUITTO = "/usr/sbin/mosquitto"
BACKLOG = 40
FOLDER = ".build/release"
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
    bus.path.write_text(bus.path.read_text() + f"persistence_location {bus.folder}/\n")
    bus.kill()
    bus.start()
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


def rows() -> list[Row]:
    if not os.access(MOSQUITTO, os.X_OK):
        return [absent("destinations", "", "mosquitto is not installed: make packages-fleet")]
    try:
        helper, fleet = modules()
    except ImportError as missing:
        return [absent("destinations", "", f"{missing}: make packages-fleet")]
    folder = tempfile.mkdtemp()
    try:
        return [*sent(helper, fleet, folder), *idle(helper, folder), *kept(helper, fleet, folder)]
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    import table
    print(table.markdown(rows()))
