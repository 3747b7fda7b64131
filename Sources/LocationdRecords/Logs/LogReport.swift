package import LinuxIO
package import LocationIPC
package import LocationStore
package import LocationdService

/// What the thread of the logs tells the service.
package enum LogReport: Sendable {
  /// A request of one of the keeper's own clients, for a log.
  case ask(ClientRequest, by: ClientID, for: KeptLog)
  /// One of them has gone.
  case left(ClientID)
  /// An answer to somebody else's request.
  case answer(ServiceEvent, to: ClientID)
  case news(LogNews)
  /// The logs, as `.describe` asked; `nil`: there are none, or they cannot be told.
  case account([LogDescription]?)
  /// The thread has ended: as it was told, or by that error.
  case ended(SystemError?)
}
