/// How much of a log is kept; the oldest goes first.
package enum LogRetention: Hashable, Sendable {
  /// Whole days, 1…36,500; a little more, as whole segments go.
  case days(Int)
  /// Megabytes (10⁶ bytes) on the disk, 1…1,000,000.
  case megabytes(Int)

  /// What is kept where nobody said: 1,000 MB (a year and a half and more at a fix a second), or a twentieth of the disk
  /// where that is less, as on a small card.
  package static func standard(diskSize: Int) -> LogRetention {
    .megabytes(max(1, min(1000, diskSize / 20 / 1_000_000)))
  }

  /// Whether the number lies in its range.
  package var isAllowed: Bool {
    switch self {
    case .days(let count): (1...36_500).contains(count)
    case .megabytes(let count): (1...1_000_000).contains(count)
    }
  }
}
