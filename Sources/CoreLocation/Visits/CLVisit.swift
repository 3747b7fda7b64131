public import CCoreLocation
public import Foundation
import Geodesy
import LocationPolicy

/// A stay at a place.
// Not Sendable, as on Apple's systems, so that code that compiles here also compiles there.
open class CLVisit: NSObject, NSCopying, NSSecureCoding {
  private enum Key {
    static let arrival = "arrivalDate"
    static let departure = "departureDate"
    static let latitude = "latitude"
    static let longitude = "longitude"
    static let accuracy = "horizontalAccuracy"
  }

  private let arrival: Date
  private let departure: Date
  private let place: CLLocationCoordinate2D
  private let accuracy: CLLocationAccuracy

  /// Creates a visit without data.
  public override init() {
    (arrival, departure, place, accuracy) = (.distantPast, .distantFuture, kCLLocationCoordinate2DInvalid, -1)
    super.init()
  }

  /// Creates a visit from the service's values.
  init(
    arrival: Date, departure: Date, coordinate: CLLocationCoordinate2D, horizontalAccuracy accuracy: CLLocationAccuracy
  ) {
    self.arrival = arrival
    self.departure = departure
    self.place = coordinate
    self.accuracy = accuracy
    super.init()
  }

  /// Reads an archive; `nil` if it holds no visit.
  public required init?(coder: NSCoder) {
    guard let arrival = coder.optionalTime(forKey: Key.arrival),
      let departure = coder.optionalTime(forKey: Key.departure)
    else { return nil }
    (self.arrival, self.departure) = (arrival, departure)
    place = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: Key.latitude), longitude: coder.decodeDouble(forKey: Key.longitude))
    accuracy = coder.decodeDouble(forKey: Key.accuracy)
    super.init()
  }

  /// When the visit began; `.distantPast` if that is not known.
  open var arrivalDate: Date { arrival }
  /// When the visit ended; `.distantFuture` while it has not, and if the time is not known.
  open var departureDate: Date { departure }
  /// The center of the place, degrees.
  open var coordinate: CLLocationCoordinate2D { place }
  /// Radius around the coordinate that contains the place with a probability of 68 %, meters; negative: the coordinate is not
  /// valid.
  open var horizontalAccuracy: CLLocationAccuracy { accuracy }

  /// Returns itself, because a visit never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encodeTime(arrival, forKey: Key.arrival)
    coder.encodeTime(departure, forKey: Key.departure)
    coder.encode(place.latitude, forKey: Key.latitude)
    coder.encode(place.longitude, forKey: Key.longitude)
    coder.encode(accuracy, forKey: Key.accuracy)
  }
}

extension CLVisit {
  /// Converts a visit of the service to Apple's type: `.distantPast` and `.distantFuture` for unknown times.
  convenience init(_ visit: Visit) {
    self.init(
      arrival: visit.arrival.map { Date($0) } ?? .distantPast,
      departure: visit.departure.map { Date($0) } ?? .distantFuture,
      coordinate: CLLocationCoordinate2D(visit.coordinate), horizontalAccuracy: visit.horizontalRadius68.value)
  }
}

extension Date {
  init(_ time: GNSSTime) { self.init(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9) }
}
