package import LocationIPC

/// How many clients may be connected at once, by kind of user, so that no user locks the others out.
package struct ClientBounds: Hashable, Sendable {
  /// The rank of a client's user when the client connects.
  package enum Rank: Hashable, Sendable {
    /// Root, the service's own user, and the group `location`.
    case administrator
    /// A user with a grant, or one who can open the receivers.
    case granted
    /// All other users.
    case untrusted
  }

  /// One connection.
  package struct Member: Hashable, Sendable {
    package var rank: Rank
    package var userID: UInt32?
    /// Whether its process is in a user namespace: then its user ID is one of many that a single user has.
    package var isInNamespace: Bool

    package init(_ rank: Rank, userID: UInt32?, isInNamespace: Bool = false) {
      (self.rank, self.userID, self.isInNamespace) = (rank, userID, isInNamespace)
    }
  }

  /// All clients: more than the programs that request locations on one machine.
  package var all = 256
  /// The part of `all` that is reserved for administrators.
  package var reserved = 32
  /// Clients of all users without a grant together.
  package var untrusted = 96
  /// Clients of one user with a grant, and of one user without.
  package var ofGrantedUser = 64
  package var ofUntrustedUser = 32
  /// Clients of all users in user namespaces together: one user may have 65,536 user IDs (subuid(5)).
  package var ofNamespaces = 32

  package init() {}

  /// The bound that one more client would exceed; `nil`: there is room.
  package func bound(for new: Member, beside members: some Sequence<Member>) -> ServiceBound? {
    var (total, untrusted, ofUser, ofNamespaces) = (0, 0, 0, 0)
    for member in members {
      total += 1
      if member.rank == .untrusted { untrusted += 1 }
      if member.isInNamespace { ofNamespaces += 1 }
      if member.userID == new.userID { ofUser += 1 }
    }
    func reached(_ kind: ServiceBound.Kind, _ limit: Int) -> ServiceBound {
      ServiceBound(kind, limit: limit, userID: new.userID)
    }
    if total >= all { return reached(.clients, all) }
    guard new.rank != .administrator else { return nil }
    if total >= all - reserved { return reached(.clients, all - reserved) }
    if new.isInNamespace, ofNamespaces >= self.ofNamespaces {
      return reached(.clientsOfNamespaces, self.ofNamespaces)
    }
    if new.rank == .untrusted, untrusted >= self.untrusted {
      return reached(.clientsWithoutGrant, self.untrusted)
    }
    let most = new.rank == .granted ? ofGrantedUser : ofUntrustedUser
    return ofUser >= most ? reached(.clientsOfUser, most) : nil
  }
}
