"""What can go wrong, each with one sentence that says what happened and what to do."""

from __future__ import annotations

from ._wire import Reader


class LocationError(Exception):
    """Base of all errors of this package."""


class ServiceUnavailable(LocationError):
    """The daemon does not run, does not answer, or ended the connection. Trying again later may work."""


class ProtocolError(LocationError):
    """The daemon and this package do not understand each other."""


class Refused(LocationError):
    """The daemon refused this client. `code` is that of Protocol.md, section "Refusals"."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class RequestFailed(LocationError):
    """A request failed. `code` is that of Protocol.md, section "Failure"; `subject` is the path or address that it concerns."""

    def __init__(self, code: int, message: str, subject: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.subject = subject


class NotAuthorized(RequestFailed):
    """The client has no access. `denial` is the code of Protocol.md, "Denial"."""

    def __init__(self, denial: int, message: str) -> None:
        super().__init__(22, message)
        self.denial = denial


class NoFix(RequestFailed):
    """A source works, but there was no fix, or none that was accurate enough, before the timeout."""


_NO_FIX = {8, 9, 10, 11, 24, 32}

_DENIALS = {
    0: "Location services are off: an administrator switches them on with 'locationctl services on'.",
    1: "Access to location is denied: an administrator allows it with 'locationctl grant'.",
    2: "Access to location is restricted by an administrator.",
    3: "Nobody has decided yet whether this program may use location: a prompt is shown.",
    4: "Nobody has decided whether this program may use location, and no prompt is shown: run 'sudo locationctl grant USER'.",
    5: "This program has access while in use, and is in the background: run 'sudo locationctl grant USER --always'.",
    6: "The request needs access at all times: run 'sudo locationctl grant USER --always'.",
    7: "The request needs full accuracy, and this program has reduced accuracy.",
    8: "Only administrators may do this: run the program as root or as a member of the group location.",
    9: "It belongs to another user.",
    10: "The decision was rejected.",
    11: "There is no such prompt.",
    12: "The daemon could not identify this program.",
    13: "Location services are off because the stored decisions were lost: run 'sudo locationctl services on'.",
    14: "The accuracy cannot be reduced, because the grid for reduced positions is missing.",
}


def _port(fields: Reader) -> str:
    return fields.text(2) or "the receiver"


def _log_failure(fields: Reader | None) -> str:
    if fields is None:
        return "The log request failed."
    code, name = fields.uint(1), fields.text(2) or ""
    known = ", ".join(fields.texts(3))
    messages = {
        0: f"There is no log '{name}'." + (f" There are: {known}." if known else ""),
        1: f"'{name}' cannot be the name of a log.",
        2: "Logs need the daemon.",
        3: f"Too many programs read logs (limit: {fields.uint(4)}). Try again later.",
        4: "The daemon restarted while the log was being read: read the log again.",
        5: f"The logs in {name} cannot be read or written: {fields.text(5)}.",
        6: f"There are too many logs (limit: {fields.uint(4)}). Remove one first.",
        7: "The end of the log was lost.",
        8: f"Another process records this log (process {fields.sint(7)}).",
        9: "The log is encrypted: 'locationctl log export --key FILE' reads it.",
        10: "The log is not encrypted.",
        11: "The log is encrypted with another key, or not encrypted.",
        12: f"'{name}' is not a public key.",
        15: f"There is a log '{name}' already.",
        16: f"A note is one line of 1 to {fields.uint(4)} bytes.",
        17: "A note needs a position, and the log has none yet.",
        18: f"The log has {fields.uint(4)} notes, which is the limit.",
    }
    return messages.get(-1 if code is None else code, f"The log request failed (code {code}).")


def _monitoring_failure(fields: Reader | None) -> str:
    if fields is None:
        return "The monitoring request failed."
    code = fields.uint(1)
    limit = fields.uint(5)
    messages = {
        0: "Regions and visits need the daemon.",
        1: f"'{fields.text(2)}' cannot be the name of a list.",
        2: f"There are too many regions (limit: {limit}). Remove some first.",
        3: f"There are too many lists of regions (limit: {limit}).",
        4: f"{fields.text(2)} cannot be written: {fields.text(3)}.",
        5: "A confined program cannot register commands or notifications.",
        6: f"Another process monitors this list (process {fields.sint(6)}).",
        7: f"The regions are too large (limit: {limit} bytes).",
        8: f"There are too many regions with a dwell time (limit: {limit}).",
    }
    return messages.get(-1 if code is None else code, f"The monitoring request failed (code {code}).")


def failure(fields: Reader) -> RequestFailed:
    """The error that a `failed` event stands for."""
    code = fields.uint(1)
    if code is None:
        code = -1
    subject = fields.text(2)
    if code == 22:
        denial_fields = fields.structure(18)
        denial = -1 if denial_fields is None else denial_fields.uint(1)
        denial = -1 if denial is None else denial
        return NotAuthorized(denial, _DENIALS.get(denial, "Access to location is denied."))
    port = _port(fields)
    known = ", ".join(fields.texts(11))
    messages = {
        0: "There is no receiver: plug one in, or run 'locationctl doctor'.",
        1: f"There is no gpsd at {subject}: start it, or choose another source.",
        2: f"gpsd at {subject} has no receiver.",
        3: "There are only serial adapters that nobody has trusted: run 'locationctl devices trust ID'.",
        4: f"The daemon has no permission for {port}: run 'locationctl doctor'.",
        5: f"{port} is used by another program: run 'locationctl doctor' to see which.",
        6: f"{port} cannot be opened: run 'locationctl doctor'.",
        7: f"{port} sent {fields.uint(7)} bytes, but no GNSS data at any baud rate: run 'locationctl doctor'.",
        8: f"{port} has sent no GNSS data yet, and some baud rates have not been tried: try again with a longer timeout.",
        9: f"{port} receives no satellites: give its antenna a view of the sky.",
        10: f"{port} has no fix yet ({fields.sint(9)} satellites in view): try again with a longer timeout.",
        11: f"{port} has no usable fix: {fields.text(10)}.",
        12: f"{port} has ended: plug it in again.",
        13: f"The recording {subject} is damaged: {fields.text(10)}.",
        14: f"There is no device '{subject}'." + (f" There are: {known}." if known else ""),
        15: f"This program has too many requests that have not ended (limit: {fields.uint(12)}).",
        16: f"The daemon cannot write its state folder {subject}.",
        20: _log_failure(fields.structure(15)),
        21: f"gpsd has not released or opened {port}.",
        23: f"The decision is not on the disk: {fields.text(10)}.",
        24: f"No access point in range has a known position ({fields.uint(12) or 0} in range).",
        25: "The Wi-Fi radio does not work: run 'locationctl doctor'.",
        26: f"The access points were not stored: {fields.text(10)}.",
        27: _monitoring_failure(fields.structure(22)),
        32: f"The requested accuracy was not reached: the best radius was {fields.double(23)} m.",
    }
    kind = NoFix if code in _NO_FIX else RequestFailed
    return kind(code, messages.get(code, f"The request failed (code {code})."), subject)


def refusal(fields: Reader) -> Refused:
    """The error that a `refused` message stands for."""
    code = fields.uint(1)
    code = -1 if code is None else code
    messages = {
        0: f"The daemon supports protocol versions {fields.uint(2)} to {fields.uint(3)}, and this package supports version 2: "
        "install packages of the same release.",
        1: "The daemon did not understand a message.",
        2: "A message was not complete within 10 s.",
        3: f"This program sends too many messages (limit: {fields.uint(2)} per second).",
        4: f"The daemon has too many clients (limit: {fields.uint(2)}). Try again later.",
        5: "This program did not read what the daemon sent.",
        6: "The daemon is ending. Try again later.",
    }
    return Refused(code, messages.get(code, f"The daemon refused this program (code {code})."))
