internal import CLinux
import Glibc

/// A pair of connected terminals: this end simulates a receiver, the other is opened by its path like any serial port.
package struct PseudoTerminal: ~Copyable {
  /// The other end, for example `/dev/pts/3`; it disappears with this value.
  package let path: String
  private let master: OwnedDescriptor

  /// Creates a pair in raw mode. The other end is not open yet; a `SerialPort` that opens it drops earlier data, as with
  /// any device.
  package init() throws(SystemError) {
    let master = OwnedDescriptor(
      rawValue: try SystemCall.run("posix_openpt") { posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) })
    try SystemCall.run("unlock pseudo-terminal") { clinux_pty_unlock(master.rawValue) }
    var name = [CChar](repeating: 0, count: 64)
    let failure = unsafe ptsname_r(master.rawValue, &name, name.count)
    guard failure == 0 else { throw SystemError(operation: "ptsname_r", errno: failure) }
    let path = unsafe name.withUnsafeBytes { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    // The pair shares one line, whose settings can be changed from the master.
    try SerialLine(of: master.rawValue).raw().apply(to: master.rawValue)
    self.path = path
    self.master = master
  }

  /// This end, for an event loop.
  package var descriptor: Int32 { master.rawValue }

  /// The baud rate that is set at the other end: a simulated receiver can tell from it which data a real one would
  /// understand.
  package var slaveSpeed: Int? { try? SerialLine(of: master.rawValue).speed }

  /// Reads what was written to the other end; `.endOfFile` when no process has it open any more.
  package func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(master.rawValue, into: &buffer, hangUpIsEnd: true)
  }

  /// Opens and closes the other end, after which `read` returns `.endOfFile` until another process opens the other end.
  /// Without this call `read` returns `.wouldBlock` until a process has opened the other end for the first time.
  package func markClosed() throws(SystemError) {
    let path = path
    _ = OwnedDescriptor(
      rawValue: try SystemCall.run("open") { unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) })
  }

  /// Writes to the other end; `.wouldBlock` when about 4 KB are waiting there.
  package func write(_ bytes: [UInt8]) -> WriteResult { Transfer.write(master.rawValue, bytes[...]) }
}
