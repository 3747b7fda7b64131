package import FleetDestinations

/// What an answer means for the message.
package enum FleetOutcome: Hashable, Sendable {
  case accepted
  /// The broker has it, but nobody has subscribed to its topic.
  case unheard
  /// The server refuses this client or this topic: trying again soon is pointless.
  case refused
  /// The server is busy; `seconds`: as long as it asked for.
  case later(seconds: UInt32?)
  /// The server cannot use this message.
  case invalid

  /// MQTT 5.0, 3.4.2.1 (PUBACK reason codes), and RFC 9110, 15.
  package init(_ reply: FleetReply) {
    switch reply {
    case .mqtt(let code):
      switch code {
      case 0x00: self = .accepted
      case 0x10: self = .unheard
      // Not authorized, topic name invalid.
      case 0x87, 0x90: self = .refused
      // Packet identifier in use, quota exceeded.
      case 0x91, 0x97: self = .later(seconds: nil)
      // Packet too large, payload format invalid.
      case 0x95, 0x99: self = .invalid
      default: self = code < 0x80 ? .accepted : .later(seconds: nil)
      }
    case .http(let status, let retryAfter):
      switch status {
      case 200..<300: self = .accepted
      case 401, 403, 404, 410: self = .refused
      case 408, 425, 429: self = .later(seconds: retryAfter)
      case 400..<500: self = .invalid
      default: self = .later(seconds: retryAfter)
      }
    }
  }
}

extension FleetProblem {
  /// Whether only a change of the configuration, here or at the server, helps.
  package var isRefusal: Bool {
    switch self {
    case .certificateRefused, .badCredentials, .notAuthorized, .notFound, .libraryMissing, .noAcknowledgement: true
    case .noSuchHost, .unreachable, .serverNotTrusted, .takenOver, .tooLate, .closed, .unavailable, .notUnderstood,
      .certificateDate, .credentialUnreadable, .helperFailed:
      false
    }
  }
}
