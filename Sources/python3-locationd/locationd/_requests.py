"""The contents of requests, shared by the blocking and the asyncio client (Protocol.md, "Requests")."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum

from . import _wire
from ._session import later
from ._wire import Value
from .errors import ServiceUnavailable
from .regions import Region, encode
from .values import nanoseconds_of


class Otherwise(Enum):
    """What `fix` does if no fix has the requested accuracy at its timeout."""

    FAIL = 1
    BEST = 2


def socket_path(path: str | None) -> str:
    """The daemon's socket: the given one, $LOCATIOND_SOCKET, the system's, or the user's."""
    if path is not None:
        return path
    if named := os.environ.get("LOCATIOND_SOCKET"):
        return named
    system = "/run/locationd/socket"
    folder = os.environ.get("XDG_RUNTIME_DIR")
    own = f"{folder}/locationd/socket" if folder else None
    return own if own is not None and not os.path.exists(system) and os.path.exists(own) else system


def unavailable(path: str, error: OSError) -> ServiceUnavailable:
    """The error of a connection that could not be made."""
    reason = error.strerror or "it does not answer"
    return ServiceUnavailable(f"No locationd at {path} ({reason}): start it with 'systemctl start locationd.socket'.")


def locate(
    timeout_s: float,
    max_age_s: float,
    accuracy_m: float | None,
    otherwise: Otherwise,
    source: str | None,
    waits_for_source: bool,
) -> Mapping[int, Value]:
    if not 0 < timeout_s <= 604_800:
        raise ValueError(f"expected a timeout above 0 and of at most 604,800 s, got {timeout_s}")
    if max_age_s < 0:
        raise ValueError(f"expected a maximum age of at least 0 s, got {max_age_s}")
    options: dict[int, Value] = {2: later(timeout_s), 3: later(max_age_s), 5: int(waits_for_source)}
    if accuracy_m is not None:
        if not accuracy_m > 0:
            raise ValueError(f"expected an accuracy above 0 m, got {accuracy_m}")
        options |= {1: float(accuracy_m), 7: otherwise.value}
    if source is not None:
        options[8] = source
    return {2: options}


def updates(
    distance_m: float | None, accuracy_m: float | None, rate_hz: int | None, sufficient_m: float | None, source: str | None
) -> Mapping[int, Value]:
    options: dict[int, Value] = {6: 1}
    if accuracy_m is not None:
        options[1] = float(accuracy_m)
    if distance_m is not None:
        options[2] = float(distance_m)
    if rate_hz is not None:
        if not 1 <= rate_hz <= 25:
            raise ValueError(f"expected 1 to 25 updates per second, got {rate_hz}")
        options[4] = rate_hz
    if sufficient_m is not None:
        options[10] = float(sufficient_m)
    if source is not None:
        options[12] = source
    return {2: options}


def log(code: int, name: str | None = None, values: Mapping[int, Value] | None = None) -> Mapping[int, Value]:
    return {2: {1: code, **({} if name is None else {2: name}), **(values or {})}}


def log_options(distance_m: float | None, interval_s: float | None, records_standing: bool, keep_days: int | None) -> Value:
    options: dict[int, Value] = {}
    if distance_m is not None:
        options[1] = float(distance_m)
    if interval_s is not None:
        options[2] = later(interval_s)
    if records_standing:
        options[4] = 1
    if keep_days is not None:
        options[6] = keep_days
    return options


def period(begin: datetime | None, end: datetime | None) -> Mapping[int, Value]:
    values: dict[int, Value] = {}
    if begin is not None:
        values[4] = _wire.signed(nanoseconds_of(begin))
    if end is not None:
        values[5] = _wire.signed(nanoseconds_of(end))
    return values


def monitoring(code: int, list_name: str | None, values: Mapping[int, Value] | None = None) -> Mapping[int, Value]:
    return {2: {1: code, **({} if list_name is None else {2: list_name}), **(values or {})}}


def add_regions(list_name: str, regions: Sequence[Region]) -> Mapping[int, Value]:
    return monitoring(0, list_name, {3: _wire.items(encode(region) for region in regions)})


def visits_after(time: datetime | None) -> Mapping[int, Value]:
    return {} if time is None else {10: _wire.signed(nanoseconds_of(time))}
