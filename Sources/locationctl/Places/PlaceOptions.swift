import ArgumentParser
import Geodesy
import LinuxIO
import PlacesCore
import TrackFormats

/// The position that a command is about; without it, that of this machine.
struct PositionArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The position, such as 47.3769,8.5417 or any other notation (default: the position of this machine).",
      valueName: PlaceArgument.valueName),
    transform: { try PlaceArgument.parse($0) })
  var position: PlaceArgument?

  var coordinate: Coordinate? { position?.coordinate }

  /// Rejects options for a fix beside a position.
  ///
  /// - Parameter allowing: how many of them also apply to a position.
  func validate(_ search: FixOptions, _ origin: SourceOptions, _ purpose: PurposeOption, allowing: Int = 0) throws {
    guard position != nil else { return }
    if search.givenCount > allowing || origin.source != nil || purpose.text != nil {
      throw ValidationError(
        "With a position, no fix is needed: leave out the position, or leave out the options for a fix.")
    }
  }
}

/// `--language`.
struct LanguageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Prefer names in this language, such as de or fr-CH (default: the language of the environment).", valueName: "tag"
    ),
    transform: { text in
      guard (2...35).contains(text.utf8.count),
        text.utf8.allSatisfy({
          $0 == 0x2D || $0 == 0x5F || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        })
      else {
        throw ValidationError("'\(TerminalText.sanitized(text))' is not a language: use a tag such as de or fr-CH.")
      }
      return text
    })
  var language: String?

  /// The languages of the query: the one that was given, or that of `LC_ALL`, `LC_MESSAGES` or `LANG`.
  var preferred: [String] {
    language.map { [$0] } ?? Self.ofEnvironment
  }

  /// The language of `LC_ALL`, `LC_MESSAGES` or `LANG`.
  static var ofEnvironment: [String] {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      guard let value = ProcessEnvironment.value(name), !value.isEmpty else { continue }
      let tag = value.prefix { $0 != "." && $0 != "@" }
      return tag == "C" || tag == "POSIX" ? [] : [String(tag).substituting("_", with: "-")]
    }
    return []
  }
}

/// A position with a radius: `47.14,9.52,5000`.
struct NearArgument: Hashable {
  let hint: ForwardQuery.Hint

  static func parse(_ text: String) throws -> NearArgument {
    let parts = text.split(separator: ",")
    if parts.count == 3, let radius = Double(parts[2]), radius > 0, radius <= 20_000_000,
      let center = Coordinate(parsing: parts[..<2].joined(separator: ","))
    {
      return NearArgument(hint: ForwardQuery.Hint(center: center, radius: Meters(radius)))
    }
    return NearArgument(hint: ForwardQuery.Hint(center: try PlaceArgument.parse(text).coordinate))
  }
}

/// `--json`, `--text` and `--template` of places; without any, text on a terminal and JSON in a pipe.
struct PlaceStyle: ParsableArguments {
  @OptionGroup var report: ReportStyle
  @Option(
    help: ArgumentHelp(
      "Print a line in this format for each place: %{locality} or any other JSON key, \\n, \\t, %%.",
      valueName: "template"),
    transform: { text in
      do throws(TemplateError) {
        return try KeyTemplate<FoundPlaceKey>(parsing: text)
      } catch {
        throw ValidationError(error.description(keys: FoundPlaceKey.names))
      }
    })
  var template: KeyTemplate<FoundPlaceKey>?

  func validate() throws {
    if template != nil, report.json || report.text {
      throw ValidationError("Use only one of --json, --text and --template.")
    }
  }

  func bytes(_ found: [FoundPlace]) -> [UInt8] {
    if let template { return found.flatMap { template.line($0) } }
    return report.isJSON ? found.flatMap { FoundPlaceKey.object($0).line } : PlaceTable.bytes(found)
  }
}
