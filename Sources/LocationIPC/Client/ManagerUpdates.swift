import Geodesy

/// One manager's updates while they run: the stream that it follows, and what of it the delegate is told.
struct ManagerUpdates: Sendable {
  /// The request that the stream answers.
  var request: RequestID
  /// What the manager wants, its distance filter too.
  var options: UpdateOptions
  /// Whether the delegate was told that there is no location, and has got none since.
  var hasFailed = false
  /// Whether the delegate was told that they have paused.
  var isPaused = false
  /// The fix that the distance filter measures from; `nil`: nothing was told yet.
  private var told: PositionFix?

  init(request: RequestID, _ options: UpdateOptions) {
    self.request = request
    self.options = options
  }

  /// What is asked of the service: everything, as the distance filter is applied here.
  var streamOptions: UpdateOptions {
    var options = options
    options.distanceFilter = nil
    return options
  }

  /// Whether updates begin with a fix from before: where they have not begun with another.
  mutating func begins(with known: PositionFix) -> Bool {
    guard told == nil else { return false }
    told = known
    return true
  }

  /// Whether a fix of the stream is told.
  mutating func takes(_ fix: PositionFix) -> Bool {
    defer { hasFailed = false }
    if let told {
      // The one that they began with.
      if fix.time == told.time, fix.device == told.device { return false }
      // After a loss every place is news.
      if let distance = options.distanceFilter, !hasFailed, !fix.isNews(after: told, beyond: distance) { return false }
    }
    // A suspect fix is told, but nothing is measured from it.
    if fix.suspicion == nil { told = fix }
    return true
  }
}
