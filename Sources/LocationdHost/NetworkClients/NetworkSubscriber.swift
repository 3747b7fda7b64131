import GPSDServer
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationReplay
import NetworkSources

/// Programs of one user, in one control group, or of one other machine, that speak one protocol: for the service they are one client, which has the requests of
/// all of them. So the cost of an epoch, and the memory, hardly grow with the number of programs.
final class NetworkSubscriber {
  /// What its programs have in common.
  struct Key: Hashable {
    var peer: Peer
    var protocolName: NetworkProtocol
  }

  enum Peer: Hashable {
    case process(PeerProcess)
    /// Another machine, of which nothing but the address is known.
    case machine(IPAddress)
  }

  /// What one of its requests is for.
  private enum Purpose: Hashable {
    /// Fixes of that receiver; `nil`: of the service.
    case fixes(device: String?)
    case satellites
    case raw
  }

  let id: ClientID
  let key: Key
  private(set) var clients: [NetworkClient] = []
  private(set) var access = GPSDAccess.undecided
  /// Whether the server will flush it at the end of the turn.
  var isUnflushed = false

  private var requests: [Purpose: RequestID] = [:]
  private var purposes: [RequestID: Purpose] = [:]
  /// Requests that the service has refused, until the access changes.
  private var refused: Set<Purpose> = []
  private var nextRequest: UInt32 = 2
  private var presence: ClientPresence?
  /// The request that receives every change of the authorization.
  static let authorizationRequest = RequestID(1)

  /// Epochs that are not sent yet, by the device that their clients requested.
  private var epochs: [(device: String?, epoch: GPSDEpoch)] = []
  /// The satellites of this turn, by device.
  private var skies: [SkyReport] = []
  /// The receiver of the last fix.
  private var device: String?
  private var capture = CaptureReader()
  private var captured: [Int: String] = [:]

  init(_ id: ClientID, _ key: Key) { (self.id, self.key) = (id, key) }

  var protocolName: NetworkProtocol { key.protocolName }

  /// The user of its programs; `nil`: they run on another machine.
  var userID: UInt32? { if case .process(let process) = key.peer { process.credentials.userID } else { nil } }

  func add(_ client: NetworkClient) { clients.append(client) }

  func remove(_ client: NetworkClient) { clients.removeAll { $0 === client } }

  // MARK: - Requests

  /// The requests to send to the service so that it has what the clients need now.
  func settle() -> [ClientRequest] {
    var wanted: Set<Purpose> = []
    for updates in clients.lazy.compactMap(\.updates) {
      wanted.insert(.fixes(device: updates.device))
      if updates.satellites { wanted.insert(.satellites) }
      if updates.raw { wanted.insert(.raw) }
    }
    refused.formIntersection(wanted)
    var sent: [ClientRequest] = []
    // New requests come first, so that no receiver is closed and opened again.
    for purpose in wanted where requests[purpose] == nil && !refused.contains(purpose) {
      let number = RequestID(nextRequest)
      nextRequest = max(2, (nextRequest &+ 1) & 0x3FFF_FFFF)
      (requests[purpose], purposes[number]) = (number, purpose)
      sent.append(Self.request(purpose, number))
    }
    for (purpose, number) in requests where !wanted.contains(purpose) {
      forget(number)
      sent.append(.cancel(number))
    }
    return sent
  }

  private static func request(_ purpose: Purpose, _ number: RequestID) -> ClientRequest {
    switch purpose {
    case .fixes(let device):
      var options = UpdateOptions(waitsForSource: true, setsReceivers: false)
      options.device = device
      return .startUpdates(number, options)
    case .satellites: return .watchSky(number, waitsForSource: true)
    case .raw: return .listenIn(number)
    }
  }

  private func forget(_ number: RequestID) {
    guard let purpose = purposes.removeValue(forKey: number) else { return }
    requests[purpose] = nil
    if purpose == .raw { (capture, captured) = (CaptureReader(), [:]) }
  }

  // MARK: - Events

  /// Handles an event of the service. Returns whether there is something to write or to settle.
  func receive(_ event: ServiceEvent, at now: Instant) -> Bool {
    switch event {
    case .authorization(Self.authorizationRequest, .state(let state)): return receive(state)
    case .update(let request, let fix, _):
      guard case .fixes(let wanted)? = purposes[request] else { return false }
      device = fix.device
      let sky = skies.first { $0.device == fix.device }
      epochs.append((wanted, GPSDEpoch(fix: fix, sky: sky, deliveredAt: now)))
    case .sky(let request, let report):
      // The satellites would show more than a reduced position.
      guard purposes[request] == .satellites, access == .full else { return false }
      skies.removeAll { $0.device == report.device }
      skies.append(report)
    case .streamChanged(let request, let change):
      guard case .fixes(let wanted)? = purposes[request] else { return false }
      switch change {
      case .lost, .suspended, .paused: lose(wanted)
      case .back, .resumed, .unpaused: return false
      }
    case .failed(let request, _):
      guard let purpose = purposes[request] else { return false }
      forget(request)
      refused.insert(purpose)
      if case .fixes(let wanted) = purpose { lose(wanted) }
    case .received(let request, let bytes):
      guard purposes[request] == .raw else { return false }
      passRaw(bytes)
    // It never defers its updates.
    case .located, .progress, .devices, .done, .status, .log, .authorization, .wifi, .monitoring, .fleet, .places,
      .batch:
      return false
    }
    return true
  }

  private func receive(_ state: AuthorizationState) -> Bool {
    let new = GPSDAccess(state.authorization)
    guard new != access || state.presence != presence else { return false }
    (access, presence) = (new, state.presence)
    refused = []
    // Nothing that was meant for other access is sent any more.
    (epochs, skies) = ([], [])
    let clock = WallClock.now()
    for client in clients { client.receive(access, clock: clock) }
    return true
  }

  private func lose(_ device: String?) {
    epochs.removeAll { $0.device == device }
    let clock = WallClock.now()
    for client in clients where client.needs(device) { client.lose(clock: clock) }
  }

  private func passRaw(_ bytes: [UInt8]) {
    capture.push(bytes.span)
    let clock = WallClock.now()
    while let record = try? capture.next() {
      switch record.event {
      case .device(let device): captured[record.source] = device.path
      case .bytes(let bytes):
        guard let device = captured[record.source] else { continue }
        for client in clients { client.receive(raw: bytes, of: device, clock: clock) }
      case .gone: captured[record.source] = nil
      case .start, .speed, .scan: break
      }
    }
  }

  // MARK: - Epochs

  /// Writes what the turn has brought: each epoch once, encoded for all clients together.
  func flush(_ encoder: inout GPSDEpochEncoder, devices: GPSDDeviceList, at now: Instant, clock: GNSSTime) {
    addEpochsWithoutFix(at: now)
    for (device, epoch) in epochs {
      var forms: GPSDForms = []
      for client in clients where client.needs(device) { forms.formUnion(client.forms) }
      guard !forms.isEmpty else { continue }
      let text = encoder.text(epoch, forms, devices: devices, at: now)
      for client in clients where client.needs(device) { client.receive(text, clock: clock) }
    }
    epochs.removeAll(keepingCapacity: true)
    skies.removeAll(keepingCapacity: true)
    // A client may end meanwhile.
    for client in clients { client.flush() }
  }

  /// A receiver that has reported satellites and no fix has no position now.
  private func addEpochsWithoutFix(at now: Instant) {
    for sky in skies where sky.fix == nil {
      for case .fixes(let wanted) in requests.keys where !epochs.contains(where: { $0.device == wanted }) {
        guard (wanted ?? device ?? sky.device) == sky.device else { continue }
        epochs.append((wanted, GPSDEpoch(fix: nil, sky: sky, deliveredAt: now)))
      }
    }
  }
}

extension GPSDAccess {
  /// What a program may receive. Whether it receives it now, in the background, is decided by the access control, which withholds events.
  init(_ authorization: Authorization) {
    guard !authorization.isOffForAll else {
      self = .denied
      return
    }
    switch authorization.level {
    case .notDetermined: self = .undecided
    case .denied, .restricted: self = .denied
    case .whenInUse, .always: self = authorization.isReduced ? .reduced : .full
    }
  }
}
