package import Geodesy

/// A notation in which a user wants positions, with its precision: `mgrs`, `dms:2`.
package struct CoordinateStyle: Hashable, Sendable {
  package let notation: CoordinateNotation
  /// `nil`: the notation's usual one.
  package let precision: Int?

  package init(_ notation: CoordinateNotation, precision: Int? = nil) {
    (self.notation, self.precision) = (notation, precision)
  }

  /// The style that a text names; `nil` if there is no such notation, or not with that precision.
  package init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.first?.lowercased(),
      let notation = CoordinateNotation.allCases.first(where: { $0.rawValue.lowercased() == name })
    else { return nil }
    self.notation = notation
    guard parts.count == 2 else {
      precision = nil
      return
    }
    guard let precision = Int(parts[1]), notation.possiblePrecisions.contains(precision) else { return nil }
    self.precision = precision
  }

  /// The position in this style; `nil` if the position is invalid.
  package func text(_ place: Coordinate) -> String? { notation.text(place, precision: precision) }

  /// The key of the text in JSON; `nil` for decimal degrees, which JSON contains anyway.
  package var key: String? { notation == .decimal ? nil : notation.rawValue }

  /// No text has more bytes. The longest is DMS with four decimals.
  static let longestText = 48
}
