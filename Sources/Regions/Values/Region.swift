/// A part of the earth whose border is watched. Whose it is, others know.
package struct Region: Hashable, Sendable {
  /// What its owner calls it.
  package let identifier: String
  package let shape: RegionShape
  /// Whether its owner wants to hear of entering it.
  package var notifiesOnEntry: Bool
  /// Whether its owner wants to hear of leaving it.
  package var notifiesOnExit: Bool

  /// Bytes that its identifier and its coordinates take: 16 for each point.
  package var bytes: Int {
    let points = if case .polygon(let polygon) = shape { polygon.corners.count } else { 1 }
    return identifier.utf8.count + 16 * points
  }

  /// Bytes of UTF-8. Apple states no limit; this leaves room for a path or a link.
  package static let longestIdentifier = 1024

  package init(identifier: String, shape: RegionShape, notifiesOnEntry: Bool = true, notifiesOnExit: Bool = true)
    throws(RegionError)
  {
    let length = identifier.utf8.count
    guard length <= Self.longestIdentifier else {
      throw .identifierLength(length, most: Self.longestIdentifier)
    }
    self.identifier = identifier
    self.shape = shape
    self.notifiesOnEntry = notifiesOnEntry
    self.notifiesOnExit = notifiesOnExit
  }
}
