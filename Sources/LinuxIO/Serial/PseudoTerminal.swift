internal import CLinux
import Glibc

/// A pair of connected terminals: this end simulates a receiver, the other opens by path like any serial port.
package struct PseudoTerminal: ~Copyable {
  /// The other end, as `/dev/pts/3`; it goes with this value.
  package let path: String
  private let master: OwnedDescriptor

  /// A pair set to raw bytes. Nothing has the other end open; a `SerialPort` that opens it drops what was written
  /// before, as it does with any device.
  package init() throws(SystemError) {
    let master = OwnedDescriptor(
      rawValue: try SystemCall.run("posix_openpt") { posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) })
    try SystemCall.run("unlock pseudo-terminal") { clinux_pty_unlock(master.rawValue) }
    var name = [CChar](repeating: 0, count: 64)
    let failure = unsafe ptsname_r(master.rawValue, &name, name.count)
    guard failure == 0 else { throw SystemError(operation: "ptsname_r", errno: failure) }
    let path = unsafe name.withUnsafeBytes { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    // A pair has one line, and the master's end reaches it.
    try SerialLine(of: master.rawValue).raw().apply(to: master.rawValue)
    self.path = path
    self.master = master
  }

  /// This end, for an event loop.
  package var descriptor: Int32 { master.rawValue }

  /// The speed that the other end was set to, which tells what a real receiver would understand.
  package var slaveSpeed: Int? { try? SerialLine(of: master.rawValue).speed }

  /// Takes what the other end wrote; `.endOfFile` while nobody has it open any more.
  package func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(master.rawValue, into: &buffer, hangUpIsEnd: true)
  }

  /// Sends to the other end; `.wouldBlock` when it has some 4 KB waiting.
  package func write(_ bytes: [UInt8]) -> WriteResult { Transfer.write(master.rawValue, bytes[...]) }
}
