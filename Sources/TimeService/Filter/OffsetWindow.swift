import Geodesy

/// The raw samples of the last 16 seconds, and the fastest quarter of them.
///
/// Delays only add to the time between a fix and its first byte, so the bursts with the shortest delay have the smallest error. The
/// window is stored in arrays that are reused: a sample allocates nothing.
struct OffsetWindow: Sendable {
  /// The length of the window.
  static let nanoseconds: Int64 = 16_000_000_000
  /// Ten samples per second; a faster receiver's window is shorter.
  static let capacity = 160

  private struct Point {
    /// Raw clock at the arrival.
    var raw: Int64
    /// UTC of the fix minus the raw clock.
    var difference: Int64
  }

  /// The fastest quarter, relative to the newest sample.
  struct Quarter {
    /// The mean time of its samples before the newest one, seconds, ≤ 0.
    var meanSeconds: Double
    /// The mean difference, minus that of the newest sample, seconds.
    var meanDifferenceSeconds: Double
    /// The variance of the mean difference, from the scatter of the samples, seconds².
    var varianceSecondsSquared: Double
    /// The time between the fast and the slow samples without the extreme eighths, seconds.
    var spreadSeconds: Double
    /// The time from the oldest sample to the newest, seconds.
    var lengthSeconds: Double
  }

  private var points: [Point] = []
  private var first = 0
  private(set) var count = 0
  private var residuals: [Double]
  private var order: [Int]

  init() {
    points = [Point](repeating: Point(raw: 0, difference: 0), count: Self.capacity)
    residuals = [Double](repeating: 0, count: Self.capacity)
    order = [Int](repeating: 0, count: Self.capacity)
  }

  /// The difference of the newest sample, nanoseconds; 0 in an empty window.
  var newestDifference: Int64 { count > 0 ? points[slot(count - 1)].difference : 0 }
  /// Raw clock of the newest sample, nanoseconds; `nil` in an empty window.
  var newestRaw: Int64? { count > 0 ? points[slot(count - 1)].raw : nil }

  mutating func removeAll() {
    first = 0
    count = 0
  }

  /// Adds a sample that is newer than all others, and drops those that are too old.
  mutating func add(raw: Int64, difference: Int64) {
    while count > 0, count == Self.capacity || raw &- points[first].raw > Self.nanoseconds {
      first = (first + 1) % Self.capacity
      count -= 1
    }
    points[slot(count)] = Point(raw: raw, difference: difference)
    count += 1
  }

  /// The fastest quarter. `slope`: the rate of the raw clock (seconds of difference per second), used until the window has enough
  /// samples for its own.
  mutating func fastestQuarter(slope known: Double) -> Quarter? {
    guard count >= 2, let newest = newestRaw else { return nil }
    let base = newestDifference
    var (meanX, meanY) = (0.0, 0.0)
    for index in 0..<count {
      let (x, y) = position(index, newest, base)
      meanX += x
      meanY += y
    }
    meanX /= Double(count)
    meanY /= Double(count)
    let slope = count >= Self.samplesForSlope ? ownSlope(newest, base, meanX, meanY) ?? known : known
    var sum = 0.0
    for index in 0..<count {
      let (x, y) = position(index, newest, base)
      residuals[index] = y - meanY - slope * (x - meanX)
      sum += residuals[index] * residuals[index]
    }
    sortByResidual()
    return quarter(newest, base, variance: sum / Double(max(count - 2, 1)))
  }

  /// With fewer samples, the window's own slope is worse than none.
  private static let samplesForSlope = 8

  private func slot(_ index: Int) -> Int { (first + index) % Self.capacity }

  /// Time and difference of a sample in seconds, relative to the newest one.
  private func position(_ index: Int, _ newest: Int64, _ base: Int64) -> (x: Double, y: Double) {
    let point = points[slot(index)]
    return (Double(point.raw &- newest) * 1e-9, Double(point.difference &- base) * 1e-9)
  }

  private func ownSlope(_ newest: Int64, _ base: Int64, _ meanX: Double, _ meanY: Double) -> Double? {
    var (xx, xy) = (0.0, 0.0)
    for index in 0..<count {
      let (x, y) = position(index, newest, base)
      xx += (x - meanX) * (x - meanX)
      xy += (x - meanX) * (y - meanY)
    }
    return xx > 0 ? xy / xx : nil
  }

  /// Sorts `order` by falling residual: the fastest samples come first. By insertion, because the standard library's sort allocates.
  private mutating func sortByResidual() {
    for index in 0..<count {
      var place = index
      while place > 0, residuals[order[place - 1]] < residuals[index] {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = index
    }
  }

  private func quarter(_ newest: Int64, _ base: Int64, variance: Double) -> Quarter {
    let size = max(1, count / 4)
    var (meanX, meanY, meanResidual) = (0.0, 0.0, 0.0)
    for place in 0..<size {
      let (x, y) = position(order[place], newest, base)
      meanX += x
      meanY += y
      meanResidual += residuals[order[place]]
    }
    meanX /= Double(size)
    meanY /= Double(size)
    meanResidual /= Double(size)
    var scatter = 0.0
    for place in 0..<size {
      let residual = residuals[order[place]] - meanResidual
      scatter += residual * residual
    }
    let edge = count / 8
    return Quarter(
      meanSeconds: meanX, meanDifferenceSeconds: meanY,
      // The mean of the best quarter of normally distributed values scatters with twice the variance that its own members show:
      // 0.51 σ²/n instead of 0.24 σ²/n. With one or two members only the scatter of all samples shows anything; and a few members
      // that agree by chance do not make the rest of the window right.
      varianceSecondsSquared: size >= 3
        ? max(2 * scatter / Double((size - 1) * size), 2 * variance / Double(count)) : variance / 2,
      spreadSeconds: residuals[order[edge]] - residuals[order[count - 1 - edge]],
      lengthSeconds: Double(newest &- points[first].raw) * 1e-9)
  }
}
