"""The fleet helper against Debian's mosquitto, and against servers that answer with something else than they should."""

import base64
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

import nacl.secret
import paho.mqtt.client as paho

from fleet_helper import (GET, HTTP, LAST_WILL, OWNTRACKS, POST, Authority, Broker, Helper, connect, free_port, message)

SECRET = "a secret of 16 or more"
KEY = SECRET.encode()[:32].ljust(32, b"\0")
LWT = b'{"_type":"lwt","tst":1}'
TOPIC = "owntracks/fleet/pi"


class Subscriber:
    """paho as an independent client: records what it receives."""

    def __init__(self, broker, topic="#", **session):
        self.messages, self.changed = [], threading.Condition()
        self.client = paho.Client(protocol=paho.MQTTv5, **session)
        ready = threading.Event()
        self.client.on_message = self._received
        self.client.on_subscribe = lambda *_: ready.set()
        self.client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self.client.connect("127.0.0.1", broker.port)
        self.client.loop_start()
        assert ready.wait(10)

    def _received(self, _client, _context, received):
        with self.changed:
            self.messages.append(received)
            self.changed.notify_all()

    def wait(self, count, timeout=20):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.messages) >= count, timeout), \
                f"{len(self.messages)} of {count} messages"
            return [(one.topic, one.payload) for one in self.messages]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.loop_stop()
        self.client.disconnect()


class FleetCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def broker(self, *lines, port=None):
        broker = Broker(self.folder, lines, port)
        self.addCleanup(broker.kill)
        return broker


class PlainBroker(FleetCase):
    def setUp(self):
        self.bus = self.broker("allow_anonymous true")

    def test_messages_arrive_in_their_order_with_the_broker_s_limits(self):
        with Subscriber(self.bus) as subscriber, Helper(connect(self.bus.address)) as helper:
            kind, session = helper.receive()
            self.assertEqual((kind, session["version"], session["receive"], session["retain"]), ("connected", 5, 20, True))
            for number in range(200):
                helper.send(TOPIC, f"{number}")
                if number >= 19:
                    self.assertEqual(helper.receive(), ("answered", number - 18, 0))
            received = subscriber.wait(200)
            self.assertEqual(received, [(TOPIC, f"{number}".encode()) for number in range(200)])

    def test_nobody_subscribed_and_quality_of_service_0(self):
        with Helper(connect(self.bus.address)) as helper:
            helper.receive()
            helper.send(TOPIC, "x", 7)
            self.assertEqual(helper.receive(), ("answered", 7, 16))
            helper.send(TOPIC, "x", 1 << 63, qos=0)
            self.assertEqual(helper.receive(), ("answered", 1 << 63, 0))
            # A topic with a wildcard cannot be published to.
            helper.send("a/#", "x", 8)
            self.assertEqual(helper.receive(), ("answered", 8, 0x90))

    def test_the_will_is_published_after_a_kill_and_not_after_a_proper_end(self):
        will = message(1 << 63, TOPIC, LWT, kind=LAST_WILL)
        with Subscriber(self.bus) as subscriber:
            with Helper(connect(self.bus.address, client="one", will=will)) as helper:
                helper.receive()
                helper.send(TOPIC, "last")
                helper.close()
                self.assertEqual(helper.receive(), ("answered", 1, 0))
                self.assertIsNone(helper.receive())
            with Helper(connect(self.bus.address, client="two", will=will)) as helper:
                helper.receive()
                os.kill(helper.process.pid, signal.SIGKILL)
                self.assertIsNone(helper.receive())
            self.assertEqual(subscriber.wait(2), [(TOPIC, b"last"), (TOPIC, LWT)])
            # The daemon was killed: the stream ends without `close`.
            with Helper(connect(self.bus.address, client="three", will=will)) as helper:
                helper.receive()
                helper.socket.shutdown(socket.SHUT_RDWR)
                helper.process.wait(10)
            self.assertEqual(len(subscriber.wait(3)), 3)

    def test_a_second_client_of_the_same_name_ends_the_first(self):
        with Helper(connect(self.bus.address, client="same")) as first:
            first.receive()
            with Helper(connect(self.bus.address, client="same")) as second:
                second.receive()
                # mosquitto 2.0.11 closes the connection without the reason.
                self.assertIn(first.receive(), (("ended", "takenOver", 0x8E), ("ended", "closed", None)))

    def test_more_messages_than_the_window_end_the_helper(self):
        self.bus.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.bus.process.send_signal, signal.SIGCONT)
        self.bus.process.send_signal(signal.SIGCONT)
        with Helper(connect(self.bus.address, window=5)) as helper:
            helper.receive()
            self.bus.process.send_signal(signal.SIGSTOP)
            for _ in range(6):
                helper.send(TOPIC, "x")
            self.assertIsNone(helper.receive())

    def test_retained_messages_and_commands(self):
        commands = f"{TOPIC}/cmd"
        with Subscriber(self.bus, "other") as other, Helper(connect(self.bus.address, commands=commands)) as helper:
            helper.receive()
            helper.send(TOPIC, "kept", retained=True)
            helper.receive()
            # The subscription is made after the session is reported; a command before it would be lost.
            until(lambda: subscribers(self.bus, commands))
            other.client.publish(commands, '{"_type":"cmd"}', 1)
            self.assertEqual(helper.receive(), ("command", b'{"_type":"cmd"}'))
        with Subscriber(self.bus, TOPIC) as late:
            self.assertEqual(late.wait(1), [(TOPIC, b"kept")])

    def test_encrypted_payloads_open_with_pynacl_and_commands_must_be_encrypted(self):
        commands = f"{TOPIC}/cmd"
        with Subscriber(self.bus, TOPIC) as subscriber, \
                Helper(connect(self.bus.address, secret=SECRET, commands=commands)) as helper:
            helper.receive()
            for size in (0, 1, 2, 3, 300, 60_000):
                helper.send(TOPIC, "p" * size)
                self.assertEqual(helper.receive()[2], 0)
            helper.send(TOPIC, LWT, kind=LAST_WILL)
            received = [payload for _, payload in subscriber.wait(7)]
            self.assertEqual(received[6], LWT)
            box, nonces = nacl.secret.SecretBox(KEY), set()
            for payload, size in zip(received, (0, 1, 2, 3, 300, 60_000)):
                data = json.loads(payload)
                self.assertEqual(data["_type"], "encrypted")
                raw = base64.b64decode(data["data"], validate=True)
                self.assertEqual(box.decrypt(raw), b"p" * size)
                nonces.add(raw[:24])
            self.assertEqual(len(nonces), 6)
            helper.receive()
            until(lambda: subscribers(self.bus, commands))
            forged = nacl.secret.SecretBox(b"x" * 32).encrypt(b"forged")
            for command in (b'{"_type":"cmd","action":"plain"}', b'{"_type":"encrypted","data":"AAAA"}',
                            encrypted(forged), encrypted(box.encrypt(b'{"action":"real"}'))):
                subscriber.client.publish(commands, command, 1)
            self.assertEqual(helper.receive(), ("command", b'{"action":"real"}'))

    def test_kills_of_broker_and_helper_lose_nothing_that_was_not_answered(self):
        """What is sent again from the first unanswered message arrives in order, with at most a window of duplicates per kill."""
        count, kills, window = 400, 6, 10
        position, restarts = 0, 0
        with open(self.folder / "kills", "wb") as output:
            # It connects again by itself.
            listener = subprocess.Popen(
                ["mosquitto_sub", "-p", str(self.bus.port), "-t", TOPIC, "-q", "1", "-V", "5"], stdout=output,
                stderr=subprocess.DEVNULL)
        self.addCleanup(listener.wait)
        self.addCleanup(listener.kill)
        while position < count:
            until(lambda: subscribers(self.bus, TOPIC))
            with Helper(connect(self.bus.address, window=window)) as helper:
                self.assertEqual(helper.receive()[0], "connected")
                sent = position
                while position < count:
                    try:
                        while sent < count and sent - position < window:
                            helper.send(TOPIC, f"{sent}", sent)
                            sent += 1
                        answer = helper.receive()
                    except OSError:
                        break
                    if answer is None or answer[0] != "answered" or answer[2] != 0:
                        break
                    self.assertEqual(answer[1], position)
                    position += 1
                    if restarts < kills and position == (restarts + 1) * count // (kills + 1):
                        restarts += 1
                        if restarts % 2:
                            # What a broker has acknowledged and not passed on yet is lost with it, which no publisher can know.
                            until(lambda: f"{sent - 1}\n" in (self.folder / "kills").read_text())
                            self.bus.kill()
                            self.bus.start()
                        else:
                            os.kill(helper.process.pid, signal.SIGKILL)
        until(lambda: f"{count - 1}\n" in (self.folder / "kills").read_text())
        numbers = [int(line) for line in (self.folder / "kills").read_text().split()]
        self.assertEqual(restarts, kills)
        self.assertEqual(list(dict.fromkeys(numbers)), list(range(count)))
        self.assertLessEqual(len(numbers) - count, kills * window)


def until(condition, timeout=30):
    """Waits for something that nobody reports."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def encrypted(raw):
    return json.dumps({"_type": "encrypted", "data": base64.b64encode(raw).decode()}).encode()


def subscribers(broker, topic):
    """How many clients have subscribed, found by a message that MQTT 5 acknowledges with a reason."""
    with Helper(connect(broker.address, client="probe")) as probe:
        if probe.receive()[0] != "connected":
            return 0
        # It is not for the subscribers: a retained message without a body only deletes what is retained.
        probe.send(topic, "", retained=True)
        return int(probe.receive()[2] == 0)


class SecureBroker(FleetCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ours, cls.theirs = Authority(cls.folder), Authority(cls.folder, "other")
        cls.server = cls.ours.issue("server")
        cls.pi = [path.read_bytes() for path in cls.ours.issue("pi")]
        cls.authorities = cls.ours.file.read_bytes()
        # The example of the documentation: each device writes below its own name only.
        (cls.folder / "acl").write_text(
            "pattern write owntracks/fleet/%u\npattern write owntracks/fleet/%u/+\npattern read owntracks/fleet/%u/cmd\n")
        shutil.chown(cls.folder, "root") if os.geteuid() == 0 else None

    def secure(self, server=None, *lines):
        certificate, key = server or self.server
        return self.broker(f"cafile {self.ours.file}", f"certfile {certificate}", f"keyfile {key}", *lines)

    def ended(self, order):
        with Helper(order) as helper:
            result = helper.receive()
            self.assertEqual(result[0], "ended", result)
            return result[1:]

    def test_client_certificates_and_the_broker_s_rights(self):
        bus = self.secure(None, "require_certificate true", "use_identity_as_username true", f"acl_file {self.folder}/acl")
        for host in ("localhost", "127.0.0.1"):
            with Helper(connect(f"{host}:{bus.port}", encrypted=True, authorities=self.authorities,
                                certificate=self.pi[0], key=self.pi[1])) as helper:
                self.assertEqual(helper.receive()[0], "connected")
                helper.send(TOPIC, "x")
                self.assertEqual(helper.receive(), ("answered", 1, 16))
                helper.send("owntracks/fleet/other", "x")
                self.assertEqual(helper.receive(), ("answered", 2, 135))
                with open(f"/proc/{helper.process.pid}/status") as status:
                    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
                self.assertLessEqual(resident, 9000)
        other = [path.read_bytes() for path in self.theirs.issue("pi")]
        # A broker that closes at once may take the reason with it.
        for certificate, key in ((None, None), other):
            problem, _ = self.ended(connect(f"localhost:{bus.port}", encrypted=True, authorities=self.authorities,
                                            certificate=certificate, key=key))
            self.assertIn(problem, ("certificateRefused", "closed"))

    def test_certificates_that_are_not_trusted(self):
        bus = self.secure()
        server = f"localhost:{bus.port}"
        self.assertEqual(self.ended(connect(server, encrypted=True))[0], "serverNotTrusted")
        self.assertEqual(
            self.ended(connect(server, encrypted=True, authorities=self.theirs.file.read_bytes()))[0], "serverNotTrusted")
        named = self.secure(self.ours.issue("named", hosts="DNS:elsewhere.example"))
        self.assertEqual(
            self.ended(connect(f"localhost:{named.port}", encrypted=True, authorities=self.authorities))[0],
            "serverNotTrusted")
        for parts in ({"authorities": b"no certificate"}, {"authorities": self.authorities, "certificate": b"x", "key": b"y"},
                      {"authorities": self.authorities, "certificate": self.pi[0], "key": b"y"}):
            self.assertEqual(self.ended(connect(server, encrypted=True, **parts))[0], "credentialUnreadable")
        # Never without encryption because encryption fails.
        plain = self.broker("allow_anonymous true")
        self.assertEqual(self.ended(connect(f"localhost:{plain.port}", encrypted=True))[0], "serverNotTrusted")

    def test_accounts(self):
        passwords = self.folder / "passwords"
        subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "pi", "right"], check=True, capture_output=True)
        bus = self.broker("allow_anonymous false", f"password_file {passwords}")
        with Helper(connect(bus.address, account="pi", password="right")) as helper:
            self.assertEqual(helper.receive()[0], "connected")
        for order in (connect(bus.address), connect(bus.address, account="pi", password="wrong")):
            self.assertEqual(self.ended(order), ("notAuthorized", 0x87))


class HostileServer(FleetCase):
    """Servers that answer with something else."""

    def serve(self, answer):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def run():
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                with peer:
                    peer.settimeout(5)
                    try:
                        answer(peer, peer.recv(65536))
                    except OSError:
                        pass

        threading.Thread(target=run, daemon=True).start()
        return f"127.0.0.1:{listener.getsockname()[1]}"

    def outcome(self, answer, kind=0, **options):
        with Helper(connect(self.serve(answer), kind, **options)) as helper:
            return helper.receive()

    def test_a_broker_without_mqtt_5_gets_3_1_1(self):
        def old(peer, sent):
            # Byte 8 of CONNECT is the version (MQTT 3.1.1, 3.1.2.2).
            peer.sendall(b"\x20\x02\x00\x01" if sent[8] == 5 else b"\x20\x02\x00\x00")
            peer.recv(65536)

        def older(peer, sent):
            if sent[8] != 5:
                peer.sendall(b"\x20\x02\x00\x00")
                peer.recv(65536)

        for answer in (old, older):
            kind, session = self.outcome(answer)
            self.assertEqual((kind, session["version"]), ("connected", 4))
        self.assertEqual(self.outcome(lambda peer, sent: peer.sendall(b"\x20\x02\x00\x04")), ("ended", "badCredentials", 4))

    def test_refusals(self):
        for code, problem in ((0x86, "badCredentials"), (0x87, "notAuthorized"), (0x8A, "notAuthorized"),
                              (0x88, "unavailable"), (0x89, "unavailable"), (0x97, "unavailable"), (0x85, "notUnderstood")):
            self.assertEqual(
                self.outcome(lambda peer, _: peer.sendall(bytes([0x20, 3, 0, code, 0]))), ("ended", problem, code))

    def test_the_reason_of_a_disconnection(self):
        for code, problem in ((0x8E, "takenOver"), (0x8B, "unavailable"), (0x87, "notAuthorized")):
            answer = b"\x20\x03\x00\x00\x00" + bytes([0xE0, 2, code, 0])
            with Helper(connect(self.serve(lambda peer, _: (peer.sendall(answer), peer.recv(1))))) as helper:
                self.assertEqual(helper.receive()[0], "connected")
                self.assertEqual(helper.receive(), ("ended", problem, code))

    def test_what_is_not_mqtt(self):
        import random
        randomness = random.Random(29)
        answers = [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x20\xff\xff\xff\xff", b"\x20\xff\xff\xff\x7f" + bytes(100_000),
                   b"\x20\x03\x00\x00\x05", b"\x20\x0a\x00\x00\x07\x21\x00\x00\x21\x00\x00\x00", b"\x40\x02\x00\x01",
                   b"\x30\x05\xff\xffabc", b"\x20\x03\x00\x00\x00" * 2, b"\x20\x03\x00\x00\x00\x40\x02\xff\xff" * 50,
                   b"\x20\x03\x00\x00\x00\xe0\x00"]
        answers += [bytes([0x20]) + randomness.randbytes(randomness.randrange(1, 60)) for _ in range(60)]
        answers += [b"\x20\x03\x00\x00\x00" + randomness.randbytes(randomness.randrange(1, 60)) for _ in range(60)]
        for answer in answers:
            with self.subTest(answer=answer[:40]), Helper(connect(self.serve(lambda peer, _: peer.sendall(answer)))) as helper:
                result = helper.receive()
                if result[0] == "connected":
                    result = helper.receive()
                self.assertEqual(result[0], "ended", result)
                self.assertIsNone(helper.receive())
                self.assertEqual(helper.process.wait(10), 0)

    def test_acknowledgements_that_were_not_asked_for_are_ignored(self):
        def answer(peer, _):
            peer.sendall(b"\x20\x03\x00\x00\x00" + b"\x40\x02\x00\x09" + b"\x40\x02\x00\x01")
            peer.recv(65536)

        with Helper(connect(self.serve(answer))) as helper:
            self.assertEqual(helper.receive()[0], "connected")
            self.assertNotEqual(helper.receive()[0], "answered")

    def test_no_such_server(self):
        for server, problem in ((f"127.0.0.1:{free_port()}", "unreachable"), ("nobody.invalid:1883", "noSuchHost")):
            with Helper(connect(server)) as helper:
                self.assertEqual(helper.receive(), ("ended", problem, None))

    def test_http_answers(self):
        page = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100_000
        for answer, expected in (
                (b"HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n", ("answered", 1, (503, 120))),
                (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", ("answered", 1, (302, None))),
                (b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", ("answered", 1, (401, None))),
                (page, ("answered", 1, (200, None))),
                (b"", ("ended", "closed", None)),
                (b"SSH-2.0-OpenSSH\r\n", ("ended", "notUnderstood", None)),
                (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx", ("ended", "notUnderstood", None))):
            with self.subTest(answer=answer[:20]), \
                    Helper(connect(self.serve(lambda peer, _: peer.sendall(answer)), HTTP)) as helper:
                self.assertEqual(helper.receive()[0], "connected")
                helper.send("/", "{}", method=POST)
                self.assertEqual(helper.receive(), expected)

    def test_malformed_orders_end_the_helper(self):
        whole = connect("127.0.0.1:1883", window=20)
        for order in (b"\xff\0\0\0", b"\x02\0\0\0", b"\x01\xff\xff\xff", whole[:1] + b"\x05\0\0" + whole[4:9],
                      connect("127.0.0.1:0"), connect("[::1:1883"), connect("h:1", window=0), connect("h:1", window=65),
                      connect("127.0.0.1:1", headers=["a\nb"]), connect("h" * 400 + ":1")):
            with self.subTest(order=order[:30]), Helper(order) as helper:
                self.assertIsNone(helper.receive())
                self.assertEqual(helper.process.wait(10), 0)


class Recorder(http.server.BaseHTTPRequestHandler):
    """Keeps each request, and answers as the test says."""
    protocol_version = "HTTP/1.1"

    def _take(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.command, self.path, dict(self.headers), body, self.client_address))
        answer = self.server.answer
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = _take

    def log_message(self, *_):
        pass


class WebServer(FleetCase):
    def serve(self, answer=b"[]", certificate=None):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        server.requests, server.answer = [], answer
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        return server, f"localhost:{server.server_address[1]}"

    def test_requests_on_one_connection_with_their_headers(self):
        server, address = self.serve()
        environment = {**os.environ, "http_proxy": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"}
        order = connect(address, OWNTRACKS, account="ann", password="pw", headers=["X-Limit-U: ann", "X-Limit-D: pi"])
        with Helper(order, env=environment) as helper:
            self.assertEqual(helper.receive()[1]["version"], 0)
            for _ in range(3):
                helper.send("/pub?a=1", '{"_type":"location"}', method=POST, content_type="application/json")
            self.assertEqual([helper.receive() for _ in range(3)], [("answered", n, (200, None)) for n in (1, 2, 3)])
            helper.close()
            self.assertIsNone(helper.receive())
        self.assertEqual(len({peer for *_, peer in server.requests}), 1)
        method, path, headers, body, _ = server.requests[0]
        self.assertEqual((method, path, body), ("POST", "/pub?a=1", b'{"_type":"location"}'))
        self.assertEqual(headers["Authorization"], "Basic " + base64.b64encode(b"ann:pw").decode())
        self.assertEqual((headers["X-Limit-U"], headers["X-Limit-D"]), ("ann", "pi"))
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertNotIn("Expect", headers)
        self.assertRegex(headers["User-Agent"], r"^swift-corelocation/[0-9]")

    def test_a_token_and_a_query(self):
        server, address = self.serve()
        with Helper(connect(address, HTTP, password="t0ken")) as helper:
            helper.receive()
            helper.send("/?id=1&lat=47.3", "", method=GET)
            helper.receive()
        method, path, headers, body, _ = server.requests[0]
        self.assertEqual((method, path, body, headers["Authorization"]), ("GET", "/?id=1&lat=47.3", b"", "Bearer t0ken"))
        with Helper(connect(address, HTTP, password="t0ken\r\nX: y")) as helper:
            self.assertEqual(helper.receive(), ("ended", "credentialUnreadable", None))

    def test_commands_come_in_answers_only_if_they_are_allowed(self):
        _, address = self.serve(b'[{"_type":"cmd"}]')
        for commands, expected in ((None, None), ("cmd", ("command", b'[{"_type":"cmd"}]'))):
            with Helper(connect(address, OWNTRACKS, commands=commands)) as helper:
                helper.receive()
                helper.send("/pub", "{}", method=POST)
                self.assertEqual(helper.receive()[0], "answered")
                helper.close()
                self.assertEqual(helper.receive(), expected)

    def test_certificates(self):
        authority = Authority(self.folder, "web")
        good, old = authority.issue("good"), authority.issue("old", days=-1)
        authorities = authority.file.read_bytes()
        for certificate, trusted, expected in ((good, authorities, ("answered", 1, (200, None))),
                                               (good, None, ("ended", "serverNotTrusted", None)),
                                               (old, authorities, ("ended", "certificateDate", None))):
            _, address = self.serve(certificate=certificate)
            with Helper(connect(address, HTTP, encrypted=True, authorities=trusted)) as helper:
                helper.receive()
                helper.send("/", "{}", method=POST)
                self.assertEqual(helper.receive(), expected)


if __name__ == "__main__":
    unittest.main()
