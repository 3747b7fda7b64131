"""Imports an extract, and prints the most anonymous memory of the process that reads it: large_import.py PROGRAM EXTRACT HOME. Fails above
250 MB."""

import os
import subprocess
import sys
import time

LIMIT = 250


def reader() -> int:
    """The anonymous memory of the process that reads the extract, MB; 0: there is none."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/cmdline") as file:
                words = file.read().split("\0")
            if words[1:2] != ["read"] or not any(word.startswith("sourceHash=") for word in words):
                continue
            with open(f"/proc/{name}/status") as file:
                for line in file:
                    if line.startswith("RssAnon:"):
                        return int(line.split()[1]) // 1024
        except OSError:
            # It has ended.
            continue
    return 0


def main(program: str, extract: str, home: str) -> int:
    begin = time.monotonic()
    process = subprocess.Popen(
        [program, "import", extract, "--name", "large"], env={**os.environ, "XDG_DATA_HOME": home})
    most = 0
    while process.poll() is None:
        most = max(most, reader())
        time.sleep(0.1)
    seconds = time.monotonic() - begin
    print(f"{os.path.getsize(extract) >> 20} MB in {seconds:.0f} s, at most {most} MB of anonymous memory (limit: {LIMIT})")
    return process.returncode or most > LIMIT


sys.exit(main(*sys.argv[1:]))
