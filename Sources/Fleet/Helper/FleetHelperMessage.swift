package import FleetDestinations

/// One message between the service and the fleet helper: the kind (one byte), the length of the content (three bytes, little endian), and
/// the content.
///
/// There is one stream per connection to a server. The service sends `connect` first and once. A stream that ends without `close` breaks
/// the connection, so that the broker publishes the last will.
package enum FleetHelperMessage: Hashable, Sendable {
  // MARK: To the helper
  case connect(FleetConnection)
  /// Not before `connected`; in this order.
  case send(FleetMessage)
  /// Waits for unanswered messages, disconnects properly, and ends the stream.
  case close

  // MARK: From the helper
  case connected(FleetSession)
  /// The answer to a message, by its `id`. MQTT without quality of service: once it is written.
  case answered(UInt64, FleetReply)
  /// A command from the server, decrypted, at most `longestCommand` bytes.
  case command([UInt8])
  /// There is no connection, or no longer; the last message. Messages without an answer count as not sent.
  case ended(FleetProblem, FleetReply?)

  /// The longest content, bytes.
  package static let longest = 512 * 1024
  package static let longestCommand = 64 * 1024

  private enum Kind: UInt8 { case connect = 1, send, close, connected, answered, command, ended }

  package var bytes: [UInt8] {
    var content = FleetFieldWriter()
    let kind: Kind
    switch self {
    case .connect(let connection):
      kind = .connect
      connection.write(to: &content)
    case .send(let message):
      kind = .send
      message.write(to: &content)
    case .close: kind = .close
    case .connected(let session):
      kind = .connected
      session.write(to: &content)
    case .answered(let id, let reply):
      kind = .answered
      content.put(id)
      reply.write(to: &content)
    case .command(let bytes):
      kind = .command
      content.put(bytes: bytes)
    case .ended(let problem, let reply):
      kind = .ended
      content.put(problem.rawValue)
      reply?.write(to: &content)
    }
    let bytes = content.bytes
    precondition(bytes.count <= Self.longest, "a longer message is refused")
    let length = UInt32(bytes.count)
    return [kind.rawValue] + (0..<3).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + bytes
  }

  fileprivate init?(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) {
    var content = FleetFieldReader(bytes)
    switch Kind(rawValue: kind) {
    case .connect:
      guard let connection = FleetConnection(&content) else { return nil }
      self = .connect(connection)
    case .send:
      guard let message = FleetMessage(&content) else { return nil }
      self = .send(message)
    case .close: self = .close
    case .connected:
      guard let session = FleetSession(&content) else { return nil }
      self = .connected(session)
    case .answered:
      guard let id = content.number(UInt64.self), let reply = FleetReply(&content) else { return nil }
      self = .answered(id, reply)
    case .command:
      guard let bytes = content.bytes(limit: Self.longestCommand) else { return nil }
      self = .command(bytes)
    case .ended:
      guard let problem = content.number(UInt8.self).flatMap(FleetProblem.init(rawValue:)) else { return nil }
      if content.isAtEnd {
        self = .ended(problem, nil)
      } else {
        guard let reply = FleetReply(&content) else { return nil }
        self = .ended(problem, reply)
      }
    case nil: return nil
    }
    guard content.isAtEnd else { return nil }
  }
}

/// Reads messages from a stream, however it is cut.
package struct FleetHelperMessageReader: Sendable {
  /// Whether the other side does not speak this protocol; nothing is read from then on.
  package private(set) var isMalformed = false
  private var pending: [UInt8] = []

  package init() {}

  /// Adds the next bytes, and returns the messages that they complete, also those before a malformed one (`isMalformed`).
  package mutating func push(_ bytes: ArraySlice<UInt8>) -> [FleetHelperMessage] {
    guard !isMalformed else { return [] }
    pending += bytes
    var messages: [FleetHelperMessage] = []
    var start = 0
    while pending.count - start >= 4 {
      let length = Int(pending[start + 1]) | Int(pending[start + 2]) << 8 | Int(pending[start + 3]) << 16
      guard length <= FleetHelperMessage.longest else {
        isMalformed = true
        break
      }
      guard pending.count - start - 4 >= length else { break }
      guard let message = FleetHelperMessage(pending[start], pending[start + 4..<start + 4 + length]) else {
        isMalformed = true
        break
      }
      messages.append(message)
      start += 4 + length
    }
    pending.removeSubrange(0..<start)
    return messages
  }
}
