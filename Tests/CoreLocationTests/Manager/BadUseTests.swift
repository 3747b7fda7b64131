import CoreLocation
import Testing

/// Mistakes of programs: what Apple documents happens, or a line on standard error states what to do.
@Suite struct BadUseTests {
  @Test func nothingIsReportedAfterStopThatWaitedBeforeIt() throws {
    #expect(try ClientRun("stop-in-callback").lines == ["stopped 0"])
  }

  @Test func delegatesAndManagersMayGoInACallback() throws {
    #expect(try ClientRun("free-in-callback").lines == ["freed true true"])
  }

  @Test func managersMayGoOnAnotherThread() throws {
    #expect(try ClientRun("free-elsewhere").lines == ["let go"])
  }

  @Test func aManagerMayBeSharedByThreads() throws {
    #expect(try ClientRun("shared").lines == ["shared 480"])
  }

  @Test func threadsThatHadManagersLeaveNothing() throws {
    let lines = try ClientRun("threads-gone").lines
    #expect(lines == ["kept false"], "\(lines)")
  }

  @Test func aThreadWithoutARunLoopIsComplainedOf() throws {
    let lines = try ClientRun("deaf-thread").lines
    #expect(lines.last == "deaf 0")
    #expect(lines.filter { $0.contains("a thread without a running run loop") }.count == 1, "\(lines)")
  }

  @Test func aRequestThatNoOneCanReceiveIsComplainedOf() throws {
    let located = try ClientRun("request-in-vain").lines
    #expect(located.last == "answered 1 0")
    #expect(
      located.contains { $0.contains("Silent does not implement locationManager(_:didUpdateLocations:)") }, "\(located)"
    )
    #expect(located.contains { $0.contains("the manager has no delegate") }, "\(located)")
    let failed = try ClientRun("request-in-vain", source: ClientRun.nothing).lines
    #expect(failed.last == "answered 0 1")
    #expect(
      failed.contains { $0.contains("Silent does not implement locationManager(_:didFailWithError:)") }, "\(failed)")
  }

  @Test func aPlaceThatIsInvalidIsNotValidAndFromNowhereFar() {
    let none = CLLocationCoordinate2D(latitude: .nan, longitude: .infinity)
    #expect(!CLLocationCoordinate2DIsValid(none))
    let location = CLLocation(latitude: .nan, longitude: 0)
    let other = CLLocation(latitude: 0, longitude: 0)
    #expect(location.distance(from: other).isNaN && other.distance(from: location).isNaN)
    #expect(!CLCircularRegion(center: none, radius: 100, identifier: "nowhere").contains(other.coordinate))
    #expect(location.description.contains("nan"))
  }

  /// If no receiver may be read, access is denied: the authorization's callback and the request both report it.
  @Test(.enabled(if: UnprivilegedUser.isThere, "needs root, and setpriv"), arguments: ["updates", "request"])
  func receiversThatMayNotBeReadAreADenial(form: String) throws {
    let port = try UnreadablePort()
    let lines = try ClientRun(form, source: "serial:\(port.path)", as: UnprivilegedUser.prefix).lines
    #expect(lines.prefix(2) == ["authorization 3", "authorization 2"])
    #expect(lines.last?.contains("error") == true && lines.count == 3, "\(lines)")
  }
}
