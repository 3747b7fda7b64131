package import Geodesy

/// How it moves.
package enum Motion: UInt8, Hashable, Sendable, CaseIterable {
  case stationary, walking, running, cycling, driving

  /// Whether a course can be known: what stands still has none.
  package var hasCourse: Bool { self != .stationary }
}

/// Tells from the estimate alone how it moves: standing, on foot, running, on a bicycle, in a vehicle.
package struct MotionClassifier: Sendable {
  /// How it moves; `nil` before that is known.
  package private(set) var motion: Motion?

  private var memory = SpeedMemory()
  /// How it moved before it stood.
  private var moving: Motion?
  private var lastAt: Instant?
  /// Since when it has been slow.
  private var slowSince: Instant?
  /// Fast fixes in a row.
  private var fast = 0
  /// What it seems to be instead, and since when.
  private var candidate: (motion: Motion, since: Instant)?

  /// A classifier that has seen nothing.
  package init() {}

  /// Takes the next estimate and says how it moves. What tells no speed, or is suspect, changes nothing.
  @discardableResult package mutating func handle(_ fix: PositionFix, at now: Instant) -> Motion? {
    guard fix.suspicion == nil, let speed = fix.speedMetersPerSecond, speed >= 0, speed < .infinity else {
      return motion
    }
    if let lastAt, now <= lastAt { return motion }
    let dt = min(MotionTuning.longestStep, lastAt.map { (now - $0).inSeconds } ?? 1)
    lastAt = now
    guard fix.isSlow == false else {
      fast = 0
      let since = slowSince ?? now
      slowSince = since
      if (now - since).inSeconds >= MotionTuning.standstill { stand() }
      return motion
    }
    fast += 1
    memory.add(speed, for: dt, memory: MotionTuning.memory)
    guard motion != .stationary || fast >= MotionTuning.departingFixes else { return motion }
    slowSince = nil
    if memory.total >= MotionTuning.least { move(at: now) }
    return motion
  }

  private mutating func stand() {
    motion = .stationary
    candidate = nil
  }

  /// Names the motion by the speeds of late.
  private mutating func move(at now: Instant) {
    let speed = memory.percentile(MotionTuning.percentile)
    guard let before = moving else {
      moving = Self.motion(at: speed, from: nil)
      motion = moving
      return
    }
    let seems = Self.motion(at: speed, from: before)
    guard seems != before else {
      candidate = nil
      motion = before
      return
    }
    let since = candidate?.motion == seems ? candidate?.since ?? now : now
    candidate = (seems, since)
    let patience = before == .driving ? MotionTuning.jam : MotionTuning.change
    if (now - since).inSeconds >= patience {
      moving = seems
      candidate = nil
    }
    motion = moving
  }

  /// What moves at this speed, by thresholds that are further away from what it is.
  private static func motion(at speed: Double, from before: Motion?) -> Motion {
    func isAbove(_ threshold: Double, _ motion: Motion) -> Bool {
      guard let before else { return speed >= threshold }
      let isAlready = before.rawValue >= motion.rawValue
      return speed >= threshold * (isAlready ? 1 - MotionTuning.margin : 1 + MotionTuning.margin)
    }
    if isAbove(MotionTuning.drivingSpeed, .driving) { return .driving }
    if isAbove(MotionTuning.cyclingSpeed, .cycling) { return .cycling }
    return isAbove(MotionTuning.runningSpeed, .running) ? .running : .walking
  }
}

/// Thresholds of `MotionClassifier`, and of whatever has to know what stands still.
///
/// On GeoLife's labelled trips the 85th percentile of the speed alone tells walking, cycling and vehicles apart as well as
/// 0.784 of the time, a forest of 21 features 0.80 in windows of a minute (users held out); so that percentile of about a
/// minute it is, with hysteresis in place of features. GeoLife has no runners: where they begin is known from treadmills.
package enum MotionTuning {
  /// Slower is standing still, m/s, where the receiver knows its speed well (research: drifting cold receivers tell up to 0.5).
  package static let slowSpeed = 0.5
  /// An uncertain speed is slow up to twice its 68 % half-width, but never above this, m/s: a walker does not stand.
  static let greatestSlowSpeed = 1.0
  /// What is slow for so long stands still, seconds: the shortest stop at a crossing that is no stumble.
  static let standstill = 5.0
  /// What stands has to be fast for so many fixes in a row to go: one alone is noise.
  static let departingFixes = 2

  /// People go over to running at this speed, m/s (Hreljac, Medicine & Science in Sports & Exercise 25, 1993: 2.0 to 2.1).
  static let runningSpeed = 2.1
  /// Faster than most run for a minute, slower than most ride, m/s: 14.4 km/h.
  static let cyclingSpeed = 4.0
  /// Faster than most ride, slower than traffic flows, m/s: 29 km/h.
  static let drivingSpeed = 8.0
  /// So far beyond a threshold the speed has to be to change over it: hysteresis, share of the threshold.
  static let margin = 0.1
  /// A car in a jam is slower than a bicycle. What has driven is on foot or on a bicycle after so long below
  /// `drivingSpeed`, seconds.
  static let jam = 120.0
  /// Any other change has to last, seconds.
  static let change = 10.0

  /// The percentile that counts.
  static let percentile = 0.85
  /// Older speeds count less, with this time constant, seconds: about a minute's worth.
  static let memory = 30.0
  /// So many seconds in motion tell the first answer.
  static let least = 5.0
  /// No step of time counts more, seconds: a speed says nothing of a gap.
  static let longestStep = 5.0
}

/// How fast it has been of late while it moved: seconds spent in each half metre per second, older ones less.
struct SpeedMemory {
  /// Width of a bin, m/s.
  private static let width = 0.5
  private static let count = 32
  /// The last bin holds all that is faster: 15.5 m/s and up.
  private var seconds = InlineArray<32, Double>(repeating: 0)
  /// All seconds together.
  private(set) var total = 0.0

  /// Adds a speed that lasted for `dt` seconds; what is older fades with `memory`.
  mutating func add(_ speed: Double, for dt: Double, memory: Double) {
    let kept = memory / (memory + dt)
    for bin in 0..<Self.count { seconds[bin] *= kept }
    seconds[min(Self.count - 1, Int(speed / Self.width))] += dt
    total = total * kept + dt
  }

  /// The speed that is not exceeded in this share of the time, m/s, by straight lines within bins; 0 where nothing is known.
  func percentile(_ share: Double) -> Double {
    guard total > 0 else { return 0 }
    let seconds = seconds.span
    var left = share * total
    for bin in 0..<Self.count {
      if left <= seconds[bin] { return (Double(bin) + left / max(seconds[bin], .leastNormalMagnitude)) * Self.width }
      left -= seconds[bin]
    }
    return Double(Self.count) * Self.width
  }
}

extension PositionFix {
  /// Whether the speed that it tells is that of something that stands still; `nil`: it tells none.
  package var isSlow: Bool? {
    guard let speed = speedMetersPerSecond else { return nil }
    let noise = 2 * (speedRadius68MetersPerSecond ?? 0)
    return speed < min(max(MotionTuning.slowSpeed, noise), MotionTuning.greatestSlowSpeed)
  }
}
