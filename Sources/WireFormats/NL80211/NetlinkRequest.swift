/// Requests to the kernel, each a complete netlink message.
///
/// None of them clears the scan results that other programs use (`NL80211_SCAN_FLAG_FLUSH`).
package enum NetlinkRequest {
  /// Requests the family ID of nl80211 and the IDs of its groups (`CTRL_CMD_GETFAMILY`).
  package static func family(sequence: UInt32) -> [UInt8] {
    message(
      type: NetlinkDecoder.controller, flags: acknowledged, sequence: sequence, command: 3, version: 1,
      attributes: attribute(2, Array(WirelessFamily.name.utf8) + [0]))  // CTRL_ATTR_FAMILY_NAME
  }

  /// Requests a list of all interfaces (`NL80211_CMD_GET_INTERFACE`).
  package static func interfaces(family: UInt16, sequence: UInt32) -> [UInt8] {
    message(type: family, flags: list, sequence: sequence, command: 5, attributes: [])
  }

  /// Requests an interface's list of access points (`NL80211_CMD_GET_SCAN`). Needs no privilege.
  package static func accessPoints(family: UInt16, sequence: UInt32, interface index: UInt32) -> [UInt8] {
    message(type: family, flags: list, sequence: sequence, command: 32, attributes: attribute(3, littleEndian(index)))
  }

  /// The maximum number of channels in a scan request.
  package static let maximumFrequencies = 64

  /// Requests a scan of the interface's channels (`NL80211_CMD_TRIGGER_SCAN`), which needs `CAP_NET_ADMIN`. The request names no
  /// network (`NL80211_ATTR_SCAN_SSIDS`), so the scan is passive: the radio transmits nothing that reveals this machine.
  ///
  /// - Parameter frequencies: MHz; if empty, all allowed channels. Entries beyond `maximumFrequencies` are left out.
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
    // Port 0 addresses the kernel, which fills in the port of this socket.
    var message: [UInt8] = littleEndian(length)
    message += littleEndian(type)
    message += littleEndian(flags)
    message += littleEndian(sequence)
    message += littleEndian(UInt32(0))
    message += [command, version, 0, 0]
    message += attributes
    return message
  }

  private static func attribute(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: -content.count & 3)
    return littleEndian(UInt16(4 + content.count)) + littleEndian(type) + content + padding
  }

  private static func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T($0 * 8)) }
  }
}
