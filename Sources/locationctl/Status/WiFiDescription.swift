import LocationIPC
import Positioning
import TrackFormats

/// The state of Wi-Fi location in the service.
enum WiFiDescription {
  static func text(_ report: WiFiReport) -> StyledText {
    switch report {
    case .off: .dim("off") + "   \(TerminalText.sanitized(WiFiSwitch.origin))"
    case .resting: .dim("idle") + "   no program requests the location"
    case .listening(let received, let known, let problem):
      .good("on")
        + "   \(received) access \(received == 1 ? "point" : "points") in range, \(known) with a known position"
        + (problem.map { .warning(". \(TerminalText.sanitized($0.message))") } ?? StyledText())
    case .deaf(let problem): .warning("no access point in range") + "   \(TerminalText.sanitized(problem.message))"
    }
  }

  /// Values that do not apply are absent.
  static func object(_ report: WiFiReport) -> JSONObject {
    var object = JSONObject()
    switch report {
    case .off: object.add("state", .text("off"))
    case .resting: object.add("state", .text("resting"))
    case .listening(let received, let known, let problem):
      object.add("state", .text("listening"))
      object.add("heard", .number(received))
      object.add("known", .number(known))
      object.add("problem", .text(problem?.message))
    case .deaf(let problem):
      object.add("state", .text("deaf"))
      object.add("problem", .text(problem.message))
    }
    return object
  }
}
