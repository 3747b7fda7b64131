/// Cuts what comes over the socket into messages, however it was cut on the way.
package struct FrameReader: Sendable {
  /// Bytes of a frame's length.
  static let prefix = 4

  /// The largest payload that is taken, bytes.
  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0

  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun and its end has not come.
  package var isWithinMessage: Bool { start < buffer.count }

  package mutating func push(_ bytes: ArraySlice<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
      start = 0
    }
    buffer += bytes
  }

  /// The next whole message, type and fields; `nil`: more bytes are needed.
  package mutating func next() throws(MessageError) -> ArraySlice<UInt8>? {
    guard buffer.count - start >= Self.prefix else { return nil }
    var count: UInt64 = 0
    for index in 0..<Self.prefix { count |= UInt64(buffer[start + index]) << (8 * UInt64(index)) }
    guard count > 0 else { throw .truncated(expected: 1, found: 0) }
    guard count <= UInt64(limit) else { throw .oversize(limit: limit, found: count) }
    let end = start + Self.prefix + Int(count)
    guard end <= buffer.count else {
      // What was read does not stay in front of what is to come.
      if start > 0 {
        buffer.removeFirst(start)
        start = 0
      }
      return nil
    }
    defer { start = end }
    return buffer[start + Self.prefix..<end]
  }
}
