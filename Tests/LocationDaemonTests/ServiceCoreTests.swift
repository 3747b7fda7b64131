import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// The service as a transcript: its inputs, and its actions.
@Suite struct ServiceCoreTests {
  private let client = ClientID.process(1)
  private let request = RequestID(7)
  private let link = LinkID(0)
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func core(_ memory: ServiceMemory = ServiceMemory()) -> ServiceCore {
    let wall = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000)
    return ServiceCore(
      ServiceCore.Settings(
        eraFloor: CalendarDate(year: 2026, month: 8, day: 1), wallClock: wall, startedAt: start, memory: memory))
  }

  private func receiver(_ id: String = "usb-1546-01a7-1", at path: String = "/dev/ttyACM0") -> DetectedDevice {
    DetectedDevice(id: id, path: path, kind: .receiver)
  }

  /// The actions without progress, which is only shown to people.
  private func reported(_ actions: [ServiceCore.Action]) -> [ServiceCore.Action] {
    actions.filter { if case .send(_, .progress) = $0 { false } else { true } }
  }

  @Test func opensOnlyWhenSomeoneAsksAndClosesWhenNoOneDoes() {
    var core = core()
    #expect(core.handle(.deviceAppeared(receiver()), at: start) == [])
    #expect(core.handle(.inventoryComplete, at: start) == [])
    #expect(
      reported(core.handle(.request(client, .startUpdates(request, UpdateOptions())), at: start))
        == [.open(link, receiver())])
    #expect(reported(core.handle(.opened(link, baud: 9600), at: start)) == [])
    #expect(core.handle(.request(client, .cancel(request)), at: start) == [.close(link)])
    #expect(core.nextDeadline == nil)
  }

  @Test func closesWhenTheClientGoes() {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.request(client, .startUpdates(request, UpdateOptions())), at: start)
    _ = core.handle(.opened(link, baud: 9600), at: start)
    #expect(core.handle(.clientGone(client), at: start) == [.close(link)])
    #expect(!core.isBusy)
  }

  @Test func aPortThatOpensTooLateIsClosedAgain() {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.request(client, .startUpdates(request, UpdateOptions())), at: start)
    _ = core.handle(.deviceVanished(id: receiver().id, path: receiver().path), at: start)
    #expect(core.handle(.opened(link, baud: 9600), at: start) == [.close(link)])
  }

  @Test func anUntrustedAdapterIsNeverOpened() {
    var core = core()
    var adapter = DetectedDevice(id: "usb-10c4-ea60@1", path: "/dev/ttyUSB0", kind: .adapter)
    adapter.product = "CP2102N"
    adapter.usbVendorID = 0x10C4
    _ = core.handle(.deviceAppeared(adapter), at: start)
    _ = core.handle(.inventoryComplete, at: start)
    let untrusted = UntrustedAdapter(id: adapter.id, path: adapter.path, name: "CP2102N")
    _ = core.handle(.request(client, .locate(request, OneShotOptions())), at: start)
    #expect(
      reported(core.handle(.wake, at: start + OneShot.enumerationTime))
        == [.send(client, .failed(request, .untrustedAdapters([untrusted])))])
    #expect(
      core.handle(.request(client, .trustDevice(request, selector: "/dev/ttyUSB0")), at: start)
        == [.changeTrust(client, request, deviceID: adapter.id, isTrusted: true)])
    adapter.kind = .trusted
    _ = core.handle(.deviceAppeared(adapter), at: start)
    #expect(core.handle(.trustChanged(client, request, nil), at: start) == [.send(client, .done(request))])
    #expect(
      reported(core.handle(.request(client, .locate(request, OneShotOptions())), at: start)) == [.open(link, adapter)])
  }

  @Test func withoutAnyDeviceItFails() {
    let requests: [ClientRequest] = [
      .locate(request, OneShotOptions()), .startUpdates(request, UpdateOptions()),
    ]
    for message in requests {
      var core = core()
      _ = core.handle(.inventoryComplete, at: start)
      #expect(reported(core.handle(.request(client, message), at: start)) == [])
      #expect(
        reported(core.handle(.wake, at: start + OneShot.enumerationTime))
          == [.send(client, .failed(request, .noSource))])
    }
  }

  @Test func withWaitItWaits() {
    var core = core()
    _ = core.handle(.inventoryComplete, at: start)
    let options = OneShotOptions(waitsForSource: true)
    #expect(reported(core.handle(.request(client, .locate(request, options)), at: start)) == [])
    #expect(reported(core.handle(.deviceAppeared(receiver()), at: start + .seconds(9))) == [.open(link, receiver())])
  }

  @Test(arguments: [
    (
      OpenProblem.permissionDenied(group: "dialout"),
      LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout")
    ),
    (
      .inUse(.process(pid: 42, name: "gpsd")), .portInUse(path: "/dev/ttyACM0", holder: .process(pid: 42, name: "gpsd"))
    ),
    (.cannotOpen(.isFIFO), .cannotOpen(path: "/dev/ttyACM0", reason: .isFIFO)),
    (.cannotOpen(.doesNotExist), .cannotOpen(path: "/dev/ttyACM0", reason: .doesNotExist)),
  ])
  func aPortThatCannotBeOpenedIsExplainedImmediately(problem: OpenProblem, failure: LocationFailure) {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.inventoryComplete, at: start)
    _ = core.handle(.request(client, .locate(request, OneShotOptions())), at: start)
    var now = start
    var actions = reported(core.handle(.openFailed(link, problem), at: now))
    // Only a port that does not exist may be one that was plugged in just now.
    if problem == .cannotOpen(.doesNotExist) {
      #expect(actions == [])
      now = now + OneShot.enumerationTime
      actions = reported(core.handle(.wake, at: now))
    }
    #expect(actions.contains(.send(client, .failed(request, failure))))
  }

  @Test func anotherProcessOfOursIsWaitedFor() {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.inventoryComplete, at: start)
    _ = core.handle(.request(client, .locate(request, OneShotOptions(timeout: .seconds(5)))), at: start)
    #expect(
      core.handle(.openFailed(link, .lockedByOwn(pid: 99)), at: start)
        == [.send(client, .progress(request, .waitingForPort(path: "/dev/ttyACM0")))])
    #expect(reported(core.handle(.portFreed(link), at: start + .seconds(1))) == [.open(link, receiver())])
    _ = core.handle(.openFailed(link, .lockedByOwn(pid: 98)), at: start + .seconds(1))
    let late = start + .seconds(5)
    #expect(core.nextDeadline == late)
    #expect(
      reported(core.handle(.wake, at: late)).first
        == .send(client, .failed(request, .portInUse(path: "/dev/ttyACM0", holder: .ownLock(pid: 98)))))
  }

  @Test func aReceiverThatIsPluggedInAgainIsOpenedUnderItsNewName() {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.request(client, .startUpdates(request, UpdateOptions())), at: start)
    _ = core.handle(.opened(link, baud: 9600), at: start)
    let moved = receiver(at: "/dev/ttyACM1")
    #expect(reported(core.handle(.deviceAppeared(moved), at: start)) == [.close(link), .open(link, moved)])
    // The event that the old name vanished comes late, and has no effect any more.
    #expect(reported(core.handle(.deviceVanished(id: moved.id, path: "/dev/ttyACM0"), at: start)) == [])
    #expect(reported(core.handle(.opened(link, baud: 9600), at: start)) == [])
  }

  @Test func aPortThatClosesItselfIsLookedForAgainAndAgain() {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.request(client, .startUpdates(request, UpdateOptions())), at: start)
    _ = core.handle(.opened(link, baud: 9600), at: start)
    _ = core.handle(.closed(link), at: start)
    var now = start + .milliseconds(250)
    for attempt in 0..<100 {
      #expect(reported(core.handle(.wake, at: now)).contains(.open(link, receiver())), "attempt \(attempt)")
      #expect(reported(core.handle(.openFailed(link, .cannotOpen(.doesNotExist)), at: now)) == [])
      now = now + .seconds(1)
    }
    #expect(reported(core.handle(.wake, at: now)).contains(.open(link, receiver())))
    #expect(reported(core.handle(.opened(link, baud: 9600), at: now)) == [])
  }

  @Test func aSilentReceiverIsReportedAfterTwoRoundsOfBaudRates() {
    var core = core()
    _ = core.handle(.deviceAppeared(receiver()), at: start)
    _ = core.handle(.inventoryComplete, at: start)
    _ = core.handle(.request(client, .locate(request, OneShotOptions())), at: start)
    var actions = core.handle(.opened(link, baud: 9600), at: start)
    var now = start
    while !reported(actions).contains(where: { if case .send = $0 { true } else { false } }) {
      guard let deadline = core.nextDeadline, now < start + .seconds(60) else { break }
      now = deadline
      actions = core.handle(.wake, at: now)
    }
    #expect(now <= start + .seconds(22))
    let speeds = [9600, 38_400, 115_200, 4800, 57_600, 230_400, 460_800, 921_600, 19_200]
    #expect(
      reported(actions).contains(
        .send(client, .failed(request, .nothingReceived(path: "/dev/ttyACM0", bytesSeen: 0, speeds: speeds)))))
    #expect(reported(actions).last == .close(link))
  }

  @Test func onFailureTheLastKnownFixIsGivenWhereItIsWanted() throws {
    var memory = ServiceMemory()
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000 - 60_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: 5), coordinate: try #require(Coordinate(checkingLatitude: 1, longitude: 2)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = 10
    memory.lastFix = fix
    var core = core(memory)
    _ = core.handle(.inventoryComplete, at: start)
    _ = core.handle(.request(client, .locate(request, OneShotOptions(acceptsLastKnown: true))), at: start)
    let actions = reported(core.handle(.wake, at: start + OneShot.enumerationTime))
    guard case .send(client, .located(request, let given, let age, true))? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(age == .seconds(63))
    #expect(given.coordinate == fix.coordinate)
    #expect(given.horizontalRadius68 == Meters(633), "the radius has grown by age times speed")
  }

  @Test func devicesAndRequestsAreBounded() {
    var core = core()
    _ = core.handle(.inventoryComplete, at: start)
    for number in 0..<200 {
      _ = core.handle(.deviceAppeared(receiver("r\(number)", at: "/dev/ttyACM\(number)")), at: start)
    }
    guard
      case .send(_, .devices(_, let devices))? = core.handle(.request(client, .listDevices(request)), at: start).first
    else {
      Issue.record("no list")
      return
    }
    #expect(devices.count == ServiceCore.maximumDevices)
    for number in 0..<UInt32(ServiceCore.maximumRequests) {
      _ = core.handle(.request(client, .startUpdates(RequestID(number), UpdateOptions())), at: start)
    }
    #expect(
      reported(core.handle(.request(client, .startUpdates(RequestID(9999), UpdateOptions())), at: start))
        == [.send(client, .failed(RequestID(9999), .tooManyRequests(limit: ServiceCore.maximumRequests)))])
  }
}
