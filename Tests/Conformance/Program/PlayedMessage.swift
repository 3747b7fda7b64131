import Geodesy
import WireFormats

/// A message of a log in its place, with what of it is compared apart from its epoch.
struct PlayedMessage {
  /// A satellite as a list names it; one of several signals.
  struct Satellite: Hashable {
    let constellation: Int
    let number: Int
    let elevation: Int?
    let azimuth: Int?
    let signal: Int
    /// `nil`: this kind of list does not tell.
    let isUsed: Bool?
  }

  /// The sentence from `$` to its checksum; `nil`: no NMEA.
  let sentence: String?
  /// UTC milliseconds since midnight that it tells.
  var timeOfDay: Int?
  /// GPS milliseconds of the week that it tells.
  var timeOfWeek: Int?
  /// Dimensions by a GSA: 1 none, 2, 3.
  var dimensions: Int?
  /// A height is told.
  var tellsHeight = false
  /// The receiver says that it has no fix.
  var saysNoFix = false
  /// UBX: there is a solution, and the receiver does not stand by it (gnssFixOK is 0).
  var isDenied = false
  /// UBX: the position was given to the receiver, and it solves for time alone.
  var isTimeOnly = false
  /// The place that it tells, in degrees.
  var latitude: Double?
  var longitude: Double?
  /// The least step of the coordinates that it tells, in degrees.
  var coordinateStep: Double?
  /// The least step of the heights that it tells, in metres.
  var heightStep: Double?
  var satellites: [Satellite] = []
  /// A list of satellites whose number it does not know.
  var unnamedSatellites = 0
  /// It is a list of satellites, or a part of one.
  var isList = false
  /// NMEA: tells a list's sentences apart; it comes once a round.
  var listPart: String?
  /// How many satellites are used, by a GGA, GNS or NAV-PVT.
  var satellitesUsed: Int?
  /// The list ends with it.
  var endsList = false

  /// An NMEA sentence's talker and formatter.
  var address: Substring? { sentence?.dropFirst().prefix { $0 != "," } }
}
