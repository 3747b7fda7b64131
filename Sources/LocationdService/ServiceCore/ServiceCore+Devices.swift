import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy

/// Which devices are present, and which of them are open.
extension ServiceCore {
  mutating func appeared(_ device: DetectedDevice, at now: Instant, _ actions: inout [Action]) {
    var detectedDevice = device
    detectedDevice.name = preferences.name(of: device)
    if let index = links.firstIndex(where: { $0.detectedDevice.id == detectedDevice.id }) {
      let old = links[index].detectedDevice
      links[index].detectedDevice = detectedDevice
      if old.path != detectedDevice.path || old.gpsd != detectedDevice.gpsd {
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
      var link = ReceiverLink(id: LinkID(nextLinkID), detectedDevice: detectedDevice)
      if let note = memory.note(of: detectedDevice.id) { link.identity = note.identity }
      links.append(link)
      nextLinkID += 1
    }
    openWanted(at: now, &actions)
    notifySourceAvailability(at: now, &actions)
  }

  mutating func vanished(_ id: String, from path: String, at now: Instant, _ actions: inout [Action]) {
    guard let index = links.firstIndex(where: { $0.detectedDevice.id == id && $0.detectedDevice.path == path }) else {
      return
    }
    switch links[index].port {
    case .open, .waiting, .failed(.inUse, _): actions.append(.close(links[index].id))
    case .closed, .opening, .failed, .ended: break
    }
    arbiter.forget(links[index].id)
    links.remove(at: index)
    notifySourceAvailability(at: now, &actions)
  }

  /// Sets other names and another order, and chooses the receiver of the stream again.
  mutating func prefer(_ preferences: ReceiverPreferences) {
    self.preferences = preferences
    for index in links.indices {
      links[index].detectedDevice.name = preferences.name(of: links[index].detectedDevice)
    }
    arbiter.chooseAgain()
  }

  /// Opens ports that are needed, and closes ports that are not.
  mutating func openWanted(at now: Instant, _ actions: inout [Action]) {
    for index in links.indices {
      let isWanted = isWanted(index)
      switch links[index].port {
      case .closed where isWanted:
        links[index].port = .opening
        actions.append(.open(links[index].id, links[index].detectedDevice))
      case .open where !isWanted: release(index, at: now, &actions)
      case .open: keepOpen(index, at: now, &actions)
      case .waiting where !isWanted:
        actions.append(.close(links[index].id))
        links[index].port = .closed
      case .closed, .opening, .waiting, .failed, .ended: break
      }
    }
    sendConfigurationRequest(at: now, &actions)
    askWiFi(&actions)
  }

  /// A port that could not be opened for one request is tried again for the next: a permission may have been granted, or the port
  /// released.
  mutating func forgetFailures() {
    for index in links.indices {
      guard case .failed = links[index].port else { continue }
      links[index].port = .closed
      links[index].failures = 0
      links[index].absenceEnd = nil
    }
  }

  mutating func opened(_ id: LinkID, baud: Int?, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id), case .opening = links[index].port else {
      actions.append(.close(id))
      return
    }
    var session = ReceiverSession(receiverSettings(for: links[index].detectedDevice, at: now))
    let said = session.handle(.opened(baud: baud), at: now)
    links[index].port = .open(OpenReceiver(session))
    links[index].hasBeenOpen = true
    links[index].absenceEnd = nil
    links[index].releaseEnd = nil
    links[index].requestedConfiguration = requestedConfiguration
    links[index].hasFix = false
    links[index].skyList = nil
    links[index].receivedNothing = nil
    execute(said, of: index, at: now, &actions)
    notifySourceAvailability(at: now, &actions)
    openWanted(at: now, &actions)
  }

  func receiverSettings(for detectedDevice: DetectedDevice, at now: Instant) -> ReceiverSettings {
    var receiver = ReceiverSettings(device: detectedDevice.path)
    receiver.identity = detectedDevice.hasStableID ? detectedDevice.id : nil
    receiver.lastGoodSpeed = detectedDevice.namedSpeed ?? memory.likelySpeed(of: detectedDevice.id)
    receiver.mayPoll = detectedDevice.mayPoll
    receiver.requestedConfiguration = requestedConfiguration
    receiver.isUblox = detectedDevice.usbVendorID == DetectedDevice.ubloxVendorID
    receiver.isSimulated = detectedDevice.isSimulated
    receiver.isInNetwork = detectedDevice.network != nil || detectedDevice.gpsd.map { !$0.gpsd.isLocal } ?? false
    receiver.hasLineSpeed = detectedDevice.hasLineSpeed
    receiver.eraFloor = settings.eraFloor
    receiver.wallClock = settings.wallClock
    // A recording without a start date, as plain logs are.
    receiver.waitsForDate = detectedDevice.recording != nil && settings.eraFloor == nil
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
      sendProgress(.waitingForPort(path: links[index].detectedDevice.path), &actions)
    case .cannotOpen(.vanished), .cannotOpen(.doesNotExist), .cannotOpen(.system), .cannotOpen(.notConnected):
      links[index].failedToOpen(problem, at: now)
    case .inUse, .permissionDenied, .cannotOpen:
      links[index].port = .failed(problem, retryAt: nil)
    }
    let hasBeenOpen = links[index].hasBeenOpen
    openWanted(at: now, &actions)
    notifySourceAvailability(at: now, &actions)
    guard !hasBeenOpen else { return }
    // A port that was never open was not unplugged, so the service does not wait for it. One that does not exist may be that of a
    // receiver that was just plugged in.
    if problem == .cannotOpen(.doesNotExist), settings.expectsReceivers {
      guard let index = self.index(of: id) else { return }
      links[index].absenceEnd = links[index].absenceEnd ?? now + OneShot.enumerationTime
    } else {
      failIfNoSource(at: now, &actions)
    }
  }

  /// Ends the requests for ports that still do not exist.
  mutating func endAbsences(at now: Instant, _ actions: inout [Action]) {
    var isOver = false
    for index in links.indices {
      guard let end = links[index].absenceEnd, now >= end else { continue }
      links[index].absenceEnd = nil
      isOver = true
    }
    if isOver { failIfNoSource(at: now, &actions) }
  }

  mutating func closed(_ id: LinkID, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id) else { return }
    links[index].failedToOpen(.cannotOpen(.vanished), at: now)
    notifySourceAvailability(at: now, &actions)
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
