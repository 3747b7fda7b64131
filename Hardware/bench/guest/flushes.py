"""A file system of which every write is recorded (dm-log-writes), and each state of it that a power cut could have left.

The record's format: drivers/md/dm-log-writes.c. One block of the superblock, then a block and its data for each write."""

import os
import struct
import subprocess

DATA, LOG, COPY = "/root/flushes-data", "/root/flushes-log", "/root/flushes-copy"
DEVICE = "bench-logged"
MEGABYTE = 1 << 20
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
MAGIC = 0x6A736677736872


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class RecordedDisk:
    """Mounted at `path` from its making to `end`."""

    def __init__(self, path: str, owner: str) -> None:
        self.path = path
        for file, size in ((DATA, 16), (LOG, 96)):
            with open(file, "wb") as image:
                image.truncate(size * MEGABYTE)
        self.loops = [run("losetup", "--find", "--show", file) for file in (DATA, LOG)]
        run("modprobe", "dm-log-writes")
        run("dmsetup", "create", DEVICE, "--table", f"0 {16 * MEGABYTE // 512} log-writes {' '.join(self.loops)}")
        run("mke2fs", "-q", "-t", "ext4", f"/dev/mapper/{DEVICE}")
        run("mount", f"/dev/mapper/{DEVICE}", path)
        run("chown", owner, path)
        run("sync")
        self.mark("made")

    def mark(self, text: str) -> None:
        run("dmsetup", "message", DEVICE, "0", "mark", text)

    def end(self) -> None:
        subprocess.run(["umount", self.path], check=False)
        subprocess.run(["dmsetup", "remove", "--retry", DEVICE], check=False)
        for loop in self.loops:
            subprocess.run(["losetup", "--detach", loop], check=False)

    def states(self, command: str) -> list[dict]:
        """At each flush since the file system was made: the last mark before it, and what a shell command prints of that state,
        which is mounted at $STATE; after `end`."""
        found = []
        mark = None
        with open(LOG, "rb") as log, open(COPY, "w+b") as copy:
            copy.truncate(16 * MEGABYTE)
            magic, version, entries, block = struct.unpack("<QQQI", log.read(28))
            if magic != MAGIC or version != 1:
                raise OSError("no record of dm-log-writes")
            place = block
            for _ in range(entries):
                log.seek(place)
                sector, sectors, flags, length = struct.unpack("<QQQQ", log.read(32))
                if flags & (FLUSH | FUA) and mark is not None:
                    # All that came before the flush is on the disk; what comes with it may be.
                    copy.flush()
                    found.append({"mark": mark, **self._read(command)})
                place += block
                if flags & MARK:
                    mark = log.read(length).rstrip(b"\0").decode()
                elif not flags & DISCARD:
                    log.seek(place)
                    copy.seek(sector * block)
                    copy.write(log.read(sectors * block))
                    place += sectors * block
        os.unlink(COPY)
        return found

    def _read(self, command: str) -> dict:
        """From a copy: to mount it is to repair it."""
        tried = COPY + "-tried"
        run("cp", "--sparse=always", COPY, tried)
        mount = "/mnt"
        run("mount", "-o", "loop", tried, mount)
        try:
            read = subprocess.run(
                ["/bin/sh", "-c", command], env={**os.environ, "STATE": mount}, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, check=False)
            return {"status": read.returncode, "content": read.stdout, "errors": read.stderr}
        finally:
            run("umount", mount)
