"""The blocking client."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from types import TracebackType

from . import _requests, _session
from ._connection import HELLO_TIMEOUT_S, all_of, delays, expect, may_retry, program_name
from ._requests import Otherwise
from ._session import Answer, Done, LogPage, MonitoringPage, Session
from ._wire import Reader, Value, items
from .errors import LocationError
from .regions import Event, Region, RegionState, decode, identifiers
from .values import Device, Fix, Log, LogMark, Sky, Status, StreamChange, Visit


class Client:
    """A connection to locationd. Use it in a `with` statement, in one thread at a time.

    `purpose` is what the program needs location for; users read it in the prompt for access.
    """

    def __init__(self, purpose: str, *, program: str | None = None, path: str | None = None) -> None:
        self._path = _requests.socket_path(path)
        self._program = program or program_name()
        self._purpose = purpose
        self._connect()

    def _connect(self) -> None:
        self._session = Session(self._program, self._purpose)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(HELLO_TIMEOUT_S)
            self._socket.connect(self._path)
            self._socket.sendall(self._session.hello())
            while not self._session.check_hello():
                self._session.receive(self._socket.recv(65_536))
            self._socket.settimeout(None)
        except OSError as error:
            self.close()
            raise _requests.unavailable(self._path, error) from None
        except LocationError:
            self.close()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection and all its requests."""
        self._socket.close()

    @property
    def release(self) -> str:
        """The release of the daemon."""
        return self._session.release or ""

    # Positions

    def fix(
        self,
        *,
        timeout_s: float = 60,
        max_age_s: float = 2,
        accuracy_m: float | None = None,
        otherwise: Otherwise = Otherwise.FAIL,
        source: str | None = None,
        waits_for_source: bool = False,
    ) -> Fix:
        """One position. With `accuracy_m`, one whose 68 % radius is at most this large; `otherwise` says what happens if there is none.

        `source` is the port of a receiver. `waits_for_source` waits for a receiver to be plugged in.
        """
        values = _requests.locate(timeout_s, max_age_s, accuracy_m, otherwise, source, waits_for_source)
        return expect(self._ask(_session.LOCATE, values), Fix)

    def watch(
        self,
        *,
        distance_m: float | None = None,
        accuracy_m: float | None = None,
        rate_hz: int | None = None,
        sufficient_m: float | None = None,
        source: str | None = None,
        reconnects: bool = True,
    ) -> Iterator[Fix | StreamChange]:
        """Every position, and what happens to the stream, until the loop ends. Continues after a restart of the daemon."""
        values = _requests.updates(distance_m, accuracy_m, rate_hz, sufficient_m, source)
        last_ns = -(1 << 63)
        while True:
            try:
                for answer in self._stream(_session.UPDATES, values):
                    if isinstance(answer, StreamChange):
                        yield answer
                    elif isinstance(answer, Fix) and answer.time_ns > last_ns:
                        last_ns = answer.time_ns
                        yield answer
            except LocationError as error:
                if not reconnects or not may_retry(error):
                    raise
                self._reconnect()

    def sky(self) -> Iterator[Sky]:
        """The satellites of each receiver at every update, until the loop ends."""
        for answer in self._stream(_session.SKY, {2: 1}):
            yield expect(answer, Sky)

    # The service

    def status(self) -> Status:
        """The state of the daemon."""
        return expect(self._ask(_session.STATUS), Status)

    def devices(self) -> tuple[Device, ...]:
        """Receivers, and serial adapters that may have one behind them."""
        return all_of(self._ask(_session.DEVICES), Device)

    # Logs

    def logs(self) -> tuple[Log, ...]:
        return all_of(self._ask(_session.LOG, _requests.log(3)), Log)

    def start_log(
        self,
        name: str = "default",
        *,
        distance_m: float | None = None,
        interval_s: float | None = None,
        records_standing: bool = False,
        keep_days: int | None = None,
    ) -> None:
        """Starts a log in the background, or changes the options of a log that is recorded."""
        options = _requests.log_options(distance_m, interval_s, records_standing, keep_days)
        expect(self._ask(_session.LOG, _requests.log(0, name, {3: options})), Done)

    def stop_log(self, name: str = "default") -> None:
        expect(self._ask(_session.LOG, _requests.log(1, name)), Done)

    def rename_log(self, name: str, new_name: str) -> None:
        """Gives a log another name, also while it is recorded."""
        expect(self._ask(_session.LOG, _requests.log(10, name, {8: new_name})), Done)

    def add_note(self, text: str, name: str = "default") -> None:
        """Stores a note of at most 200 bytes in a log, at the current position, or at the last position of the log."""
        expect(self._ask(_session.LOG, _requests.log(11, name, {8: text})), Done)

    def remove_log(self, name: str) -> None:
        """Deletes a log and everything in it."""
        expect(self._ask(_session.LOG, _requests.log(2, name)), Done)

    def read_log(
        self, name: str = "default", *, begin: datetime | None = None, end: datetime | None = None
    ) -> Iterator[Fix | LogMark]:
        """The fixes of a log, and what happened between them."""
        values = _requests.log(4, name, _requests.period(begin, end))
        while True:
            page = expect(self._ask(_session.LOG, values), LogPage)
            yield from page.entries
            if page.bookmark is None:
                return
            values = _requests.log(5, name, {6: page.bookmark})

    # Regions, visits and events

    def add_regions(self, *regions: Region, list_name: str | None = None) -> None:
        """Regions that the daemon monitors from now on, also without this program. A region replaces one of the same identifier."""
        expect(self._ask(_session.MONITORING, _requests.add_regions(self._list(list_name), regions)), Done)

    def remove_regions(self, *regions: Region | str, list_name: str | None = None) -> None:
        values = _requests.monitoring(1, self._list(list_name), {4: items(identifiers(regions))})
        expect(self._ask(_session.MONITORING, values), Done)

    def remove_all_regions(self, *, list_name: str | None = None) -> None:
        expect(self._ask(_session.MONITORING, _requests.monitoring(2, self._list(list_name))), Done)

    def regions(self, *, list_name: str | None = None) -> Iterator[Region]:
        start = 0
        while True:
            values = _requests.monitoring(4, self._list(list_name), {6: start})
            page = expect(self._ask(_session.MONITORING, values), MonitoringPage)
            for item in page.regions:
                yield decode(Reader(item))
            if page.next is None:
                return
            start = page.next

    def region_state(self, region: Region | str, *, list_name: str | None = None) -> RegionState | None:
        """The state of a region; None: there is no such region."""
        values = _requests.monitoring(3, self._list(list_name), {5: identifiers([region])[0]})
        page = expect(self._ask(_session.MONITORING, values), MonitoringPage)
        return None if page.state is None else RegionState(page.state)

    def monitor_visits(self, is_on: bool = True, *, list_name: str | None = None) -> None:
        """Switches the detection of visits on or off for this program."""
        expect(self._ask(_session.MONITORING, _requests.monitoring(6, self._list(list_name), {7: int(is_on)})), Done)

    def visits(self, *, ended_after: datetime | None = None, list_name: str | None = None) -> tuple[Visit, ...]:
        values = _requests.monitoring(8, self._list(list_name), _requests.visits_after(ended_after))
        return all_of(self._ask(_session.MONITORING, values), Visit)

    def events(self, *, list_name: str | None = None) -> Iterator[Event]:
        """The events of this program's regions and visits, also those that it missed, until the loop ends.

        An event is confirmed when the loop asks for the next one: if the program ends before, it is delivered again.
        """
        name = self._list(list_name)
        for answer in self._stream(_session.MONITORING, _requests.monitoring(9, name, {7: 1})):
            event = expect(answer, Event)
            yield event
            if event.id:
                expect(self._ask(_session.MONITORING, _requests.monitoring(10, name, {6: event.id})), Done)

    # The connection

    def _list(self, name: str | None) -> str:
        return name or self._program

    def _ask(self, kind: int, values: Mapping[int, Value] | None = None) -> Answer:
        request, data = self._session.request(kind, values or {})
        try:
            self._send(data)
            return self._wait(request)
        finally:
            self._cancel(request)

    def _stream(self, kind: int, values: Mapping[int, Value]) -> Iterator[Answer]:
        request, data = self._session.request(kind, values, is_stream=kind != _session.MONITORING)
        try:
            self._send(data)
            while True:
                yield self._wait(request)
        finally:
            self._cancel(request)

    def _wait(self, request: int) -> Answer:
        while (answer := self._session.take(request)) is None:
            self._session.receive(self._receive())
        return answer

    def _receive(self) -> bytes:
        try:
            return self._socket.recv(65_536)
        except OSError:
            return b""

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError:
            # What the daemon said before it ended the connection is more precise.
            while data := self._receive():
                self._session.receive(data)
            self._session.receive(b"")

    def _cancel(self, request: int) -> None:
        data = self._session.cancel(request)
        if data and self._socket.fileno() >= 0:
            try:
                self._socket.sendall(data)
            except OSError:
                pass

    def _reconnect(self) -> None:
        self.close()
        for delay in delays():
            time.sleep(delay)
            try:
                return self._connect()
            except LocationError as error:
                if not may_retry(error):
                    raise
