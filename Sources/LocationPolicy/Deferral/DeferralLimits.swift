package import Geodesy

/// How long a call defers updates: until the machine has traveled the distance, or the time has passed, whichever comes first.
package struct DeferralLimits: Hashable, Sendable {
  /// The distance along the way, at least 0 m; `nil`: no limit.
  package var distance: Meters?
  /// The time from the call, at least 0 s; `nil`: no limit.
  package var timeout: Duration?

  package init(distance: Meters? = nil, timeout: Duration? = nil) {
    self.distance = distance
    self.timeout = timeout
  }

  /// A call with this limit ends at once: what is held is delivered, and the updates are no longer deferred.
  package static let ended = DeferralLimits(timeout: .zero)
}

/// The conditions of deferral.
package struct DeferralConditions: Hashable, Sendable {
  /// There is a receiver: only satellite fixes are worth deferring.
  package var hasReceiver = true
  /// The client requests the best accuracy, or that of navigation.
  package var wantsBestAccuracy = true
  package var hasDistanceFilter = false
  package var isUpdating = true

  package init() {}

  /// The conditions of a running stream.
  package init(_ options: UpdateOptions, hasReceiver: Bool = true) {
    self.hasReceiver = hasReceiver
    wantsBestAccuracy = options.sufficientRadius68 == nil && options.desiredRadius68 == nil
    hasDistanceFilter = options.distanceFilter != nil
  }

  /// The first condition that is not met; `nil`: updates can be deferred.
  package var failure: DeferralFailure? {
    if !hasReceiver { return .failed }
    if !isUpdating { return .notUpdating }
    if !wantsBestAccuracy { return .accuracyTooLow }
    return hasDistanceFilter ? .distanceFiltered : nil
  }
}

/// Why updates are not deferred, or no longer (`CLError.deferred…`).
package enum DeferralFailure: UInt8, Hashable, Sendable, CaseIterable {
  /// There is no receiver, or the service was lost.
  case failed = 0
  /// Updates are not running.
  case notUpdating = 1
  /// The requested accuracy is not the best.
  case accuracyTooLow = 2
  /// A distance filter is set.
  case distanceFiltered = 3
  /// The client ended it, or made another call.
  case canceled = 4
}
