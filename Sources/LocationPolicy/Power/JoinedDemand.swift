import Geodesy

/// What all requests together ask of the sources.
struct JoinedDemand: Hashable {
  /// By the most demanding one; `nil`: the best that there is.
  var radius68: Meters?
  var needsSatellites = false
  var navigates = false
  var isPatient = true
  var isInBackground = true
  var isUnhurried = true

  /// `nil`: nobody asks for anything.
  init?(_ demands: [PowerDemand]) {
    guard let first = demands.first else { return nil }
    radius68 = first.sufficientRadius68
    for demand in demands {
      if let least = radius68 { radius68 = demand.sufficientRadius68.map { min($0, least) } }
      needsSatellites = needsSatellites || demand.needsSatellites
      navigates = navigates || demand.navigates
      isPatient = isPatient && demand.isPatient
      isInBackground = isInBackground && demand.isInBackground
      isUnhurried = isUnhurried && demand.isUnhurried
    }
  }
}
