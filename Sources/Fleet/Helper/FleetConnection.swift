package import FleetDestinations
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
