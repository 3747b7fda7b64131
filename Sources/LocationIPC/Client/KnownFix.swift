import Geodesy

/// The latest fix that a process was told, for those who come later.
struct KnownFix: Sendable {
  private let fix: PositionFix
  /// When it was told; its radius had been grown to then.
  private let toldAt: Instant

  init(_ fix: PositionFix, toldAt: Instant) {
    self.fix = fix
    self.toldAt = toldAt
  }

  /// As it is told at `now`, its time the true one.
  func fix(at now: Instant) -> PositionFix {
    var fix = fix
    // A radius grows once over the same time.
    fix.receivedAt = toldAt
    fix = fix.grown(to: now)
    fix.receivedAt = self.fix.receivedAt
    return fix
  }
}
