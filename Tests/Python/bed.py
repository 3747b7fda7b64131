"""A real locationd with a simulated receiver, for the tests of the Python package."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Sources/python3-locationd"
PROGRAM = Path(os.environ.get("LOCATIOND", ROOT / ".build/debug/locationd"))
sys.path.insert(0, str(PACKAGE))


class Daemon:
    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/socket"
        self.environment = os.environ | {
            "LOCATIOND_SOCKET": self.path,
            "LOCATIOND_STATE": f"{self.folder.name}/state",
        }
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [PROGRAM, "--source", "simulator"], env=self.environment, stderr=subprocess.PIPE, text=True
        )
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if "Listening" in line:
                return
        raise RuntimeError(f"locationd does not start: {''.join(lines)}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.stderr.close()
        self.process.wait()

    def close(self) -> None:
        self.stop()
        self.folder.cleanup()
