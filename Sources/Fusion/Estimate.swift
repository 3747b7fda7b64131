package import Geodesy

/// What is believed after a position has come in.
package struct Estimate: Hashable, Sendable {
  /// Where it is now, of all that came so far; `time` is that of the position that came in.
  package var causal: PositionFix
  /// Where it was some seconds ago, of all that came until now: `time` and `receivedAt` are those of that moment. `nil`
  /// as long as there is no such moment, and where nothing is better known than when it was first told.
  package var lagged: PositionFix?
}
