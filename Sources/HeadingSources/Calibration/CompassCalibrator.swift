package import Geodesy

/// Calibrates one magnetometer while it is in use, and decides when its user should turn the device.
///
/// Readings in new directions are collected; a calibration follows as soon as they determine it, and improves with each further
/// direction. A failed fit never replaces a calibration.
package struct CompassCalibrator: Sendable {
  /// What follows from a reading.
  package enum Action: Hashable, Sendable {
    /// A new calibration; it is stored for the next start.
    case calibrated(MagnetometerCalibration)
    /// The device should be turned once around, level.
    case turnRequested
    /// A turn is not needed any more, or it was requested for long enough.
    case turnRequestEnded
    /// The field cannot be the Earth's: it is too strong or too weak.
    case interferenceBegan
    case interferenceEnded
  }

  /// Seconds that a condition must hold, and the bounds of accuracy and intensity.
  private enum Limit {
    static let solveInterval = Duration.seconds(1)
    static let beforeRequest = Duration.seconds(5)
    static let ofRequest = Duration.seconds(30)
    static let betweenRequests = Duration.seconds(600)
    static let beforeInterference = Duration.seconds(10)
    static let beforeRestart = Duration.seconds(60)
    /// Degrees (2 σ) above which a turn is requested, and below which the request ends.
    static let poorDegrees = 25.0
    static let goodDegrees = 10.0
    /// Relative deviation of the intensity above which a turn is requested.
    static let deviation = 0.15
    /// Intensities that the Earth's field can have, in units of the model's.
    static let earthly = 0.6...1.6
  }

  /// The calibration in use, and when it was determined.
  package private(set) var calibration: MagnetometerCalibration?
  /// Whether the field is not the Earth's.
  package private(set) var isDisturbed = false
  /// Whether a turn is requested at present.
  package private(set) var isTurnRequested = false

  private let noiseMicrotesla: Double
  private var calibratedAt: Instant?
  private var samples = SampleSet()
  private var solvedAt: Instant?
  private var hasNewDirection = false
  private var poor = Holding()
  private var disturbed = Holding()
  private var undisturbed = Holding()
  private var contradicted = Holding()
  private var requestedAt: Instant?

  /// A calibrator. `stored` is the calibration of an earlier run, `age` the time since then.
  package init(noiseMicrotesla: Double, stored: MagnetometerCalibration? = nil, age: Duration = .zero) {
    self.noiseMicrotesla = noiseMicrotesla
    calibration = stored?.aged(by: age)
  }

  /// Takes a reading at a place with this field.
  package mutating func handle(
    _ sample: MagnetometerSample, field: LocalMagneticField, at now: Instant
  ) -> [Action] {
    var actions: [Action] = []
    if samples.insert(sample, horizontalMicrotesla: field.horizontalMicrotesla) { hasNewDirection = true }
    if let solved = solve(field: field, at: now) { actions.append(.calibrated(solved)) }
    judge(sample, field: field, at: now, into: &actions)
    return actions
  }

  /// The user does not want to turn the device: ends the request, and the next one comes ten minutes later at the earliest.
  package mutating func dismiss() -> [Action] {
    guard isTurnRequested else { return [] }
    isTurnRequested = false
    return [.turnRequestEnded]
  }

  /// The heading of a reading with the present calibration; `nil` without one, or during interference.
  package func heading(of sample: MagnetometerSample) -> CompassHeading? {
    guard let calibration, !isDisturbed else { return nil }
    return CompassHeading(sample, calibration: calibration, noiseMicrotesla: noiseMicrotesla)
  }

  private mutating func solve(field: LocalMagneticField, at now: Instant) -> MagnetometerCalibration? {
    guard
      hasNewDirection, samples.count >= CalibrationSolver.minimumSamples,
      solvedAt.map({ now - $0 >= Limit.solveInterval }) ?? true
    else { return nil }
    solvedAt = now
    hasNewDirection = false
    let solver = CalibrationSolver(field: field, noiseMicrotesla: noiseMicrotesla)
    do throws(CalibrationSolver.Failure) {
      let solved = try solver.solve(samples.samples)
      contradicted.reset()
      guard isBetter(solved, at: now) else { return nil }
      (calibration, calibratedAt) = (solved, now)
      return solved
    } catch {
      // Readings from before and after a change of the device's own magnets contradict each other: start again.
      if case .readingsContradict = error, contradicted.holds(true, for: Limit.beforeRestart, at: now) {
        samples.removeAll()
        contradicted.reset()
      }
      return nil
    }
  }

  /// Whether a new calibration is more certain than the present one is by now.
  private func isBetter(_ solved: MagnetometerCalibration, at now: Instant) -> Bool {
    guard let calibration else { return true }
    let aged = calibratedAt.map { calibration.aged(by: now - $0) } ?? calibration
    return solved.offsetVariance < aged.offsetVariance
  }

  private mutating func judge(
    _ sample: MagnetometerSample, field: LocalMagneticField, at now: Instant, into actions: inout [Action]
  ) {
    let intensity = calibration.map { $0.corrected(sample.microtesla).length / field.microtesla }
    let isEarthly = intensity.map { Limit.earthly.contains($0) } ?? true
    if !isDisturbed, disturbed.holds(!isEarthly, for: Limit.beforeInterference, at: now) {
      isDisturbed = true
      actions.append(.interferenceBegan)
    } else if isDisturbed, undisturbed.holds(isEarthly, for: Limit.beforeInterference, at: now) {
      isDisturbed = false
      actions.append(.interferenceEnded)
    }
    let accuracy = heading(of: sample).map { 2 * $0.standardDeviationDegrees } ?? .infinity
    let isOff = intensity.map { ($0 - 1).magnitude > Limit.deviation } ?? true
    let isPoor = poor.holds(accuracy > Limit.poorDegrees || isOff, for: Limit.beforeRequest, at: now)
    if isTurnRequested {
      let isLong = requestedAt.map { now - $0 >= Limit.ofRequest } ?? true
      if isLong || (accuracy < Limit.goodDegrees && !isOff) {
        isTurnRequested = false
        actions.append(.turnRequestEnded)
      }
    } else if isPoor, requestedAt.map({ now - $0 >= Limit.betweenRequests }) ?? true {
      isTurnRequested = true
      requestedAt = now
      actions.append(.turnRequested)
    }
  }
}

/// Since when a condition has held without interruption.
private struct Holding {
  private var since: Instant?

  /// Whether `condition` holds now, and has held for `duration`.
  mutating func holds(_ condition: Bool, for duration: Duration, at now: Instant) -> Bool {
    guard condition else {
      since = nil
      return false
    }
    let start = since ?? now
    since = start
    return now - start >= duration
  }

  mutating func reset() { since = nil }
}
