package import LocationPolicy
import Regions

/// Something that has happened, as a person's desktop shows it.
package enum EventNotice {
  /// A title of a few words, and a line of text.
  package static func texts(_ event: MonitoringEvent) -> (title: String, body: String) {
    let when = EventJSON.iso8601(event.time).map { "at \($0)" } ?? "a while ago"
    return switch (event.subject, event.happening) {
    case (.region(let identifier), .crossed(.inside)):
      ("Arrived: \(short(identifier))", "You have entered it, \(when).")
    case (.region(let identifier), .crossed(.outside)): ("Left: \(short(identifier))", "You have left it, \(when).")
    case (.region(let identifier), .determined(.unknown)):
      ("Not watched: \(short(identifier))", "Nobody can tell any more whether you are inside, \(when).")
    case (_, .arrived): ("Arrived", "You have arrived somewhere, \(when).")
    case (_, .departed): ("Departed", "You have left, \(when).")
    default: ("Location", "You have moved, \(when).")
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
