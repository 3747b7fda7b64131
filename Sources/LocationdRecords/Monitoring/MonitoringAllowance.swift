import LocationStore

/// Limits for the stored monitoring data of one user.
package enum MonitoringAllowance: Hashable, Sendable {
  /// The user has been granted access, or needs no grant.
  case granted
  /// No decision about the user has been made: sufficient for a program that requests authorization, too little to fill
  /// the disk.
  case undecided

  /// Maximum number of bytes of the identifiers and shapes of all regions of one user; a coordinate counts as 16.
  var mostBytes: Int {
    switch self {
    case .granted: 64 << 20
    case .undecided: 256 << 10
    }
  }

  /// Maximum number of regions of one identity; `nil`: the service's own limit applies.
  var mostRegions: Int? {
    switch self {
    case .granted: nil
    case .undecided: 1000
    }
  }

  /// Maximum number of lists of one user.
  var mostListsOfUser: Int {
    switch self {
    case .granted: MonitoringStore.mostListsOfIdentity
    case .undecided: 8
    }
  }

  /// Maximum number of lists of all users together; at this number, no further list is created for this user. Users without
  /// a grant cannot use the last half of the total.
  var mostLists: Int {
    switch self {
    case .granted: MonitoringStore.mostLists
    case .undecided: MonitoringStore.mostLists / 2
    }
  }
}
