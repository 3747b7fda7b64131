import Geodesy
import LocationPolicy
import Regions
import TrackFormats

/// The text of a monitoring event, for people.
enum EventDescription {
  static func line(_ event: MonitoringEvent) -> String {
    let time = event.time.flatMap { Timestamp($0)?.iso8601 } ?? "at an unknown time"
    let again = event.attempt > 1 ? " (repeated)" : ""
    return "\(time)  \(what(event))\(again)"
  }

  private static func what(_ event: MonitoringEvent) -> String {
    let word = EventJSON.word(event.kind)
    if case .region(let identifier) = event.subject { return "\(word) \(TerminalText.sanitized(identifier))" }
    if let visit = event.visit { return "\(word) at \(place(visit.coordinate, visit.horizontalRadius68))" }
    return event.fix.map { "\(word) to \(place($0.coordinate, $0.horizontalRadius68))" } ?? word
  }

  /// - Parameter radius: `nil`: it is not known.
  static func place(_ coordinate: Coordinate, _ radius: Meters?) -> String {
    func degrees(_ angle: Angle) -> String { FixedDecimal.text(angle.degrees, decimals: 5) ?? "?" }
    let radius = radius.map { " ± \(Int($0.value.rounded())) m" } ?? ""
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
