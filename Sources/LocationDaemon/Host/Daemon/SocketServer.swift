import Geodesy
import LinuxIO
import LocationIPC

/// The daemon's socket: takes clients on, carries what they ask to the service and what it tells to them.
final class SocketServer {
  /// What is worth a line in the log.
  enum News {
    case joined(ClientLink)
    case left(ClientLink, reason: Refusal?)
    case cannotAccept(SystemError)
  }

  /// More clients at once than a machine has programs that want to know where it is.
  static let maximumClients = 256
  /// Of one user that is neither root nor the service's own: nobody keeps the others out.
  static let maximumClientsOfUser = 64
  /// Connections that are taken on before others have their turn.
  private static let acceptsATurn = 16

  private let loop: EventLoop
  private let listener: Listener
  private let access: AccessControl
  private let release: String
  private let limits: ServerSession.Limits
  /// Hears what is worth a line.
  var onNews: ((News) -> Void)?
  private var watch: WatchID?
  private var links: [ClientID: ClientLink] = [:]
  /// Those for which something waits to be written.
  private var unflushed: Set<ClientID> = []
  private var nextClient = 1

  /// A listener that can be given up.
  private final class Listener {
    var socket: UnixListener?
    init(_ socket: consuming UnixListener) { self.socket = consume socket }
  }

  init(
    _ socket: consuming UnixListener, loop: EventLoop, access: AccessControl, release: String,
    limits: ServerSession.Limits
  ) {
    listener = Listener(socket)
    self.loop = loop
    self.access = access
    self.release = release
    self.limits = limits
  }

  /// Takes clients from now on.
  func begin() throws(SystemError) {
    guard let descriptor = listener.socket?.descriptor else { return }
    watch = try loop.watch(descriptor) { [unowned self] _ in accept() }
  }

  /// The clients, in the order in which they came.
  var clients: [ClientLink] { links.values.filter { $0.hello != nil }.sorted { $0.id.rawValue < $1.id.rawValue } }

  /// Carries an event to its client.
  func tell(_ client: ClientID, _ event: ServiceEvent) {
    guard let link = links[client] else { return }
    link.take(event)
    unflushed.insert(client)
  }

  /// The service has said all that it had to say: one write for each client.
  func flush() {
    while let client = unflushed.popFirst() { links[client]?.flush() }
  }

  /// Takes nobody on any more, and lets everybody go.
  func end() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    listener.socket = nil
    for link in Array(links.values) { link.refuse(.stopping) }
  }

  /// Whether nobody is there any more.
  var isEmpty: Bool { links.isEmpty }

  // MARK: -

  private func accept() {
    for _ in 0..<Self.acceptsATurn {
      guard watch != nil else { return }
      do throws(SystemError) {
        guard let stream = try listener.socket?.accept() else { return }
        take(stream)
      } catch {
        onNews?(.cannotAccept(error))
        rest()
        return
      }
    }
  }

  /// Out of descriptors: what waits stays in the kernel for a moment, instead of waking this loop again and again.
  private func rest() {
    guard let watch else { return }
    loop.pause(watch)
    loop.schedule(at: loop.now + .seconds(1)) { [weak self] in
      guard let self, let watch = self.watch else { return }
      loop.resume(watch)
    }
  }

  private func take(_ stream: consuming UnixStream) {
    let id = ClientID(nextClient)
    nextClient += 1
    let session = ServerSession(release: release, limits: limits, at: loop.now)
    let link = ClientLink(id, stream, loop: loop, session: session) { [unowned self] in hear($1, from: $0) }
    do throws(SystemError) {
      try link.begin()
    } catch {
      onNews?(.cannotAccept(error))
      return
    }
    let limit = limit(beside: link)
    links[id] = link
    if let limit { link.refuse(.tooManyClients(limit: limit)) }
  }

  /// The bound that one more client would pass; `nil`: there is room.
  private func limit(beside link: ClientLink) -> Int? {
    if links.count >= Self.maximumClients { return Self.maximumClients }
    let user = link.peer?.userID
    guard user != 0, user != ProcessEnvironment.userID else { return nil }
    let others = links.values.count { $0.peer?.userID == user }
    return others >= Self.maximumClientsOfUser ? Self.maximumClientsOfUser : nil
  }

  private func hear(_ news: ClientLink.News, from link: ClientLink) {
    switch news {
    case .greeted(let hello):
      access.arrive(link.id, hello, link.takePeer())
      onNews?(.joined(link))
    case .request(let request): access.send(request, from: link.id)
    case .gone(let reason):
      access.leave(link.id)
      onNews?(.left(link, reason: reason))
    case .closed: links[link.id] = nil
    }
  }
}
