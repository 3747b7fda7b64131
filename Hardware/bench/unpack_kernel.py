"""The kernel inside Debian's kernel: unpack_kernel.py VMLINUZ VMLINUX

It is an ELF program that QEMU starts by its PVH entry; to unpack it in the guest, at every boot, takes four seconds of software
emulation. The header: Documentation/arch/x86/boot.rst in Linux. Ends with 1 where the packing is one that is not known here."""

import lzma
import struct
import subprocess
import sys

SETUP_SECTORS, PAYLOAD = 0x1F1, 0x248


def unpacked(packed: bytes) -> bytes | None:
    if packed.startswith(b"\xfd7zXZ\0"):
        # Behind the stream stands its unpacked size.
        return lzma.LZMADecompressor().decompress(packed)
    if packed.startswith(b"\x28\xb5\x2f\xfd"):
        return subprocess.run(["zstd", "-dc"], input=packed[:-4], stdout=subprocess.PIPE, check=True).stdout
    return None


def main(source: str, target: str) -> int:
    with open(source, "rb") as file:
        image = file.read()
    offset, length = struct.unpack_from("<II", image, PAYLOAD)
    start = ((image[SETUP_SECTORS] or 4) + 1) * 512 + offset
    kernel = unpacked(image[start : start + length])
    if kernel is None or not kernel.startswith(b"\x7fELF"):
        return 1
    with open(target, "wb") as file:
        file.write(kernel)
    return 0


sys.exit(main(*sys.argv[1:]))
