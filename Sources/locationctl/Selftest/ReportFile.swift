import LinuxIO

/// The file of a report, which is shown to the user before it is written.
struct ReportFile {
  let path: String

  /// Checks that the report can be written, before minutes are spent on the measurement; leaves no file behind. Returns
  /// the exit status if the report cannot be written, otherwise `nil`.
  func check() -> CommandStatus? {
    do throws(SystemError) {
      _ = try NewFile(path: path)
      return nil
    } catch {
      return cannotWrite(error)
    }
  }

  /// On a terminal, shows the report, asks whether to write it, and writes it if the user agrees; elsewhere, writes it
  /// at once.
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
      return cannotWrite(error)
    }
    Diagnostics.print("The report is in \(shown).")
    return .done
  }

  private func cannotWrite(_ error: SystemError) -> CommandStatus {
    let remedy = error.isExistence ? "use a new file" : "check its folder, or use another file"
    return Diagnostics.report(
      FailureMessage(
        "\(TerminalText.sanitized(path)) cannot be written (\(ErrorDescription.of(error.errno))): \(remedy).",
        .cannotWrite)
    )
  }
}
