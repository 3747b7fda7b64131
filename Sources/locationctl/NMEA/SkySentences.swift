import Geodesy
package import LocationIPC
import TrackFormats

/// The satellites of a receiver as NMEA 0183 GSA and GSV (4.11, sections 8.3.41 and 8.3.43, with system identifiers), a group for each
/// satellite system.
package enum SkySentences {
  /// GSA has twelve fields for satellites, GSV four groups.
  private static let (inSolution, inView) = (12, 4)

  package static func sentences(_ report: SkyReport) -> [UInt8] {
    guard let satellites = report.satellites else { return [] }
    return groups(satellites).flatMap { gsa($0, report) } + groups(satellites).flatMap { gsv($0) }
  }

  /// The satellites whose numbers one talker can send.
  private struct Group {
    let talker: String
    let system: Int
    var satellites: [(number: Int, satellite: SatelliteReport)] = []
  }

  private static func groups(_ satellites: [SatelliteReport]) -> [Group] {
    var groups = [
      Group(talker: "GP", system: 1), Group(talker: "GL", system: 2), Group(talker: "GA", system: 3),
      Group(talker: "GB", system: 4), Group(talker: "GQ", system: 5), Group(talker: "GI", system: 6),
    ]
    for satellite in satellites {
      guard let (system, number) = number(of: satellite) else { continue }
      groups[system - 1].satellites.append((number, satellite))
    }
    return groups.filter { !$0.satellites.isEmpty }
  }

  /// The system identifier, and the number within it (NMEA 0183 4.11, table 20).
  private static func number(of satellite: SatelliteReport) -> (system: Int, number: Int)? {
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

  private static func gsa(_ group: Group, _ report: SkyReport) -> [UInt8] {
    let used = group.satellites.filter { $0.satellite.isUsed ?? false }.prefix(inSolution).map { two($0.number) }
    guard !used.isEmpty else { return [] }
    let dimensions =
      switch report.fix {
      case nil: 1
      case .twoDimensional: 2
      case .estimated, .threeDimensional, .differential, .rtkFloat, .rtkFixed: 3
      }
    let fields = used + Array(repeating: "", count: inSolution - used.count)
    let dilutions = [report.pdop, report.hdop, report.vdop].map {
      $0.flatMap { FixedDecimal.text($0, decimals: 2, minimum: 1) } ?? ""
    }
    return NMEAFormat.sentence(
      "GNGSA,A,\(dimensions),\(fields.joined(separator: ",")),\(dilutions.joined(separator: ",")),\(group.system)")
  }

  private static func gsv(_ group: Group) -> [UInt8] {
    let count = group.satellites.count
    let messages = (count + inView - 1) / inView
    return (0..<messages).flatMap { index in
      let part = group.satellites[(index * inView)..<min(count, (index + 1) * inView)].map { number, satellite in
        "\(two(number)),\(satellite.elevationDegrees.map { two($0) } ?? ""),"
          + "\(satellite.azimuthDegrees.map { FixedDecimal.padded(Int64($0), to: 3) } ?? ""),"
          + "\(satellite.signalDecibelHertz.map { two($0) } ?? "")"
      }
      return NMEAFormat.sentence(
        "\(group.talker)GSV,\(messages),\(index + 1),\(two(count)),\(part.joined(separator: ",")),0")
    }
  }

  private static func two(_ number: Int) -> String {
    number < 0 ? "-\(FixedDecimal.padded(Int64(-number), to: 2))" : FixedDecimal.padded(Int64(number), to: 2)
  }
}
