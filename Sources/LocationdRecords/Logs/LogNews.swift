package import LocationIPC

/// What is worth a line of what happens to logs.
package enum LogNews: Hashable, Sendable {
  /// It is recorded; with a problem: it is to be, and cannot.
  case recording(String, LogProblem?)
  case stopped(String)
  /// So many fixes were not recorded, as the disk did not keep up.
  case missed(fixes: Int)
  /// It is recorded no more, and the last of it could not be brought to the disk.
  case endLost(String, LogProblem)
  /// The index was damaged, and was set aside under this name.
  case setAside(String)
  /// The index had lost it, and it was found by its tracks; whether it is to be recorded.
  case adopted(String, isRecorded: Bool)
  /// What is kept in the state folder cannot be read.
  case cannotKeep(path: String, reason: String)
}
