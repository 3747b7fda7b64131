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
