import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import Regions
import Testing

@testable import CoreLocation

/// The conditions of a monitor, with a service that answers, refuses, sends events twice, and ends.
@Suite struct ConditionMachineTests {
  private static let time = Date(timeIntervalSinceReferenceDate: 700_000_000)
  private static let list = "program/zoo"
  private let home = CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 46.95, longitude: 7.45), radius: 100)

  /// A machine with the requests that it has sent and their IDs.
  private struct Bed {
    var machine = ConditionMachine(list: ConditionMachineTests.list, numbers: RequestNumbers())
    var asked: [(id: RequestID, request: MonitoringRequest)] = []
    var reported: [(notice: ConditionMachine.Notification, number: UInt64)] = []
    var isKnown = false

    mutating func handle(_ input: ConditionMachine.Input) {
      for action in machine.handle(input, at: ConditionMachineTests.time) {
        switch action {
        case .send(let id, let request): asked.append((id, request))
        case .deliver(let notice, let number): reported.append((notice, number))
        case .known: isKnown = true
        case .watches: break
        }
      }
    }

    /// Answers the newest request of this kind.
    mutating func answer(_ answer: (RequestID) -> ServiceEvent, where isIt: (MonitoringRequest) -> Bool) throws {
      let (id, request) = try #require(asked.last { isIt($0.request) })
      handle(.answer(id, try #require(ServiceRequest.anyMonitoring(request).event(answer(id)))))
    }

    mutating func begin(with regions: [MonitoredRegion] = []) throws {
      handle(.begin)
      try answer({ .monitoring($0, .regions(regions, next: nil)) }, where: \.isRead)
    }

    mutating func send(_ event: MonitoringEvent) throws {
      try answer({ .monitoring($0, .event(event, list: ConditionMachineTests.list)) }, where: \.isFollow)
    }

    var states: [UInt] { reported.map(\.notice.state.rawValue) }
    var received: [UInt64] {
      asked.compactMap { if case .acknowledge(_, let event) = $0.request { event } else { nil } }
    }
    func state(_ identifier: String) -> CLMonitor.Event.State? { machine.record(for: identifier)?.last.state }
  }

  private func event(
    _ id: UInt64, _ state: RegionState, of identifier: String = "home", attempt: Int = 1
  ) -> MonitoringEvent {
    MonitoringEvent(
      id: id, .region(identifier), .crossed(state), time: GNSSTime(nanosecondsSince1970: Int64(id) * 1_000_000_000),
      fix: nil, attempt: attempt)
  }

  private func stored(_ identifier: String, received: RegionState?) throws -> MonitoredRegion {
    let circle = try CircleShape(
      center: Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 7)), radius: Meters(50))
    return MonitoredRegion(
      try Region(identifier: identifier, shape: .circle(circle)), state: .inside, acknowledgedState: received,
      receivedAt: received.map { _ in GNSSTime(nanosecondsSince1970: 5_000_000_000) })
  }

  @Test func withoutConditionsThereIsNoList() throws {
    var bed = Bed()
    bed.handle(.begin)
    #expect(!bed.isKnown)
    try bed.answer({ .monitoring($0, .regions([], next: nil)) }, where: \.isRead)
    #expect(bed.isKnown && !bed.asked.contains { $0.request.isFollow })
  }

  @Test func itContinuesWithTheLastReceivedState() throws {
    var bed = Bed()
    bed.handle(.add(home, "home", assuming: .unknown))
    #expect(bed.machine.identifiers == ["home"], "nobody has to begin")
    bed = Bed()
    bed.handle(.begin)
    bed.handle(.add(home, "late", assuming: .unsatisfied))
    try bed.answer({ .monitoring($0, .regions([try! stored("a", received: .outside)], next: 9)) }, where: \.isRead)
    #expect(!bed.isKnown)
    try bed.answer({ .monitoring($0, .regions([try! stored("b", received: nil)], next: nil)) }, where: \.isRead)
    #expect(bed.isKnown && bed.machine.identifiers == ["a", "b", "late"])
    #expect(bed.state("a") == .unsatisfied && bed.state("b") == .unknown && bed.state("late") == .unsatisfied)
    #expect(bed.machine.record(for: "a")?.last.date == Date(timeIntervalSince1970: 5))
    #expect((bed.machine.record(for: "a")?.condition as? CLMonitor.CircularGeographicCondition)?.radius == 50)
    try bed.send(event(1, .inside, of: "a"))
    #expect(bed.reported.map(\.notice.identifier) == ["a"])
  }

  @Test func recordsFollowWhatWasHandled() throws {
    var bed = Bed()
    try bed.begin()
    bed.handle(.add(home, "home", assuming: .satisfied))
    try bed.send(event(1, .inside))
    #expect(bed.reported.isEmpty && bed.received == [1], "what is known already is heard")
    try bed.send(event(2, .outside))
    try bed.send(event(3, .inside))
    #expect(bed.states == [2, 1] && bed.state("home") == .satisfied && bed.received == [1])
    // The service restarts, and sends again the events that are not acknowledged yet.
    try bed.send(event(2, .outside, attempt: 2))
    #expect(bed.reported.count == 2)
    bed.handle(.handled(bed.reported[0].number))
    #expect(bed.state("home") == .unsatisfied && bed.received == [1, 2])
    #expect(bed.machine.record(for: "home")?.last.date == Date(timeIntervalSince1970: 2))
    bed.handle(.handled(bed.reported[0].number))
    #expect(bed.received == [1, 2], "once")
    // The acknowledgment was lost.
    try bed.send(event(2, .outside, attempt: 3))
    #expect(bed.reported.count == 2 && bed.received == [1, 2, 2])
    // An event of a store that had to be created again.
    bed.handle(.handled(bed.reported[1].number))
    try bed.send(
      MonitoringEvent(id: 2, .region("home"), .crossed(.outside), time: GNSSTime(nanosecondsSince1970: 9), fix: nil))
    #expect(bed.states == [2, 1, 2])
  }

  @Test func unmonitoredRegionsProduceNoEvents() throws {
    var bed = Bed()
    try bed.begin(with: [try stored("home", received: .inside)])
    try bed.send(event(1, .outside))
    bed.handle(.remove("home"))
    bed.handle(.remove("never there"))
    bed.handle(.add(home, "home", assuming: .satisfied))
    bed.handle(.handled(bed.reported[0].number))
    #expect(bed.state("home") == .satisfied, "the event was of the one before")
    bed.handle(.remove("home"))
    try bed.send(event(2, .outside))
    #expect(bed.reported.count == 1 && bed.received == [1, 2])
    #expect(bed.machine.identifiers.isEmpty)
  }

  @Test func whatCannotBeWatchedIsReportedImmediately() throws {
    var bed = Bed()
    try bed.begin()
    let bad = CLMonitor.CircularGeographicCondition(center: home.center, radius: .nan)
    bed.handle(.add(bad, "bad", assuming: .unknown))
    bed.handle(.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), "beacon", assuming: .satisfied))
    #expect(bed.reported.map(\.notice.circumstances) == [.conditionUnsupported, .conditionUnsupported])
    #expect(bed.states == [3, 3] && bed.state("bad") == .unmonitored)
    #expect(!bed.asked.contains { $0.request.isFollow }, "no list for those")
    let failures: [(LocationFailure, DiagnosticFlags)] = [
      (.monitoring(.tooManyRegions(limit: 2)), .conditionLimitExceeded),
      (.monitoring(.cannotKeep(path: "/", reason: "full", .noRoom)), .persistenceUnavailable),
      (.monitoring(.monitoredElsewhere(processID: 1)), .persistenceUnavailable), (.noSource, .persistenceUnavailable),
      (.notAuthorized(.denied(inBackground: false), identity: nil), .authorizationDenied),
      (.notAuthorized(.needsFullAccuracy(always: false), identity: nil), .accuracyLimited),
      (.notAuthorized(.restricted(inBackground: false), identity: nil), .authorizationRestricted),
      (.notAuthorized(.servicesOff, identity: nil), [.authorizationDenied, .authorizationDeniedGlobally]),
    ]
    for (number, (failure, circumstances)) in failures.enumerated() {
      bed.handle(.add(home, "\(number)", assuming: .unknown))
      try bed.answer({ .failed($0, failure) }, where: \.isAdd)
      #expect(bed.reported.last?.notice.circumstances == circumstances, "\(failure)")
      #expect(bed.state("\(number)") == .unmonitored)
    }
  }

  @Test func whatStandsAgainstAllIsReportedOfEachAndItGoesOnAfterwards() throws {
    var bed = Bed()
    try bed.begin(with: [try stored("a", received: .inside)])
    bed.handle(.obstacles(.authorizationDenied))
    bed.handle(.obstacles(.authorizationDenied))
    #expect(bed.states == [3] && bed.reported[0].notice.circumstances == .authorizationDenied)
    bed.handle(.add(home, "b", assuming: .unknown))
    #expect(bed.states == [3, 3])
    try bed.answer({ .done($0) }, where: \.isAdd)
    bed.handle(.obstacles([]))
    try bed.answer({ .monitoring($0, .state(.inside)) }, where: { $0.isState(of: "a") })
    try bed.answer({ .monitoring($0, .state(.unknown)) }, where: { $0.isState(of: "b") })
    #expect(bed.states == [3, 3, 1, 0])
    for reported in bed.reported { bed.handle(.handled(reported.number)) }
    #expect(bed.state("a") == .satisfied && bed.state("b") == .unknown)
  }

  @Test func aServiceThatEndsLeavesWhatItDidNotTake() throws {
    var bed = Bed()
    bed.handle(.begin)
    bed.handle(.serviceEnded)
    #expect(bed.isKnown)
    bed.handle(.add(home, "home", assuming: .unknown))
    bed.handle(.serviceEnded)
    #expect(bed.reported.last?.notice.circumstances == .persistenceUnavailable)
  }
}

extension MonitoringRequest {
  fileprivate var isRead: Bool { if case .read = self { true } else { false } }
  fileprivate var isFollow: Bool { if case .follow = self { true } else { false } }
  fileprivate var isAdd: Bool { if case .add = self { true } else { false } }
  fileprivate func isState(of identifier: String) -> Bool {
    if case .state(_, identifier) = self { true } else { false }
  }
}
