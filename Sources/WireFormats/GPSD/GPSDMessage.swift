/// What gpsd says of a receiver (gpsd_json(5)), where the receiver's own bytes are not to be had. Values without references.
package enum GPSDMessage: Hashable, Sendable {
  /// TPV.
  case position(GPSDPosition)
  /// The head of a SKY; its satellites follow.
  case sky(GPSDSky)
  case satellite(GPSDSatellite)
}
