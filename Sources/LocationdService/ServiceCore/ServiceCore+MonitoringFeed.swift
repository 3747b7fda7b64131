package import Geodesy

/// Positions for monitoring, which only waits for events.
extension ServiceCore {
  /// The shortest interval of monitoring fixes: regions are evaluated with fixes a second apart.
  private static let noticePeriod: Duration = .milliseconds(900)

  mutating func sendMonitoringFix(
    _ fix: PositionFix, received: PositionFix? = nil, at now: Instant, _ actions: inout [Action]
  ) {
    guard isFeedingMonitoring, monitoringFixSentAt.map({ now - $0 >= Self.noticePeriod }) ?? true else { return }
    monitoringFixSentAt = now
    actions.append(.monitoringFix(MonitoringFix(fix, received: received, speedBound: fused.speedBound)))
  }
}

/// The machine's position, for monitoring, which only waits for events.
package struct MonitoringFix: Hashable, Sendable {
  package var fix: PositionFix
  /// The receiver's own fix, if `fix` is fused from it and earlier ones.
  package var received: PositionFix?
  /// The highest speed to expect of the machine, in meters per second; `nil`: unknown.
  package var speedBound: Double?

  package init(_ fix: PositionFix, received: PositionFix? = nil, speedBound: Double? = nil) {
    (self.fix, self.received, self.speedBound) = (fix, received, speedBound)
  }
}
