/// How much of an epoch is in.
package enum EpochStage: Hashable, Sendable {
  /// Time, position and quality are known; the rest is still on the wire.
  case prompt
  /// All that the receiver says of it, as learnt from the epochs before.
  case complete
}
