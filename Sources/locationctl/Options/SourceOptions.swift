import ArgumentParser
import FoundationEssentials
import LocationDaemon

/// `--source`, else LOCATIOND_SOURCE, else whatever receiver is there.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where fixes come from: auto, serial:PATH[@BAUD], replay:FILE or simulator.",
      discussion: "The default is what LOCATIOND_SOURCE names, else auto.", valueName: "source"),
    transform: { try SourceOptions.parse($0) })
  var source: SourceSelection?

  /// The source to use; a usage error where the environment names none that there is.
  func resolved() throws -> SourceSelection {
    if let source { return source }
    guard let text = ProcessInfo.processInfo.environment["LOCATIOND_SOURCE"], !text.isEmpty else { return .automatic }
    do {
      return try Self.parse(text)
    } catch let error as ValidationError {
      throw ValidationError("LOCATIOND_SOURCE cannot be used. \(error.message)")
    }
  }

  static func parse(_ text: String) throws -> SourceSelection {
    do throws(SourceSyntaxError) {
      return try SourceSelection(parsing: text)
    } catch {
      throw ValidationError(sentence(error))
    }
  }

  private static func sentence(_ error: SourceSyntaxError) -> String {
    switch error {
    case .unknown(let text):
      "There is no source '\(TerminalText.sanitized(text))': give auto, serial:PATH[@BAUD], replay:FILE or simulator."
    case .missingPath(let kind, let example): "The source '\(kind):' lacks its path: give for example \(example)."
    case .badSpeed(let text):
      "'\(TerminalText.sanitized(text))' is no speed: give \(SourceSelection.baudRange.lowerBound) to "
        + "\(SourceSelection.baudRange.upperBound) baud."
    case .notBuiltYet(let kind):
      "The source '\(kind)' is not built yet: give auto, serial:PATH[@BAUD], replay:FILE or simulator."
    }
  }
}
