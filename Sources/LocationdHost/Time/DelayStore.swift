import Geodesy
import LinuxIO
import TimeService

/// Stores the measured delays of receivers in the state folder. A failure costs another measurement, and is not reported.
final class DelayStore {
  /// A power failure may lose as much: a delay is measured again within minutes.
  private static let interval: Duration = .seconds(600)
  /// More than a full table has.
  private static let maximumSize = 16_384

  private let path: String
  private var savedAt: Instant?

  init(folder: String) { path = folder + "/time-delays" }

  func load() -> CalibrationTable? {
    (try? StateFile.read(path, maximumSize: Self.maximumSize)).flatMap { CalibrationTable($0) }
  }

  /// - Parameter isUrgent: whether it is written at once, and not only every ten minutes.
  func save(_ table: CalibrationTable, isUrgent: Bool, at now: Instant) {
    guard isUrgent || savedAt.map({ now - $0 >= Self.interval }) ?? true else { return }
    savedAt = now
    try? StateFile.write(path, table.encoded, waitsForDisk: false)
  }
}
