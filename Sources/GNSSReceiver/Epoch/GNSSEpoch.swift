package import Geodesy

/// All that a receiver said of one moment.
package struct GNSSEpoch: Hashable, Sendable {
  /// How much of it is in.
  package var stage: EpochStage
  /// Its fix; `nil` where the receiver says that it has none.
  package var fix: PositionFix?
  /// What it is about; `nil` where the receiver has told no time.
  package var time: GNSSTime?
  /// What is believed of that time.
  package var timeValidity: TimeValidity?
  /// Its satellites, counted.
  package var sky: SkySummary
  /// Its satellites, one by one, once it is complete; `nil` where they are not listed, as they need not be in every epoch.
  package var satellites: [SatelliteSighting]?
  /// Which receiver, as fixes name it.
  package var receiver: String?
  /// Whether it is a replay's or a simulator's.
  package var isSimulated: Bool
  /// Whether it was heard from its beginning; one that was joined half-way lacks what went before.
  package var isWhole: Bool
  /// Whole eras (1024 weeks) that were added to the receiver's date.
  package var erasAdded: Int
  /// Whether the receiver already had a fix when it was first heard, so that the fix has converged.
  package var isTracked: Bool
}
