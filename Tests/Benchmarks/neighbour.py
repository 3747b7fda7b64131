"""gpsd beside us: whether it survives our one-shots."""

import json
import os
import subprocess
import tempfile
import threading
import time

import epoch
import programs
import settings
from table import Row, absent
from terminal import Terminal


class Receiver:
    """A receiver at 1 Hz that speaks on a thread of its own until it is switched off."""

    def __init__(self) -> None:
        self.terminal = Terminal()
        self.isOn = True
        self.thread = threading.Thread(target=self.speak)
        self.thread.start()

    def speak(self) -> None:
        base = int(time.time()) + 1
        number = 0
        while self.isOn:
            time.sleep(max(0.0, base + number - time.time()))
            self.terminal.write(epoch.epoch(base + number, number))
            number += 1

    def switch_off(self) -> None:
        self.isOn = False
        self.thread.join()
        self.terminal.close()


def survived(times: int, has_client: bool) -> int:
    """One-shots on a receiver that gpsd lists, by its path; how often a fix came and gpsd and its list were as before."""
    receiver = Receiver()
    gpsd = programs.Gpsd(receiver.terminal.path, opens_unasked=has_client)
    good = 0
    try:
        if not has_client:
            gpsd.client.close()
        with tempfile.TemporaryDirectory() as state:
            for _ in range(times):
                run = subprocess.run(
                    [programs.LOCATIONCTL, "fix", "--source", f"serial:{receiver.terminal.path}", "--format", "json"],
                    env={**os.environ, "LOCATIOND_STATE": state, "LOCATIOND_GPSD": f"127.0.0.1:{gpsd.port}"},
                    capture_output=True, timeout=60)
                has_fix = run.returncode == 0 and "latitude" in json.loads(run.stdout)
                good += has_fix and gpsd.process.poll() is None and receiver.terminal.path in gpsd.devices()
    finally:
        gpsd.stop()
        receiver.switch_off()
    return good


def rows() -> list[Row]:
    name = "one-shots beside gpsd that brought no fix, or cost gpsd its receiver or its life"
    if not programs.GPSD:
        return [absent(name, "", "no gpsd is installed")]
    with_client = survived(settings.ONE_SHOTS_BESIDE_GPSD, has_client=True)
    without = survived(settings.ONE_SHOTS_BESIDE_GPSD, has_client=False)
    each = settings.ONE_SHOTS_BESIDE_GPSD
    note = f"all well after {with_client} of {each} with a client and {without} of {each} without"
    return [Row(name, 2 * each - with_client - without, "", 0, note=note)]
