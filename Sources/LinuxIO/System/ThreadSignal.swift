internal import CLinux
import Glibc

/// Signals the end of a thread's work to a loop.
package final class ThreadSignal: Sendable {
  private let reading: OwnedDescriptor
  private let writing: OwnedDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.run("pipe2") { unsafe pipe2(&ends, Int32(O_CLOEXEC | O_NONBLOCK)) }
    reading = OwnedDescriptor(rawValue: ends[0])
    writing = OwnedDescriptor(rawValue: ends[1])
  }

  /// Readable after `send`.
  package var descriptor: Int32 { reading.rawValue }

  package func send() {
    var byte: UInt8 = 1
    _ = unsafe write(writing.rawValue, &byte, 1)
  }
}
