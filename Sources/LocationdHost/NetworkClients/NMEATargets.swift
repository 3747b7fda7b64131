import GPSDServer
import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import NetworkSources

/// Addresses to which NMEA 0183 is sent in datagrams. Each is a client of the service with an authorization of its own, which the settings
/// grant and an administrator can revoke.
package final class NMEATargets {
  private let loop: EventLoop
  private unowned let host: any NetworkServerHost
  private var targets: [ClientID: NMEATarget] = [:]
  private var nextNumber = 1
  private var encoder = GPSDEpochEncoder(access: .full)
  /// Targets that have received something in this turn of the service.
  private var changed: Set<ClientID> = []

  package init(loop: EventLoop, host: any NetworkServerHost) { (self.loop, self.host) = (loop, host) }

  package var isUnused: Bool { targets.isEmpty }

  /// Sends to exactly these targets from now on.
  package func send(to wanted: [DatagramTarget]) {
    for (id, target) in targets where !wanted.contains(target.target) {
      targets[id] = nil
      target.end()
      host.leave(id)
    }
    for target in wanted where !targets.values.contains(where: { $0.target == target }) {
      let id = ClientID.target(nextNumber)
      nextNumber += 1
      targets[id] = NMEATarget(id, target, loop: loop, host: host)
      host.arrive(id, at: target)
      host.send([.authorization(NMEATarget.authorizationRequest, .watch)], from: id)
    }
  }

  /// Handles an event of the service for one of the targets.
  package func receive(_ event: ServiceEvent, for id: ClientID) {
    if targets[id]?.receive(event) == true { changed.insert(id) }
  }

  /// Sends what the service's turn has brought.
  package func flush() {
    guard !changed.isEmpty else { return }
    while let id = changed.popFirst() { targets[id]?.flush(&encoder) }
  }

  /// Adds the targets to the service's status.
  package func describe(_ status: inout ServiceStatus) {
    for (id, target) in targets.sorted(by: { $0.key < $1.key }) {
      var description = ClientStatus(name: target.target.text)
      description.port = .nmea
      (description.streams, description.skies) = target.isReading ? (1, 1) : (0, 0)
      host.describe(id, &description)
      status.clients.append(description)
    }
  }

  package func end() { send(to: []) }
}

/// One address to which NMEA 0183 is sent.
final class NMEATarget {
  let target: DatagramTarget
  /// The request that receives every change of the authorization.
  static let authorizationRequest = RequestID(1)
  private static let (fixes, satellites) = (RequestID(2), RequestID(3))

  private let id: ClientID
  private let loop: EventLoop
  private unowned let host: any NetworkServerHost
  /// Exists while the target has exact access.
  private var session: NMEASession?
  private var link: LastingLink?
  private lazy var timer = EarliestTimer(loop) { [unowned self] in wake() }
  /// Whether fixes and satellites are requested.
  private(set) var isReading = false
  private var isSettling = false
  /// What this turn has brought.
  private var (fix, sky): (PositionFix?, SkyReport?) = (nil, nil)
  private var isLost = false

  init(_ id: ClientID, _ target: DatagramTarget, loop: EventLoop, host: any NetworkServerHost) {
    (self.id, self.target, self.loop, self.host) = (id, target, loop, host)
  }

  /// Handles an event of the service. Returns whether there may be something to send.
  func receive(_ event: ServiceEvent) -> Bool {
    switch event {
    case .authorization(Self.authorizationRequest, .state(let state)): change(GPSDAccess(state.authorization) == .full)
    case .update(Self.fixes, let fix, _): (self.fix, isLost) = (fix, false)
    case .sky(Self.satellites, let report): sky = report
    case .streamChanged(Self.fixes, .lost), .streamChanged(Self.fixes, .suspended), .streamChanged(Self.fixes, .paused):
      (fix, isLost) = (nil, true)
    case .failed(let request, _):
      // Both are requested again when the session repeats that there is no position.
      guard request == Self.fixes || request == Self.satellites else { return false }
      (fix, isLost, isReading) = (nil, true, false)
    default: return false
    }
    return true
  }

  /// Sends what the turn has brought.
  func flush(_ encoder: inout GPSDEpochEncoder) {
    defer { (fix, sky, isLost) = (nil, nil, false) }
    guard session != nil else { return }
    let isWithoutFix = fix == nil && sky != nil && sky?.fix == nil
    if isLost { _ = session?.handle(.lost, at: loop.now) }
    if fix != nil || isWithoutFix {
      let epoch = GPSDEpoch(fix: fix, sky: sky?.device == fix?.device || fix == nil ? sky : nil, deliveredAt: loop.now)
      let text = encoder.text(epoch, .nmea, devices: GPSDDeviceList(), at: loop.now)
      _ = session?.handle(.epoch(text), at: loop.now)
    }
    transmit()
  }

  /// Ends sending; the service forgets the requests when the client leaves.
  func end() {
    stop()
    isReading = false
  }

  private func change(_ hasAccess: Bool) {
    guard hasAccess != (session != nil) else { return }
    if hasAccess {
      session = NMEASession(access: .full, at: loop.now)
      open()
      arm()
    } else {
      stop()
    }
    settleSoon()
  }

  private func stop() {
    (session, fix, sky, isLost) = (nil, nil, nil, false)
    link?.close()
    link = nil
    timer.cancel()
  }

  private func open() {
    link = LastingLink(loop: loop, .send(target)) { [unowned self] event in
      switch event {
      case .connected: host.receive(.sending(to: target))
      case .ended: host.receive(.cannotSend(to: target))
      case .received, .dropped, .accepted: break
      }
    }
  }

  private func wake() {
    _ = session?.handle(.wake, at: loop.now)
    transmit()
    settleSoon()
  }

  /// Each datagram has whole sentences. What the helper cannot take now is dropped: the next epoch replaces it.
  private func transmit() {
    guard let bytes = session.map({ Array($0.unsent) }) else { return }
    for part in NMEADatagrams.parts(of: bytes) { link?.link?.send(Array(part)) }
    _ = session?.handle(.sent(bytes.count), at: loop.now)
    arm()
  }

  private func arm() {
    if let deadline = session?.nextDeadline { timer.arm(for: deadline) } else { timer.cancel() }
  }

  /// The service may be in its turn: what the target needs now follows after it.
  private func settleSoon() {
    guard !isSettling else { return }
    isSettling = true
    loop.schedule(at: loop.now) { [weak self] in self?.settle() }
  }

  private func settle() {
    isSettling = false
    let isNeeded = session?.needsUpdates == true
    guard isNeeded != isReading else { return }
    isReading = isNeeded
    guard isNeeded else { return host.send([.cancel(Self.fixes), .cancel(Self.satellites)], from: id) }
    let options = UpdateOptions(waitsForSource: true, setsReceivers: false)
    // One of them may have failed alone.
    host.send([.cancel(Self.fixes), .cancel(Self.satellites)], from: id)
    host.send([.startUpdates(Self.fixes, options), .watchSky(Self.satellites, waitsForSource: true)], from: id)
  }
}
