import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import LocationdService
import Positioning

/// How a session connects to the service: in locationd, or in this process.
extension CommandSession {
  /// The purpose of a location request if the user gives none.
  private static let anyPurpose = "for a command in a terminal or a script"

  /// Runs `body` with the service of the daemon, if it answers and `source` is automatic or a source that it has
  /// opened; otherwise with a service hosted in this process.
  ///
  /// - Parameters:
  ///   - isAboutDaemon: whether the command is about the daemon itself. It then uses the daemon, if that answers, for
  ///     every source.
  ///   - purpose: the purpose of the location request, shown to the user.
  static func withService(
    _ source: SourceSelection, isAboutDaemon: Bool = false, purpose: String? = nil,
    _ body: (CommandSession) -> CommandStatus
  ) -> CommandStatus {
    do throws(HostError) {
      if isAboutDaemon || source == .automatic, let daemon = try daemon(purpose) { return body(CommandSession(daemon)) }
      if let daemon = daemonHaving(source, purpose) { return body(CommandSession(daemon)) }
      // If the administrator has switched Wi-Fi off in the daemon, leave the radio alone.
      if source == .wifi, ServiceStatus.ofDaemon?.wifi == .off {
        return Diagnostics.report(FailureMessage(.radio(.switchedOff)))
      }
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
    return withHostedService(source) { session, _ in body(session) }
  }

  /// Runs `body` with the daemon; if none is running, prints `absence` and returns its exit status.
  static func withDaemon(
    purpose: String? = nil, orFail absence: FailureMessage = .noDaemon, _ body: (CommandSession) -> CommandStatus
  ) -> CommandStatus {
    do throws(HostError) {
      guard let daemon = try daemon(purpose) else { return Diagnostics.report(absence) }
      return body(CommandSession(daemon))
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
  }

  /// Runs `body` with the daemon; `nil` if it does not answer, for whatever reason.
  static func withDaemonIfAny(purpose: String? = nil, _ body: (CommandSession) -> CommandStatus) -> CommandStatus? {
    guard let daemon = try? daemon(purpose) else { return nil }
    return body(CommandSession(daemon))
  }

  /// The daemon, for names in shell completion; `nil` if it does not answer, for whatever reason.
  static func daemonForCompletion() -> RemoteHost? { try? daemon("to complete a command line") }

  private static func daemon(_ purpose: String?) throws(HostError) -> RemoteHost? {
    try RemoteHost(name: "locationctl", usage: usage(purpose))
  }

  /// The daemon, if it has opened this source. `nil` also if the daemon cannot be reached: this command then tries to
  /// open the port itself, and reports which process uses the port.
  static func daemonHaving(_ source: SourceSelection, _ purpose: String? = nil) -> RemoteHost? {
    switch source {
    case .serial(let path, let baud):
      return try? RemoteHost(having: path, baud: baud, name: "locationctl", usage: usage(purpose))
    case .receiver(let receiver):
      // The daemon has the same name for the receiver if it has read the same files; otherwise compare the ID or the
      // port.
      return try? RemoteHost(
        having: { $0.name == receiver.name || receiver.matches(id: $0.id, path: $0.path) }, name: "locationctl",
        usage: usage(purpose))
    case .automatic, .replay, .gpsd, .network, .wifi, .simulator, .daemon: return nil
    }
  }

  private static func usage(_ purpose: String?) -> DeclaredUsage {
    let purpose = purpose ?? anyPurpose
    return DeclaredUsage(whenInUse: purpose, always: purpose)
  }
}
