/// Why a fix should not be believed as it stands. It is told beside the fix, never hidden.
package enum Suspicion: UInt8, Hashable, Sendable {
  /// The position has not changed by one bit while the receiver says that it moves, or speed and signals vary.
  case frozen
  /// The receiver reports jamming or spoofing.
  case jammed
  /// A speed or a jump that no vehicle makes.
  case implausible
}
