extension NMEAEpochEncoder {
  /// The satellites used for the position: one sentence per constellation, with at most twelve satellites, the system's id last
  /// from 4.10 on.
  func gsa() -> [[UInt8]] {
    let systems = SimulatedSatellite.System.nmeaOrder.filter { system in
      epoch.satellites.contains { $0.system == system && $0.isUsed }
    }
    return (systems.isEmpty ? [.gps] : systems).map { system in
      var sentence = begin("GSA")
      let used = epoch.satellites.filter { $0.system == system && $0.isUsed }.prefix(12)
      sentence.field("A")
      switch epoch.solution {
      case .none: sentence.field(1)
      case .twoDimensional: sentence.field(2)
      case .threeDimensional: sentence.field(3)
      }
      for satellite in used { sentence.field(satellite.nmeaNumber, width: 2) }
      sentence.empty(12 - used.count)
      sentence.field(epoch.dilution.position, decimals: 2)
      sentence.field(epoch.dilution.horizontal, decimals: 2)
      sentence.field(epoch.dilution.vertical, decimals: 2)
      if dialect.hasIDs { sentence.field(String(system.nmeaSystemID, radix: 16, uppercase: true)) }
      return sentence.bytes
    }
  }

  /// The satellites in view: four per sentence, a group of sentences per constellation, the signal's id last from 4.10 on.
  func gsv() -> [[UInt8]] {
    let systems = SimulatedSatellite.System.nmeaOrder.filter { system in
      epoch.satellites.contains { $0.system == system }
    }
    return (systems.isEmpty ? [.gps] : systems).flatMap { system in
      let group = epoch.satellites.filter { $0.system == system }
      let count = max(1, (group.count + 3) / 4)
      return (0..<count).map { number in
        var sentence = NMEASentenceBuilder(system.nmeaTalker + "GSV")
        sentence.field(count)
        sentence.field(number + 1)
        sentence.field(group.count, width: 2)
        for satellite in group.dropFirst(number * 4).prefix(4) {
          sentence.field(satellite.nmeaNumber, width: 2)
          sentence.field(Int(satellite.elevation), width: 2)
          sentence.field(Int(satellite.azimuth), width: 3)
          sentence.field(Int(satellite.signal), width: 2)
        }
        if dialect.hasIDs { sentence.field(String(system.nmeaSignalID, radix: 16, uppercase: true)) }
        return sentence.bytes
      }
    }
  }
}

extension SimulatedSatellite {
  /// NMEA 0183 4.11: GLONASS counts from 65, the others from 1.
  fileprivate var nmeaNumber: Int { system == .glonass ? Int(number) + 64 : Int(number) }
}

extension SimulatedSatellite.System {
  /// The order of NMEA system ids.
  fileprivate static let nmeaOrder: [Self] = [.gps, .glonass, .galileo, .beidou]

  fileprivate var nmeaTalker: String {
    switch self {
    case .gps: "GP"
    case .glonass: "GL"
    case .galileo: "GA"
    case .beidou: "GB"
    }
  }

  /// NMEA 0183 4.11 system id.
  fileprivate var nmeaSystemID: Int {
    switch self {
    case .gps: 1
    case .glonass: 2
    case .galileo: 3
    case .beidou: 4
    }
  }

  /// NMEA 0183 4.11 signal id of the one signal received: L1 C/A, L1 OF, E1, B1I.
  fileprivate var nmeaSignalID: Int {
    switch self {
    case .gps, .glonass, .beidou: 1
    case .galileo: 7
    }
  }
}
