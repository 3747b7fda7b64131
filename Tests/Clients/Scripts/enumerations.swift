import CCoreLocation

// Only the enumerations and the coordinate, without Foundation.
func word(_ status: CLAuthorizationStatus) -> String {
  switch status {
  case .notDetermined, .restricted, .denied: return "no"
  case .authorizedAlways, .authorizedWhenInUse: return "yes"
  @unknown default: return "unknown"
  }
}

let statuses: [CLAuthorizationStatus?] = [.denied, .authorizedAlways, CLAuthorizationStatus(rawValue: 100)]
print(statuses.map { $0.map(word) ?? "nil" }, CLLocationCoordinate2D().latitude)
