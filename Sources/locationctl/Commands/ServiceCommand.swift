import ArgumentParser
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import LocationdServer
import LocationdService
import Positioning

/// A command that connects to the service, or hosts it in this process, and ends with an exit status of the command line contract.
protocol ServiceCommand: ParsableCommand {
  /// Runs the command; throws a usage error that is only detected at this point.
  func execute() throws -> CommandStatus
}

extension ServiceCommand {
  /// The default purpose of a command in a shell or a script.
  private static var anyPurpose: String { "for a command in a terminal or a script" }

  /// Runs `body` with the service: the daemon's if it answers and `source` is automatic or one that it has, else a service hosted
  /// in this process.
  ///
  /// - Parameters:
  ///   - isAboutDaemon: use the daemon whatever source is named.
  ///   - purpose: the purpose of the location request, shown to the user.
  static func withService(
    _ source: SourceSelection, isAboutDaemon: Bool = false, purpose: String? = nil,
    _ body: (any ServiceAccess) -> CommandStatus
  ) -> CommandStatus {
    do throws(HostError) {
      if isAboutDaemon || source == .automatic, let daemon = try daemon(purpose) { return body(daemon) }
      if let daemon = daemonHaving(source, purpose) { return body(daemon) }
      // If the administrator has switched Wi-Fi off in the daemon, leave the radio alone.
      if source == .wifi, ServiceStatus.ofDaemon?.wifi == .off {
        return Diagnostics.end(FailureSentence(.radio(.switchedOff)))
      }
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
    return withHost(source, body)
  }

  /// Runs `body` with the daemon, which alone stores the grants.
  static func withDaemon(_ body: (any ServiceAccess) -> CommandStatus) -> CommandStatus {
    do throws(HostError) {
      guard let daemon = try daemon(nil) else { return Diagnostics.end(.noDaemon) }
      return body(daemon)
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
  }

  private static func daemon(_ purpose: String?) throws(HostError) -> RemoteHost? {
    try RemoteHost(name: "locationctl", usage: usage(purpose))
  }

  /// The daemon, if it has opened the named port. If the daemon cannot be reached, this command opens the port itself and reports
  /// who uses it.
  private static func daemonHaving(_ source: SourceSelection, _ purpose: String? = nil) -> RemoteHost? {
    guard case .serial(let path, let baud) = source else { return nil }
    return try? RemoteHost(having: path, baud: baud, name: "locationctl", usage: usage(purpose))
  }

  private static func usage(_ purpose: String?) -> DeclaredUsage {
    let purpose = purpose ?? anyPurpose
    return DeclaredUsage(whenInUse: purpose, always: purpose)
  }

  /// Runs `body` with the receivers' own output: the daemon's if it answers and `source` is automatic or one that it has,
  /// in the configuration that the daemon gives its receivers; else that of receivers that a service hosted here opens.
  static func withReceivers(
    _ source: SourceSelection, realtime: Bool = true, _ body: (EmbeddedHost) -> CommandStatus
  ) -> CommandStatus {
    do throws(HostError) {
      if source == .automatic, try RemoteHost.isServed() {
        return withHost(.daemon(device: nil), realtime: realtime, body)
      }
      if let device = daemonHaving(source)?.device {
        return withHost(.daemon(device: device), realtime: realtime, body)
      }
      return withHost(source, realtime: realtime, body)
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
  }

  /// Opens the service and runs `body` with it; prints the reason if it cannot be opened.
  static func withHost(
    _ source: SourceSelection, realtime: Bool = true, _ body: (EmbeddedHost) -> CommandStatus
  ) -> CommandStatus {
    let gpsd: GPSDAddress?
    switch ServiceVariables.gpsd {
    case nil: gpsd = .local
    case "off": gpsd = nil
    case let text?:
      guard let address = GPSDAddress(parsing: text) else {
        return Diagnostics.end(
          FailureSentence("LOCATIOND_GPSD is not an address: set it to HOST:PORT, or to off to ignore gpsd.", .usage)
        )
      }
      gpsd = address
    }
    do throws(HostError) {
      let host = try EmbeddedHost(source: source, realtime: realtime, minding: gpsd)
      host.onLeftChanged = { path, count in
        let settings = count == 1 ? "a setting" : "\(count) settings"
        Diagnostics.say(
          "The receiver on \(TerminalText.sanitized(path)) did not accept its old value of \(settings): "
            + "unplug it once, or run 'locationctl watch' again, which tries again.")
      }
      return body(host)
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
  }
}

extension ServiceAccess {
  /// Serves until it is stopped. If it fails, prints the reason and returns the exit status.
  func serve() -> CommandStatus? {
    do throws(HostError) {
      try run()
      return nil
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
  }
}

extension FailureSentence {
  /// The request needs the daemon, and none is running.
  static let noDaemon = FailureSentence(
    "locationd is not running, and only locationd stores who has access to the location: start it with "
      + "'sudo systemctl start locationd'.", .noSource)

  /// Why the service could not be hosted. If the system lacks a resource that may become available again: 75.
  init(_ error: HostError) {
    switch error {
    case .noSuchFile(let path):
      self.init(
        "There is no file \(TerminalText.sanitized(path)): name a capture, an NMEA log or a UBX log.", .badInput)
    case .badFile(let path, let reason):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be played (\(TerminalText.sanitized(reason))): "
          + "name a capture, an NMEA log or a UBX log.", .badInput)
    case .stateInUse(let path, let processID):
      let process = processID.map { " (process \($0))" } ?? ""
      self.init(
        "Another locationd\(process) uses the state folder \(TerminalText.sanitized(path)): end it, or set LOCATIOND_STATE to another "
          + "folder.", .locationUnknown)
    case .stateUnwritable(let path, let errno):
      self.init(
        "Cannot write the state folder \(TerminalText.sanitized(path)) (\(ErrorWords.of(errno))): set LOCATIOND_STATE to another "
          + "folder.", .cannotWrite)
    case .stateOpenToOthers(let path, _):
      self.init(
        "Other users can write to the state folder \(TerminalText.sanitized(path)): make it your own with mode 700, or "
          + "set LOCATIOND_STATE to another folder.", .denied)
    case .barred(let socket, _, let errno) where SystemErrorKind(errno) == .denied:
      self.init(
        "You may not connect to the location service at \(TerminalText.sanitized(socket)) (\(ErrorWords.of(errno))): "
          + "put sudo before the command, or give all users access to that socket; the service itself checks each user's access.",
        .denied)
    case .barred(let socket, let operation, let errno):
      self.init(
        "The location service at \(TerminalText.sanitized(socket)) cannot be reached "
          + "(\(TerminalText.sanitized(operation)): \(ErrorWords.of(errno))): see whether it runs with 'systemctl status locationd'.",
        .locationUnknown)
    case .system(let operation, let errno):
      self.init(
        "The system call \(TerminalText.sanitized(operation)) failed (\(ErrorWords.of(errno))): try again later.",
        .locationUnknown)
    }
  }
}
