"""The container of world.zones and world.towns: a header, the origin of the data, and sections. Numbers are little-endian.

Layout: Documentation/FileFormats.md, "Data of the world".
"""
import struct

HEADER = 160
VERSION = 1


def crc32c(data, table=[]):
    """The checksum of RFC 3720, appendix B.4."""
    if not table:
        for value in range(256):
            for _ in range(8):
                value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
            table.append(value)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def write(path, magic, origin, sections):
    """Writes a file; `origin` is license, attribution, the day of the data, and where it comes from."""
    texts = b"".join(bytes([len(text.encode())]) + text.encode() for text in origin)
    body, offsets = bytearray(texts), []
    for section in sections:
        body += bytes(-len(body) % 4)
        offsets.append((HEADER + len(body), len(section)))
        body += section
    assert len(magic) == 8 and len(sections) <= 15
    start = struct.pack("<8sHHII", magic, VERSION, HEADER, HEADER + len(body), crc32c(body))
    rest = struct.pack("<II", HEADER, len(texts)) + b"".join(struct.pack("<II", *pair) for pair in offsets)
    rest += bytes(HEADER - len(start) - 4 - len(rest))
    header = start + struct.pack("<I", crc32c(start + rest)) + rest
    with open(path, "wb") as out:
        out.write(header + body)
    return HEADER + len(body)
