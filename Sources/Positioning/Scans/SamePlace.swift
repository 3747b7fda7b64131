import WireFormats

/// Whether a scan is of the place of the one before: most of what was heard strongly is heard again.
package struct SamePlace: Sendable {
  /// Weak ones come and go by themselves.
  private static let count = 10

  private var strongest: Set<BSSID> = []

  package init() {}

  /// Takes the next scan. Of nothing nobody can say that it is the same.
  package mutating func take(_ sightings: [AccessPointSighting]) -> Bool {
    let before = strongest
    strongest = Set(sightings.strongestFirst.prefix(Self.count).map(\.bssid))
    // Also where it has become a weak one.
    let heard = Set(sightings.map(\.bssid))
    return !before.isEmpty && 2 * before.intersection(heard).count > before.count
  }
}
