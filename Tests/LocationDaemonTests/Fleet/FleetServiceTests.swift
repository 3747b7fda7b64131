import Fleet
import FleetDestinations
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdRecords
import Regions
import Testing

/// Destinations with their outboxes on the disk; the test is the service and the helper.
@Suite struct FleetServiceTests {
  private typealias Bed = FleetBed
  private typealias Clock = FleetBed.Clock

  @Test func aPausedDestinationDoesNotConnectAfterARestartOrAReplacement() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination()))
    #expect(bed.link != nil)
    bed.ask(.pause(name: "van", nil))
    bed.ask(.change(name: "van", "rate 5\n", nil))
    #expect(bed.link == nil)
    bed.handle(.end)
    let again = Bed(folder.path)
    again.handle(.begin)
    #expect(again.link == nil)
    again.ask(.resume(name: "van"))
    #expect(again.link != nil)
  }

  @Test func aReplacementGrantsNothing() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    func isGranted() -> Bool {
      bed.reports.contains { if case .granted = $0 { true } else { false } }
    }
    bed.ask(.add(try Bed.destination()))
    #expect(isGranted())
    bed.ask(.change(name: "van", "rate 5\n", nil))
    #expect(!isGranted())
  }

  @Test func whatWaitsIsNotSentOnceOnlyTheApproximatePositionIsGranted() throws {
    for isReduced in [false, true] {
      let folder = try TemporaryFolder()
      let bed = Bed(folder.path)
      bed.ask(.add(try Bed.destination()))
      let link = try #require(bed.link)
      #expect(Bed.messages(bed.receive(.update(RequestID(1), Bed.fix, age: .zero))).isEmpty)
      var authorization = Authorization(.always)
      authorization.isReduced = isReduced
      _ = bed.receive(
        .authorization(RequestID(2), .state(AuthorizationState(authorization, presence: .background))))
      let sent = Bed.messages(bed.helper(link, .connected(FleetSession(version: 5))))
      #expect(sent.map(\.kind) == (isReduced ? [] : [.fix]))
    }
  }

  @Test func aRevokedDestinationSendsNothingThatWaits() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination()))
    let link = try #require(bed.link)
    _ = bed.receive(.update(RequestID(1), Bed.fix, age: .zero))
    _ = bed.receive(
      .authorization(RequestID(2), .state(AuthorizationState(Authorization(.denied), presence: .background))))
    #expect(Bed.messages(bed.helper(link, .connected(FleetSession(version: 5)))).isEmpty)
  }

  @Test func aTestOverHTTPIsARequestThatIsNoPosition() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination("osmand+https://h:5055/?id=pi")))
    let link = try #require(bed.link)
    bed.ask(.test(name: "van"))
    let sent = Bed.messages(bed.helper(link, .connected(FleetSession(version: 0))))
    let message = try #require(sent.first)
    #expect(sent.count == 1 && message.method == .get && message.target == "/" && message.body.isEmpty)
    let answers = bed.helper(link, .answered(message.id, .http(400, retryAfter: nil)))
    let results = answers.compactMap { report -> FleetTestResult? in
      guard case .answer(.fleet(RequestID(9), .tested(let result)), _) = report else { return nil }
      return result
    }
    #expect(results.map(\.reply) == [.http(400, retryAfter: nil)] && results.first?.problem == nil)
  }

  @Test func theBrokerKeepsNothingOfADestinationThatIsRemoved() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination { $0.homeAssistant = "ha" }))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    let sent = Bed.messages(bed.ask(.remove(name: "van", discards: true)))
    #expect(
      sent.map(\.target) == [
        "ha/device/locationd_fleet_device/config", "fleet/fleet-device/position", "fleet/fleet-device/available",
      ])
    #expect(sent.allSatisfy { $0.isRetained && $0.body.isEmpty })
  }

  private static func failures(_ reports: [FleetServiceReport]) -> [FleetFailure] {
    reports.compactMap { report -> FleetFailure? in
      guard case .answer(.failed(_, .fleet(let failure)), _) = report else { return nil }
      return failure
    }
  }

  @Test func aChangeKeepsWhatItDoesNotName() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination { ($0.isReduced, $0.rate, $0.retention) = (true, 3, .days(2)) }))
    #expect(Self.failures(bed.ask(.change(name: "van", "rate 7\nretention\n", nil))).isEmpty)
    let text = try #require(try StateFile.read(folder.path + "/fleet/van/destination", maximumSize: 9999))
    let stored = try FleetDestination(text: String(decoding: text, as: UTF8.self))
    #expect(stored.settings.isReduced && stored.settings.rate == 7 && stored.settings.retention == nil)
    #expect(
      Self.failures(bed.ask(.change(name: "van", "name other\n", nil))) == [.invalid(.unknownSetting("name"))])
  }

  @Test func anotherServerGetsWhatWaitsOnlyIfTheAdministratorSaysSo() throws {
    for backlog in FleetRequest.Backlog.allCases {
      let folder = try TemporaryFolder()
      let bed = Bed(folder.path)
      bed.ask(.add(try Bed.destination()))
      _ = bed.receive(.update(RequestID(1), Bed.fix, age: .zero))
      bed.ask(.pause(name: "van", nil))
      let change = "address mqtts://other\n"
      #expect(Self.failures(bed.ask(.change(name: "van", change, nil))) == [.otherServer(waiting: 1)])
      #expect(Self.failures(bed.ask(.change(name: "van", change, backlog))).isEmpty)
      // The pause stays.
      #expect(bed.link == nil)
      bed.ask(.resume(name: "van"))
      let link = try #require(bed.link)
      let sent = Bed.messages(bed.helper(link, .connected(FleetSession(version: 5))))
      #expect(sent.map(\.kind) == (backlog == .kept ? [.fix] : []))
    }
  }

  /// A destination belongs to the machine, a region to its user.
  @Test func eventsAreThoseOfTheUsersThatTheDestinationNames() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination { ($0.sendsEvents, $0.eventUsers) = (true, [1000]) }))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    let monitored = MonitoringEvent(id: 1, .region("home"), .crossed(.inside), time: Clock.time, fix: Bed.fix)
    let event = try #require(FleetEvent(monitored))
    #expect(Bed.messages(bed.happened(event, 1, ofUser: 1001)).isEmpty)
    let sent = try #require(Bed.messages(bed.happened(event, 1)).first)
    #expect(sent.kind == .event && sent.target == "owntracks/fleet/device/event")
    // Nothing overtakes it.
    #expect(Bed.messages(bed.receive(.update(RequestID(1), Bed.fix, age: .zero))).isEmpty)
    #expect(Bed.messages(bed.helper(link, .answered(sent.id, .mqtt(0)))).map(\.kind) == [.fix])
    let known = MonitoringEvent(id: 2, .region("home"), .determined(.inside), time: Clock.time, fix: Bed.fix)
    #expect(FleetEvent(known) == nil)
  }

  /// A message without an acknowledgement would count as sent when it is written.
  @Test func aBrokerThatAcknowledgesNothingGetsNothing() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination()))
    let link = try #require(bed.link)
    _ = bed.receive(.update(RequestID(1), Bed.fix, age: .zero))
    var session = FleetSession(version: 5)
    session.maximumQoS = .atMostOnce
    let reports = bed.helper(link, .connected(session))
    #expect(Bed.messages(reports).isEmpty)
    let states = reports.compactMap { report -> FleetReport? in
      if case .account(let account) = report { account.first } else { nil }
    }
    #expect(states.last?.state == .refused && states.last?.problem == .noAcknowledgement && states.last?.waiting == 1)
  }

  @Test func theWillAndTheEndTellHomeAssistantThatTheDeviceIsGone() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    let added = bed.ask(.add(try Bed.destination { $0.homeAssistant = "ha" }))
    let wills = added.compactMap { report -> FleetMessage? in
      if case .open(_, let connection) = report { connection.will } else { nil }
    }
    let topic = "fleet/fleet-device/available"
    #expect(
      wills.map(\.target) == [topic] && wills.first?.body == Array("offline".utf8) && wills.first?.isRetained == true)
    let link = try #require(bed.link)
    let connected = Bed.messages(bed.helper(link, .connected(FleetSession(version: 5))))
    #expect(connected.filter { $0.target == topic }.map(\.body) == [Array("online".utf8)])
    let paused = Bed.messages(bed.ask(.pause(name: "van", nil)))
    #expect(paused.filter { $0.target == topic }.map(\.body) == [Array("offline".utf8)])
  }

  @Test func thePresentPositionIsSentWhateverTheIntervalOrRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination()))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    let first = try #require(Bed.messages(bed.receive(.update(RequestID(1), Bed.fix, age: .zero))).first)
    bed.helper(link, .answered(first.id, .mqtt(0)))
    // At the interval of a minute, the next position would not be recorded yet.
    let second = try #require(Bed.messages(bed.ask(.send(name: "van"))).first)
    let answers = bed.helper(link, .answered(second.id, .mqtt(0)))
    #expect(answers.contains { if case .answer(.done(RequestID(9)), _) = $0 { true } else { false } })
    bed.ask(.pause(name: "van", nil))
    #expect(Self.failures(bed.ask(.send(name: "van"))) == [.notNow(.paused)])
    #expect(Self.failures(bed.ask(.test(name: "van"))) == [.notNow(.paused)])
  }

  @Test func aTestConnectsAlthoughTheNextBatchIsDueLater() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination { $0.batch = .seconds(600) }))
    // Nothing waits: the first connection ends at once.
    let first = try #require(bed.link)
    bed.helper(first, .connected(FleetSession(version: 5)))
    bed.ask(.test(name: "van"))
    let link = try #require(bed.link)
    let sent = Bed.messages(bed.helper(link, .connected(FleetSession(version: 5))))
    let test = try #require(sent.first)
    let after = bed.helper(link, .answered(test.id, .mqtt(0)))
    #expect(after.contains { if case .close(link, _) = $0 { true } else { false } })
  }

  /// The helper ends a connection with more messages in flight than its window.
  @Test func messagesOfTheStateAreLimited() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(
      .add(try Bed.destination { ($0.homeAssistant, $0.healthInterval) = ("ha", .seconds(60)) }))
    let link = try #require(bed.link)
    var open = Bed.messages(bed.helper(link, .connected(FleetSession(version: 5))))
    for _ in 0..<20 { open += Bed.messages(bed.ask(.test(name: "van"))) }
    #expect(open.count <= FleetKind.mqtt.stateWindow && open.allSatisfy { !$0.isQueued })
  }

  private static func accounts(_ reports: [FleetServiceReport]) -> [FleetReport] {
    reports.compactMap { report in
      if case .account(let account) = report { account.first } else { nil }
    }
  }

  /// The helper of an HTTP destination is ready before the server was tried.
  @Test func overHTTPOnlyAnAnswerIsAConnection() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination("osmand+https://h:5055/?id=pi")))
    let link = try #require(bed.link)
    #expect(Self.accounts(bed.helper(link, .connected(FleetSession(version: 0)))).last?.state == .idle)
    let reports = bed.receive(.update(RequestID(1), Bed.fix, age: .zero))
    let message = try #require(Bed.messages(reports).first)
    #expect(Self.accounts(reports).last?.state == .connecting)
    #expect(
      Self.accounts(bed.helper(link, .answered(message.id, .http(200, retryAfter: nil)))).last?.state == .connected)
  }

  @Test func theTimeOfTheLastConfirmationSurvivesARestart() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Bed.destination { ($0.sendsEvents, $0.eventUsers) = (true, [1000]) }))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    // The cursor is stored at once after an event.
    let crossed = MonitoringEvent(id: 1, .region("home"), .crossed(.inside), time: Clock.time, fix: Bed.fix)
    let event = try #require(FleetEvent(crossed))
    let sent = try #require(Bed.messages(bed.happened(event, 1)).first)
    bed.helper(link, .answered(sent.id, .mqtt(0)))
    bed.handle(.end)
    let again = Bed(folder.path)
    #expect(Self.accounts(again.handle(.begin)).last?.lastAcknowledged == Clock.time)
  }

  /// With reduced accuracy, only the machine's own reduced position is sent, which the service makes.
  @Test func theReducedPositionIsThatOfTheMachine() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    let added = bed.ask(.add(try Bed.destination { $0.isReduced = true }))
    #expect(added.contains { if case .reduces(.fleet(1)) = $0 { true } else { false } })
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    #expect(Bed.messages(bed.receive(.update(RequestID(1), Bed.fix, age: .zero))).isEmpty)
    var reducer = ReducedPosition(key: (3, 4))
    let reduced = reducer.reduce(Bed.fix)
    let sent = Bed.messages(bed.receive(.update(RequestID(1), Bed.fix, age: .zero), reduced: reduced))
    let text = String(decoding: try #require(sent.first).body, as: UTF8.self)
    #expect(text.contains("\"acc\":\(Int(reduced.horizontalRadius68.value)),"), "\(text)")
  }

  /// Positions name the regions that the machine is inside of, and why they are sent.
  @Test func positionsNameTheirRegionsAndTheirReason() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(
      .add(
        try Bed.destination { settings in
          (settings.sendsEvents, settings.eventUsers, settings.commands) = (true, [1000], .reports)
        }))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    func cross(_ id: UInt64, _ region: String, _ state: RegionState) throws {
      let crossed = MonitoringEvent(id: id, .region(region), .crossed(state), time: Clock.time, fix: Bed.fix)
      let event = try #require(FleetEvent(crossed))
      let sent = try #require(Bed.messages(bed.happened(event, id)).first)
      bed.helper(link, .answered(sent.id, .mqtt(0)))
    }
    func text(_ reports: [FleetServiceReport]) throws -> String {
      let message = try #require(Bed.messages(reports).first { $0.kind == .fix })
      bed.helper(link, .answered(message.id, .mqtt(0)))
      return String(decoding: message.body, as: UTF8.self)
    }
    try cross(1, "work", .inside)
    try cross(2, "home", .inside)
    let due = try text(bed.receive(.update(RequestID(1), Bed.fix, age: .zero)))
    #expect(due.contains("\"t\":\"t\"") && due.contains("\"inregions\":[\"home\",\"work\"]"), "\(due)")
    try cross(3, "home", .outside)
    let command = Array(#"{"_type":"cmd","action":"reportLocation"}"#.utf8)
    let answered = try text(bed.helper(link, .command(command)))
    #expect(answered.contains("\"t\":\"r\"") && answered.contains("\"inregions\":[\"work\"]"), "\(answered)")
    #expect(try text(bed.ask(.send(name: "van"))).contains("\"t\":\"u\""))
  }
}
