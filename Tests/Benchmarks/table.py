"""The table of figures: as Markdown for people, as JSON for programs."""

import json
import os
from dataclasses import dataclass


@dataclass
class Row:
    name: str
    value: float | None
    unit: str
    reach: float | None = None
    peer: str | None = None
    peer_value: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        if self.reach is None:
            return ""
        return "reached" if self.value <= self.reach else "missed"


def absent(name: str, unit: str, why: str) -> Row:
    return Row(name, None, unit, note=why)


def told(output: str) -> list[Row]:
    """The rows of a program that tells a figure a line."""
    return [
        Row(record["name"], record["value"], record["unit"], record.get("reach"), record.get("peer"),
            record.get("peerValue"))
        for record in map(json.loads, output.splitlines())
    ]


def figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def markdown(rows: list[Row]) -> str:
    lines = ["| what | here | reach | | peer | note |", "|---|---|---|---|---|---|"]
    for row in rows:
        peer = f"{row.peer} {figure(row.peer_value)}" if row.peer else "–"
        reach = "–" if row.reach is None else f"≤ {figure(row.reach)} {row.unit}"
        lines.append(f"| {row.name} | {figure(row.value)} {row.unit} | {reach} | {row.verdict} | {peer} | {row.note} |")
    return "\n".join(lines)


def write(rows: list[Row], path: str) -> None:
    records = [
        {"name": row.name, "value": row.value, "unit": row.unit, "reach": row.reach, "peer": row.peer,
         "peerValue": row.peer_value, "note": row.note}
        for row in rows
    ]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(records, file, indent=1, ensure_ascii=False)
        file.write("\n")
