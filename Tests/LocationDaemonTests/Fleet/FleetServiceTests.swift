import Fleet
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdRecords
import Testing

/// Destinations with their outboxes on the disk; the test is the service and the helper.
@Suite struct FleetServiceTests {
  private struct Clock: FleetClock {
    static let time = GNSSTime(nanosecondsSince1970: 1_795_420_800_000_000_000)
    var now: FleetIntake.Clock { FleetIntake.Clock(time: Self.time, offset: .zero) }
  }

  private final class Bed {
    private(set) var reports: [FleetServiceReport] = []
    private let folder: String
    private let now = Instant(nanoseconds: 1_000_000_000)
    private lazy var service = FleetService(
      FleetService.Settings(
        stateFolder: folder, sends: true, isVirtual: false, gridKey: (1, 2), release: "1"), clock: Clock(), at: now
    ) { [unowned self] in reports.append($0) }

    init(_ folder: String) { self.folder = folder }

    /// The reports that an order leads to.
    @discardableResult
    func handle(_ order: FleetOrder) -> [FleetServiceReport] {
      reports = []
      service.handle(order, at: now)
      return reports
    }

    @discardableResult
    func ask(_ request: FleetRequest) -> [FleetServiceReport] {
      handle(.request(request, RequestID(9), from: .process(1)))
    }

    func receive(_ event: ServiceEvent) -> [FleetServiceReport] { handle(.event(event, for: .fleet(1))) }

    /// The connection that was opened; `nil`: none.
    var link: FleetLinkID? {
      for case .open(let link, _) in reports { return link }
      return nil
    }
  }

  private static func destination(
    _ address: String = "mqtts://h", _ change: (inout FleetSettings) -> Void = { _ in }
  ) throws -> FleetDestination {
    var settings = FleetSettings()
    change(&settings)
    return try FleetDestination(name: "van", address: FleetAddress(parsing: address), settings: settings)
  }

  private static var fix: PositionFix {
    PositionFix(
      time: Clock.time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47.37), longitude: Angle(degrees: 8.54)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: [.gnss])
  }

  private static func messages(_ reports: [FleetServiceReport]) -> [FleetMessage] {
    reports.compactMap { report -> FleetMessage? in
      guard case .send(_, .send(let message)) = report else { return nil }
      return message
    }
  }

  @Test func aPausedDestinationDoesNotConnectAfterARestartOrAReplacement() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Self.destination(), replaces: false))
    #expect(bed.link != nil)
    bed.ask(.pause(name: "van", nil))
    bed.ask(.add(try Self.destination { $0.rate = 5 }, replaces: true))
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
    bed.ask(.add(try Self.destination(), replaces: false))
    #expect(isGranted())
    bed.ask(.add(try Self.destination { $0.rate = 5 }, replaces: true))
    #expect(!isGranted())
  }

  @Test func whatWaitsIsNotSentOnceOnlyTheApproximatePositionIsGranted() throws {
    for isReduced in [false, true] {
      let folder = try TemporaryFolder()
      let bed = Bed(folder.path)
      bed.ask(.add(try Self.destination(), replaces: false))
      let link = try #require(bed.link)
      #expect(Self.messages(bed.receive(.update(RequestID(1), Self.fix, age: .zero))).isEmpty)
      var authorization = Authorization(.always)
      authorization.isReduced = isReduced
      _ = bed.receive(
        .authorization(RequestID(2), .state(AuthorizationState(authorization, presence: .background))))
      let sent = Self.messages(bed.handle(.helper(link, .connected(FleetSession(version: 5)))))
      #expect(sent.map(\.kind) == (isReduced ? [] : [.fix]))
    }
  }

  @Test func aRevokedDestinationSendsNothingThatWaits() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Self.destination(), replaces: false))
    let link = try #require(bed.link)
    _ = bed.receive(.update(RequestID(1), Self.fix, age: .zero))
    _ = bed.receive(
      .authorization(RequestID(2), .state(AuthorizationState(Authorization(.denied), presence: .background))))
    #expect(Self.messages(bed.handle(.helper(link, .connected(FleetSession(version: 5))))).isEmpty)
  }

  @Test func aTestOverHTTPIsARequestThatIsNoPosition() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Self.destination("osmand+https://h:5055/?id=pi"), replaces: false))
    let link = try #require(bed.link)
    bed.ask(.test(name: "van"))
    let sent = Self.messages(bed.handle(.helper(link, .connected(FleetSession(version: 0)))))
    let message = try #require(sent.first)
    #expect(sent.count == 1 && message.method == .get && message.target == "/" && message.body.isEmpty)
    let answers = bed.handle(.helper(link, .answered(message.id, .http(400, retryAfter: nil))))
    let results = answers.compactMap { report -> FleetTestResult? in
      guard case .answer(.fleet(RequestID(9), .tested(let result)), _) = report else { return nil }
      return result
    }
    #expect(results.map(\.reply) == [.http(400, retryAfter: nil)] && results.first?.problem == nil)
  }

  @Test func theBrokerKeepsNothingOfADestinationThatIsRemoved() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(.add(try Self.destination { $0.homeAssistant = "ha" }, replaces: false))
    let link = try #require(bed.link)
    bed.handle(.helper(link, .connected(FleetSession(version: 5))))
    let sent = Self.messages(bed.ask(.remove(name: "van", discards: true)))
    #expect(sent.map(\.target) == ["ha/device/locationd_fleet_device/config", "fleet/fleet-device/position"])
    #expect(sent.allSatisfy { $0.isRetained && $0.body.isEmpty })
  }

  /// The helper ends a connection with more messages in flight than its window.
  @Test func messagesOfTheStateAreLimited() throws {
    let folder = try TemporaryFolder()
    let bed = Bed(folder.path)
    bed.ask(
      .add(try Self.destination { ($0.homeAssistant, $0.healthInterval) = ("ha", .seconds(60)) }, replaces: false))
    let link = try #require(bed.link)
    var open = Self.messages(bed.handle(.helper(link, .connected(FleetSession(version: 5)))))
    for _ in 0..<20 { open += Self.messages(bed.ask(.test(name: "van"))) }
    #expect(open.count <= FleetKind.mqtt.stateWindow && open.allSatisfy { !$0.isQueued })
  }
}
