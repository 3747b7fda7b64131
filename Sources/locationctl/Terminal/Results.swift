import LinuxIO
import LocationdHost

/// The results on stdout: whole lines, in one write each, nothing held back.
enum Results {
  /// Writes `bytes`; returns how the command is to end if it cannot go on: quietly where the reader has closed the pipe.
  static func write(_ bytes: [UInt8]) -> CommandStatus? {
    guard !bytes.isEmpty else { return nil }
    switch StandardOutput.write(bytes) {
    case .written: return nil
    case .readerGone: return .done
    case .failed(let errno):
      Diagnostics.say("Cannot write the output (\(ErrorWords.of(errno))): check where it goes.")
      return .cannotWrite
    }
  }

  /// Whether a person reads them.
  static var areForPeople: Bool { Terminal.isTerminal(1) }
}
