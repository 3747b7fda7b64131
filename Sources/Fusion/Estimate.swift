package import Geodesy

/// The estimate after a position was received.
package struct Estimate: Hashable, Sendable {
  /// The source of an estimate.
  package enum Basis: UInt8, Hashable, Sendable {
    /// The position as received: its receiver has filtered it, and nothing better is known.
    case asReported
    /// The track, extrapolated; the received position is far off it and needs confirmation by another one.
    case heldBack
    /// The track that most of the last positions agree on.
    case track
    /// The track, extrapolated after its last position.
    case coasted
    /// A coarse position from Wi-Fi or cells.
    case coarse
  }

  /// The current position, from all input so far; `time` is that of the received position.
  package var causal: PositionFix
  /// The source of `causal`.
  package var basis: Basis
  /// The position some seconds ago, from all input until now: `time` and `receivedAt` are those of that moment. One for each
  /// satellite fix that is not suspect, in their order; `nil` as long as none is old enough, and from an estimator without
  /// lagged estimates.
  package var lagged: PositionFix?
}
