import Geodesy
package import LocationPolicy
import Regions

/// A monitoring event as a desktop notification.
package enum EventNotification {
  /// A title of a few words, and a line of text.
  package static func texts(_ event: MonitoringEvent) -> (title: String, body: String) {
    let when = EventJSON.iso8601(event.time).map { "at \($0)" } ?? "a while ago"
    return switch (event.subject, event.kind) {
    case (.region(let identifier), .crossed(.inside)):
      ("Arrived: \(short(identifier))", "You entered this region \(when).")
    case (.region(let identifier), .crossed(.outside)): ("Left: \(short(identifier))", "You left this region \(when).")
    case (.region(let identifier), .determined(.unknown)):
      (
        "Unknown: \(short(identifier))",
        "It is unknown whether you are inside, because there is no usable position (\(when))."
      )
    case (_, .arrived): ("Arrived", "You arrived at a place \(when).")
    case (_, .departed): ("Departed", "You left a place \(when).")
    default: ("Location", "You moved about 500 meters or more \(when).")
    }
  }

  /// The identifier of a region for a title: without zero bytes, and at most 120 bytes long. An identifier may have
  /// 1024 bytes.
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

/// A monitoring event as environment variables of the command that is run for it. Text from the user appears only in values, which
/// a shell does not parse as commands.
package enum EventVariables {
  /// Names and values; unknown values are omitted. Zero bytes, which an environment cannot contain, are removed from texts.
  package static func of(_ event: MonitoringEvent, list: String) -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) {
      guard let value else { return }
      variables.append(("LOCATION_\(name)", String(value.unicodeScalars.filter { $0 != "\0" })))
    }
    add("EVENT", EventJSON.word(event.kind))
    add("EVENT_ID", "\(event.id)")
    add("LIST", list)
    if case .region(let identifier) = event.subject { add("REGION", identifier) }
    add("TIMESTAMP", EventJSON.iso8601(event.time))
    add("NOTICED", EventJSON.iso8601(event.fix?.time))
    let place =
      event.visit.map { ($0.coordinate, $0.knownHorizontalRadius68) }
      ?? event.fix.map { ($0.coordinate, $0.knownHorizontalRadius68) }
    if let (coordinate, radius) = place {
      add("LATITUDE", FixedDecimal.text(coordinate.latitude.degrees, decimals: 7))
      add("LONGITUDE", FixedDecimal.text(coordinate.longitude.degrees, decimals: 7))
      if let radius { add("ACCURACY", FixedDecimal.text(radius.value, decimals: 1)) }
    }
    add("ARRIVAL", EventJSON.iso8601(event.visit?.arrival))
    add("DEPARTURE", EventJSON.iso8601(event.visit?.departure))
    return variables
  }
}
