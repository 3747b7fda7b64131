/// One event of a stream.
package struct ServerEvent: Hashable, Sendable {
  /// The kinds, which are the names of the events in the stream.
  package enum Kind: String, Hashable, Sendable {
    /// A position, as a line of `locationctl watch --json`.
    case fix
    /// What the service is waiting for, or why there is no position.
    case state
    /// The satellites.
    case sky
    /// An event of a region or a visit.
    case monitoring

    /// Whether a newer event of the kind makes an older one useless.
    var isReplaced: Bool { self != .monitoring }
  }

  package var kind: Kind
  /// JSON on one line.
  package var data: [UInt8]

  package init(_ kind: Kind, _ data: some Sequence<UInt8>) {
    self.kind = kind
    self.data = Array(data).filter { $0 != 0x0A && $0 != 0x0D }
  }

  /// As in a stream (WHATWG HTML, section 9.2.5).
  var bytes: [UInt8] { Array("event: \(kind.rawValue)\ndata: ".utf8) + data + [0x0A, 0x0A] }
}

/// The events that a reader has not received yet. Its size is bounded: of positions, states and satellites only the newest waits.
package struct EventQueue: Hashable, Sendable {
  private static let most = 64

  private var waiting: [ServerEvent] = []
  /// The rest of an event that has been sent in part.
  private var rest: ArraySlice<UInt8> = []

  /// The first bytes ask the browser to reconnect after two seconds, and make it report that the stream is open.
  package init() { rest = Array("retry: 2000\n\n".utf8)[...] }

  package mutating func add(_ event: ServerEvent) {
    if event.kind.isReplaced { waiting.removeAll { $0.kind == event.kind } }
    waiting.append(event)
    if waiting.count > Self.most { waiting.removeFirst() }
  }

  /// At most `count` of the next bytes; empty if nothing waits.
  package mutating func take(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < count {
      if rest.isEmpty {
        guard !waiting.isEmpty else { break }
        rest = waiting.removeFirst().bytes[...]
      }
      let part = rest.prefix(count - result.count)
      result += part
      rest = rest.dropFirst(part.count)
    }
    return result
  }
}
