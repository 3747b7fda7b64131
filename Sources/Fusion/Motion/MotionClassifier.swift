package import Geodesy

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
