package import Geodesy

/// What is believed after a position has come in.
package struct Estimate: Hashable, Sendable {
  /// Where an answer comes from.
  package enum Basis: UInt8, Hashable, Sendable {
    /// The position as it came in: its receiver has filtered it, and nothing better is known.
    case asTold
    /// The track up to here, which went on as it went; the position that came in is far off it and is waited for once more.
    case heldBack
    /// The track that most of the last positions agree on.
    case track
    /// The track as it went on after its last position.
    case coasted
    /// A coarse position of Wi-Fi or cells.
    case coarse
  }

  /// Where it is now, of all that came so far; `time` is that of the position that came in.
  package var causal: PositionFix
  /// Where `causal` comes from.
  package var basis: Basis
  /// Where it was some seconds ago, of all that came until now: `time` and `receivedAt` are those of that moment. One for
  /// each satellite fix that is not suspect, in their order; `nil` as long as none is old enough,
  /// and of an estimator that does not answer later.
  package var lagged: PositionFix?
}
