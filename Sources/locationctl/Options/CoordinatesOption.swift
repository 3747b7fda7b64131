import ArgumentParser
import Geodesy
import TrackFormats

/// `--coordinates`: the notations of positions in text, and additional keys in JSON.
struct CoordinatesOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Write positions in these notations, separated by commas: \(CoordinatesOption.names). A number after a colon is the \
      precision: dms:2, mgrs:4. In JSON, each notation is an additional key.
      """,
      valueName: "notation"),
    transform: { try CoordinatesOption.parse($0) })
  var coordinates: [CoordinateStyle]?

  private static let names =
    CoordinateNotation.allCases.dropLast().map { $0.rawValue.lowercased() }.joined(separator: ", ") + " or pluscode"

  var styles: [CoordinateStyle] { coordinates ?? [] }

  private static func parse(_ text: String) throws -> [CoordinateStyle] {
    var styles: [CoordinateStyle] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let style = CoordinateStyle(parsing: part) else { throw ValidationError(sentence(part)) }
      // Each notation is a key of the JSON object, which may occur only once.
      guard !styles.contains(where: { $0.notation == style.notation }) else {
        throw ValidationError("The notation \(style.notation.rawValue.lowercased()) appears twice: use it once.")
      }
      styles.append(style)
    }
    return styles
  }

  private static func sentence(_ part: Substring) -> String {
    let parts = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let style = CoordinateStyle(parsing: name) else {
      return "There is no notation '\(TerminalText.sanitized(String(part)))': use \(names)."
    }
    let possible = style.notation.possiblePrecisions.map { String($0) }
    let values = possible.dropLast().joined(separator: ", ") + (possible.last.map { " or \($0)" } ?? "")
    return "'\(TerminalText.sanitized(String(part)))' has an invalid precision: use \(values)."
  }
}
