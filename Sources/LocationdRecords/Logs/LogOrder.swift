import LocationIPC
import LocationPolicy
import LocationdService

/// What the service tells the thread of its logs.
enum LogOrder: Sendable {
  /// Go on with the logs that were recorded when the service ended.
  case begin
  /// `of`: whose client it is; `nil`: this process's own.
  case request(LogRequest, RequestID, from: ClientID, of: LogOwner?)
  /// A client has gone.
  case left(ClientID)
  /// What the service has told one of the keeper's own clients.
  case heard(ServiceEvent, by: ClientID)
  /// Tell the logs as they are now.
  case describe
  /// Bring everything to the disk, and end.
  case end
}
