import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// Which devices are opened, when, and what a client receives for those that cannot be opened.
@Suite struct DeviceTests {
  typealias Bench = CoreBench
  private let receiver = Bench.receiver("usb-1")

  /// A core that waits for the first bytes of an open receiver.
  private func opened(_ request: ServiceCore.Input = Bench.locate()) -> Bench {
    var bench = Bench()
    #expect(bench.send(.deviceAppeared(receiver), at: 0) == [])
    #expect(bench.send(request, at: 1) == [.open(Bench.first, receiver)])
    #expect(bench.send(.opened(Bench.first, baud: 9600), at: 1) == [])
    return bench
  }

  // MARK: - Open only with a request

  @Test func aReceiverIsOpenedForARequestAndClosedAfterItsAnswer() throws {
    var bench = opened()
    let actions = bench.receive(Bench.burst(2), on: Bench.first, at: 2)
    #expect(try #require(actions.located).time == Bench.wallClock + .seconds(2))
    #expect(actions.deeds.last == .close(Bench.first))
    #expect(bench.send(.wake, at: 3) == [])
    #expect(!bench.core.isBusy)
  }

  @Test func aStreamKeepsItOpenUntilItIsCancelled() {
    var bench = opened(Bench.watch())
    for second in 2...5 {
      #expect(bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)).updates.count == 1)
    }
    #expect(bench.send(Bench.cancel(), at: 6) == [.close(Bench.first)])
  }

  @Test func itIsClosedWhenTheLastClientHasGone() {
    var bench = opened(Bench.watch())
    let other = ClientID.process(2)
    #expect(bench.send(.request(other, .startUpdates(RequestID(1), UpdateOptions())), at: 2) == [])
    #expect(bench.send(.clientGone(Bench.client), at: 3) == [])
    #expect(bench.send(.clientGone(other), at: 4) == [.close(Bench.first)])
  }

  @Test func aReceiverThatAppearsWhileSomeoneWaitsIsOpenedImmediately() {
    var bench = Bench()
    #expect(bench.send(Bench.locate { $0.waitsForSource = true }, at: 1) == [])
    #expect(bench.send(.deviceAppeared(receiver), at: 2) == [.open(Bench.first, receiver)])
  }

  @Test func anAnswerThatComesTooLateIsClosedAgain() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    #expect(bench.send(Bench.watch(), at: 1) == [.open(Bench.first, receiver)])
    #expect(bench.send(Bench.cancel(), at: 1) == [])
    #expect(bench.send(.opened(Bench.first, baud: 9600), at: 2) == [.close(Bench.first)])
  }

  /// The kernel stores any baud rate for a receiver with USB of its own; a bridge to a UART has one.
  @Test(
    arguments: [
      ("/dev/ttyACM0", DeviceKind.receiver, 0x1546, false), ("/dev/ttyACM0", .receiver, 0x067B, false),
      ("/dev/ttyACM0", .trusted, 0x1546, false), ("/dev/ttyACM0", .trusted, nil, false),
      ("/dev/ttyACM0", .trusted, 0x1A86, true), ("/dev/ttyUSB0", .receiver, 0x067B, true),
      ("/dev/ttyAMA0", .trusted, nil, true),
    ] as [(String, DeviceKind, UInt16?, Bool)])
  func onlyAUARTHasABaudRate(path: String, kind: DeviceKind, vendor: UInt16?, isShown: Bool) {
    var bench = Bench()
    var device = Bench.receiver("usb-1", path: path, kind: kind)
    device.usbVendorID = vendor
    _ = bench.send(.deviceAppeared(device), at: 0)
    _ = bench.send(Bench.watch(), at: 1)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 1)
    _ = bench.receive(Bench.burst(2), on: Bench.first, at: 2)
    guard
      case .devices(_, let devices)? = bench.send(.request(Bench.client, .listDevices(RequestID(9))), at: 3).events
        .first
    else {
      Issue.record("no list")
      return
    }
    #expect(devices.map { $0.baud != nil } == [isShown])
  }

  // MARK: - Trust

  @Test func anUntrustedAdapterIsNeverOpened() {
    var bench = Bench()
    var adapter = Bench.receiver("ch340", path: "/dev/ttyUSB0", kind: .adapter)
    adapter.usbVendorID = 0x1A86
    #expect(bench.send(.deviceAppeared(adapter), at: 0) == [])
    let waiting = UntrustedAdapter(id: "ch340", path: "/dev/ttyUSB0", name: nil)
    #expect(bench.send(Bench.locate(), at: 1) == [])
    #expect(bench.send(.wake, at: 4).failure == .untrustedAdapters([waiting]))
    #expect(bench.send(Bench.watch(2), at: 4) == [])
    #expect(bench.send(.wake, at: 7).failure == .untrustedAdapters([waiting]))
    #expect(bench.send(Bench.locate(3) { $0.waitsForSource = true }, at: 8) == [])
    for second in 9...30 { #expect(bench.send(.wake, at: Double(second)) == []) }
    // The device is trusted while a request waits, and the trust ends while the device is open.
    let trusted = Bench.receiver("ch340", path: "/dev/ttyUSB0", kind: .trusted)
    #expect(bench.send(.deviceAppeared(trusted), at: 31) == [.open(Bench.first, trusted)])
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 31)
    #expect(bench.send(.deviceAppeared(adapter), at: 32) == [.close(Bench.first)])
  }

  @Test func trustIsChangedByIDOrAnyNameAndAnsweredOnce() {
    var bench = Bench()
    var adapter = Bench.receiver("ch340", path: "/dev/ttyUSB0", kind: .adapter)
    adapter.otherNames = ["/dev/serial/by-id/usb-1a86-if00"]
    _ = bench.send(.deviceAppeared(adapter), at: 0)
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    for selector in ["ch340", "/dev/ttyUSB0", "/dev/serial/by-id/usb-1a86-if00"] {
      #expect(
        bench.send(.request(Bench.client, .trustDevice(RequestID(7), selector: selector)), at: 1)
          == [.changeTrust(Bench.client, RequestID(7), deviceID: "ch340", isTrusted: true)])
    }
    #expect(
      bench.send(.trustChanged(Bench.client, RequestID(7), nil), at: 1) == [.send(Bench.client, .done(RequestID(7)))])
    let failure = LocationFailure.unknownDevice(selector: "usb-1", known: ["ch340"])
    #expect(
      bench.send(.request(Bench.client, .forgetDevice(RequestID(8), selector: "usb-1")), at: 2)
        == [.send(Bench.client, .failed(RequestID(8), failure))])
  }

  // MARK: - Owners

  @Test func theOwnerIsChosenByIDOrAnyNameAndAnsweredOnce() {
    var bench = Bench()
    var named = receiver
    named.otherNames = ["/dev/serial/by-id/usb-u-blox"]
    _ = bench.send(.deviceAppeared(named), at: 0)
    _ = bench.send(.deviceAppeared(Bench.receiver("tcp://other", path: "tcp://other")), at: 0)
    for selector in ["usb-1", "/dev/ttyACM0", "/dev/serial/by-id/usb-u-blox"] {
      #expect(
        bench.send(.request(Bench.client, .setOwner(RequestID(7), selector: selector, owner: .locationd)), at: 1)
          == [.setOwner(Bench.client, RequestID(7), named, .locationd)])
    }
    #expect(bench.send(.ownerSet(Bench.client, RequestID(7), nil), at: 1) == [.send(Bench.client, .done(RequestID(7)))])
    // A name that is not a device node of this machine has no owner that could be changed.
    #expect(
      bench.send(.request(Bench.client, .setOwner(RequestID(8), selector: "tcp://other", owner: .locationd)), at: 2)
        .failure
        == .unknownDevice(selector: "tcp://other", known: ["usb-1"]))
  }

  @Test func whatIsOnItsWayToGPSDIsClosedAndWaitedFor() {
    var bench = opened(Bench.watch())
    #expect(bench.core.holdsPort(of: "usb-1"))
    var leaving = receiver
    leaving.isLeaving = true
    #expect(bench.send(.deviceAppeared(leaving), at: 2) == [.close(Bench.first)])
    #expect(!bench.core.holdsPort(of: "usb-1"))
    // No program opens it meanwhile, and no client is informed that there is no source.
    #expect(bench.send(Bench.locate(2), at: 3) == [])
    #expect(bench.send(.wake, at: 4) == [])
    let gpsds = receiver.owned(by: GPSDRoute(gpsd: .local, device: "/dev/ttyACM0"))
    #expect(bench.send(.deviceAppeared(gpsds), at: 5) == [.open(Bench.first, gpsds)])
  }

  @Test func theOwnerIsListedWhereItIsNoMatterOfCourse() {
    var bench = Bench()
    let gpsds = receiver.owned(by: GPSDRoute(gpsd: .local, device: "/dev/ttyACM0"))
    var ours = Bench.receiver("usb-2", path: "/dev/ttyACM1")
    ours.isOwned = true
    for detectedDevice in [gpsds, ours, Bench.receiver("usb-3", path: "/dev/ttyACM2")] {
      _ = bench.send(.deviceAppeared(detectedDevice), at: 0)
    }
    guard
      case .devices(_, let devices)? = bench.send(.request(Bench.client, .listDevices(RequestID(1))), at: 1).events
        .first
    else {
      Issue.record("no list")
      return
    }
    #expect(devices.map(\.owner) == [.gpsd, .locationd, nil])
  }

  // MARK: - What cannot be opened

  @Test func withNothingThereARequestFailsAfterTheTimeOfAPlug() {
    var bench = Bench()
    #expect(bench.send(Bench.locate(), at: 1) == [])
    #expect(bench.send(Bench.watch(2), at: 2) == [])
    #expect(bench.send(.wake, at: 3.9) == [])
    #expect(bench.send(.wake, at: 4) == [.send(Bench.client, .failed(RequestID(1), .noSource))])
    #expect(bench.send(.wake, at: 5) == [.send(Bench.client, .failed(RequestID(2), .noSource))])
  }

  /// A board's own UART is always present, and proves nothing about a receiver.
  @Test func theUARTOfTheBoardIsNotNamed() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(Bench.receiver("serial8250", path: "/dev/ttyS0", kind: .adapter)), at: 0)
    _ = bench.send(Bench.locate(), at: 1)
    #expect(bench.send(.wake, at: 4).failure == .noSource)
  }

  @Test func aReceiverPluggedInAfterTheRequestAnswersIt() {
    var bench = Bench()
    #expect(bench.send(Bench.locate(), at: 1) == [])
    let receiver = Bench.receiver("usb-1")
    #expect(bench.send(.deviceAppeared(receiver), at: 3.9) == [.open(Bench.first, receiver)])
    #expect(bench.send(.wake, at: 4) == [])
  }

  @Test func beforeTheInventoryIsKnownNothingFails() {
    var bench = Bench(hasInventory: false)
    #expect(bench.send(Bench.locate(), at: 0) == [])
    #expect(bench.send(.wake, at: 9) == [])
    #expect(bench.send(.inventoryComplete, at: 9.1).failure == nil)
    #expect(bench.send(.wake, at: 12.1).failure == .noSource)
  }

  @Test func aQuestionBeforeTheInventoryIsKnownIsAnsweredThen() {
    var bench = Bench(hasInventory: false)
    #expect(bench.send(.request(Bench.client, .listDevices(RequestID(5))), at: 0) == [])
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    let answers = bench.send(.inventoryComplete, at: 0.1)
    guard case .send(_, .devices(RequestID(5), let devices))? = answers.first else {
      Issue.record("\(answers)")
      return
    }
    #expect(devices.map(\.path) == ["/dev/ttyACM0"])
  }

  @Test(arguments: [
    (
      OpenProblem.permissionDenied(group: "dialout"),
      LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout")
    ),
    (.inUse(.process(pid: 7, name: "gpsd")), .portInUse(path: "/dev/ttyACM0", holder: .process(pid: 7, name: "gpsd"))),
    (.cannotOpen(.isNotSerialPort), .cannotOpen(path: "/dev/ttyACM0", reason: .isNotSerialPort)),
    (.cannotOpen(.isDirectory), .cannotOpen(path: "/dev/ttyACM0", reason: .isDirectory)),
    (.cannotOpen(.doesNotExist), .cannotOpen(path: "/dev/ttyACM0", reason: .doesNotExist)),
  ])
  func openFailuresAreImmediateAndRetriedForTheNextRequest(problem: OpenProblem, failure: LocationFailure) {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    #expect(bench.send(Bench.locate(), at: 1) == [.open(Bench.first, receiver)])
    var reported = bench.send(.openFailed(Bench.first, problem), at: 1)
    // Only a port that does not exist may be one that was plugged in just now.
    if problem == .cannotOpen(.doesNotExist) {
      #expect(reported.failure == nil)
      for second in 2...4 {
        reported = bench.send(.wake, at: Double(second))
        if reported.contains(.open(Bench.first, receiver)) {
          _ = bench.send(.openFailed(Bench.first, problem), at: Double(second))
        }
      }
    }
    #expect(reported.failure == failure)
    // The fault may have been repaired: the next request shows it.
    #expect(bench.send(Bench.locate(2), at: 60) == [.open(Bench.first, receiver)])
    #expect(bench.send(.opened(Bench.first, baud: 9600), at: 60) == [])
    #expect(bench.receive(Bench.burst(61), on: Bench.first, at: 61).located != nil)
  }

  /// The timeout ends while the port is being opened once more: it was never there, so it was not unplugged.
  @Test func aMissingPortIsReportedWhileItIsBeingOpenedAgain() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate { $0.timeout = .seconds(2) }, at: 1)
    _ = bench.send(.openFailed(Bench.first, .cannotOpen(.doesNotExist)), at: 1)
    #expect(bench.send(.wake, at: 2).contains(.open(Bench.first, receiver)))
    #expect(bench.send(.wake, at: 3).failure == .cannotOpen(path: "/dev/ttyACM0", reason: .doesNotExist))
  }

  @Test func oneThatCannotBeOpenedDoesNotEndTheWaitForAnother() {
    var bench = Bench()
    let other = Bench.receiver("usb-2", path: "/dev/ttyACM1")
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(.deviceAppeared(other), at: 0)
    #expect(bench.send(Bench.locate(), at: 1) == [.open(Bench.first, receiver), .open(Bench.second, other)])
    #expect(bench.send(.openFailed(Bench.first, .permissionDenied(group: nil)), at: 1) == [])
    #expect(bench.send(.opened(Bench.second, baud: 9600), at: 1) == [])
    #expect(bench.receive(Bench.burst(2), on: Bench.second, at: 2).located != nil)
  }

  @Test func permissionIsReportedToLackOnlyWhereItIsTrueOfEveryReceiver() {
    let denied = OpenProblem.permissionDenied(group: "dialout")
    for (problem, failure) in [
      (denied, LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout")),
      (.inUse(.unknown), .portInUse(path: "/dev/ttyACM1", holder: .unknown)),
    ] {
      var bench = Bench()
      _ = bench.send(.deviceAppeared(receiver), at: 0)
      _ = bench.send(.deviceAppeared(Bench.receiver("usb-2", path: "/dev/ttyACM1")), at: 0)
      _ = bench.send(Bench.locate(), at: 1)
      #expect(bench.send(.openFailed(Bench.first, denied), at: 1) == [])
      #expect(bench.send(.openFailed(Bench.second, problem), at: 1).failure == failure)
    }
  }

  @Test func aPortThatAnotherProgramGivesBackIsOpenedForWhoWaits() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate { $0.waitsForSource = true }, at: 1)
    #expect(bench.send(.openFailed(Bench.first, .inUse(.process(pid: 7, name: "minicom"))), at: 1) == [])
    #expect(bench.send(.wake, at: 5) == [], "it is not looked at again and again")
    #expect(bench.send(.portFreed(Bench.first), at: 9) == [.open(Bench.first, receiver)])
  }

  // MARK: - Locked by another process of this package

  @Test func aLockIsWaitedForAndTheWaitIsReported() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    #expect(bench.send(Bench.locate(), at: 1) == [.open(Bench.first, receiver)])
    #expect(
      bench.reportAll(.openFailed(Bench.first, .lockedByOwn(pid: 4711)), at: 1)
        == [.send(Bench.client, .progress(RequestID(1), .waitingForPort(path: "/dev/ttyACM0")))])
    #expect(bench.send(.portFreed(Bench.first), at: 20) == [.open(Bench.first, receiver)])
    #expect(bench.send(.opened(Bench.first, baud: 9600), at: 20) == [])
    #expect(bench.receive(Bench.burst(21), on: Bench.first, at: 21).located != nil)
  }

  @Test func aLockThatLastsToTheDeadlineNamesItsHolder() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate { $0.timeout = .seconds(10) }, at: 1)
    _ = bench.send(.openFailed(Bench.first, .lockedByOwn(pid: 4711)), at: 1)
    #expect(bench.core.nextDeadline == Bench.at(11))
    let actions = bench.send(.wake, at: 11)
    #expect(actions.failure == .portInUse(path: "/dev/ttyACM0", holder: .ownLock(pid: 4711)))
    #expect(actions.last == .close(Bench.first), "it is not waited for any longer")
  }

  @Test func aDeviceThatVanishesWhileWaitingForItsLockIsReleased() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate(), at: 1)
    _ = bench.send(.openFailed(Bench.first, .lockedByOwn(pid: nil)), at: 1)
    #expect(bench.send(.deviceVanished(id: "usb-1", path: "/dev/ttyACM0"), at: 2).contains(.close(Bench.first)))
    #expect(bench.send(.portFreed(Bench.first), at: 3) == [])
  }

  // MARK: - Limits

  @Test func devicesAreBounded() {
    var bench = Bench()
    for number in 0..<(ServiceCore.maximumDevices + 10) {
      #expect(bench.send(.deviceAppeared(Bench.receiver("usb-\(number)", path: "/dev/ttyACM\(number)")), at: 0) == [])
    }
    let listed = bench.send(.request(Bench.client, .listDevices(RequestID(1))), at: 1).events
    guard case .devices(RequestID(1), let devices)? = listed.first else {
      Issue.record("no list")
      return
    }
    #expect(devices.count == ServiceCore.maximumDevices)
    #expect(devices.allSatisfy { $0.state == .closed })
  }

  @Test func requestsAreBounded() {
    var bench = Bench()
    for number in 0..<UInt32(ServiceCore.maximumRequests) {
      #expect(bench.send(Bench.watch(number, waits: true), at: 0) == [])
    }
    let limit = ServiceCore.maximumRequests
    #expect(bench.send(Bench.watch(9999), at: 1).failure == .tooManyRequests(limit: limit))
    #expect(bench.send(Bench.cancel(3), at: 2) == [])
    #expect(bench.send(Bench.watch(9999, waits: true), at: 3) == [])
  }

  /// A port that is opened again counts as a source from that moment on: a waiting request does not fail because of a missing
  /// source.
  @Test func aPortThatIsOpenedAgainIsASourceAgain() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate { $0.timeout = .seconds(60) }, at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    _ = bench.send(.closed(Bench.first), at: 2)
    #expect(bench.send(.wake, at: 2.25) == [.open(Bench.first, receiver)])
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 2.3)
    for second in 3...8 { #expect(bench.send(.wake, at: Double(second)).failure == nil) }
  }
}
