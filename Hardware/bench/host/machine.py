"""The virtual machine: QEMU with a disk of its own, no network, and the agent's port."""

import json
import os
import shutil
import socket
import subprocess
import time

START_SECONDS = 300
KERNEL_OPTIONS = [
    "console=ttyS0", "panic=-1", "quiet", "root=/dev/vda", "systemd.show_status=0", "systemd.journald.storage=volatile",
    # Nothing of what is tried here, and seconds of every boot.
    "selinux=0", "apparmor=0", "audit=0", "mitigations=off", "cryptomgr.notests", "no_timer_check",
]
# How much slower than ours the guest's clock may go.
SLOWNESS = 12


class GuestFailure(Exception):
    """What was asked of the guest could not be done."""


def acceleration() -> list[str]:
    """KVM where the processor has it; where it has not, a device node for it may be there all the same, and hang.

    Else software, whose clock goes by the instructions it has run, 2 ns each: a slow machine, slower than any Raspberry Pi 3, but
    the same whatever else its host has to do. So times measured inside are times of such a machine. Its processor has no more than
    SSE3, as software computes the newer instructions more slowly than what they replace."""
    with open("/proc/cpuinfo") as file:
        flags = next((line for line in file if line.startswith("flags")), "").split()
    if ("svm" in flags or "vmx" in flags) and os.access("/dev/kvm", os.W_OK):
        return ["-accel", "kvm", "-cpu", "host"]
    return ["-accel", "tcg,thread=single,tb-size=256", "-icount", "shift=1", "-cpu", "qemu64"]


class Machine:
    def __init__(self, guest: str, share: str, work: str, lifetime: int) -> None:
        self.guest, self.share, self.work, self.lifetime = guest, share, work, lifetime
        self.disk = f"{work}/root.img"
        subprocess.run(["cp", "--sparse=always", "--reflink=auto", f"{guest}/root.img", self.disk], check=True)
        self.process: subprocess.Popen | None = None
        self.boots = 0
        self.spent = 0.0

    def boot(self, clock: str = "utc") -> float:
        """Returns once the agent answers: seconds that it took. `clock`: what the machine's own clock stands at."""
        began = time.monotonic()
        self.boots += 1
        listener = socket.socket(socket.AF_UNIX)
        path = f"{self.work}/agent"
        if os.path.exists(path):
            os.unlink(path)
        listener.bind(path)
        listener.listen(1)
        command = [
            # Whatever becomes of this program, the machine ends with it, and in any case after its time.
            "setpriv", "--pdeathsig", "KILL", "timeout", "--signal=KILL", str(self.lifetime), "setpriv", "--pdeathsig",
            "KILL", "qemu-system-x86_64", *acceleration(), "-smp", "1", "-m", "512", "-display", "none",
            "-nodefaults", "-no-reboot", "-nic", "none", "-rtc", f"base={clock},clock=vm",
            "-kernel", f"{self.guest}/kernel", "-initrd", f"{self.guest}/initrd.gz",
            "-append", " ".join(KERNEL_OPTIONS),
            # What is flushed is safe with this machine, which keeps its power: no need to wait for its own disk.
            "-drive", f"file={self.disk},format=raw,if=virtio,cache=unsafe",
            "-drive", f"file={self.share},format=raw,if=virtio,readonly=on",
            "-object", "rng-random,id=random,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=random",
            "-serial", f"file:{self.work}/console-{self.boots}", "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={path}", "-device", "virtserialport,chardev=agent,name=bench.0",
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        listener.settimeout(30)
        self.connection, _ = listener.accept()
        listener.close()
        self.connection.settimeout(START_SECONDS)
        self.answers = self.connection.makefile("rb")
        self._answer("the guest's start")
        return time.monotonic() - began

    def call(self, name: str, /, patience: float = 60, **arguments):
        """What the agent answers. `patience`: seconds of the guest's, which are longer ones while the host is busy."""
        self.connection.settimeout(patience * SLOWNESS)
        self.connection.sendall(json.dumps({"call": name, **arguments}).encode() + b"\n")
        return self._answer(name)

    def _answer(self, of: str):
        try:
            line = self.answers.readline()
        except TimeoutError as failure:
            raise GuestFailure(f"the guest did not answer: {of}") from failure
        if not line:
            raise GuestFailure(f"the guest has ended: {of}")
        answer = json.loads(line)
        if "error" in answer:
            raise GuestFailure(answer["error"])
        return answer["result"]

    def processor_seconds(self) -> float:
        """What all boots so far have cost this machine's processor."""
        return self.spent + (self._processor_seconds(self.process.pid) if self.process else 0)

    def _processor_seconds(self, process: int) -> float:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(child) for child in file.read().split()]
        own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return own + sum(self._processor_seconds(child) for child in children)

    def cut_power(self) -> None:
        """What the guest has not written to its disk is lost."""
        if self.process is None:
            return
        self.spent = self.processor_seconds()
        self.process.kill()
        self.process.wait()
        self.process = None
        # The machine's end of the port closes with it: then nothing writes to its disk any more.
        self.connection.settimeout(30)
        try:
            while self.answers.read(65536):
                pass
        except OSError:
            pass
        self.answers.close()
        self.connection.close()

    def end(self) -> None:
        self.cut_power()
        shutil.rmtree(self.work, ignore_errors=True)
