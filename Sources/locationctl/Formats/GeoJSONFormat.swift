import Geodesy

/// A fix as a GeoJSON Feature (RFC 7946), one a line. The third coordinate is the height above the ellipsoid (RFC 7946
/// §3.1.1), and stands only where it is known.
package enum GeoJSONFormat {
  package static func line(_ located: LocatedFix) -> [UInt8] {
    let coordinate = located.fix.coordinate
    let numbers = [
      FixedDecimal.text(coordinate.longitude.degrees, decimals: 9, minimum: 7),
      FixedDecimal.text(coordinate.latitude.degrees, decimals: 9, minimum: 7),
    ].compactMap(\.self)
    // A position of one number would be no position: then the feature is unlocated (RFC 7946 §3.2).
    guard numbers.count == 2 else { return feature(geometry: Array("null".utf8), properties: properties(located)) }
    let height = located.ellipsoidalAltitude.flatMap { FixedDecimal.text($0, decimals: 3, minimum: 2) }
    var point = JSONObject()
    point.add("type", .text("Point"))
    point.add(
      "coordinates", rawValue: Array("[\((numbers + (height.map { [$0] } ?? [])).joined(separator: ","))]".utf8))
    return feature(geometry: point.closed, properties: properties(located))
  }

  /// A Feature of any geometry.
  static func feature(geometry: [UInt8], properties: [UInt8]) -> [UInt8] {
    var feature = JSONObject()
    feature.add("type", .text("Feature"))
    feature.add("geometry", rawValue: geometry)
    feature.add("properties", rawValue: properties)
    return feature.line
  }

  private static func properties(_ located: LocatedFix) -> [UInt8] {
    JSONFormat.object(located, keys: FixKey.allCases.filter { $0 != .latitude && $0 != .longitude }).closed
  }
}
