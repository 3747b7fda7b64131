/// The satellites of a simulated receiver: always the same ones at the same positions, with signals that vary.
enum SimulatedSky {
  /// Satellites at this many degrees or lower are received but not used.
  private static let mask: Int8 = 10

  /// The satellites in view in one epoch; a fix without height uses the three highest.
  static func satellites(
    of dialect: Dialect, kind: SimulatedEpoch.Solution, noise: SeededNoise, epoch: Int
  ) -> [SimulatedSatellite] {
    var satellites = systems(of: dialect).flatMap { system in
      table(system).enumerated().map { index, entry in
        let jitter = Int(noise.bits(epoch: epoch, .signal, index: Int(system.rawValue) << 8 | index) % 5) - 2
        return SimulatedSatellite(
          system: system, number: entry.number, elevation: entry.elevation, azimuth: entry.azimuth,
          signal: UInt8(clamping: 28 + Int(entry.elevation) / 4 + jitter), isUsed: false)
      }
    }
    switch kind {
    case .none: break
    case .twoDimensional:
      let highest = satellites.indices.sorted { satellites[$0].elevation > satellites[$1].elevation }.prefix(3)
      for index in highest { satellites[index].isUsed = true }
    case .threeDimensional:
      for index in satellites.indices { satellites[index].isUsed = satellites[index].elevation > mask }
    }
    return satellites
  }

  /// The constellations that a generation receives.
  static func systems(of dialect: Dialect) -> [SimulatedSatellite.System] {
    switch dialect {
    case .nmea23, .ublox6, .ublox7: [.gps]
    case .ublox8, .mixed: [.gps, .glonass]
    case .nmea411, .ublox9: [.gps, .glonass, .galileo, .beidou]
    }
  }

  private static func table(
    _ system: SimulatedSatellite.System
  ) -> [(number: UInt8, elevation: Int8, azimuth: Int16)] {
    switch system {
    case .gps:
      [
        (2, 12, 181), (6, 45, 146), (12, 19, 292), (13, 17, 209), (17, 52, 40), (19, 76, 22), (24, 43, 305),
        (28, 33, 80), (30, 7, 139),
      ]
    case .glonass: [(1, 5, 331), (9, 64, 352), (10, 25, 323), (16, 39, 117), (18, 22, 31), (19, 72, 44)]
    case .galileo: [(1, 15, 110), (5, 9, 271), (11, 41, 201), (12, 58, 168), (24, 52, 320), (31, 63, 82)]
    case .beidou: [(16, 6, 328), (27, 76, 202), (28, 45, 47), (30, 22, 222), (37, 60, 131)]
    }
  }
}

/// One satellite as a simulated receiver reports it.
struct SimulatedSatellite: Hashable, Sendable {
  /// The constellations of a simulated sky; raw value: u-blox `gnssId`.
  enum System: UInt8, CaseIterable, Sendable {
    case gps = 0
    case galileo = 2
    case beidou = 3
    case glonass = 6
  }

  var system: System
  /// Number within the constellation, from 1 (u-blox `svId`).
  var number: UInt8
  /// Degrees above the horizon.
  var elevation: Int8
  /// Degrees clockwise from true north, 0…359.
  var azimuth: Int16
  /// Signal strength in dBHz.
  var signal: UInt8
  /// Whether it is used for the position.
  var isUsed: Bool
}
