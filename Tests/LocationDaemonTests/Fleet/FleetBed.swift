import Fleet
import FleetDestinations
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdRecords
import Regions
import Testing

/// Destinations with their outboxes on the disk; the test is the service and the helper.
final class FleetBed {
  final class Clock: FleetClock {
    static let time = GNSSTime(nanosecondsSince1970: 1_795_420_800_000_000_000)
    /// `nil`: not known.
    var time: GNSSTime? = Clock.time
    var now: FleetIntake.Clock { FleetIntake.Clock(time: time, offset: .zero) }
  }

  private(set) var reports: [FleetServiceReport] = []
  private let folder: String
  let clock = Clock()
  private var now = Instant(nanoseconds: 1_000_000_000)
  private lazy var service = FleetService(
    FleetService.Settings(
      stateFolder: folder, sends: true, isVirtual: false, hasGrid: true, release: "1"), clock: clock, at: now
  ) { [unowned self] in reports.append($0) }

  init(_ folder: String) { self.folder = folder }

  /// The reports that an order leads to.
  @discardableResult
  func handle(_ order: FleetOrder) -> [FleetServiceReport] {
    reports = []
    // The rate of the messages is kept.
    now = now + .milliseconds(200)
    service.handle(order, at: now)
    return reports
  }

  @discardableResult
  func ask(_ request: FleetRequest) -> [FleetServiceReport] {
    handle(.request(request, RequestID(9), from: .process(1)))
  }

  func receive(_ event: ServiceEvent, reduced: PositionFix? = nil) -> [FleetServiceReport] {
    handle(.event(event, reduced: reduced, for: .fleet(1)))
  }

  /// The same when the next deadline is reached.
  @discardableResult
  func wake() -> [FleetServiceReport] {
    reports = []
    if let deadline = service.nextDeadline { now = max(now, deadline) }
    service.wake(at: now)
    return reports
  }

  @discardableResult
  func happened(_ event: FleetEvent, _ number: UInt64, ofUser user: UInt32 = 1000, isRepeated: Bool = false)
    -> [FleetServiceReport]
  {
    handle(.happened(FleetHappening(event: event, number: number, isRepeated: isRepeated), ofUser: user))
  }

  @discardableResult
  func helper(_ link: FleetLinkID, _ message: FleetHelperMessage) -> [FleetServiceReport] {
    let inflow = FleetInflow()
    #expect(inflow.arrive(message) == .accepted)
    return handle(.helper(link, message, inflow: inflow))
  }

  /// The connection that was opened; `nil`: none.
  var link: FleetLinkID? {
    for case .open(let link, _) in reports { return link }
    return nil
  }

  static func destination(
    _ address: String = "mqtts://h", _ change: (inout FleetSettings) -> Void = { _ in }
  ) throws -> FleetDestination {
    var settings = FleetSettings()
    change(&settings)
    return try FleetDestination(name: "van", address: FleetAddress(parsing: address), settings: settings)
  }

  static var fix: PositionFix {
    PositionFix(
      time: Clock.time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47.37), longitude: Angle(degrees: 8.54)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: [.gnss])
  }

  static func messages(_ reports: [FleetServiceReport]) -> [FleetMessage] {
    reports.compactMap { report -> FleetMessage? in
      guard case .send(_, .send(let message)) = report else { return nil }
      return message
    }
  }

  static func recorded(_ reports: [FleetServiceReport]) -> [UInt64] {
    reports.compactMap { report -> UInt64? in
      guard case .recorded(let number) = report else { return nil }
      return number
    }
  }

  static func crossing(_ region: String, isEntry: Bool = true) throws -> FleetEvent {
    let state: RegionState = isEntry ? .inside : .outside
    return try #require(
      FleetEvent(MonitoringEvent(id: 1, .region(region), .crossed(state), time: Clock.time, fix: fix)))
  }
}
