import LocationStore

/// Limits for the stored monitoring data of one user.
package enum MonitoringAllowance: Hashable, Sendable {
  /// The user has been granted access, or needs no grant.
  case granted
  /// No decision about the user yet: enough for a program that asks, too little to fill the disk.
  case undecided

  /// Bytes of the identifiers and shapes of all regions of one user; a coordinate counts as 16.
  var mostBytes: Int {
    switch self {
    case .granted: 64 << 20
    case .undecided: 256 << 10
    }
  }

  /// Regions of one identity; `nil`: the service's own limit applies.
  var mostRegions: Int? {
    switch self {
    case .granted: nil
    case .undecided: 1000
    }
  }

  /// Lists of one user.
  var mostListsOfUser: Int {
    switch self {
    case .granted: MonitoringStore.mostListsOfIdentity
    case .undecided: 8
    }
  }

  /// No further list is created once there are this many lists of all users. Users without a grant cannot take the last half.
  var mostLists: Int {
    switch self {
    case .granted: MonitoringStore.mostLists
    case .undecided: MonitoringStore.mostLists / 2
    }
  }
}
