"""A radio that a kernel has told of once, for a machine without one: what `recorded_radio.c` answers with.

    recorded_radio.py FOLDER [BSSID ...]

writes the library and the answers into FOLDER, and says how a program is started with them, a variable a line.
"""

import os
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = os.path.join(HERE, "..", "WireFormatsTests", "NL80211", "RecordedNetlink.swift")


def recorded(name: str) -> bytes:
    with open(RECORDED) as file:
        text = file.read()
    return bytes.fromhex("".join(re.search(rf'static let {name} = [^"]*"""(.*?)"""', text, re.S)[1].split()))


def messages(data: bytes) -> list[bytes]:
    found = []
    while data:
        size = struct.unpack_from("<I", data)[0]
        found.append(data[:size])
        data = data[size + 3 & ~3 :]
    return found


def listed(addresses: list[str]) -> bytes:
    """The kernel's list, its first access point once for each address, the first one the strongest."""
    first, *_, end = messages(recorded("accessPoints"))
    address = bytes.fromhex("0001e3000001")
    data = b""
    for number, bssid in enumerate(addresses):
        entry = first.replace(address, bytes.fromhex(bssid.replace(":", "")))
        # NL80211_BSS_SIGNAL_MBM.
        place = entry.index(b"\x08\x00\x07\x00") + 4
        data += entry[:place] + struct.pack("<i", -(5000 + 100 * min(number, 40))) + entry[place + 4 :]
    return data + end


def build(folder: str, addresses: list[str]) -> dict[str, str]:
    """The variables of a program that is to hear these."""
    library, answers = os.path.join(folder, "recorded_radio.so"), os.path.join(folder, "radio")
    source = os.path.join(HERE, "recorded_radio.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    with open(answers, "wb") as file:
        for answer in [recorded("familyAnswer"), recorded("interfaces"), listed(addresses)]:
            file.write(struct.pack("<I", len(answer)) + answer)
    return {"LD_PRELOAD": library, "RECORDED_RADIO": answers}


if __name__ == "__main__":
    for name, value in build(sys.argv[1], sys.argv[2:]).items():
        print(f"{name}={value}")
