import Geodesy
import LocationIPC
import LocationPolicy
import Regions
import Testing

@testable import CoreLocation

/// The monitoring that a program's managers share, with a service that answers, refuses, restarts and ends.
@Suite struct ProgramMonitoringTests {
  private static let list = "program"

  /// The machine, its requests, and its notifications.
  private struct Bed {
    var machine = ProgramMonitoring(list: ProgramMonitoringTests.list, numbers: RequestNumbers())
    var asked: [(id: RequestID, request: MonitoringRequest)] = []
    var reported: [(managers: [UInt64], notice: MonitoringNotification)] = []
    var known = 0

    mutating func handle(_ input: ProgramMonitoring.Input) {
      for action in machine.handle(input) {
        switch action {
        case .send(let id, let request): asked.append((id, request))
        case .notify(let managers, let notice): reported.append((managers, notice))
        case .known: known += 1
        }
      }
    }

    /// Answers the newest request of this kind.
    mutating func answer(_ answer: (RequestID) -> ServiceEvent, where isIt: (MonitoringRequest) -> Bool) throws {
      let (id, request) = try #require(asked.last { isIt($0.request) })
      handle(.answer(id, try #require(ServiceRequest.anyMonitoring(request).event(answer(id)))))
    }

    /// Nothing was monitored in an earlier run.
    mutating func begin() throws {
      handle(.begin)
      try answer({ .monitoring($0, .lists([])) }, where: { $0 == .lists })
    }

    mutating func send(_ event: MonitoringEvent) throws {
      try answer({ .monitoring($0, .event(event, list: ProgramMonitoringTests.list)) }, where: \.isFollow)
    }

    var requests: [MonitoringRequest] { asked.map(\.request) }
    var received: [UInt64] { requests.compactMap { if case .acknowledge(_, let event) = $0 { event } else { nil } } }
  }

  private static func region(_ identifier: String, radius: Double = 50) throws -> Region {
    let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 7))
    return try Region(
      identifier: identifier, shape: .circle(CircleShape(center: middle, radius: Meters(radius))))
  }

  private static func crossed(_ id: UInt64, _ identifier: String, attempt: Int = 1) -> MonitoringEvent {
    MonitoringEvent(
      id: id, .region(identifier), .crossed(.inside), time: GNSSTime(nanosecondsSince1970: Int64(id)), fix: nil,
      attempt: attempt)
  }

  private static func moved(_ id: UInt64) -> MonitoringEvent {
    let time = GNSSTime(nanosecondsSince1970: Int64(id) * 1_000_000_000)
    let fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    return MonitoringEvent(id: id, .significantChanges, .moved, time: time, fix: fix)
  }

  private static func report(_ uses: MonitoringUses = [], waiting: Int = 0) -> MonitoringListReport {
    MonitoringListReport(name: list, identity: ClientIdentity(userID: 1), wanted: uses, waiting: waiting)
  }

  @Test func noMonitoringNoList() throws {
    var bed = Bed()
    bed.handle(.listens(1))
    #expect(bed.requests.isEmpty)
    try bed.begin()
    bed.handle(.begin)
    bed.handle(.remove("home"))
    bed.handle(.requestState(try Self.region("home"), by: 1))
    bed.handle(.visits(1, isOn: false))
    bed.handle(.significantChanges(1, isOn: false))
    bed.handle(.gone(1))
    #expect(bed.requests == [.lists] && bed.known == 1 && bed.reported.isEmpty)
  }

  @Test func aRegionIsFollowedBeforeItIsAdded() throws {
    var bed = Bed()
    let home = try Self.region("home")
    bed.handle(.listens(1))
    // The change waits for the regions of an earlier run.
    bed.handle(.add(home, by: 1))
    #expect(bed.requests == [.lists] && !bed.machine.isKnown)
    try bed.answer({ .monitoring($0, .lists([])) }, where: { $0 == .lists })
    #expect(
      bed.requests.dropFirst() == [
        .follow(list: Self.list, receives: true), .add(list: Self.list, [MonitoredRegion(home)], outlives: false),
      ])
    #expect(bed.machine.regions.isEmpty)
    try bed.answer({ .done($0) }, where: \.isAdd)
    #expect(bed.reported.count == 1 && bed.reported[0] == ([1], .started(home)))
    #expect(bed.machine.regions["home"] == home)
    bed.handle(.remove("home"))
    #expect(bed.machine.regions.isEmpty && bed.requests.last == .remove(list: Self.list, ["home"]))
    // The event was sent before the removal.
    try bed.send(Self.crossed(1, "home"))
    #expect(bed.reported.count == 1 && bed.received == [1])
  }

  @Test(arguments: [
    (LocationFailure.notAuthorized(.denied(inBackground: false), identity: nil), MonitoringRejection.denied),
    (.notAuthorized(.needsFullAccuracy(always: false), identity: nil), .denied),
    (.monitoring(.tooManyRegions(limit: 1)), .impossible), (.serviceLost(path: "/"), .impossible),
  ])
  func rejectionsNameTheirRegion(failure: LocationFailure, refusal: MonitoringRejection) throws {
    var bed = Bed()
    try bed.begin()
    let home = try Self.region("home")
    bed.handle(.add(home, by: 3))
    try bed.answer({ .failed($0, failure) }, where: \.isAdd)
    #expect(bed.reported[0] == ([3], .refused(home, refusal, reason: failure.ofMonitoring)))
    #expect(bed.machine.regions.isEmpty)
    bed.handle(.visits(3, isOn: true))
    try bed.answer({ .failed($0, failure) }, where: \.isVisits)
    #expect(bed.reported[1] == ([3], .failed(refusal, reason: failure.ofMonitoring)))
    // The request may be repeated.
    bed.handle(.visits(3, isOn: true))
    #expect(bed.requests.count { $0.isVisits } == 2)
  }

  @Test func whatAnEarlierRunHasLeftIsReadBeforeAnythingIsReported() throws {
    var bed = Bed()
    bed.handle(.begin)
    try bed.answer({ .monitoring($0, .lists([Self.report(.regions)])) }, where: { $0 == .lists })
    let (home, lake) = (try Self.region("home"), try Self.region("lake"))
    try bed.answer({ .monitoring($0, .regions([MonitoredRegion(home)], next: 7)) }, where: \.isRead)
    #expect(bed.requests.last == .read(list: Self.list, from: 7) && bed.known == 0)
    try bed.answer({ .monitoring($0, .regions([MonitoredRegion(lake)], next: nil)) }, where: \.isRead)
    #expect(bed.requests.last == .follow(list: Self.list, receives: true) && bed.known == 1)
    #expect(Set(bed.machine.regions.keys) == ["home", "lake"])
    // There is no manager with a delegate yet; the first one that appears receives the events.
    try bed.send(Self.crossed(1, "home"))
    try bed.send(Self.crossed(2, "lake"))
    #expect(bed.reported.isEmpty && bed.received.isEmpty)
    bed.handle(.listens(5))
    #expect(bed.reported.map(\.managers) == [[5], [5]])
    bed.handle(.listens(6))
    #expect(bed.reported.count == 2)
    bed.handle(.delivered(event: 1, by: 5, isReceived: true))
    #expect(bed.received == [1])
    // Its delegate was removed before it could receive the other event.
    bed.handle(.isDeaf(5))
    bed.handle(.isDeaf(6))
    bed.handle(.delivered(event: 2, by: 5, isReceived: false))
    #expect(bed.received == [1])
    bed.handle(.listens(5))
    #expect(bed.reported.count == 3)
    bed.handle(.gone(5))
    #expect(bed.received == [1], "a manager that goes has not heard it")
  }

  /// The machine follows a list that only has pending events; it does not follow an empty list.
  @Test(arguments: [0, 1]) func pendingDataIsRead(waiting: Int) throws {
    var bed = Bed()
    bed.handle(.begin)
    try bed.answer({ .monitoring($0, .lists([Self.report(waiting: waiting)])) }, where: { $0 == .lists })
    try bed.answer({ .monitoring($0, .regions([], next: nil)) }, where: \.isRead)
    #expect(bed.requests.contains { $0.isFollow } == (waiting > 0))
  }

  @Test func allFollowersReceiveItAndItIsAcknowledgedOnce() throws {
    var bed = Bed()
    try bed.begin()
    for manager: UInt64 in 1...3 { bed.handle(.listens(manager)) }
    bed.handle(.add(try Self.region("home"), by: 1))
    try bed.answer({ .done($0) }, where: \.isAdd)
    try bed.send(Self.crossed(4, "home"))
    #expect(bed.reported.last?.managers == [1, 2, 3])
    bed.handle(.delivered(event: 4, by: 2, isReceived: true))
    // The service restarts meanwhile, and sends the events again that were not acknowledged.
    try bed.send(Self.crossed(4, "home", attempt: 2))
    bed.handle(.gone(1))
    #expect(bed.received.isEmpty && bed.reported.count == 2)
    bed.handle(.delivered(event: 4, by: 3, isReceived: false))
    #expect(bed.received == [4])
    try bed.send(Self.crossed(4, "home", attempt: 3))
    #expect(bed.received == [4, 4] && bed.reported.count == 2)
    // An event that need not be acknowledged.
    try bed.send(
      MonitoringEvent(id: 0, .region("home"), .determined(.outside), time: nil, fix: nil))
    #expect(bed.reported.count == 3 && bed.received == [4, 4])
  }

  @Test func theStateOfARegionIsSentToWhoAsks() throws {
    var bed = Bed()
    try bed.begin()
    let home = try Self.region("home")
    bed.handle(.add(home, by: 1))
    // The state is requested immediately after the region, and sent after the answer for the region.
    bed.handle(.requestState(try Self.region("home", radius: 1), by: 2))
    #expect(!bed.requests.contains { $0.isState })
    try bed.answer({ .done($0) }, where: \.isAdd)
    try bed.answer({ .monitoring($0, .state(.outside)) }, where: \.isState)
    #expect(bed.reported.last.map { $0 == ([2], .state(home, .outside)) } == true)
    bed.handle(.requestState(try Self.region("none"), by: 2))
    try bed.answer({ .monitoring($0, .state(nil)) }, where: \.isState)
    #expect(bed.reported.count == 2)
  }

  @Test func visitsAreForAllUntilNoOneWantsThem() throws {
    var bed = Bed()
    try bed.begin()
    bed.handle(.visits(1, isOn: true))
    bed.handle(.visits(2, isOn: true))
    bed.handle(.visits(1, isOn: true))
    bed.handle(.visits(1, isOn: false))
    #expect(bed.requests.count { $0.isVisits } == 1)
    bed.handle(.visits(2, isOn: false))
    #expect(
      bed.requests.last == .setVisits(list: Self.list, isOn: false, MonitoringLaunch(), outlives: false))
    // A manager that is released has not stopped the visits: they continue for the program's next run.
    bed.handle(.visits(1, isOn: true))
    bed.handle(.gone(1))
    #expect(bed.requests.count { $0.isVisits } == 3)
  }

  @Test func significantChangesAreForWhoHasStartedThem() throws {
    var bed = Bed()
    try bed.begin()
    for manager: UInt64 in 1...3 { bed.handle(.listens(manager)) }
    bed.handle(.significantChanges(1, isOn: true))
    bed.handle(.significantChanges(1, isOn: true))
    bed.handle(.significantChanges(2, isOn: true))
    #expect(bed.requests.count { $0.isMoves } == 1 && bed.reported.isEmpty)
    try bed.send(Self.moved(1))
    #expect(bed.reported.last?.managers == [1, 2])
    // Another manager begins with the known position.
    bed.handle(.significantChanges(3, isOn: true))
    #expect(bed.reported.last?.managers == [3] && bed.reported.last?.notice.event == nil)
    for manager: UInt64 in 1...3 { bed.handle(.significantChanges(manager, isOn: false)) }
    #expect(bed.requests.count { $0.isMoves } == 2)
    bed.handle(.significantChanges(3, isOn: true))
    #expect(bed.requests.count { $0.isMoves } == 3 && bed.reported.count == 2, "the service tells where it is")
  }

  @Test func aServiceThatEndsRefusesWhatItHasNotTaken() throws {
    var bed = Bed()
    let home = try Self.region("home")
    bed.handle(.add(home, by: 1))
    bed.handle(.serviceEnded)
    #expect(bed.known == 1 && bed.requests.last.map(\.isAdd) == true)
    bed.handle(.visits(2, isOn: true))
    bed.handle(.serviceEnded)
    #expect(bed.reported.contains { $0 == ([1], .refused(home, .impossible, reason: nil)) })
    #expect(bed.reported.contains { $0 == ([2], .failed(.impossible, reason: nil)) })
    // The next request begins another stream.
    bed.handle(.add(home, by: 1))
    #expect(bed.requests.count { $0.isFollow } == 2)
  }
}

extension MonitoringRequest {
  fileprivate var isRead: Bool { if case .read = self { true } else { false } }
  fileprivate var isFollow: Bool { if case .follow = self { true } else { false } }
  fileprivate var isAdd: Bool { if case .add = self { true } else { false } }
  fileprivate var isState: Bool { if case .state = self { true } else { false } }
  fileprivate var isVisits: Bool { if case .setVisits = self { true } else { false } }
  fileprivate var isMoves: Bool { if case .setSignificantChanges = self { true } else { false } }
}
