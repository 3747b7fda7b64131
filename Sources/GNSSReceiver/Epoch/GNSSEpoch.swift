package import Geodesy

/// All that a receiver said of one moment.
package struct GNSSEpoch: Hashable, Sendable {
  /// How much of it is in.
  package var stage: EpochStage
  /// Its fix; `nil` where the receiver says that it has none.
  package var fix: PositionFix?
  /// Its satellites.
  package var sky: SkySummary
  /// Whether it was heard from its beginning; one that was joined half-way lacks what went before.
  package var isWhole: Bool
  /// Whole eras (1024 weeks) that were added to the receiver's date.
  package var erasAdded: Int
  /// Whether the receiver already had a fix when it was first heard, so that the fix has converged.
  package var isTracked: Bool
}
