/// The list of what is monitored for one program: it outlives the program (Documentation/Behavior.md, "Regions").
package struct MonitoringList: Hashable, Sendable {
  /// Whose it is, as the kernel vouches.
  package var identity: ClientIdentity
  /// What the program calls itself, and with a monitor of its own what that is called. All lists of one identity are one another's to
  /// see, as nothing vouches for a name.
  package var name: String

  /// Bytes of UTF-8.
  package static let longestName = 200

  package init(_ identity: ClientIdentity, name: String) {
    self.identity = identity
    self.name = name
  }
}
