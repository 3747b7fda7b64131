import WireFormats

/// The Wi-Fi interfaces of the machine, by their radios.
struct RadioTable: Hashable, Sendable {
  /// More than any machine has; further interfaces are left out.
  static let maximumInterfaces = 64

  /// In the order of their numbers.
  private(set) var interfaces: [WirelessInterface] = []

  /// The numbers of all radios, in order.
  var radios: [UInt32] { Array(Set(interfaces.map(\.radioIndex))).sorted() }

  /// The addresses of all own interfaces.
  var addresses: Set<BSSID> { Set(interfaces.compactMap(\.address)) }

  func interface(_ index: UInt32) -> WirelessInterface? { interfaces.first { $0.index == index } }

  /// The interface to ask for a radio's list, which is the same for all (net/wireless/nl80211.c, nl80211_dump_scan).
  func reader(of radio: UInt32) -> WirelessInterface? { interfaces.first { $0.radioIndex == radio } }

  /// The interface that may scan: none on a radio that has an access point interface.
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

/// What this machine's radios can provide.
package enum RadioCapability: Hashable, Sendable {
  /// Not known yet.
  case starting
  /// Observations arrive whenever any program scans. Without a problem also from the service's own scans.
  case listening(RadioProblem?)
  /// No observations arrive, until this changes.
  case deaf(RadioProblem)
}

/// Why Wi-Fi contributes no position, or only with scans by other programs.
package enum RadioProblem: Error, Hashable, Sendable {
  /// The setting `wifi` is `off`.
  case switchedOff
  /// The selected source has no Wi-Fi.
  case notInSource
  /// The kernel has no nl80211: no driver of a Wi-Fi radio is loaded.
  case noKernelSupport
  /// The kernel has nl80211, and there is no radio.
  case noRadio
  /// The kernel does not answer.
  case noAnswer
  /// The socket cannot be opened or read; `errno`.
  case noSocket(errno: Int32)
  /// This user may read the results of other programs' scans, but not scan; and no helper of the service answers.
  case noPrivilege
  /// The interface is down.
  case interfaceDown(name: String)
  /// The radio is an access point, whose clients would lose it during a scan.
  case servesOthers(name: String)
  /// The kernel or the driver refuses to scan; `errno`.
  case refused(name: String, errno: Int32)
}

/// Text for users.
extension RadioProblem {
  /// The cause, and what a person can do about it.
  package var sentence: String {
    switch self {
    case .switchedOff:
      "Wi-Fi positioning is off: find that setting with 'locationctl config get wifi --origin' and remove it."
    case .notInSource:
      "The source in use has no Wi-Fi: use --source auto or wifi, or, if locationd is running, set its source with "
        + "'sudo locationctl config set source auto' and restart it."
    case .noKernelSupport:
      "The kernel has no Wi-Fi support (no nl80211): plug in a radio, or load its driver; a container needs the network of the host."
    case .noRadio:
      "There is no Wi-Fi radio: plug one in, or unblock it ('rfkill unblock wifi'); on Raspberry Pi OS, set the Wi-Fi country first."
    case .noAnswer: "The kernel does not answer Wi-Fi requests: try again, and see 'dmesg' if that does not help."
    case .noSocket(let errno):
      "Cannot use the kernel's Wi-Fi socket (error \(errno)): if this program runs in a sandbox, allow AF_NETLINK there."
    case .noPrivilege:
      "This user may not scan for Wi-Fi, and gets only the results of other programs: use locationd with its 'location-scan.socket', "
        + "or let NetworkManager scan ('nmcli device wifi rescan')."
    case .interfaceDown(let name): "The Wi-Fi interface \(name) is down: run 'sudo ip link set \(name) up'."
    case .servesOthers(let name):
      "The Wi-Fi interface \(name) is an access point and does not scan: add a second radio."
    case .refused(let name, let errno):
      "The Wi-Fi interface \(name) cannot scan (error \(errno)): see 'dmesg', or use another radio."
    }
  }
}
