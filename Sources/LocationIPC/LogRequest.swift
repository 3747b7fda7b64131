package import Geodesy
package import LocationPolicy

/// A client's request about the logs that the service records in the background.
package enum LogRequest: Hashable, Sendable {
  /// Starts recording, which continues after a restart of the service or the machine; for a log that is already being recorded,
  /// `options` apply from now on. `publicKey`: the public key of the only reader, as text (`seal1…`); `nil`: unchanged, and a new log
  /// is not encrypted. Answered by `.done`.
  case start(name: String, LogOptions, publicKey: String? = nil)
  /// Stops recording; the recorded fixes stay. Answered by `.done`.
  case stop(name: String)
  /// Stops the log and deletes it with everything in it: fixes, imported points and notes. Answered by `.done`.
  case remove(name: String)
  /// Answered by `.logs`.
  case list
  /// The fixes from `from` to `to`, inclusive; `nil` sets no bound. Answered by the first `.page`.
  case read(name: String, from: GNSSTime?, to: GNSSTime?)
  /// The same for an encrypted log: the encrypted pieces that may contain those fixes. Answered by the first `.sealed`.
  case readSealed(name: String, from: GNSSTime?, to: GNSSTime?)
  /// The next page for a bookmark. Answered by the next `.page` or `.sealed`.
  case readOn(Bookmark)
  /// Gives a log another name, also while it is recorded. Answered by `.done`.
  case rename(name: String, to: String)
  /// Stores a note at the current position, or at the last position of the log. Answered by `.done` once it is on disk.
  case note(name: String, text: String)
  /// The notes from this number on, counted from 0. Answered by `.notes`.
  case notes(name: String, from: Int)
  /// The fixes from `from` on, and then what is recorded from now on. Answered by the first `.page`, which may be empty.
  case follow(name: String, from: GNSSTime?)
  /// The same for an encrypted log: its pieces, as soon as they are written. Answered by the first `.sealed`.
  case followSealed(name: String, from: GNSSTime?)
  /// The next page of a log that is followed, as soon as it has an entry. Answered by the next `.page` or `.sealed`.
  case followOn(Bookmark)

  /// Adds fixes of another program's file to a log, which is created if there is none of that name; it is not recorded then. They may
  /// be in any order; an interruption separates those that are not connected. Answered by `.imported`; the fixes that it counts as
  /// waiting are not on disk yet.
  case addImported(name: String, [TrackEntry])
  /// Writes waiting imported fixes to disk. Answered by `.imported`; repeat it until none is waiting.
  case finishImport(name: String)

  /// Whether the answer waits for something to be recorded.
  package var isWaiting: Bool { if case .followOn = self { true } else { false } }

  /// The position of a reading; valid only for the client that received it, until the service ends.
  package struct Bookmark: Hashable, Sendable {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  }
}

/// The service's answer to a `LogRequest`.
package enum LogAnswer: Hashable, Sendable {
  /// All logs, by name.
  case logs([LogDescription])
  /// Part of a track.
  case page(LogPage)
  /// Part of an encrypted track.
  case sealed(EncryptedPage)
  /// Some notes. `next`: where to continue; `nil`: these were the last. `damaged`: how many were left out because they are damaged.
  case notes([StoredNote], next: Int?, damaged: Int)
  /// The state of an import.
  case imported(LogImportReport)
}

/// A note of a log.
package enum StoredNote: Hashable, Sendable {
  case open(TrackNote)
  /// The record of an encrypted note, which only the log's owner can decrypt.
  case sealed([UInt8])
}

/// What has become of the fixes that a client has imported into a log since its last finished import.
package struct LogImportReport: Hashable, Sendable {
  /// On disk.
  package var added: Int
  /// Not added, because the log had a fix of the same time and place.
  package var known: Int
  /// Not added, because they are older than what the log keeps.
  package var tooOld: Int
  /// Not on disk yet.
  package var waiting: Int

  package init(added: Int, known: Int, tooOld: Int, waiting: Int) {
    (self.added, self.known, self.tooOld, self.waiting) = (added, known, tooOld, waiting)
  }
}

/// Some entries of a track, in their order.
package struct LogPage: Hashable, Sendable {
  package var entries: [TrackEntry]
  /// The next page; `nil`: this was the last.
  package var next: LogRequest.Bookmark?
  /// Number of damaged blocks and files left out so far.
  package var damaged: Int
  /// Why a log that should be recorded is not: the latest fixes are missing.
  package var problem: LogProblem?

  package init(entries: [TrackEntry], next: LogRequest.Bookmark?, damaged: Int) {
    self.entries = entries
    self.next = next
    self.damaged = damaged
  }
}

/// Some pieces of an encrypted track, in their order.
package struct EncryptedPage: Hashable, Sendable {
  package var pieces: [EncryptedPiece]
  /// The next page; `nil`: this was the last.
  package var next: LogRequest.Bookmark?
  /// Why a log that should be recorded is not: the latest fixes are missing.
  package var problem: LogProblem?

  package init(pieces: [EncryptedPiece], next: LogRequest.Bookmark?) {
    self.pieces = pieces
    self.next = next
  }
}

/// One log as `locationctl log list` shows it.
package struct LogDescription: Hashable, Sendable {
  /// The name that its owner chose.
  package var name: String
  /// Whether it is being recorded.
  package var isRunning: Bool
  /// The options of the current or last recording.
  package var options: LogOptions
  /// The public key of its only reader, as text (`seal1…`); `nil`: it is not encrypted.
  package var publicKey: String?
  /// Its size on the disk, bytes.
  package var bytes: Int
  /// The time of its first fix; for an encrypted log, 00:00 UTC of that day. `nil`: it has none.
  package var begin: GNSSTime?
  /// The time of its last fix; for an encrypted log, 00:00 UTC of that day. `nil`: it has none.
  package var end: GNSSTime?
  /// The number of its fixes, and the length of its track; `nil`: unknown, as for an encrypted log.
  package var points: Int?
  package var distance: Meters?
  /// Whether it should be recorded, but locationd does not run. Then `isRunning` is false.
  package var isInterrupted = false
  /// Why nothing can be recorded now.
  package var problem: LogProblem?
  /// Its owner; `nil`: the owner of the process that records it.
  package var owner: ClientIdentity?

  package init(name: String, isRunning: Bool, options: LogOptions, bytes: Int) {
    self.name = name
    self.isRunning = isRunning
    self.options = options
    self.bytes = bytes
  }
}

/// Why a log is not being recorded. Recording is retried every minute after a disk error.
package enum LogProblem: Hashable, Sendable {
  /// The disk is too full: fewer bytes are free than required.
  case noRoom(free: Int, needed: Int)
  /// Another process writes to it.
  case inUse
  /// The system refuses to write; `errno`.
  case cannotWrite(errno: Int32)
  /// Its owner has no background authorization: recording pauses until it is granted.
  case notAllowed
}

/// Why the service refuses a `LogRequest`.
package enum LogFailure: Hashable, Sendable {
  /// There is no log of that name that the client may use; `known` are those that it may.
  case unknown(name: String, known: [String])
  /// A new log cannot have this name (`LogName`).
  case badName(String)
  /// Only locationd records logs, and it does not answer.
  case needsDaemon
  /// The client reads too many logs at once.
  case tooManyReadings(limit: Int)
  /// The number of logs has reached `limit`, the most that can be listed.
  case tooManyLogs(limit: Int)
  /// The service that issued the bookmark has ended.
  case unknownBookmark
  /// The recording has stopped, but its end could not be written to the disk.
  case endLost(name: String, LogProblem)
  /// Another process records the log, and only that one can stop it; its process ID, if the kernel reports it.
  case recordedElsewhere(name: String, processID: Int32?)
  /// The log is encrypted: only the owner of the key can read it.
  case sealed(name: String, key: String)
  /// The log is not encrypted.
  case notSealed(name: String)
  /// A log of that name exists, and its encryption cannot change: it is not encrypted (`nil`), or encrypted for that key.
  case differentPublicKey(name: String, key: String?)
  /// The text is not a valid public key.
  case invalidPublicKey(String)
  /// Another log has that name.
  case nameTaken(String)
  /// The text of a note is empty, too long or not on one line.
  case badNote(limit: Int)
  /// The log has no position yet at which a note could be made.
  case noPosition(name: String)
  /// The log has as many notes as it can have.
  case tooManyNotes(name: String, limit: Int)
  /// The log has no room for more imported fixes within the size to which it is limited.
  case full(name: String, megabytes: Int)
  /// Another process imports into the log.
  case importedElsewhere(name: String)
  /// The number of unfinished imports of this client, of its user, or of all clients has reached `limit`.
  case tooManyImports(limit: Int)
  /// The state folder cannot be read or written; `reason` is a clause in words, `cause` determines the remedy.
  case cannotKeep(path: String, reason: String, cause: StorageCause = .other)
}
