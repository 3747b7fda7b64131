"""The messages between locationd and the fleet helper (Sources/Fleet/Helper), and the helper as a process, for tests."""

import os
import pathlib
import random
import socket
import struct
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FLEET_HELPER", str(ROOT / ".build/debug/locationd-fleet-helper"))

MQTT, OWNTRACKS, OSMAND, OVERLAND, HTTP = range(5)
FIX, EVENT, STATE, LAST_WILL = range(4)
PUBLISH, GET, POST = range(3)

PROBLEMS = [
    None, "noSuchHost", "unreachable", "serverNotTrusted", "certificateRefused", "badCredentials", "notAuthorized",
    "takenOver", "tooLate", "closed", "unavailable", "notUnderstood", "libraryMissing", "notFound", "certificateDate",
    "credentialUnreadable",
]


def _bytes(content):
    content = content.encode() if isinstance(content, str) else content
    return struct.pack("<I", len(content)) + content


def _optional(content):
    return b"\0" if content is None else b"\1" + _bytes(content)


def _framed(kind, content):
    return bytes([kind]) + len(content).to_bytes(3, "little") + content


def message(number, target, body, *, kind=FIX, method=PUBLISH, content_type=None, retained=False, qos=1):
    return (struct.pack("<QBB", number, kind, method) + _bytes(target) + _bytes(body) + _optional(content_type)
            + bytes([retained, qos]))


def connect(server, kind=MQTT, *, encrypted=False, client="test", keep_alive=60, account=None, password=None,
            authorities=None, certificate=None, key=None, secret=None, will=None, commands=None, headers=(), window=20,
            expects_version_5=False):
    content = bytes([kind]) + _bytes(server) + bytes([encrypted]) + _bytes(client) + struct.pack("<H", keep_alive)
    for text in (account, password, authorities, certificate, key, secret):
        content += _optional(text)
    content += b"\0" if will is None else b"\1" + will
    content += _optional(commands) + bytes([len(headers)]) + b"".join(map(_bytes, headers)) + struct.pack("<H?", window, expects_version_5)
    return _framed(1, content)


class Helper:
    """The helper as the service starts it, with a socket as its standard input."""

    def __init__(self, order=None, program=PROGRAM, **options):
        self.socket, other = socket.socketpair()
        self.process = subprocess.Popen([program], stdin=other, **options)
        other.close()
        self.pending = b""
        self.number = 0
        if order is not None:
            self.write(order)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.kill()
        self.process.wait()

    def write(self, data):
        self.socket.sendall(data)

    def send(self, target, body, number=None, **options):
        if number is None:
            self.number += 1
            number = self.number
        self.write(_framed(2, message(number, target, body, **options)))
        return number

    def close(self):
        self.write(_framed(3, b""))

    def receive(self, timeout=20):
        """The next message; None at the end of the stream."""
        deadline = time.monotonic() + timeout
        while True:
            if len(self.pending) >= 4:
                size = int.from_bytes(self.pending[1:4], "little")
                if len(self.pending) >= 4 + size:
                    kind, content = self.pending[0], self.pending[4:4 + size]
                    self.pending = self.pending[4 + size:]
                    return self.parsed(kind, content)
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            data = self.socket.recv(65536)
            if not data:
                return None
            self.pending += data

    @staticmethod
    def parsed(kind, content):
        def reply(data):
            if not data:
                return None
            if data[0] == 1:
                assert len(data) == 2
                return data[1]
            status, has = struct.unpack_from("<HB", data, 1)
            assert len(data) == (8 if has else 4)
            return (status, struct.unpack_from("<I", data, 4)[0] if has else None)

        if kind == 4:
            names = ["version", "receive", "packet", "qos", "retain"]
            values, offset = [content[0]], 1
            for form in ("<H", "<I"):
                if content[offset]:
                    values.append(struct.unpack_from(form, content, offset + 1)[0])
                    offset += struct.calcsize(form)
                else:
                    values.append(None)
                offset += 1
            values += [content[offset], content[offset + 1] == 1]
            assert len(content) == offset + 2
            return ("connected", dict(zip(names, values)))
        if kind == 5:
            return ("answered", struct.unpack_from("<Q", content)[0], reply(content[8:]))
        if kind == 6:
            assert len(content) == 4 + struct.unpack_from("<I", content)[0]
            return ("command", content[4:])
        assert kind == 7, kind
        return ("ended", PROBLEMS[content[0]], reply(content[1:]))


def free_port():
    """A port below those of outgoing connections (ip_local_port_range): a client that tries again while its server is away would otherwise
    connect to itself after some thousand attempts, and keep the port."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Authority:
    """A certificate authority with certificates for a test."""

    def __init__(self, folder, name="test"):
        self.folder, self.name = pathlib.Path(folder), name
        self._run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                  f"{name}-ca.key", "-out", f"{name}-ca.crt", "-subj", f"/CN={name}", "-days", "2")
        self.file = self.folder / f"{name}-ca.crt"

    def _run(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def issue(self, common, hosts="DNS:localhost,IP:127.0.0.1", days=2):
        path = self.folder / f"{self.name}-{common}"
        (self.folder / "extensions").write_text(f"subjectAltName={hosts}\n")
        self._run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                  f"{path}.key", "-out", f"{path}.csr", "-subj", f"/CN={common}")
        # Debian 12's openssl takes no dates, but a negative number of days.
        self._run("x509", "-req", "-in", f"{path}.csr", "-CA", str(self.file), "-CAkey",
                  str(self.folder / f"{self.name}-ca.key"), "-CAcreateserial", "-days", str(days), "-out", f"{path}.crt",
                  "-extfile", "extensions")
        return pathlib.Path(f"{path}.crt"), pathlib.Path(f"{path}.key")


class Broker:
    """Debian's mosquitto with a configuration."""

    def __init__(self, folder, lines, port=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.port = port or free_port()
        path = self.folder / "mosquitto.conf"
        listener = f"listener {self.port} 127.0.0.1"
        # Root starts it in a container; as another user, mosquitto could not read the files of the test.
        # By default, it stores its state in the current folder.
        state = [f"persistence_location {self.folder}/"]
        path.write_text("\n".join([*(["user root"] if os.geteuid() == 0 else []), listener, *state, *lines]) + "\n")
        self.path = path
        self.start()

    def start(self):
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(["/usr/sbin/mosquitto", "-c", str(self.path)], stdout=self.log,
                                        stderr=subprocess.STDOUT)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text())
                # There is nothing to wait for but the port.
                time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"
