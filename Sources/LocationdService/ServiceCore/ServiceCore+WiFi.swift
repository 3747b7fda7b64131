import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy
import Positioning

/// Positions by Wi-Fi: the answer if satellites give none, and a bound on the errors of satellites if they do.
extension ServiceCore {
  /// A radio was added or removed.
  mutating func wifiChanged(isThere: Bool, at now: Instant, _ actions: inout [Action]) {
    guard isThere == (wifi == .absent) else { return }
    wifi = isThere ? .scanning : .absent
    _ = planner.handle(.radio(isThere: isThere), at: now)
    wifiRequirement = nil
    askWiFi(&actions)
    notifySourceAvailability(at: now, &actions)
  }

  /// Handles the result of a scan, after its access points were looked up.
  mutating func scanned(_ scan: WiFiScan, at now: Instant, _ actions: inout [Action]) {
    guard wifi != .absent else { return }
    let before = wifi
    wifi = scan.position == nil ? .blind(received: scan.received) : .seeing
    let outlook = WiFiScanSummary(radius68: scan.position?.radius68, isSamePlace: scan.isSamePlace)
    _ = planner.handle(.wifi(outlook), at: now)
    if let position = scan.position { receive(position, at: now, &actions) }
    openWanted(at: now, &actions)
    if wifi.isPromising != before.isPromising || before == .scanning { notifySourceAvailability(at: now, &actions) }
  }

  private mutating func receive(_ position: WiFiPosition, at now: Instant, _ actions: inout [Action]) {
    let fix = fused.takeCoarse(fix(position), at: now)
    // A receiver that has a fix is more accurate; the Wi-Fi position has already bounded the estimate.
    let isStreamed = arbiter.isIdle(at: now)
    if isStreamed {
      keep(fix, isTracked: false, &actions)
      sendMonitoringFix(fix, at: now, &actions)
    }
    let isAllThereIs = !hasPromisingReceiver || planner.plan.satellites == .off
    let lasting = planner.freshness
    forEachWork(at: now, &actions) {
      $0.receive(coarse: fix, isAllThereIs: isAllThereIs, isStreamed: isStreamed, lasting: lasting, at: now)
    }
  }

  /// A Wi-Fi position as a fix. Its only time is the machine's.
  private func fix(_ position: WiFiPosition) -> PositionFix {
    let start = settings.wallClock ?? memory.lastGoodTime ?? GNSSTime(nanosecondsSince1970: 0)
    return PositionFix(
      time: start + (position.receivedAt - settings.startedAt), timeValidity: .none, receivedAt: position.receivedAt,
      coordinate: position.coordinate, horizontalRadius68: position.radius68, kind: .estimated,
      technologies: .wifi)
  }

  /// Sends the radio the requirement, if it has changed.
  mutating func askWiFi(_ actions: inout [Action]) {
    guard wifi != .absent else { return }
    let isWanted = works.contains { !$0.watchesSky } || planner.plan.wifiPeriod != nil
    // A request for one fix ends before anything is learned.
    let learning = works.contains(where: \.isStream) ? planner.learningPeriod : nil
    let wish = isWanted ? WiFiRequirement(period: planner.plan.wifiPeriod, learningPeriod: learning) : nil
    guard wish != wifiRequirement else { return }
    // The first request needs a new scan.
    if wifiRequirement == nil { wifi = .scanning }
    wifiRequirement = wish
    actions.append(.listenToWiFi(wish))
  }

  /// Whether any source may still give a position.
  var isPromising: Bool { hasPromisingReceiver || wifi.isPromising }
}
