import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy

/// What the receivers report, and what is stored of it.
extension ServiceCore {
  mutating func execute(
    _ said: [ReceiverSession.Action], of index: Int, at now: Instant, _ actions: inout [Action]
  ) {
    let id = links[index].id
    let path = links[index].detectedDevice.path
    for action in said {
      switch action {
      case .setSpeed(let baud): actions.append(.setSpeed(id, baud: baud))
      case .write(let bytes): actions.append(.write(id, bytes))
      case .epoch(let epoch):
        if epoch.stage == .complete { report(.epoch(epoch), of: index, &actions) }
        receive(epoch, of: index, at: now, &actions)
      case .leapSeconds(let leap): report(.leapSeconds(leap), of: index, &actions)
      case .nextPulse(let pulse): report(.nextPulse(pulse), of: index, &actions)
      case .identified(let identity):
        links[index].identity = identity
        let detectedDevice = links[index].detectedDevice
        if !detectedDevice.isSimulated, memory.remember(RememberedReceiver(identity), of: detectedDevice.id) {
          actions.append(.remember)
        }
      case .speedFound(let baud):
        links[index].failures = 0
        if links[index].receivedNothing != nil {
          links[index].receivedNothing = nil
          notifySourceAvailability(at: now, &actions)
        }
        if links[index].detectedDevice.hasLineSpeed, memory.remember(speed: baud, of: links[index].detectedDevice.id) {
          actions.append(.remember)
        }
      case .stateChanged(let state):
        links[index].state = state
        if case .probing(let baud) = state {
          sendProgress(.listening(path: path, baud: links[index].detectedDevice.showsBaud ? baud : nil), &actions)
        }
        if state == .silent {
          _ = planner.handle(.satellites(radius68: nil), at: now)
          askWiFi(&actions)
        }
      case .nothingReceived(let bytes, let speeds):
        links[index].receivedNothing = ReceiverLink.FailedProbe(bytes: bytes, speeds: speeds)
        failIfNoSource(at: now, &actions)
      case .recall(let key):
        if let key { actions.append(.recall(id, key)) } else { help(id, with: nil, at: now, &actions) }
      case .storeAssistance(let data): actions.append(.keep(data))
      case .recallSettings(let key): recallSettings(key, of: index, at: now, &actions)
      case .persistRestore(let key, let settings): actions.append(.keepSettings(key, settings))
      case .released(let count):
        guard links[index].releaseEnd != nil else { break }
        close(index, leaving: count, &actions)
      case .reopen:
        actions.append(.close(id))
        links[index].failedToOpen(.cannotOpen(.vanished), at: now)
        notifySourceAvailability(at: now, &actions)
      }
    }
  }

  mutating func receive(_ epoch: GNSSEpoch, of index: Int, at now: Instant, _ actions: inout [Action]) {
    let id = links[index].id
    if epoch.stage == .complete {
      links[index].hasFix = epoch.fix != nil
      links[index].failures = 0
      links[index].satellites = (epoch.fix?.satellitesUsed ?? epoch.sky.used, epoch.sky.inView)
      _ = planner.handle(.satellites(radius68: epoch.fix?.horizontalRadius68), at: now)
      sendSky(epoch, of: index, at: now, &actions)
      if epoch.fix == nil {
        let sky = epoch.sky
        sendProgress(
          .searching(path: links[index].detectedDevice.path, satellitesInView: sky.inView, satellitesUsed: sky.used),
          &actions
        )
        let believed = fused.predict(id, at: now)
        let path = links[index].detectedDevice.path
        forEachWork(at: now, &actions) { work in
          guard work.device ?? path == path else { return [] }
          return work.noFix(received: sky.received ?? sky.inView, believed: believed, at: now)
        }
      }
    }
    guard let fix = epoch.fix else { return }
    let path = links[index].detectedDevice.path
    let hasOthers = links.count > 1
    let rank = preferences.rank(of: links[index].detectedDevice.name)
    let patience = preferences.failoverAfter
    let isStreamed =
      epoch.stage == .complete && arbiter.accepts(fix, from: id, rank: rank, failoverAfter: patience, at: now)
    // A receiver that comes later in the order answers no requests while an earlier one has fixes.
    let isExcluded = arbiter.excludes(id, rank: rank, failoverAfter: patience, at: now)
    let reported = isStreamed ? fuse(fix, from: id, at: now) : fix
    if epoch.stage == .complete, !isExcluded { keep(reported, isTracked: epoch.isTracked, &actions) }
    if isStreamed { sendMonitoringFix(reported, received: fix, at: now, &actions) }
    if isStreamed, wifi != .absent, reported.qualityFlag == nil, !reported.isSimulated {
      actions.append(.learnPlaces(reported))
    }
    forEachWork(at: now, &actions) { work in
      guard let device = work.device else {
        return isExcluded ? [] : work.receive(reported, raw: fix, epoch: epoch, isStreamed: isStreamed, at: now)
      }
      guard device == path else { return [] }
      // A fused fix may include data of other receivers.
      return work.receive(
        hasOthers ? fix : reported, raw: fix, epoch: epoch, isStreamed: epoch.stage == .complete, at: now)
    }
    if isBusy, epoch.stage == .complete {
      sendProgress(.converging(radius68Meters: fix.horizontalRadius68.value), &actions)
    }
  }

  private mutating func fuse(_ fix: PositionFix, from id: LinkID, at now: Instant) -> PositionFix {
    let fused = fused
    let before = fused.motion
    let reported = fused.fuse(fix, from: id, at: now)
    if fused.motion != before { _ = planner.handle(.speedBound(fused.speedBound), at: now) }
    return reported
  }

  /// A clock within this error agrees with a receiver, whose data takes up to a second to arrive.
  static let agreement: Duration = .seconds(2)

  /// Keeps the latest credible fix for the next request and the next run.
  mutating func keep(_ fix: PositionFix, isTracked: Bool, _ actions: inout [Action]) {
    guard fix.qualityFlag == nil else { return }
    latest = (fix, isTracked)
    guard !fix.isSimulated else { return }
    if isPlausible(fix.time) {
      (memory.lastFix, memory.lastFixSource, memory.isLastFixTracked) = (fix, settings.source, isTracked)
    }
    // A sender in a network could set the bound of all later times.
    if fix.timeValidity == .confirmed, !fix.technologies.contains(.network), isPlausible(fix.time) {
      memory.lastGoodTime = max(fix.time, memory.lastGoodTime ?? fix.time)
      if let clock = settings.wallClock, let bootID = settings.bootID {
        let ahead = clock + (fix.receivedAt - settings.startedAt) - fix.time
        let agrees = ahead > .zero - Self.agreement && ahead < Self.agreement
        memory.agreedBootID = agrees ? bootID : nil
      }
    }
    actions.append(.remember)
  }

  /// Whether a time may become the lower bound of later times: a jammed receiver's year 2050 must not. The time must be less than a
  /// day after the machine's clock or, if that cannot be trusted, less than ten years after the date that is certainly past.
  func isPlausible(_ time: GNSSTime) -> Bool {
    if let wallClock = settings.wallClock {
      return time - (wallClock + (present - settings.startedAt)) < .seconds(86_400)
    }
    guard let floor = settings.eraFloor, let date = time.date else { return false }
    return date.daysSince1970 - floor.daysSince1970 < 3652
  }

  /// The last known fix of this run or of an earlier one; without a clock, the age of an earlier one is unknown, and it is not
  /// returned.
  ///
  /// - Parameter device: path of the receiver that must have produced it; `nil`: any receiver.
  func lastKnown(of device: String? = nil) -> (fix: PositionFix, age: Duration)? {
    if let fix = latest?.fix, device == nil || fix.device == device { return (fix, fix.age(at: present)) }
    guard var fix = remembered(of: device), let wallClock = settings.wallClock else { return nil }
    let age = max(.zero, wallClock + (present - settings.startedAt) - fix.time)
    // Its `receivedAt` belongs to the clock of another run; with the same age on this one, its radius grows in the same way.
    fix.receivedAt = present - age
    return (fix, age)
  }

  /// The fix of an earlier run, or of another process, if it may answer here.
  private func remembered(of device: String?) -> PositionFix? {
    guard let fix = memory.lastFix else { return nil }
    if let device { return fix.device == device ? fix : nil }
    guard let named = settings.namedSource else { return fix }
    return named.produced(fix, of: memory.lastFixSource) ? fix : nil
  }

  /// Another process has released a port that was waited for: what it remembered may be enough for a request for one fix.
  mutating func takeRemembered(_ other: ServiceMemory, at now: Instant, _ actions: inout [Action]) {
    memory.merge(other)
    guard latest == nil else { return }
    let isTracked = memory.isLastFixTracked
    let fixes = Set(works.map(\.device)).reduce(into: [String?: PositionFix]()) { $0[$1] = newest(of: $1)?.fix }
    forEachWork(at: now, &actions) { work in
      guard let fix = fixes[work.device] else { return [] }
      return work.receive(remembered: fix, isTracked: isTracked, at: now)
    }
  }
}
