package import Geodesy

/// What the owner of a log wants recorded and kept.
package struct LogWish: Hashable, Sendable {
  /// Only fixes at least this far from the one recorded before; `nil`: all.
  package var distanceFilter: Meters?
  /// Only fixes at least this long after the one recorded before; `nil`: all.
  package var interval: Duration?
  /// Only fixes with at most this 68 % radius; `nil`: all.
  package var desiredRadius68: Meters?
  /// Suspect fixes are recorded too, with their mark; nothing is judged by them.
  package var keepsSuspects = false
  /// Fixes are recorded while standing still, too.
  package var keepsStandstill = false
  /// What is kept; `nil`: `LogRetention.standard`.
  package var retention: LogRetention?
  /// Whose it is; `nil`: of the process that keeps it, as before there were owners. It stays so, too.
  package var owner: LogOwner?
  /// Who alone can read it; `nil`: it is open. It stays so as long as the log is there.
  package var seal: SealKey?

  /// Every fix that moved.
  package init() {}
}

/// Whose a log is: the client that began it, as the kernel vouched for it.
package struct LogOwner: Hashable, Sendable {
  package var identity: ClientIdentity
  /// Whether its process could open the receivers by a group that its account does not have (as by systemd's
  /// `SupplementaryGroups=`): what it begins may be recorded without it.
  package var isEntitled: Bool

  package init(_ identity: ClientIdentity, isEntitled: Bool = false) {
    self.identity = identity
    self.isEntitled = isEntitled
  }
}

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

/// How often a log is brought to the disk, and what it takes for a gap.
package struct LogPace: Hashable, Sendable {
  /// At most this much is lost when the power fails (issue: ≤ 30 s).
  package var sync: Duration = .seconds(30)
  /// The first sync comes this long after the first fix, and each later one twice as long after as the one before, up to
  /// `sync`: a service that is killed again and again records something all the same. `nil`: each as `sync` says.
  package var firstSync: Duration?
  /// No fix for longer than this, and than three of the receiver's epochs, parts a track: at a motorway's speed it is some
  /// 300 m, more than a straight line may be drawn over.
  package var gap: Duration = .seconds(10)
  /// After this long it is tried again to write where there was no room.
  package var retry: Duration = .seconds(60)

  package init() {}
}
