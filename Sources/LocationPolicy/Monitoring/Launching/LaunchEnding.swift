/// How a command ended.
package enum LaunchEnding: Hashable, Sendable {
  /// By itself, with a status of 0 to 255.
  case exited(Int32)
  case killed(signal: Int32)
  /// It had used up its time, and was stopped.
  case outOfTime

  /// The status by which a command asks to be run again later (sysexits.h, `EX_TEMPFAIL`).
  package static let tryAgain: Int32 = 75
}
