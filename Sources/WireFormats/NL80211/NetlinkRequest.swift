/// Requests to the kernel, a whole netlink message each.
///
/// None of them empties what the kernel remembers for others (`NL80211_SCAN_FLAG_FLUSH`).
package enum NetlinkRequest {
  /// Asks for the number of nl80211 and of its groups (`CTRL_CMD_GETFAMILY`).
  package static func family(sequence: UInt32) -> [UInt8] {
    message(
      type: NetlinkDecoder.controller, flags: acknowledged, sequence: sequence, command: 3, version: 1,
      attributes: attribute(2, Array(WirelessFamily.name.utf8) + [0]))  // CTRL_ATTR_FAMILY_NAME
  }

  /// Asks for a list of all interfaces (`NL80211_CMD_GET_INTERFACE`).
  package static func interfaces(family: UInt16, sequence: UInt32) -> [UInt8] {
    message(type: family, flags: list, sequence: sequence, command: 5, attributes: [])
  }

  /// Asks for an interface's list of access points (`NL80211_CMD_GET_SCAN`), which every user may.
  package static func accessPoints(family: UInt16, sequence: UInt32, interface index: UInt32) -> [UInt8] {
    message(type: family, flags: list, sequence: sequence, command: 32, attributes: attribute(3, littleEndian(index)))
  }

  /// The most channels that a scan is asked for.
  package static let maximumFrequencies = 64

  /// Has an interface listen on its channels (`NL80211_CMD_TRIGGER_SCAN`), which wants `CAP_NET_ADMIN`. Without a name to ask for
  /// (`NL80211_ATTR_SCAN_SSIDS`) it is passive: nothing is sent, and nobody learns that this machine is here.
  ///
  /// - Parameter frequencies: MHz; none: all that are allowed. Those above the maximum are left out.
  package static func scan(
    family: UInt16, sequence: UInt32, interface index: UInt32, frequencies: [UInt32]
  ) -> [UInt8] {
    var attributes = attribute(3, littleEndian(index))  // NL80211_ATTR_IFINDEX
    if !frequencies.isEmpty {
      var list: [UInt8] = []
      for (place, megahertz) in frequencies.prefix(maximumFrequencies).enumerated() {
        list += attribute(UInt16(place + 1), littleEndian(megahertz))
      }
      attributes += attribute(44 | 0x8000, list)  // NL80211_ATTR_SCAN_FREQUENCIES, NLA_F_NESTED
    }
    return message(type: family, flags: acknowledged, sequence: sequence, command: 33, attributes: attributes)
  }

  /// `NLM_F_REQUEST | NLM_F_ACK`.
  private static let acknowledged: UInt16 = 0x05
  /// `NLM_F_REQUEST | NLM_F_DUMP`.
  private static let list: UInt16 = 0x0301

  private static func message(
    type: UInt16, flags: UInt16, sequence: UInt32, command: UInt8, version: UInt8 = 0, attributes: [UInt8]
  ) -> [UInt8] {
    let length = UInt32(20 + attributes.count)
    // The port 0 is the kernel's; it fills in ours.
    return littleEndian(length) + littleEndian(type) + littleEndian(flags) + littleEndian(sequence)
      + littleEndian(UInt32(0)) + [command, version, 0, 0] + attributes
  }

  private static func attribute(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: -content.count & 3)
    return littleEndian(UInt16(4 + content.count)) + littleEndian(type) + content + padding
  }

  private static func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T($0 * 8)) }
  }
}
