import Foundation
import Geodesy
import LocationReplay

/// A receiver's recorded output with its truth, from the folder LOCATION_DATA.
enum RecordedTrack: String, CaseIterable {
  case f9k = "mtv_f9k_rtk"
  case nagoya = "nagoya_gtsam_spp"
  case comma = "comma2k19_ublox_live"

  private static let folder = ProcessInfo.processInfo.environment["LOCATION_DATA"].map { "\($0)/gnss" }

  static let areThere =
    folder.map { folder in
      allCases.allSatisfy { FileManager.default.isReadableFile(atPath: "\(folder)/\($0.rawValue).csv") }
    } ?? false

  /// Whether the table contains an accuracy.
  var tellsRadius: Bool { self == .nagoya }

  /// The rows of the table.
  ///
  /// - Parameter columns: the columns to keep, in addition to time and position.
  func fixes(keeping columns: Set<TableColumn> = [.accuracy, .speed, .course]) throws -> [(
    fix: PositionFix, truth: Coordinate
  )] {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(Self.folder ?? "")/\(rawValue).csv")))
    var reader = PositionTableReader()
    var fixes: [(fix: PositionFix, truth: Coordinate)] = []
    func receive(_ row: PositionRow) {
      guard let truth = row.truth else { return }
      var row = row
      if !columns.contains(.accuracy) { row.accuracyMeters = nil }
      if !columns.contains(.speed) { row.speedMetersPerSecond = nil }
      if !columns.contains(.course) { row.course = nil }
      fixes.append((row.fix, truth))
    }
    try reader.push(bytes.span, receive)
    try reader.finish(receive)
    return fixes
  }
}
