/// What the generic netlink controller says of the family "nl80211" (`CTRL_CMD_NEWFAMILY`, include/uapi/linux/genetlink.h).
package struct WirelessFamily: Hashable, Sendable {
  /// Its name, as it is asked for.
  package static let name = "nl80211"

  /// The type of its messages until the next boot (`CTRL_ATTR_FAMILY_ID`).
  package let id: UInt16
  /// The group that hears of scans ("scan"); `nil` where the kernel has none.
  package let scanGroup: UInt32?
  /// The group that hears of interfaces ("config").
  package let configurationGroup: UInt32?

  package init(id: UInt16, scanGroup: UInt32?, configurationGroup: UInt32?) {
    self.id = id
    self.scanGroup = scanGroup
    self.configurationGroup = configurationGroup
  }

  /// `nil` of another family, and of what is not whole.
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

    /// A list of groups, each a list of its own; `false` where one is not whole.
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

/// The attributes of a message of nl80211 that are read (`enum nl80211_attrs`), whatever the message is. Of one that stands there
/// twice the last counts, as for libnl.
struct WirelessAttributes {
  private(set) var radioIndex: UInt32?
  private(set) var interfaceIndex: UInt32?
  private(set) var interfaceName = InlineText()
  private(set) var interfaceKind: UInt32?
  private(set) var address: BSSID?
  private(set) var generation: UInt32?
  /// Where the attributes of an access point stand.
  private(set) var entry: Range<Int>?

  /// `nil` where an attribute is not of its length.
  init?(_ message: Span<UInt8>, _ range: Range<Int>) {
    var attributes = NetlinkAttributes(in: range)
    while let attribute = attributes.next(message) {
      switch attribute.type {
      case 1:  // NL80211_ATTR_WIPHY
        guard let value = message.number(of: attribute) else { return nil }
        radioIndex = value
      case 3:  // NL80211_ATTR_IFINDEX
        // The kernel's own numbers are signed, and greater than 0.
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
  /// What it is used as (`enum nl80211_iftype`).
  package enum Kind: Hashable, Sendable {
    /// `NL80211_IFTYPE_STATION`: a client of access points, also where it is of none right now.
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

  /// Its number until it goes, > 0 (`NL80211_ATTR_IFINDEX`).
  package let index: UInt32
  /// The radio that it is on (`NL80211_ATTR_WIPHY`); several interfaces may be on one.
  package let radioIndex: UInt32
  package let kind: Kind
  /// Its name, as `wlan0` (`NL80211_ATTR_IFNAME`); empty where it is not told.
  package let name: InlineText
  /// Its own address (`NL80211_ATTR_MAC`): as an access point, the one that others hear.
  package let address: BSSID?

  package init(index: UInt32, radioIndex: UInt32, kind: Kind, name: InlineText = InlineText(), address: BSSID? = nil) {
    self.index = index
    self.radioIndex = radioIndex
    self.kind = kind
    self.name = name
    self.address = address
  }
}

/// The kernel's word on a scan, whoever has asked for it (group `scan` of nl80211).
package struct ScanNotice: Hashable, Sendable {
  /// The interface that scans (`NL80211_ATTR_IFINDEX`); `nil` of one without a number, as a P2P device is.
  package let interfaceIndex: UInt32?
  /// The radio that it is on (`NL80211_ATTR_WIPHY`).
  package let radioIndex: UInt32?

  package init(interfaceIndex: UInt32?, radioIndex: UInt32?) {
    self.interfaceIndex = interfaceIndex
    self.radioIndex = radioIndex
  }
}
