import LinuxIO
import LocationIPC
import LocationReplay
import LocationdClient
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdHost
import LocationdServer
import LocationdService

/// The raw output of the receivers, which only a service hosted in this process provides. This is the only file of this
/// target that refers to the host.
struct ReceiverOutput {
  fileprivate let host: EmbeddedHost

  /// Records the output from now on; must be called before the session runs.
  func record(to recording: CaptureRecording) { host.record(to: recording) }

  /// Passes the output to `body` from now on; must be called before the session runs.
  func follow(_ body: @escaping (CaptureRecord) -> Void) { host.follow(body) }

  /// Examines the output from now on, and writes nothing to the receivers; must be called before the session runs.
  func examine() -> ReceiverExaminer { host.examine() }
}

extension CommandSession {
  /// Runs `body` with the raw output of the receivers: from the daemon, if it answers and `source` is automatic or a
  /// source that it has opened, with the receivers configured by the daemon; otherwise from receivers that a service
  /// hosted here opens.
  static func withReceivers(
    _ source: SourceSelection, realtime: Bool = true, _ body: (CommandSession, ReceiverOutput) -> CommandStatus
  ) -> CommandStatus {
    do throws(HostError) {
      if source == .automatic, try RemoteHost.isServed() {
        return withHostedService(.daemon(device: nil), realtime: realtime, body)
      }
      if let device = daemonHaving(source)?.device {
        return withHostedService(.daemon(device: device), realtime: realtime, body)
      }
      return withHostedService(source, realtime: realtime, body)
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
  }

  /// Hosts a service on `source` and runs `body` with it; prints the reason if that is impossible.
  ///
  /// - Parameter realtime: whether a recording is played at its own speed instead of as fast as possible.
  static func withHostedService(
    _ source: SourceSelection, realtime: Bool = true, _ body: (CommandSession, ReceiverOutput) -> CommandStatus
  ) -> CommandStatus {
    let settings: ServiceSettings
    do throws(FailureMessage) {
      settings = try Self.settings()
    } catch {
      return Diagnostics.report(error)
    }
    // The setting `source` applies to commands that find no daemon and are given no source.
    let source = source == .automatic ? settings.source : source
    do throws(HostError) {
      let host = try EmbeddedHost(source: source, realtime: realtime, minding: settings.gpsd, settings: settings)
      host.onLeftChanged = { path, count in
        let settings = count == 1 ? "the old value of a setting" : "the old values of \(count) settings"
        Diagnostics.print(
          "The receiver on \(TerminalText.sanitized(path)) did not accept \(settings): "
            + "unplug it once, or run 'locationctl watch', which tries once more.")
      }
      return body(CommandSession(host), ReceiverOutput(host: host))
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
  }

  /// The settings of a service in this process. An invalid LOCATIOND_GPSD ends the command, because its user can
  /// correct it; other problems are ignored here, because `doctor` and `config check` report them.
  private static func settings() throws(FailureMessage) -> ServiceSettings {
    let configuration = ConfigurationFiles.ofProcess.load()
    for problem in configuration.problems {
      if case .variable(SettingKey.gpsd.variable) = problem.origin, problem.kind == .invalid {
        throw FailureMessage("LOCATIOND_GPSD is not an address: set it to HOST:PORT, or to off to ignore gpsd.", .usage)
      }
    }
    return configuration.settings
  }
}
