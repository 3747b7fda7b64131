"""Runs scenarios against the virtual machine: main.py GUEST PACKAGE PROGRAMS ci|full|NAME..."""

import importlib.util
import os
import signal
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from bench import Bench, Failed, Skipped
from machine import GuestFailure, Machine

HERE = Path(__file__).resolve().parent.parent


def scenarios(wanted: list[str]) -> list:
    """Those of the set, or those that are named, in the order of their file names."""
    found = []
    for path in sorted((HERE / "scenarios").glob("*.py")):
        specification = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        is_wanted = path.stem in wanted or "full" in wanted or ("ci" in wanted and module.SET == "ci")
        if is_wanted:
            found.append(module)
    return found


def share(work: str, package: str, programs: list[str]) -> str:
    """The disk on which the guest sees of this machine the bench's own programs, the package, and nothing else."""
    folder, disk = f"{work}/share", f"{work}/share.img"
    shutil.copytree(HERE / "guest", f"{folder}/guest")
    os.makedirs(f"{folder}/bin")
    for program in programs:
        shutil.copy(program, f"{folder}/bin")
    shutil.copy(package, f"{folder}/{os.path.basename(package)}")
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-E", "root_owner=0:0", "-d", folder, disk, "128M"],
        check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
    return disk


def attempt(scenario, bench: Bench) -> tuple[str, str]:
    """How it went, and what there is to say of that."""
    try:
        scenario.run(bench)
    except Skipped as reason:
        return "skip", str(reason)
    except (Failed, GuestFailure) as failure:
        return "FAIL", str(failure)
    except Exception:
        return "FAIL", traceback.format_exc()
    return "ok", ""


def run(guest: str, package: str, programs: list[str], wanted: list[str]) -> int:
    chosen = scenarios(wanted)
    if not chosen:
        print(f"no such scenario: {' '.join(wanted)}", file=sys.stderr)
        return 64
    is_full = "full" in wanted
    work = tempfile.mkdtemp(prefix="location-bench-")
    machine = Machine(guest, share(work, package, programs), work, lifetime=3000 if is_full else 1200)
    bench = Bench(machine, replugs=20 if is_full else 3, package=f"/bench/{os.path.basename(package)}")
    counts = {"ok": 0, "FAIL": 0, "skip": 0}
    try:
        print(f"boot: {machine.boot():.0f} s", flush=True)
        for scenario in chosen:
            began, spent = time.monotonic(), machine.processor_seconds()
            word, reason = attempt(scenario, bench)
            counts[word] += 1
            name = scenario.__name__.split("_", 1)[1].replace("_", " ")
            said = "; ".join(filter(None, [bench.told(), reason]))
            print(f"{word:4} {name}{': ' if said else ''}{said} ({time.monotonic() - began:.0f} s, {machine.processor_seconds() - spent:.0f} s of processor)", flush=True)
            if word == "FAIL":
                recover(bench, machine)
    finally:
        machine.end()
    skipped = f", {counts['skip']} skipped" if counts["skip"] else ""
    print(f"{counts['ok']} passed, {counts['FAIL']} failed{skipped}")
    return 1 if counts["FAIL"] else 0


def recover(bench: Bench, machine: Machine) -> None:
    """The next scenario starts from a guest that answers."""
    try:
        print(bench.shell("journalctl -b --no-pager -n 25 -u locationd 2>&1 | tail -n 25", expect=None), file=sys.stderr)
        bench.call("clear")
    except (GuestFailure, OSError):
        machine.cut_power()
        machine.boot()


if __name__ == "__main__":
    # Ended by a signal, the machine ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(run(sys.argv[1], sys.argv[2], sys.argv[3].split(":"), sys.argv[4:]))
