"""Measures the time from the import to a fix, with a real daemon: python3 start_time.py. Prints medians and minimums in milliseconds."""

import statistics
import subprocess
import sys

import bed

RUNS = 40
CODE = """
import sys, time
begin = time.perf_counter()
import {modules}
imported = time.perf_counter()
{fix}
end = time.perf_counter()
print((imported - begin) * 1e3, (end - begin) * 1e3)
"""


def measure(modules: str, fix: str, environment: dict[str, str]) -> list[list[float]]:
    code = f"import sys; sys.path.insert(0, {str(bed.PACKAGE)!r})" + CODE.format(modules=modules, fix=fix)
    runs = [
        subprocess.run([sys.executable, "-I", "-c", code], env=environment, capture_output=True, text=True, check=True)
        for _ in range(RUNS)
    ]
    return [[float(word) for word in run.stdout.split()] for run in runs]


def show(name: str, values: list[float]) -> None:
    print(f"{name:32} median {statistics.median(values):6.1f} ms, minimum {min(values):6.1f} ms")


def main() -> None:
    daemon = bed.Daemon()
    try:
        environment = daemon.environment
        fix = 'locationd.fix("a measurement", max_age_s=60)'
        measure("locationd", fix, environment)
        ours = measure("locationd", fix, environment)
        # The modules of Python that the package needs.
        python = measure("socket, struct, datetime, enum, collections.abc", "pass", environment)
        print(f"Python {sys.version.split()[0]}")
        show("import", [run[0] for run in ours])
        show("import and fix", [run[1] for run in ours])
        show("Python's own modules in the import", [run[0] for run in python])
    finally:
        daemon.close()


if __name__ == "__main__":
    main()
