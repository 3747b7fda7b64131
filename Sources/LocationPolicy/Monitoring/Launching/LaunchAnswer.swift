/// What a user's agent says of an order.
package struct LaunchAnswer: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The command runs; how it ends follows.
    case started
    case ended(LaunchEnding)
    /// This user has noted no such command.
    case unknownCommand
    /// The kernel's error number.
    case cannotStart(errno: Int32)
    case shown
    case cannotShow(NoticeProblem)
  }

  /// The order's.
  package let run: UInt64
  package let content: Content

  package init(run: UInt64, _ content: Content) { (self.run, self.content) = (run, content) }
}

/// Why a person's desktop did not show something.
package enum NoticeProblem: Error, Hashable, Sendable, CaseIterable {
  /// The user has no session with a bus.
  case noDesktop
  /// notify-send(1) is not installed.
  case noProgram
  /// Nobody shows notifications there, or not in time.
  case failed
}
