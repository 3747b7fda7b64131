/// The generic netlink controller's description of the family "nl80211" (`CTRL_CMD_NEWFAMILY`, include/uapi/linux/genetlink.h).
package struct WirelessFamily: Hashable, Sendable {
  /// The family name in the request.
  package static let name = "nl80211"

  /// The message type of the family until the next boot (`CTRL_ATTR_FAMILY_ID`).
  package let id: UInt16
  /// The group that receives scan events ("scan"); `nil` if the kernel has none.
  package let scanGroup: UInt32?
  /// The group that receives interface events ("config"); `nil` if the kernel has none.
  package let configurationGroup: UInt32?

  package init(id: UInt16, scanGroup: UInt32?, configurationGroup: UInt32?) {
    self.id = id
    self.scanGroup = scanGroup
    self.configurationGroup = configurationGroup
  }

  /// `nil` for another family and for malformed attributes.
  init?(_ message: Span<UInt8>, attributes range: Range<Int>) {
    var id: UInt16?
    var isOurs = false
    var groups = Groups()
    var attributes = NetlinkAttributes(in: range)
    while let attribute = attributes.next(message) {
      switch attribute.type {
      case 1:  // CTRL_ATTR_FAMILY_ID
        guard let number = message.word(of: attribute), number > NetlinkDecoder.controller else { return nil }
        id = number
      case 2:  // CTRL_ATTR_FAMILY_NAME
        isOurs = message.text(of: attribute).string == Self.name
      case 7:  // CTRL_ATTR_MCAST_GROUPS
        guard groups.read(message, attribute.content) else { return nil }
      default: break
      }
    }
    guard attributes.isWellFormed, isOurs, let id else { return nil }
    self.init(id: id, scanGroup: groups.scan, configurationGroup: groups.configuration)
  }

  private struct Groups {
    var scan: UInt32?
    var configuration: UInt32?

    /// Reads a list of groups, each of which is a list of attributes; `false` if one is malformed.
    mutating func read(_ message: Span<UInt8>, _ range: Range<Int>) -> Bool {
      var list = NetlinkAttributes(in: range)
      while let group = list.next(message) {
        var name: InlineText?
        var number: UInt32?
        var attributes = NetlinkAttributes(in: group.content)
        while let attribute = attributes.next(message) {
          switch attribute.type {
          case 1: name = message.text(of: attribute)  // CTRL_ATTR_MCAST_GRP_NAME
          case 2:  // CTRL_ATTR_MCAST_GRP_ID
            guard let value = message.number(of: attribute) else { return false }
            number = value
          default: break
          }
        }
        guard attributes.isWellFormed else { return false }
        switch name?.string {
        case "scan"?: scan = number
        case "config"?: configuration = number
        default: break
        }
      }
      return list.isWellFormed
    }
  }
}

/// The attributes that the decoder reads from any nl80211 message (`enum nl80211_attrs`). If an attribute occurs twice, the last
/// one counts, as in libnl.
struct WirelessAttributes {
  private(set) var radioIndex: UInt32?
  private(set) var interfaceIndex: UInt32?
  private(set) var interfaceName = InlineText()
  private(set) var interfaceKind: UInt32?
  private(set) var address: BSSID?
  private(set) var generation: UInt32?
  /// The position of the attributes of an access point.
  private(set) var entry: Range<Int>?

  /// `nil` if an attribute has the wrong length.
  init?(_ message: Span<UInt8>, _ range: Range<Int>) {
    var attributes = NetlinkAttributes(in: range)
    while let attribute = attributes.next(message) {
      switch attribute.type {
      case 1:  // NL80211_ATTR_WIPHY
        guard let value = message.number(of: attribute) else { return nil }
        radioIndex = value
      case 3:  // NL80211_ATTR_IFINDEX
        // The kernel's interface indexes are signed and greater than 0.
        guard let value = message.number(of: attribute), (1...UInt32(Int32.max)).contains(value) else { return nil }
        interfaceIndex = value
      case 4: interfaceName = message.text(of: attribute)  // NL80211_ATTR_IFNAME
      case 5:  // NL80211_ATTR_IFTYPE
        guard let value = message.number(of: attribute) else { return nil }
        interfaceKind = value
      case 6:  // NL80211_ATTR_MAC
        guard let value = message.address(of: attribute) else { return nil }
        address = value
      case 46:  // NL80211_ATTR_GENERATION
        guard let value = message.number(of: attribute) else { return nil }
        generation = value
      case 47: entry = attribute.content  // NL80211_ATTR_BSS
      default: break
      }
    }
    guard attributes.isWellFormed else { return nil }
  }
}

/// A Wi-Fi interface as nl80211 describes it.
package struct WirelessInterface: Hashable, Sendable {
  /// The mode of the interface (`enum nl80211_iftype`).
  package enum Kind: Hashable, Sendable {
    /// `NL80211_IFTYPE_STATION`: a client of access points, connected or not.
    case station
    /// `NL80211_IFTYPE_AP`, `_AP_VLAN` and `_P2P_GO`: others are clients of this machine.
    case accessPoint
    /// Any other: ad hoc, monitor, mesh, …
    case other(UInt32)

    init(rawValue: UInt32) {
      self =
        switch rawValue {
        case 2: .station
        case 3, 4, 9: .accessPoint
        default: .other(rawValue)
        }
    }
  }

  /// The interface index until the interface is removed, > 0 (`NL80211_ATTR_IFINDEX`).
  package let index: UInt32
  /// The radio of the interface (`NL80211_ATTR_WIPHY`); several interfaces may share one.
  package let radioIndex: UInt32
  package let kind: Kind
  /// The interface name, such as `wlan0` (`NL80211_ATTR_IFNAME`); empty if not reported.
  package let name: InlineText
  /// The address of the interface (`NL80211_ATTR_MAC`); if it is an access point, this is the BSSID that others receive.
  package let address: BSSID?

  package init(index: UInt32, radioIndex: UInt32, kind: Kind, name: InlineText = InlineText(), address: BSSID? = nil) {
    self.index = index
    self.radioIndex = radioIndex
    self.kind = kind
    self.name = name
    self.address = address
  }
}

/// A kernel event about a scan, whichever process requested it (group `scan` of nl80211).
package struct ScanEvent: Hashable, Sendable {
  /// The interface that scans (`NL80211_ATTR_IFINDEX`); `nil` if it has no index, such as a P2P device.
  package let interfaceIndex: UInt32?
  /// The radio of that interface (`NL80211_ATTR_WIPHY`).
  package let radioIndex: UInt32?

  package init(interfaceIndex: UInt32?, radioIndex: UInt32?) {
    self.interfaceIndex = interfaceIndex
    self.radioIndex = radioIndex
  }
}
