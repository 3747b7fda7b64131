"""What a receiver of the common kind says in one epoch: eight NMEA sentences, about 470 bytes."""

import os
import sys
from datetime import datetime, timezone

sys.path.append(os.path.join("Tests", "Receivers"))
from nmea import sentence  # noqa: E402


def key(time: float) -> str:
    """An epoch's moment as ours and gpsd write it: what tells which epoch a line of output is of."""
    milliseconds = round(time * 1000)
    moment = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def epoch(time: float, number: int) -> bytes:
    """The epoch at `time` (seconds of Unix time): a walk to the north-east, so that nothing looks frozen."""
    milliseconds = round(time * 1000)
    moment = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    clock = f"{moment:%H%M%S}.{milliseconds % 1000 // 10:02d}"
    latitude = f"48{7.5 + number % 20000 * 1e-4:08.5f},N"
    longitude = f"011{34.5 + number % 20000 * 1e-4:08.5f},E"
    return b"".join(
        sentence(body)
        for body in (
            f"GNRMC,{clock},A,{latitude},{longitude},2.91,45.00,{moment:%d%m%y},,,A",
            "GNVTG,45.00,T,,M,2.91,N,5.400,K,A",
            f"GNGGA,{clock},{latitude},{longitude},1,09,0.95,545.4,M,46.9,M,,",
            "GNGSA,A,3,04,05,09,12,17,23,25,29,31,,,,1.78,0.95,1.50",
            "GPGSV,3,1,10,04,62,187,41,05,22,301,36,09,48,081,44,12,18,244,33",
            "GPGSV,3,2,10,17,55,120,45,23,33,066,39,25,71,310,46,29,27,153,38",
            "GPGSV,3,3,10,31,15,210,30,02,05,020,",
            f"GNGLL,{latitude},{longitude},{clock},A,A",
        )
    )
