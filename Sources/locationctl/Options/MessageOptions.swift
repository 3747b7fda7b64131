import ArgumentParser
import Synchronization

/// `--quiet`, for commands that report what they have done.
struct MessageOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Do not report what was done.")
  var quiet = false

  func validate() { if quiet { Confirmation.silence() } }
}

/// The line that reports what a command has done: on standard output if that is a terminal, otherwise, as standard
/// output is for results only, on standard error. `--quiet` omits it.
enum Confirmation {
  private static let isSilent = Mutex(false)

  /// Suppresses all confirmations, as `--quiet` requests.
  static func silence() { isSilent.withLock { $0 = true } }

  /// Prints one sentence.
  static func print(_ sentence: String) -> CommandStatus? {
    guard !isSilent.withLock({ $0 }) else { return nil }
    guard Results.areForPeople else {
      Diagnostics.print(sentence)
      return nil
    }
    return Results.write(TextTable.sentences(sentence))
  }
}

extension CommandStatus {
  /// Reports what the command has done, if it has succeeded.
  ///
  /// - Parameter sentence: `nil` if there is nothing to report.
  func confirmed(_ sentence: @autoclosure () -> String?) -> CommandStatus {
    guard self == .done, let sentence = sentence() else { return self }
    return Confirmation.print(sentence) ?? .done
  }
}
