import Geodesy
import LocationIPC

/// One step of a trip.
enum TripStep {
  case leg(TripLeg)
  /// Stands, under this sky, until a time of day (UTC) on a day of the trip, counted from 1.
  case stand(until: (day: Int, hour: Int, minute: Int), TripLeg.Sky)
  case event(TripEvent)
}

/// A part of the route with one course and one speed.
struct TripLeg {
  enum Sky {
    case open
    /// Between houses: positions wander by some meters.
    case street
    /// A tunnel or a garage.
    case none
  }

  var seconds: Int
  /// In degrees from north.
  var course: Double
  /// 0: the car stands.
  var metersPerSecond: Double
  var sky = Sky.open
}

/// An event at one moment.
enum TripEvent {
  /// A receiver gets power, and appears under this path.
  case plug(TripReceiver)
  case unplug
  /// The receiver loses its power for a moment, but not its USB port: it starts cold.
  case brownOut
  /// The receiver's firmware takes the GPS week number for one of the previous era: 1024 weeks earlier.
  case loseEra
  /// The machine's clock is set this far ahead of the truth, or behind it.
  case setClock(yearsAhead: Int)
  /// The service is started, or restarted after it was ended.
  case startService
  case endService
  /// SIGKILL or a power failure of the machine: nothing is written any more.
  case kill
  /// The machine reboots, and its monotonic clock starts at 0.
  case reboot
  case log(LogRequest)
  /// The app with the map comes to the foreground or leaves it.
  case foreground(Bool)
}
