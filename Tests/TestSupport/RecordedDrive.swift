import Foundation
package import Geodesy

/// Half an hour of a real u-blox F9K in a car, with the truth from an inertial system in the same car, from the folder in
/// `LOCATION_DATA`.
package struct RecordedDrive {
  /// The receiver's output, one epoch per element; each begins with its RMC.
  package let epochs: [[UInt8]]
  /// The true positions, by the time of day in a GGA: `021417.00`.
  private let truth: [String: Coordinate]

  package static let folder = ProcessInfo.processInfo.environment["LOCATION_DATA"]
  /// A condition for `.enabled(if:)`.
  package static let isThere = folder != nil
  package static let whatIsMissing = "LOCATION_DATA names no folder of recorded receivers"

  package static var logPath: String { "\(folder ?? "")/gnss/MTV.Local1.ublox-F9K.20200206-181434.nmea" }
  private static var truthPath: String { "\(folder ?? "")/gnss/MTV.Local1.SPAN.20200206-181434.gga" }

  package init() throws {
    var epochs: [[UInt8]] = []
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.logPath)))
    for line in log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if epochs.isEmpty || line.starts(with: "$GNRMC".utf8) { epochs.append([]) }
      epochs[epochs.count - 1] += line + [UInt8(ascii: "\n")]
    }
    self.epochs = epochs
    var truth: [String: Coordinate] = [:]
    let reference = try String(contentsOfFile: Self.truthPath, encoding: .ascii)
    for line in reference.split(whereSeparator: \.isNewline) where line.hasPrefix("$GPGGA") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard let latitude = Double(fields[2]), let longitude = Double(fields[4]) else { continue }
      truth[String(fields[1])] = Coordinate(
        latitude: Self.angle(latitude, isNegative: fields[3] == "S"),
        longitude: Self.angle(longitude, isNegative: fields[5] == "W"))
    }
    self.truth = truth
  }

  /// The distance between a fix and the truth in its second; `nil`: there is no truth for that time.
  package func error(of fix: PositionFix) -> Meters? {
    let second = fix.time.nanosecondsSinceMidnight / 1_000_000_000
    let key = String(format: "%02d%02d%02d.00", second / 3600, second / 60 % 60, second % 60)
    return truth[key].map { Geodesic.inverse(from: fix.coordinate, to: $0).distance }
  }

  /// The angle in NMEA's form `ddmm.mmmm`.
  private static func angle(_ value: Double, isNegative: Bool) -> Angle {
    let degrees = (value / 100).rounded(.down) + value.truncatingRemainder(dividingBy: 100) / 60
    return Angle(degrees: isNegative ? -degrees : degrees)
  }
}
