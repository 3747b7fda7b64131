package import LocationIPC
package import LocationdService

/// What clients of a hosted service on other threads tell it.
package enum HostMessage: Sendable {
  case request(ClientID, ClientRequest)
  /// The client has gone, and its requests with it.
  case left(ClientID)
}
