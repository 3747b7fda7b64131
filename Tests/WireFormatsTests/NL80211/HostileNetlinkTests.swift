import CAllocationCounter
import TestSupport
import Testing
import WireFormats

/// Input that no kernel writes: it has no effect, it is counted, and nothing after it is used.
@Suite struct HostileNetlinkTests {
  private static let samples =
    NetlinkSample.fullEntry + NetlinkSample.familyAnswer
    + NetlinkSample.message(
      7,
      NetlinkSample.attribute(3, [1, 0, 0, 0]) + NetlinkSample.attribute(1, [0, 0, 0, 0])
        + NetlinkSample.attribute(5, [2, 0, 0, 0]))
    + NetlinkSample.message(33, NetlinkSample.attribute(3, [1, 0, 0, 0]))

  /// An attribute of the wrong length makes its message invalid.
  @Test(arguments: [1, 2, 7, 8, 9, 10, 15] as [UInt16], [0, 3, 5, 7, 9])
  func attributesOfAnotherLength(type: UInt16, length: Int) {
    let attribute = NetlinkSample.attribute(type, [UInt8](repeating: 1, count: length))
    #expect(NetlinkSample.decode(NetlinkSample.accessPoint(NetlinkSample.address + attribute)).isEmpty)
  }

  @Test(arguments: [1, 3, 5, 6, 46] as [UInt16]) func attributesOfTheMessage(type: UInt16) {
    let attribute = NetlinkSample.attribute(type, [1, 2, 3])
    #expect(NetlinkSample.decode(NetlinkSample.message(34, attribute)).isEmpty)
  }

  @Test(arguments: [
    "00 00 01 00", "03 00 01 00", "ff ff 01 00", "0c 00 01 00 02 00 00 00 00 01", "09 00 01 00 02 00 00 00",
  ]) func attributesThatDoNotFit(_ text: String) {
    var decoder = NetlinkDecoder(family: NetlinkSample.family)
    decoder.decode(NetlinkSample.accessPoint(NetlinkSample.hex(text)).span) { _, _ in Issue.record("a message") }
    #expect(decoder.malformed == 1 && decoder.decoded == 0)
  }

  @Test func anEntryWithoutAnAddress() {
    #expect(NetlinkSample.decode(NetlinkSample.accessPoint(NetlinkSample.attribute(2, [1, 9, 0, 0]))).isEmpty)
    #expect(NetlinkSample.decode(NetlinkSample.accessPoint([])).isEmpty)
  }

  /// If an attribute appears twice, the last one counts.
  @Test func attributesTwice() {
    let second = NetlinkSample.attribute(1, [0x02, 0, 0, 0, 0, 0x2B])
    let entry = NetlinkSample.entry(NetlinkSample.accessPoint(NetlinkSample.address + second))
    #expect(entry?.bssid == BSSID("02:00:00:00:00:2b"))
  }

  /// Attributes inside each other, as deep as a message permits: decoded to the depth of real messages, and no deeper.
  @Test func nestedDeeply() {
    var content: [UInt8] = []
    while content.count < 60_000 { content = NetlinkSample.attribute(47, content) }
    #expect(NetlinkSample.decode(NetlinkSample.message(34, content)).isEmpty)
    #expect(NetlinkSample.decode(NetlinkSample.message(34, NetlinkSample.attribute(99, content))).count == 1)
  }

  @Test(arguments: [0, 1, 15, 0xFFFF_FFFF, 1 << 31] as [UInt32]) func messagesOfAnotherLength(_ length: UInt32) {
    var bytes = NetlinkSample.fullEntry + NetlinkSample.fullEntry
    for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place))) }
    var decoder = NetlinkDecoder(family: NetlinkSample.family)
    decoder.decode(bytes.span) { _, _ in Issue.record("a message") }
    #expect(decoder.malformed == 1)
  }

  @Test func answersThatAreInvalid() {
    // A positive error number, one that is too large, and the most negative one.
    for number in ["01 00 00 00", "00 f0 ff ff", "00 00 00 80"] {
      let bytes = NetlinkSample.hex("14 00 00 00  02 00  00 00  01 00 00 00  01 00 00 00 " + number)
      #expect(NetlinkSample.decode(bytes).isEmpty)
    }
    #expect(NetlinkSample.decode(NetlinkSample.hex("12 00 00 00 02 00 00 00 01 00 00 00 01 00 00 00 00 00")).isEmpty)
    #expect(NetlinkSample.decode(NetlinkSample.hex("12 00 00 00 03 00 00 00 01 00 00 00 01 00 00 00 00 00")).isEmpty)
  }

  /// The controller's answer about another family, with a number below all families, or with groups of the wrong size.
  @Test(arguments: [24, 36, 60]) func familiesThatAreInvalid(offset: Int) {
    var bytes = NetlinkSample.familyAnswer
    bytes[offset] = offset == 36 ? 0x10 : 0x7F
    #expect(NetlinkSample.decode(bytes, family: nil).isEmpty)
  }

  /// A message that is cut anywhere contains no more than the whole one.
  @Test func cutAnywhere() {
    let whole = NetlinkSample.decode(Self.samples)
    #expect(whole.count == 4)
    for end in 0..<Self.samples.count {
      let part = NetlinkSample.decode(Array(Self.samples[..<end]))
      #expect(part == Array(whole.prefix(part.count)) && part.count < whole.count)
    }
  }

  /// With any damage at any place, the decoder neither traps nor loops, and an entry has an address.
  @Test func damagedAnywhere() {
    var random = SplitMix64(seed: 80_211)
    for _ in 0..<20_000 {
      var bytes = Self.samples
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 9)))
        default: bytes[place] ^= 1 << (random.next() % 8)
        }
        if bytes.isEmpty { break }
      }
      var decoder = NetlinkDecoder(family: NetlinkSample.family)
      var handed: UInt64 = 0
      decoder.decode(bytes.span) { _, _ in handed += 1 }
      #expect(
        handed == decoder.decoded && decoder.decoded + decoder.malformed + decoder.unknown <= 1 + bytes.count / 16)
    }
  }
}

/// Decoding a list allocates nothing on the heap.
@Suite(.enabled(if: CAllocationCounter_isAvailable(), "a sanitizer brings its own allocator"))
struct NetlinkAllocationTests {
  @Test func aListTakesNothingFromTheHeap() {
    let bytes = (0..<50).flatMap { _ in NetlinkSample.fullEntry }
    let span = bytes.span
    var decoder = NetlinkDecoder(family: NetlinkSample.family)
    var entries = 0
    var allocations: UInt64 = 0
    for _ in 1...2 {
      entries = 0
      CAllocationCounter_start()
      decoder.decode(span) { _, message in if case .accessPoint = message { entries += 1 } }
      allocations = CAllocationCounter_stop()
    }
    #expect(allocations == 0 && entries == 50)
  }
}
