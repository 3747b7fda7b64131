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
