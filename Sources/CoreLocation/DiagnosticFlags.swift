/// Why a request is not fulfilled, or only in part: the flags of updates, monitoring events and sessions' diagnostics.
package struct DiagnosticFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The user denied this program access to the location. Also set with `authorizationDeniedGlobally`.
  package static let authorizationDenied = Self(rawValue: 1 << 0)
  /// Location services are off.
  package static let authorizationDeniedGlobally = Self(rawValue: 1 << 1)
  /// Access is restricted, and the user cannot change that.
  package static let authorizationRestricted = Self(rawValue: 1 << 2)
  /// The program is not sufficiently in use.
  package static let insufficientlyInUse = Self(rawValue: 1 << 3)
  /// The location can no longer be determined.
  package static let locationUnavailable = Self(rawValue: 1 << 4)
  /// Only reduced accuracy is allowed: locations are coarse and rare, and regions are not monitored.
  package static let accuracyLimited = Self(rawValue: 1 << 5)
  /// A `CLServiceSession` is required, and there is none.
  package static let serviceSessionRequired = Self(rawValue: 1 << 6)
  /// The user is being prompted for authorization.
  package static let authorizationRequestInProgress = Self(rawValue: 1 << 7)
  /// The device does not move; updates resume when it does.
  package static let stationary = Self(rawValue: 1 << 8)
  /// The user refused full accuracy.
  package static let fullAccuracyDenied = Self(rawValue: 1 << 9)
  /// The user refused access at any time.
  package static let alwaysAuthorizationDenied = Self(rawValue: 1 << 10)
  /// Conditions of this kind cannot be monitored.
  package static let conditionUnsupported = Self(rawValue: 1 << 11)
  /// Too many other conditions are monitored.
  package static let conditionLimitExceeded = Self(rawValue: 1 << 12)
  /// The condition could not be stored, or there is no service.
  package static let persistenceUnavailable = Self(rawValue: 1 << 13)
}
