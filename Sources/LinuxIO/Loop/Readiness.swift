internal import CLinux

/// What the kernel reports about a watched descriptor.
package struct Readiness: Hashable, Sendable {
  /// A read would not block: there are bytes, a connection, or the end.
  package var readable = false
  /// A write would not block.
  package var writable = false
  /// The other side is gone, or the device was unplugged.
  package var hangUp = false
  /// The descriptor is in error; the next read or write says which.
  package var error = false

  package init(readable: Bool = false, writable: Bool = false, hangUp: Bool = false, error: Bool = false) {
    self.readable = readable
    self.writable = writable
    self.hangUp = hangUp
    self.error = error
  }

  init(events: UInt32) {
    func has(_ flag: EPOLL_EVENTS) -> Bool { events & flag.rawValue != 0 }
    self.init(
      readable: has(EPOLLIN), writable: has(EPOLLOUT), hangUp: has(EPOLLHUP), error: has(EPOLLERR))
  }
}

/// What a watch waits for; hang-up and error are always reported.
package struct Interest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Wait for something to read.
  package static let readable = Interest(rawValue: 1)
  /// Wait for room to write.
  package static let writable = Interest(rawValue: 2)

  var events: UInt32 {
    // The kernel reports a hang-up even to a watch that waits for nothing, again and again. Once is enough: ONESHOT.
    guard !isEmpty else { return EPOLLONESHOT.rawValue }
    return (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
  }
}

/// Names one watch of an event loop; never used again after it.
package struct WatchID: Hashable, Sendable { let number: UInt64 }

/// Names one timer of an event loop; never used again after it.
package struct TimerID: Hashable, Sendable { let number: UInt64 }
