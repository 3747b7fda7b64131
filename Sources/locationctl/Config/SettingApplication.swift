import LinuxIO
import LocationIPC
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdHost

/// Applies a change of the drop-in that was just written, as far as this user has permission, and prints what is left
/// to do.
struct SettingApplication {
  private let key: String
  private let files: ConfigurationFiles

  init(_ key: String, in files: ConfigurationFiles) { (self.key, self.files) = (key, files) }

  /// - Parameter value: the value that was written; `nil` if the setting was removed.
  func apply(_ value: String?) -> CommandStatus {
    let entry = files.load(ofUnit: true).entry(key)
    if value != nil, let entry, entry.origin.path != files.dropIn {
      Diagnostics.print(
        "\(key) was stored, but \(TerminalText.sanitized(entry.origin.text)) takes precedence: remove the setting there."
      )
      return .done
    }
    if ServiceStatus.ofDaemon != nil, files.load().isIncomplete {
      Diagnostics.print(
        "\(key) was stored, but locationd does not apply it until it can read all files: correct what 'locationctl config check' reports."
      )
      return .done
    }
    let current = entry?.value.map { "\(key) is \(TerminalText.sanitized($0))" } ?? "\(key) is not set"
    return CommandStatus.done.confirmed("\(current). \(applied)")
  }

  /// Makes the daemon reload its settings, if that is sufficient and this user has permission. Returns how the change
  /// takes effect.
  private var applied: String {
    guard let process = ServiceStatus.ofDaemon?.processID else { return "It takes effect when locationd starts." }
    guard SettingKey(rawValue: key)?.isAppliedAtRunTime ?? true else {
      return "Restart locationd to apply it: sudo systemctl restart locationd"
    }
    // The process ID comes from the service: check that the process is a daemon before it gets a signal.
    guard MachineSurvey.isDaemon(process), ProcessSignal.hangUp(process) else {
      return "Reload locationd to apply it: sudo systemctl reload locationd"
    }
    return "locationd applies it now."
  }
}

extension SettingOrigin {
  /// The path of the configuration file that contains the setting; `nil` if the setting does not come from one.
  fileprivate var path: String? { if case .file(let path, _) = self { path } else { nil } }
}
