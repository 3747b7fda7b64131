import Geodesy
package import LocationIPC
package import TrackFormats

/// The satellites of a receiver as NMEA 0183 GSA and GSV (4.11, sections 8.3.41 and 8.3.43, with system identifiers), a group for each
/// satellite system.
package enum SkySentences {
  package static func sentences(_ report: SkyReport) -> [UInt8] {
    var buffer = NMEASentenceBuffer()
    buffer.appendGSA(report)
    buffer.appendGSV(report)
    return buffer.bytes
  }

  /// GSA has twelve fields for satellites, GSV four groups.
  fileprivate static let (inSolution, inView) = (12, 4)

  /// The system identifiers, and the talkers that list the satellites of one system (NMEA 0183 4.11, tables 1 and 20).
  fileprivate static let systems = 1...6

  fileprivate static func talker(_ system: Int) -> String {
    switch system {
    case 1: "GP"
    case 2: "GL"
    case 3: "GA"
    case 4: "GB"
    case 5: "GQ"
    case _: "GI"
    }
  }

  /// The system identifier, and the number within it (NMEA 0183 4.11, table 20).
  fileprivate static func number(of satellite: SatelliteReport) -> (system: Int, number: Int)? {
    let number = satellite.number
    return switch satellite.constellation {
    case .gps where (1...32).contains(number): (1, number)
    case .sbas where (120...151).contains(number): (1, number - 87)
    case .glonass where (1...32).contains(number): (2, number + 64)
    case .galileo where (1...36).contains(number): (3, number)
    case .beidou where (1...64).contains(number): (4, number)
    case .qzss where (1...10).contains(number): (5, number)
    case .navic where (1...15).contains(number): (6, number)
    case _: nil
    }
  }
}

extension NMEASentenceBuffer {
  /// The satellites in the solution: a sentence for each system that has some.
  package mutating func appendGSA(_ report: SkyReport) {
    guard let satellites = report.satellites else { return }
    let dimensions =
      switch report.fix {
      case nil: 1
      case .twoDimensional: 2
      case .estimated, .threeDimensional, .differential, .rtkFloat, .rtkFixed: 3
      }
    for system in SkySentences.systems {
      var used = 0
      for satellite in satellites where satellite.isUsed ?? false {
        guard let place = SkySentences.number(of: satellite), place.system == system, used < SkySentences.inSolution
        else { continue }
        if used == 0 {
          begin("GN", "GSA")
          field("A")
          field(dimensions)
        }
        field(place.number, width: 2)
        used += 1
      }
      guard used > 0 else { continue }
      empty(SkySentences.inSolution - used)
      field(report.pdop, decimals: 2)
      field(report.hdop, decimals: 2)
      field(report.vdop, decimals: 2)
      field(system)
      end()
    }
  }

  /// The satellites in view: sentences for each system that has some.
  package mutating func appendGSV(_ report: SkyReport) {
    guard let satellites = report.satellites else { return }
    for system in SkySentences.systems {
      var count = 0
      for satellite in satellites where SkySentences.number(of: satellite)?.system == system { count += 1 }
      var index = 0
      for satellite in satellites {
        guard let place = SkySentences.number(of: satellite), place.system == system else { continue }
        if index % SkySentences.inView == 0 {
          begin(SkySentences.talker(system), "GSV")
          field((count + SkySentences.inView - 1) / SkySentences.inView)
          field(index / SkySentences.inView + 1)
          field(count, width: 2)
        }
        field(place.number, width: 2)
        field(satellite.elevationDegrees, width: 2)
        field(satellite.azimuthDegrees, width: 3)
        field(satellite.signalDecibelHertz, width: 2)
        index += 1
        if index % SkySentences.inView == 0 || index == count {
          // All signals of the satellite.
          field(0)
          end()
        }
      }
    }
  }
}
