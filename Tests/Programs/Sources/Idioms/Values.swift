import CoreLocation

extension CLLocation {
  static let office = CLLocation(latitude: 47, longitude: 8)

  /// Kilometers per hour.
  var speedInWords: String {
    let speed = Measurement(value: max(speed, 0), unit: UnitSpeed.metersPerSecond).converted(to: .kilometersPerHour)
    return "\(speed.value.formatted(.number.precision(.fractionLength(1)))) km/h"
  }
}

extension CLLocationCoordinate2D: @retroactive Identifiable {
  /// Both numbers.
  public var id: String { "\(latitude),\(longitude)" }
}

/// The address of a place on one line.
func address(of location: CLLocation) async -> String? {
  guard let place = try? await CLGeocoder().reverseGeocodeLocation(location).first else { return nil }
  return [place.name, place.locality, place.postalCode, place.country].compactMap { $0 }.joined(separator: ", ")
}

func printAddress(of location: CLLocation, with geocoder: CLGeocoder) {
  geocoder.reverseGeocodeLocation(location) { placemarks, error in
    guard let place = placemarks?.first, error == nil else { return }
    print(place.locality ?? place.name ?? "")
  }
}

func inspect(_ location: CLLocation) {
  let all: Set<CLLocation> = [location, location.copy() as? CLLocation ?? .office]
  let words: [CLAuthorizationStatus: String] = [.denied: "no", .authorizedAlways: "yes"]
  print(all.count, words[CLAuthorizationStatus(rawValue: 2) ?? .notDetermined] ?? "", CLLocationCoordinate2D())
  print(location.floor?.level ?? 0, location.sourceInformation?.isProducedByAccessory ?? false)
  if CLLocationCoordinate2DIsValid(location.coordinate), location.speedAccuracy >= 0 { print(location.speedInWords) }
}
