"""An NTRIP caster for measurements and for clients of other authors: RTCM 3 at a pace, in version 1, version 2, or version 2 in chunks.

As a program: `caster.py v1|v2|chunked BYTES-PER-SECOND` prints its port, then a line for each request."""

import socket
import sys
import threading
import time

TABLE = (
    b"STR;BASE;Here;RTCM 3.2;1006(10),1077(1);2;GPS;None;CHE;47.30;8.55;0;0;own;none;N;N;9600;\r\nENDSOURCETABLE\r\n")


def crc24q(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1864CFB
    return crc


def frame(message: bytes) -> bytes:
    data = bytes([0xD3, len(message) >> 8, len(message) & 255]) + message
    return data + crc24q(data).to_bytes(3, "big")


def frames(data: bytes) -> tuple[int, int]:
    """The number of frames with a right checksum in the bytes that a client has written, and the bytes of these frames."""
    count = size = start = 0
    while (start := data.find(b"\xd3", start)) >= 0:
        if start + 6 > len(data):
            break
        length = (data[start + 1] & 3) << 8 | data[start + 2]
        end = start + 3 + length
        if end + 3 <= len(data) and crc24q(data[start:end]) == int.from_bytes(data[end : end + 3], "big"):
            count, size, start = count + 1, size + length + 6, end + 3
        else:
            start += 1
    return count, size


def bits(*fields: tuple[int, int]) -> bytes:
    value = count = 0
    for number, width in fields:
        value, count = value << width | number & (1 << width) - 1, count + width
    pad = -count % 8
    return (value << pad).to_bytes((count + pad) // 8, "big")


def epoch(number: int, size: int) -> bytes:
    """About `size` bytes that decoders of every message accept: observations of no satellite (1077), and texts (1029) of station 77."""
    out = frame(bits((1077, 12), (77, 12), (number * 1000, 30), (0, 1), (0, 3), (0, 7), (0, 2), (0, 2), (0, 1), (0, 3), (0, 96)))
    while (room := size - len(out) - 15) > 0:
        text = bytes(97 + (number + i) % 26 for i in range(min(room, 127)))
        out += frame(bits((1029, 12), (77, 12), (61000, 16), (number, 17), (len(text), 7), (len(text), 8)) + text)
    return out


class Caster:
    """Serves in threads of this process until it ends."""

    def __init__(self, mode: str, rate: int, on_request=lambda line: None) -> None:
        self.mode, self.rate, self.on_request = mode, rate, on_request
        self.epochs = [epoch(number, rate) for number in range(60)]
        self.sent = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def close(self) -> None:
        self.listener.close()

    def serve(self, connection: socket.socket) -> None:
        try:
            request = b""
            while b"\r\n\r\n" not in request:
                piece = connection.recv(4096)
                if not piece:
                    return
                request += piece
            line = request.split(b"\r\n")[0].decode("latin-1")
            self.on_request(line)
            if not line.startswith("GET /BASE"):
                head = b"SOURCETABLE 200 OK" if self.mode == "v1" else b"HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable"
                connection.sendall(head + b"\r\nContent-Length: %d\r\n\r\n" % len(TABLE) + TABLE)
                return
            connection.sendall({
                "v1": b"ICY 200 OK\r\n\r\n",
                "v2": b"HTTP/1.1 200 OK\r\nNtrip-Version: Ntrip/2.0\r\nContent-Type: gnss/data\r\n\r\n",
                "chunked": b"HTTP/1.1 200 OK\r\nNtrip-Version: Ntrip/2.0\r\nContent-Type: gnss/data\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n",
            }[self.mode])
            number = 0
            while True:
                data = self.epochs[number % len(self.epochs)]
                # The ends of chunks are not those of frames.
                parts = [data[:17], data[17:]] if self.mode == "chunked" else [data]
                connection.sendall(b"".join(b"%x\r\n" % len(part) + part + b"\r\n" for part in parts)
                                   if self.mode == "chunked" else data)
                self.sent += len(data)
                number += 1
                time.sleep(1)
        except OSError:
            pass
        finally:
            connection.close()


if __name__ == "__main__":
    running = Caster(sys.argv[1], int(sys.argv[2]), lambda line: print(line, flush=True))
    print(running.port, flush=True)
    threading.Event().wait()
