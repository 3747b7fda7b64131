package import Geodesy
import Glibc

/// What `/proc/PID/stat` says that counts here (proc_pid_stat(5)).
package struct ProcessRecord: Hashable, Sendable {
  /// Field 22, in ticks since the machine started (the clock of `MonotonicClock`), cut off.
  package let startTicks: Int64
  /// Field 7 is not 0.
  package let hasTerminal: Bool

  private static let ticksPerSecond = Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1))

  /// When it started, a tick (10 ms) early at most.
  package var startedAt: Instant {
    let (nanoseconds, overflow) = startTicks.multipliedReportingOverflow(by: 1_000_000_000 / Self.ticksPerSecond)
    return Instant(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// `nil`: it is none. A process may have any name, with `)`, blanks and line ends in it; nothing after it has a `)`.
  package init?(_ bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    // The first of these is field 3; one after field 22 says that that is whole.
    guard fields.count >= 21, let terminal = Int32(String(decoding: fields[4], as: UTF8.self)),
      let start = Int64(String(decoding: fields[19], as: UTF8.self)), start >= 0
    else { return nil }
    startTicks = start
    hasTerminal = terminal != 0
  }
}
