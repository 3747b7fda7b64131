package import Geodesy

/// The kind of motion.
package enum Motion: UInt8, Hashable, Sendable, CaseIterable {
  case stationary, walking, running, cycling, driving

  /// Whether a course can be known: there is none at standstill.
  package var hasCourse: Bool { self != .stationary }
}

/// Classifies the motion from the estimate alone: standing, on foot, running, on a bicycle, in a vehicle.
package struct MotionClassifier: Sendable {
  /// The current motion; `nil` before it is known.
  package private(set) var motion: Motion?

  private var memory = SpeedMemory()
  /// The latest motion other than standing still.
  private var moving: Motion?
  private var lastAt: Instant?
  /// When the speed became slow.
  private var slowSince: Instant?
  /// Consecutive fast fixes.
  private var fast = 0
  /// A different motion that the speed indicates, and since when.
  private var candidate: (motion: Motion, since: Instant)?

  /// A classifier without any input yet.
  package init() {}

  /// Handles the next estimate and returns the motion. A fix that has no speed, or is suspect, changes nothing.
  @discardableResult package mutating func handle(_ fix: PositionFix, at now: Instant) -> Motion? {
    guard fix.qualityFlag == nil, let speed = fix.speedMetersPerSecond, speed >= 0, speed < .infinity else {
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

  /// Sets the motion from the recent speeds.
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

  /// The motion at this speed. Hysteresis moves the thresholds away from the current motion.
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

/// Thresholds of `MotionClassifier`, and of all code that detects standstill.
///
/// On GeoLife's labeled trips the 85th percentile of the speed alone separates walking, cycling and vehicles correctly for
/// 0.784 of the time, a forest of 21 features for 0.80 in windows of a minute (users held out). Therefore the classifier uses
/// that percentile over about a minute, with hysteresis in place of features. GeoLife has no runners: the speed at which people
/// start to run is known from treadmills.
package enum MotionTuning {
  /// Below this speed, m/s, the receiver stands still if its speed is accurate (research: drifting cold receivers
  /// report up to 0.5).
  package static let slowSpeed = 0.5
  /// An uncertain speed is slow up to twice its 68 % half-width, but never above this, m/s: a walker does not stand.
  static let greatestSlowSpeed = 1.0
  /// A slow speed for this long is a standstill, seconds: the shortest stop at a crossing that is not a stumble.
  static let standstill = 5.0
  /// Consecutive fast fixes that end a standstill: one alone is noise.
  static let departingFixes = 2

  /// People change to running at this speed, m/s (Hreljac, Medicine & Science in Sports & Exercise 25, 1993: 2.0 to 2.1).
  static let runningSpeed = 2.1
  /// Faster than most run for a minute, slower than most ride, m/s: 14.4 km/h.
  static let cyclingSpeed = 4.0
  /// Faster than most ride, slower than traffic flows, m/s: 29 km/h.
  static let drivingSpeed = 8.0
  /// The speed must exceed a threshold by this share of it to cross it: hysteresis.
  static let margin = 0.1
  /// A car in a jam is slower than a bicycle. After driving, the motion is walking, running or cycling only after this long
  /// below `drivingSpeed`, seconds.
  static let jam = 120.0
  /// Any other change must last this long, seconds.
  static let change = 10.0

  /// The percentile of the speed that is used.
  static let percentile = 0.85
  /// Time constant with which older speeds lose weight, seconds: about a minute's worth.
  static let memory = 30.0
  /// Seconds in motion before the first result.
  static let least = 5.0
  /// Longest counted step of time, seconds: a speed does not describe a gap.
  static let longestStep = 5.0
}

/// The recent distribution of speeds in motion: seconds spent in each half meter per second, older ones with less weight.
struct SpeedMemory {
  /// Width of a bin, m/s.
  private static let width = 0.5
  private static let count = 32
  /// The last bin contains all higher speeds: 15.5 m/s and up.
  private var seconds = InlineArray<32, Double>(repeating: 0)
  /// Sum of all seconds.
  private(set) var total = 0.0

  /// Adds a speed that lasted for `dt` seconds; older speeds fade with the time constant `memory`.
  mutating func add(_ speed: Double, for dt: Double, memory: Double) {
    let kept = memory / (memory + dt)
    for bin in 0..<Self.count { seconds[bin] *= kept }
    seconds[min(Self.count - 1, Int(speed / Self.width))] += dt
    total = total * kept + dt
  }

  /// The speed that is not exceeded in this share of the time, m/s, linearly interpolated within bins; 0 if nothing is known.
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
  /// Whether the fix's speed is that of a standstill; `nil`: the fix has none.
  package var isSlow: Bool? {
    guard let speed = speedMetersPerSecond else { return nil }
    let noise = 2 * (speedRadius68MetersPerSecond ?? 0)
    return speed < min(max(MotionTuning.slowSpeed, noise), MotionTuning.greatestSlowSpeed)
  }
}
