"""Measures what `make bench` promises, prints the table and writes `.build/bench.json`."""

import sys

import accuracy
import authorization
import clock_samples
import core_location
import crossings
import daemon
import decode
import evaluation
import faults
import first_fix
import fleet
import gpsd_clients
import fusion
import hostile
import launch
import machine
import map_page
import map_pictures
import neighbour
import next_start
import ntrip
import one_shots
import parked
import places
import programs
import python_package
import regions
import replay
import replug
import settings
import startup
import streams
import table
import through_gpsd
import track_store
import visits
import wifi

PARTS = {
    "decode": decode.rows,
    "replay": replay.rows,
    "start": startup.rows,
    "first-fix": first_fix.rows,
    "one-shots": one_shots.rows,
    "streams": streams.rows,
    "replug": replug.rows,
    "neighbour": neighbour.rows,
    "next-start": next_start.rows,
    "through-gpsd": through_gpsd.rows,
    "core-location": core_location.rows,
    "daemon": daemon.rows,
    "gpsd-clients": gpsd_clients.rows,
    "clock-samples": clock_samples.rows,
    "ntrip": ntrip.rows,
    "serial-tcp": ntrip.serial_rows,
    "authorization": authorization.rows,
    "hostile": hostile.rows,
    "track-store": track_store.rows,
    "evaluation": evaluation.rows,
    "fusion": fusion.rows,
    "faults": faults.rows,
    "accuracy": accuracy.rows,
    "wifi": wifi.rows,
    "regions": regions.rows,
    "crossings": crossings.rows,
    "visits": visits.rows,
    "launch": launch.rows,
    "parked": parked.rows,
    "fleet": fleet.rows,
    "python": python_package.rows,
    "places": places.rows,
    "map": lambda: map_pictures.rows() + map_page.rows(),
}


def main() -> int:
    heading = machine.describe()
    if not programs.GPSD:
        print("No gpsd is installed (apt-get install gpsd): nothing is compared with it.", file=sys.stderr)
    rows: list[table.Row] = []
    for name, measure in PARTS.items():
        if settings.PARTS and name not in settings.PARTS:
            rows.append(table.absent(name, "", "left out by BENCH_ONLY"))
            continue
        print(f"measuring: {name}", file=sys.stderr)
        try:
            rows += measure()
        except (OSError, TimeoutError, programs.EndOfOutput) as failure:
            rows.append(table.absent(name, "", f"failed: {failure}"))
    for row in rows:
        if row.value is None:
            print(f"not measured: {row.name}: {row.note}", file=sys.stderr)
    print(f"{heading}\n\n{table.markdown(rows)}")
    table.write(rows, ".build/bench.json")
    return 1 if any(row.value is None and row.note.startswith("failed") for row in rows) else 0


sys.exit(main())
