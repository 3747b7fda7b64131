"""What the daemon reports, as immutable values. Units are in the names; None is unknown."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from enum import IntEnum, IntFlag

from ._value import Value
from ._wire import MalformedMessage, Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _Code = TypeVar("_Code", bound=IntEnum)

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _code(kind: type[_Code], value: int | None, what: str) -> _Code:
    try:
        return kind(-1 if value is None else value)
    except ValueError:
        raise MalformedMessage(f"expected the {what}, got {value}") from None


def time_of(nanoseconds: int | None) -> datetime | None:
    """UTC, from nanoseconds since 1970; None also for a time that a datetime cannot hold."""
    if nanoseconds is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return None


def nanoseconds_of(time: datetime) -> int:
    """Nanoseconds since 1970 of a time, which must have a time zone: without one it would be ambiguous."""
    if time.tzinfo is None:
        raise ValueError("expected a datetime with a time zone, such as datetime.now(timezone.utc)")
    return (time - _EPOCH) // timedelta(microseconds=1) * 1000


class FixKind(IntEnum):
    ESTIMATED = 0
    TWO_DIMENSIONAL = 1
    THREE_DIMENSIONAL = 2
    DIFFERENTIAL = 3
    RTK_FLOAT = 4
    RTK_FIXED = 5


class TimeValidity(IntEnum):
    """How sure the receiver is of the time of a fix."""

    UNKNOWN = 0
    TIME_OF_DAY_ONLY = 1
    DATE_UNCONFIRMED = 2
    CONFIRMED = 3


class Technologies(IntFlag):
    """What a fix was computed from."""

    GNSS = 1
    WIFI = 2
    CELL = 4
    COMPANION = 8


class Suspicion(IntEnum):
    """Why the position of a fix may be wrong."""

    FROZEN = 0
    JAMMED = 1
    IMPLAUSIBLE = 2


class Fix(Value):
    """A position. Angles are degrees WGS 84, radii and accuracies hold in 68 % of cases."""

    time: datetime | None
    time_ns: int
    """Nanoseconds since 1970-01-01 UTC, without leap seconds."""
    time_validity: TimeValidity
    latitude: float
    longitude: float
    horizontal_radius_m: float
    """Larger than 0. It has grown with the age of the fix."""
    kind: FixKind
    technologies: Technologies
    height_above_ellipsoid_m: float | None
    height_above_sea_level_m: float | None
    vertical_accuracy_m: float | None
    speed_m_per_s: float | None
    speed_accuracy_m_per_s: float | None
    course_degrees: float | None
    """From true north, clockwise."""
    course_accuracy_degrees: float | None
    satellites_used: int | None
    hdop: float | None
    """Horizontal dilution of precision, as the receiver reported it."""
    suspicion: Suspicion | None
    is_simulated: bool
    port: str | None
    receiver: str | None
    """The receiver's stable identity."""
    age_s: float | None
    """Seconds between the position and its delivery."""
    was_computed_before_request: bool

    @classmethod
    def decode(cls, fields: Reader, age_s: float | None = None, was_computed_before_request: bool = False) -> Fix:
        nanoseconds, latitude, longitude = fields.sint(1), fields.double(4), fields.double(5)
        radius = fields.double(6)
        if nanoseconds is None or latitude is None or longitude is None or radius is None:
            raise MalformedMessage("a fix lacks its time, position or radius")
        kind = _code(FixKind, fields.uint(14), "kind of a fix")
        # The heights of a 2D fix are not measured.
        has_height = kind is not FixKind.TWO_DIMENSIONAL
        suspicion = fields.uint(17)
        return cls(
            time=time_of(nanoseconds),
            time_ns=nanoseconds,
            time_validity=_code(TimeValidity, fields.uint(2), "validity of a time"),
            latitude=latitude,
            longitude=longitude,
            horizontal_radius_m=radius,
            kind=kind,
            technologies=Technologies(fields.uint(16) or 0),
            height_above_ellipsoid_m=fields.double(7) if has_height else None,
            height_above_sea_level_m=fields.double(8) if has_height else None,
            vertical_accuracy_m=fields.double(9) if has_height else None,
            speed_m_per_s=fields.double(10),
            speed_accuracy_m_per_s=fields.double(11),
            course_degrees=fields.double(12),
            course_accuracy_degrees=fields.double(13),
            satellites_used=fields.uint(15),
            hdop=fields.double(22),
            suspicion=None if suspicion is None else _code(Suspicion, suspicion, "suspicion"),
            is_simulated=fields.flag(18),
            port=fields.text(19),
            receiver=fields.text(20),
            age_s=age_s,
            was_computed_before_request=was_computed_before_request,
        )


class StreamChange(IntEnum):
    """What happened to a stream of fixes."""

    LOST = 0
    BACK = 1
    SUSPENDED = 2
    RESUMED = 3
    PAUSED = 4
    UNPAUSED = 5


class Constellation(IntEnum):
    GPS = 0
    GLONASS = 1
    GALILEO = 2
    BEIDOU = 3
    QZSS = 4
    NAVIC = 5
    SBAS = 6
    IMES = 7


class Satellite(Value):
    constellation: Constellation
    number: int
    elevation_degrees: int | None
    azimuth_degrees: int | None
    signal_db_hz: int | None
    is_used: bool
    is_healthy: bool | None

    @classmethod
    def decode(cls, fields: Reader) -> Satellite:
        number = fields.uint(2)
        if number is None:
            raise MalformedMessage("a satellite lacks its number")
        return cls(
            _code(Constellation, fields.uint(1), "satellite system"),
            number,
            fields.sint(3),
            fields.sint(4),
            fields.sint(5),
            fields.flag(6),
            None if fields.uint(7) is None else fields.flag(7),
        )


class Sky(Value):
    """The satellites of one receiver in one update."""

    time: datetime | None
    port: str
    receiver: str | None
    kind: FixKind | None
    """None: the receiver has no fix."""
    hdop: float | None
    vdop: float | None
    pdop: float | None
    satellites_used: int | None
    satellites: tuple[Satellite, ...]
    is_simulated: bool

    @classmethod
    def decode(cls, fields: Reader) -> Sky:
        kind = fields.uint(5)
        return cls(
            time_of(fields.sint(1)),
            fields.text(3) or "",
            fields.text(4),
            None if kind is None else _code(FixKind, kind, "kind of a fix"),
            fields.double(6),
            fields.double(7),
            fields.double(8),
            fields.uint(9),
            tuple(Satellite.decode(item) for item in fields.structures(10)),
            fields.flag(12),
        )


class DeviceKind(IntEnum):
    RECEIVER = 0
    ADAPTER = 1
    TRUSTED_ADAPTER = 2


class DeviceState(IntEnum):
    CLOSED = 0
    OPENING = 1
    FINDING_BAUD_RATE = 2
    IDENTIFIED = 3
    FIXING = 4
    SILENT = 5
    BUSY = 6
    DENIED = 7
    UNTRUSTED = 8
    OPEN = 9


class Device(Value):
    """A receiver, or a serial adapter that may have one behind it."""

    id: str
    port: str
    product: str | None
    chip: str | None
    firmware: str | None
    protocol: str | None
    baud_rate: int | None
    kind: DeviceKind
    state: DeviceState
    belongs_to_gpsd: bool
    name: str | None = None

    @classmethod
    def decode(cls, fields: Reader) -> Device:
        identifier, port = fields.text(1), fields.text(2)
        if identifier is None or port is None:
            raise MalformedMessage("a device lacks its ID or port")
        return cls(
            identifier,
            port,
            fields.text(5),
            fields.text(6),
            fields.text(7),
            fields.text(8),
            fields.uint(9),
            _code(DeviceKind, fields.uint(10), "kind of a device"),
            _code(DeviceState, fields.uint(11), "state of a device"),
            fields.uint(12) == 1,
            fields.text(13),
        )


class Level(IntEnum):
    """What access a client has."""

    NOT_DETERMINED = 0
    RESTRICTED = 1
    DENIED = 2
    WHEN_IN_USE = 3
    ALWAYS = 4


class ConnectedClient(Value):
    """A program that is connected to the daemon. Names and purposes are the program's own words."""

    name: str
    purpose: str | None
    process_id: int | None
    user_id: int | None
    connected_s: float | None
    requests: int
    fix_streams: int
    satellite_streams: int
    level: Level | None

    @classmethod
    def decode(cls, fields: Reader) -> ConnectedClient:
        level = fields.uint(10)
        return cls(
            fields.text(1) or "",
            fields.text(2),
            fields.sint(3),
            fields.uint(4),
            fields.seconds(5),
            fields.uint(6) or 0,
            fields.uint(7) or 0,
            fields.uint(8) or 0,
            None if level is None else _code(Level, level, "level of access"),
        )


class Log(Value):
    """A log that locationd records, or has recorded."""

    name: str
    is_recording: bool
    """It was started and not stopped."""
    is_interrupted: bool
    """It was started, but nothing records it at the moment."""
    size_bytes: int
    first_fix: datetime | None
    last_fix: datetime | None
    fix_count: int | None
    """`None` for an encrypted log, and until a long log has been counted."""
    distance_m: float | None

    @classmethod
    def decode(cls, fields: Reader) -> Log:
        return cls(
            fields.text(1) or "",
            fields.flag(2),
            fields.flag(10),
            fields.uint(4) or 0,
            time_of(fields.sint(5)),
            time_of(fields.sint(6)),
            fields.uint(11),
            fields.double(12),
        )


class LogMark(IntEnum):
    """What happened to the recording between two fixes of a log."""

    STARTED = 0
    RESUMED = 1
    GAP = 2
    PAUSED = 3


class Status(Value):
    """The state of the daemon, as far as this client has access to it."""

    release: str
    process_id: int | None
    running_s: float
    source: str | None
    location_services_are_on: bool
    last_fix_age_s: float | None
    last_fix_radius_m: float | None
    satellites_used: int | None
    satellites_in_view: int | None
    clients: tuple[ConnectedClient, ...]
    devices: tuple[Device, ...]
    logs: tuple[Log, ...]

    @classmethod
    def decode(cls, fields: Reader) -> Status:
        return cls(
            fields.text(1) or "",
            fields.sint(2),
            fields.seconds(3) or 0.0,
            fields.text(4),
            fields.flag(9, default=True),
            fields.seconds(7),
            fields.double(22),
            fields.uint(23),
            fields.uint(24),
            tuple(ConnectedClient.decode(item) for item in fields.structures(5)),
            tuple(Device.decode(item) for item in fields.structures(6)),
            tuple(Log.decode(item) for item in fields.structures(8)),
        )


class Visit(Value):
    """A place where the machine stayed. A time that nobody observed is None."""

    latitude: float
    longitude: float
    radius_m: float
    arrival: datetime | None
    departure: datetime | None
    has_ended: bool

    @classmethod
    def decode(cls, fields: Reader) -> Visit:
        latitude, longitude, radius = fields.double(1), fields.double(2), fields.double(3)
        if latitude is None or longitude is None or radius is None:
            raise MalformedMessage("a visit lacks its place")
        departure = time_of(fields.sint(5))
        return cls(latitude, longitude, radius, time_of(fields.sint(4)), departure, departure is not None or fields.flag(6))
