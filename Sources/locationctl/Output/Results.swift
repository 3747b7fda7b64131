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
      let remedy =
        SystemError(operation: "write", errno: errno).isFullDisk
        ? "free space on its disk and try again; the output is incomplete" : "check its destination"
      Diagnostics.print("Cannot write the output (\(ErrorDescription.of(errno))): \(remedy).")
      return .cannotWrite
    }
  }

  /// Whether stdout is a terminal.
  static var areForPeople: Bool { Terminal.isTerminal(1) }
}
