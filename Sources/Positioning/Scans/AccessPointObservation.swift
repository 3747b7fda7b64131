package import Geodesy
package import WireFormats

/// One access point as the radio received it. The network's name is left out: only `AccessPointFilter` reads it.
package struct AccessPointObservation: Hashable, Sendable {
  package var bssid: BSSID
  /// Signal strength, dBm, −110 … 0; `nil` if the driver does not know.
  package var signalDecibelMilliwatts: Double?
  /// Frequency, MHz; `nil` if the kernel does not report it.
  package var frequencyMegahertz: Int?
  /// When the last beacon arrived.
  package var receivedAt: Instant

  package init(bssid: BSSID, signalDecibelMilliwatts: Double?, frequencyMegahertz: Int?, receivedAt: Instant) {
    self.bssid = bssid
    self.signalDecibelMilliwatts = signalDecibelMilliwatts
    self.frequencyMegahertz = frequencyMegahertz
    self.receivedAt = receivedAt
  }
}

extension [AccessPointObservation] {
  /// The strongest first, those of unknown strength last; equals by address, so that the order is deterministic.
  package var strongestFirst: [AccessPointObservation] {
    sorted {
      ($0.signalDecibelMilliwatts ?? -.infinity, $1.bssid) > ($1.signalDecibelMilliwatts ?? -.infinity, $0.bssid)
    }
  }
}

/// The known position of an access point: from a tile, an imported table, or a learned record.
package struct AccessPointPosition: Hashable, Sendable {
  package var bssid: BSSID
  package var coordinate: Coordinate
  /// 68 % radius of that position, meters, > 0.
  package var radius68: Meters

  package init(bssid: BSSID, coordinate: Coordinate, radius68: Meters) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.radius68 = radius68
  }
}

/// Whether a scan is of the same place as the previous one: most of the strong access points of the previous scan are
/// received again.
package struct ScanComparison: Sendable {
  /// How many of the strongest access points are compared: weak ones come and go by themselves.
  private static let count = 10

  private var strongest: [BSSID] = []

  package init() {}

  /// Whether the next scan is of the same place as the previous one; `false` if the previous one was empty.
  package mutating func update(_ observations: [AccessPointObservation]) -> Bool {
    let before = strongest
    strongest = observations.strongestFirst.prefix(Self.count).map(\.bssid)
    // An access point that is weak by now counts, too.
    return Self.isMostReceived(of: before, in: Set(observations.map(\.bssid)))
  }

  /// Whether most of the strongest of `these`, which come first, are among `those`; `false` if `these` is empty.
  static func isMostReceived(of these: [BSSID], in those: Set<BSSID>) -> Bool {
    let strong = these.prefix(count)
    return 2 * strong.count(where: those.contains) > strong.count
  }
}

/// Selects entries of the kernel's list that help to locate this machine, and may be used for it. Its output contains no names.
///
/// Left out are access points that opt out by the network's name (`_nomap` at its end, `_optout` in it, in either case), that
/// send no name, or whose address is not an individual station's; this machine's own access points; entries that are too old or
/// of unknown age; and impossibly strong or weak signals.
package struct AccessPointFilter: Sendable {
  /// Greatest age of an observation.
  package var maximumAge: Duration
  /// Addresses of this machine's own interfaces.
  package var ownAddresses: Set<BSSID>

  /// Possible signals, hundredths of dBm: the noise of a channel is about −100 dBm; a milliwatt and more is what an antenna
  /// transmits, not what it receives.
  private static let possibleSignals: Range<Int32> = -11_000..<0
  /// The kernel's entry and `now` use the same clock; an entry more than this ahead is an error.
  private static let tolerance: Duration = .seconds(1)

  private static let noMap = Array("_nomap".utf8)
  private static let optOut = Array("_optout".utf8)

  package init(maximumAge: Duration, ownAddresses: Set<BSSID> = []) {
    self.maximumAge = maximumAge
    self.ownAddresses = ownAddresses
  }

  /// Whether the name opts out, in a table that others have made.
  static func hasOptedOut(_ name: some Sequence<UInt8>) -> Bool {
    // A name that is too long is invalid, and counts as an opt-out.
    guard let name = NetworkName(Array(name).span) else { return true }
    return name.ends(with: noMap) || name.contains(optOut)
  }

  /// Whether the access point opts out by its name.
  static func hasOptedOut(_ entry: AccessPointEntry) -> Bool {
    entry.name.map { $0.ends(with: noMap) || $0.contains(optOut) } ?? false
  }

  /// The entry as an observation; `nil` if it is left out.
  package func observation(_ entry: AccessPointEntry, at now: Instant) -> AccessPointObservation? {
    guard entry.bssid.isIndividual, !ownAddresses.contains(entry.bssid), !entry.isHidden, entry.name != nil,
      !Self.hasOptedOut(entry), let receivedAt = Self.receivedAt(entry, at: now),
      receivedAt <= now + Self.tolerance, now - receivedAt <= maximumAge
    else { return nil }
    var signal: Double?
    switch entry.signal {
    case .hundredthsOfDecibelMilliwatt(let value)?:
      guard Self.possibleSignals.contains(value) else { return nil }
      signal = Double(value) / 100
    // A share of a maximum that only the driver knows implies no distance.
    case .share?, nil: signal = nil
    }
    return AccessPointObservation(
      bssid: entry.bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: entry.frequencyMegahertz.map { Int($0) },
      receivedAt: min(receivedAt, now))
  }

  /// By the driver's timestamp, else by the age in the answer, which does not count time asleep.
  private static func receivedAt(_ entry: AccessPointEntry, at now: Instant) -> Instant? {
    if let nanoseconds = entry.receivedAtBootNanoseconds { return Instant(nanoseconds: Int64(clamping: nanoseconds)) }
    return entry.millisecondsAgo.map { now - .milliseconds(Int64($0)) }
  }
}
