/// What is to happen with an event beside telling whoever listens.
package struct MonitoringLaunch: Hashable, Sendable {
  /// Run when a region is entered, at a place has been arrived, or the device has come a significant way.
  package var onEntry: CommandToken?
  /// Run when a region is left, or a place.
  package var onExit: CommandToken?
  /// Run when nobody can tell any more on which side of a region's border the device is.
  package var onUnknown: CommandToken?
  /// Whether the user's desktop shows it.
  package var isShown: Bool

  package init(
    onEntry: CommandToken? = nil, onExit: CommandToken? = nil, onUnknown: CommandToken? = nil, isShown: Bool = false
  ) {
    self.onEntry = onEntry
    self.onExit = onExit
    self.onUnknown = onUnknown
    self.isShown = isShown
  }

  /// The commands that it names.
  package var commands: [CommandToken] { [onEntry, onExit, onUnknown].compactMap(\.self) }

  /// Nothing.
  package var isEmpty: Bool { commands.isEmpty && !isShown }
}
