import CoreLocation

// A program whose module and types have the names of what the library is made of; built with `-module-name Geodesy`.

/// Not the library's.
struct Meters {
  var value: String
}

/// Not the library's.
final class Angle {
  let text: [String] = ["of my own"]
}

/// Not the library's.
struct PositionFix {
  var coordinate: [String: Meters]
}

final class Here: NSObject, CLLocationManagerDelegate {
  let mine = PositionFix(coordinate: ["height": Meters(value: "of my own")])

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    print("here", (locations.last?.horizontalAccuracy ?? -1) > 0)
    print(type(of: mine), mine.coordinate["height"]?.value ?? "", Angle().text)
    exit(0)
  }
}

let here = Here()
let manager = CLLocationManager()
manager.delegate = here
manager.startUpdatingLocation()
RunLoop.main.run()
