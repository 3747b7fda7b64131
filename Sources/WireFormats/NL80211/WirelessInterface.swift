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
