package import Geodesy

/// A drive in which every fix follows from its number, so that a reader can check each record. All values are whole multiples of
/// a track's units.
package enum LoggedDrive {
  /// Fix `number`, at ten per second.
  package static func fix(_ number: Int) -> PositionFix {
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
    func noise(_ amplitude: Int64) -> Int64 { .random(in: -amplitude...amplitude, using: &random) }
    let step = Int64(number)
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000 + step * 100_000_000 + noise(1) * 1000),
      timeValidity: .confirmed, receivedAt: Instant(nanoseconds: (1_000_000 + step * 100 + noise(4)) * 1_000_000),
      coordinate: Coordinate(
        latitude: Angle(degrees: Double(47_000_000_000 + step % 40_000 * 13_000 + noise(2000)) / 1e9),
        longitude: Angle(degrees: Double(8_000_000_000 + step % 40_000 * 20_000 + noise(2000)) / 1e9)),
      horizontalRadius68: Meters(Double(2_500 + noise(40)) / 1e3), kind: .threeDimensional, technologies: .gnss)
    let height = 400_000 + step % 1000 * 20 + noise(100)
    fix.heightAboveEllipsoid = Meters(Double(height) / 1e3)
    fix.heightAboveMeanSeaLevel = Meters(Double(height - 47_500) / 1e3)
    fix.verticalRadius68 = Meters(Double(4_000 + noise(50)) / 1e3)
    fix.speedMetersPerSecond = Double(20_000 + noise(300)) / 1e3
    fix.speedRadius68MetersPerSecond = Double(200 + noise(20)) / 1e3
    fix.course = Angle(degrees: Double(46_000 + noise(900)) / 1e3)
    fix.courseRadius68 = Angle(degrees: Double(120 + noise(20)) / 1e2)
    fix.satellitesUsed = 12 + Int(noise(1))
    fix.device = "/dev/ttyACM0"
    fix.receiver = "usb-1546-01a9-serial"
    return fix
  }
}
