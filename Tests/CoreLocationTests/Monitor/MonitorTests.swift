import CoreLocation
import Foundation
import Testing

@Suite struct MonitorTests {
  @Test func itsNameIsItsAlone() throws {
    let path = ToolRun.products.appendingPathComponent("location-client").path
    let run = try ToolRun([
      "LOCATIOND_SOURCE=simulator", "LOCATIOND_GPSD=off", "LOCATIOND_STATE=/proc/nowhere", "timeout", "-k", "1", "60",
      path,
      "monitor-twice",
    ])
    #expect(run.status < 0 || run.status > 128, "ended by a signal")
    #expect(run.output.contains("CoreLocation: Monitor named twice is already in use"), "\(run.output)")
  }

  @Test func conditionsSurviveAnArchive() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    let circle = try decoder.decode(
      CLMonitor.CircularGeographicCondition.self,
      from: try encoder.encode(
        CLMonitor.CircularGeographicCondition(center: .init(latitude: 46.95, longitude: 7.45), radius: 100)))
    #expect((circle.center.latitude, circle.center.longitude, circle.radius) == (46.95, 7.45, 100))
    let uuid = UUID()
    for beacon in [
      CLMonitor.BeaconIdentityCondition(uuid: uuid), .init(uuid: uuid, major: 1), .init(uuid: uuid, major: 1, minor: 2),
    ] {
      let copy = try decoder.decode(CLMonitor.BeaconIdentityCondition.self, from: try encoder.encode(beacon))
      #expect((copy.uuid, copy.major, copy.minor) == (uuid, beacon.major, beacon.minor))
    }
  }
}
