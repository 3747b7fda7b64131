import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy

/// Which devices are present, and which of them are open.
extension ServiceCore {
  mutating func appeared(_ sighting: DeviceSighting, at now: Instant, _ actions: inout [Action]) {
    if let index = links.firstIndex(where: { $0.sighting.id == sighting.id }) {
      let old = links[index].sighting
      links[index].sighting = sighting
      if old.path != sighting.path || old.gpsd != sighting.gpsd {
        // The same receiver has another name, or gpsd has taken or released it: the old port is dead even if no error was reported
        // yet.
        if case .open = links[index].port { actions.append(.close(links[index].id)) }
        links[index].port = .closed
      } else if case .failed = links[index].port {
        links[index].port = .closed
      }
      links[index].failures = 0
    } else {
      guard links.count < Self.maximumDevices else { return }
      var link = ReceiverLink(id: LinkID(nextLinkID), sighting: sighting)
      if let note = memory.note(of: sighting.id) { link.identity = note.identity }
      links.append(link)
      nextLinkID += 1
    }
    openWanted(at: now, &actions)
    tellSources(at: now, &actions)
  }

  mutating func vanished(_ id: String, from path: String, at now: Instant, _ actions: inout [Action]) {
    guard let index = links.firstIndex(where: { $0.sighting.id == id && $0.sighting.path == path }) else { return }
    switch links[index].port {
    case .open, .waiting, .failed(.inUse, _): actions.append(.close(links[index].id))
    case .closed, .opening, .failed, .ended: break
    }
    arbiter.forget(links[index].id)
    links.remove(at: index)
    tellSources(at: now, &actions)
  }

  /// Opens ports that are needed, and closes ports that are not.
  mutating func openWanted(at now: Instant, _ actions: inout [Action]) {
    let isWanted = isBusy && planner.plan.satellites != .off
    for index in links.indices {
      switch links[index].port {
      case .closed where isWanted && links[index].isUsable:
        links[index].port = .opening
        actions.append(.open(links[index].id, links[index].sighting))
      case .open where !(isWanted && links[index].isUsable): release(index, at: now, &actions)
      case .open: keepOpen(index, at: now, &actions)
      case .waiting where !(isWanted && links[index].isUsable):
        actions.append(.close(links[index].id))
        links[index].port = .closed
      case .closed, .opening, .waiting, .failed, .ended: break
      }
    }
    tellWish(at: now, &actions)
    askWiFi(&actions)
  }

  /// A port that could not be opened for one request is tried again for the next: a permission may have been granted, or the port
  /// released.
  mutating func forgetFailures() {
    for index in links.indices {
      guard case .failed = links[index].port else { continue }
      links[index].port = .closed
      links[index].failures = 0
    }
  }

  mutating func opened(_ id: LinkID, baud: Int?, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id), case .opening = links[index].port else {
      actions.append(.close(id))
      return
    }
    var session = ReceiverSession(receiverSettings(for: links[index].sighting, at: now))
    let said = session.handle(.opened(baud: baud), at: now)
    links[index].port = .open(OpenReceiver(session))
    links[index].hasBeenOpen = true
    links[index].releaseEnd = nil
    links[index].wish = wish
    links[index].hasFix = false
    links[index].skyList = nil
    links[index].heardNothing = nil
    perform(said, of: index, at: now, &actions)
    tellSources(at: now, &actions)
    openWanted(at: now, &actions)
  }

  func receiverSettings(for sighting: DeviceSighting, at now: Instant) -> ReceiverSettings {
    var receiver = ReceiverSettings(device: sighting.path)
    receiver.identity = sighting.hasStableID ? sighting.id : nil
    receiver.lastGoodSpeed = sighting.namedSpeed ?? memory.likelySpeed(of: sighting.id)
    receiver.mayPoll = sighting.mayPoll
    receiver.wish = wish
    receiver.isUblox = sighting.usbVendorID == DeviceSighting.ubloxVendorID
    receiver.isSimulated = sighting.isSimulated
    receiver.hasLineSpeed = sighting.hasLineSpeed
    receiver.eraFloor = settings.eraFloor
    receiver.wallClock = settings.wallClock
    // A recording without a start date, as plain logs are.
    receiver.waitsForDate = sighting.recording != nil && settings.eraFloor == nil
    receiver.wallClockReadAt = settings.startedAt
    return receiver
  }

  mutating func openFailed(
    _ id: LinkID, _ problem: OpenProblem, at now: Instant, _ actions: inout [Action]
  ) {
    guard let index = index(of: id) else { return }
    switch problem {
    case .lockedByOwn(let pid):
      links[index].port = .waiting(holder: pid)
      tellProgress(.waitingForPort(path: links[index].sighting.path), &actions)
    case .cannotOpen(.vanished), .cannotOpen(.doesNotExist), .cannotOpen(.system):
      links[index].failedToOpen(problem, at: now)
    case .inUse, .permissionDenied, .cannotOpen:
      links[index].port = .failed(problem, retryAt: nil)
    }
    let hasBeenOpen = links[index].hasBeenOpen
    openWanted(at: now, &actions)
    tellSources(at: now, &actions)
    // A port that was never open was not unplugged, so the service does not wait for it.
    if !hasBeenOpen { failWithoutHope(at: now, &actions) }
  }

  mutating func closed(_ id: LinkID, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id) else { return }
    links[index].failedToOpen(.cannotOpen(.vanished), at: now)
    tellSources(at: now, &actions)
  }
}

/// Which sources run for the active requests.
extension ServiceCore {
  /// Plans the sources for the current requests.
  mutating func plan(at now: Instant) {
    let demands = works.map { $0.demand(isInBackground: background.contains($0.client)) }
    _ = planner.handle(.demands(demands), at: now)
  }
}
