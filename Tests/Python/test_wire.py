"""Encoding and the protocol without I/O, against the bytes of Protocol.md and against hostile ones."""

import random
import struct
import unittest

import bed  # noqa: F401
from locationd import Circle, NotAuthorized, Polygon, ProtocolError, Refused, Region, RegionState, ServiceUnavailable
from locationd import _wire as wire
from locationd import regions
from locationd._session import LOCATE, Session


class WireTests(unittest.TestCase):
    def test_the_example_of_the_protocol_page(self):
        # Protocol.md, section "Example".
        hello = wire.frame(1, {1: 2, 2: 2, 3: "x"})
        self.assertEqual(hello.hex(" "), "08 00 00 00 01 08 02 10 02 1a 01 78")
        locate = wire.frame(2, {1: 1, 2: {2: wire.signed(60 * 10**9), 3: wire.signed(2 * 10**9)}})
        self.assertEqual(locate.hex(" "), "12 00 00 00 02 08 01 12 0d 10 80 e0 ba 84 bf 03 18 80 d0 ac f3 0e")

    def test_signed_numbers_return(self):
        for value in (0, -1, 1, 2**62, -(2**63), 2**63 - 1):
            self.assertEqual(wire.from_signed(wire.signed(value)), value)

    def test_numbers_that_do_not_end_are_refused(self):
        for data in (b"\x80", b"\xff" * 11, b"\x0a\x05abc", b"\x09\x00", b"\x0b"):
            with self.subTest(data=data), self.assertRaises(wire.MalformedMessage):
                wire.decode(data)

    def test_crc_of_rfc_3720(self):
        # RFC 3720, appendix B.4: 32 bytes of zeros.
        self.assertEqual(regions.crc32c(bytes(32)), 0x8A9136AA)

    def test_regions_return(self):
        for region in (
            Region("home", Circle(47.3, 8.5, 100), dwell_s=300),
            Region("Zürich", Polygon(((1, 2), (3, 4), (5, 6))), notify_on_exit=False, state=RegionState.INSIDE),
        ):
            self.assertEqual(regions.decode(wire.Reader(regions.encode(region))), region)

    def test_a_damaged_region_is_refused(self):
        data = bytearray(regions.encode(Region("home", Circle(47.3, 8.5, 100))))
        data[12] ^= 1
        with self.assertRaises(wire.MalformedMessage):
            regions.decode(wire.Reader(bytes(data)))


def event(kind, values):
    return wire.frame(kind, values)


class SessionTests(unittest.TestCase):
    def setUp(self):
        self.session = Session("test", "a test")
        self.request, _ = self.session.request(LOCATE, {})

    def test_a_hello_in_single_bytes(self):
        for byte in event(1, {1: 2, 2: "0.2.0"}):
            self.assertFalse(self.session.check_hello())
            self.session.receive(bytes([byte]))
        self.assertTrue(self.session.check_hello())
        self.assertEqual(self.session.release, "0.2.0")

    def test_another_version_is_named(self):
        self.session.receive(event(2, {1: 0, 2: 3, 3: 4}))
        with self.assertRaisesRegex(Refused, "versions 3 to 4.*version 2"):
            self.session.check_hello()

    def test_a_denied_request(self):
        self.session.receive(event(4, {1: self.request, 2: {1: 22, 18: {1: 1}}}))
        with self.assertRaisesRegex(NotAuthorized, "denied.*grant"):
            self.session.take(self.request)

    def test_the_end_of_the_connection(self):
        self.session.receive(b"")
        with self.assertRaises(ServiceUnavailable):
            self.session.take(self.request)

    def test_an_oversized_frame_is_refused(self):
        self.session.receive(struct.pack("<I", wire.LARGEST_FRAME + 1))
        with self.assertRaises(ProtocolError):
            self.session.take(self.request)

    def test_answers_to_a_canceled_request_are_ignored(self):
        self.assertEqual(self.session.cancel(self.request), event(5, {1: self.request}))
        self.session.receive(event(10, {1: self.request}))
        self.assertTrue(self.session.is_connected)

    def test_a_stream_keeps_the_newest_answers(self):
        stream, _ = self.session.request(3, {}, is_stream=True)
        for change in range(100):
            self.session.receive(event(6, {1: stream, 2: change % 2}))
        kept = 0
        while self.session.take(stream) is not None:
            kept += 1
        self.assertEqual(kept, 16)

    def test_hostile_bytes_end_in_an_error_of_this_package(self):
        # 20,000 messages that a hostile daemon could send: valid frames with changed bytes.
        fix = {1: wire.signed(1), 2: 3, 3: 2, 4: 47.0, 5: 8.0, 6: 5.0, 14: 2, 16: 1}
        seeds = [
            event(3, {1: 1, 2: fix, 3: 2}),
            event(11, {1: 1, 2: {1: "0.2.0", 5: wire.items([wire.fields({1: "x", 10: 4})])}}),
            event(12, {1: 1, 2: {1: wire.items([wire.fields({1: "log"})])}}),
            event(16, {1: 1, 2: {1: 4, 3: {1: 1, 2: 0, 4: 1, 8: fix}}}),
            event(7, {1: 1, 2: {3: "port", 10: wire.items([wire.fields({1: 0, 2: 5})])}}),
            event(4, {1: 1, 2: {1: 20, 15: {1: 0, 3: wire.items([b"a"])}}}),
        ]
        generator = random.Random(1)
        decoded = failed = 0
        for _ in range(20_000):
            data = bytearray(generator.choice(seeds))
            for _ in range(generator.randrange(4)):
                data[generator.randrange(4, len(data))] = generator.randrange(256)
            session = Session("test", "a test")
            session.request(LOCATE, {})
            session.receive(bytes(data))
            if session.is_connected:
                decoded += 1
            else:
                failed += 1
        # Both happen, and nothing else was raised.
        self.assertGreater(decoded, 1000)
        self.assertGreater(failed, 1000)


if __name__ == "__main__":
    unittest.main()
