package import Geodesy

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
