/// What the horizontal radius of a fix is derived from.
package enum RadiusBasis: UInt8, Hashable, Sendable {
  /// The receiver reported its own accuracy (UBX hAcc or covariance, GST, PUBX,00, PGRME, gpsd's error estimate).
  case accuracy
  /// The receiver reported a dilution of precision: the geometry of the satellites, which says nothing of reflections.
  case dilution
  /// The receiver reported neither.
  case assumed
  /// Mostly the offset between the receiver's unknown datum and WGS 84, the same at every fix.
  case datum
}
