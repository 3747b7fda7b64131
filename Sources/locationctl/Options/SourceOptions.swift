import ArgumentParser
import LinuxIO
import LocationdHost

/// `--source`, else LOCATIOND_SOURCE, else whatever receiver is there.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where fixes come from: \(SourceOptions.all).",
      discussion: "The default is what LOCATIOND_SOURCE names, else auto.", valueName: "source"),
    transform: { try SourceOptions.parse($0) })
  var source: SourceSelection?

  /// The source to use; a usage error where the environment names none that there is.
  func resolved() throws -> SourceSelection { try source ?? Self.fromEnvironment() }

  /// The source where none is named.
  static func fromEnvironment() throws -> SourceSelection {
    guard let text = ServiceVariables.source else { return .automatic }
    do {
      return try parse(text)
    } catch let error as ValidationError {
      throw ValidationError("LOCATIOND_SOURCE cannot be used. \(error.message)")
    }
  }

  private static let all = "auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator"

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
      "There is no source '\(TerminalText.sanitized(text))': \(Self.all)."
    case .missingPath(let kind, let example): "The source '\(kind):' lacks its path: give for example \(example)."
    case .badSpeed(let text):
      "'\(TerminalText.sanitized(text))' is no speed: give \(SourceSelection.baudRange.lowerBound) to "
        + "\(SourceSelection.baudRange.upperBound) baud."
    case .badAddress(let text):
      "'\(TerminalText.sanitized(text))' is no address: give for example gpsd:192.168.1.7 or gpsd:[fe80::1]:2947."
    case .notBuiltYet(let kind):
      "The source '\(kind)' is not built yet: \(Self.all)."
    }
  }
}
