package import Geodesy

/// Which fixes a log records, and how many of them it keeps.
package struct LogOptions: Hashable, Sendable {
  /// Record only fixes at least this far from the previous recorded one; `nil`: all.
  package var distanceFilter: Meters?
  /// Record only fixes at least this long after the previous recorded one; `nil`: all.
  package var interval: Duration?
  /// Record only fixes with at most this 68 % radius; `nil`: all.
  package var desiredRadius68: Meters?
  /// Record fixes while standing still, too.
  package var keepsStandstill = false
  /// Record flagged fixes, too, with their flag; no filter measures from them.
  package var keepsSuspects = false
  /// How much is kept, the newest; `nil`: `LogRetention.standard`.
  package var retention: LogRetention?

  /// Records every usable fix, except those within a stay.
  package init() {}
}

/// A log's options, and what cannot be changed while the log exists.
package struct LogConfiguration: Hashable, Sendable {
  package var options: LogOptions
  /// The owner; `nil`: the user of the process that keeps the log, as in logs from before there were owners.
  package var owner: LogOwner?
  /// The key that encrypts the log; `nil`: not encrypted.
  package var publicKey: LogPublicKey?

  package init(_ options: LogOptions = LogOptions(), owner: LogOwner? = nil, publicKey: LogPublicKey? = nil) {
    (self.options, self.owner, self.publicKey) = (options, owner, publicKey)
  }
}

/// The owner of a log: the client that started it, authenticated by the kernel.
package struct LogOwner: Hashable, Sendable {
  package var identity: ClientIdentity
  /// Whether its process could open the receivers through a group that its account does not have (as with systemd's
  /// `SupplementaryGroups=`): its logs may then be recorded while it is not running.
  package var isEntitled: Bool

  package init(_ identity: ClientIdentity, isEntitled: Bool = false) {
    self.identity = identity
    self.isEntitled = isEntitled
  }
}

/// How much of a log is kept; the oldest segments are deleted first.
package enum LogRetention: Hashable, Sendable {
  /// Whole days, 1…36,500; a little more is kept, because whole segments are deleted.
  case days(Int)
  /// Megabytes (10⁶ bytes) on the disk, 1…1,000,000.
  case megabytes(Int)

  /// The default: 1,000 MB (a year and a half or more at one fix per second), or a twentieth of the disk if that is less, as on a
  /// small card.
  package static func standard(diskSize: Int) -> LogRetention {
    .megabytes(max(1, min(1000, diskSize / 20 / 1_000_000)))
  }

  /// Reads a number with a unit: `30d`, `30days`, `500MB`, `2GB`; `nil` for anything else.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).lowercased() {
    case "d", "day", "days": self = .days(count)
    case "mb": self = .megabytes(count)
    case "gb" where count <= 1000: self = .megabytes(count * 1000)
    default: return nil
    }
    guard isAllowed else { return nil }
  }

  /// Whether the number is in its range.
  package var isAllowed: Bool {
    switch self {
    case .days(let count): (1...36_500).contains(count)
    case .megabytes(let count): (1...1_000_000).contains(count)
    }
  }
}

/// How often a log is synced to the disk, and what counts as a gap.
package struct LogSyncPolicy: Hashable, Sendable {
  /// A power failure loses at most the fixes of this period.
  package var sync: Duration = .seconds(30)
  /// The first sync comes this long after the first fix, and each later interval is twice the one before, up to `sync`: a service
  /// that is killed repeatedly still records something. `nil`: always `sync`.
  package var firstSync: Duration?
  /// A period without a fix that is longer than this, and than three of the receiver's epochs, interrupts the track: at motorway
  /// speed it is about 300 m, too far to draw a straight line.
  package var gap: Duration = .seconds(10)
  /// How long after a failure for lack of space writing is tried again.
  package var retry: Duration = .seconds(60)

  package init() {}
}
