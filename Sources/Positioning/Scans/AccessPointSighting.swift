package import Geodesy
package import WireFormats

/// One access point as the radio heard it, without its name: that stays with the bytes.
package struct AccessPointSighting: Hashable, Sendable {
  package var bssid: BSSID
  /// How strongly, dBm, −110 … 0; `nil` where the driver does not know.
  package var signalDecibelMilliwatts: Double?
  /// On which frequency, MHz; `nil` where it is not told.
  package var frequencyMegahertz: Int?
  /// When its last beacon came.
  package var heardAt: Instant

  package init(bssid: BSSID, signalDecibelMilliwatts: Double?, frequencyMegahertz: Int?, heardAt: Instant) {
    self.bssid = bssid
    self.signalDecibelMilliwatts = signalDecibelMilliwatts
    self.frequencyMegahertz = frequencyMegahertz
    self.heardAt = heardAt
  }
}

extension [AccessPointSighting] {
  /// The strongest first, those of unknown strength last; of equals by address, so that the order is one.
  package var strongestFirst: [AccessPointSighting] {
    sorted {
      ($0.signalDecibelMilliwatts ?? -.infinity, $1.bssid) > ($1.signalDecibelMilliwatts ?? -.infinity, $0.bssid)
    }
  }
}

/// Where an access point is, as far as that is known: a row of a tile, or what was learnt of it.
package struct AccessPointPlace: Hashable, Sendable {
  package var bssid: BSSID
  package var coordinate: Coordinate
  /// 68 % radius of that place, metres, > 0.
  package var radius68: Meters

  package init(bssid: BSSID, coordinate: Coordinate, radius68: Meters) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.radius68 = radius68
  }
}

/// Whether a scan is of the place of the one before: most of what was heard strongly is heard again.
package struct SamePlace: Sendable {
  /// Weak ones come and go by themselves.
  private static let count = 10

  private var strongest: [BSSID] = []

  package init() {}

  /// Takes the next scan. Of nothing nobody can say that it is the same.
  package mutating func take(_ sightings: [AccessPointSighting]) -> Bool {
    let before = strongest
    strongest = sightings.strongestFirst.prefix(Self.count).map(\.bssid)
    // Also where it has become a weak one.
    return Self.isMostHeard(of: before, in: Set(sightings.map(\.bssid)))
  }

  /// Whether most of the strongest of these, which come first, are among those; of nothing nobody can say it.
  static func isMostHeard(of these: [BSSID], in those: Set<BSSID>) -> Bool {
    let strong = these.prefix(count)
    return 2 * strong.count(where: those.contains) > strong.count
  }
}

/// Which entries of the kernel's list say something of where this machine is, and may be used for it. Behind it there are no names.
///
/// Left out is who asks for that by the network's name (`_nomap` at its end, `_optout` in it, whatever the case of the letters),
/// who tells no name, what is no station's address, this machine's own access points, what was heard too long ago or nobody knows
/// when, and what cannot be that strong or that weak.
package struct SightingFilter: Sendable {
  /// How long ago an access point may have been heard.
  package var maximumAge: Duration
  /// Addresses of this machine's own interfaces.
  package var ownAddresses: Set<BSSID>

  /// Signals that are possible, hundredths of dBm: the noise of a channel is about −100 dBm; a milliwatt and more is what an antenna
  /// sends, not what it hears.
  private static let possibleSignals: Range<Int32> = -11_000..<0
  /// The clock of the kernel's entry and the one of `now` are the same; more than this ahead is a mistake.
  private static let tolerance: Duration = .seconds(1)

  private static let noMap = Array("_nomap".utf8)
  private static let optOut = Array("_optout".utf8)

  package init(maximumAge: Duration, ownAddresses: Set<BSSID> = []) {
    self.maximumAge = maximumAge
    self.ownAddresses = ownAddresses
  }

  /// Whether who has that name asks for it, in a table that others have made.
  static func asksToBeLeftOut(_ name: some Sequence<UInt8>) -> Bool {
    // One that is too long is nobody's.
    guard let name = NetworkName(Array(name).span) else { return true }
    return name.ends(with: noMap) || name.contains(optOut)
  }

  /// Whether it asks for it by its name.
  static func asksToBeLeftOut(_ entry: AccessPointEntry) -> Bool {
    entry.name.map { $0.ends(with: noMap) || $0.contains(optOut) } ?? false
  }

  /// The entry as a sighting; `nil` where it is left out.
  package func sighting(_ entry: AccessPointEntry, at now: Instant) -> AccessPointSighting? {
    guard entry.bssid.isIndividual, !ownAddresses.contains(entry.bssid), !entry.isHidden, entry.name != nil,
      !Self.asksToBeLeftOut(entry), let heardAt = Self.heardAt(entry, at: now),
      heardAt <= now + Self.tolerance, now - heardAt <= maximumAge
    else { return nil }
    var signal: Double?
    switch entry.signal {
    case .hundredthsOfDecibelMilliwatt(let value)?:
      guard Self.possibleSignals.contains(value) else { return nil }
      signal = Double(value) / 100
    // A share of what only the driver knows says nothing of a distance.
    case .share?, nil: signal = nil
    }
    return AccessPointSighting(
      bssid: entry.bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: entry.frequencyMegahertz.map { Int($0) },
      heardAt: min(heardAt, now))
  }

  /// By the time that the driver has taken, else by the age in the answer, which does not count what was slept through.
  private static func heardAt(_ entry: AccessPointEntry, at now: Instant) -> Instant? {
    if let nanoseconds = entry.heardAtBootNanoseconds { return Instant(nanoseconds: Int64(clamping: nanoseconds)) }
    return entry.millisecondsAgo.map { now - .milliseconds(Int64($0)) }
  }
}
