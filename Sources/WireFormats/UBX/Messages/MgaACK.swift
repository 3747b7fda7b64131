/// UBX-MGA-ACK-DATA0 (0x13 0x60): what became of an assistance message; also the end of a dump of the navigation database.
package struct MgaACK: Hashable, Sendable {
  /// Whether the receiver uses it.
  package let isAccepted: Bool
  /// Why not (`infoCode`): 1 it does not know the time, 4 it cannot keep it, 5 it is not ready, 6 it does not know the type.
  package let reason: UInt8
  /// Identifier, within the class MGA, of the message that is meant.
  package let messageID: UInt8
  /// The first four bytes of that message; at the end of a dump how many messages it had (UBX-18010854, UBX-MGA-DBD).
  package let start: UInt32

  init?(_ payload: Span<UInt8>) {
    guard payload.count == 8, payload.u1(0) <= 1 else { return nil }
    isAccepted = payload.u1(0) == 1
    reason = payload.u1(2)
    messageID = payload.u1(3)
    start = payload.u4(4)
  }

  /// Whether it ends a dump of the navigation database (UBX-MGA-DBD, 0x13 0x80).
  package var endsDump: Bool { messageID == 0x80 }
}
