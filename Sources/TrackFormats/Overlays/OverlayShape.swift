package import Geodesy

/// A shape of a file that is laid over a map.
package struct OverlayShape: Hashable, Sendable {
  package enum Geometry: Hashable, Sendable {
    case point(Coordinate)
    case line([Coordinate])
    /// The outer ring and the holes; a ring does not repeat its first position.
    case polygon([[Coordinate]])
  }

  package internal(set) var name: String?
  package let geometry: Geometry
  /// Whether the line is a recorded track: `TrackImport` reads it with its times.
  package internal(set) var isTrack = false
}

/// Reads the shapes of GeoJSON (RFC 7946), KML (OGC 07-147r2) and GPX (1.0 and 1.1): points, lines and areas, with or without times. Shapes
/// that are not valid are left out and counted.
package struct OverlayReader: Sendable {
  /// A file with more positions, or more shapes, is an error.
  package static let mostPositions = 2_000_000
  package static let mostShapes = 100_000
  /// A larger file is an error, bytes.
  package static let largestFile = 256 << 20

  package internal(set) var shapes: [OverlayShape] = []
  /// The number of shapes that were left out.
  package internal(set) var skipped = 0
  private var positions = 0

  /// Reads a whole file.
  package init(_ bytes: [UInt8]) throws(OverlayError) {
    guard bytes.count <= Self.largestFile else { throw .tooLarge }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x1F, 0x8B]) { throw .packed }
    let first = bytes.prefix(4096).first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: try readJSON(bytes)
    case UInt8(ascii: "<"): try readXML(bytes)
    case _: throw .unknownFormat
    }
  }

  /// Adds a shape, unless one of its positions is not valid or it has none.
  mutating func add(_ geometry: OverlayShape.Geometry?, name: String? = nil, isTrack: Bool = false) throws(OverlayError)
  {
    guard let geometry else { return skipped += 1 }
    let count =
      switch geometry {
      case .point: 1
      case .line(let line): line.count
      case .polygon(let rings): rings.reduce(0) { $0 + $1.count }
      }
    guard count > 0 else { return skipped += 1 }
    positions += count
    guard positions <= Self.mostPositions, shapes.count < Self.mostShapes else { throw .tooLarge }
    var shape = OverlayShape(geometry: geometry)
    (shape.name, shape.isTrack) = (name, isTrack)
    shapes.append(shape)
  }

  /// A polygon of rings that repeat their first positions, as all formats write them; `nil` without an outer ring.
  static func polygon(_ rings: [[Coordinate]]) -> OverlayShape.Geometry? {
    let open = rings.map { $0.count > 1 && $0.first == $0.last ? Array($0.dropLast()) : $0 }
    guard let outer = open.first, outer.count > 2 else { return nil }
    return .polygon([outer] + open.dropFirst().filter { $0.count > 2 })
  }

  /// A position in degrees; longitudes beyond 180° continue around the world once.
  static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate? {
    let isOnceAround = longitude.magnitude > 180 && longitude.magnitude <= 540
    return Coordinate(
      checkingLatitude: latitude, longitude: isOnceAround ? longitude.remainder(dividingBy: 360) : longitude)
  }
}

/// Why a file cannot be laid over a map.
package enum OverlayError: Error, Hashable, Sendable {
  /// None of the formats begins this way.
  case unknownFormat
  /// A compressed file: its content must be extracted first.
  case packed
  /// The file is not JSON or XML of the supported subset.
  case malformed(TextPosition)
  /// The file is truncated.
  case cutOff
  /// XML in another encoding than UTF-8, or with a document type, which may define entities that are not in the file.
  case otherXML
  /// XML with another root element than `gpx` and `kml`.
  case otherRoot(String)
  /// More bytes, positions or shapes than the bounds.
  case tooLarge
}
