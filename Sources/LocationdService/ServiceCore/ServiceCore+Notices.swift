package import Geodesy

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

/// The machine's position, for monitoring, which only waits for events.
package struct NoticedFix: Hashable, Sendable {
  package var fix: PositionFix
  /// The receiver's own fix, if `fix` is fused from it and earlier ones.
  package var heard: PositionFix?
  /// The highest speed to expect of the machine, in meters per second; `nil`: unknown.
  package var speedBound: Double?

  package init(_ fix: PositionFix, heard: PositionFix? = nil, speedBound: Double? = nil) {
    (self.fix, self.heard, self.speedBound) = (fix, heard, speedBound)
  }
}
