"""From a client's request to its position by Wi-Fi, where somebody has scanned and what is heard is known."""

import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

import programs
import service
import startup
from daemon import Daemon
from table import Row

sys.path.append(os.path.join("Tests", "RecordedRadio"))
import recorded_radio

NAME = "request → position by Wi-Fi, cached scan, a city known, median"
TIMES = 200
COUNT = 30


def around(city: str) -> list[str]:
    """The addresses of those around the one in the middle of the list."""
    with open(city) as file:
        places = [(row["bssid"], float(row["latitude"]), float(row["longitude"])) for row in csv.DictReader(file)]
    _, latitude, longitude = places[len(places) // 2]
    places.sort(key=lambda place: (place[1] - latitude) ** 2 + (place[2] - longitude) ** 2)
    return [place[0] for place in places[:COUNT]]


def locate(request: int) -> bytes:
    options = service.field(2, service.signed(10 * 10**9)) + service.field(3, service.signed(0))
    return service.frame(2, service.field(1, request) + service.field(2, options))


def answer(client: service.Client, request: int) -> float:
    """Milliseconds."""
    begun = time.monotonic()
    client.socket.sendall(locate(request))
    while True:
        client.receive()
        kinds = [message[0] for message in client.messages]
        client.messages.clear()
        if 3 in kinds:
            return (time.monotonic() - begun) * 1000
        if 4 in kinds:
            raise ValueError("the request has failed")


def rows(city: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon("wifi", **recorded_radio.build(folder, around(city)))
        try:
            subprocess.run([programs.LOCATIONCTL, "wifi", "import", city], check=True, capture_output=True,
                           env={**daemon.environment, "LD_PRELOAD": ""})
            client = service.Client(daemon.socket, wants_updates=False)
            times = [answer(client, number + 1) for number in range(TIMES)]
            client.close()
            variables = {key: value for key, value in daemon.environment.items() if key.startswith("LOCATIOND_")}
            os.environ.update(variables)
            commands = [startup.spawn([programs.LOCATIONCTL, "fix"]) for _ in range(50)]
            for key in variables:
                del os.environ[key]
        finally:
            daemon.stop()
    return [
        Row(NAME, statistics.median(times), "ms", 5,
            note=f"p99 {statistics.quantiles(times, n=100)[98]:.2f} ms; {COUNT} access points as a kernel listed them; GeoClue 3,090 ms"),
        Row("the same as a command, locationctl fix", statistics.median(commands), "ms"),
    ]
