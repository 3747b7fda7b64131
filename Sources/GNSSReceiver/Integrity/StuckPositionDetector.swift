package import Geodesy

/// Recognizes a position that does not change by a single bit while the receiver itself reports motion.
///
/// SiRF's static navigation and hung receivers do that (gpsd FAQ). A constant position with zero speed is not frozen: a parked
/// car looks like that.
package struct StuckPositionDetector: Sendable {
  private var latitudeNanodegrees: Int64 = .min
  private var longitudeNanodegrees: Int64 = .min
  private var identicalMovingEpochs = 0
  private var last: GNSSTime?
  /// Distance in meters, by the receiver's speed, since the position last changed.
  private var traveled = 0.0

  /// A detector that has received nothing yet.
  package init() {}

  /// Epochs with motion, since the position last changed, after which the position is suspect.
  package static let epochsToSuspect = 5
  /// Distance that must be traveled meanwhile: several steps of the coarsest position resolution, 1.85 m (`ddmm.mmm`).
  package static let travelToSuspectMeters = 5.0
  /// Below this speed a receiver's noise looks like motion.
  package static let slowestMotionMetersPerSecond = 1.0

  /// Handles the next epoch's position as received; `true`: frozen.
  package mutating func isFrozen(
    latitudeNanodegrees latitude: Int64, longitudeNanodegrees longitude: Int64, at time: GNSSTime,
    speedMetersPerSecond: Double?
  ) -> Bool {
    let isSame = latitude == latitudeNanodegrees && longitude == longitudeNanodegrees
    latitudeNanodegrees = latitude
    longitudeNanodegrees = longitude
    let before = last
    last = time
    guard isSame else {
      identicalMovingEpochs = 0
      traveled = 0
      return false
    }
    guard let speedMetersPerSecond, speedMetersPerSecond >= Self.slowestMotionMetersPerSecond else {
      return isSuspect
    }
    identicalMovingEpochs += 1
    let step = before.map { (time - $0) / .seconds(1) } ?? 0
    traveled += speedMetersPerSecond * max(step, 0)
    return isSuspect
  }

  private var isSuspect: Bool {
    identicalMovingEpochs >= Self.epochsToSuspect && traveled >= Self.travelToSuspectMeters
  }
}
