package import Regions

/// A feature of a file, or a part of one, that makes no region.
package struct LeftOutRegion: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// A line or another shape that has no inside, by its name in the format.
    case otherShape(String)
    /// It has no shape at all.
    case noShape
    /// A point without a radius of its own, where the caller has none for it either.
    case noRadius
    /// More corners than a region may have, or than one feature may have in all.
    case tooManyCorners(most: Int)
    /// Its shape or radius is not as the format has it.
    case unreadable
    /// There can be no such region.
    case refused(RegionError)
  }

  /// Its number in the file, from 1.
  package let feature: Int
  /// The line on which the feature begins, from 1.
  package let line: Int
  package let name: String
  package let reason: Reason

  /// Whether its coordinates seem to have the latitude first, where the formats have the longitude.
  package var seemsSwapped: Bool {
    guard case .refused(.place(let latitude, let longitude)) = reason else { return false }
    return latitude.magnitude > 90 && latitude.magnitude <= 180 && longitude.magnitude <= 90
  }

  package init(feature: Int, line: Int, name: String, reason: Reason) {
    self.feature = feature
    self.line = line
    self.name = name
    self.reason = reason
  }
}
