"""A program that prints a JSON object a line, with the time at which each line came."""

import json
import os
import pwd
import signal
import subprocess
import threading
import time


class Watch:
    def __init__(self, command: list[str], user: str) -> None:
        self.lines: list[tuple[float, dict]] = []
        self.changed = threading.Condition()
        self.errors = open(f"/run/bench/errors-{time.monotonic_ns()}", "w+b")
        account = pwd.getpwnam(user)
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, user=account.pw_uid,
            group=account.pw_gid, extra_groups=os.getgrouplist(user, account.pw_gid),
            env={**os.environ, "HOME": account.pw_dir})
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            now = time.monotonic()
            with self.changed:
                self.lines.append((now, json.loads(line)))
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def wait_for(self, key: str, value, after: float, within: float) -> dict:
        """The first line after that time that has the key, and the value where one is named; a fix must have been true after it,
        too: a service that runs already gives its last one first."""
        end = time.monotonic() + within
        with self.changed:
            while True:
                for time_of_line, line in self.lines:
                    if time_of_line - line.get("age", 0) >= after and key in line and value in (None, line[key]):
                        return {"time": time_of_line, "line": line}
                left = end - time.monotonic()
                if left <= 0 or not self.reader.is_alive():
                    raise TimeoutError(f"no line with {key} {value or ''} within {within} s; {self._told()}")
                self.changed.wait(left)

    def _told(self) -> str:
        self.errors.seek(0)
        said = self.errors.read().decode("utf-8", "replace").strip()
        return f"last lines {[line for _, line in self.lines[-2:]]}, status {self.process.poll()}, it said: {said}"

    def lines_after(self, after: float) -> list:
        with self.changed:
            return [{"time": when, "line": line} for when, line in self.lines if when >= after]

    def end(self) -> dict:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)
        self.errors.seek(0)
        return {"status": self.process.returncode, "errors": self.errors.read().decode("utf-8", "replace")}
