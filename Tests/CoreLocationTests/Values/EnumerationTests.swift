import CoreLocation
import Testing

@Suite struct EnumerationTests {
  @Test func authorizationHasAppleValues() {
    let all: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(all.map(\.rawValue) == [Int32](0...4))
    #expect(CLAuthorizationStatus.authorized == .authorizedAlways)
    #expect([CLAccuracyAuthorization.fullAccuracy, .reducedAccuracy].map(\.rawValue) == [0, 1])
  }

  @Test func hintsHaveAppleValues() {
    let activities: [CLActivityType] = [
      .other, .automotiveNavigation, .fitness, .otherNavigation, .airborne, .maritime,
    ]
    #expect(activities.map(\.rawValue) == [Int](1...6))
    let orientations: [CLDeviceOrientation] = [
      .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    #expect(orientations.map(\.rawValue) == [Int32](0...6))
  }

  @Test func statesHaveAppleValues() {
    #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
    #expect([CLProximity.unknown, .immediate, .near, .far].map(\.rawValue) == [0, 1, 2, 3])
    let monitoring: [CLMonitor.Event.State] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
    #expect(monitoring.map(\.rawValue) == [UInt](0...3))
    #expect(__CLMonitoringState.satisfied == CLMonitor.Event.State.satisfied)
  }

  @Test func valuesOfAnotherSystemAreKept() {
    #expect(CLAuthorizationStatus(rawValue: 100)?.rawValue == 100)
    #expect(CLAccuracyAuthorization(rawValue: 100)?.rawValue == 100)
    #expect(CLActivityType(rawValue: 100)?.rawValue == 100)
    #expect(CLDeviceOrientation(rawValue: 100)?.rawValue == 100)
    #expect(CLProximity(rawValue: 100)?.rawValue == 100)
    #expect(CLMonitor.Event.State(rawValue: 100)?.rawValue == 100)
    #expect(CLError.Code(rawValue: 100)?.rawValue == 100)
    #expect(CLLocationPushServiceError.Code(rawValue: 100)?.rawValue == 100)
  }

  @Test func areSwitchedAsOnApple() {
    // This compiles only if the first enumeration is open and the second one is closed.
    func words(_ status: CLAuthorizationStatus) -> String {
      switch status {
      case .notDetermined: "not determined"
      case .restricted: "restricted"
      case .denied: "denied"
      case .authorizedAlways: "always"
      case .authorizedWhenInUse: "when in use"
      @unknown default: "unknown"
      }
    }
    func words(_ state: CLRegionState) -> String {
      switch state {
      case .unknown: "unknown"
      case .inside: "inside"
      case .outside: "outside"
      }
    }
    #expect(CLAuthorizationStatus(rawValue: 100).map(words) == "unknown")
    #expect(words(.authorized) == "always")
    #expect(words(CLRegionState.outside) == "outside")
  }

  @Test func sessionsAndUpdatesAreChosen() {
    let configurations: Set<CLLocationUpdate.LiveConfiguration> = [
      .default, .automotiveNavigation, .otherNavigation, .fitness, .airborne, .maritime,
    ]
    #expect(configurations.count == 6)
    let requirements: Set<CLServiceSession.AuthorizationRequirement> = [.none, .whenInUse, .always]
    #expect(requirements.count == 3)
  }
}
