package import Geodesy

/// The names of oceans and large seas, for positions on the water far from land. The limits are those of "Limits of Oceans and
/// Seas" (IHO S-23, 1953), simplified to lines and boxes: near a limit the other name may be right.
package enum Oceans {
  /// A sea between parallels and meridians.
  private struct Box {
    let name: String
    let latitudes: ClosedRange<Double>
    let longitudes: ClosedRange<Double>
  }

  private static let seas = [
    Box(name: "Black Sea", latitudes: 40.9...47.3, longitudes: 27.4...41.9),
    // Without the Bay of Biscay.
    Box(name: "Mediterranean Sea", latitudes: 30...41, longitudes: -5.6...36.3),
    Box(name: "Mediterranean Sea", latitudes: 41...46, longitudes: 0...36.3),
    // Without the Norwegian Sea.
    Box(name: "Baltic Sea", latitudes: 53.5...60, longitudes: 10...30.5),
    Box(name: "Baltic Sea", latitudes: 60...66, longitudes: 16...30.5),
    Box(name: "North Sea", latitudes: 51...61, longitudes: -2...9.5),
    Box(name: "Red Sea", latitudes: 12.5...30, longitudes: 32.3...43.4),
    Box(name: "Persian Gulf", latitudes: 23.8...30.5, longitudes: 47.5...56.5),
    Box(name: "Caspian Sea", latitudes: 36.4...47.2, longitudes: 46.5...55),
    Box(name: "Gulf of Mexico", latitudes: 21.5...31, longitudes: -98 ... -81),
    Box(name: "Gulf of Mexico", latitudes: 18...21.5, longitudes: -98 ... -87),
    Box(name: "Caribbean Sea", latitudes: 18...20, longitudes: -87 ... -72),
    Box(name: "Caribbean Sea", latitudes: 15.5...18, longitudes: -88.9 ... -61),
    Box(name: "Caribbean Sea", latitudes: 10...15.5, longitudes: -84 ... -61),
    Box(name: "Hudson Bay", latitudes: 51...64, longitudes: -95 ... -76.5),
  ]

  /// From north to south: latitude, and the longitude of the land between the Pacific and the Atlantic.
  private static let americas = [
    (66.0, -150.0), (50, -115), (30, -105), (18, -95), (15, -88), (9, -80), (7.5, -77.5), (0, -75), (-20, -68),
    (-40, -71),
    (-55, -68), (-60, -67),
  ]
  /// Between the Atlantic and the Indian Ocean.
  private static let africa = [(66.0, 60.0), (30, 33), (12, 40), (0, 30), (-34, 20), (-60, 20)]
  /// Between the Indian and the Pacific Ocean.
  private static let asia = [
    (66.0, 100.0), (30, 100), (10, 99), (1, 103), (-6, 106), (-8, 115), (-11, 142), (-35, 147), (-60, 147),
  ]

  /// The name at a position on the water.
  package static func name(at coordinate: Coordinate) -> String {
    let (latitude, longitude) = (coordinate.latitude.degrees, coordinate.longitude.degrees)
    if latitude > 66 { return "Arctic Ocean" }
    if latitude < -60 { return "Southern Ocean" }
    if let sea = seas.first(where: { $0.latitudes.contains(latitude) && $0.longitudes.contains(longitude) }) {
      return sea.name
    }
    let half = latitude < 0 ? "South" : "North"
    if longitude < limit(americas, latitude) || longitude >= limit(asia, latitude) { return "\(half) Pacific Ocean" }
    return longitude < limit(africa, latitude) ? "\(half) Atlantic Ocean" : "Indian Ocean"
  }

  /// The longitude of a line at a latitude.
  private static func limit(_ line: [(Double, Double)], _ latitude: Double) -> Double {
    for (upper, lower) in zip(line, line.dropFirst()) where latitude >= lower.0 {
      return lower.1 + (upper.1 - lower.1) * (latitude - lower.0) / (upper.0 - lower.0)
    }
    return line.last?.1 ?? 0
  }
}
