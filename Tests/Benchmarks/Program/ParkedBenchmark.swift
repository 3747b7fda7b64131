import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdRecords
import LocationdService
import Positioning
import Regions

/// Measures the share of a night during which the receiver is on in a car that is parked at home, if only regions are monitored. Uses
/// the service's own core and its monitoring service in virtual time. A receiver reports its position five seconds after its port was
/// opened, Wi-Fi three seconds after the request.
func parkedBenchmark(folder: String) -> Int32 {
  for hasWiFi in [true, false] {
    let night = ParkedNight(folder: "\(folder)/\(hasWiFi)", hasWiFi: hasWiFi)
    let share = night.onTime(hours: 12)
    Figure(
      name: "parked, only regions: receiver on, \(hasWiFi ? "with" : "without") Wi-Fi", value: 100 * share, unit: "%",
      reach: hasWiFi ? 5 : 15, peer: "one that asks all the time", peerValue: 100
    ).write()
  }
  return 0
}

private final class ParkedNight {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private static let client = ClientID.process(9)
  private static let (hotStart, scanTime) = (Duration.seconds(5), Duration.seconds(3))

  private var core = ServiceCore(
    ServiceCore.Settings(
      eraFloor: CalendarDate(year: 2026, month: 1, day: 1),
      wallClock: GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000), startedAt: start, memory: ServiceMemory()))
  private var service: MonitoringService?
  private var reports: [MonitoringReport] = []
  private var now = ParkedNight.start
  private var open: (link: LinkID, since: Instant, nextBurst: Instant)?
  private var scanDue: Instant?
  private var scanPeriod: Duration?
  private var isOpenFor = Duration.zero

  init(folder: String, hasWiFi: Bool) {
    service = MonitoringService(folder: folder, outlives: true, present: now) { [unowned self] in reports.append($0) }
    var observation = DetectedDevice(id: "usb:parked", path: "/dev/ttyACM0", kind: .receiver)
    observation.hasLineSpeed = false
    send(.deviceAppeared(observation))
    send(.wifiChanged(isThere: hasWiFi))
    send(.inventoryComplete)
    let home = Coordinate(latitude: Angle(degrees: 47.28333), longitude: Angle(degrees: 8.55))
    let away = Coordinate(latitude: Angle(degrees: 47.30), longitude: Angle(degrees: 8.57))
    let regions = [("home", home), ("work", away)].compactMap { name, center in
      (try? CircleShape(center: center, radius: Meters(150))).flatMap {
        try? Region(identifier: name, shape: .circle($0))
      }
    }
    order(
      .request(
        .add(list: "parked", regions.map { MonitoredRegion($0) }, outlives: true), RequestID(1), from: Self.client,
        of: ClientIdentity(userID: 1000), .granted))
  }

  /// The share of the time during which the receiver's port was open.
  func onTime(hours: Int) -> Double {
    let end = now + .seconds(hours * 3600)
    while now < end {
      let next = [core.nextDeadline, service?.nextDeadline, open?.nextBurst, scanDue].compactMap(\.self).min() ?? end
      now = max(now, min(next, end))
      if let receiver = open, now >= receiver.nextBurst {
        open?.nextBurst = now + .seconds(1)
        let second = Int((now - Self.start).components.seconds)
        let burst = now - receiver.since < Self.hotStart ? Self.searching(second) : Self.burst(second)
        execute(core.receive(burst.span, on: receiver.link, at: now))
        // The epoch ends because no more bytes come.
        now = now + .milliseconds(200)
      }
      if let due = scanDue, now >= due {
        scanDue = scanPeriod.map { now + $0 }
        let position = WiFiPosition(
          coordinate: Coordinate(latitude: Angle(degrees: 47.28334), longitude: Angle(degrees: 8.55002)),
          radius68: Meters(35), receivedAt: now, count: 8)
        send(.scanned(WiFiScan(position: position, received: 8, isSamePlace: true)))
      }
      send(.wake)
      if let due = service?.nextDeadline, now >= due {
        service?.wake(at: now)
        settle()
      }
    }
    if let since = open?.since { isOpenFor += now - since }
    return isOpenFor / .seconds(hours * 3600)
  }

  // MARK: -

  private func send(_ input: ServiceCore.Input) { execute(core.handle(input, at: now)) }

  private func order(_ order: MonitoringOrder) {
    service?.handle(order, at: now)
    settle()
  }

  private func settle() {
    while !reports.isEmpty {
      let report = reports.removeFirst()
      switch report {
      case .wanted(let list, _, let uses, _): if !uses.isEmpty { service?.handle(.allowed(list, .all), at: now) }
      case .listen(let isWanted): send(.setMonitoringFeed(isWanted))
      case .checkPosition(let sufficient):
        send(.request(Self.client, .cancel(RequestID(1))))
        guard let sufficient else { continue }
        var options = UpdateOptions(waitsForSource: true, sufficientRadius68: sufficient)
        options.isUnhurried = true
        send(.presence(Self.client, isInBackground: true))
        send(.request(Self.client, .startUpdates(RequestID(1), options)))
      case .answer, .launch, .noted, .counted, .notCounted, .event, .happened, .reached, .ended: break
      }
    }
  }

  private func execute(_ actions: [ServiceCore.Action]) {
    for action in actions {
      switch action {
      case .open(let link, _):
        open = (link, now, now + .seconds(1))
        send(.opened(link, baud: nil))
      case .close:
        if let since = open?.since { isOpenFor += now - since }
        open = nil
      case .listenToWiFi(let requirement):
        scanPeriod = requirement?.period
        scanDue = requirement == nil ? nil : now + Self.scanTime
      case .monitoringFix(let fix): order(.fix(fix))
      case .recall(let link, _): send(.recalled(link, nil))
      case .recallSettings(let link, _): send(.settingsRecalled(link, nil))
      case .setSpeed, .write, .send, .changeTrust, .setOwner, .keep, .keepSettings, .leftChanged, .learnPlaces,
        .timed, .remember:
        break
      }
    }
  }

  // MARK: - The receiver

  private static func clock(_ second: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return two(second / 3600 % 24) + two(second / 60 % 60) + two(second % 60) + ".00"
  }

  private static func burst(_ second: Int) -> [UInt8] {
    let time = clock(second)
    return sentence("GNRMC,\(time),A,4717.0000,N,00833.0000,E,0.0,,010826,,,A,V")
      + sentence("GNGGA,\(time),4717.0000,N,00833.0000,E,1,08,1.0,10.0,M,47.0,M,,")
  }

  private static func searching(_ second: Int) -> [UInt8] {
    let time = clock(second)
    return sentence("GNRMC,\(time),V,,,,,,,010826,,,N,V") + sentence("GNGGA,\(time),,,,,0,00,99.99,,,,,,")
  }

  private static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0) { $0 ^ $1 }
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }
}
