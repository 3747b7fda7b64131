import Geodesy
import LocationIPC
import locationctl

/// Skies for the tests of the plot and of the formats.
enum SampleSky {
  /// 2026-03-01T12:34:56.789Z.
  static let time = GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000)

  static func report(_ satellites: [SatelliteReport]? = nil) -> SkyReport {
    var report = SkyReport(device: "/dev/ttyACM0")
    report.satellites = satellites
    return report
  }

  static func satellite(
    _ constellation: SatelliteConstellation, _ number: Int, elevation: Int? = nil, azimuth: Int? = nil,
    signal: Int? = nil, isUsed: Bool? = nil
  ) -> SatelliteReport {
    var satellite = SatelliteReport(constellation, number)
    (satellite.elevationDegrees, satellite.azimuthDegrees) = (elevation, azimuth)
    (satellite.signalDecibelHertz, satellite.isUsed) = (signal, isUsed)
    return satellite
  }

  /// One satellite of each system, in all directions.
  static var few: SkyReport {
    var report = report([
      satellite(.gps, 5, elevation: 60, azimuth: 90, signal: 46, isUsed: true),
      satellite(.gps, 12, elevation: 30, azimuth: 0, signal: 30, isUsed: true),
      satellite(.glonass, 9, elevation: 30, azimuth: 180, signal: 24, isUsed: true),
      satellite(.galileo, 31, elevation: 30, azimuth: 270, signal: 15, isUsed: false),
      satellite(.beidou, 20, elevation: 45, azimuth: 225, isUsed: false),
      satellite(.sbas, 127, signal: 40, isUsed: false),
    ])
    report.fix = .threeDimensional
    (report.hdop, report.vdop, report.pdop) = (0.94, 1.25, 1.56)
    (report.time, report.timeValidity) = (time, .confirmed)
    report.satellitesUsed = 3
    return report
  }

  /// As many satellites as a receiver of all systems observes under open sky.
  static var many: SkyReport {
    let systems: [SatelliteConstellation] = [.gps, .glonass, .galileo, .beidou]
    return report(
      (0..<64).map { index in
        satellite(
          systems[index / 16], index % 16 + 1, elevation: index * 37 % 91, azimuth: index * 53 % 360,
          signal: 10 + index * 7 % 45, isUsed: !index.isMultiple(of: 3))
      })
  }
}
