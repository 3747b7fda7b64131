/// Recognises a position that stands still to the last bit while the receiver itself says that it moves.
///
/// SiRF's static navigation and hung receivers do that (gpsd FAQ). A position that stands still with speed zero is no
/// freeze: a parked car looks like that.
package struct FreezeDetector: Sendable {
  private var latitudeNanodegrees: Int64 = .min
  private var longitudeNanodegrees: Int64 = .min
  private var identicalMovingEpochs = 0

  /// A detector that has seen nothing.
  package init() {}

  /// So many epochs in a row must be identical and moving.
  package static let epochsToSuspect = 5
  /// Below this speed a receiver's noise looks like motion.
  package static let slowestMotionMetersPerSecond = 1.0

  /// Takes the next epoch's position as it stood on the wire; `true`: frozen.
  package mutating func isFrozen(
    latitudeNanodegrees latitude: Int64, longitudeNanodegrees longitude: Int64, speedMetersPerSecond: Double?
  ) -> Bool {
    let isSame = latitude == latitudeNanodegrees && longitude == longitudeNanodegrees
    latitudeNanodegrees = latitude
    longitudeNanodegrees = longitude
    guard isSame else {
      identicalMovingEpochs = 0
      return false
    }
    guard let speedMetersPerSecond, speedMetersPerSecond >= Self.slowestMotionMetersPerSecond else {
      return identicalMovingEpochs >= Self.epochsToSuspect
    }
    identicalMovingEpochs += 1
    return identicalMovingEpochs >= Self.epochsToSuspect
  }
}
