import LocationdConfiguration

/// Log lines about the configuration.
extension DaemonLog {
  func write(_ change: ConfigurationChange, _ problems: [String]) {
    let applied = change.applied.isEmpty ? "no setting has changed" : change.applied.joined(separator: ", ")
    line(.notice, "Reloaded the settings and the state folder: \(clean(applied, limit: 800)).")
    if !change.pending.isEmpty {
      line(.notice, "Restart locationd to apply the changed settings: \(change.pending.joined(separator: ", ")).")
    }
    for problem in problems { warn(problem) }
  }

  /// Logs that a reload left the settings unchanged.
  func refuse(_ problems: [String]) {
    line(
      .error,
      "The settings were not reloaded, because the configuration cannot be read; the previous settings remain in effect. Correct the "
        + "problems in the next lines, then run 'sudo systemctl reload locationd'. Only the state folder was reloaded.")
    for problem in problems { warn(problem) }
  }

  /// Logs one problem of the configuration.
  func warn(_ problem: String) { line(.warning, clean(problem, limit: 1000)) }
}
