package import FleetDestinations

/// One message to a destination, as it is sent.
package struct FleetMessage: Hashable, Sendable {
  /// What it contains.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// A position, or a batch of them, from the outbox.
    case fix = 0
    /// A region event or a visit from the outbox.
    case event = 1
    /// The state of the machine, the newest position on its own lane, or Home Assistant's discovery: not from the outbox.
    case state = 2
    /// The message by which the server knows that this device is no longer connected; never encrypted end to end.
    case lastWill = 3
  }

  /// How an HTTP destination receives it.
  package enum Method: UInt8, Hashable, Sendable, CaseIterable {
    /// To a topic (MQTT).
    case publish = 0
    case get = 1
    case post = 2
  }

  /// The number of the first record of the outbox in it, the same whenever it is sent again; for a message that is not from the
  /// outbox, a number with the highest bit (`stateBit`), unique within the connection.
  package var id: UInt64
  package var kind: Kind
  package var method: Method
  /// The topic, or the path with the query, at most `longestTarget` bytes.
  package var target: String
  /// At most `longestBody` bytes.
  package var body: [UInt8]
  /// `application/json`; `nil`: none.
  package var contentType: String?
  package var isRetained = false
  package var qos = FleetQoS.atLeastOnce

  package static let stateBit: UInt64 = 1 << 63
  /// Bytes.
  package static let longestTarget = 4096
  package static let longestBody = 64 * 1024

  package init(id: UInt64, kind: Kind, method: Method, target: String, body: [UInt8], contentType: String? = nil) {
    (self.id, self.kind, self.method) = (id, kind, method)
    (self.target, self.body, self.contentType) = (target, body, contentType)
  }

  /// Whether the helper takes it.
  package var isWithinLimits: Bool { target.utf8.count <= Self.longestTarget && body.count <= Self.longestBody }
  /// Whether it is from the outbox, which waits for its answer.
  package var isQueued: Bool { id & Self.stateBit == 0 }
}
