package import Geodesy

/// The frames that wait to be written to a receiver: few and new ones, because a slow port must not delay corrections until they are
/// useless.
package struct CorrectionQueue: Sendable {
  /// The greatest number of bytes that wait.
  package static let capacity = 4096
  /// Older frames are dropped.
  package static let longestWait: Duration = .seconds(2)

  private var frames: [(frame: RTCMFrame, arrivedAt: Instant)] = []
  package private(set) var byteCount = 0
  package private(set) var droppedCount: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { frames.isEmpty }

  /// Adds a frame. If there is no room for it, the oldest frames make room.
  package mutating func append(_ frame: RTCMFrame, at now: Instant) {
    frames.append((frame, now))
    byteCount += frame.bytes.count
    while byteCount > Self.capacity { dropFirst() }
  }

  /// The next frame, which must be written as a whole before the next call; `nil`: none waits.
  package mutating func next(at now: Instant) -> RTCMFrame? {
    while let first = frames.first {
      if now - first.arrivedAt <= Self.longestWait {
        frames.removeFirst()
        byteCount -= first.frame.bytes.count
        return first.frame
      }
      dropFirst()
    }
    return nil
  }

  private mutating func dropFirst() {
    byteCount -= frames.removeFirst().frame.bytes.count
    droppedCount &+= 1
  }
}
