import Geodesy
import LocationIPC

/// One thing of a trip after another.
enum TripStep {
  case leg(TripLeg)
  /// Stands, under that sky, until a time of day (UTC) of a day of the trip, which counts from 1.
  case stand(until: (day: Int, hour: Int, minute: Int), TripLeg.Sky)
  case event(TripEvent)
}

/// A part of the way at one course and one speed.
struct TripLeg {
  enum Sky {
    case open
    /// Between houses: positions wander by some metres.
    case street
    /// A tunnel, a garage.
    case none
  }

  var seconds: Int
  /// Degrees from north.
  var course: Double
  /// 0: it stands.
  var metersPerSecond: Double
  var sky = Sky.open
}

/// What happens at one moment.
enum TripEvent {
  /// A receiver gets power, and is there under this path.
  case plug(TripReceiver)
  case unplug
  /// It loses its power for a moment, but not its USB port: it begins cold.
  case brownOut
  /// Its firmware takes the GPS week number for one of the era before: 1024 weeks earlier.
  case loseEra
  /// Somebody, or something, sets the machine's clock so much ahead of the truth, or behind it.
  case setClock(yearsAhead: Int)
  /// The service is started, or started again after it was told to end.
  case startService
  case endService
  /// SIGKILL, or the power of the machine fails: nothing is written any more.
  case kill
  /// The machine starts anew, its monotonic clock from 0.
  case reboot
  case log(LogRequest)
  /// The app with the map comes to the foreground or goes.
  case foreground(Bool)
}
