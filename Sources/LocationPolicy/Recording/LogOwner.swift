/// Whose a log is: the client that began it, as the kernel vouched for it.
package struct LogOwner: Hashable, Sendable {
  package var identity: ClientIdentity
  /// Whether its process could open the receivers by a group that its account does not have (as by systemd's
  /// `SupplementaryGroups=`): what it begins may be recorded without it.
  package var isEntitled: Bool

  package init(_ identity: ClientIdentity, isEntitled: Bool = false) {
    self.identity = identity
    self.isEntitled = isEntitled
  }
}
