/// The payload of a message that is kept to be sent back as it came: what a receiver was set to, what it knows of its
/// satellites. Kept in place, so that no message costs an allocation.
package struct UBXPayload: Hashable, Sendable {
  /// The longest that is kept; entries of the navigation database have at most 164 bytes (UBX-18010854, UBX-MGA-DBD).
  package static let capacity = 192

  package let messageClass: UInt8
  package let id: UInt8
  private var storage: InlineArray<192, UInt8> = .init(repeating: 0)
  private var count: UInt8

  /// `nil` where it is longer than the capacity.
  init?(class messageClass: UInt8, id: UInt8, _ payload: Span<UInt8>) {
    guard payload.count <= Self.capacity else { return nil }
    self.messageClass = messageClass
    self.id = id
    count = UInt8(payload.count)
    for index in 0..<payload.count { storage[index] = payload[index] }
  }

  /// Its bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(count))
    for index in 0..<Int(count) { bytes.append(storage[index]) }
    return bytes
  }

  /// The whole frame, to be sent.
  package var frame: [UInt8] { UBXFrame.encode(class: messageClass, id: id, payload: bytes) }

  package static func == (a: UBXPayload, b: UBXPayload) -> Bool {
    guard a.messageClass == b.messageClass, a.id == b.id, a.count == b.count else { return false }
    for index in 0..<Int(a.count) where a.storage[index] != b.storage[index] { return false }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(messageClass)
    hasher.combine(id)
    for index in 0..<Int(count) { hasher.combine(storage[index]) }
  }
}
