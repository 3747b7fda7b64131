package import Geodesy
package import WireFormats

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
