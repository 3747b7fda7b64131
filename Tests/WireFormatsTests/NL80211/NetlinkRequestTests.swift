import Testing
import WireFormats

/// Requests byte by byte.
@Suite struct NetlinkRequestTests {
  @Test func theFamily() {
    let bytes = NetlinkSample.hex(
      """
      20 00 00 00  10 00  05 00  01 00 00 00  00 00 00 00  ; 32 bytes, GENL_ID_CTRL, NLM_F_REQUEST NLM_F_ACK, sequence 1
      03 01 00 00                                          ; CTRL_CMD_GETFAMILY, version 1
      0c 00 02 00  6e 6c 38 30 32 31 31 00                 ; CTRL_ATTR_FAMILY_NAME "nl80211"
      """)
    #expect(NetlinkRequest.family(sequence: 1) == bytes)
  }

  @Test func lists() {
    let interfaces = NetlinkSample.hex("14 00 00 00  1c 00  01 03  02 00 00 00  00 00 00 00   05 00 00 00")
    #expect(NetlinkRequest.interfaces(family: 28, sequence: 2) == interfaces)
    let accessPoints = NetlinkSample.hex(
      "1c 00 00 00  1c 00  01 03  03 00 00 00  00 00 00 00   20 00 00 00   08 00 03 00  04 00 00 00")
    #expect(NetlinkRequest.accessPoints(family: 28, sequence: 3, interface: 4) == accessPoints)
  }

  @Test func aPassiveScan() {
    let bytes = NetlinkSample.hex(
      """
      30 00 00 00  1c 00  05 00  05 00 00 00  00 00 00 00
      21 00 00 00                                          ; NL80211_CMD_TRIGGER_SCAN
      08 00 03 00  04 00 00 00                             ; NL80211_ATTR_IFINDEX 4
      14 00 2c 80                                          ; NL80211_ATTR_SCAN_FREQUENCIES, nested
        08 00 01 00  6c 09 00 00                           ;   2412
        08 00 02 00  85 09 00 00                           ;   2437
      """)
    #expect(NetlinkRequest.scan(family: 28, sequence: 5, interface: 4, frequencies: [2412, 2437]) == bytes)
    // All channels: the request contains no list of channels.
    #expect(NetlinkRequest.scan(family: 28, sequence: 5, interface: 4, frequencies: []).count == 28)
    let many = (0..<1000).map { UInt32(2412 + $0) }
    #expect(NetlinkRequest.scan(family: 28, sequence: 5, interface: 4, frequencies: many).count == 32 + 64 * 8)
  }
}
