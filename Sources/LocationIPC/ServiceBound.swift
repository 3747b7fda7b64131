/// A bound of the service that keeps one user from denying it to the others.
package struct ServiceBound: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Connections of all users.
    case clients
    /// Connections of one user.
    case clientsOfUser
    /// Connections of all users to whom nobody has granted anything.
    case clientsWithoutGrant
    /// Connections of all users of user namespaces.
    case clientsOfNamespaces
    /// Requests of all users but the administrators.
    case requests
    /// Requests of one user.
    case requestsOfUser
    /// Regions of one identity.
    case regions
    /// Bytes of identifiers and borders of one user's regions.
    case regionBytes
    /// Lists of what is monitored.
    case lists
  }

  package var kind: Kind
  package var limit: Int
  /// Whose bound it is, or who was refused last; `nil`: the kernel does not tell.
  package var userID: UInt32?

  package init(_ kind: Kind, limit: Int, userID: UInt32?) {
    (self.kind, self.limit, self.userID) = (kind, limit, userID)
  }
}

/// A bound that was reached in the last hour.
package struct ReachedBound: Hashable, Sendable {
  package var bound: ServiceBound
  /// How often something was refused by it.
  package var times: Int
  /// Since the last time.
  package var ago: Duration

  package init(_ bound: ServiceBound, times: Int, ago: Duration) {
    (self.bound, self.times, self.ago) = (bound, times, ago)
  }
}
