package import Geodesy
package import LocationPolicy

/// What a client asks of the logs that the service keeps in the background.
package enum LogRequest: Hashable, Sendable {
  /// Records from now on, also after the service or the machine has begun anew; one that is recorded already is recorded as
  /// `options` say from now on. Answered by `.done`.
  case start(name: String, LogOptions)
  /// Records no more; what was recorded stays. Answered by `.done`.
  case stop(name: String)
  /// Stops it and deletes what was recorded. Answered by `.done`.
  case remove(name: String)
  /// Answered by `.logs`.
  case list
  /// The fixes from `from` to `to`, both among them; all where neither is given. Answered by the first `.page`.
  case read(name: String, from: GNSSTime?, to: GNSSTime?)
  /// The same of a sealed log: what may hold those fixes, closed as it is. Answered by the first `.sealed`.
  case readSealed(name: String, from: GNSSTime?, to: GNSSTime?)
  /// What follows a page, by its bookmark. Answered by the next `.page` or `.sealed`.
  case readOn(Bookmark)

  /// Where a reading has come to; it is worth something to the client that was given it, until the service ends.
  package struct Bookmark: Hashable, Sendable {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  }
}

/// What the service answers of its logs.
package enum LogAnswer: Hashable, Sendable {
  /// All there are, by name.
  case logs([LogDescription])
  /// Part of a track.
  case page(LogPage)
  /// Part of a sealed track.
  case sealed(SealedPage)
}

/// Some entries of a track, in their order.
package struct LogPage: Hashable, Sendable {
  package var entries: [TrackEntry]
  /// For what follows; `nil`: this was the last.
  package var next: LogRequest.Bookmark?
  /// Blocks and files that were left out so far, as they do not hold what was written.
  package var damaged: Int
  /// Why the log, which is to be recorded, is not: what came last is not in it.
  package var problem: LogProblem?

  package init(entries: [TrackEntry], next: LogRequest.Bookmark?, damaged: Int) {
    self.entries = entries
    self.next = next
    self.damaged = damaged
  }
}

/// Some pieces of a sealed track, in their order.
package struct SealedPage: Hashable, Sendable {
  package var pieces: [SealedPiece]
  /// For what follows; `nil`: this was the last.
  package var next: LogRequest.Bookmark?
  /// Why the log, which is to be recorded, is not: what came last is not in it.
  package var problem: LogProblem?

  package init(pieces: [SealedPiece], next: LogRequest.Bookmark?) {
    self.pieces = pieces
    self.next = next
  }
}

/// What is recorded of where the machine is, and how much of it is kept.
package struct LogOptions: Hashable, Sendable {
  /// Only fixes at least this far from the one recorded before; `nil`: all.
  package var distanceFilter: Meters?
  /// Only fixes at least this long after the one recorded before; `nil`: all.
  package var interval: Duration?
  /// Only fixes with at most this 68 % radius; `nil`: all.
  package var desiredRadius68: Meters?
  /// Fixes are recorded while standing still, too.
  package var keepsStandstill = false
  /// Suspect fixes are recorded too.
  package var keepsSuspects = false
  /// How much is kept, the newest; `nil`: what a disk of that size can spare.
  package var keeps: LogAmount?
  /// The public key of who alone can read it, as one word (`seal1…`); `nil`: as it is, and a new log is open.
  package var seal: String?

  /// Every fix that moved.
  package init() {}
}

/// How much of a log is kept.
package enum LogAmount: Hashable, Sendable {
  /// 1…36,500.
  case days(Int)
  /// 10⁶ bytes, 1…1,000,000.
  case megabytes(Int)

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

  /// Whether the number lies in its range.
  package var isAllowed: Bool {
    switch self {
    case .days(let count): (1...36_500).contains(count)
    case .megabytes(let count): (1...1_000_000).contains(count)
    }
  }
}

/// One log as `locationctl log list` shows it.
package struct LogDescription: Hashable, Sendable {
  /// What its owner calls it.
  package var name: String
  /// Whether it is being recorded.
  package var isRunning: Bool
  /// How it is, or was, recorded.
  package var options: LogOptions
  /// What it takes of the disk.
  package var bytes: Int
  /// The time of its first fix, of a sealed log 00:00 UTC of that day; `nil`: it has none.
  package var begin: GNSSTime?
  /// The time of its last fix, of a sealed log 00:00 UTC of that day; `nil`: it has none.
  package var end: GNSSTime?
  /// Whether it is to be recorded, and no process does: locationd does not run. Then `isRunning` is false.
  package var isInterrupted = false
  /// Why nothing can be recorded now.
  package var problem: LogProblem?
  /// Whose it is; `nil`: of the process that keeps it.
  package var owner: ClientIdentity?

  package init(name: String, isRunning: Bool, options: LogOptions, bytes: Int) {
    self.name = name
    self.isRunning = isRunning
    self.options = options
    self.bytes = bytes
  }
}

/// What keeps a log from being recorded. What the disk refuses is tried again every minute.
package enum LogProblem: Hashable, Sendable {
  /// The disk is too full: fewer bytes are free than have to be.
  case noRoom(free: Int, needed: Int)
  /// Another process writes to it.
  case inUse
  /// The system refuses to write; `errno` in words.
  case cannotWrite(errno: Int32)
  /// Its owner may not know where the machine is, in the background: it rests until somebody allows that.
  case notAllowed
}

/// Why the service does not do what it was asked of a log.
package enum LogFailure: Hashable, Sendable {
  /// There is no log of that name that the client may use; these it may.
  case unknown(name: String, known: [String])
  /// The name is empty, too long or of more than one line.
  case badName(String)
  /// Logs are recorded by locationd, and none answers.
  case needsDaemon
  /// The client reads too many logs at once.
  case tooManyReadings(limit: Int)
  /// There are as many logs as can be listed.
  case tooManyLogs(limit: Int)
  /// The service that gave the bookmark has ended.
  case unknownBookmark
  /// It is recorded no more, but the last of it could not be brought to the disk.
  case endLost(name: String, LogProblem)
  /// Another process records it, and only that one can end it; its number, where the kernel tells it.
  case recordedElsewhere(name: String, processID: Int32?)
  /// Only the owner of the key can read it.
  case sealed(name: String, key: String)
  /// Nobody needs a key to read it.
  case notSealed(name: String)
  /// There is such a log, and what it is does not change: it is open (`nil`), or sealed to that key.
  case otherSeal(name: String, key: String?)
  /// It is no key to seal with.
  case badSeal(String)
  /// What is kept in the state folder cannot be read or written; `reason` is a clause in words, `cause` what is to be done
  /// depends on.
  case cannotKeep(path: String, reason: String, cause: StorageCause = .other)
}
