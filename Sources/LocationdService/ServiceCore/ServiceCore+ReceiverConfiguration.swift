import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy

/// How receivers are configured while they are open, and how their own settings are restored.
extension ServiceCore {
  /// The longest wait for a receiver's settings to be restored: the receiver may be gone.
  static let longestRelease: Duration = .seconds(6)

  /// The combined requirement of all streams; `nil`: no stream has one, and no receiver is configured.
  var requestedConfiguration: ReceiverConfigurationRequest? {
    var requestedConfiguration: ReceiverConfigurationRequest?
    for index in works.indices {
      guard let own = works[index].requestedConfiguration else { continue }
      requestedConfiguration = requestedConfiguration?.joined(with: own) ?? own
    }
    if requestedConfiguration?.dynamicModel == .sea, !isAtSeaLevel { requestedConfiguration?.dynamicModel = .portable }
    if corrections != nil { requestedConfiguration?.takesCorrections = true }
    if case .sparing(let period) = planner.plan.satellites, !isTiming { requestedConfiguration?.sparingPeriod = period }
    return requestedConfiguration
  }

  /// The sea model assumes sea level, and with it a u-blox reports no position above 500 m (UBX-13003221, "Platform settings"): a
  /// vessel on a mountain lake must not get it. A receiver gets the sea model below 200 m, and loses it above 400 m.
  private var isAtSeaLevel: Bool {
    guard let height = lastKnown()?.fix.heightAboveMeanSeaLevel?.value else { return false }
    let isSet = links.contains { $0.requestedConfiguration?.dynamicModel == .sea }
    return height < (isSet ? 400 : 200)
  }

  /// Sends the open receivers the requirement, if it has changed.
  mutating func sendConfigurationRequest(at now: Instant, _ actions: inout [Action]) {
    let requestedConfiguration = requestedConfiguration
    for index in links.indices {
      guard case .open = links[index].port, links[index].releaseEnd == nil,
        links[index].requestedConfiguration != requestedConfiguration
      else { continue }
      links[index].requestedConfiguration = requestedConfiguration
      let said = links[index].withSession { $0.handle(.configure(requestedConfiguration), at: now) }
      execute(said, of: index, at: now, &actions)
    }
  }

  /// Closes a port once its receiver's settings are restored; that may be now.
  mutating func release(_ index: Int, at now: Instant, _ actions: inout [Action]) {
    guard links[index].releaseEnd == nil else { return }
    links[index].releaseEnd = now + Self.longestRelease
    let said = links[index].withSession { $0.handle(.release, at: now) }
    execute(said, of: index, at: now, &actions)
  }

  /// Keeps a port open that was about to be closed, because it is needed again.
  mutating func keepOpen(_ index: Int, at now: Instant, _ actions: inout [Action]) {
    guard links[index].releaseEnd != nil else { return }
    links[index].releaseEnd = nil
    links[index].requestedConfiguration = requestedConfiguration
    let said = links[index].withSession { [requestedConfiguration] in
      $0.handle(.configure(requestedConfiguration), at: now)
    }
    execute(said, of: index, at: now, &actions)
  }

  /// Closes the ports whose receivers' settings could not be restored in time.
  mutating func closeReleased(at now: Instant, _ actions: inout [Action]) {
    for index in links.indices {
      guard let end = links[index].releaseEnd, now >= end else { continue }
      close(index, leaving: links[index].pendingRestoreCount, &actions)
    }
  }

  /// Closes a port whose receiver's settings are restored, except for `count` of them.
  mutating func close(_ index: Int, leaving count: Int, _ actions: inout [Action]) {
    links[index].releaseEnd = nil
    links[index].port = .closed
    actions.append(.close(links[index].id))
    if count > 0 { actions.append(.leftChanged(path: links[index].detectedDevice.path, settings: count)) }
  }

  /// Finds the earlier settings to restore: those that this service remembers, otherwise the saved ones.
  mutating func recallSettings(
    _ key: ReceiverKey?, of index: Int, at now: Instant, _ actions: inout [Action]
  ) {
    let id = links[index].id
    if let key, links[index].savedConfiguration == nil { return actions.append(.recallSettings(id, key)) }
    restore(links[index].savedConfiguration, on: id, at: now, &actions)
  }

  mutating func restore(
    _ settings: SavedReceiverConfiguration?, on id: LinkID, at now: Instant, _ actions: inout [Action]
  ) {
    guard let index = index(of: id) else { return }
    links[index].savedConfiguration = nil
    let said = links[index].withSession { $0.handle(.restore(settings), at: now) }
    execute(said, of: index, at: now, &actions)
  }

  /// Sends aiding data to a receiver: satellite data, its approximate position and the time.
  mutating func help(_ id: LinkID, with data: AssistanceData?, at now: Instant, _ actions: inout [Action]) {
    guard let index = index(of: id) else { return }
    var help = ReceiverAssistance()
    help.data = data
    // The clock is used only if it is synchronized (its error is known), or if a receiver has confirmed it since power-on.
    let isAgreed = settings.bootID != nil && settings.bootID == memory.agreedBootID
    if let clock = settings.wallClock, let error = settings.wallClockError ?? (isAgreed ? Self.agreement : nil) {
      help.utc = clock + (now - settings.startedAt)
      help.utcError = error
    }
    if let (fix, age) = lastKnown(), fix.qualityFlag == nil, !fix.isSimulated || links[index].detectedDevice.isSimulated
    {
      help.place = AssistancePosition(fix, age: age)
    }
    let said = links[index].withSession { $0.handle(.help(help), at: now) }
    execute(said, of: index, at: now, &actions)
  }

  /// Whether a receiver's settings are being restored before its port is closed.
  package var isReleasing: Bool { links.contains { $0.releaseEnd != nil } }
}
