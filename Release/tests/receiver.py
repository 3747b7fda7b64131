#!/usr/bin/env python3
"""A receiver behind a pseudo-terminal, which reports one position each second: prints the path of the terminal, until it is terminated."""

import os
import sys
import time
import tty


def sentence(body: str) -> bytes:
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n".encode()


master, terminal = os.openpty()
tty.setraw(terminal)
os.chmod(os.ttyname(terminal), 0o666)
os.set_blocking(master, False)
print(os.ttyname(terminal), flush=True)
while True:
    now = time.gmtime()
    clock, date = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
    place = "4717.10000,N,00833.90000,E"
    lines = [f"GPGGA,{clock},{place},1,09,0.9,430.0,M,47.0,M,,", "GPGSA,A,3,02,04,07,09,13,16,20,23,27,,,,1.6,0.9,1.3",
             f"GPRMC,{clock},A,{place},0.1,0.0,{date},,,A"]
    try:
        os.write(master, b"".join(map(sentence, lines)))
    except BlockingIOError:
        pass  # Nobody has opened the terminal: its buffer is full.
    try:
        os.read(master, 4096)
    except BlockingIOError:
        pass
    time.sleep(1)
