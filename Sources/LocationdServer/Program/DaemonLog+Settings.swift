import LocationdConfiguration

/// Log lines about the configuration.
extension DaemonLog {
  func write(_ change: ConfigurationChange, _ problems: [String]) {
    let applied = change.applied.isEmpty ? "no setting has changed" : change.applied.joined(separator: ", ")
    line(.notice, "Reloaded the settings and the state folder: \(clean(applied, limit: 800)).")
    if !change.pending.isEmpty {
      line(.notice, "Restart locationd to apply what has changed in: \(change.pending.joined(separator: ", ")).")
    }
    for problem in problems { warn(problem) }
  }

  /// One problem of the configuration.
  func warn(_ problem: String) { line(.warning, clean(problem, limit: 1000)) }
}
