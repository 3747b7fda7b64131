package import Geodesy

/// Where the machine is, for those who only wait for something to happen.
package struct NoticedFix: Hashable, Sendable {
  package var fix: PositionFix
  /// What the receiver itself said, where the fix was made of that and of others before it.
  package var heard: PositionFix?
  /// How fast the machine may be, metres per second; `nil`: nobody knows.
  package var speedBound: Double?

  package init(_ fix: PositionFix, heard: PositionFix? = nil, speedBound: Double? = nil) {
    (self.fix, self.heard, self.speedBound) = (fix, heard, speedBound)
  }
}
