package import LocationPolicy

/// Why what was decided is not on the disk.
package enum KeepingProblem: Hashable, Sendable {
  /// The disk refuses; `reason` is a clause in words.
  case failed(reason: String, StorageCause)
  /// The disk has not answered in that time.
  case late(after: Duration)
}
