package import NetworkSources

/// What the fleet helper needs to connect, with the content of the secrets; it stores nothing.
package struct FleetConnection: Hashable, Sendable {
  package var kind: FleetKind
  package var server: HostAndPort
  package var isEncrypted: Bool
  /// MQTT's client identifier, stable and unique.
  package var clientID = ""
  /// Whether MQTT 3.1.1 is used only if the broker says that it has no MQTT 5, and not after a connection that broke.
  package var expectsVersion5 = false
  /// MQTT's keep-alive, seconds, 0…65,535.
  package var keepAlive: UInt16 = 60
  package var account: String?
  /// The password, or, without an account, an HTTP bearer token.
  package var password: [UInt8]?
  /// PEM; `nil`: the system's authorities.
  package var authorities: [UInt8]?
  package var certificate: [UInt8]?
  package var key: [UInt8]?
  /// OwnTracks' secret: the helper encrypts the body of every message except `lastWill`, and decrypts commands.
  package var encryptionSecret: [UInt8]?
  /// What the broker publishes if the connection breaks.
  package var will: FleetMessage?
  /// The topic of commands; `nil`: not subscribed, and an HTTP answer is not read.
  package var commandTopic: String?
  /// Lines of every HTTP request, `Name: value`.
  package var headers: [String] = []
  /// The most messages that are sent before the first is answered: those of the outbox, and messages of the state.
  package var window: UInt16

  package static let mostHeaders = 8

  package init(kind: FleetKind, server: HostAndPort, isEncrypted: Bool) {
    (self.kind, self.server, self.isEncrypted) = (kind, server, isEncrypted)
    window = UInt16(kind.window + kind.stateWindow)
  }
}

extension FleetKind {
  /// The most messages of the outbox in flight. HTTP has one request after the other.
  package var window: Int { self == .mqtt ? 32 : 1 }
  /// The most messages of the state in flight besides. The helper ends the connection if there are more than both windows together,
  /// which must be at most `MQTT_WINDOW` of fleet-helper/MQTT.h.
  package var stateWindow: Int { self == .mqtt ? 8 : 1 }
}

/// The session with a server, once it is connected.
package struct FleetSession: Hashable, Sendable {
  /// MQTT's protocol version, 5 or 4 (3.1.1, which does not report refusals); 0 for HTTP.
  package var version: UInt8
  /// The most unanswered messages that the server accepts; `nil`: not limited.
  package var receiveMaximum: UInt16?
  /// The longest packet that the server accepts, bytes; `nil`: not limited.
  package var maximumPacket: UInt32?
  /// The highest quality of service that the server accepts.
  package var maximumQoS = FleetQoS.exactlyOnce
  package var canRetain = true
  /// When the server's certificate expires, seconds since 1970; `nil`: unknown, or not encrypted.
  package var certificateEnd: Int64?

  package init(version: UInt8) { self.version = version }
}

/// A server's answer to one message.
package enum FleetReply: Hashable, Sendable {
  /// The reason code of an MQTT acknowledgement (MQTT 5.0, 2.4); 3.1.1 always 0.
  case mqtt(UInt8)
  /// The status of an HTTP answer, and the seconds of its `Retry-After`.
  case http(UInt16, retryAfter: UInt32?)
}

/// Why there is no connection.
package enum FleetProblem: UInt8, Error, Hashable, Sendable, CaseIterable {
  case noSuchHost = 1
  case unreachable = 2
  /// The server's certificate is not valid, or not for this name.
  case serverNotTrusted = 3
  /// The client's certificate or key cannot be used, or the server refuses it.
  case certificateRefused = 4
  /// Account, password or token are wrong.
  case badCredentials = 5
  /// The server refuses this client, or its right to publish.
  case notAuthorized = 6
  /// Another client with the same identifier has connected (MQTT 0x8E).
  case takenOver = 7
  /// No answer in time.
  case tooLate = 8
  /// The server closed the connection.
  case closed = 9
  /// The server is busy or in maintenance.
  case unavailable = 10
  /// The answer is not of this protocol.
  case notUnderstood = 11
  /// A library that is needed is not installed.
  case libraryMissing = 12
  /// There is nothing at this path, or no such device (HTTP 404, 410).
  case notFound = 13
  /// The certificate is not valid yet or any more by this machine's clock.
  case certificateDate = 14
  /// A secret or a certificate cannot be read.
  case credentialUnreadable = 15
  /// The helper ended.
  case helperFailed = 16
  /// The broker acknowledges no messages (its maximum quality of service is 0).
  case noAcknowledgement = 17

  /// As in the JSON output.
  package var name: String { "\(self)" }
}
