/// Why it cannot be said who is at the other end of a socket. Whoever that is has no identity.
package enum PeerError: Error, Hashable, Sendable {
  /// The kernel names nobody: a process that this one cannot see, as from outside of its container.
  case unseen
  /// The process that connected has ended; its number may be another's by now.
  case ended
  /// The process of that number was started after the connection was there.
  case startedLater
  /// It acts as another user than the one that connected.
  case userChanged(connected: UInt32, now: UInt32)
  /// `/proc` does not say what it should: of that file.
  case unreadable(file: String)
  case system(SystemError)
}
