import Geodesy

/// A fix as a `geo` URI (RFC 5870): latitude, longitude and, if known, the height above the WGS 84 ellipsoid (section 3.4.2); `u` is the
/// 68 % radius in meters (section 3.4.3), and is absent if the radius is unknown.
package enum GeoURI {
  /// The URI and a line end; empty if the position is invalid.
  package static func line(_ located: LocatedFix) -> [UInt8] {
    guard let position = CoordinateText(located.fix.coordinate) else { return [] }
    var bytes = Array("geo:".utf8)
    position.latitude.append(to: &bytes)
    bytes.append(UInt8(ascii: ","))
    position.longitude.append(to: &bytes)
    if let height = located.heights.aboveEllipsoid.flatMap({ FixedDecimal($0, decimals: 3, minimum: 2) }) {
      bytes.append(UInt8(ascii: ","))
      height.append(to: &bytes)
    }
    if let radius = located.fix.knownHorizontalRadius68,
      let uncertainty = FixedDecimal(radius.value, decimals: 3, minimum: 0)
    {
      bytes += ";u=".utf8
      uncertainty.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
