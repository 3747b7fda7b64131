package import LocationPolicy

/// One line of the list of who uses location, as long ago as its clock and the reader's agree on.
package struct UsageDescription: Hashable, Sendable {
  package var user: LocationUser
  package var mark: LocationUsage.Mark
  package var uses: LocationUses
  /// For how long it has, without an interruption; `nil`: not now.
  package var usedFor: Duration?
  /// How long ago it last did; `nil`: never.
  package var usedAgo: Duration?

  package init(_ user: LocationUser, mark: LocationUsage.Mark, uses: LocationUses) {
    self.user = user
    self.mark = mark
    self.uses = uses
  }
}
