/// What the service has a user's agent do.
package struct LaunchOrder: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case command(LaunchCommand)
    case notice(LaunchNotice)
  }

  /// Of no other order of this service and user; the answers bear it.
  package let run: UInt64
  package let content: Content

  package init(run: UInt64, _ content: Content) { (self.run, self.content) = (run, content) }
}
