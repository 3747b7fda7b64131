"""What NMEA receivers send, for tests and measurements in Python."""


def sentence(body: str) -> bytes:
    """A sentence with its checksum (NMEA 0183)."""
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n".encode()


def drive(seconds: int, rate: int = 1) -> bytes:
    """A recording: north-eastwards from Vaduz at 14 m/s, from 12:00 UTC on 2026-11-01."""
    sentences = []
    for step in range(seconds * rate):
        at = step / rate
        moment = f"12{int(at) // 60 % 60:02d}{at % 60:05.2f}"
        place = f"47{8.4 + at * 0.0054:08.5f},N,009{31.2 + at * 0.0079:08.5f},E"
        sentences += map(sentence, (
            f"GPRMC,{moment},A,{place},27.2,45.0,011126,,,A",
            f"GPGGA,{moment},{place},1,09,1.1,455.0,M,47.0,M,,",
            "GPGSA,A,3,02,05,07,13,15,20,21,29,30,,,,1.9,1.1,1.5",
            "GPGSV,2,1,08,02,61,083,44,05,24,212,38,07,15,310,33,13,72,190,46",
            "GPGSV,2,2,08,15,33,270,40,20,45,120,42,21,12,045,30,29,28,160,39",
        ))
    return b"".join(sentences)
