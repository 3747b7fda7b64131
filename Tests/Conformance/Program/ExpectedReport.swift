import Foundation
import Geodesy

/// gpsd's report of one epoch: the last of its TPV with that time, and the last list of satellites before the next epoch.
struct ExpectedReport {
  /// A satellite in gpsd's SKY.
  struct Satellite: Hashable {
    let constellation: Int
    let number: Int
    let elevation: Double?
    let azimuth: Double?
    let signal: Double
    let isUsed: Bool
  }

  /// gpsd's SKY.
  struct Sky {
    /// `nil`: the SKY contains only dilutions.
    var satellites: [Satellite]?
    /// uSat.
    var used: Int?
    /// How many of the log's messages gpsd had passed on by then.
    var position: Int
    /// gpsd had just passed on a sentence of the log.
    var followsSentence: Bool
    /// UTC milliseconds since midnight, if the SKY has a time.
    var timeOfDay: Int?
  }

  /// 0 and 1: no fix; 2 and 3: the number of dimensions.
  var mode: Int
  /// Milliseconds since 1970, UTC.
  var time: Int?
  var latitude: Double?
  var longitude: Double?
  var heightAboveEllipsoid: Double?
  var heightAboveMeanSeaLevel: Double?
  /// How many of the log's messages gpsd had passed on when it first and last reported.
  var firstPosition: Int
  var lastPosition: Int
  /// The number of reports that make up the epoch.
  var reports = 1

  var hasFix: Bool { mode >= 2 && latitude != nil && longitude != nil }
  var timeOfDay: Int? { time.map { (($0 % 86_400_000) + 86_400_000) % 86_400_000 } }
}
