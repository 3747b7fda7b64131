/// What the kernel said of the process that connected, all of it at one time.
package struct PeerProcess: Hashable, Sendable {
  /// Process, user and group, as they were when it connected.
  package var credentials: PeerCredentials
  /// Its supplementary groups, as they were when it connected.
  package var groups: [UInt32]
  package var controlGroup: ControlGroup
  /// Whether it counts processes, or users, in a namespace of its own (pid_namespaces(7), user_namespaces(7)).
  package var hasOwnNamespaces: Bool
  /// Whether it has a controlling terminal.
  package var hasTerminal: Bool

  package init(
    _ credentials: PeerCredentials, groups: [UInt32] = [], controlGroup: ControlGroup = ControlGroup(),
    hasOwnNamespaces: Bool = false, hasTerminal: Bool = false
  ) {
    self.credentials = credentials
    self.groups = groups
    self.controlGroup = controlGroup
    self.hasOwnNamespaces = hasOwnNamespaces
    self.hasTerminal = hasTerminal
  }
}
