import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Regions
import Testing

/// Which monitoring is permitted for a client, and how it is shown.
struct MonitoringGateTests {
  private var bed = GateBed()
  /// Represents a list.
  private static let list = ClientID.list(5)

  private mutating func monitor(_ uses: MonitoringUses, of user: UInt32 = 1001, _ privilege: ClientPrivilege = .asks)
    -> [AccessGate.Action]
  {
    if bed.gate.gatedClient(Self.list) == nil {
      bed.arrive(Self.list, user: user, privilege, presence: .background)
    }
    return bed.handle(.monitors(Self.list, uses))
  }

  private var allowed: MonitoringUses { bed.gate.monitored(by: Self.list) }

  private func marks(_ actions: [AccessGate.Action]) -> [IndicatorState.Mark] {
    actions.compactMap { if case .show(let state) = $0 { state.mark } else { nil } }
  }

  @Test mutating func fencesAreShownHollowAndSignificantChangesSolid() {
    var shown: [IndicatorState.Mark] = []
    shown = marks(monitor(.regions, of: 0, .administrator))
    #expect(shown == [.hollow])
    shown = marks(monitor([.regions, .visits], of: 0, .administrator))
    #expect(shown == [])
    shown = marks(monitor([.regions, .significantChanges], of: 0, .administrator))
    #expect(shown == [.solid])
    #expect(allowed == [.regions, .significantChanges])
    bed.now = bed.now + .seconds(1)
    shown = marks(monitor(.regions, of: 0, .administrator))
    #expect(shown == [], "solid for a while")
    bed.now = bed.now + UsageIndicator.solidAfter
    shown = marks(bed.handle(.wake))
    #expect(shown == [.hollow])
    shown = marks(monitor([], of: 0, .administrator))
    #expect(shown == [.none])
  }

  @Test mutating func undecidedRequestsWaitForADecision() {
    _ = monitor([.regions, .visits])
    #expect(allowed == [])
    bed.decide(.always(isReduced: false), for: 1001)
    #expect(allowed == [.regions, .visits])
    bed.decide(.denied, for: 1001)
    #expect(allowed == [])
    bed.decide(.always(isReduced: true), for: 1001)
    #expect(allowed == .visits, "a border would tell exactly where it is")
  }

  @Test mutating func whileInUseAProgramHasToBeThereButANoticeNeedsNone() {
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    _ = monitor([.regions, .notifications])
    #expect(allowed == .notifications)
    _ = bed.handle(.presence(Self.list, .inUse))
    #expect(allowed == [.regions, .notifications])
    _ = bed.handle(.presence(Self.list, .background))
    #expect(allowed == .notifications)
  }

  @Test mutating func theSwitchIsForWhatIsMonitoredToo() {
    _ = monitor(.regions, of: 0, .administrator)
    bed.arrive(1, user: 0, .administrator)
    _ = bed.ask(1, .authorization(RequestID(9), .setServices(isOn: false)))
    #expect(allowed == [])
    _ = bed.ask(1, .authorization(RequestID(10), .setServices(isOn: true)))
    #expect(allowed == .regions)
  }

  @Test mutating func deniedClientsMayRemoveButNotAdd() throws {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.denied, for: 1001)
    let visits = MonitoringRequest.setVisits(list: "x", isOn: true, MonitoringLaunch(), outlives: false)
    for request in [MonitoringRequest.add(list: "x", [], outlives: false), visits] {
      let reported = bed.ask(2, .monitoring(RequestID(3), request))
      #expect(reported.contains(failed(2, 3, .denied(inBackground: false))))
    }
    let removal = ClientRequest.monitoring(RequestID(4), .removeAll(list: "x"))
    let passed = bed.ask(2, removal)
    #expect(passed.contains(.pass(ClientID.process(2), removal)))
  }

  @Test mutating func reducedAccuracyCoarsensVisitsAndBlocksRegionEvents() throws {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.always(isReduced: true), for: 1001)
    let visit = Visit(coordinate: fix().coordinate, horizontalRadius68: Meters(8), arrival: nil)
    let arrived = MonitoringEvent(id: 1, .visits, .arrived(visit), time: nil, fix: fix())
    let reported = bed.handle(.event(ClientID.process(2), .monitoring(RequestID(1), .event(arrived, list: "x"))))
    guard case .send(_, .monitoring(_, .event(let rough, _)))? = reported.first, case .arrived(let place) = rough.kind
    else {
      Issue.record("\(reported)")
      return
    }
    #expect(place.horizontalRadius68 > Meters(500) && place.coordinate != visit.coordinate)
    #expect(rough.fix?.horizontalRadius68 == place.horizontalRadius68)
    let crossed = MonitoringEvent(id: 2, .region("home"), .crossed(.inside), time: nil, fix: fix())
    let border = bed.handle(.event(ClientID.process(2), .monitoring(RequestID(1), .event(crossed, list: "x"))))
    #expect(border.isEmpty)
  }
}
