"""A private system bus with the bridge, a real locationd that plays a drive, and programs that use GeoClue."""

import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Receivers"))
from nmea import drive  # noqa: E402

BUILD = Path(os.environ.get("PROGRAMS", ROOT / ".build/debug"))
PACKAGING = ROOT / "Sources/locationd/Packaging/geoclue"
NAME = "org.freedesktop.GeoClue2"
# No step of these tests takes as long as this on any machine; it only ends a test that hangs.
PATIENCE = 60
BRIDGE = pwd.getpwnam("locationd-geoclue")
# Users without a grant, and with one.
STRANGER, PERSON = pwd.getpwnam("geoclue-stranger"), pwd.getpwnam("geoclue-person")

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{folder}/services</servicedir>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
  </policy>
  <include>{policy}</include>
</busconfig>
"""


class Bed:
    """The bus, and the service beside it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="geoclue-")
        home = Path(self.folder.name)
        home.chmod(0o755)
        (home / "services").mkdir()
        (home / "bus.conf").write_text(BUS.format(folder=home, policy=PACKAGING / "locationd-geoclue.conf"))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8",
            "LOCATIOND_SOCKET": str(home / "socket"), "LOCATIOND_STATE": str(home / "state"),
            "LOCATIOND_CONFIG": str(home / "root"), "LOCATIOND_GPSD": "off", "LOCATIOND_SOURCE": "",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={home}/bus",
        }
        # In place of systemd, the bus starts the bridge with its account.
        start = home / "start-bridge"
        start.write_text(
            f"#!/bin/sh\nexec setpriv --reuid={BRIDGE.pw_uid} --regid={BRIDGE.pw_gid} --clear-groups"
            f" env LOCATIOND_SOCKET={home}/socket DBUS_SYSTEM_BUS_ADDRESS=unix:path={home}/bus"
            f" {BUILD}/locationd-geoclue 2>>{home}/bridge.log\n")
        start.chmod(0o755)
        (home / "services" / f"{NAME}.service").write_text(f"[D-BUS Service]\nName={NAME}\nExec={start}\n")
        self.bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={home}/bus.conf", "--nofork", "--nopidfile", "--print-address=1"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.bus.stdout.readline().startswith("unix:")
        self.daemon = None

    def serve(self, seconds: int = 300, *options: str) -> None:
        """Starts locationd with a drive at its own speed."""
        home = Path(self.folder.name)
        (home / "drive.nmea").write_bytes(drive(seconds))
        self.daemon = subprocess.Popen(
            [BUILD / "locationd", "--replay", str(home / "drive.nmea"), *(options or ("--realtime",))],
            env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in self.daemon.stderr:
            if "Listening" in line:
                break

    def keep_fix(self) -> None:
        """Keeps the receiver on, as any client does; returns after the first fix."""
        self.watcher = subprocess.Popen(
            [BUILD / "locationctl", "watch", "--json"], env=self.environment, stdout=subprocess.PIPE, text=True)
        self.watcher.stdout.readline()

    def control(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [BUILD / "locationctl", *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE)

    def grant(self, *options: str) -> None:
        result = self.control("grant", "geoclue-person", "--always", *options)
        assert result.returncode == 0, result.stderr

    def run(self, *command: str, user=PERSON, limit: float = PATIENCE) -> subprocess.CompletedProcess:
        """Runs a program of a user."""
        return subprocess.run(
            ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", *command],
            env=self.environment, capture_output=True, text=True, timeout=limit)

    def bridge_process(self) -> int | None:
        found = subprocess.run(
            ["gdbus", "call", "--system", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus",
             "--method", "org.freedesktop.DBus.GetConnectionUnixProcessID", NAME],
            env=self.environment, capture_output=True, text=True)
        # "(uint32 1234,)"
        return int(found.stdout.split()[1].rstrip(",)\n")) if found.returncode == 0 else None

    def stop_bridge(self) -> None:
        process = self.bridge_process()
        if process:
            os.kill(process, signal.SIGTERM)
            while Path(f"/proc/{process}").exists():
                time.sleep(0.01)

    def close(self) -> None:
        for process in (getattr(self, "watcher", None), self.daemon, self.bus):
            if process:
                process.terminate()
                process.wait(PATIENCE)
                for stream in (process.stdout, process.stderr):
                    if stream:
                        stream.close()
        self.folder.cleanup()
