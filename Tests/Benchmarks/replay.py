"""`locationctl replay` against `gpsdecode -j` and gpsbabel, program against program: CPU time (user and system) of a whole run
on the same log, output to /dev/null, the best of some runs.

Ours is also fitted as start + a × sentences + b × fixes over the NMEA logs, as logs differ in how many sentences a fix takes.
"""

import os
import shutil
import subprocess
import tempfile

import programs
import replay_logs
import settings
from table import Row, absent

RUNS = 9 if settings.FULL else 5
# What a sentence and a fix may cost, microseconds; how many times the CPU of ours gpsdecode takes at least.
SENTENCE, FIX = 0.4, 6.0
LEAST = {"F9K": 3.0}


def rows() -> list[Row]:
    if not os.access(programs.LOCATIONCTL, os.X_OK):
        return [absent("replay", "ms", "locationctl is not built")]
    with tempfile.TemporaryDirectory() as folder:
        logs = replay_logs.all_of(folder)
        start = cpu(ours(replay_logs.beginning(folder)))
        times = {log: cpu(ours(log.path)) for log in logs}
        measured = [row(log, times[log]) for log in logs]
        points = [(log.sentences, fixes(log), times[log] - start) for log in logs if log.is_nmea]
    a, b = fit(points)
    return [
        Row("replay: start of the program", start * 1e3, "ms"),
        *measured,
        Row("replay: a sentence (a)", a * 1e6, "µs", SENTENCE, note="fitted: start + a × sentences + b × fixes"),
        Row("replay: a fix (b)", b * 1e6, "µs", FIX),
    ]


def row(log: replay_logs.Log, ours_seconds: float) -> Row:
    name = f"replay: {log.name}, {log.size / 1e6:.2f} MB"
    notes = [f"{log.size / 1e6 / ours_seconds:.1f} MB/s"]
    if log.sentences:
        notes.append(f"{ours_seconds / log.sentences * 1e9:.0f} ns a sentence")
    if log.is_nmea and (babel := shutil.which("gpsbabel")):
        seconds = cpu([babel, "-i", "nmea", "-f", log.path, "-o", "gpx", "-F", "/dev/null"])
        notes.append(f"gpsbabel to GPX {seconds * 1e3:.4g} ms")
    decoder = shutil.which("gpsdecode")
    if not decoder:
        return Row(name, ours_seconds * 1e3, "ms", note="; ".join([*notes, "no gpsdecode is installed"]))
    peer = cpu([decoder, "-j"], log.path)
    notes.append(f"{peer / ours_seconds:.2f} times as fast as gpsdecode")
    reach = peer / LEAST.get(log.name, 1)
    return Row(name, ours_seconds * 1e3, "ms", reach * 1e3, "gpsdecode -j", peer * 1e3, "; ".join(notes))


def ours(log: str) -> list[str]:
    return [programs.LOCATIONCTL, "replay", log, "--format", "json"]


def fixes(log: replay_logs.Log) -> int:
    output = subprocess.run(ours(log.path), capture_output=True, check=True).stdout
    return output.count(b'"latitude":')


def cpu(command: list[str], log: str = os.devnull) -> float:
    """Seconds of CPU time that a command takes at least."""
    return min(run(command, log) for _ in range(RUNS))


def run(command: list[str], log: str) -> float:
    with open(log, "rb") as given, open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(command, stdin=given, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise OSError(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def fit(points: list[tuple[int, int, float]]) -> tuple[float, float]:
    """The a and b of seconds = a × sentences + b × fixes, by least squares of the relative errors."""
    ss = sf = ff = sy = fy = 0.0
    for sentences, count, seconds in points:
        s, f = sentences / seconds, count / seconds
        ss, sf, ff, sy, fy = ss + s * s, sf + s * f, ff + f * f, sy + s, fy + f
    determinant = ss * ff - sf * sf
    return (sy * ff - fy * sf) / determinant, (fy * ss - sy * sf) / determinant
