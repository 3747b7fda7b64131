package import Geodesy
package import LocationPolicy

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
