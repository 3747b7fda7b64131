import LinuxIO

/// Writes results to stdout: whole lines, one write each, without buffering.
enum Results {
  /// Writes `bytes`. Returns the exit status if writing fails; a closed pipe ends the command without a message.
  static func write(_ bytes: [UInt8]) -> CommandStatus? {
    guard !bytes.isEmpty else { return nil }
    switch StandardOutput.write(bytes) {
    case .written: return nil
    case .readerGone: return .done
    case .failed(let errno):
      Diagnostics.print("Cannot write the output (\(ErrorDescription.of(errno))): check where it goes.")
      return .cannotWrite
    }
  }

  /// Whether stdout is a terminal.
  static var areForPeople: Bool { Terminal.isTerminal(1) }
}
