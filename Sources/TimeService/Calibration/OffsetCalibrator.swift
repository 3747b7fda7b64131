package import Geodesy

/// What a receiver's delay is measured against.
package enum CalibrationReference: Hashable, Sendable {
  /// A pulse of the same receiver: the second minus the system's clock, seconds.
  case pulse(offsetSeconds: Double)
  /// The system's clock, whose offset counts as zero.
  case systemClock

  /// The reference that may be used now; `nil`: there is none.
  ///
  /// - Parameters:
  ///   - pulseOffsetSeconds: from a pulse of the same receiver, of this second.
  ///   - clockError: the maximum error of the system's clock (`adjtimex`); `nil`: it is not synchronized.
  ///   - lastSampleSentAt: when a sample of this service was last sent to any clock daemon. A clock that our own samples
  ///     discipline would be measured against itself.
  package static func choose(
    pulseOffsetSeconds: Double?, clockError: Duration?, lastSampleSentAt: Instant?, at now: Instant
  ) -> CalibrationReference? {
    if let pulseOffsetSeconds { return .pulse(offsetSeconds: pulseOffsetSeconds) }
    guard let clockError, clockError < largestClockError else { return nil }
    if let lastSampleSentAt, now - lastSampleSentAt < timeWithoutSamples { return nil }
    return .systemClock
  }

  /// A clock with a larger maximum error is not usable as a reference.
  package static let largestClockError: Duration = .milliseconds(20)
  /// The system's clock is a reference only after this long without samples of this service.
  package static let timeWithoutSamples: Duration = .seconds(600)

  fileprivate var basis: ReceiverDelay.Basis {
    switch self {
    case .pulse: .pulse
    case .systemClock: .systemClock
    }
  }
}

/// Measures a receiver's delay: the median over at least five minutes of the difference between its offset and the reference's.
package struct OffsetCalibrator: Sendable {
  /// The shortest measurement.
  package static let shortestTime: Duration = .seconds(300)
  /// The smallest number of offsets in it.
  package static let fewestOffsets = 200
  /// After an interruption longer than this, the measurement begins again.
  package static let longestInterruption: Duration = .seconds(30)
  /// The window: the newest offsets, one per second.
  private static let capacity = 900

  private var delays: [Double] = []
  private var next = 0
  private var basis: ReceiverDelay.Basis?
  private var beganAt: Instant?
  private var lastAt: Instant?

  package init() {}

  /// Handles the offset of one second, as `OffsetFilter` returns it. Returns the delay as soon as the measurement is
  /// long enough, and then an improved one with every tenth offset.
  package mutating func handle(
    offset: FilteredOffset, reference: CalibrationReference?, at now: Instant
  ) -> ReceiverDelay? {
    guard let reference else { return nil }
    if basis != reference.basis || lastAt.map({ now - $0 > Self.longestInterruption }) ?? true {
      restart(reference.basis, at: now)
    }
    lastAt = now
    switch reference {
    case .pulse(let seconds): add(seconds - offset.offsetSeconds)
    case .systemClock: add(-offset.offsetSeconds)
    }
    guard let beganAt, now - beganAt >= Self.shortestTime, delays.count >= Self.fewestOffsets else { return nil }
    // Once in ten seconds is enough: the median of minutes does not change faster, and sorting costs time.
    guard delays.count == Self.fewestOffsets || next % 10 == 0 else { return nil }
    return median(measuredAt: offset.reading.system)
  }

  /// How much of the shortest measurement is done, 0…1.
  package func progress(at now: Instant) -> Double {
    guard let beganAt else { return 0 }
    return min(
      (now - beganAt).inSeconds / Self.shortestTime.inSeconds, Double(delays.count) / Double(Self.fewestOffsets), 1)
  }

  /// Forgets the measurement: the receiver or its key has changed.
  package mutating func reset() {
    delays.removeAll(keepingCapacity: true)
    next = 0
    basis = nil
    beganAt = nil
    lastAt = nil
  }

  private mutating func restart(_ basis: ReceiverDelay.Basis, at now: Instant) {
    reset()
    delays.reserveCapacity(Self.capacity)
    self.basis = basis
    beganAt = now
  }

  private mutating func add(_ delay: Double) {
    if delays.count < Self.capacity { delays.append(delay) } else { delays[next] = delay }
    next = (next + 1) % Self.capacity
  }

  private func median(measuredAt time: GNSSTime) -> ReceiverDelay? {
    guard let basis else { return nil }
    let sorted = delays.sorted()
    let median = Self.middle(sorted)
    let deviations = sorted.map { abs($0 - median) }.sorted()
    // The median's own error is much smaller; the scatter shows how constant the delay is. 1 ms is what a delay changes by from day to
    // day.
    return ReceiverDelay(
      seconds: median, uncertaintySeconds: max(0.001, 1.4826 * Self.middle(deviations)), basis: basis, measuredAt: time)
  }

  private static func middle(_ sorted: [Double]) -> Double {
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }
}
