import WireFormats

/// Netlink messages as the kernel writes them on a little-endian machine.
enum NetlinkSample {
  /// The family number of nl80211 in these messages.
  static let family: UInt16 = 0x001C

  /// Hexadecimal digits; the text after a ";" is a comment.
  static func hex(_ text: String) -> [UInt8] {
    let digits = text.split(separator: "\n").flatMap { $0.prefix { $0 != ";" }.filter { !$0.isWhitespace } }
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  /// The messages that are decoded from a datagram.
  static func decode(_ datagram: [UInt8], family: UInt16? = family) -> [NetlinkMessage] {
    var decoder = NetlinkDecoder(family: family)
    var messages: [NetlinkMessage] = []
    decoder.decode(datagram.span) { _, message in messages.append(message) }
    return messages
  }

  /// The message, if it is the only one and an access point.
  static func entry(_ datagram: [UInt8]) -> AccessPointEntry? {
    let messages = decode(datagram)
    guard messages.count == 1, case .accessPoint(let entry) = messages[0] else { return nil }
    return entry
  }

  /// An attribute with its padding.
  static func attribute(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
    let length = UInt16(4 + content.count)
    return [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(type & 0xFF), UInt8(type >> 8)] + content
      + [UInt8](repeating: 0, count: -content.count & 3)
  }

  /// A message of nl80211.
  static func message(_ command: UInt8, flags: UInt8 = 0, sequence: UInt8 = 0, _ attributes: [UInt8]) -> [UInt8] {
    let length = UInt32(20 + attributes.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
      + [UInt8(family & 0xFF), UInt8(family >> 8), flags, 0, sequence, 0, 0, 0, 0, 0, 0, 0, command, 1, 0, 0]
      + attributes
  }

  /// An answer about an access point with the given attributes, from interface 3.
  static func accessPoint(_ attributes: [UInt8]) -> [UInt8] {
    message(34, flags: 2, sequence: 7, attribute(3, [3, 0, 0, 0]) + attribute(47 | 0x8000, attributes))
  }

  /// `NL80211_BSS_BSSID`.
  static let address = attribute(1, [0x02, 0, 0, 0, 0, 0x2A])

  /// One access point with every attribute that is decoded, and many that are not.
  static let fullEntry = hex(
    """
    c0 00 00 00  1c 00  02 00  07 00 00 00  39 30 00 00  ; 192 bytes, nl80211, NLM_F_MULTI, sequence 7, port 12345
    22 01 00 00                                          ; NL80211_CMD_NEW_SCAN_RESULTS, version 1
    08 00 2e 00  05 00 00 00                             ; NL80211_ATTR_GENERATION 5
    08 00 03 00  03 00 00 00                             ; NL80211_ATTR_IFINDEX 3
    0c 00 99 00  01 00 00 00  00 00 00 00                ; NL80211_ATTR_WDEV 1
    90 00 2f 80                                          ; NL80211_ATTR_BSS, NLA_F_NESTED, 144 bytes
      0a 00 01 00  02 00 00 00 01 2a  00 00              ;   NL80211_BSS_BSSID 02:00:00:00:01:2a, padded
      0c 00 03 00  40 e2 01 00  00 00 00 00              ;   NL80211_BSS_TSF
      16 00 06 00                                        ;   NL80211_BSS_INFORMATION_ELEMENTS, 22 bytes
        00 05 62 65 6e 63 68                             ;     0: "bench"
        01 04 82 84 8b 96                                ;     1: rates
        03 01 06  00 00                                  ;     3: channel 6; NULs: a name, too, but not the first
        00 00                                            ;     padded
      0e 00 0b 00                                        ;   NL80211_BSS_BEACON_IES, 14 bytes
        00 05 62 65 6e 63 68                             ;     0: "bench"
        03 01 06  00 00                                  ;     3; padded
      06 00 04 00  64 00  00 00                          ;   NL80211_BSS_BEACON_INTERVAL 100, padded
      06 00 05 00  11 04  00 00                          ;   NL80211_BSS_CAPABILITY, padded
      08 00 02 00  85 09 00 00                           ;   NL80211_BSS_FREQUENCY 2437
      08 00 0c 00  00 00 00 00                           ;   NL80211_BSS_CHAN_WIDTH
      08 00 0a 00  b8 0b 00 00                           ;   NL80211_BSS_SEEN_MS_AGO 3000
      0c 00 0f 00  00 f2 05 2a  01 00 00 00              ;   NL80211_BSS_LAST_SEEN_BOOTTIME 5 000 000 000
      08 00 07 00  8c e9 ff ff                           ;   NL80211_BSS_SIGNAL_MBM −5748
      08 00 09 00  01 00 00 00                           ;   NL80211_BSS_STATUS associated
      08 00 14 00  00 00 00 00                           ;   NL80211_BSS_FREQUENCY_OFFSET
    """)

  /// The controller's answer about nl80211, including its groups.
  static let familyAnswer = hex(
    """
    98 00 00 00  10 00  00 00  01 00 00 00  39 30 00 00  ; 152 bytes, GENL_ID_CTRL, sequence 1
    01 02 00 00                                          ; CTRL_CMD_NEWFAMILY, version 2
    0c 00 02 00  6e 6c 38 30 32 31 31 00                 ; CTRL_ATTR_FAMILY_NAME "nl80211"
    06 00 01 00  1c 00  00 00                            ; CTRL_ATTR_FAMILY_ID 28, padded
    08 00 03 00  01 00 00 00                             ; CTRL_ATTR_VERSION 1
    08 00 05 00  4d 01 00 00                             ; CTRL_ATTR_MAXATTR 333
    60 00 07 00                                          ; CTRL_ATTR_MCAST_GROUPS, 96 bytes
      18 00 01 00                                        ;   the first of them
        08 00 02 00  0d 00 00 00                         ;     CTRL_ATTR_MCAST_GRP_ID 13
        0b 00 01 00  63 6f 6e 66 69 67 00  00            ;     CTRL_ATTR_MCAST_GRP_NAME "config", padded
      18 00 02 00                                        ;   the second
        08 00 02 00  0e 00 00 00                         ;     14
        09 00 01 00  73 63 61 6e 00  00 00 00            ;     "scan", padded
      1c 00 03 00                                        ;   the third
        08 00 02 00  0f 00 00 00                         ;     15
        0f 00 01 00  72 65 67 75 6c 61 74 6f 72 79 00 00 ;     "regulatory", padded
      10 00 04 00                                        ;   the fourth
        09 00 01 00  6d 6c 6d 65 00  00 00 00            ;     "mlme", without a number
    """)
}
