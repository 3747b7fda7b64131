import CoreLocation
import Testing

@Suite struct ErrorTests {
  private static let codes: [CLError.Code] = [
    .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure,
    .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed, .geocodeFoundNoResult, .geocodeFoundPartialResult,
    .geocodeCanceled, .deferredFailed, .deferredNotUpdatingLocation, .deferredAccuracyTooLow,
    .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable, .rangingFailure, .promptDeclined,
    .historicalLocationError,
  ]

  private func caught(_ error: any Error) -> String {
    do { throw error } catch CLError.denied { return "denied" } catch CLError.network { return "network" } catch {
      return "other"
    }
  }

  @Test func codesHaveAppleValues() {
    #expect(Self.codes.map(\.rawValue) == [Int](0...19))
    #expect(Self.codes.map { CLError($0).errorCode } == [Int](0...19))
    let statics: [CLError.Code] = [
      CLError.locationUnknown, CLError.denied, CLError.network, CLError.headingFailure, CLError.regionMonitoringDenied,
      CLError.regionMonitoringFailure, CLError.regionMonitoringSetupDelayed, CLError.regionMonitoringResponseDelayed,
      CLError.geocodeFoundNoResult, CLError.geocodeFoundPartialResult, CLError.geocodeCanceled, CLError.deferredFailed,
      CLError.deferredNotUpdatingLocation, CLError.deferredAccuracyTooLow, CLError.deferredDistanceFiltered,
      CLError.deferredCanceled, CLError.rangingUnavailable, CLError.rangingFailure, CLError.promptDeclined,
      CLError.historicalLocationError,
    ]
    #expect(statics == Self.codes)
    let push: [CLLocationPushServiceError.Code] = [
      CLLocationPushServiceError.unknown, CLLocationPushServiceError.missingPushExtension,
      CLLocationPushServiceError.missingPushServerEnvironment, CLLocationPushServiceError.missingEntitlement,
      CLLocationPushServiceError.unsupportedPlatform,
    ]
    #expect(push.map(\.rawValue) == [Int](0...4))
  }

  @Test func isCaughtByItsCode() {
    #expect(caught(CLError(.denied)) == "denied")
    #expect(caught(CLError(.network)) == "network")
    #expect(caught(CLError(.headingFailure)) == "other")
    #expect(caught(NSError(domain: kCLErrorDomain, code: 1)) == "denied")
    #expect(caught(NSError(domain: "another", code: 1)) == "other")
    #expect(caught(CLLocationPushServiceError(.missingPushExtension)) == "other")
    #expect(caught(CocoaError(.fileNoSuchFile)) == "other")
  }

  @Test func isCaughtAsItself() {
    do { throw CLError(.denied, userInfo: ["key": "value"]) } catch let error as CLError where error.code == .denied {
      #expect(error.userInfo["key"] as? String == "value")
    } catch {
      Issue.record("\(error)")
    }
    let error: any Error = CLError(.network)
    #expect((error as? CLError)?.code == .network)
    #expect((error as? CLLocationPushServiceError) == nil)
  }

  @Test func isAnErrorOfFoundation() {
    let error = CLError(.denied) as NSError
    #expect(error.domain == "kCLErrorDomain")
    #expect(error.code == CLError.Code.denied.rawValue)
    #expect(CLError.errorDomain == kCLErrorDomain)
    #expect(CLLocationPushServiceError.errorDomain == CLLocationPushServiceErrorDomain)
    #expect(CLError(.denied).localizedDescription.contains("kCLErrorDomain"))
    #expect(CLError(_nsError: NSError(domain: kCLErrorDomain, code: 100)).code.rawValue == 100)
  }

  @Test func isEqualByCodeAndCanBeHashed() {
    #expect(CLError(.denied) == CLError(.denied))
    #expect(CLError(.denied) != CLError(.network))
    #expect(CLError(.denied).hashValue == CLError(.denied).hashValue)
    #expect(Set([CLError(.denied), CLError(.denied), CLError(.network)]).count == 2)
    #expect(CLLocationPushServiceError(.unknown).hashValue == CLLocationPushServiceError(.unknown).hashValue)
  }

  @Test func carriesAnotherRegion() {
    let region = CLCircularRegion(center: .init(), radius: 500, identifier: "wider")
    let error = CLError(
      .regionMonitoringResponseDelayed, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
    #expect(error.alternateRegion === region)
    #expect(CLError(.regionMonitoringResponseDelayed).alternateRegion == nil)
  }
}
