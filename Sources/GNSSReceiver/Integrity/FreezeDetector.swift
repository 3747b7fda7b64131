package import Geodesy

/// Recognises a position that stands still to the last bit while the receiver itself says that it moves.
///
/// SiRF's static navigation and hung receivers do that (gpsd FAQ). A position that stands still with speed zero is no
/// freeze: a parked car looks like that.
package struct FreezeDetector: Sendable {
  private var latitudeNanodegrees: Int64 = .min
  private var longitudeNanodegrees: Int64 = .min
  private var identicalMovingEpochs = 0
  private var last: GNSSTime?
  /// How far the receiver says to have gone since the position last changed.
  private var traveled = 0.0

  /// A detector that has seen nothing.
  package init() {}

  /// So many epochs in a row must be identical and moving.
  package static let epochsToSuspect = 5
  /// So far must it have gone meanwhile: several steps of the coarsest position on the wire, 1.85 m (`ddmm.mmm`).
  package static let travelToSuspectMeters = 5.0
  /// Below this speed a receiver's noise looks like motion.
  package static let slowestMotionMetersPerSecond = 1.0

  /// Takes the next epoch's position as it stood on the wire; `true`: frozen.
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
