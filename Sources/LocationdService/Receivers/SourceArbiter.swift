import Geodesy

/// Chooses the one receiver that a stream of fixes follows where several are there: their fixes interleaved would jump
/// between two errors.
struct SourceArbiter {
  private var chosen: LinkID?
  private var lastFixAt = Instant(nanoseconds: .min)
  private var lastRadius = Meters(0)

  /// After so long without a fix of the chosen one, any other will do.
  static let patience: Duration = .seconds(3)
  /// Another must be this much better to be worth the jump.
  static let shareWorthAJump = 0.5

  /// Whether a fix of `link` belongs to the stream.
  mutating func accepts(_ fix: PositionFix, from link: LinkID, at now: Instant) -> Bool {
    let isChosen = chosen == link
    let isFree = chosen == nil || now - lastFixAt > Self.patience
    let isMuchBetter = fix.suspicion == nil && fix.horizontalRadius68 < lastRadius * Self.shareWorthAJump
    guard isChosen || isFree || isMuchBetter else { return false }
    chosen = link
    // What cannot be believed keeps no other out.
    guard fix.suspicion == nil else { return true }
    lastFixAt = now
    lastRadius = fix.horizontalRadius68
    return true
  }

  /// Whether no receiver has a fix.
  func isIdle(at now: Instant) -> Bool { chosen == nil || now - lastFixAt > Self.patience }

  /// A device has gone.
  mutating func forget(_ link: LinkID) {
    if chosen == link { chosen = nil }
  }
}
