import Geodesy
import LocationReplay

/// A receiver during the trip.
struct TripReceiver {
  var path: String
  var id: String
  var dialect: Dialect
  /// Whether it reports a date that is 1024 weeks too early.
  var hasLostEra = false

  /// The receiver of the trip, at this path.
  static func ublox(at path: String) -> TripReceiver {
    TripReceiver(path: path, id: "usb-1546-01a8", dialect: .ublox8)
  }

  /// An old receiver, which is borrowed for some days.
  static func old(at path: String) -> TripReceiver {
    TripReceiver(path: path, id: "usb-067b-2303", dialect: .nmea23)
  }

  /// The receiver's configuration for one leg, which begins `sincePower` after power-on.
  func configuration(
    _ leg: TripLeg, from place: SimulatedPosition, at time: GNSSTime, sincePower: Duration, seed: UInt64
  ) -> SimulatedReceiver.Configuration {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.startTime = time
    configuration.announcesSimulation = false
    let cold = ColdStart.cold
    configuration.coldStart = ColdStart(
      timeOfDay: max(.zero, cold.timeOfDay - sincePower), date: max(.zero, cold.date - sincePower),
      satellitesInView: max(.zero, cold.satellitesInView - sincePower), fix2D: max(.zero, cold.fix2D - sincePower),
      fix3D: max(.zero, cold.fix3D - sincePower))
    configuration.trajectory =
      leg.metersPerSecond > 0
      ? .line(from: place, course: Angle(degrees: leg.course), metersPerSecond: leg.metersPerSecond)
      : .stationary(at: place)
    configuration.noise.seed = seed
    switch leg.sky {
    case .open: break
    case .street:
      configuration.noise.horizontalMeters = 6
      configuration.noise.verticalMeters = 10
      configuration.noise.speedMetersPerSecond = 0.12
    case .none: configuration.faults = [.lossOfFix(.zero..<(.seconds(leg.seconds)))]
    }
    if hasLostEra { configuration.faults.append(.weekRollover) }
    return configuration
  }
}
