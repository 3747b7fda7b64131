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
  /// The least step of the coordinates that it tells, in degrees.
  var coordinateStep: Double?
  /// The least step of the heights that it tells, in metres.
  var heightStep: Double?
  var satellites: [Satellite] = []
  /// A list of satellites whose number it does not know.
  var unnamedSatellites = 0
  /// It is a list of satellites, or a part of one.
  var isList = false
  /// The list ends with it.
  var endsList = false
}
