"""The air between the kernel's simulated radios (mac80211_hwsim): any number of access points that only send beacons.

air.py FILE RADIO: FILE holds a JSON list of {"bssid", "name", "frequency", "signal"}, and may change at any time; RADIO is the
address by which the kernel knows the one that hears them, as 42:00:00:00:01:00. What the radio sends is heard by nobody. FILE.sent
is there once all have sent a beacon.
The numbers are those of drivers/net/wireless/mac80211_hwsim.h."""

import json
import os
import select
import socket
import struct
import sys
import time

GENERIC, CONTROLLER = 16, 16
REGISTER, FRAME, TX_INFO = 1, 2, 3
RECEIVER, TRANSMITTER, CONTENT, FLAGS, RATE, SIGNAL, TX_RATES, COOKIE, FREQUENCY = 1, 2, 3, 4, 5, 6, 7, 8, 19
ACKNOWLEDGED = 4
# A beacon's usual distance is 102 ms, and a passive scan listens for 111 ms to each channel.
PERIOD = 0.09


def attribute(kind: int, content: bytes) -> bytes:
    return struct.pack("HH", 4 + len(content), kind) + content + bytes(-len(content) % 4)


def attributes(message: bytes) -> dict[int, bytes]:
    found, offset = {}, 0
    while offset + 4 <= len(message):
        length, kind = struct.unpack_from("HH", message, offset)
        if length < 4:
            break
        found[kind & 0x3FFF] = message[offset + 4:offset + length]
        offset += (length + 3) & ~3
    return found


def address(text: str) -> bytes:
    return bytes.fromhex(text.replace(":", ""))


def channel(frequency: int) -> int:
    if frequency == 2484:
        return 14
    return (frequency - 2407) // 5 if frequency < 2484 else (frequency - 5000) // 5


class Air:
    def __init__(self, path: str, radio: bytes) -> None:
        self.path, self.radio, self.read_at = path, radio, 0
        self.beacons: list[bytes] = []
        self.sequence = 0
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, GENERIC)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.bind((0, 0))
        self.family = CONTROLLER
        self.socket.send(self.message(3, attribute(2, b"MAC80211_HWSIM\0")))
        self.family = struct.unpack("H", attributes(self.socket.recv(65536)[20:])[1])[0]
        self.socket.send(self.message(REGISTER, b""))

    def message(self, command: int, content: bytes) -> bytes:
        self.sequence += 1
        return struct.pack("IHHIIBBH", 20 + len(content), self.family, 1, self.sequence, 0, command, 1, 0) + content

    def beacon(self, point: dict) -> bytes:
        name = bytes.fromhex(point["nameBytes"]) if "nameBytes" in point else point["name"].encode()
        bssid = address(point["bssid"])
        head = struct.pack("<BBH", 0x80, 0, 0) + b"\xff" * 6 + bssid + bssid + bytes(2)
        # Time, interval, what it can; name, rates, channel, and when it wakes its clients.
        body = struct.pack("<QHH", 1_000_000, 100, 0x0411) + bytes([0, len(name)]) + name
        body += bytes.fromhex("010882848b960c121824") + bytes([3, 1, channel(point["frequency"])]) + bytes.fromhex("050400010000")
        return self.message(
            FRAME, attribute(RECEIVER, self.radio) + attribute(CONTENT, head + body) + attribute(RATE, bytes(4))
            + attribute(SIGNAL, struct.pack("i", point["signal"])) + attribute(FREQUENCY, struct.pack("I", point["frequency"])))

    def sweep(self) -> None:
        changed = os.stat(self.path).st_mtime_ns
        if changed != self.read_at:
            self.read_at = changed
            with open(self.path) as file:
                self.beacons = [self.beacon(point) for point in json.load(file)]
        for beacon in self.beacons:
            self.socket.send(beacon)

    def take(self) -> None:
        """What the radio sends has gone out; a driver that is never told waits."""
        message = self.socket.recv(65536)
        if struct.unpack_from("H", message, 4)[0] != self.family or message[16] != FRAME:
            return
        sent = attributes(message[20:])
        flags = struct.unpack("I", sent[FLAGS])[0] | ACKNOWLEDGED
        self.socket.send(self.message(
            TX_INFO, attribute(TRANSMITTER, sent[TRANSMITTER]) + attribute(FLAGS, struct.pack("I", flags))
            + attribute(COOKIE, sent[COOKIE]) + attribute(SIGNAL, struct.pack("i", -50)) + attribute(TX_RATES, sent[TX_RATES])))

    def run(self) -> None:
        due = time.monotonic()
        while True:
            if select.select([self.socket], [], [], max(0, due - time.monotonic()))[0]:
                try:
                    self.take()
                except OSError:
                    pass  # More than fitted in: none of it was a beacon.
                continue
            self.sweep()
            open(self.path + ".sent", "w").close()
            due = max(due + PERIOD, time.monotonic())


Air(sys.argv[1], address(sys.argv[2])).run()
