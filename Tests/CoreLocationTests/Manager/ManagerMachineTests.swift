import Geodesy
import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// The state machine of a location manager, with a service that answers, fails, and answers too late, in every order of six of
/// the possible events.
@Suite struct ManagerMachineTests {
  /// The events of a manager.
  enum Happening: CaseIterable {
    case start, stop, request
    /// The service sends a location for a request that was not canceled.
    case location
    /// The service fails the request.
    case failure
    /// The service reports that the position is lost.
    case loss
    /// A previous fix is known.
    case knownFix
    /// The service answers a request that was canceled or is over.
    case lateAnswer
  }

  private static let fix = fix(0)

  /// The fix of an epoch, `north` degrees north of the first.
  private static func fix(_ epoch: Int64, north: Double = 0) -> PositionFix {
    PositionFix(
      time: GNSSTime(nanosecondsSince1970: epoch * 1_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: epoch * 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47 + north), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
  }

  private static func update(_ id: RequestID, _ fix: PositionFix) -> ManagerMachine.Input {
    .stream(id, .reply(.fix(fix, age: .zero)))
  }

  private static func change(_ id: RequestID, _ change: StreamChange) -> ManagerMachine.Input {
    .stream(id, .reply(.change(change)))
  }

  private static func located(_ id: RequestID, _ fix: PositionFix) -> ManagerMachine.Input {
    .answer(id, .reply(LocateReply(fix, age: .zero, isCached: false)))
  }

  /// The service's side: the requests that it received and that were not canceled.
  private struct Service {
    var updates: RequestID?
    var locate: RequestID?
    var over: [RequestID] = []
    /// Each fix has a different epoch.
    var epoch: Int64 = 0

    /// Returns how often the delegate is called.
    mutating func receive(_ action: ManagerMachine.Action) -> Int {
      switch action {
      case .startUpdates(let id, _):
        #expect(updates == nil && locate == nil, "two things at once")
        updates = id
      case .locate(let id, _):
        #expect(updates == nil && locate == nil, "two things at once")
        locate = id
      case .cancel(let id):
        #expect(id == updates || id == locate, "what is over is not taken back")
        end(id)
      case .deliver, .deliverTogether, .finishDeferral, .fail, .pause, .resume: return 1
      case .deferUpdates: break
      }
      return 0
    }

    mutating func end(_ id: RequestID) {
      if updates == id { updates = nil }
      if locate == id { locate = nil }
      over.append(id)
    }
  }

  /// Apple's documented behavior for the same events, without requests and identifiers.
  private struct Documentation {
    enum Mode { case idle, updating, requesting }
    var mode = Mode.idle
    var hasFailed = false
    var hasBegun = false

    /// Returns how often the delegate is called.
    mutating func callbacks(after kind: Happening) -> Int {
      switch (mode, kind) {
      case (.idle, .start), (.requesting, .start):
        mode = .updating
        hasFailed = false
        hasBegun = false
        return 0
      case (.idle, .request):
        mode = .requesting
        return 0
      case (_, .stop):
        mode = .idle
        return 0
      case (.updating, .location):
        hasFailed = false
        hasBegun = true
        return 1
      // A previously known fix comes first or not at all.
      case (.updating, .knownFix):
        defer { hasBegun = true }
        return hasBegun ? 0 : 1
      case (.updating, .loss):
        defer { hasFailed = true }
        return hasFailed ? 0 : 1
      case (.requesting, .location), (.requesting, .failure), (.updating, .failure):
        mode = .idle
        return 1
      case (.updating, .start), (.updating, .request), (.requesting, .request), (.requesting, .loss),
        (.idle, .location),
        (.idle, .failure), (.idle, .loss), (.idle, .knownFix), (.requesting, .knownFix), (_, .lateAnswer):
        return 0
      }
    }
  }

  @Test func everyOrderOfSixHappeningsIsAsDocumented() {
    let depth = 6
    let kinds = Happening.allCases
    var order = [Int](repeating: 0, count: depth)
    var orders = 0
    while true {
      play(order.map { kinds[$0] })
      orders += 1
      var place = depth - 1
      while place >= 0, order[place] == kinds.count - 1 {
        order[place] = 0
        place -= 1
      }
      guard place >= 0 else { break }
      order[place] += 1
    }
    #expect(orders == 262_144)
  }

  private func play(_ happenings: [Happening]) {
    var machine = ManagerMachine(numbers: RequestNumbers())
    var service = Service()
    var documentation = Documentation()
    for kind in happenings {
      var calls = 0
      for input in inputs(kind, &service) {
        for action in machine.handle(input) { calls += service.receive(action) }
      }
      let expected = documentation.callbacks(after: kind)
      if calls != expected { Issue.record("\(happenings): \(calls) calls after \(kind) instead of \(expected)") }
      if machine.isIdle != (documentation.mode == .idle) { Issue.record("\(happenings): not idle as documented") }
    }
  }

  /// The machine's inputs for an event.
  private func inputs(_ kind: Happening, _ service: inout Service) -> [ManagerMachine.Input] {
    switch kind {
    case .start: return [.start(UpdateOptions())]
    case .stop: return [.stop]
    case .request: return [.request(OneShotOptions())]
    case .location:
      service.epoch += 1
      let fix = Self.fix(service.epoch)
      if let id = service.updates { return [Self.update(id, fix)] }
      guard let id = service.locate else { return [] }
      service.end(id)
      return [Self.located(id, fix)]
    case .failure:
      guard let id = service.updates ?? service.locate else { return [] }
      let isStream = service.updates != nil
      service.end(id)
      return [isStream ? .stream(id, .failed(.noSource)) : .answer(id, .failed(.noSource))]
    case .loss: return (service.updates ?? service.locate).map { [Self.change($0, .lost)] } ?? []
    case .knownFix: return [.known(Self.fix(service.epoch))]
    case .lateAnswer:
      guard let id = service.over.last else { return [] }
      return [
        Self.located(id, Self.fix), Self.update(id, Self.fix), .answer(id, .failed(.noSource)),
        .stream(id, .failed(.noSource)), Self.change(id, .lost),
      ]
    }
  }

  @Test func aChangedSettingRestartsTheStreamSilently() {
    var machine = ManagerMachine(numbers: RequestNumbers())
    #expect(machine.handle(.start(UpdateOptions())) == [.startUpdates(RequestID(1), UpdateOptions())])
    #expect(machine.handle(.change(UpdateOptions())) == [])
    let other = UpdateOptions(activity: .airborne)
    #expect(
      machine.handle(.change(other)) == [.startUpdates(RequestID(2), other), .cancel(RequestID(1))])
    #expect(machine.handle(Self.update(RequestID(1), Self.fix)) == [])
    #expect(machine.handle(Self.update(RequestID(2), Self.fix)) == [.deliver(Self.fix)])
  }

  private func received(_ machine: inout ManagerMachine, _ fix: PositionFix) -> Bool {
    machine.handle(Self.update(RequestID(1), fix)) == [.deliver(fix)]
  }

  @Test func theDistanceFilterMeasuresFromTheLastDeliveredFix() {
    var machine = ManagerMachine(numbers: RequestNumbers())
    // The manager requests every fix from the service, and applies the filter itself.
    #expect(
      machine.handle(.start(UpdateOptions(distanceFilter: Meters(150)))) == [
        .startUpdates(RequestID(1), UpdateOptions())
      ])
    // A thousandth of a degree of latitude is 111 m.
    #expect(received(&machine, Self.fix(1)))
    #expect(!received(&machine, Self.fix(2, north: 0.001)))
    #expect(received(&machine, Self.fix(3, north: 0.002)))
    #expect(machine.handle(.change(UpdateOptions(distanceFilter: Meters(100)))) == [])
    #expect(received(&machine, Self.fix(4, north: 0.001)))
    var better = Self.fix(5, north: 0.001)
    better.horizontalRadius68 = Meters(2)
    #expect(received(&machine, better), "an improvement is news")
    // A suspect fix is delivered if it is far enough, but no distance is measured from it.
    var suspect = Self.fix(6, north: 0.003)
    suspect.qualityFlag = .implausible
    #expect(received(&machine, suspect))
    #expect(received(&machine, Self.fix(7, north: 0.0025)))
    // After a loss, every position is delivered.
    #expect(!received(&machine, Self.fix(8, north: 0.0025)))
    #expect(machine.handle(Self.change(RequestID(1), .lost)) == [.fail(.locationUnknown)])
    #expect(received(&machine, Self.fix(9, north: 0.0025)))
  }

  @Test func updatesBeginWithWhatIsKnownAndDoNotReportItTwice() {
    var machine = ManagerMachine(numbers: RequestNumbers())
    #expect(machine.handle(.known(Self.fix)) == [])
    _ = machine.handle(.start(UpdateOptions()))
    #expect(machine.handle(.known(Self.fix(5))) == [.deliver(Self.fix(5))])
    #expect(!received(&machine, Self.fix(5)))
    #expect(machine.handle(.known(Self.fix(5))) == [])
    #expect(received(&machine, Self.fix(6)))
    // After a stop and a start, the updates begin again.
    _ = machine.handle(.stop)
    _ = machine.handle(.start(UpdateOptions()))
    #expect(machine.handle(.known(Self.fix(6))) == [.deliver(Self.fix(6))])
  }

  @Test func deniedAndUnknownAreDistinguished() {
    for (failure, reported) in [
      (LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout"), ManagerFailure.denied),
      (.noSource, .locationUnknown), (.noFixYet(path: "/dev/ttyACM0", satellitesInView: 3), .locationUnknown),
    ] {
      var machine = ManagerMachine(numbers: RequestNumbers())
      _ = machine.handle(.request(OneShotOptions()))
      #expect(machine.handle(.answer(RequestID(1), .failed(failure))) == [.fail(reported)])
    }
  }

  /// Without a receiver a request waits for one; meanwhile a second request finds out whether there is a receiver that may
  /// not be opened.
  @Test func aRequestWaitsForAReceiverAndFailsForOneThatMayNotBeOpened() {
    let (request, trial) = (RequestID(1), RequestID(2))
    let options = OneShotOptions(timeout: .seconds(60), waitsForSource: true)
    let asking = OneShotOptions(timeout: .seconds(5), maximumAge: .zero, whenNotDetermined: .fails)
    func waiting() -> ManagerMachine {
      var machine = ManagerMachine(numbers: RequestNumbers())
      #expect(machine.handle(.request(options)) == [.locate(request, options)])
      #expect(machine.handle(.answer(request, .progress(.waitingForSource))) == [.locate(trial, asking)])
      #expect(machine.handle(.answer(request, .progress(.waitingForSource))) == [], "one trial at a time")
      return machine
    }
    var denied = waiting()
    let failure = LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout")
    #expect(denied.handle(.answer(trial, .failed(failure))) == [.cancel(request), .fail(.denied)])
    #expect(denied.isIdle)

    var patient = waiting()
    #expect(patient.handle(.answer(trial, .failed(.noSource))) == [])
    #expect(patient.handle(Self.located(request, Self.fix)) == [.deliver(Self.fix)])

    var early = waiting()
    #expect(
      early.handle(Self.located(request, Self.fix)) == [
        .cancel(trial), .deliver(Self.fix),
      ])
    #expect(early.handle(.answer(trial, .failed(.noSource))) == [])
    var stopped = waiting()
    #expect(stopped.handle(.stop) == [.cancel(request), .cancel(trial)])
    var overdue = waiting()
    #expect(overdue.handle(.answer(trial, .failed(.noSource))) == [])
    #expect(overdue.handle(.answer(request, .failed(.noSource))) == [.fail(.locationUnknown)])
  }

  @Test func aPauseIsReportedOnceAndStartingOverrulesIt() {
    var machine = ManagerMachine(numbers: RequestNumbers())
    let options = UpdateOptions(pausesAutomatically: true)
    _ = machine.handle(.start(options))
    let (first, second) = (RequestID(1), RequestID(2))
    #expect(machine.handle(Self.change(first, .unpaused)) == [])
    #expect(machine.handle(Self.change(first, .paused)) == [.pause])
    #expect(machine.handle(Self.change(first, .paused)) == [])
    #expect(machine.handle(Self.change(first, .unpaused)) == [.resume])
    #expect(machine.handle(.start(options)) == [], "started already")
    #expect(machine.handle(Self.change(first, .paused)) == [.pause])
    let began = machine.handle(.start(options))
    #expect(began == [.startUpdates(second, options), .cancel(first), .resume])
    #expect(machine.handle(Self.change(first, .paused)) == [])
    // The stream may pause again; a manager that disables pauses has none.
    #expect(machine.handle(Self.change(second, .paused)) == [.pause])
    let changed = machine.handle(.change(UpdateOptions()))
    #expect(
      changed == [.startUpdates(RequestID(3), UpdateOptions()), .cancel(second), .resume])
    #expect(machine.handle(.stop) == [.cancel(RequestID(3))])
  }

  @Test func theServicesEndIsAnAnswer() {
    var machine = ManagerMachine(numbers: RequestNumbers())
    #expect(machine.handle(.serviceEnded) == [])
    _ = machine.handle(.request(OneShotOptions()))
    #expect(machine.handle(.serviceEnded) == [.fail(.locationUnknown)])
    #expect(machine.isIdle)
  }
}
