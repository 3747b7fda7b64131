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
        return Diagnostics.report(FailureMessage(.radio(.switchedOff)))
      }
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
    return withHost(source, body)
  }

  /// Runs `body` with the daemon, which alone stores the grants.
  static func withDaemon(_ body: (any ServiceAccess) -> CommandStatus) -> CommandStatus {
    do throws(HostError) {
      guard let daemon = try daemon(nil) else { return Diagnostics.report(.noDaemon) }
      return body(daemon)
    } catch {
      return Diagnostics.report(FailureMessage(error))
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
      return Diagnostics.report(FailureMessage(error))
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
        return Diagnostics.report(
          FailureMessage("LOCATIOND_GPSD is not an address: set it to HOST:PORT, or to off to ignore gpsd.", .usage)
        )
      }
      gpsd = address
    }
    do throws(HostError) {
      let host = try EmbeddedHost(source: source, realtime: realtime, minding: gpsd)
      host.onLeftChanged = { path, count in
        let settings = count == 1 ? "a setting" : "\(count) settings"
        Diagnostics.print(
          "The receiver on \(TerminalText.sanitized(path)) did not accept its old value of \(settings): "
            + "unplug it once, or run 'locationctl watch' again, which tries again.")
      }
      return body(host)
    } catch {
      return Diagnostics.report(FailureMessage(error))
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
      return Diagnostics.report(FailureMessage(error))
    }
  }
}
