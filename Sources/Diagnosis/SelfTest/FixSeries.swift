package import Geodesy

/// The fixes of one receiver over some minutes: how many came, and how far they scatter. It keeps the position of the
/// first fix and the distances of the others from it; none of its results contains a position.
package struct FixSeries: Sendable {
  /// An hour of ten updates per second; later fixes are counted, but not kept.
  private static let maximumKept = 36_000
  /// Fewer fixes than this say nothing about rates.
  private static let fewestForRates = 5
  /// Fewer fixes than this say nothing about the scatter.
  private static let fewestForScatter = 20
  /// A receiver counts as standing still if nine of ten of its speeds are below this, m/s.
  private static let standingSpeed = 1.0

  package private(set) var count = 0
  package private(set) var isSimulated = false
  /// How often the position was lost while the series was recorded.
  package private(set) var timesLost = 0
  package private(set) var device: String?
  private var silence = Duration.zero
  private var origin: Coordinate?
  private var meters: [(east: Double, north: Double)] = []
  private var radii: [Double] = []
  private var speeds: [Double] = []
  private var times: [GNSSTime] = []
  private var flags: [FixQualityFlag: Int] = [:]
  private var satellites: [Int] = []

  package init() {}

  /// Adds a fix; one from another receiver than the first is ignored.
  package mutating func add(_ fix: PositionFix) {
    if count == 0 { device = fix.device }
    guard fix.device == device else { return }
    count += 1
    isSimulated = isSimulated || fix.isSimulated
    if let flag = fix.qualityFlag { flags[flag, default: 0] += 1 }
    guard times.count < Self.maximumKept else { return }
    times.append(fix.time)
    radii.append(fix.horizontalRadius68.value)
    if let speed = fix.speedMetersPerSecond { speeds.append(speed) }
    if let used = fix.satellitesUsed { satellites.append(used) }
    let origin = origin ?? fix.coordinate
    self.origin = origin
    let line = Geodesic.inverse(from: origin, to: fix.coordinate)
    let direction = line.initialCourse.radians
    meters.append((line.distance.value * Math.sin(direction), line.distance.value * Math.cos(direction)))
  }

  /// Ends the series `silence` after its last fix: fixes that are missing at the end count as missing, too.
  package mutating func end(silentFor silence: Duration) { self.silence = silence }

  /// The position was lost.
  package mutating func lost() { timesLost += 1 }

  /// Median number of satellites in the fixes.
  package var satellitesUsed: Int? { satellites.isEmpty ? nil : satellites.sorted()[satellites.count / 2] }

  /// The most frequent quality flag, if at least a tenth of the fixes have it.
  package var commonFlag: FixQualityFlag? { flags.filter { $0.value * 10 >= count }.max { $0.value < $1.value }?.key }

  /// Updates per second, and the share of all expected updates that are missing; `nil`: too few fixes.
  package var rate: (hertz: Double, missed: Double)? {
    guard times.count >= Self.fewestForRates else { return nil }
    let intervals = zip(times, times.dropFirst()).map { ($1 - $0).inSeconds }.filter { $0 > 0 }
    guard !intervals.isEmpty else { return nil }
    let usual = Self.quantile(0.5, of: intervals)
    guard usual > 0 else { return nil }
    // Between updates, and after the last one.
    let missing = (intervals + [silence.inSeconds]).reduce(0) { $0 + max(0, ($1 / usual).rounded() - 1) }
    return (1 / usual, missing / (missing + Double(intervals.count)))
  }

  /// Whether the receiver stood still; `nil`: there are too few fixes, or they have no speed.
  package var isStanding: Bool? {
    guard times.count >= Self.fewestForScatter else { return nil }
    guard !speeds.isEmpty else { return nil }
    return Self.quantile(0.9, of: speeds) < Self.standingSpeed
  }

  /// The distance from the median position within which 68 % of the fixes lie, and the median of the radii that the receiver's
  /// fixes had, meters; `nil`: too few fixes.
  package var scatter: (meters: Double, radius: Double)? {
    guard meters.count >= Self.fewestForScatter else { return nil }
    let east = Self.quantile(0.5, of: meters.map(\.east))
    let north = Self.quantile(0.5, of: meters.map(\.north))
    let distances = meters.map { place in
      let (x, y) = (place.east - east, place.north - north)
      return (x * x + y * y).squareRoot()
    }
    return (Self.quantile(0.68, of: distances), Self.quantile(0.5, of: radii))
  }

  private static func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
