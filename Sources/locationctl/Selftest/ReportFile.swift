import LinuxIO

/// The file of a report, which is shown to its author before it is written.
struct ReportFile {
  let path: String

  /// Shows the report on a terminal, asks whether to write it, and writes it; without a terminal, writes it.
  func write(_ report: [UInt8]) -> CommandStatus {
    let shown = TerminalText.sanitized(path)
    if Terminal.isTerminal(0), Terminal.isTerminal(2) {
      StandardError.write(
        Array("\nThis is the report. It goes to \(shown), and nowhere else:\n\n".utf8) + report
          + Array("\nWrite it? [Y/n] ".utf8))
      let answer = (readLine() ?? "n").lowercased()
      guard ["", "y", "yes"].contains(answer) else {
        return Diagnostics.report(FailureMessage("The report was not written.", .interrupted))
      }
    }
    do throws(SystemError) {
      var file = try NewFile(path: path)
      try file.append(report)
      try file.finish()
    } catch {
      return LogExportRun.cannotWrite(path, error)
    }
    Diagnostics.print("The report is in \(shown).")
    return .done
  }
}
