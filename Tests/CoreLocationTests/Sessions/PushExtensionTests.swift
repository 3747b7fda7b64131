import CoreLocation
import Testing

/// A push extension implements one form of the method; the system calls the asynchronous one.
@Suite struct PushExtensionTests {
  private final class Completing: NSObject, CLLocationPushServiceExtension {
    var received: [String] = []
    func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void) {
      received += payload.keys
      completion()
    }
  }

  private final class Asynchronous: NSObject, CLLocationPushServiceExtension {
    var received: [String] = []
    func didReceiveLocationPushPayload(_ payload: [String: Any]) async { received += payload.keys }
    func serviceExtensionWillTerminate() { received.append("end") }
  }

  @Test func eitherFormIsReached() async {
    let (completing, asynchronous) = (Completing(), Asynchronous())
    for served in [completing, asynchronous] as [any CLLocationPushServiceExtension] {
      await served.didReceiveLocationPushPayload(["key": 1])
      served.serviceExtensionWillTerminate()
    }
    #expect(completing.received == ["key"])
    #expect(asynchronous.received == ["key", "end"])
  }
}
