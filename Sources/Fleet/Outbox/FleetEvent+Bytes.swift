import Geodesy
import LocationPolicy

/// An event as it is stored in an outbox, at most `longestEvent` bytes.
extension FleetEvent {
  package static let longestEvent = 400

  package var bytes: [UInt8] {
    var fields = FleetFieldWriter()
    switch self {
    case .crossing(let crossing):
      fields.put(1 as UInt8)
      fields.put(crossing.shortRegion)
      fields.put(crossing.isEntry)
      fields.put(crossing.time.nanosecondsSince1970)
      fields.put(crossing.addedAt.nanosecondsSince1970)
      fields.put(crossing.coordinate, crossing.radius68)
    case .visit(let visit):
      fields.put(2 as UInt8)
      fields.put(visit.arrival) { $0.put($1.nanosecondsSince1970) }
      fields.put(visit.departure) { $0.put($1.nanosecondsSince1970) }
      fields.put(visit.hasEnded)
      fields.put(visit.coordinate, visit.horizontalRadius68)
    }
    return fields.bytes
  }

  /// `nil` for anything that `bytes` does not write.
  package init?(bytes: ArraySlice<UInt8>) {
    var fields = FleetFieldReader(bytes)
    func time(_ fields: inout FleetFieldReader) -> GNSSTime? {
      fields.number(Int64.self).map { GNSSTime(nanosecondsSince1970: $0) }
    }
    switch fields.number(UInt8.self) {
    case 1:
      guard let region = fields.text(limit: FleetCrossing.longestName), let isEntry = fields.flag(),
        let at = time(&fields), let added = time(&fields), let (place, radius) = fields.place()
      else { return nil }
      self = .crossing(
        FleetCrossing(
          region: region, isEntry: isEntry, time: at, addedAt: added, coordinate: place, radius68: radius))
    case 2:
      guard let arrival = fields.optional(time), let departure = fields.optional(time), let hasEnded = fields.flag(),
        let (place, radius) = fields.place()
      else { return nil }
      self = .visit(
        Visit(
          coordinate: place, horizontalRadius68: radius, arrival: arrival, departure: departure, hasEnded: hasEnded))
    default: return nil
    }
    guard fields.isAtEnd else { return nil }
  }
}

extension FleetCrossing {
  /// The name, cut to `longestName` bytes between two characters.
  package var shortRegion: String {
    var name = region
    while name.utf8.count > Self.longestName { name.removeLast() }
    return name
  }
}

extension FleetFieldWriter {
  fileprivate mutating func put(_ place: Coordinate, _ radius68: Meters) {
    for value in [place.latitude.degrees, place.longitude.degrees, radius68.value] { put(value.bitPattern) }
  }
}

extension FleetFieldReader {
  fileprivate mutating func place() -> (Coordinate, Meters)? {
    guard let latitude = number(UInt64.self).map(Double.init(bitPattern:)),
      let longitude = number(UInt64.self).map(Double.init(bitPattern:)),
      let radius = number(UInt64.self).map(Double.init(bitPattern:)), radius > 0, radius.isFinite,
      let place = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else { return nil }
    return (place, Meters(radius))
  }
}
