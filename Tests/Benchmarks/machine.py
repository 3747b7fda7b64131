"""Where and when the figures were measured, and against which peers."""

import os
import platform
import subprocess
import time

import programs


def describe() -> str:
    return "\n".join((
        f"- date: {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}",
        f"- machine: {cpu()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f} at the start",
        f"- kernel: {platform.system()} {platform.release()} {platform.machine()}",
        f"- system: {system()}",
        f"- peers: {gpsd()}",
    ))


def cpu() -> str:
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith(("model name", "Model"))]
    return names[0] if names else "unknown CPU"


def system() -> str:
    return platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")


def gpsd() -> str:
    if not programs.GPSD:
        return "no gpsd is installed: its columns are empty"
    return subprocess.run([programs.GPSD, "-V"], capture_output=True, text=True).stdout.strip()
