package import LocationPolicy
import Geodesy
import Regions

/// A monitoring event as a JSON object: the output of `locationctl region watch`, and the input of a command that is run for the
/// event.
package enum EventJSON {
  /// The event; `list` is the name of the monitoring list that it belongs to; `nil` omits the name.
  package static func object(_ event: MonitoringEvent, list: String?) -> JSONObject {
    var object = JSONObject()
    object.add("event", .text(word(event.kind)))
    // An event that needs no acknowledgement has no number.
    if event.id > 0 { object.add("id", .number(Int(clamping: event.id))) }
    object.add("list", .text(list))
    if case .region(let identifier) = event.subject { object.add("region", .text(identifier)) }
    object.add("timestamp", .text(iso8601(event.time)))
    if let visit = event.visit {
      object.add("latitude", .number(visit.coordinate.latitude.degrees, decimals: 7))
      object.add("longitude", .number(visit.coordinate.longitude.degrees, decimals: 7))
      object.add("horizontalAccuracy", .meters(visit.knownHorizontalRadius68?.value))
      object.add("arrival", .text(iso8601(visit.arrival)))
      object.add("departure", .text(iso8601(visit.departure)))
    } else if let fix = event.fix {
      object.add("latitude", .number(fix.coordinate.latitude.degrees, decimals: 7))
      object.add("longitude", .number(fix.coordinate.longitude.degrees, decimals: 7))
      object.add("horizontalAccuracy", .meters(fix.knownHorizontalRadius68?.value))
    }
    object.add("noticed", .text(iso8601(event.fix?.time)))
    if event.attempt > 1 { object.add("attempt", .number(event.attempt)) }
    if event.fix?.isSimulated == true { object.add("simulated", .flag(true)) }
    return object
  }

  /// A visit as a line of `locationctl visits`.
  package static func object(_ visit: Visit) -> JSONObject {
    var object = JSONObject()
    object.add("latitude", .number(visit.coordinate.latitude.degrees, decimals: 7))
    object.add("longitude", .number(visit.coordinate.longitude.degrees, decimals: 7))
    object.add("horizontalAccuracy", .meters(visit.knownHorizontalRadius68?.value))
    object.add("arrival", .text(iso8601(visit.arrival)))
    object.add("departure", .text(iso8601(visit.departure)))
    // Without this flag, a visit without a departure counts as ongoing.
    if visit.hasEnded, visit.departure == nil { object.add("ended", .flag(true)) }
    if visit.isImported { object.add("imported", .flag(true)) }
    return object
  }

  /// The kind of event, as a stable identifier.
  package static func word(_ kind: MonitoringEvent.Kind) -> String {
    switch kind {
    case .crossed(.inside): "entered"
    case .crossed(.outside): "left"
    case .determined(.inside): "inside"
    case .determined(.outside): "outside"
    case .crossed(.unknown), .determined(.unknown): "unknown"
    case .arrived: "arrived"
    case .departed: "departed"
    case .moved: "moved"
    }
  }

  static func iso8601(_ time: GNSSTime?) -> String? { time.flatMap { Timestamp($0)?.iso8601 } }
}

extension MonitoringEvent {
  /// The visit of an arrival or a departure; `nil` for an event of another kind.
  package var visit: Visit? {
    switch kind {
    case .arrived(let visit), .departed(let visit): visit
    case .crossed, .determined, .moved: nil
    }
  }
}
