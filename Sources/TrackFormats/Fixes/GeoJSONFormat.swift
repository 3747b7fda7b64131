import Geodesy

/// A fix as a GeoJSON Feature (RFC 7946), one per line; a stream of fixes is one FeatureCollection (§3.3). The third coordinate is
/// the height above the ellipsoid (RFC 7946 §3.1.1), and is only present if known.
package enum GeoJSONFormat {
  /// The opening, the separator and the closing of a collection.
  package static let collectionStart = Array(
    "{\"schema\":\(JSONObject.schema),\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
  package static let separator = Array(",".utf8)
  package static let collectionEnd = Array("]}\n".utf8)

  /// The Feature of a fix. If `alone` is `true`, the Feature is the whole document and contains the schema version;
  /// otherwise the collection contains the version.
  package static func line(_ located: LocatedFix, alone: Bool = false) -> [UInt8] {
    // A position with only one valid number is not valid either: the feature is then unlocated (RFC 7946 §3.2).
    guard let text = CoordinateText(located.fix.coordinate) else {
      return feature(geometry: Array("null".utf8), properties: properties(located), alone: alone)
    }
    var coordinates: [UInt8] = []
    append(text, height: located.heights.aboveEllipsoid, to: &coordinates)
    var point = JSONObject()
    point.add("type", .text("Point"))
    point.add("coordinates", rawValue: coordinates)
    return feature(geometry: point.closed, properties: properties(located), alone: alone)
  }

  /// Writes a position: longitude, latitude, and meters above the ellipsoid if known.
  static func append(_ text: CoordinateText, height: Double?, to bytes: inout [UInt8]) {
    append(longitude: text.longitude, latitude: text.latitude, height: height, to: &bytes)
  }

  /// Writes a position: `longitude`, `latitude`, and `height` if it is known.
  static func append(
    longitude: FixedDecimal, latitude: FixedDecimal, height: Double?, to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "["))
    longitude.append(to: &bytes)
    bytes.append(UInt8(ascii: ","))
    latitude.append(to: &bytes)
    if let height = height.flatMap({ FixedDecimal($0, decimals: 3, minimum: 2) }) {
      bytes.append(UInt8(ascii: ","))
      height.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// A Feature of any geometry.
  package static func feature(geometry: [UInt8], properties: [UInt8], alone: Bool = false) -> [UInt8] {
    var feature = JSONObject()
    feature.add("type", .text("Feature"))
    feature.add("geometry", rawValue: geometry)
    feature.add("properties", rawValue: properties)
    return alone ? feature.line : feature.closed + CollectionOfOne(UInt8(ascii: "\n"))
  }

  /// The values of the fix, except its latitude and longitude, by the keys of the contract. `geoid` names the geoid
  /// model if the height of the position was computed with it from the height above mean sea level.
  private static func properties(_ located: LocatedFix) -> [UInt8] {
    var object = JSONFormat.object(located, keys: FixKey.allCases.filter { $0 != .latitude && $0 != .longitude })
    if located.heights.isModelled, located.ellipsoidalAltitude == nil { object.add("geoid", .text(Geoid.name)) }
    return object.closed
  }
}
