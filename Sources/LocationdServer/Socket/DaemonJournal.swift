import Geodesy
import LinuxIO
package import LocationIPC
package import LocationdConfiguration
package import LocationdHost
package import LocationdRecords
import LocationdService

/// Events that a daemon logs: devices, clients and its own lifecycle; they never contain a position.
package enum DaemonEvent: Hashable, Sendable {
  case listening(at: String, source: String)
  case clientJoined(name: String, processID: Int32?)
  /// The payload is the reason why the daemon disconnected the client; `nil` if the client disconnected.
  case clientLeft(name: String, processID: Int32?, DisconnectReason?)
  case cannotAccept(String)
  case device(DeviceEvent)
  case log(LogServiceEvent)
  case monitoring(MonitoringServiceEvent)
  case launch(LaunchEvent)
  case access(AccessEvent)
  case network(NetworkEvent)
  case time(TimeEvent)
  case fleet(FleetServiceEvent)
  /// A request was refused because a limit was reached.
  case reached(ServiceBound)
  /// The settings and the state folder were loaded again; the payload contains the problems of the settings, and the
  /// level of the journal.
  case reloaded(ConfigurationChange, [String], LogLevel)
  /// The settings in effect stay, because the files cannot be read; the payload contains the problems of the files.
  case reloadRefused([String])
  case stopping
  case ended
}

/// Writes a daemon's events to the system's log.
package protocol DaemonLogWriter {
  func write(_ event: DaemonEvent)
}

/// The daemon's log: limits lines that a client could cause repeatedly, and records which limits were reached.
final class DaemonJournal {
  private let loop: EventLoop
  private let writer: any DaemonLogWriter
  private var bounds = BoundHistory()
  /// Why the connection of a user's client was closed.
  private struct DisconnectWarning: Hashable {
    let userID: UInt32
    let reason: DisconnectReason
  }

  /// Limits the lines about the clients of one user that are disconnected for one reason.
  private var complaints = WarningRateLimiter<DisconnectWarning>()

  init(loop: EventLoop, writer: any DaemonLogWriter) { (self.loop, self.writer) = (loop, writer) }

  /// Paces the lines about connections at TCP ports whose user the kernel does not report.
  private var unidentified = WarningRateLimiter<NetworkProtocol>()

  func write(_ event: DaemonEvent) {
    if case .network(.unidentified(let protocolName, _)) = event,
      !unidentified.isNew(protocolName, at: loop.now)
    {
      return
    }
    writer.write(event)
  }

  /// Called when a client has sent its hello.
  func joined(_ link: ClientLink) {
    write(.clientJoined(name: link.hello?.name ?? "", processID: link.peer?.processID))
  }

  /// Called when a client has disconnected or was disconnected.
  ///
  /// - Parameter reason: why the daemon disconnected the client; `nil` if the client disconnected.
  func left(_ link: ClientLink, reason: DisconnectReason?) {
    let isForced = reason.map { $0 != .stopping } ?? false
    if isForced, let reason,
      !complaints.isNew(DisconnectWarning(userID: link.peer?.userID ?? .max, reason: reason), at: loop.now)
    {
      return
    }
    if link.hello != nil || isForced {
      write(.clientLeft(name: link.hello?.name ?? "", processID: link.peer?.processID, reason))
    }
  }

  /// Called when a request or a client was refused because this limit was reached.
  func reached(_ bound: ServiceBound) {
    if bounds.note(bound, at: loop.now) { write(.reached(bound)) }
  }

  /// The limits that were reached recently.
  var reachedBounds: [ReachedBound] { bounds.reached(at: loop.now) }
}
