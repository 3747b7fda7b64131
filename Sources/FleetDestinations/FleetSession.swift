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
