/// Why updates are not deferred, or not any more (`CLError.deferred…`).
package enum DeferralFailure: Hashable, Sendable {
  /// No source can defer.
  case failed
  /// Updates are not running.
  case notUpdating
  /// The accuracy asked for is not the best.
  case accuracyTooLow
  /// A distance filter is set.
  case distanceFiltered
  /// The client ended it, or asked again.
  case canceled
}
