"""What a scenario has in its hands."""

import json
import shlex
from contextlib import contextmanager

from machine import GuestFailure, Machine


class Failed(Exception):
    """A check that did not hold."""


class Skipped(Exception):
    """What cannot be tried here, and why."""


class Receiver:
    """One that can be plugged in and out; times are seconds of the guest's monotonic clock."""

    def __init__(self, bench: "Bench", name: str) -> None:
        self.bench, self.name = bench, name

    def plug(self) -> float:
        return self.bench.call("plug", name=self.name)

    def unplug(self) -> float:
        return self.bench.call("unplug", name=self.name)

    def node(self, within: float = 20) -> str:
        """Its port's path, once udev is done with it."""
        return self.bench.call("node", name=self.name, within=within, patience=within + 30)

    def requests(self) -> dict:
        """Of an adapter: `openings`, `speeds` asked for, and the `speed` now; of all: what was `heard` last, in hexadecimal."""
        return self.bench.call("requests", name=self.name)


class Watch:
    """`locationctl watch`, each line with the time at which it came."""

    def __init__(self, bench: "Bench", name: str) -> None:
        self.bench, self.name = bench, name

    def fix(self, after: float, within: float = 20) -> dict:
        return self._wait("latitude", None, after, within)

    def event(self, event: str, after: float, within: float = 20) -> dict:
        return self._wait("event", event, after, within)

    def _wait(self, key: str, value: str | None, after: float, within: float) -> dict:
        return self.bench.call(
            "wait_for", name=self.name, key=key, value=value, after=after, within=within, patience=within + 30)

    def lines(self, after: float) -> list[dict]:
        return self.bench.call("lines", name=self.name, after=after)


class Bench:
    def __init__(self, machine: Machine, replugs: int, package: str) -> None:
        self.machine, self.replugs, self.package = machine, replugs, package
        self.figures: dict[str, list[float]] = {}
        self.limits: dict[str, float] = {}
        self.notes: list[str] = []
        self.named = 0

    def call(self, name: str, /, patience: float = 60, **arguments):
        return self.machine.call(name, patience, **arguments)

    # The guest

    def shell(self, command: str, timeout: float = 60, expect: int | None = 0) -> str:
        """What a shell command in the guest printed; a status other than `expect` fails the scenario."""
        answer = self.call("shell", command=command, timeout=timeout, patience=timeout + 30)
        if expect is not None and answer["status"] != expect:
            raise Failed(f"'{command}' ended with {answer['status']}, not {expect}: {answer['output'][-600:].strip()}")
        return answer["output"]

    def status(self, command: str, timeout: float = 60) -> int:
        return self.call("shell", command=command, timeout=timeout, patience=timeout + 30)["status"]

    def now(self) -> float:
        return self.call("now")

    def reboot(self, clock: str = "utc") -> None:
        """In good order."""
        self.shell("sync")
        self.machine.cut_power()
        self.machine.boot(clock)

    def power_cut(self) -> None:
        """Out in the middle of whatever it does, and on again."""
        self.machine.cut_power()
        self.machine.boot()

    # Receivers and clients

    @contextmanager
    def receiver(self, kind: str, **settings):
        """A receiver of guest/receivers.py that is not plugged in yet."""
        self.named += 1
        name = f"{kind}-{self.named}"
        self.call("receiver", name=name, kind=kind, **settings)
        try:
            yield Receiver(self, name)
        finally:
            self._quietly("remove", name=name)

    @contextmanager
    def watch(self, *options: str, user: str = "root"):
        self.named += 1
        name = f"watch-{self.named}"
        self.call("watch", name=name, command=["locationctl", "watch", *options], user=user)
        try:
            yield Watch(self, name)
        finally:
            self._quietly("end_watch", name=name)

    def wait_until(self, command: str, otherwise: str, within: float = 30) -> None:
        """Until the guest's shell says yes to `command`."""
        loop = f"end=$((SECONDS + {within:.0f})); until {command}; do [ $SECONDS -lt $end ] || exit 1; sleep 0.1; done"
        self.check(self.status(loop, timeout=within + 30) == 0, otherwise)

    def fix(self, *options: str, timeout: float = 60) -> dict:
        """What one `locationctl fix` gives."""
        return json.loads(self.shell(f"locationctl fix {shlex.join(options)} 2>/dev/null", timeout=timeout))

    def devices(self) -> list[dict]:
        """The lines of `locationctl devices`."""
        return [json.loads(line) for line in self.shell("locationctl devices --listen 0 2>/dev/null", expect=None).splitlines()]

    def unplug_and_plug(self, receiver: Receiver, watch: Watch, times: int) -> None:
        """In and out again while it is watched: the loss is told at once, nothing old after it, and the fix is back."""
        for _ in range(times):
            unplugged = receiver.unplug()
            lost = watch.event("lost", after=unplugged)
            self.figure("unplug → loss told", lost["time"] - unplugged, at_most=0.2)
            plugged = receiver.plug()
            stale = [line for line in watch.lines(after=lost["time"]) if "latitude" in line["line"] and line["time"] < plugged]
            self.check(not stale, f"a fix after the loss: {stale}")
            fix = watch.fix(after=plugged)
            self.figure("plug → fix", fix["time"] - plugged, at_most=3)

    def identity(self, receiver: Receiver, within: float = 30) -> str:
        """The ID that `locationctl devices` gives to what is plugged in, and not to what had its port before it."""
        node = receiver.node()
        vendor, product = self.call("usb", name=receiver.name)
        end = self.now() + within
        while self.now() < end:
            for device in self.devices():
                if (device["path"], device.get("vendorId"), device.get("productId")) == (node, vendor, product):
                    return device["id"]
        raise Failed(f"{node} is not listed as {vendor}:{product}")

    def trust(self, receiver: Receiver) -> str:
        """The owner's word for a general adapter that is plugged in; its ID."""
        known = self.identity(receiver)
        self.shell(f"locationctl devices trust {shlex.quote(known)}")
        return known

    def restart_service(self) -> None:
        """However often it was started lately."""
        self.shell("systemctl reset-failed locationd.service; systemctl restart locationd.service", timeout=120)

    @contextmanager
    def drop_in(self, line: str):
        """The service with another line in its unit, and then without."""
        folder = "/run/systemd/system/locationd.service.d"
        self.shell(f"mkdir -p {folder}; printf '[Service]\\n{line}\\n' > {folder}/bench.conf; systemctl daemon-reload")
        try:
            self.restart_service()
            yield
        finally:
            self.shell(f"rm -r {folder}; systemctl daemon-reload")
            self.restart_service()

    @contextmanager
    def recorded_disk(self, path: str):
        """The service's state on a disk of which every write is recorded."""
        self.shell("systemctl stop locationd.service")
        self.call("record_disk", path=path, owner="locationd:location")
        try:
            self.restart_service()
            yield
            self.shell("systemctl stop locationd.service")
        finally:
            self.call("end_disk")
            self.restart_service()

    def mark_disk(self, text: str) -> None:
        self.call("mark_disk", text=text)

    def disk_states(self, command: str) -> list[dict]:
        """What a shell command prints of each state of the recorded disk that a power cut at a flush would have left, at $STATE:
        the `mark` before it, the command's `status`, its `content` and its `errors`."""
        return [state for state in self.call("disk_states", patience=300, command=command) if state["mark"] != "made"]

    def awake(self, units: list[str]) -> None:
        """Neighbours, which are masked in the guest."""
        self.shell("; ".join(f"rm -f /etc/systemd/system/{unit}" for unit in units) + "; systemctl daemon-reload")

    def asleep(self, units: list[str]) -> None:
        masks = "; ".join(f"ln -sf /dev/null /etc/systemd/system/{unit}" for unit in units)
        self.shell(f"systemctl stop {' '.join(unit for unit in units if '@' not in unit)}; {masks}; systemctl daemon-reload", timeout=120)

    def _quietly(self, name: str, /, **arguments) -> None:
        try:
            self.call(name, **arguments)
        except GuestFailure:
            pass  # Its power was cut, or it hangs: the scenario has said so already.

    # What a scenario says

    def check(self, holds, otherwise: str) -> None:
        if not holds:
            raise Failed(otherwise)

    def needs(self, holds, otherwise: str) -> None:
        """What this guest has to have; a scenario without it is skipped."""
        if not holds:
            raise Skipped(otherwise)

    def figure(self, name: str, seconds: float, at_most: float) -> None:
        """Kept and shown; too much of it fails the scenario."""
        self.figures.setdefault(name, []).append(seconds)
        self.limits[name] = at_most
        self.check(seconds <= at_most, f"{name}: {seconds:.3f} s, at most {at_most} s")

    def note(self, words: str) -> None:
        """Shown in the scenario's line."""
        self.notes.append(words)

    def told(self) -> str:
        """Notes and figures so far, in a few words; they are forgotten."""
        words = self.notes + [
            f"{name} {sorted(values)[len(values) // 2]:.3f} s median, {max(values):.3f} s worst of {len(values)}"
            for name, values in self.figures.items()
        ]
        self.figures, self.notes = {}, []
        return "; ".join(words)

