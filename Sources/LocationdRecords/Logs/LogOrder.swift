import LocationIPC
import LocationPolicy
import LocationdService

/// An order from the service to the log thread.
enum LogOrder: Sendable {
  /// Resume the logs that were being recorded when the service ended.
  case begin
  /// `of`: the owner of the client; `nil`: this process itself.
  case request(LogRequest, RequestID, from: ClientID, of: LogOwner?)
  /// A client has disconnected.
  case left(ClientID)
  /// An event that the service sent to one of the keeper's internal clients.
  case heard(ServiceEvent, by: ClientID)
  /// Report the current state of the logs.
  case describe
  /// Write everything to disk and end.
  case end
}
