import Geodesy
import LocationIPC
import TrackFormats

/// The state of the corrections, for people and programs.
enum CorrectionDescription {
  /// Without corrections, an object whose state is `off`.
  static func object(_ status: CorrectionStatus?) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(status?.name))
    object.add("state", .text(status?.state.name ?? "off"))
    object.add("problem", .text(status?.problem?.name))
    object.add("sentence", .text(status?.sentence))
    object.add("age", .number(status?.age?.inSeconds, decimals: 1))
    object.add("bytes", .number(status.map { Int(clamping: $0.bytes) }))
    object.add("frames", .number(status.map { Int(clamping: $0.frames) }))
    object.add("station", .number(status?.station))
    object.add("receivers", .number(status?.receivers))
    return object
  }

  /// One line, and the problem in a second one.
  static func text(_ status: CorrectionStatus?) -> String {
    guard let status else { return "no corrections are configured" }
    var parts = ["\(TerminalText.sanitized(status.name)): \(state(status))"]
    if let age = status.age { parts.append("\(Int(age.inSeconds.rounded())) s old") }
    if let station = status.station { parts.append("station \(station)") }
    if status.frames > 0 { parts.append("\(status.bytes) bytes") }
    let line = parts.joined(separator: ", ")
    return status.sentence.map { "\(line)\n\(TerminalText.sanitized($0, limit: 400))" } ?? line
  }

  private static func state(_ status: CorrectionStatus) -> String {
    switch status.state {
    case .idle: "no open receiver can use corrections"
    case .waitingForPosition: "waiting for the first position"
    case .connecting: "connecting"
    case .waiting: "connected, no corrections yet"
    case .streaming:
      status.receivers == 1 ? "corrections for one receiver" : "corrections for \(status.receivers) receivers"
    case .pausing: "no corrections, tried again later"
    case .stopped: "no corrections, and not tried again"
    }
  }
}
