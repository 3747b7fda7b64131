import Geodesy
import LocationPolicy
import Regions
import TrackFormats

/// The text of a monitoring event, for people.
enum EventDescription {
  static func line(_ event: MonitoringEvent, _ look: Presentation) -> StyledText {
    let time = event.time.flatMap { TimeText.moment($0, look) } ?? "at an unknown time"
    let again = event.attempt > 1 ? " (repeated)" : ""
    return .dim(time) + "  \(what(event, look))\(again)"
  }

  private static func what(_ event: MonitoringEvent, _ look: Presentation) -> String {
    let word = EventJSON.word(event.kind)
    if case .region(let identifier) = event.subject { return "\(word) \(TerminalText.sanitized(identifier))" }
    if let visit = event.visit { return "\(word) at \(place(visit.coordinate, visit.horizontalRadius68, look))" }
    return event.fix.map { "\(word) to \(place($0.coordinate, $0.horizontalRadius68, look))" } ?? word
  }

  /// - Parameter radius: `nil` if it is not known.
  static func place(_ coordinate: Coordinate, _ radius: Meters?, _ look: Presentation = .pipe) -> String {
    func degrees(_ angle: Angle) -> String { FixedDecimal.text(angle.degrees, decimals: 5) ?? "?" }
    let radius = radius.map { " \(look.plusMinus) \(Int($0.value.rounded())) m" } ?? ""
    return "\(degrees(coordinate.latitude)), \(degrees(coordinate.longitude))\(radius)"
  }

  static func state(_ state: RegionState) -> String {
    switch state {
    case .unknown: "unknown"
    case .inside: "inside"
    case .outside: "outside"
    }
  }
}
