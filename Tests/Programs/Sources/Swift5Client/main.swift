import CoreLocation

/// The error as a text for people.
func words(_ error: Error) -> String {
  switch error {
  case CLError.locationUnknown: return "unknown"
  case let error as CLError where error.code == .denied: return "denied"
  default: return "\((error as NSError).domain) \((error as NSError).code)"
  }
}

let replaying = ReplayingManager()
let simulated = LocationProvider(locationManager: replaying)
simulated.find { result in
  if case .failure(let error) = result { print("replayed:", words(error)) }
}
replaying.places = [CLLocation(latitude: 46.9, longitude: 7.4)]
simulated.find { result in
  if case .success(let location) = result { print("replayed:", location.coordinate.latitude) }
}
let fence = Fence()
replaying.delegate = fence
let home = CLCircularRegion(center: CLLocationCoordinate2DMake(46.9, 7.4), radius: 50, identifier: "home")
home.notifyOnExit = false
replaying.startMonitoring(for: home)
print("entered:", fence.entered)

let provider = LocationProvider()
let group = DispatchGroup()
for caller in 1...2 {
  group.enter()
  provider.find { result in
    switch result {
    case .success(let location): print("caller \(caller): \(location.horizontalAccuracy < 100)")
    case .failure(let error): print("caller \(caller): \(words(error))")
    }
    group.leave()
  }
}
group.notify(queue: .main) { exit(0) }
RunLoop.main.run()
