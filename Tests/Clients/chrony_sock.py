#!/usr/bin/env python3
"""Sends datagrams to a real chronyd, which does not touch the clock (-x), and reports what it made of them: chrony_sock.py [FILE]

FILE has one line for each datagram: when to send it (nanoseconds of the system's clock), the name of a reference clock (GNSS or PPS) and
the bytes in hexadecimal. Without FILE, the script makes datagrams of its own by the layout of chrony's refclock_sock.c, with an offset of
50 ms. A second chronyd in the middle of the run shows that samples reach a socket that was created again: add --restart.

Prints one line of JSON: for each reference clock the number of samples that chronyd accepted, their mean offset and its standard
deviation in seconds, and the seconds from the first datagram until chronyd selected a source. Exits with 77 if chronyd is not installed.
"""

import json
import os
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOCKETS = {"GNSS": "gnss.sock", "PPS": "pps.sock"}


def own_datagrams(count: int = 20, offset: float = 0.05) -> list[tuple[int, str, bytes]]:
    start = time.time_ns() + 2_000_000_000
    lines = []
    for number in range(count):
        at = start + number * 1_000_000_000
        # struct sock_sample: timeval, double, four ints.
        lines.append((at, "GNSS", struct.pack("@qqdiiii", at // 10**9, at % 10**9 // 1000, offset, 0, 0, 0, 0x534F434B)))
    return lines


def read_datagrams(path: str) -> list[tuple[int, str, bytes]]:
    lines = []
    for line in Path(path).read_text().splitlines():
        at, name, data = line.split()
        lines.append((int(at), name, bytes.fromhex(data)))
    return sorted(lines)


def start(program: str, folder: Path, log: Path) -> subprocess.Popen:
    configuration = folder / "chrony.conf"
    configuration.write_text(
        f"""refclock SOCK {folder}/gnss.sock refid GNSS poll 2 delay 0.2 precision 1e-3
refclock SOCK {folder}/pps.sock refid PPS lock GNSS poll 2
port 0
cmdport 0
bindcmdaddress {folder}/chronyd.sock
pidfile {folder}/chronyd.pid
driftfile {folder}/drift
logdir {folder}
log refclocks
maxupdateskew 1000
""")
    user = ["-u", "root"] if os.geteuid() == 0 else ["-U"]
    # Appended to, so that a second chronyd does not remove the first one's messages.
    process = subprocess.Popen([program, "-x", "-d", *user, "-f", str(configuration)], stdout=log.open("ab"), stderr=subprocess.STDOUT)
    until = time.monotonic() + 10
    while not (folder / "gnss.sock").exists():
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"chronyd did not start: {log.read_text()}")
        time.sleep(0.02)
    return process


def report(folder: Path) -> dict:
    offsets: dict[str, list[float]] = {}
    log = folder / "refclocks.log"
    for line in log.read_text().splitlines() if log.exists() else []:
        parts = line.split()
        # Date, time, name, number (- for a filtered sample), leap, pulse, raw offset, corrected offset, dispersion.
        if len(parts) == 9 and parts[2] in SOCKETS and parts[3] != "-":
            offsets.setdefault(parts[2], []).append(float(parts[6]))
    return {
        name: {"samples": len(values), "mean": statistics.fmean(values), "deviation": statistics.pstdev(values)}
        for name, values in offsets.items()
    }


def main() -> int:
    # Threads of Swift's concurrency block all signals, and their children inherit that: chronyd would never end.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    program = shutil.which("chronyd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not program:
        print("chronyd is not installed (Debian package chrony)", file=sys.stderr)
        return 77
    arguments = [argument for argument in sys.argv[1:] if argument != "--restart"]
    datagrams = read_datagrams(arguments[0]) if arguments else own_datagrams()
    restart = len(datagrams) // 2 if "--restart" in sys.argv[1:] else None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "messages"
        process = start(program, folder, log)
        sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        selected = None
        first = None
        refused = 0
        try:
            for number, (at, clock, data) in enumerate(datagrams):
                if number == restart:
                    process.terminate()
                    process.wait()
                    process = start(program, folder, log)
                time.sleep(max(0, at - time.time_ns()) / 1e9)
                first = first or time.monotonic()
                try:
                    # By path each time: chronyd creates the socket again whenever it starts.
                    sender.sendto(data, str(folder / SOCKETS[clock]))
                except (ConnectionRefusedError, FileNotFoundError):
                    refused += 1
                if selected is None and "Selected source" in log.read_text():
                    selected = time.monotonic() - first
            time.sleep(0.5)
        finally:
            process.terminate()
            process.wait()
        print(json.dumps({
            "clocks": report(folder), "selectedAfterSeconds": selected, "refused": refused,
            "messages": log.read_text().splitlines()[-12:]}))
    return 0


sys.exit(main())
