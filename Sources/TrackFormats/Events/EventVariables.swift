package import LocationPolicy
import Geodesy

/// Something that has happened, as variables of the environment of the command that is run for it. What the user has written stands in
/// values alone, which no shell reads as words of its own.
package enum EventVariables {
  /// Names and values; what is not known is left out. Bytes of 0, which no environment can have, are left out of texts.
  package static func of(_ event: MonitoringEvent, list: String) -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) {
      guard let value else { return }
      variables.append(("LOCATION_\(name)", String(value.unicodeScalars.filter { $0 != "\0" })))
    }
    add("EVENT", EventJSON.word(event.happening))
    add("EVENT_ID", "\(event.id)")
    add("LIST", list)
    if case .region(let identifier) = event.subject { add("REGION", identifier) }
    add("TIMESTAMP", EventJSON.iso8601(event.time))
    add("NOTICED", EventJSON.iso8601(event.fix?.time))
    let place =
      event.visit.map { ($0.coordinate, $0.horizontalRadius68) }
      ?? event.fix.map { ($0.coordinate, $0.horizontalRadius68) }
    if let (coordinate, radius) = place {
      add("LATITUDE", FixedDecimal.text(coordinate.latitude.degrees, decimals: 7))
      add("LONGITUDE", FixedDecimal.text(coordinate.longitude.degrees, decimals: 7))
      add("ACCURACY", FixedDecimal.text(radius.value, decimals: 1))
    }
    add("ARRIVAL", EventJSON.iso8601(event.visit?.arrival))
    add("DEPARTURE", EventJSON.iso8601(event.visit?.departure))
    return variables
  }
}
