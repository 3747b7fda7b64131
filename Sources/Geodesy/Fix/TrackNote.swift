/// A note that a person made in a track: a text at a place and a time.
package struct TrackNote: Hashable, Sendable {
  /// When the note was made.
  package var time: GNSSTime
  /// The position then, or the last known one, WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around `coordinate`, > 0.
  package var horizontalRadius68: Meters
  /// Height above the WGS 84 ellipsoid.
  package var heightAboveEllipsoid: Meters?
  /// Height above mean sea level.
  package var heightAboveMeanSeaLevel: Meters?
  /// One line, 1…`maximumLength` bytes of UTF-8, without control characters.
  package let text: String

  package static let maximumLength = 200

  /// `nil` if the text is empty, is too long or contains control characters.
  package init?(_ text: String, time: GNSSTime, coordinate: Coordinate, horizontalRadius68: Meters) {
    guard Self.isValid(text) else { return nil }
    self.text = text
    self.time = time
    self.coordinate = coordinate
    self.horizontalRadius68 = horizontalRadius68
  }

  /// The note at the position of a fix; `nil` if the text is invalid.
  package init?(_ text: String, at fix: PositionFix, time: GNSSTime) {
    self.init(text, time: time, coordinate: fix.coordinate, horizontalRadius68: fix.horizontalRadius68)
    heightAboveEllipsoid = fix.heightAboveEllipsoid
    heightAboveMeanSeaLevel = fix.heightAboveMeanSeaLevel
  }

  /// Whether a note can have this text: 1…`maximumLength` bytes without control characters.
  package static func isValid(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { !(0...0x1F).contains($0.value) && !(0x7F...0x9F).contains($0.value) }
  }
}
