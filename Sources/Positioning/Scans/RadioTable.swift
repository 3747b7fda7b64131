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

/// What is to be had of this machine's radios.
package enum RadioOutlook: Hashable, Sendable {
  /// Not known yet.
  case starting
  /// Sightings come whenever anybody scans. Without a problem also by scans of our own.
  case listening(RadioProblem?)
  /// None come, until that changes.
  case deaf(RadioProblem)
}

/// Why Wi-Fi tells nothing of where this machine is, or only what others have their scans for.
package enum RadioProblem: Error, Hashable, Sendable {
  /// LOCATIOND_WIFI is `off`.
  case switchedOff
  /// The source that was named has no Wi-Fi.
  case notInSource
  /// The kernel has no nl80211: no driver of a Wi-Fi radio is loaded.
  case noKernelSupport
  /// It has, and there is no radio.
  case noRadio
  /// The kernel does not answer.
  case noAnswer
  /// The socket cannot be had, or not be read; `errno`.
  case noSocket(errno: Int32)
  /// This user may read what others' scans have heard, and not scan; no helper of the service answers either.
  case noPrivilege
  /// The interface is down.
  case interfaceDown(name: String)
  /// The radio is an access point's, whose clients would lose it for the time of a scan.
  case servesOthers(name: String)
  /// The kernel or the driver does not scan; `errno`.
  case refused(name: String, errno: Int32)
}

/// In words.
extension RadioProblem {
  /// The cause, and what a person can do about it.
  package var sentence: String {
    switch self {
    case .switchedOff:
      "Wi-Fi is switched off by LOCATIOND_WIFI=off: remove that from the configuration of locationd and restart it, or from this "
        + "command's environment."
    case .notInSource: "The source in use has no Wi-Fi: use --source auto or wifi, also for locationd."
    case .noKernelSupport:
      "The kernel has no Wi-Fi (no nl80211): plug a radio in, or load its driver; a container needs the host's network."
    case .noRadio:
      "No Wi-Fi radio is there: plug one in, or let it work again ('rfkill unblock wifi'); on Raspberry Pi OS set its country first."
    case .noAnswer: "The kernel does not answer about Wi-Fi: try again, and see 'dmesg' where that stays so."
    case .noSocket(let errno):
      "The kernel's Wi-Fi socket cannot be used (error \(errno)): a sandbox has to allow AF_NETLINK."
    case .noPrivilege:
      "This user may not scan for Wi-Fi, and hears only what others scan for: use locationd with its 'location-scan.socket', "
        + "or have NetworkManager scan ('nmcli device wifi rescan')."
    case .interfaceDown(let name): "Wi-Fi interface \(name) is down: 'ip link set \(name) up', as root."
    case .servesOthers(let name):
      "Wi-Fi interface \(name) is an access point, and does not scan on its own: add a second radio for that."
    case .refused(let name, let errno):
      "Wi-Fi interface \(name) will not scan (error \(errno)): see 'dmesg', or use another radio."
    }
  }
}
