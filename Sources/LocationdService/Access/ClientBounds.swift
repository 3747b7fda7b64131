package import LocationIPC

/// How many clients may be connected at once, of whom: nobody keeps the others out.
package struct ClientBounds: Hashable, Sendable {
  /// What is known of a client's user when it connects.
  package enum Rank: Hashable, Sendable {
    /// Root, the service's own user, and the group `location`.
    case administrator
    /// A user with a grant, or one who owns the receivers.
    case granted
    /// Everybody else.
    case untrusted
  }

  /// One connection.
  package struct Member: Hashable, Sendable {
    package var rank: Rank
    package var userID: UInt32?
    /// Whether its process is in a user namespace, so that its number is one of many that one user has.
    package var isInNamespace: Bool

    package init(_ rank: Rank, userID: UInt32?, isInNamespace: Bool = false) {
      (self.rank, self.userID, self.isInNamespace) = (rank, userID, isInNamespace)
    }
  }

  /// Of all: more than a machine has programs that ask for locations.
  package var all = 256
  /// Of these, so many are left to administrators.
  package var reserved = 32
  /// Of all users together to whom nobody has granted anything.
  package var untrusted = 96
  /// Of one user who has a grant; of one who has none.
  package var ofGrantedUser = 64
  package var ofUntrustedUser = 32
  /// Of all users of user namespaces together: one user may have 65,536 of them (subuid(5)).
  package var ofNamespaces = 32

  package init() {}

  /// The bound that one more client would pass; `nil`: there is room.
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
