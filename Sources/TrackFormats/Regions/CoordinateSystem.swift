/// The coordinate systems that GeoJSON of 2008 names and that are degrees of WGS 84, or nearly so.
enum CoordinateSystem {
  /// The last part of names such as "urn:ogc:def:crs:OGC:1.3:CRS84" and "EPSG:4326".
  private static let codes: Set<Substring> = [
    "CRS84", "CRS84h", "4326", "4979",
    // ETRS89 and NAD83: a metre or two beside.
    "4258", "4269",
  ]

  static func isInDegrees(_ name: String) -> Bool {
    codes.contains(name.split { $0 == ":" || $0 == "/" || $0 == "#" }.last ?? "")
  }
}
