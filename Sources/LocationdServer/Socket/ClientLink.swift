import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdService

/// The server of a client's link.
protocol ClientLinkServer: AnyObject {
  func receive(_ event: ClientLink.Event, from link: ClientLink)
  /// Handles together all messages of one read, which `body` passes on.
  func batch(of link: ClientLink, _ body: () -> Void)
  /// The time until which the requests of the client's user are not read; `nil` if they are read now.
  func pauseEnd(of link: ClientLink) -> Instant?
}

/// One client of the daemon: its socket, and the session state machine that handles its bytes.
final class ClientLink {
  enum Event {
    case greeted(ClientHello)
    case request(ClientRequest)
    /// The client sends no more requests, and pending ones are canceled.
    case gone(reason: DisconnectReason?)
    /// The link can be removed.
    case closed
  }

  let id: ClientID
  let peer: PeerCredentials?
  /// The kernel's handle to the client's process, until `takePeer`.
  private var connectedPeer: ConnectedPeer?
  let connectedAt: Instant
  /// The rank of the client's user, for the connection limits.
  var member = ClientBounds.Member(.untrusted, userID: nil)
  /// Whether the server will flush it at the end of the turn.
  var isUnflushed = false
  /// When the client last sent anything.
  private(set) var receivedAt: Instant
  private(set) var hello: ClientHello?

  /// The size of the kernel's send buffer for a slow client: some seconds of fixes.
  private static let sendBuffer = 16_384
  /// The size for a client that defers its updates: all that is held for it is one write, which wakes it once.
  private static let batchBuffer = 98_304

  private static let failurePause: Duration = .milliseconds(250)

  private let loop: EventLoop
  private let stream: UnixStream
  private var session: ServerSession
  private unowned let server: any ClientLinkServer
  private var watch: WatchID?
  private lazy var timer = EarliestTimer(loop) { [unowned self] in
    handle(.wake)
    flush()
  }
  private var isGone = false
  /// Whether the send buffer is large enough for deferred updates.
  private var takesBatches = false

  init(
    _ id: ClientID, _ stream: consuming UnixStream, loop: EventLoop, session: ServerSession,
    server: any ClientLinkServer
  ) {
    self.id = id
    self.loop = loop
    self.session = session
    self.server = server
    connectedAt = loop.now
    receivedAt = loop.now
    connectedPeer = try? ConnectedPeer(stream)
    peer = stream.peer
    stream.limitSendBuffer(Self.sendBuffer)
    self.stream = stream
  }

  /// Whether the client has sent its hello, has no request in progress, and has received everything that was sent to it.
  var isIdle: Bool { session.isIdle && session.isSettled }

  /// Sets the rank of the client's user from `access`; a client without kernel credentials stays untrusted.
  func rank(by access: AccessControl) {
    guard let peer = connectedPeer.take() else { return }
    member = access.member(peer)
    connectedPeer = consume peer
  }

  /// Closes the connection without a message: the client reconnects when it has a request.
  func close() { end() }

  /// Passes on the handle to the client's process.
  func takePeer() -> ConnectedPeer? { connectedPeer.take() }

  /// Starts to read from the client.
  func begin() throws(SystemError) {
    watch = try loop.watch(stream.descriptor) { [unowned self] in ready($0) }
    arm()
  }

  /// Queues an event for the client; `flush` writes it together with the others.
  func send(_ event: ServiceEvent) {
    if case .batch = event, !takesBatches {
      takesBatches = true
      stream.limitSendBuffer(Self.batchBuffer)
    }
    handle(.send(event))
    if case .failed = event, member.rank == .untrusted { pauseReading(until: loop.now + Self.failurePause) }
  }

  /// Disconnects the client, with the reason.
  func refuse(_ refusal: DisconnectReason) {
    handle(.refuse(refusal))
    flush()
  }

  /// Writes the queued events, as far as the client's socket accepts them.
  func flush() {
    while let watch, !session.isSettled {
      switch stream.write(session.unsent[...]) {
      case .written(let count): handle(.sent(count))
      case .wouldBlock: return loop.change(watch, to: [.readable, .writable])
      case .failed: return end()
      }
    }
    if let watch { loop.change(watch, to: .readable) }
    if session.isOver { end() }
  }

  // MARK: -

  private func handle(_ input: ServerSession.Input) {
    for action in session.handle(input, at: loop.now) {
      switch action {
      case .greeted(let hello):
        self.hello = hello
        server.receive(.greeted(hello), from: self)
      case .request(let request): server.receive(.request(request), from: self)
      case .disconnect(let refusal): leave(refusal)
      }
    }
    arm()
  }

  private func ready(_ readiness: Readiness) {
    if readiness.readable || readiness.hangUp || readiness.error {
      if let end = server.pauseEnd(of: self) { return pauseReading(until: end) }
      var buffer = [UInt8](repeating: 0, count: 4096)
      switch stream.read(into: &buffer) {
      case .bytes(let count):
        receivedAt = loop.now
        server.batch(of: self) { handle(.received(Array(buffer[..<count]))) }
      case .wouldBlock: break
      case .endOfFile, .failed: return end()
      }
    }
    flush()
  }

  /// Reads nothing from the client until `end`: after a failed request of a client without any grant, because a flood
  /// of refused requests must not take processor time from other clients, and while the client's user has used up the
  /// processor budget.
  private func pauseReading(until end: Instant) {
    guard let watch else { return }
    loop.pause(watch)
    loop.schedule(at: end) { [weak self] in
      guard let self, let watch = self.watch else { return }
      loop.resume(watch)
    }
  }

  private func leave(_ refusal: DisconnectReason?) {
    guard !isGone else { return }
    isGone = true
    server.receive(.gone(reason: refusal), from: self)
  }

  private func end() {
    guard let watch else { return }
    loop.unwatch(watch)
    self.watch = nil
    timer.cancel()
    leave(nil)
    server.receive(.closed, from: self)
  }

  private func arm() { if watch != nil { timer.arm(for: session.nextDeadline) } }
}
