"""Positions, regions, visits and logs from locationd, the location service of Core Location for Linux.

One position:

    import locationd
    print(locationd.fix(purpose="weather"))

`Client` is a blocking connection, `locationd.aio.Client` one for asyncio.
"""

from ._requests import Otherwise
from .client import Client
from .errors import LocationError, NoFix, NotAuthorized, ProtocolError, Refused, RequestFailed, ServiceUnavailable
from .regions import Circle, Event, EventKind, Polygon, Region, RegionState
from .values import (
    ConnectedClient,
    Constellation,
    Device,
    DeviceKind,
    DeviceState,
    Fix,
    FixKind,
    Level,
    Log,
    LogMark,
    Satellite,
    Sky,
    Status,
    StreamChange,
    Suspicion,
    Technologies,
    TimeValidity,
    Visit,
)

__version__ = "0.2.0"


def fix(purpose: str, *, timeout_s: float = 60, max_age_s: float = 2, accuracy_m: float | None = None) -> Fix:
    """One position, through a connection of its own."""
    with Client(purpose) as client:
        return client.fix(timeout_s=timeout_s, max_age_s=max_age_s, accuracy_m=accuracy_m)


__all__ = [
    "Circle",
    "Client",
    "ConnectedClient",
    "Constellation",
    "Device",
    "DeviceKind",
    "DeviceState",
    "Event",
    "EventKind",
    "Fix",
    "FixKind",
    "Level",
    "LocationError",
    "Log",
    "LogMark",
    "NoFix",
    "NotAuthorized",
    "Otherwise",
    "Polygon",
    "ProtocolError",
    "Refused",
    "Region",
    "RegionState",
    "RequestFailed",
    "Satellite",
    "ServiceUnavailable",
    "Sky",
    "Status",
    "StreamChange",
    "Suspicion",
    "Technologies",
    "TimeValidity",
    "Visit",
    "fix",
]
