/// What the status indicator shows (Documentation/Behavior.md, "Authorization").
package struct IndicatorState: Hashable, Sendable {
  /// Its words are those of the state file and of the JSON.
  package enum Mark: String, Hashable, Sendable {
    case none
    /// Only fences are installed.
    case hollow
    /// Somebody uses location, or has done so until a moment ago.
    case solid
  }

  package var mark = Mark.none
  /// Who uses location in the background without having always, the most recent (Documentation/Behavior.md, "Authorization");
  /// `nil`: nobody.
  package var background: LocationUser?
  /// How many do.
  package var backgroundCount = 0

  package init(_ mark: Mark = .none) { self.mark = mark }
}
