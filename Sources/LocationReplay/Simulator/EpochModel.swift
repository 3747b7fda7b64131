import Geodesy

/// Computes what a receiver with a configuration measures at its n-th epoch: trajectory, noise, cold start, and those
/// faults that falsify measurements.
struct EpochModel: Sendable {
  let configuration: SimulatedReceiver.Configuration
  private let noise: SeededNoise

  init(_ configuration: SimulatedReceiver.Configuration) {
    self.configuration = configuration
    self.noise = SeededNoise(seed: configuration.noise.seed)
  }

  /// The interval between epochs: whole milliseconds, as receivers count it.
  var period: Duration { .milliseconds(1000 / min(max(configuration.rateHertz, 1), 25)) }

  /// The n-th epoch's time since power-on.
  func elapsed(at index: Int) -> Duration { period * index }

  /// The n-th epoch.
  func epoch(_ index: Int) -> SimulatedEpoch {
    let elapsed = elapsed(at: index)
    let solution = solution(after: elapsed)
    // A fix without height uses few satellites, and therefore has larger errors.
    let weakness = solution == .twoDimensional ? 3.0 : 1.0
    let truth = truth(after: elapsed)
    let speedDeviation = configuration.noise.speedMetersPerSecond
    let north = gaussian(index, .velocityNorth) * speedDeviation
    let east = gaussian(index, .velocityEast) * speedDeviation

    let utc = configuration.startTime + elapsed
    let (leapError, knowsLeapSeconds) = leapSecondsState(after: elapsed)
    let rollover: Duration = configuration.faults.contains(.weekRollover) ? .seconds(1024 * 604_800) : .zero
    let sinceGPSEpoch = (utc - Self.gpsEpoch).wholeNanoseconds / 1_000_000 + Int64(configuration.leapSeconds) * 1000
    let inWeek = sinceGPSEpoch % Self.millisecondsPerWeek
    let timeOfWeek = inWeek < 0 ? inWeek + Self.millisecondsPerWeek : inWeek
    let knowsTime = elapsed >= configuration.coldStart.timeOfDay
    let seesSatellites = elapsed >= configuration.coldStart.satellitesInView && !isLost(after: elapsed)

    return SimulatedEpoch(
      index: index,
      time: knowsTime ? utc + .seconds(leapError) + (.zero - rollover) : nil,
      knowsDate: elapsed >= configuration.coldStart.date,
      knowsLeapSeconds: knowsLeapSeconds,
      leapSeconds: configuration.leapSeconds - leapError,
      // Before a receiver knows the time, it counts from its start.
      timeOfWeekMilliseconds: UInt32(
        clamping: knowsTime ? timeOfWeek : elapsed.wholeNanoseconds / 1_000_000 % Self.millisecondsPerWeek),
      week: Int16(clamping: (sinceGPSEpoch - timeOfWeek) / Self.millisecondsPerWeek - (rollover > .zero ? 1024 : 0)),
      solution: solution,
      position: position(at: positionIndex(at: index), weakness: weakness),
      geoidSeparation: truth.geoidSeparation,
      velocityNorth: truth.velocityNorth + north,
      velocityEast: truth.velocityEast + east,
      velocityDown: gaussian(index, .velocityDown) * speedDeviation,
      course: course(truth, north: north, east: east),
      horizontalDeviation: configuration.noise.horizontalMeters * weakness / overconfidence,
      verticalDeviation: configuration.noise.verticalMeters * weakness,
      speedDeviation: speedDeviation,
      satellites: seesSatellites
        ? SimulatedSky.satellites(of: configuration.dialect, kind: solution, noise: noise, epoch: index) : [],
      announcesSimulation: configuration.announcesSimulation)
  }

  /// The bytes of noise that precede an epoch.
  func garbage(before index: Int) -> [UInt8] {
    var count = 0
    for case .garbage(let interval, let bytes) in configuration.faults where interval.contains(elapsed(at: index)) {
      count += min(max(bytes, 0), 4096)
    }
    return (0..<count).map { UInt8(truncatingIfNeeded: noise.bits(epoch: index, .garbage, index: $0)) }
  }

  /// The factor by which the horizontal errors exceed the reported accuracy.
  private var overconfidence: Double {
    for case .overconfidence(let factor) in configuration.faults where factor > 0 { return factor }
    return 1
  }

  /// Whether nothing is sent this long after power-on.
  func isStalled(after elapsed: Duration) -> Bool {
    configuration.faults.contains {
      if case .stall(let interval) = $0 { interval.contains(elapsed) } else { false }
    }
  }

  // 1980-01-06T00:00:00 UTC (IS-GPS-200 §3.3.4).
  private static let gpsEpoch = GNSSTime(nanosecondsSince1970: 315_964_800_000_000_000)
  private static let millisecondsPerWeek: Int64 = 604_800_000

  private func truth(after elapsed: Duration) -> SimulatedTruth {
    configuration.trajectory.truth(after: elapsed, geoidSeparation: configuration.geoidSeparation)
  }

  private func gaussian(_ index: Int, _ channel: SeededNoise.Channel) -> Double {
    noise.gaussian(epoch: index, channel)
  }

  private func solution(after elapsed: Duration) -> SimulatedEpoch.Solution {
    if isLost(after: elapsed) { return .none }
    if elapsed >= configuration.coldStart.fix3D { return .threeDimensional }
    return elapsed >= configuration.coldStart.fix2D ? .twoDimensional : .none
  }

  private func isLost(after elapsed: Duration) -> Bool {
    configuration.faults.contains {
      if case .lossOfFix(let interval) = $0 { interval.contains(elapsed) } else { false }
    }
  }

  private func leapSecondsState(after elapsed: Duration) -> (error: Int, isKnown: Bool) {
    for case .wrongLeapSeconds(let interval, let error) in configuration.faults where interval.contains(elapsed) {
      return (min(max(error, -60), 60), false)
    }
    return (0, true)
  }

  /// The epoch whose position is reported: during a freeze, that of its beginning.
  private func positionIndex(at index: Int) -> Int {
    for case .frozenPosition(let interval) in configuration.faults where interval.contains(elapsed(at: index)) {
      let first = (interval.lowerBound.wholeNanoseconds + period.wholeNanoseconds - 1) / period.wholeNanoseconds
      return Int(max(0, first))
    }
    return index
  }

  private func position(at index: Int, weakness: Double) -> SimulatedPosition {
    let horizontal = configuration.noise.horizontalMeters * weakness
    var position = truth(after: elapsed(at: index)).position
      .moved(north: gaussian(index, .north) * horizontal, east: gaussian(index, .east) * horizontal)
    position.heightAboveEllipsoid =
      position.heightAboveEllipsoid
      + Meters(gaussian(index, .height) * configuration.noise.verticalMeters * weakness)
    return position
  }

  /// The true course with the error that the velocity's error causes, for errors that are small compared to the speed.
  private func course(_ truth: SimulatedTruth, north: Double, east: Double) -> Angle? {
    guard let course = truth.course, truth.speedMetersPerSecond > 0 else { return nil }
    let (sine, cosine) = (Math.sin(course.radians), Math.cos(course.radians))
    let turn = Angle(radians: (east * cosine - north * sine) / truth.speedMetersPerSecond).degrees
    let turned = (course.degrees + turn).truncatingRemainder(dividingBy: 360)
    return Angle(degrees: turned < 0 ? turned + 360 : turned)
  }
}

/// The times after power-on at which a receiver acquires each kind of data.
package struct ColdStart: Hashable, Sendable {
  /// Until it reports a time of day.
  package var timeOfDay: Duration
  /// Until it also reports a date.
  package var date: Duration
  /// Until it receives satellites.
  package var satellitesInView: Duration
  /// Until it has a fix without height.
  package var fix2D: Duration
  /// Until it has a fix with height.
  package var fix3D: Duration

  package init(
    timeOfDay: Duration, date: Duration, satellitesInView: Duration, fix2D: Duration, fix3D: Duration
  ) {
    self.timeOfDay = timeOfDay
    self.date = date
    self.satellitesInView = satellitesInView
    self.fix2D = fix2D
    self.fix3D = fix3D
  }

  /// Everything is known immediately.
  package static let hot = ColdStart(
    timeOfDay: .zero, date: .zero, satellitesInView: .zero, fix2D: .zero, fix3D: .zero)

  /// The usual order under a good sky: ephemerides take 18–36 s (u-blox integration manuals).
  package static let cold = ColdStart(
    timeOfDay: .seconds(4), date: .seconds(8), satellitesInView: .seconds(3), fix2D: .seconds(26), fix3D: .seconds(30))
}
