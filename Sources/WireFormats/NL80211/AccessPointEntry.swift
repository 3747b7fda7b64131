/// One access point in an interface's scan results (`NL80211_ATTR_BSS`, `enum nl80211_bss`). The kernel drops the entry 30 seconds
/// after it last received a frame from the access point, unless this machine is its client.
package struct AccessPointEntry: Hashable, Sendable {
  /// The received signal strength.
  package enum Signal: Hashable, Sendable {
    /// `NL80211_BSS_SIGNAL_MBM`: hundredths of a decibel above a milliwatt.
    case hundredthsOfDecibelMilliwatt(Int32)
    /// `NL80211_BSS_SIGNAL_UNSPEC`: 0 to 100, on the driver's own scale.
    case share(UInt8)
  }

  /// The relation of this machine to the access point (`enum nl80211_bss_status`).
  package enum Status: UInt32, Hashable, Sendable {
    case authenticated = 0
    case associated = 1
    case joined = 2
  }

  /// `NL80211_BSS_BSSID`.
  package var bssid: BSSID
  /// `NL80211_BSS_FREQUENCY`, MHz; `nil` if not reported.
  package var frequencyMegahertz: UInt32?
  package var signal: Signal?
  /// `NL80211_BSS_SEEN_MS_AGO`: milliseconds between its last frame and this answer, on a clock that stops during suspend.
  package var millisecondsAgo: UInt32?
  /// `NL80211_BSS_LAST_SEEN_BOOTTIME`: when its last frame arrived, in nanoseconds of `CLOCK_BOOTTIME`; `nil` if the driver does
  /// not report it.
  package var receivedAtBootNanoseconds: UInt64?
  /// `nil` if this machine has no relation to the access point, which is the usual case.
  package var status: Status?
  /// The name of its network; `nil` if its frames contain no name or no readable one.
  package var name: NetworkName?
  /// Whether the access point hides its name: the name in its beacon is hidden (`NetworkName.isHidden`), or none of its
  /// frames contains a visible name.
  package var isHidden: Bool
  /// The interface whose list contains this entry (`NL80211_ATTR_IFINDEX`).
  package var interfaceIndex: UInt32?
  /// Changes with the list (`NL80211_ATTR_GENERATION`): entries with different numbers are not from the same list.
  package var generation: UInt32?

  package init(bssid: BSSID) {
    self.bssid = bssid
    isHidden = true
  }

  /// `nil` if an attribute has the wrong length or the entry has no address.
  init?(_ message: Span<UInt8>, attributes range: Range<Int>, interfaceIndex: UInt32?, generation: UInt32?) {
    guard let none = BSSID(rawValue: 0) else { return nil }
    self.init(bssid: none)
    self.interfaceIndex = interfaceIndex
    self.generation = generation
    var hasAddress = false
    var probed: Elements?
    var beacon: Elements?
    var attributes = NetlinkAttributes(in: range)
    while let attribute = attributes.next(message) {
      switch attribute.type {
      case 1:  // NL80211_BSS_BSSID
        guard let address = message.address(of: attribute) else { return nil }
        bssid = address
        hasAddress = true
      case 2:  // NL80211_BSS_FREQUENCY
        guard let megahertz = message.number(of: attribute) else { return nil }
        frequencyMegahertz = megahertz == 0 ? nil : megahertz
      case 6: probed = Elements(message, attribute.content)  // NL80211_BSS_INFORMATION_ELEMENTS
      case 7:  // NL80211_BSS_SIGNAL_MBM
        guard let value = message.number(of: attribute) else { return nil }
        signal = .hundredthsOfDecibelMilliwatt(Int32(bitPattern: value))
      case 8:  // NL80211_BSS_SIGNAL_UNSPEC
        guard let share = message.byte(of: attribute) else { return nil }
        signal = .share(share)
      case 9:  // NL80211_BSS_STATUS
        guard let value = message.number(of: attribute) else { return nil }
        status = Status(rawValue: value)
      case 10:  // NL80211_BSS_SEEN_MS_AGO
        guard let value = message.number(of: attribute) else { return nil }
        millisecondsAgo = value
      case 11: beacon = Elements(message, attribute.content)  // NL80211_BSS_BEACON_IES
      case 15:  // NL80211_BSS_LAST_SEEN_BOOTTIME
        guard let value = message.longNumber(of: attribute) else { return nil }
        receivedAtBootNanoseconds = value == 0 ? nil : value
      default: break
      }
    }
    guard attributes.isWellFormed, hasAddress else { return nil }
    name = probed?.name ?? beacon?.name
    // A hidden access point puts its name into answers to probes that ask for it by name, so a name that the beacon hides is
    // hidden whatever the other frames contain.
    isHidden = name?.isHidden ?? true || beacon?.name?.isHidden ?? false
  }

  /// Reads one of the elements of a frame (IEEE 802.11-2020, 9.4.2): number 0, the name. The elements were received over the
  /// air, so an error in them does not make the kernel's message malformed.
  private struct Elements {
    var name: NetworkName?

    init(_ message: Span<UInt8>, _ range: Range<Int>) {
      var offset = range.lowerBound
      while range.upperBound - offset >= 2 {
        let content = offset + 2..<offset + 2 + Int(message[offset + 1])
        guard content.upperBound <= range.upperBound else { return }
        if message[offset] == 0 {
          name = NetworkName(message.extracting(content))
          return
        }
        offset = content.upperBound
      }
    }
  }
}
