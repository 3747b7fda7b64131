/// One message between the service and the network helper, in both directions: the kind, the length of the content (two bytes, little
/// endian), and the content.
package enum NetworkMessage: Hashable, Sendable {
  /// To the helper, first and once.
  case order(NetworkOrder)
  /// Bytes to or from the peer.
  case data([UInt8])
  /// The connection is made, or the address is listened at.
  case connected
  /// The connection could not be made, or broke off; the last message.
  case failed(StreamProblem)
  /// So many pieces of peers that may not send, or that are not the chosen one, were dropped since the last such message.
  case dropped(UInt16)
  /// A connection to an accepting port was made; its descriptor comes with this message.
  case accepted

  /// The longest content, bytes.
  package static let longest = 4096

  private enum Kind: UInt8 { case order = 1, data, connected, failed, dropped, accepted }

  package var bytes: [UInt8] {
    switch self {
    case .order(let order): Self.encode(.order, Array(order.text.utf8))
    case .data(let bytes): Self.encode(.data, bytes)
    case .connected: Self.encode(.connected, [])
    case .failed(let problem): Self.encode(.failed, [problem.code])
    case .accepted: Self.encode(.accepted, [])
    case .dropped(let count): Self.encode(.dropped, [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)])
    }
  }

  /// The messages that carry these bytes, of which there may be more than one message holds.
  package static func pieces(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var rest = bytes
    var messages: [UInt8] = []
    while !rest.isEmpty {
      messages += encode(.data, Array(rest.prefix(longest)))
      rest = rest.dropFirst(longest)
    }
    return messages
  }

  private static func encode(_ kind: Kind, _ content: [UInt8]) -> [UInt8] {
    precondition(content.count <= longest, "a longer message is refused")
    return [kind.rawValue, UInt8(truncatingIfNeeded: content.count), UInt8(content.count >> 8)] + content
  }

  fileprivate init?(_ kind: UInt8, _ content: ArraySlice<UInt8>) {
    switch (Kind(rawValue: kind), content.count) {
    case (.order, _):
      guard let text = String(validating: content, as: UTF8.self), let order = NetworkOrder(text) else { return nil }
      self = .order(order)
    case (.data, 1...): self = .data(Array(content))
    case (.connected, 0): self = .connected
    case (.accepted, 0): self = .accepted
    case (.failed, 1):
      guard let problem = content.first.flatMap(StreamProblem.init(code:)) else { return nil }
      self = .failed(problem)
    case (.dropped, 2): self = .dropped(content.reversed().reduce(0) { $0 << 8 | UInt16($1) })
    default: return nil
    }
  }
}

/// Reads messages from a stream, however it is cut.
package struct NetworkMessageReader: Sendable {
  /// Whether the other side does not speak this protocol; nothing is read from then on.
  package private(set) var isMalformed = false
  private var pending: [UInt8] = []

  package init() {}

  /// Adds the next bytes, and returns the messages that they complete, also those before a malformed one (`isMalformed`): what is read
  /// does not depend on how the bytes were cut.
  package mutating func push(_ bytes: ArraySlice<UInt8>) -> [NetworkMessage] {
    guard !isMalformed else { return [] }
    pending += bytes
    var messages: [NetworkMessage] = []
    var start = 0
    while pending.count - start >= 3 {
      let length = Int(pending[start + 1]) | Int(pending[start + 2]) << 8
      guard length <= NetworkMessage.longest else {
        isMalformed = true
        break
      }
      guard pending.count - start - 3 >= length else { break }
      let content = pending[start + 3..<start + 3 + length]
      guard let message = NetworkMessage(pending[start], content) else {
        isMalformed = true
        break
      }
      messages.append(message)
      start += 3 + length
    }
    pending.removeSubrange(0..<start)
    return messages
  }
}

extension StreamProblem {
  /// The number of the problem in messages.
  fileprivate var code: UInt8 {
    switch self {
    case .noSuchHost: 1
    case .unreachable: 2
    case .notTrusted: 3
    case .tooLate: 4
    case .closed: 5
    case .silent: 6
    }
  }

  fileprivate init?(code: UInt8) {
    switch code {
    case 1: self = .noSuchHost
    case 2: self = .unreachable
    case 3: self = .notTrusted
    case 4: self = .tooLate
    case 5: self = .closed
    case 6: self = .silent
    default: return nil
    }
  }
}
