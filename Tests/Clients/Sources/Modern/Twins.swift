import class CoreLocation.CLLocation
import class CoreLocation.CLLocationManager
import func CoreLocation.CLLocationCoordinate2DMake
import let CoreLocation.kCLLocationAccuracyBest
import struct Foundation.Data

/// The synchronous and the asynchronous form of each method, each called without naming which one is meant. Only compiled.
enum Twins {
  static func withCompletion(_ manager: CLLocationManager) {
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key")
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key", completion: nil)
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key") { error in print(error as Any) }
    manager.startMonitoringLocationPushes()
    manager.startMonitoringLocationPushes { token, error in print(token as Any, error as Any) }
    manager.requestHistoricalLocations(purposeKey: "key", sampleCount: 1) { locations, error in
      print(locations.count, error as Any)
    }
  }

  @MainActor static func asynchronous(_ manager: CLLocationManager) async throws -> [CLLocation] {
    try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key")
    let token: Data = try await manager.startMonitoringLocationPushes()
    print(token.count, CLLocationCoordinate2DMake(1, 2))
    return try await manager.historicalLocations(purposeKey: "key", sampleCount: 1)
  }
}
