package import LinuxIO
package import LocationIPC
package import LocationStore
package import LocationdService

/// A report from the log thread to the service.
package enum LogReport: Sendable {
  /// A request from one of the keeper's internal clients, for a log.
  case ask(ClientRequest, by: ClientID, for: KeptLog)
  /// One of the internal clients has disconnected.
  case left(ClientID)
  /// The answer to another client's request.
  case answer(ServiceEvent, to: ClientID)
  case news(LogNews)
  /// The logs, in answer to `.describe`; `nil`: there are none, or they cannot be read.
  case account([LogDescription]?)
  /// The thread has ended: normally (`nil`), or because of this error.
  case ended(SystemError?)
}
