import CoreLocation

// A script: everything at the top level, in Swift 6 mode, with the delegate on the main actor, declared and implicit.
final class Said: NSObject, @MainActor CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { print(error) }
}

final class Delegate: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    print(locations.count)
  }
}

let delegate = Delegate()
let manager = CLLocationManager()
manager.delegate = delegate
let way = CLLocation(latitude: 41, longitude: -111).distance(from: CLLocation(latitude: 41, longitude: -112))
print(String(format: "%.2f", way), CLError.denied.rawValue, UUID().uuidString.count)
_ = RunLoop.main.run(mode: .default, before: Date())
