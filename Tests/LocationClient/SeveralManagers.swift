import CoreLocation

/// Keeps everything that one manager receives, and calls `onLocation` for each location.
final class Recorder: NSObject, CLLocationManagerDelegate {
  private(set) var locations: [CLLocation] = []
  private(set) var words: [String] = []
  var onLocation: () -> Void = {}

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    locations += found
    onLocation()
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    words.append("failed")
    onLocation()
  }
}

/// Makes a manager with its delegate.
func recorded(_ settle: (CLLocationManager) -> Void = { _ in }) -> (manager: CLLocationManager, recorder: Recorder) {
  let (manager, recorder) = (CLLocationManager(), Recorder())
  manager.delegate = recorder
  settle(manager)
  return (manager, recorder)
}

/// Runs this thread's run loop until the condition is met.
func run(until isSo: () -> Bool) { while !isSo() { _ = RunLoop.current.run(mode: .default, before: .distantFuture) } }

/// Managers of one program with different settings: they receive the same locations, as far as their settings permit.
func showSettings() {
  let (all, alike) = (recorded(), recorded())
  let far = recorded { $0.distanceFilter = 100_000 }
  // A negative distance filter has the same effect as none.
  let negative = recorded { $0.distanceFilter = -5 }
  let none = recorded { $0.distanceFilter = .nan }
  let airborne = recorded { $0.activityType = .airborne }
  let managers = [all, alike, far, negative, none, airborne]
  for (manager, _) in managers { manager.startUpdatingLocation() }
  run { managers.allSatisfy { $0.recorder === far.recorder || $0.recorder.locations.count >= 8 } }
  let shared = zip(all.recorder.locations, alike.recorder.locations).allSatisfy { $0 === $1 }
  // The device stands still: after the first location, only a much better one passes a distance filter.
  let radii = far.recorder.locations.map(\.horizontalAccuracy)
  let isFiltered = !radii.isEmpty && radii.count < all.recorder.locations.count
  let areBetter = zip(radii, radii.dropFirst()).allSatisfy { $1 < 0.9 * $0 }
  print("shared \(shared)", "far \(isFiltered && areBetter)")
}

/// A manager that starts later begins with the known location, under its original time, and does not receive it twice.
func showCached() {
  let first = recorded()
  first.manager.startUpdatingLocation()
  run { first.recorder.locations.count >= 2 }
  let second = recorded()
  let isKnown = second.manager.location === first.recorder.locations.last
  second.manager.startUpdatingLocation()
  // Immediately: the next epoch is most of a second away.
  run { !second.recorder.locations.isEmpty }
  let isOld = second.recorder.locations.first?.timestamp == first.recorder.locations.last?.timestamp
  run { second.recorder.locations.count >= 2 }
  let times = second.recorder.locations.map(\.timestamp)
  print("known \(isKnown)", "cached \(isOld)", "newer \(times[0] < times[1])")
}

/// The location that was known to an earlier run of the service.
func showRemembered() {
  let (manager, recorder) = recorded()
  manager.startUpdatingLocation()
  run { !recorder.locations.isEmpty }
  let location = recorder.locations[0]
  print("remembered \(location.coordinate.latitude) \(Int(location.timestamp.timeIntervalSince1970))")
  print("grown \(location.horizontalAccuracy > 4)", "property \(manager.location === location)")
}

/// The older form of the delegate also receives the previous location.
final class OlderRecorder: NSObject, CLLocationManagerDelegate {
  private(set) var steps: [(from: CLLocation, to: CLLocation)] = []
  func locationManager(_ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)
  {
    steps.append((oldLocation, newLocation))
  }
}

func showOlder() {
  let (manager, recorder) = (CLLocationManager(), OlderRecorder())
  manager.delegate = recorder
  manager.startUpdatingLocation()
  run { recorder.steps.count >= 3 }
  let isChain = zip(recorder.steps, recorder.steps.dropFirst()).allSatisfy { $0.to === $1.from }
  print("older \(recorder.steps[0].from === recorder.steps[0].to) \(isChain)")
}
