package import Geodesy

/// What was decided for an identity and what must be remembered of it: kept on the disk, one for each identity.
package struct GrantRecord: Hashable, Sendable {
  package var level: AuthorizationLevel
  package var isReduced: Bool
  /// Always was granted at the first question, and is to be asked about once more after it was used in the background
  /// (Documentation/Behavior.md, "Requests for authorization").
  package var isProvisional = false
  /// The one question for the step from when-in-use to always has been answered.
  package var hasAskedAlways = false
  /// What the client declared when a question was answered, and at its visits since; none where it was decided without a
  /// question, which no update of the client changes.
  package var declaredAlways = false
  package var declaredWhenInUse = false
  /// What it wants location for, in the person's words, at most 200 bytes.
  package var purpose: String?
  /// The name that it gave itself; vouches for nothing.
  package var name: String?
  /// When it was decided, as far as the clock was to be believed.
  package var decidedAt: GNSSTime?
  /// When it last used location.
  package var usedAt: GNSSTime?
  /// When it first did so in the background under a provisional always.
  package var usedInBackgroundAt: GNSSTime?

  package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
    self.level = level
    self.isReduced = isReduced
  }

  /// Use is kept no more often than this: the time of last use is told by the day, and a card wears with each write.
  private static let useInterval = Duration.seconds(3600)

  /// Whether it says more than what was kept last.
  func isNews(over kept: GrantRecord?) -> Bool {
    guard let kept else { return true }
    var same = self
    same.usedAt = kept.usedAt
    if same != kept { return true }
    guard let usedAt, let before = kept.usedAt else { return usedAt != nil }
    // A clock that was ahead is put right at once.
    return usedAt < before || usedAt - before >= Self.useInterval
  }

  /// The same with texts that can be shown and kept.
  var cleaned: GrantRecord {
    var record = self
    record.purpose = ShownText.of(purpose)
    record.name = ShownText.of(name)
    return record
  }
}
