package import BusMessages
package import Geodesy
package import LocationPolicy

/// The number of a call, by which it is answered.
package struct CallNumber: Hashable, Sendable {
  package let rawValue: UInt64
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// What happens to the bridge.
package enum BridgeInput: Hashable, Sendable {
  /// A call of a connection; the bus has checked its name and its user. `isSandboxed`: the caller is in a Flatpak, a Snap or a container.
  case call(CallNumber, BusCall, from: String, userID: UInt32, isSandboxed: Bool)
  /// A signal of a connection.
  case signal(BusSignal, from: String)
  /// An agent has answered with its properties; `nil`: it has not.
  case agentProperties([BusValue]?, from: String)
  /// A connection has ended.
  case left(String)
  /// The service's authorization of the owner of a client, at once and with each change.
  case authorization(client: Int, AuthorizationAnswerState)
  /// The service has handled `.ask`.
  case asked(client: Int)
  case fix(client: Int, PositionFix)
  /// The service does not serve the client any more, or cannot be reached.
  case failed(client: Int, isUnreachable: Bool)
  /// The best accuracy that the machine's sources can have.
  case available(AccuracyLevel)
  /// `nextDeadline` has come. Too early is harmless.
  case wake
}

/// The service's authorization of a client's owner, as far as the bridge acts on it.
package enum AuthorizationAnswerState: Hashable, Sendable {
  case allowed
  /// Nothing is decided. `isOpen`: a prompt is shown to a person who can answer it.
  case undecided(isOpen: Bool)
  case denied

  package init(_ authorization: Authorization, _ presence: ClientPresence) {
    self =
      if authorization.allows(presence) {
        .allowed
      } else if authorization.level == .notDetermined {
        .undecided(isOpen: authorization.isPending && authorization.canBeAnswered)
      } else {
        .denied
      }
  }
}

/// What the bridge does.
package enum BridgeAction: Hashable, Sendable {
  case answer(CallNumber, [BusValue])
  case fail(CallNumber, BusError)
  /// `to` `nil`: to everyone.
  case emit(BusSignal, to: String?)
  /// Asks an agent for its properties; answered by `.agentProperties`.
  case readAgent(String)
  /// Connects to the service on behalf of a connection, and watches its authorization. `name`: what the client calls itself.
  case open(client: Int, owner: String, name: String, isReduced: Bool)
  /// Asks a person for the authorization of the client's owner; answered by `.asked`.
  case ask(client: Int)
  /// Requests the positions of a client.
  case update(client: Int, isReduced: Bool)
  /// Ends the client's connection to the service.
  case close(client: Int)
  /// Nobody needs the bridge: end.
  case exit
}
