import CCoreLocation
import Foundation
import Geodesy

extension CLLocation {
  /// A fix of the service in Apple's terms: -1 where nothing is known.
  convenience init(_ fix: PositionFix) {
    var values = LocationValues()
    values.coordinate.latitude = fix.coordinate.latitude.degrees
    values.coordinate.longitude = fix.coordinate.longitude.degrees
    values.horizontalAccuracy = fix.horizontalRadius68.value
    // A height without a measure of its error is told as none, as no height is wrong by nobody knows how much.
    if let height = fix.heightAboveMeanSeaLevel ?? fix.heightAboveEllipsoid, let error = fix.verticalRadius68 {
      values.altitude = height.value
      values.ellipsoidalAltitude = fix.heightAboveEllipsoid?.value ?? 0
      values.verticalAccuracy = error.value
    }
    values.course = fix.course?.degrees ?? -1
    values.courseAccuracy = fix.courseRadius68?.degrees ?? -1
    values.speed = fix.speedMetersPerSecond ?? -1
    values.speedAccuracy = fix.speedRadius68MetersPerSecond ?? -1
    values.timestamp = Date(fix.time)
    if fix.isSimulated {
      values.sourceInformation = CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false)
    }
    self.init(values)
  }
}
