/// What deferring depends on.
package struct DeferralConditions: Hashable, Sendable {
  /// There is a receiver: only satellites give fixes worth keeping.
  package var hasReceiver = true
  /// The client asks for the best accuracy, or for navigation's.
  package var wantsBestAccuracy = true
  package var hasDistanceFilter = false
  package var isUpdating = true

  package init() {}

  /// The first that is not met.
  var failure: DeferralFailure? {
    if !hasReceiver { return .failed }
    if !isUpdating { return .notUpdating }
    if !wantsBestAccuracy { return .accuracyTooLow }
    return hasDistanceFilter ? .distanceFiltered : nil
  }
}
