/// What became of an event in the end.
package enum LaunchOutcome: Hashable, Sendable {
  case ended(LaunchEnding)
  /// The user has noted no such command, or has removed it since.
  case unknownCommand
  /// The kernel's error number, the last time.
  case cannotStart(errno: Int32)
  case shown
  case cannotShow(NoticeProblem)
  /// There is no order that says it: nothing was sent.
  case noOrder
}
