import Testing
import WireFormats

/// Recorded messages of a kernel.
@Suite struct RecordedNetlinkTests {
  private func decode(_ bytes: [UInt8], family: UInt16? = RecordedNetlink.family) -> (
    messages: [NetlinkMessage], left: UInt64
  ) {
    var decoder = NetlinkDecoder(family: family)
    var messages: [NetlinkMessage] = []
    decoder.decode(bytes.span) { _, message in messages.append(message) }
    #expect(decoder.malformed == 0)
    return (messages, decoder.unknown)
  }

  @Test func theFamily() {
    let family = WirelessFamily(id: 32, scanGroup: 10, configurationGroup: 9)
    #expect(decode(RecordedNetlink.familyAnswer, family: nil).messages == [.family(family)])
  }

  @Test func interfaces() {
    let messages = decode(RecordedNetlink.interfaces).messages
    guard messages.count == 2, case .interface(let interface) = messages[0] else {
      Issue.record("no interface")
      return
    }
    #expect(interface.index == 8 && interface.radioIndex == 3 && interface.kind == .station)
    #expect(interface.name.string == "wlan0" && interface.address == BSSID("02:00:00:00:00:00"))
    #expect(messages[1] == .listEnded(errno: 0))
  }

  @Test func accessPoints() throws {
    let messages = decode(RecordedNetlink.accessPoints).messages
    let entries = messages.compactMap { if case .accessPoint(let entry) = $0 { entry } else { nil } }
    #expect(messages.count == 4 && messages.last == .listEnded(errno: 0) && entries.count == 3)
    for (number, entry) in entries.enumerated() {
      #expect(entry.bssid.rawValue == 0x0001_E300_0001 + UInt64(number) && entry.interfaceIndex == 8)
      #expect(entry.frequencyMegahertz == [2412, 2437, 2462][number] && entry.status == nil && entry.generation == 4)
      #expect(entry.signal == .hundredthsOfDecibelMilliwatt([-4100, -6300, -8800][number]))
      // Received within the second before, 46 s after the start.
      #expect((40_000_000_000..<47_000_000_000).contains(try #require(entry.receivedAtBootNanoseconds)))
      #expect(try #require(entry.millisecondsAgo) < 1500)
      let name = NetworkName(Array(["bench one", "home_nomap", "\0\0\0\0\0"][number].utf8).span)
      #expect(entry.name == name && entry.isHidden == (number == 2))
    }
  }

  @Test func answers() {
    #expect(decode(RecordedNetlink.answers).messages == [.acknowledged, .refused(errno: 16), .refused(errno: 100)])
  }

  @Test func events() {
    let notice = ScanEvent(interfaceIndex: 8, radioIndex: 3)
    let (messages, left) = decode(RecordedNetlink.events)
    // The removal of the radio itself (NL80211_CMD_DEL_WIPHY) is not decoded.
    #expect(messages == [.scanStarted(notice), .scanFinished(notice), .interfaceGone(index: 8)] && left == 1)
  }
}
