import Foundation
import Geodesy

/// What gpsd reported of one epoch: the last of its TPV with that time, and the last list of satellites between.
struct ExpectedReport {
  /// A satellite of gpsd's SKY.
  struct Satellite: Hashable {
    let constellation: Int
    let number: Int
    let elevation: Double?
    let azimuth: Double?
    let signal: Double
    let isUsed: Bool
  }

  /// A SKY.
  struct Sky {
    /// `nil`: dilutions alone.
    var satellites: [Satellite]?
    /// uSat.
    var used: Int?
    /// How many of the log's messages gpsd had passed on.
    var position: Int
    /// gpsd had just passed on a sentence of the log.
    var followsSentence: Bool
    /// UTC milliseconds since midnight; some have it.
    var timeOfDay: Int?
  }

  /// 0 and 1: no fix; 2, 3: dimensions.
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
  /// Several reports make one epoch.
  var reports = 1

  var hasFix: Bool { mode >= 2 && latitude != nil && longitude != nil }
  var timeOfDay: Int? { time.map { (($0 % 86_400_000) + 86_400_000) % 86_400_000 } }
}
