import Geodesy

/// Chooses the one receiver that a stream of fixes follows if there are several: interleaved fixes would jump between the errors of
/// two receivers.
struct SourceArbiter {
  private var chosen: LinkID?
  private var lastFixAt = Instant(nanoseconds: .min)
  private var lastRadius = Meters(0)

  /// After this long without a fix of the chosen receiver, any other is accepted.
  static let patience: Duration = .seconds(3)
  /// To be worth the jump, another receiver's radius must be below this share of the last one.
  static let shareWorthAJump = 0.5

  /// Whether a fix of `link` belongs to the stream.
  mutating func accepts(_ fix: PositionFix, from link: LinkID, at now: Instant) -> Bool {
    let isChosen = chosen == link
    let isFree = chosen == nil || now - lastFixAt > Self.patience
    let isMuchBetter = fix.qualityFlag == nil && fix.horizontalRadius68 < lastRadius * Self.shareWorthAJump
    guard isChosen || isFree || isMuchBetter else { return false }
    chosen = link
    // A suspect fix does not keep other receivers out.
    guard fix.qualityFlag == nil else { return true }
    lastFixAt = now
    lastRadius = fix.horizontalRadius68
    return true
  }

  /// Whether no receiver has a fix now.
  func isIdle(at now: Instant) -> Bool { chosen == nil || now - lastFixAt > Self.patience }

  /// Forgets a device that was removed.
  mutating func forget(_ link: LinkID) {
    if chosen == link { chosen = nil }
  }
}
