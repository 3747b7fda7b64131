package import LinuxIO

/// Why nothing can be written to a track now.
package enum TrackError: Error, Hashable, Sendable {
  /// Another process writes to this log.
  case inUse
  /// The file system is too full: there is less than the share that has to stay free.
  case noRoom(free: Int, needed: Int)
  /// The fix has no place: its coordinate or its radius is no number or out of range.
  case noPlace
  /// What the log is to be sealed to is no key.
  case noKey
  /// The machine refused; a full file system among it.
  case system(SystemError)
}
