/// Why a position was not used.
package enum Refusal: UInt8, Error, Hashable, CaseIterable {
  /// A coordinate or a radius that is no number, or out of range.
  case malformed
  /// Of the same moment as the one before.
  case repeated
  /// Of an earlier moment than the one before.
  case past
  /// Of a moment that cannot have come yet: its time has gone further than the clock.
  case future
}
