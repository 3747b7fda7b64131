import Testing
import WireFormats

/// Each message of the kernel; every attribute that is decoded has a different value.
@Suite struct NetlinkMessageTests {
  @Test func anAccessPoint() throws {
    let entry = try #require(NetlinkSample.entry(NetlinkSample.fullEntry))
    #expect(entry.bssid == BSSID("02:00:00:00:01:2a"))
    #expect(entry.frequencyMegahertz == 2437 && entry.signal == .hundredthsOfDecibelMilliwatt(-5748))
    #expect(entry.millisecondsAgo == 3000 && entry.receivedAtBootNanoseconds == 5_000_000_000)
    #expect(entry.status == .associated && entry.interfaceIndex == 3 && entry.generation == 5)
    let name = NetworkName(Array("bench".utf8).span)
    #expect(entry.name == name && !entry.isHidden)
  }

  @Test func itsEnvelope() {
    var bytes = NetlinkSample.fullEntry
    bytes[6] |= 0x10  // NLM_F_DUMP_INTR
    var envelopes: [NetlinkEnvelope] = []
    var decoder = NetlinkDecoder(family: NetlinkSample.family)
    decoder.decode((NetlinkSample.fullEntry + bytes).span) { envelope, _ in envelopes.append(envelope) }
    #expect(
      envelopes == [false, true].map { NetlinkEnvelope(sequence: 7, portID: 12345, isInterrupted: $0) })
    #expect(decoder.decoded == 2 && decoder.malformed == 0 && decoder.unknown == 0)
  }

  @Test func signalsWithoutAScale() throws {
    let share = NetlinkSample.attribute(8, [73])  // NL80211_BSS_SIGNAL_UNSPEC
    let entry = try #require(NetlinkSample.entry(NetlinkSample.accessPoint(NetlinkSample.address + share)))
    #expect(entry.signal == .share(73) && entry.status == nil && entry.frequencyMegahertz == nil)
    #expect(entry.name == nil && entry.isHidden)
    #expect(NetlinkSample.entry(NetlinkSample.accessPoint(NetlinkSample.address))?.signal == nil)
  }

  /// The elements of the probe response and of the beacon.
  @Test(
    arguments: [
      ([0, 2, 0x61, 0x62], [0, 2, 0x61, 0x62], false, "ab"), ([0, 2, 0x61, 0x62], nil, false, "ab"),
      (nil, [0, 2, 0x61, 0x62], false, "ab"), ([0, 0], nil, true, ""), ([0, 3, 0, 0, 0], nil, true, "\0\0\0"),
      // It answers a probe for its name; its beacon hides the name.
      ([0, 2, 0x61, 0x62], [0, 0], true, "ab"), ([0, 2, 0x61, 0x62], [0, 2, 0, 0], true, "ab"),
      // No name, a name after another element, one that is longer than its frame, and one that is longer than names may be.
      ([1, 1, 0x82], nil, true, nil), ([1, 1, 0x82, 0, 1, 0x61], nil, false, "a"), ([0, 3, 0x61], nil, true, nil),
      ([0, 33] + [UInt8](repeating: 0x61, count: 33), nil, true, nil), ([], nil, true, nil), ([0], nil, true, nil),
      ([3, 200, 0, 1, 0x61], nil, true, nil),
      ([0, 32] + [UInt8](repeating: 0x61, count: 32), nil, false, String(repeating: "a", count: 32)),
    ] as [([UInt8]?, [UInt8]?, Bool, String?)])
  func names(probed: [UInt8]?, beacon: [UInt8]?, isHidden: Bool, name: String?) throws {
    let elements =
      (probed.map { NetlinkSample.attribute(6, $0) } ?? []) + (beacon.map { NetlinkSample.attribute(11, $0) } ?? [])
    let entry = try #require(NetlinkSample.entry(NetlinkSample.accessPoint(NetlinkSample.address + elements)))
    let expected = name.flatMap { NetworkName(Array($0.utf8).span) }
    #expect(entry.isHidden == isHidden && entry.name == expected)
  }

  @Test func theFamily() {
    let family = WirelessFamily(id: 28, scanGroup: 14, configurationGroup: 13)
    #expect(NetlinkSample.decode(NetlinkSample.familyAnswer, family: nil) == [.family(family)])
  }

  @Test func interfaces() {
    let bytes = NetlinkSample.hex(
      """
      48 00 00 00  1c 00  02 00  02 00 00 00  39 30 00 00
      07 01 00 00                              ; NL80211_CMD_NEW_INTERFACE
      08 00 03 00  03 00 00 00                 ; NL80211_ATTR_IFINDEX 3
      0a 00 04 00  77 6c 61 6e 30 00  00 00    ; NL80211_ATTR_IFNAME "wlan0", padded
      08 00 01 00  01 00 00 00                 ; NL80211_ATTR_WIPHY 1
      08 00 05 00  02 00 00 00                 ; NL80211_ATTR_IFTYPE station
      0a 00 06 00  dc a6 32 00 00 01  00 00    ; NL80211_ATTR_MAC, padded
      04 00 99 00                              ; an empty attribute
      """)
    guard case .interface(let interface)? = NetlinkSample.decode(bytes).first else {
      Issue.record("no interface")
      return
    }
    #expect(interface.index == 3 && interface.radioIndex == 1 && interface.kind == .station)
    #expect(interface.name.string == "wlan0" && interface.address == BSSID("dc:a6:32:00:00:01"))
    // The same message as a change, and for an access point.
    var changed = bytes
    changed[16] = 6
    for (raw, kind) in [(3, .accessPoint), (4, .accessPoint), (9, .accessPoint), (6, .other(6))]
      as [(UInt8, WirelessInterface.Kind)]
    {
      changed[52] = raw
      guard case .interface(let interface)? = NetlinkSample.decode(changed).first else {
        Issue.record("no interface")
        continue
      }
      #expect(interface.kind == kind)
    }
  }

  @Test func events() {
    let index = NetlinkSample.attribute(3, [3, 0, 0, 0])
    let radio = NetlinkSample.attribute(1, [0, 0, 0, 0])
    let notice = ScanEvent(interfaceIndex: 3, radioIndex: 0)
    // With the parameters of a scan: one name, which is empty, and two channels.
    let asked = NetlinkSample.hex(
      "08 00 2d 80  04 00 00 00   14 00 2c 80  08 00 00 00 6c 09 00 00  08 00 01 00 85 09 00 00")
    #expect(NetlinkSample.decode(NetlinkSample.message(33, radio + index + asked)) == [.scanStarted(notice)])
    #expect(NetlinkSample.decode(NetlinkSample.message(34, radio + index)) == [.scanFinished(notice)])
    #expect(NetlinkSample.decode(NetlinkSample.message(35, radio + index)) == [.scanAborted(notice)])
    #expect(NetlinkSample.decode(NetlinkSample.message(8, radio + index)) == [.interfaceGone(index: 3)])
    #expect(
      NetlinkSample.decode(NetlinkSample.message(34, radio))
        == [.scanFinished(ScanEvent(interfaceIndex: nil, radioIndex: 0))])
  }

  @Test func answersOfTheKernel() {
    // NLMSG_ERROR with EBUSY and the header of the request; with 0; NLMSG_DONE with 0, with EINTR, without a number;
    // NLMSG_OVERRUN.
    let bytes = NetlinkSample.hex(
      """
      24 00 00 00  02 00  00 01  09 00 00 00  39 30 00 00   f0 ff ff ff
        1c 00 00 00  1c 00  05 00  09 00 00 00  39 30 00 00
      24 00 00 00  02 00  00 01  09 00 00 00  39 30 00 00   00 00 00 00
        1c 00 00 00  1c 00  05 00  09 00 00 00  39 30 00 00
      14 00 00 00  03 00  02 00  09 00 00 00  39 30 00 00   00 00 00 00
      14 00 00 00  03 00  02 00  09 00 00 00  39 30 00 00   fc ff ff ff
      10 00 00 00  03 00  02 00  09 00 00 00  39 30 00 00
      10 00 00 00  04 00  00 00  09 00 00 00  39 30 00 00
      """)
    #expect(
      NetlinkSample.decode(bytes) == [
        .refused(errno: 16), .acknowledged, .listEnded(errno: 0), .listEnded(errno: 4), .listEnded(errno: 0), .overrun,
      ])
  }

  @Test func unreadFields() {
    var decoder = NetlinkDecoder(family: NetlinkSample.family)
    // An unused command of nl80211, a message of another family, NLMSG_NOOP; then a message while the family number of nl80211 is
    // unknown.
    var foreign = NetlinkSample.message(34, [])
    foreign[4] = 0x1D
    let noop = NetlinkSample.hex("10 00 00 00  01 00  00 00  00 00 00 00  00 00 00 00")
    decoder.decode((NetlinkSample.message(46, []) + foreign + noop).span) { _, _ in Issue.record("a message") }
    #expect(decoder.unknown == 3 && decoder.malformed == 0)
    #expect(NetlinkSample.decode(NetlinkSample.fullEntry, family: nil).isEmpty)
  }
}
