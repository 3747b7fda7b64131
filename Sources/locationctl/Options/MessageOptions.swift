import ArgumentParser
import Synchronization

/// `--quiet`, for commands that change something and report that on a terminal.
struct MessageOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Do not report what was done.")
  var quiet = false

  func validate() { if quiet { Confirmation.silence() } }
}

/// The line on a terminal that reports what a command has done. It is omitted in a pipe and with `--quiet`, where the
/// exit status is sufficient.
enum Confirmation {
  private static let isSilent = Mutex(false)

  /// Suppresses all confirmations, as `--quiet` requests.
  static func silence() { isSilent.withLock { $0 = true } }

  /// Prints one sentence.
  static func print(_ sentence: String) -> CommandStatus? {
    guard Results.areForPeople, !isSilent.withLock({ $0 }) else { return nil }
    return Results.write(Array("\(sentence)\n".utf8))
  }
}

extension CommandStatus {
  /// Reports on a terminal what the command has done, if it has succeeded.
  ///
  /// - Parameter sentence: `nil` if there is nothing to report.
  func confirmed(_ sentence: @autoclosure () -> String?) -> CommandStatus {
    guard self == .done, let sentence = sentence() else { return self }
    return Confirmation.print(sentence) ?? .done
  }
}
