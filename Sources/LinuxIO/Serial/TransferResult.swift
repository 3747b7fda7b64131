/// What came of a read that does not wait.
package enum ReadResult: Hashable, Sendable {
  /// So many bytes stand at the buffer's beginning; at least one.
  case bytes(Int)
  case wouldBlock
  /// The other side has closed, or the device was unplugged.
  case endOfFile
  case failed(SystemError)
}

/// What came of a write that does not wait.
package enum WriteResult: Hashable, Sendable {
  /// So many of the bytes were taken, perhaps not all.
  case written(Int)
  case wouldBlock
  case failed(SystemError)
}
