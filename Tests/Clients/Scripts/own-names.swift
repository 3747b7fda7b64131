import CoreLocation

// A program whose module and types have the names of the library's internal modules and types; built with `-module-name Geodesy`.

/// Not the type of the library.
struct Meters {
  var value: String
}

/// Not the type of the library.
final class Angle {
  let text: [String] = ["of my own"]
}

/// Not the type of the library.
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
