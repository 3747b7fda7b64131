/// The exit statuses of a program that takes `locationctl`'s place: those of `locationctl` (sysexits.h; 128 and the number of the signal).
package enum ExitStatus: Int32, Sendable {
  case done = 0
  case usage = 64
  case badInput = 65
  case noData = 66
  case noSource = 69
  case cannotWrite = 73
  case denied = 77
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// Prints why the program ends, without its final period, and returns this status.
  package func because(_ reason: String) -> ExitStatus {
    let text = reason.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : String($0) }.joined()
    StandardError.write(Array("locationctl: \(text).\n".utf8))
    return self
  }
}
