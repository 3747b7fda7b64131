import GPSDServer
import Geodesy
import LinuxIO
import LocationIPC
import LocationdService

/// The server of a client at a TCP port.
protocol NetworkClientServer: AnyObject {
  /// The client needs something else from the service. Returns whether it is still the process that connected.
  func receive(_ updates: GPSDUpdates?, of client: NetworkClient) -> Bool
  /// Reads into a buffer that all clients share; calls `body` with the bytes.
  func read(_ stream: borrowing TCPConnection, _ body: (ArraySlice<UInt8>) -> Void) -> ReadResult
  /// The client is gone.
  func receiveEnd(of client: NetworkClient)
  /// Hands over to the service what clients need now, if that has changed.
  func settle()
}

/// One client of gpsd's protocol or of NMEA 0183: its connection, and the session that handles its bytes.
final class NetworkClient {
  let number: Int
  /// Whose socket the other end was when it connected; `nil`: that of another machine.
  let owner: SocketOwner?
  let member: ClientBounds.Member
  let connectedAt: Instant
  /// The requests that it shares with other programs of its user.
  let subscriber: NetworkSubscriber
  /// Where it has connected.
  let port: NetworkPort
  /// What it needs from the service; `nil`: nothing.
  private(set) var updates: GPSDUpdates?

  /// The size of the kernel's send buffer, for a slow client: some seconds of epochs.
  private static let sendBuffer = 16_384

  private let loop: EventLoop
  private let stream: TCPConnection
  private unowned let server: any NetworkClientServer
  /// One of them is the session.
  private var gpsd: GPSDSession?
  private var nmea: NMEASession?
  private var watch: WatchID?
  private var timer: EarliestTimer?
  private var isClosing = false

  init(
    _ number: Int, _ stream: consuming TCPConnection, of owner: SocketOwner?, _ member: ClientBounds.Member,
    _ subscriber: NetworkSubscriber, at port: NetworkPort, devices: GPSDDeviceList, loop: EventLoop,
    server: any NetworkClientServer
  ) throws(SystemError) {
    (self.number, self.owner, self.member, self.subscriber) = (number, owner, member, subscriber)
    (self.port, self.loop, self.server) = (port, loop, server)
    connectedAt = loop.now
    stream.prepare(sendBuffer: Self.sendBuffer)
    self.stream = stream
    switch subscriber.protocolName {
    case .gpsd:
      gpsd = GPSDSession(access: subscriber.access, devices: devices, isOfThisMachine: owner != nil, at: loop.now)
    case .nmea: nmea = NMEASession(access: subscriber.access, at: loop.now)
    }
    watch = try loop.watch(self.stream.descriptor) { [unowned self] in ready($0) }
  }

  /// Begins the session.
  func begin() { flush() }

  /// Whether it receives the fixes of that receiver; `nil`: those of the service.
  func needs(_ device: String?) -> Bool { updates.map { $0.device == device } ?? false }

  /// The forms in which it receives epochs now.
  var forms: GPSDForms { gpsd?.currentForms() ?? (subscriber.access.isGranted ? .nmea : []) }

  /// Whose socket the other end is now.
  func currentOwner(by diagnosis: borrowing SocketDiagnosis) throws(SocketOwnerError) -> SocketOwner {
    try diagnosis.owner(of: stream)
  }

  // MARK: - What the client receives

  func receive(_ access: GPSDAccess, clock: GNSSTime) {
    handle(.access(access), clock)
    handle(.access(access))
  }

  func receive(_ devices: GPSDDeviceList, clock: GNSSTime) { handle(.devices(devices), clock) }

  func receive(_ text: GPSDEpochText, clock: GNSSTime) {
    if gpsd != nil { handle(.epoch(text), clock) } else { handle(.epoch(text)) }
  }

  func lose(clock: GNSSTime) {
    handle(.lost, clock)
    handle(.lost)
  }

  func receive(raw bytes: [UInt8], of device: String, clock: GNSSTime) {
    guard updates?.raw == true else { return }
    handle(.raw(bytes, device: device), clock)
    pass()
  }

  func receive(_ mark: GPSDTimeMark, clock: GNSSTime) { handle(.mark(mark), clock) }

  /// Writes what is queued, as far as the client's socket accepts it.
  func flush() {
    var isBlocked = false
    var needs = needs()
    while watch != nil, !isBlocked, !needs.unsent.isEmpty {
      switch stream.write(needs.unsent) {
      case .written(let count): if gpsd != nil { handle(.sent(count), nil) } else { handle(.sent(count)) }
      case .wouldBlock: isBlocked = true
      case .failed: return end()
      }
      needs = self.needs()
    }
    guard let watch else { return }
    if isClosing { return end() }
    var interest: Interest = needs.isReading ? .readable : []
    if isBlocked { interest.insert(.writable) }
    loop.change(watch, to: interest)
    arm(for: needs.nextDeadline)
  }

  private func needs() -> (unsent: ArraySlice<UInt8>, isReading: Bool, nextDeadline: Instant?) {
    if let needs = gpsd?.currentNeeds() { return needs }
    guard let (unsent, nextDeadline) = nmea?.currentNeeds() else { return ([], true, nil) }
    return (unsent, true, nextDeadline)
  }

  /// Writes raw bytes before the service decodes them. A problem is left to the end of its turn (`flush`): the service is in its turn, and
  /// the client must not end within it.
  private func pass() {
    while watch != nil, case let unsent = needs().unsent, !unsent.isEmpty {
      guard case .written(let count) = stream.write(unsent) else { return }
      handle(.sent(count), nil)
    }
  }

  /// Closes the connection.
  func end() {
    guard let watch else { return }
    loop.unwatch(watch)
    self.watch = nil
    timer?.cancel()
    updates = nil
    server.receiveEnd(of: self)
  }

  // MARK: -

  private func ready(_ readiness: Readiness) {
    if readiness.readable || readiness.hangUp || readiness.error {
      let outcome = server.read(stream) { bytes in
        if gpsd != nil { handle(.received(Array(bytes)), nil) } else { handle(.received(Array(bytes))) }
      }
      switch outcome {
      case .bytes, .wouldBlock: break
      case .endOfFile, .failed: return finish()
      }
    }
    flush()
    server.settle()
  }

  /// The client has closed its sending direction; it may still be reading the answers.
  private func finish() {
    if !isClosing { flush() }
    end()
    server.settle()
  }

  private func wake() {
    handle(.wake, nil)
    handle(.wake)
    flush()
    server.settle()
  }

  /// - Parameter clock: the machine's clock, if the caller knows it.
  private func handle(_ input: GPSDSession.Input, _ clock: GNSSTime?) {
    guard watch != nil, let actions = gpsd?.handle(input, at: loop.now, clock: clock ?? WallClock.now()) else { return }
    for action in actions {
      switch action {
      case .startUpdates(let updates): need(updates)
      case .stopUpdates: need(nil)
      case .close: isClosing = true
      }
    }
  }

  private func handle(_ input: NMEASession.Input) {
    guard watch != nil, nmea != nil else { return }
    if nmea?.handle(input, at: loop.now) != nil { isClosing = true }
    let isReading = !isClosing && nmea?.needsUpdates == true
    need(isReading ? GPSDUpdates(device: nil, satellites: subscriber.access == .full, raw: false, marks: false) : nil)
  }

  private func need(_ updates: GPSDUpdates?) {
    guard updates != self.updates else { return }
    self.updates = updates
    if !server.receive(updates, of: self) { isClosing = true }
  }

  private func arm(for deadline: Instant?) {
    guard let deadline else {
      timer?.cancel()
      return
    }
    if timer == nil { timer = EarliestTimer(loop) { [unowned self] in wake() } }
    timer?.arm(for: deadline)
  }
}
