/// Properties of this process's output, from its environment.
package enum ServiceVariables {
  /// Whether stderr is the journal, which accepts a priority before each line (sd-daemon(3)).
  package static var isJournal: Bool { ProcessEnvironment.value("JOURNAL_STREAM").map { !$0.isEmpty } ?? false }
}
