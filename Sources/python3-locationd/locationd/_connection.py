"""What the blocking and the asyncio client have in common beside the protocol: names, answers by kind, and when to try again."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from ._session import Answer, LogPage
from .errors import LocationError, ProtocolError, Refused, ServiceUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _T = TypeVar("_T")

HELLO_TIMEOUT_S = 5.0
"""How long the daemon may take to answer `hello` (Protocol.md, "Reconnecting")."""

FIRST_DELAY_S, LONGEST_DELAY_S = 0.1, 30.0
"""Delays between attempts to reconnect (Protocol.md, "Reconnecting")."""


def expect(answer: Answer, kind: type[_T]) -> _T:
    """The answer, if it is of the kind that the request asks for."""
    if isinstance(answer, kind):
        return answer
    raise ProtocolError(f"expected {kind.__name__}, got {type(answer).__name__}")


def program_name() -> str:
    """The name of this program, shown to users."""
    return os.path.basename(sys.argv[0]) or "python3"


def delays() -> Iterator[float]:
    """Seconds between attempts to reconnect: doubling, less a random part of up to half."""
    import random  # Some milliseconds, which only a client that has lost its connection needs to spend.

    delay = FIRST_DELAY_S
    while True:
        yield delay * random.uniform(0.5, 1)
        delay = min(2 * delay, LONGEST_DELAY_S)


def may_retry(error: LocationError) -> bool:
    """Whether a new connection may succeed where this one has ended."""
    return isinstance(error, ServiceUnavailable) or isinstance(error, Refused) and error.code in (4, 5, 6)


def all_of(answer: Answer, kind: type[_T]) -> tuple[_T, ...]:
    if isinstance(answer, tuple):
        found = tuple(item for item in answer if isinstance(item, kind))
        if len(found) == len(answer):
            return found
    # An empty log answer is a page without entries.
    if isinstance(answer, LogPage) and not answer.entries:
        return ()
    raise ProtocolError(f"expected a list of {kind.__name__}")
