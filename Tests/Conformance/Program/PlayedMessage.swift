import Geodesy
import WireFormats

/// A message of a log with its place, and with those of its contents that are compared separately from its epoch.
struct PlayedMessage {
  /// A satellite in a list; possibly one of several signals of the same satellite.
  struct Satellite: Hashable {
    let constellation: Int
    let number: Int
    let elevation: Int?
    let azimuth: Int?
    let signal: Int
    /// `nil`: this kind of list does not contain it.
    let isUsed: Bool?
  }

  /// The sentence from `$` to its checksum; `nil`: not NMEA.
  let sentence: String?
  /// The UTC milliseconds since midnight in the message.
  var timeOfDay: Int?
  /// The GPS milliseconds of the week in the message.
  var timeOfWeek: Int?
  /// The dimensions in a GSA: 1 none, 2, 3.
  var dimensions: Int?
  /// The message contains a height.
  var tellsHeight = false
  /// The receiver reports that it has no fix.
  var saysNoFix = false
  /// UBX: there is a solution, and the receiver marks it as invalid (gnssFixOK is 0).
  var isDenied = false
  /// UBX: the position was configured in the receiver, and it only solves for time.
  var isTimeOnly = false
  /// The latitude in the message, in degrees.
  var latitude: Double?
  var longitude: Double?
  /// The smallest step of the message's coordinates, in degrees.
  var coordinateStep: Double?
  /// The smallest step of the message's heights, in meters.
  var heightStep: Double?
  var satellites: [Satellite] = []
  /// The number of listed satellites whose number the message does not contain.
  var unnamedSatellites = 0
  /// The message is a list of satellites, or part of one.
  var isList = false
  /// NMEA: distinguishes the sentences of a list; each value comes once per round.
  var listPart: String?
  /// The number of used satellites in a GGA, GNS or NAV-PVT.
  var satellitesUsed: Int?
  /// The list ends with this message.
  var endsList = false

  /// The talker and formatter of an NMEA sentence.
  var address: Substring? { sentence?.dropFirst().prefix { $0 != "," } }
}
