package import Geodesy

/// A simulated receiver on a route, in virtual time: its output epoch by epoch, and its true position.
package struct RouteSimulation: Sendable {
  /// One epoch.
  package struct Epoch: Sendable {
    /// The time of the epoch.
    package let time: GNSSTime
    /// The time since the first epoch.
    package let elapsed: Duration
    /// The output of the epoch.
    package let bytes: [UInt8]
    /// The true position.
    package let truth: SimulatedPosition
  }

  private let route: SimulatedRoute
  private let conditions: RouteConditions
  private let model: EpochModel
  private let speech: EpochOutput
  private let outputs: [UInt8]
  private let noise: SeededNoise
  private var errors: RouteErrors
  private var index = 0
  private var latest: Int?

  /// The time of the first epoch.
  package var start: GNSSTime { model.configuration.startTime }

  /// A receiver of a dialect that measures `rateHertz` (1…25) times a second.
  package init(
    _ route: SimulatedRoute, dialect: Dialect, rateHertz: Int, conditions: RouteConditions = RouteConditions()
  ) {
    self.route = route
    self.conditions = conditions
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.rateHertz = rateHertz
    configuration.noise = .none
    configuration.noise.seed = conditions.seed
    // Receivers measure at whole multiples of their period.
    let period = EpochModel(configuration).period.wholeNanoseconds
    let first = route.range.lowerBound.nanosecondsSince1970
    let rest = ((first % period) + period) % period
    configuration.startTime = GNSSTime(nanosecondsSince1970: rest == 0 ? first : first + (period - rest))
    model = EpochModel(configuration)
    speech = EpochOutput(configuration: configuration)
    outputs = EpochOutput.usualOutputs(configuration)
    noise = SeededNoise(seed: conditions.seed)
    errors = RouteErrors(seed: conditions.seed)
  }

  /// The next epoch; `nil` at the route's end. While the position on the route is unknown, the receiver is switched
  /// off: there are no epochs.
  package mutating func next() -> Epoch? {
    while true {
      let elapsed = model.elapsed(at: index)
      let time = start + elapsed
      if let truth = route.truth(at: time) {
        defer {
          latest = index
          index += 1
        }
        let epoch = epoch(truth, after: elapsed)
        return Epoch(
          time: time, elapsed: elapsed, bytes: speech.messages(of: epoch, outputs: outputs).flatMap(\.self),
          truth: truth.position)
      }
      guard let next = route.nextStart(after: time) else { return nil }
      let (period, ahead) = (model.period.wholeNanoseconds, (next - start).wholeNanoseconds)
      index = max(index + 1, Int((ahead + period - 1) / period))
    }
  }

  private mutating func epoch(_ truth: SimulatedTruth, after elapsed: Duration) -> SimulatedEpoch {
    let sky = conditions.sky(after: elapsed)
    let isCanyon = sky == .canyon
    let multipath =
      isCanyon ? max(conditions.multipathMeters, RouteConditions.canyonMultipathMeters) : conditions.multipathMeters
    let errors = errors.next(
      epoch: index, after: latest.map { model.period * (index - $0) } ?? .zero, noiseMeters: conditions.noiseMeters,
      multipathMeters: multipath)
    var epoch = model.epoch(index)
    epoch.position = truth.position.moved(north: errors.north, east: errors.east)
    epoch.position.heightAboveEllipsoid = epoch.position.heightAboveEllipsoid + Meters(errors.height)
    epoch.geoidSeparation = truth.geoidSeparation
    epoch.horizontalDeviation = errors.horizontalDeviation
    epoch.verticalDeviation = errors.verticalDeviation
    move(&epoch, truth, deviation: isCanyon ? Self.speedDeviation * 3 : Self.speedDeviation)
    switch sky {
    case .open: break
    case .canyon: dim(&epoch)
    case .returning:
      epoch.solution = .none
      for satellite in epoch.satellites.indices { epoch.satellites[satellite].isUsed = false }
    case .none:
      epoch.solution = .none
      epoch.satellites = []
    }
    return epoch
  }

  /// Standard deviation of each component of the velocity, meters per second (u-blox M8 and M10 data sheets: 0.05).
  private static let speedDeviation = 0.05
  /// Below this speed, meters per second, a receiver reports no course.
  private static let slowest = 0.3
  /// Satellites lower than this, in degrees, are behind buildings.
  private static let roofs: Int8 = 40
  /// The signal loss of reflections, dBHz.
  private static let reflectionLoss: UInt8 = 12

  private func move(_ epoch: inout SimulatedEpoch, _ truth: SimulatedTruth, deviation: Double) {
    func fresh(_ channel: SeededNoise.Channel) -> Double { noise.gaussian(epoch: index, channel) * deviation }
    epoch.velocityNorth = truth.velocityNorth + fresh(.velocityNorth)
    epoch.velocityEast = truth.velocityEast + fresh(.velocityEast)
    epoch.velocityDown = fresh(.velocityDown)
    epoch.speedDeviation = deviation
    guard epoch.speedMetersPerSecond >= Self.slowest else {
      epoch.course = nil
      return
    }
    let degrees = Angle(radians: Math.atan2(epoch.velocityEast, epoch.velocityNorth)).degrees
    epoch.course = Angle(degrees: degrees < 0 ? degrees + 360 : degrees)
  }

  /// In a street canyon, reflections of the low satellites are received, but not used.
  private func dim(_ epoch: inout SimulatedEpoch) {
    for index in epoch.satellites.indices where epoch.satellites[index].elevation < Self.roofs {
      epoch.satellites[index].isUsed = false
      epoch.satellites[index].signal -= min(epoch.satellites[index].signal, Self.reflectionLoss)
    }
    epoch.dilutionFactor = 2
  }
}
