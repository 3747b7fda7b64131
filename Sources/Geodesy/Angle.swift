/// A plane angle, kept in degrees because that is how positions are told and written: 37.5° stays exactly 37.5.
package struct Angle: Hashable, Comparable, Sendable {
  /// Degrees; the sign and range are the owner's (latitude: north positive; longitude: east positive; course: clockwise
  /// from true north).
  package var degrees: Double

  /// An angle of `degrees`.
  package init(degrees: Double) { self.degrees = degrees }

  /// An angle of `radians`.
  package init(radians: Double) { self.degrees = radians * (180 / Double.pi) }

  /// The same angle in radians.
  package var radians: Double { degrees * (Double.pi / 180) }

  package static func < (a: Angle, b: Angle) -> Bool { a.degrees < b.degrees }
}
