import WireFormats

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
