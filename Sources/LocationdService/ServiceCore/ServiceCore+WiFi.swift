import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy
import Positioning

/// Positions by Wi-Fi: the answer where satellites give none, and what bounds their errors where they do.
extension ServiceCore {
  /// A radio is there, or is none any more.
  mutating func wifiChanged(isThere: Bool, at now: Instant, _ actions: inout [Action]) {
    guard isThere == (wifi == .absent) else { return }
    wifi = isThere ? .looking : .absent
    _ = planner.handle(.radio(isThere: isThere), at: now)
    wifiWish = nil
    askWiFi(&actions)
    tellSources(at: now, &actions)
  }

  /// What was heard has been looked up.
  mutating func scanned(_ scan: WiFiScan, at now: Instant, _ actions: inout [Action]) {
    guard wifi != .absent else { return }
    let before = wifi
    wifi = scan.position == nil ? .blind(heard: scan.heard) : .seeing
    let outlook = WiFiOutlook(radius68: scan.position?.radius68, isSamePlace: scan.isSamePlace)
    _ = planner.handle(.wifi(outlook), at: now)
    if let position = scan.position { take(position, at: now, &actions) }
    openWanted(at: now, &actions)
    if wifi.isPromising != before.isPromising || before == .looking { tellSources(at: now, &actions) }
  }

  private mutating func take(_ position: WiFiPosition, at now: Instant, _ actions: inout [Action]) {
    let fix = fused.takeCoarse(fix(position), at: now)
    // Satellites that are there know better; what they do not answer by themselves has been bounded.
    let isStreamed = arbiter.isIdle(at: now)
    if isStreamed {
      keep(fix, isTracked: false, &actions)
      notice(fix, at: now, &actions)
    }
    let isAllThereIs = !hasPromisingReceiver || planner.plan.satellites == .off
    let lasting = planner.freshness
    forEachWork(at: now, &actions) {
      $0.take(coarse: fix, isAllThereIs: isAllThereIs, isStreamed: isStreamed, lasting: lasting, at: now)
    }
  }

  /// A position as a fix. It has no other time than the machine's.
  private func fix(_ position: WiFiPosition) -> PositionFix {
    let start = settings.wallClock ?? memory.lastGoodTime ?? GNSSTime(nanosecondsSince1970: 0)
    return PositionFix(
      time: start + (position.heardAt - settings.startedAt), timeValidity: .none, receivedAt: position.heardAt,
      coordinate: position.coordinate, horizontalRadius68: position.radius68, kind: .estimated,
      technologies: .wifi)
  }

  /// Tells the radio what is wanted of it, where that has changed.
  mutating func askWiFi(_ actions: inout [Action]) {
    guard wifi != .absent else { return }
    let isWanted = works.contains { !$0.watchesSky } || planner.plan.wifiPeriod != nil
    // A request for one fix is over before anything is learnt.
    let learning = works.contains(where: \.isStream) ? planner.learningPeriod : nil
    let wish = isWanted ? WiFiWish(period: planner.plan.wifiPeriod, learningPeriod: learning) : nil
    guard wish != wifiWish else { return }
    // Whoever asks first has it looked anew.
    if wifiWish == nil { wifi = .looking }
    wifiWish = wish
    actions.append(.listenToWiFi(wish))
  }

  /// Whether a position may still come from anywhere.
  var isPromising: Bool { hasPromisingReceiver || wifi.isPromising }
}
