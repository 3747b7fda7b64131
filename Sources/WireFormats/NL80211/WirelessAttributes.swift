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
