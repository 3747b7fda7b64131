import Geodesy
import Regions

/// A map drawn with letters, with north at the top and letters that are twice as high as wide: a column is 5 m, a line 10 m.
///
/// `A`, `B`, `C`… are the corners of a polygon in their order, `+` is the center of a circle; `i` and `o` are positions inside
/// and outside; digits are the positions of a track in their order. All other characters are only decoration.
struct Drawing {
  let corners: [Coordinate]
  let center: Coordinate?
  let inside: [Coordinate]
  let outside: [Coordinate]
  let way: [Coordinate]

  static let lineMeters = 10.0
  static let columnMeters = 5.0

  /// The drawing with its upper left corner at a position.
  init(_ text: String, at origin: Coordinate) {
    var marks: [Character: [Coordinate]] = [:]
    for (line, row) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for (column, mark) in row.enumerated() {
        let south = Geodesic.direct(
          from: origin, course: Angle(degrees: 180), distance: Meters(Double(line) * Self.lineMeters))
        // Rotated like the course along the geodesic: across a pole, south becomes north.
        let east = Angle(degrees: south.finalCourse.degrees - 90)
        let place = Geodesic.direct(
          from: south.coordinate, course: east, distance: Meters(Double(column) * Self.columnMeters))
        marks[mark, default: []].append(place.coordinate)
      }
    }
    corners = marks.filter { ("A"..."Z").contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
    center = marks["+"]?.first
    inside = marks["i"] ?? []
    outside = marks["o"] ?? []
    way = marks.filter { ("0"..."9").contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// Where a drawing may be placed: in a town, across the date line, across either pole.
  static let origins = [
    ("town", 47.0, 8.0), ("date line", -17.0, 179.9996), ("north pole", 89.9996, 20.0), ("south pole", -89.9997, -70.0),
    ("equator", 0.0002, -0.0002),
  ].map { ($0.0, Coordinate(latitude: Angle(degrees: $0.1), longitude: Angle(degrees: $0.2))) }
}
