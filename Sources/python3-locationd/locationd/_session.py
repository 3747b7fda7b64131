"""The protocol without I/O: bytes in, events out. The blocking and the asyncio client share it."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator, Mapping

from . import _wire
from ._value import Value
from ._wire import MalformedMessage, Reader
from .errors import LocationError, ProtocolError, ServiceUnavailable, failure, refusal
from .regions import Event
from .values import Device, Fix, Log, LogMark, Sky, Status, StreamChange, Visit

VERSION = 2
"""The version of the protocol that this package speaks."""

HELLO, LOCATE, UPDATES, SKY, CANCEL, DEVICES, STATUS, LOG, MONITORING = 1, 2, 3, 4, 5, 6, 9, 10, 15

NEWEST_KEPT = 16
"""How many unread fixes, changes and skies a stream keeps; older ones are dropped."""


class LogPage(Value):
    entries: tuple[Fix | LogMark, ...]
    bookmark: int | None
    """Where the next page begins; None: this was the last page."""
    damaged: int


class Done(Value):
    """The request was carried out."""


class MonitoringPage(Value):
    """Some regions, or the state of one."""

    regions: tuple[bytes, ...] = ()
    next: int | None = None
    """Where the next page begins; None: this was the last page."""
    state: int | None = None


Answer = (
    Fix
    | StreamChange
    | Sky
    | Done
    | Status
    | LogPage
    | MonitoringPage
    | Event
    | tuple[Device, ...]
    | tuple[Log, ...]
    | tuple[Visit, ...]
    | LocationError
)
"""What an event of the daemon contains."""


class Inbox:
    """The answers to one request that nobody has read yet."""

    def __init__(self, most: int | None) -> None:
        self.answers: deque[Answer] = deque(maxlen=most)
        self.is_closed = False
        """Nothing follows."""


class Session:
    """One connection."""

    def __init__(self, program: str, purpose: str) -> None:
        self.program = program
        self.purpose = purpose
        self.release: str | None = None
        """The release of the daemon, once it has answered `hello`."""
        self._inboxes: dict[int, Inbox] = {}
        self._buffer = bytearray()
        self._last = 0
        self._error: LocationError | None = None

    def hello(self) -> bytes:
        return _wire.frame(HELLO, {1: VERSION, 2: VERSION, 3: self.program[:60], 4: {1: self.purpose[:60], 2: self.purpose[:60]}})

    def request(self, kind: int, values: Mapping[int, _wire.Value], is_stream: bool = False) -> tuple[int, bytes]:
        """A request's ID and its bytes. A stream keeps its newest answers only."""
        self._last = self._last % 0x7FFF_FFFF + 1
        while self._last in self._inboxes:
            self._last = self._last % 0x7FFF_FFFF + 1
        self._inboxes[self._last] = Inbox(NEWEST_KEPT if is_stream else None)
        return self._last, _wire.frame(kind, {1: self._last, **values})

    def cancel(self, request: int) -> bytes:
        """The bytes that cancel a request; empty if it has ended."""
        inbox = self._inboxes.pop(request, None)
        if inbox is None or inbox.is_closed or self._error is not None:
            return b""
        return _wire.frame(CANCEL, {1: request})

    def receive(self, data: bytes) -> None:
        """Takes bytes from the daemon. Without bytes, the daemon has closed the connection."""
        try:
            if not data:
                raise ServiceUnavailable("The daemon has ended the connection: it was stopped, or restarts. Try again.")
            self._buffer += data
            for payload in self._frames():
                self._message(payload)
        except MalformedMessage as error:
            self.end(ProtocolError(f"The daemon sent something that this package does not understand: {error}."))
        except LocationError as error:
            self.end(error)

    def end(self, error: LocationError) -> None:
        """Ends every request with an error."""
        if self._error is None:
            self._error = error

    def take(self, request: int) -> Answer | None:
        """The next answer to a request; None: none has arrived yet. Raises if the request failed or the connection ended."""
        inbox = self._inboxes.get(request)
        if inbox is not None and inbox.answers:
            answer = inbox.answers.popleft()
            if inbox.is_closed and not inbox.answers:
                del self._inboxes[request]
            if isinstance(answer, LocationError):
                raise answer
            return answer
        if self._error is not None:
            raise self._error
        if inbox is None:
            raise ProtocolError("The request has ended.")
        return None

    @property
    def is_connected(self) -> bool:
        return self._error is None

    def check_hello(self) -> bool:
        """Whether the daemon has answered `hello`. Raises if it refused."""
        if self._error is not None:
            raise self._error
        return self.release is not None

    def _frames(self) -> Iterator[bytes]:
        while len(self._buffer) >= 4:
            (size,) = struct.unpack_from("<I", self._buffer)
            if not 1 <= size <= _wire.LARGEST_FRAME:
                raise MalformedMessage(f"expected a message of 1 to {_wire.LARGEST_FRAME} bytes, got {size}")
            if len(self._buffer) < 4 + size:
                return
            payload = bytes(self._buffer[4 : 4 + size])
            del self._buffer[: 4 + size]
            yield payload

    def _message(self, payload: bytes) -> None:
        kind, start = _wire.take_number(payload, 0)
        event = Reader(_wire.decode(payload, start))
        if kind == 1:
            self._check_version(event)
        elif kind == 2:
            raise refusal(event)
        else:
            inbox = self._inboxes.get(event.uint(1) or 0)
            # A canceled request may have answers on the way.
            if inbox is not None and not inbox.is_closed:
                self._answer(kind, event, inbox)

    def _check_version(self, event: Reader) -> None:
        if event.uint(1) != VERSION:
            raise MalformedMessage(f"expected version {VERSION} of the protocol, got {event.uint(1)}")
        self.release = event.text(2) or ""

    def _answer(self, kind: int, event: Reader, inbox: Inbox) -> None:
        content = event.structure(2) if kind in (3, 4, 5, 7, 11, 12, 16) else None
        if kind in (3, 4, 5, 7, 11, 12, 16) and content is None:
            raise MalformedMessage(f"event {kind} has no content")
        answer, is_last = _decode(kind, event, content or Reader(b""))
        if answer is not None:
            inbox.answers.append(answer)
            inbox.is_closed = is_last


def _decode(kind: int, event: Reader, content: Reader) -> tuple[Answer | None, bool]:
    """The answer in an event, and whether it is the last one; None: this package has no use for the event."""
    if kind == 3:
        return Fix.decode(content, event.seconds(3), event.flag(4)), True
    if kind == 4:
        return failure(content), True
    if kind == 5:
        return Fix.decode(content, event.seconds(3)), False
    if kind == 6:
        change = event.uint(2)
        return (StreamChange(change) if change is not None and change in set(StreamChange) else None), False
    if kind == 7:
        return Sky.decode(content), False
    if kind == 9:
        return tuple(Device.decode(item) for item in event.structures(2)), True
    if kind == 10:
        return Done(), True
    if kind == 11:
        return Status.decode(content), True
    if kind == 12:
        return _log_answer(content), True
    if kind == 16:
        return _monitoring_answer(content)
    return None, False


def _log_answer(content: Reader) -> Answer:
    if content.data(2) is None and content.data(1) is not None:
        return tuple(Log.decode(item) for item in content.structures(1))
    entries: list[Fix | LogMark] = []
    for entry in content.structures(2):
        fix, mark = entry.structure(1), entry.uint(2)
        if fix is not None:
            entries.append(Fix.decode(fix))
        elif mark is not None and mark in set(LogMark):
            entries.append(LogMark(mark))
    return LogPage(tuple(entries), content.uint(3), content.uint(4) or 0)


def _monitoring_answer(content: Reader) -> tuple[Answer | None, bool]:
    kind = content.uint(1)
    if kind == 0:
        return MonitoringPage(state=content.uint(2)), True
    if kind == 1:
        return MonitoringPage(tuple(content.items(3)), content.uint(2)), True
    if kind == 3:
        return tuple(Visit.decode(item) for item in content.structures(3)), True
    if kind == 4:
        event = content.structure(3)
        if event is None:
            raise MalformedMessage("an event has no content")
        return Event.decode(event, content.text(4) or ""), False
    return None, False


def later(seconds: float) -> int:
    """A duration on the wire."""
    return _wire.signed(round(seconds * 1e9))
