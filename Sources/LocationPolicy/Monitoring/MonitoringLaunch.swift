/// What is to happen with an event beside telling whoever listens.
package struct MonitoringLaunch: Hashable, Sendable {
  /// Run when a region is entered, at a place has been arrived, or the device has come a significant way.
  package var onEntry: CommandToken?
  /// Run when a region is left, or a place.
  package var onExit: CommandToken?
  /// Whether the user's desktop shows it.
  package var isShown: Bool

  package init(onEntry: CommandToken? = nil, onExit: CommandToken? = nil, isShown: Bool = false) {
    self.onEntry = onEntry
    self.onExit = onExit
    self.isShown = isShown
  }

  /// Nothing.
  package var isEmpty: Bool { onEntry == nil && onExit == nil && !isShown }
}
