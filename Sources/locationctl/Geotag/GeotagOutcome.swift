import Geodesy
import TrackFormats

/// The outcome for one photograph.
enum GeotagOutcome {
  case tagged(PhotographPosition)
  /// The photograph was left unchanged: a reason code for scripts, and a sentence.
  case skipped(reason: String, FailureMessage)

  /// The exit status if this is the worst outcome.
  var status: CommandStatus {
    switch self {
    case .tagged: .done
    case .skipped(_, let sentence): sentence.status
    }
  }

  /// One JSON object per photograph.
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

  /// One line of text per tagged photograph; skipped photographs are reported on stderr.
  func textLine(file: String) -> [UInt8] {
    guard case .tagged(let position) = self else { return [] }
    var parts = [TerminalText.sanitized(file)]
    parts.append(FixedDecimal.text(position.coordinate.latitude.degrees, decimals: 7) ?? "?")
    parts.append(FixedDecimal.text(position.coordinate.longitude.degrees, decimals: 7) ?? "?")
    if let height = position.heightAboveMeanSeaLevel.flatMap({ FixedDecimal.text($0.value, decimals: 1) }) {
      parts.append("\(height) m")
    }
    return TextTable.sentences(parts.joined(separator: "  "))
  }
}
