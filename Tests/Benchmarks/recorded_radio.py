"""A radio that a kernel has told of once, around which there are access points of a real city: for a machine without one."""

import csv
import os
import re
import struct
import subprocess

FOLDER = os.path.join("Tests", "Benchmarks", "RecordedRadio")
RECORDED = os.path.join("Tests", "WireFormatsTests", "NL80211", "RecordedNetlink.swift")
COUNT = 30


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


class RecordedRadio:
    """What the preloaded library answers with, made in `folder`."""

    def __init__(self, folder: str, city: str) -> None:
        self.library = os.path.join(folder, "recorded_radio.so")
        self.file = os.path.join(folder, "radio")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", self.library, os.path.join(FOLDER, "recorded_radio.c"), "-ldl"],
                       check=True)
        with open(city) as file:
            places = [(row["bssid"], float(row["latitude"]), float(row["longitude"])) for row in csv.DictReader(file)]
        # Those around one in the middle of the list.
        _, latitude, longitude = places[len(places) // 2]
        places.sort(key=lambda place: (place[1] - latitude) ** 2 + (place[2] - longitude) ** 2)
        answers = [recorded("familyAnswer"), recorded("interfaces"), self.list([place[0] for place in places[:COUNT]])]
        with open(self.file, "wb") as file:
            for answer in answers:
                file.write(struct.pack("<I", len(answer)) + answer)

    @staticmethod
    def list(addresses: list[str]) -> bytes:
        first, *_, end = messages(recorded("accessPoints"))
        address = bytes.fromhex("0001e3000001")
        data = b""
        for number, bssid in enumerate(addresses):
            signal = struct.pack("<i", -(5000 + 100 * number))
            entry = first.replace(address, bytes.fromhex(bssid.replace(":", "")))
            # NL80211_BSS_SIGNAL_MBM.
            place = entry.index(b"\x08\x00\x07\x00") + 4
            data += entry[:place] + signal + entry[place + 4 :]
        return data + end

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": self.library, "RECORDED_RADIO": self.file}
