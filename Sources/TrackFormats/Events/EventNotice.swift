package import LocationPolicy
import Regions

/// Something that has happened, as a person's desktop shows it.
package enum EventNotice {
  /// A title of a few words, and a line of text.
  package static func texts(_ event: MonitoringEvent) -> (title: String, body: String) {
    let when = EventJSON.iso8601(event.time).map { "at \($0)" } ?? "a while ago"
    return switch (event.subject, event.happening) {
    case (.region(let identifier), .crossed(.inside)):
      ("Arrived: \(short(identifier))", "You entered this region \(when).")
    case (.region(let identifier), .crossed(.outside)): ("Left: \(short(identifier))", "You left this region \(when).")
    case (.region(let identifier), .determined(.unknown)):
      (
        "Unknown: \(short(identifier))",
        "There is no usable position, so it is unknown whether you are inside (\(when))."
      )
    case (_, .arrived): ("Arrived", "You arrived at a place \(when).")
    case (_, .departed): ("Departed", "You left a place \(when).")
    default: ("Location", "You moved about 500 meters or more \(when).")
    }
  }

  /// A name may have a thousand bytes; a title has not, and no byte of 0.
  private static func short(_ name: String) -> String {
    let name = name.filter { $0 != "\0" }
    guard name.utf8.count > 120 else { return name }
    var cut = ""
    for character in name {
      guard cut.utf8.count + String(character).utf8.count <= 117 else { break }
      cut.append(character)
    }
    return cut + "…"
  }
}
