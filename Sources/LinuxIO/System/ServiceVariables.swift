/// Properties of this process's output, from its environment.
package enum ServiceVariables {
  /// Whether systemd has connected stderr to the journal, which accepts a priority before each line (sd-daemon(3)). A later
  /// redirection of stderr is not noticed.
  package static var isJournal: Bool { ProcessEnvironment.value("JOURNAL_STREAM").map { !$0.isEmpty } ?? false }
}
