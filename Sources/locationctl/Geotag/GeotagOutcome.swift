import Geodesy
import Photographs
import TrackFormats

/// What became of one photograph.
enum GeotagOutcome {
  case tagged(PhotographPosition)
  /// It was left as it is: a word for scripts, and a sentence.
  case skipped(reason: String, FailureSentence)

  /// How the command ends if this is the worst of it.
  var status: CommandStatus {
    switch self {
    case .tagged: .done
    case .skipped(_, let sentence): sentence.status
    }
  }

  /// One JSON object a photograph.
  func jsonLine(file: String) -> [UInt8] {
    var object = JSONObject()
    object.add("file", .text(file))
    switch self {
    case .tagged(let position):
      object.add("timestamp", .text(Timestamp(position.time)?.iso8601))
      object.add("latitude", .number(position.coordinate.latitude.degrees, decimals: 9, minimum: 7))
      object.add("longitude", .number(position.coordinate.longitude.degrees, decimals: 9, minimum: 7))
      object.add("altitude", .meters(position.heightAboveMeanSeaLevel?.value))
      object.add("horizontalAccuracy", .meters(position.horizontalRadius68?.value))
    case .skipped(let reason, _): object.add("skipped", .text(reason))
    }
    return object.line
  }

  /// The same for people; what was skipped is told on stderr.
  func textLine(file: String) -> [UInt8] {
    guard case .tagged(let position) = self else { return [] }
    var parts = [TerminalText.sanitized(file)]
    parts.append(FixedDecimal.text(position.coordinate.latitude.degrees, decimals: 7) ?? "?")
    parts.append(FixedDecimal.text(position.coordinate.longitude.degrees, decimals: 7) ?? "?")
    if let height = position.heightAboveMeanSeaLevel.flatMap({ FixedDecimal.text($0.value, decimals: 1) }) {
      parts.append("\(height) m")
    }
    return Array("\(parts.joined(separator: "  "))\n".utf8)
  }
}
