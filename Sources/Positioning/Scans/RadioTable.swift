import WireFormats

/// The Wi-Fi interfaces of the machine, by their radios.
struct RadioTable: Hashable, Sendable {
  /// More than any machine has; what is beyond is left out.
  static let maximumInterfaces = 64

  /// In the order of their numbers.
  private(set) var interfaces: [WirelessInterface] = []

  /// The numbers of all radios, in order.
  var radios: [UInt32] { Array(Set(interfaces.map(\.radioIndex))).sorted() }

  /// Every address that is ours.
  var addresses: Set<BSSID> { Set(interfaces.compactMap(\.address)) }

  func interface(_ index: UInt32) -> WirelessInterface? { interfaces.first { $0.index == index } }

  /// The one to ask for a radio's list, which is the same whichever is asked (net/wireless/nl80211.c, nl80211_dump_scan).
  func reader(of radio: UInt32) -> WirelessInterface? { interfaces.first { $0.radioIndex == radio } }

  /// The one that may scan: none on a radio where any is an access point.
  func scanner(of radio: UInt32) -> WirelessInterface? {
    guard accessPoint(on: radio) == nil else { return nil }
    return interfaces.first { $0.radioIndex == radio && $0.kind == .station }
  }

  func accessPoint(on radio: UInt32) -> WirelessInterface? {
    interfaces.first { $0.radioIndex == radio && $0.kind == .accessPoint }
  }

  mutating func note(_ interface: WirelessInterface) {
    if let place = interfaces.firstIndex(where: { $0.index == interface.index }) {
      interfaces[place] = interface
    } else if interfaces.count < Self.maximumInterfaces {
      let place = interfaces.firstIndex { $0.index > interface.index } ?? interfaces.endIndex
      interfaces.insert(interface, at: place)
    }
  }

  mutating func remove(_ index: UInt32) { interfaces.removeAll { $0.index == index } }
}
