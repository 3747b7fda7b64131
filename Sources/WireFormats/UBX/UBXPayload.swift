/// The payload of a message that is kept to be sent back as it came: what a receiver was set to, what it knows of its
/// satellites. On the heap, as these are the only messages of such a size and come only when they were asked for: kept in
/// place they would make every message as large.
package struct UBXPayload: Hashable, Sendable {
  /// The longest that is kept; entries of the navigation database have at most 164 bytes (UBX-18010854, UBX-MGA-DBD).
  package static let capacity = 192

  package let messageClass: UInt8
  package let id: UInt8
  /// Its bytes.
  package let bytes: [UInt8]

  /// `nil` where it is longer than the capacity.
  init?(class messageClass: UInt8, id: UInt8, _ payload: Span<UInt8>) {
    guard payload.count <= Self.capacity else { return nil }
    self.messageClass = messageClass
    self.id = id
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count)
    for index in 0..<payload.count { bytes.append(payload[index]) }
    self.bytes = bytes
  }

  /// The whole frame, to be sent.
  package var frame: [UInt8] { UBXFrame.encode(class: messageClass, id: id, payload: bytes) }
}
