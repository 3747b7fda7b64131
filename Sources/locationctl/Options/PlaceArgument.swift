import ArgumentParser
package import Geodesy

/// A position on the command line, in any notation: `47.3769,8.5417`, degrees with minutes and seconds, UTM, MGRS, a Maidenhead
/// locator, a plus code or a `geo` URI.
package struct PlaceArgument: Hashable {
  package let coordinate: Coordinate

  package init(_ coordinate: Coordinate) { self.coordinate = coordinate }

  /// The position that `text` names.
  package static func parse(_ text: String) throws -> PlaceArgument {
    guard let coordinate = Coordinate(parsing: text) else {
      throw ValidationError("'\(TerminalText.sanitized(text))' is not a position: \(examples).")
    }
    return PlaceArgument(coordinate)
  }

  /// What to give instead, as the end of a message.
  static let examples =
    "use degrees such as 47.3769,8.5417 or 47°22'36.8\"N 8°32'30.1\"E, UTM, MGRS, a Maidenhead locator or a full plus code"

  /// The value's name in the help of options.
  static let valueName = "lat,lon"
}

/// The corners of a polygon, at least three, as `47.1,8.1 47.2,8.1 47.2,8.3`; corners with spaces in them are separated
/// by semicolons.
struct CornersArgument: ExpressibleByArgument, Hashable {
  let corners: [Coordinate]

  init?(argument: String) {
    guard
      let corners = Self.corners(argument.split(separator: ";"))
        ?? Self.corners(argument.split(whereSeparator: { $0 == " " || $0 == ";" }))
    else { return nil }
    self.corners = corners
  }

  private static func corners(_ texts: [Substring]) -> [Coordinate]? {
    let places = texts.map { Coordinate(parsing: String($0)) }
    guard places.count >= 3, !places.contains(nil) else { return nil }
    return places.compactMap(\.self)
  }
}
