import GNSSReceiver
package import Geodesy

extension PositionRow {
  /// The row as the fix that a receiver would have been taken to tell. Its time is all the clock there is.
  package var fix: PositionFix {
    var evidence = AccuracyEvidence()
    evidence.horizontalAccuracyMeters = accuracyMeters
    var fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
      coordinate: coordinate,
      horizontalRadius68: AccuracyModel.horizontalRadius68(of: evidence, kind: .threeDimensional),
      kind: .threeDimensional, technologies: .gnss)
    fix.horizontalRadiusBasis = AccuracyModel.horizontalRadiusBasis(of: evidence)
    fix.speedMetersPerSecond = speedMetersPerSecond
    fix.course = course
    fix.isSimulated = true
    return fix
  }
}
