import LocationStore

/// How much a user may have kept of what is monitored.
package enum MonitoringAllowance: Hashable, Sendable {
  /// Somebody has granted the user something, or nobody has to.
  case granted
  /// Nobody has decided about the user yet: enough for a program that asks, too little to fill a machine with.
  case undecided

  /// Bytes of identifiers and borders of all regions of one user: a coordinate counts 16.
  var mostBytes: Int {
    switch self {
    case .granted: 64 << 20
    case .undecided: 256 << 10
    }
  }

  /// Regions of one identity; `nil`: as many as the service keeps of any.
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

  /// As many lists there may be of all users for one more to be made: users who have been granted nothing cannot take
  /// the last half.
  var mostLists: Int {
    switch self {
    case .granted: MonitoringStore.mostLists
    case .undecided: MonitoringStore.mostLists / 2
    }
  }
}
