package import LocationPolicy
import Regions

/// Something that has happened, as a person's desktop shows it.
package enum EventNotice {
  /// A title of a few words, and a line of text.
  package static func texts(_ event: MonitoringEvent) -> (title: String, body: String) {
    let when = EventJSON.iso8601(event.time).map { "at \($0)" } ?? "a while ago"
    return switch (event.subject, event.happening) {
    case (.region(let identifier), .crossed(.inside)): ("Arrived: \(identifier)", "You have entered it, \(when).")
    case (.region(let identifier), .crossed(.outside)): ("Left: \(identifier)", "You have left it, \(when).")
    case (_, .arrived): ("Arrived", "You have arrived somewhere, \(when).")
    case (_, .departed): ("Departed", "You have left, \(when).")
    default: ("Location", "You have moved, \(when).")
    }
  }
}
