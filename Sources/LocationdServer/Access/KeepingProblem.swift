package import LocationPolicy

/// Why decisions are not on disk.
package enum KeepingProblem: Hashable, Sendable {
  /// The write failed; `reason` is a clause for a message.
  case failed(reason: String, StorageCause)
  /// The write has not finished within the given time.
  case late(after: Duration)
}
