package import LocationIPC

/// Log events that are worth a line in the service's log.
package enum LogNews: Hashable, Sendable {
  /// The log is being recorded; with a problem: it should be, but cannot.
  case recording(String, LogProblem?)
  case stopped(String)
  /// This many fixes were not recorded because the disk was too slow.
  case missed(fixes: Int)
  /// Recording has stopped, and its end could not be written to disk.
  case endLost(String, LogProblem)
  /// The index was damaged and was renamed to this name.
  case setAside(String)
  /// The index had lost the log, which was recovered from its tracks; whether it is to be recorded.
  case adopted(String, isRecorded: Bool)
  /// The data in the state folder cannot be read.
  case cannotKeep(path: String, reason: String)
}
