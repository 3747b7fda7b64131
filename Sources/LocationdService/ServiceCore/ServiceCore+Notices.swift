import Geodesy

/// Positions for whoever only wants to know when something happens.
extension ServiceCore {
  /// More often nobody has to look: regions are told by fixes a second apart.
  private static let noticePeriod: Duration = .milliseconds(900)

  mutating func notice(_ fix: PositionFix, heard: PositionFix? = nil, at now: Instant, _ actions: inout [Action]) {
    guard notices, noticedAt.map({ now - $0 >= Self.noticePeriod }) ?? true else { return }
    noticedAt = now
    actions.append(.notice(NoticedFix(fix, heard: heard, speedBound: fused.speedBound)))
  }
}
