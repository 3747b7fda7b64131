import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdService

/// The daemon's socket: accepts clients, passes their requests to the service, and the service's events to the clients.
final class SocketServer {
  /// Maximum numbers of connections that are accepted, and that are only dropped, before other work is done. Dropping
  /// is so cheap that a queue full of dead connections need not delay those behind it.
  private static let (acceptsPerTurn, dropsPerTurn) = (32, 2048)
  /// A client without a grant that has no request in progress and has sent nothing for this time is disconnected.
  static let longestIdle: Duration = .seconds(180)
  /// After a peak of at least this many clients, their memory is returned to the system.
  private static let peak = 32

  private let loop: EventLoop
  private let listener: Listener
  private let access: AccessControl
  private let journal: DaemonJournal
  private let release: String
  private let limits: ServerSession.Limits
  private var watch: WatchID?
  private var links: [ClientID: ClientLink] = [:]
  /// Clients with events that are not written yet, once each.
  private var unflushed: [ClientLink] = []
  private var nextClient = 1
  private let bounds: ClientBounds
  private var idleTimer: TimerID?
  /// Users whose clients were disconnected because of what they sent, and the time until which new connections of these
  /// users are dropped: a client that could reconnect at once would evade the limit on messages.
  private var barred: [UInt32: ConnectionBan] = [:]
  /// Clients of users with a grant that were disconnected because of what they sent: their number, and the time of the
  /// first. One program that is faulty or of another version must not lock out the user's other programs.
  private var offenses: [UInt32: (count: Int, since: Instant)] = [:]
  private static let (offensesToBar, offenseTime) = (8, Duration.seconds(10))
  /// How long a user is barred.
  private static let barTime: Duration = .seconds(5)
  /// Maximum number of users in `barred` and in `offenses`.
  private static let mostBarred = 256
  private var budget = ProcessorBudget()
  /// The highest number of clients since memory was last returned.
  private var mostClients = 0

  /// A listener that can be closed.
  final class Listener {
    var socket: UnixListener?
    init(_ socket: consuming UnixListener) { self.socket = consume socket }
  }

  init(
    _ listener: Listener, loop: EventLoop, access: AccessControl, journal: DaemonJournal, release: String,
    limits: ServerSession.Limits, bounds: ClientBounds = ClientBounds()
  ) {
    self.bounds = bounds
    self.listener = listener
    self.journal = journal
    self.loop = loop
    self.access = access
    self.release = release
    self.limits = limits
  }

  /// Starts to accept clients.
  func begin() throws(SystemError) {
    guard let descriptor = listener.socket?.descriptor else { return }
    watch = try loop.watch(descriptor) { [unowned self] _ in accept() }
  }

  /// The clients that have sent their hello, in the order in which they connected.
  var clients: [ClientLink] { links.values.filter { $0.hello != nil }.sorted { $0.id < $1.id } }

  /// Queues an event for its client.
  func send(_ event: ServiceEvent, to client: ClientID) {
    guard let link = links[client] else { return }
    link.send(event)
    guard !link.isUnflushed else { return }
    link.isUnflushed = true
    unflushed.append(link)
  }

  /// Writes all queued events: one write for each client, after the service's turn.
  func flush() {
    while let link = unflushed.popLast() {
      link.isUnflushed = false
      link.flush()
    }
  }

  /// Stops accepting clients, and disconnects all.
  func end() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    listener.socket = nil
    for link in Array(links.values) { link.refuse(.stopping) }
  }

  /// Whether no client is connected.
  var isEmpty: Bool { links.isEmpty }

  // MARK: -

  private func accept() {
    var (accepted, dropped) = (0, 0)
    while accepted < Self.acceptsPerTurn, dropped < Self.dropsPerTurn {
      guard watch != nil else { return }
      do throws(SystemError) {
        guard let stream = try listener.socket?.accept() else { return }
        // This check is the only work that is caused by a client that connects, sends and closes in a loop.
        if stream.isHungUp || isBarred(stream.peer?.userID) {
          dropped += 1
        } else {
          accepted += 1
          accept(stream)
        }
      } catch {
        journal.write(.cannotAccept(error.description))
        rest()
        return
      }
    }
  }

  /// Called when there are no descriptors left: pending connections stay in the kernel's queue for a second, instead of
  /// waking this loop repeatedly.
  private func rest() {
    guard let watch else { return }
    loop.pause(watch)
    loop.schedule(at: loop.now + .seconds(1)) { [weak self] in
      guard let self, let watch = self.watch else { return }
      loop.resume(watch)
    }
  }

  private func accept(_ stream: consuming UnixStream) {
    let id = ClientID.process(nextClient)
    nextClient += 1
    let session = ServerSession(release: release, limits: limits, at: loop.now)
    let link = ClientLink(id, stream, loop: loop, session: session, server: self)
    link.rank(by: access)
    do throws(SystemError) {
      try link.begin()
    } catch {
      journal.write(.cannotAccept(error.description))
      return
    }
    let bound = bound(for: link)
    links[id] = link
    mostClients = max(mostClients, links.count)
    watchForIdle(link)
    guard let bound else { return }
    journal.reached(bound)
    link.refuse(.tooManyClients(limit: bound.limit))
  }

  /// The user whose processor budget the requests of a client use; `nil` for an administrator, whose requests are never
  /// delayed.
  private func chargedUser(_ link: ClientLink) -> UInt32? {
    link.member.rank == .administrator ? nil : link.member.userID
  }

  /// The limit that one more client would exceed; `nil` if there is room.
  private func bound(for link: ClientLink) -> ServiceBound? {
    // Clients that were granted access after they connected no longer count as untrusted.
    for other in links.values where other.member.rank == .untrusted && access.isTrusted(other.id) {
      other.member.rank = .granted
    }
    return bounds.bound(for: link.member, beside: links.values.lazy.map(\.member))
  }

  /// The time until which a user's connections are dropped, and whether the user had a grant at the beginning.
  private struct ConnectionBan {
    var until: Instant
    var hadGrant: Bool
  }

  /// Whether a user's connections are dropped. A grant ends this for a user who had none.
  private func isBarred(_ userID: UInt32?) -> Bool {
    guard let userID, let bar = barred[userID], loop.now < bar.until else { return false }
    return bar.hadGrant || !access.hasGrant(userID)
  }

  private func bar(_ link: ClientLink, _ reason: DisconnectReason?) {
    guard link.member.rank != .administrator, let userID = link.member.userID else { return }
    switch reason {
    case .tooManyMessages?, .brokenProtocol?: break
    default: return
    }
    if link.member.rank == .granted, !isRepeated(userID) { return }
    if barred.count >= Self.mostBarred { barred = barred.filter { loop.now < $0.value.until } }
    if barred.count < Self.mostBarred {
      barred[userID] = ConnectionBan(until: loop.now + Self.barTime, hadGrant: link.member.rank == .granted)
    }
  }

  /// Whether this offense is one of many within a short time.
  private func isRepeated(_ userID: UInt32) -> Bool {
    if offenses.count >= Self.mostBarred { offenses = offenses.filter { loop.now - $0.value.since < Self.offenseTime } }
    var offense = offenses[userID] ?? (0, loop.now)
    if loop.now - offense.since >= Self.offenseTime { offense = (0, loop.now) }
    offense.count += 1
    if offenses.count < Self.mostBarred || offenses[userID] != nil { offenses[userID] = offense }
    return offense.count >= Self.offensesToBar
  }

  /// Starts the idle timer only if there are untrusted clients, so that clients with a grant cause no wakeups.
  private func watchForIdle(_ link: ClientLink) {
    guard link.member.rank == .untrusted, idleTimer == nil else { return }
    idleTimer = loop.schedule(at: loop.now + Self.longestIdle / 3) { [unowned self] in
      idleTimer = nil
      dropIdle()
    }
  }

  private func dropIdle() {
    let untrusted = links.values.filter { $0.member.rank == .untrusted && !access.isTrusted($0.id) }
    for link in untrusted where link.isIdle && loop.now - link.receivedAt >= Self.longestIdle { link.close() }
    if let link = links.values.first(where: { $0.member.rank == .untrusted }) { watchForIdle(link) }
  }

  /// Returns the memory of the clients to the system after a peak, because the C library would keep it.
  private func trimHeap() {
    guard mostClients >= Self.peak, links.count <= mostClients / 4 else { return }
    mostClients = links.count
    loop.schedule(at: loop.now + .seconds(2)) { Heap.trim() }
  }
}

extension SocketServer: ClientLinkServer {
  func receive(_ event: ClientLink.Event, from link: ClientLink) {
    switch event {
    case .greeted(let hello):
      if let caller = hello.caller {
        guard arrive(link, caller, hello) else { return }
      } else {
        access.arrive(link.id, hello, link.takePeer())
      }
      journal.joined(link)
    case .request(let request) where link.hello?.caller != nil && !GeoClueRight.covers(request):
      send(.failed(request.id, .notAuthorized(.notAdministrator, identity: nil)), to: link.id)
    case .request(let request): access.send(request, from: link.id)
    case .gone(let reason):
      bar(link, reason)
      access.leave(link.id)
      journal.left(link, reason: reason)
    case .closed:
      links[link.id] = nil
      trimHeap()
    }
  }

  /// Handles the hello of a bridge on behalf of a caller, which from now on counts as the client; returns whether there is room for it.
  private func arrive(_ link: ClientLink, _ caller: BridgedCaller, _ hello: ClientHello) -> Bool {
    guard let peer = GeoClueRight.peer(of: caller, for: link.takePeer()) else {
      access.arrive(link.id, hello, nil)
      return true
    }
    link.member = access.member(peer)
    let others = links.values.lazy.filter { $0 !== link }.map(\.member)
    if let bound = bounds.bound(for: link.member, beside: others) {
      journal.reached(bound)
      link.refuse(.tooManyClients(limit: bound.limit))
      return false
    }
    access.arrive(link.id, hello, peer)
    watchForIdle(link)
    return true
  }

  func batch(of link: ClientLink, _ body: () -> Void) {
    let begin = MonotonicClock.now()
    access.batch(body)
    guard let userID = chargedUser(link) else { return }
    let end = MonotonicClock.now()
    budget.charge(end - begin, to: userID, at: end)
  }

  func pauseEnd(of link: ClientLink) -> Instant? {
    guard let userID = chargedUser(link) else { return nil }
    return budget.pauseEnd(of: userID, at: loop.now)
  }
}
