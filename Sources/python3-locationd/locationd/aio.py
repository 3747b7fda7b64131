"""The asyncio client: the methods of `locationd.Client`, with `await` and `async for`.

Requests of one client may run at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from types import TracebackType

from . import _requests, _session
from ._connection import HELLO_TIMEOUT_S, all_of, delays, expect, may_retry, program_name
from ._requests import Otherwise
from ._session import Answer, Done, LogPage, MonitoringPage, Session
from ._wire import Reader, Value, items
from .errors import LocationError, ServiceUnavailable
from .regions import Event, Region, RegionState, decode, identifiers
from .values import Device, Fix, Log, LogMark, Sky, Status, StreamChange, Visit


class Client:
    """A connection to locationd. Use it in an `async with` statement.

    `purpose` is what the program needs location for; users read it in the prompt for access.
    """

    def __init__(self, purpose: str, *, program: str | None = None, path: str | None = None) -> None:
        self._path = _requests.socket_path(path)
        self._program = program or program_name()
        self._purpose = purpose
        self._session = Session(self._program, purpose)
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None
        self._arrived = asyncio.Event()
        self._connecting = asyncio.Lock()

    async def __aenter__(self) -> Client:
        await self._connect()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection and all its requests."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._session.end(ServiceUnavailable("This program has closed the connection."))
        self._wake()

    @property
    def release(self) -> str:
        """The release of the daemon."""
        return self._session.release or ""

    # Positions

    async def fix(
        self,
        *,
        timeout_s: float = 60,
        max_age_s: float = 2,
        accuracy_m: float | None = None,
        otherwise: Otherwise = Otherwise.FAIL,
        source: str | None = None,
        waits_for_source: bool = False,
    ) -> Fix:
        """One position; see `locationd.Client.fix`."""
        values = _requests.locate(timeout_s, max_age_s, accuracy_m, otherwise, source, waits_for_source)
        return expect(await self._ask(_session.LOCATE, values), Fix)

    async def watch(
        self,
        *,
        distance_m: float | None = None,
        accuracy_m: float | None = None,
        rate_hz: int | None = None,
        sufficient_m: float | None = None,
        source: str | None = None,
        reconnects: bool = True,
    ) -> AsyncIterator[Fix | StreamChange]:
        """Every position, and what happens to the stream; see `locationd.Client.watch`."""
        values = _requests.updates(distance_m, accuracy_m, rate_hz, sufficient_m, source)
        last_ns = -(1 << 63)
        while True:
            session = self._session
            try:
                async for answer in self._stream(_session.UPDATES, values):
                    if isinstance(answer, StreamChange):
                        yield answer
                    elif isinstance(answer, Fix) and answer.time_ns > last_ns:
                        last_ns = answer.time_ns
                        yield answer
            except LocationError as error:
                if not reconnects or not may_retry(error):
                    raise
                await self._reconnect(session)

    async def sky(self) -> AsyncIterator[Sky]:
        """The satellites of each receiver at every update."""
        async for answer in self._stream(_session.SKY, {2: 1}):
            yield expect(answer, Sky)

    # The service

    async def status(self) -> Status:
        """The state of the daemon."""
        return expect(await self._ask(_session.STATUS), Status)

    async def devices(self) -> tuple[Device, ...]:
        """Receivers, and serial adapters that may have one behind them."""
        return all_of(await self._ask(_session.DEVICES), Device)

    # Logs

    async def logs(self) -> tuple[Log, ...]:
        return all_of(await self._ask(_session.LOG, _requests.log(3)), Log)

    async def start_log(
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
        expect(await self._ask(_session.LOG, _requests.log(0, name, {3: options})), Done)

    async def stop_log(self, name: str = "default") -> None:
        expect(await self._ask(_session.LOG, _requests.log(1, name)), Done)

    async def rename_log(self, name: str, new_name: str) -> None:
        """Gives a log another name, also while it is recorded."""
        expect(await self._ask(_session.LOG, _requests.log(10, name, {8: new_name})), Done)

    async def add_note(self, text: str, name: str = "default") -> None:
        """Stores a note of at most 200 bytes in a log, at the current position, or at the last position of the log."""
        expect(await self._ask(_session.LOG, _requests.log(11, name, {8: text})), Done)

    async def remove_log(self, name: str) -> None:
        """Deletes a log and everything in it."""
        expect(await self._ask(_session.LOG, _requests.log(2, name)), Done)

    async def read_log(
        self, name: str = "default", *, begin: datetime | None = None, end: datetime | None = None
    ) -> AsyncIterator[Fix | LogMark]:
        """The fixes of a log, and what happened between them."""
        values = _requests.log(4, name, _requests.period(begin, end))
        while True:
            page = expect(await self._ask(_session.LOG, values), LogPage)
            for entry in page.entries:
                yield entry
            if page.bookmark is None:
                return
            values = _requests.log(5, name, {6: page.bookmark})

    # Regions, visits and events

    async def add_regions(self, *regions: Region, list_name: str | None = None) -> None:
        """Regions that the daemon monitors from now on; see `locationd.Client.add_regions`."""
        expect(await self._ask(_session.MONITORING, _requests.add_regions(self._list(list_name), regions)), Done)

    async def remove_regions(self, *regions: Region | str, list_name: str | None = None) -> None:
        values = _requests.monitoring(1, self._list(list_name), {4: items(identifiers(regions))})
        expect(await self._ask(_session.MONITORING, values), Done)

    async def remove_all_regions(self, *, list_name: str | None = None) -> None:
        expect(await self._ask(_session.MONITORING, _requests.monitoring(2, self._list(list_name))), Done)

    async def regions(self, *, list_name: str | None = None) -> AsyncIterator[Region]:
        start = 0
        while True:
            values = _requests.monitoring(4, self._list(list_name), {6: start})
            page = expect(await self._ask(_session.MONITORING, values), MonitoringPage)
            for item in page.regions:
                yield decode(Reader(item))
            if page.next is None:
                return
            start = page.next

    async def region_state(self, region: Region | str, *, list_name: str | None = None) -> RegionState | None:
        """The state of a region; None: there is no such region."""
        values = _requests.monitoring(3, self._list(list_name), {5: identifiers([region])[0]})
        page = expect(await self._ask(_session.MONITORING, values), MonitoringPage)
        return None if page.state is None else RegionState(page.state)

    async def monitor_visits(self, is_on: bool = True, *, list_name: str | None = None) -> None:
        """Switches the detection of visits on or off for this program."""
        expect(await self._ask(_session.MONITORING, _requests.monitoring(6, self._list(list_name), {7: int(is_on)})), Done)

    async def visits(self, *, ended_after: datetime | None = None, list_name: str | None = None) -> tuple[Visit, ...]:
        values = _requests.monitoring(8, self._list(list_name), _requests.visits_after(ended_after))
        return all_of(await self._ask(_session.MONITORING, values), Visit)

    async def events(self, *, list_name: str | None = None) -> AsyncIterator[Event]:
        """The events of this program's regions and visits; see `locationd.Client.events`."""
        name = self._list(list_name)
        async for answer in self._stream(_session.MONITORING, _requests.monitoring(9, name, {7: 1})):
            event = expect(answer, Event)
            yield event
            if event.id:
                expect(await self._ask(_session.MONITORING, _requests.monitoring(10, name, {6: event.id})), Done)

    # The connection

    def _list(self, name: str | None) -> str:
        return name or self._program

    async def _connect(self) -> None:
        session = Session(self._program, self._purpose)
        try:
            async with asyncio.timeout(HELLO_TIMEOUT_S):
                reader, writer = await asyncio.open_unix_connection(self._path)
        except OSError as error:
            raise _requests.unavailable(self._path, error) from None
        try:
            async with asyncio.timeout(HELLO_TIMEOUT_S):
                writer.write(session.hello())
                while not session.check_hello():
                    session.receive(await reader.read(65_536))
        except BaseException as error:
            writer.close()
            if isinstance(error, OSError):
                raise _requests.unavailable(self._path, error) from None
            raise
        self._session, self._writer = session, writer
        self._task = asyncio.create_task(self._read(reader, session))

    async def _read(self, reader: asyncio.StreamReader, session: Session) -> None:
        while session.is_connected:
            try:
                data = await reader.read(65_536)
            except OSError:
                data = b""
            session.receive(data)
            self._wake()

    def _wake(self) -> None:
        self._arrived.set()
        self._arrived = asyncio.Event()

    async def _ask(self, kind: int, values: Mapping[int, Value] | None = None) -> Answer:
        session = self._session
        request, data = session.request(kind, values or {})
        try:
            await self._send(data)
            return await self._wait(session, request)
        finally:
            self._cancel(session, request)

    async def _stream(self, kind: int, values: Mapping[int, Value]) -> AsyncIterator[Answer]:
        session = self._session
        request, data = session.request(kind, values, is_stream=kind != _session.MONITORING)
        try:
            await self._send(data)
            while True:
                yield await self._wait(session, request)
        finally:
            self._cancel(session, request)

    async def _wait(self, session: Session, request: int) -> Answer:
        while True:
            arrived = self._arrived
            if (answer := session.take(request)) is not None:
                return answer
            await arrived.wait()

    async def _send(self, data: bytes) -> None:
        if self._writer is None:
            raise ServiceUnavailable("The client has no connection: use it in an 'async with' statement.")
        self._writer.write(data)
        try:
            await self._writer.drain()
        except OSError:
            # The reader reports why the connection has ended.
            pass

    def _cancel(self, session: Session, request: int) -> None:
        data = session.cancel(request)
        if data and session is self._session and self._writer is not None and not self._writer.is_closing():
            self._writer.write(data)

    async def _reconnect(self, ended: Session) -> None:
        async with self._connecting:
            # Another stream of this client may have reconnected.
            if self._session is not ended:
                return
            await self.close()
            for delay in delays():
                await asyncio.sleep(delay)
                try:
                    return await self._connect()
                except LocationError as error:
                    if not may_retry(error):
                        raise
