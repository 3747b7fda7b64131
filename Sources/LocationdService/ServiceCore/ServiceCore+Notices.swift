import Geodesy

/// Positions for monitoring, which only waits for events.
extension ServiceCore {
  /// The shortest interval of monitoring fixes: regions are evaluated with fixes a second apart.
  private static let noticePeriod: Duration = .milliseconds(900)

  mutating func notice(_ fix: PositionFix, heard: PositionFix? = nil, at now: Instant, _ actions: inout [Action]) {
    guard notices, noticedAt.map({ now - $0 >= Self.noticePeriod }) ?? true else { return }
    noticedAt = now
    actions.append(.notice(NoticedFix(fix, heard: heard, speedBound: fused.speedBound)))
  }
}
