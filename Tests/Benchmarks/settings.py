"""How long to measure: short by default, `BENCH_FULL=1` for the figures that the issue asks for."""

import os

FULL = os.environ.get("BENCH_FULL") == "1"

FIRST_FIX_RUNS = 20
GPSD_FIRST_FIX_RUNS = 10 if FULL else 6
ONE_SHOT_RUNS = 10 if FULL else 3
REPLUGS = 100 if FULL else 10
# gpsd is waited for 20 s each time, mostly in vain.
GPSD_REPLUGS = 6 if FULL else 1
ONE_SHOTS_BESIDE_GPSD = 100 if FULL else 10
# Of the recorded F9K, at five a second.
F9K_EPOCHS = 1700 if FULL else 300
STARTS = 200
# Those that tell a number of their own; a receiver without one is known by its USB socket, which a pty has not.
NEXT_START_DIALECTS = ["ublox8", "ublox9"] if FULL else ["ublox9"]
# Blocks in which ours and gpsd take turns.
BLOCKS = 2 if FULL else 1
EPOCHS_AT_ONCE = {1: 60, 10: 600}
EPOCHS_DRIBBLED = {1: 60, 10: 600} if FULL else {1: 30, 10: 300}
# Managers of one program, and what they hear at ten a second.
MANAGERS = 1000
MANAGER_EPOCHS = 600 if FULL else 300
# How long a client does not come by, and how long an idle one is watched, seconds.
SLOW = 10
IDLE = 60 if FULL else 10
# locationd: without clients, under load, and each block of hand-overs.
IDLE_SECONDS = 60 if FULL else 30
LOAD_SECONDS = 60 if FULL else 20
DAEMON_EPOCHS = 600 if FULL else 200
# Strangers' requests, and process numbers that are given to others.
TRIES = 10_000 if FULL else 1_000
# A fix a second, logged at that pace.
PACED_FIXES = 600
# Only the parts named here, to try one out: first-fix, one-shots, streams, replug, start, decode, neighbour, next-start, through-gpsd,
# core-location, daemon, authorization, track-store, evaluation.
PARTS = os.environ.get("BENCH_ONLY", "").split()
