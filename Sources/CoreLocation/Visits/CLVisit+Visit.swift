import CCoreLocation
import Foundation
import Geodesy
import LocationPolicy

extension CLVisit {
  /// A stay of the service's in Apple's terms: from ever, and for ever, where that is not known.
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
