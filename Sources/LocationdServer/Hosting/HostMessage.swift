package import LocationIPC
package import LocationdService

/// Messages to a hosted service from clients on other threads.
package enum HostMessage: Sendable {
  case request(ClientID, ClientRequest)
  /// The client has disconnected; its requests are canceled.
  case left(ClientID)
}
