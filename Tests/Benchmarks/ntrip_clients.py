"""What clients of other authors and ours read from the same caster, in version 1, version 2, and version 2 in chunks.

Run by `.ci/ntrip-clients`. Prints the whole frames that each client has written; fails if ours has written none in one of the versions."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import caster
import epoch
from terminal import Terminal

PROGRAMS = os.environ["programs"]
PYTHON = os.environ.get("ntrip_clients", "")
SECONDS = 8
RATE = 1000


def end(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def ours(server: caster.Caster, folder: str) -> bytes:
    """The bytes that a receiver gets at its port: those of locationd to a pty, between which it may ask the receiver something."""
    terminal = Terminal()
    received = bytearray()
    is_over = threading.Event()

    def receiver() -> None:
        number = 0
        due = time.monotonic()
        while not is_over.wait(0.02):
            try:
                received.extend(os.read(terminal.master, 65536))
            except OSError:
                pass
            if time.monotonic() >= due:
                terminal.write(epoch.epoch(time.time() // 1, number))
                number, due = number + 1, due + 1

    root = os.path.join(folder, "root")
    files = os.path.join(root, "etc/locationd/ntrip")
    os.makedirs(files)
    path = os.path.join(files, "base")
    with open(path, "w") as file:
        file.write(f"url=ntrip://127.0.0.1:{server.port}/BASE\nuser=user\npassword=password\n")
    os.chmod(path, 0o600)
    environment = {
        **os.environ, "LOCATIOND_SOCKET": f"{folder}/socket", "LOCATIOND_STATE": f"{folder}/state", "LOCATIOND_CONFIG": root,
        "LOCATIOND_GPSD": "off", "LOCATIOND_CORRECTIONS": "base", "LOCATIOND_CORRECTED_RECEIVERS": terminal.path}
    daemon = subprocess.Popen(
        [f"{PROGRAMS}/locationd", "--source", f"serial:{terminal.path}"], env=environment, stderr=subprocess.DEVNULL)
    thread = threading.Thread(target=receiver)
    thread.start()
    try:
        while not os.path.exists(f"{folder}/socket"):
            time.sleep(0.05)
        watch = subprocess.Popen([f"{PROGRAMS}/locationctl", "watch"], env=environment, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 15
        # The receiver is recognized first.
        while caster.frames(bytes(received))[0] == 0 and time.monotonic() < deadline:
            time.sleep(0.2)
        time.sleep(SECONDS)
        end(watch)
    finally:
        end(daemon)
        is_over.set()
        thread.join()
        terminal.close()
    return bytes(received)


def str2str(server: caster.Caster, folder: str) -> bytes | None:
    if not shutil.which("str2str"):
        return None
    out = os.path.join(folder, "str2str.rtcm3")
    process = subprocess.Popen(
        ["str2str", "-in", f"ntrip://user:password@127.0.0.1:{server.port}/BASE", "-out", f"file://{out}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(SECONDS)
    end(process)
    return read(out)


# Its command line passes the server to the wrong function (1.3.1), so its class is used.
PYGNSSUTILS = """import sys, time
from queue import Empty, Queue
from pygnssutils import GNSSNTRIPClient
port, version, seconds, path = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]
messages = Queue()
client = GNSSNTRIPClient()
client.run(server="127.0.0.1", port=port, https=0, mountpoint="BASE", version=version, ntripuser="user",
           ntrippassword="password", datatype="RTCM", ggainterval=-1, output=messages)
end = time.monotonic() + seconds
with open(path, "wb") as file:
    while time.monotonic() < end:
        try:
            message = messages.get(timeout=0.2)
        except Empty:
            continue
        file.write(message[0] if isinstance(message, tuple) else message)
client.stop()
"""


def pygnssutils(server: caster.Caster, folder: str) -> bytes | None:
    python = os.path.join(PYTHON, "bin", "python")
    if not os.path.exists(os.path.join(PYTHON, "bin", "gnssntripclient")):
        return None
    out = os.path.join(folder, "pygnssutils.rtcm3")
    process = subprocess.Popen(
        [python, "-c", PYGNSSUTILS, str(server.port), "1.0" if server.mode == "v1" else "2.0", str(SECONDS), out],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(SECONDS + 10)
    except subprocess.TimeoutExpired:
        end(process)
    return read(out)


def main() -> int:
    is_good = True
    results = []
    for mode in ("v1", "v2", "chunked"):
        for name, client in (("locationd", ours), ("str2str", str2str), ("pygnssutils", pygnssutils)):
            requests: list[str] = []
            server = caster.Caster(mode, RATE, requests.append)
            with tempfile.TemporaryDirectory() as folder:
                data = client(server, folder)
            server.close()
            if data is None:
                print(f"{mode:8} {name:12} is not installed")
                continue
            count, size = caster.frames(data)
            request = requests[0] if requests else "no request"
            print(f"{mode:8} {name:12} {count:4} frames, {size:6} of {server.sent:6} bytes, {len(requests)} requests: {request}")
            results.append({"mode": mode, "client": name, "frames": count, "bytes": size, "sent": server.sent})
            is_good = is_good and (name != "locationd" or count > 0)
    os.makedirs(".build", exist_ok=True)
    with open(".build/ntrip-clients.json", "w") as file:
        json.dump(results, file, indent=1)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
