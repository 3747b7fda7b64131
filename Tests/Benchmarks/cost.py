"""What a process has cost so far, by the kernel's own fine-grained account."""

import os
from dataclasses import dataclass


@dataclass
class Cost:
    cpu_milliseconds: float
    wakeups: int

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu_milliseconds - other.cpu_milliseconds, self.wakeups - other.wakeups)


def cost(pid: int) -> Cost:
    """CPU time (user and system) and voluntary context switches of all threads."""
    total = Cost(0, 0)
    for task in os.listdir(f"/proc/{pid}/task"):
        folder = f"/proc/{pid}/task/{task}"
        with open(f"{folder}/schedstat") as file:
            total.cpu_milliseconds += int(file.read().split()[0]) / 1e6
        with open(f"{folder}/status") as file:
            for line in file:
                if line.startswith("voluntary_ctxt_switches"):
                    total.wakeups += int(line.split()[1])
    return total
