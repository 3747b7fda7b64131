/// One access point of an interface's list, as the kernel remembers it (`NL80211_ATTR_BSS`, `enum nl80211_bss`). The kernel forgets it
/// 30 seconds after it was last heard, unless this machine is its client.
package struct AccessPointEntry: Hashable, Sendable {
  /// How strongly it was heard.
  package enum Signal: Hashable, Sendable {
    /// `NL80211_BSS_SIGNAL_MBM`: hundredths of a decibel above a milliwatt.
    case hundredthsOfDecibelMilliwatt(Int32)
    /// `NL80211_BSS_SIGNAL_UNSPEC`: 0 to 100, of what only the driver knows.
    case share(UInt8)
  }

  /// What this machine is to it (`enum nl80211_bss_status`).
  package enum Status: UInt32, Hashable, Sendable {
    case authenticated = 0
    case associated = 1
    case joined = 2
  }

  /// `NL80211_BSS_BSSID`.
  package var bssid: BSSID
  /// `NL80211_BSS_FREQUENCY`, MHz; `nil` where it is not told.
  package var frequencyMegahertz: UInt32?
  package var signal: Signal?
  /// `NL80211_BSS_SEEN_MS_AGO`: milliseconds between its last frame and this answer, by a clock that stands still in suspend.
  package var millisecondsAgo: UInt32?
  /// `NL80211_BSS_LAST_SEEN_BOOTTIME`: when its last frame came, nanoseconds of `CLOCK_BOOTTIME`; `nil` where the driver does not
  /// tell.
  package var heardAtBootNanoseconds: UInt64?
  /// `nil` for most: this machine has nothing to do with it.
  package var status: Status?
  /// Its network's name; `nil` where there is none in what it sent, or none that can be read.
  package var name: NetworkName?
  /// Whether it does not tell its name to everybody: in no beacon, or in none of its frames.
  package var isHidden: Bool
  /// The interface whose list this is (`NL80211_ATTR_IFINDEX`).
  package var interfaceIndex: UInt32?
  /// Changes with the list (`NL80211_ATTR_GENERATION`): answers of two numbers are not of one list.
  package var generation: UInt32?

  package init(bssid: BSSID) {
    self.bssid = bssid
    isHidden = true
  }

  /// `nil` where an attribute is not of its length, or it has no address.
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
        heardAtBootNanoseconds = value == 0 ? nil : value
      default: break
      }
    }
    guard attributes.isWellFormed, hasAddress else { return nil }
    name = probed?.name ?? beacon?.name
    // A hidden one answers who asks for it by name: the beacon says what everybody may know.
    isHidden = name?.isHidden ?? true || beacon?.name?.isHidden ?? false
  }

  /// Of the elements of a frame (IEEE 802.11-2020, 9.4.2) the one that is read: number 0, the name. They come from the air, so
  /// that what is wrong with them says nothing of the kernel's message.
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
