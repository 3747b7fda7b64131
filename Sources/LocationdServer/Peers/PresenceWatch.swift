package import LinuxIO
package import LocationPolicy
import LocationdService

/// Reports when clients start or stop being in use, and when their processes end. Based on kernel notifications:
/// without changes there are no wakeups.
package final class PresenceWatch {
  package enum Event: Hashable, Sendable {
    case changed(ClientID, ClientPresence)
    /// The process that connected has ended, even if another process holds its connection now. The client must not be
    /// served any more.
    case ended(ClientID)
  }

  private final class Client {
    let process: PeerProcess
    /// The process itself; `nil`: only its login is watched.
    let peer: ConnectedPeer?
    var presence: ClientPresence
    var ending: WatchID?

    init(_ process: PeerProcess, _ peer: consuming ConnectedPeer?, _ presence: ClientPresence) {
      self.process = process
      self.peer = peer
      self.presence = presence
    }
  }

  /// A folder in which logind writes state files.
  private final class Folder {
    let path: String
    let changes: DirectoryWatch
    var id: WatchID?

    init(path: String) throws(SystemError) {
      self.path = path
      changes = try DirectoryWatch(path: path)
    }
  }

  private let loop: EventLoop
  private let logins: LoginFolder
  private let notify: (Event) -> Void
  private var clients: [ClientID: Client] = [:]
  private var folders: [Folder] = []

  package init(_ loop: EventLoop, in folders: SystemFolders = SystemFolders(), _ notify: @escaping (Event) -> Void) {
    self.loop = loop
    logins = LoginFolder(folders.logins)
    self.notify = notify
  }

  deinit {
    for client in clients.values { client.ending.map(loop.unwatch) }
    for folder in folders { folder.id.map(loop.unwatch) }
  }

  /// Starts to watch a client, and returns its current presence.
  package func add(
    _ id: ClientID, _ process: PeerProcess, _ peer: consuming ConnectedPeer
  ) throws(SystemError) -> ClientPresence {
    let descriptor = peer.descriptor
    let client = begin(id, process, peer)
    do throws(SystemError) {
      client.ending = try loop.watch(descriptor) { [unowned self] _ in
        remove(id)
        notify(.ended(id))
      }
    } catch {
      remove(id)
      throw error
    }
    return client.presence
  }

  /// The same for processes that are known by their socket alone: only their login is watched.
  package func add(_ id: ClientID, _ process: PeerProcess) -> ClientPresence { begin(id, process, nil).presence }

  private func begin(_ id: ClientID, _ process: PeerProcess, _ peer: consuming ConnectedPeer?) -> Client {
    remove(id)
    watchFolders()
    // Determined after the folders are watched, so that no later change is missed.
    let client = Client(process, peer, ClientPresence(process, logins: logins))
    clients[id] = client
    return client
  }

  package func remove(_ id: ClientID) {
    guard let client = clients.removeValue(forKey: id) else { return }
    client.ending.map(loop.unwatch)
    guard clients.isEmpty else { return }
    // The folders are not closed: when an inotify instance with a watch is closed, the kernel waits for an RCU grace
    // period. That takes tens of milliseconds, during which this loop would serve no other client.
    for folder in folders { folder.id.map(loop.pause) }
  }

  // MARK: -

  /// If there is no such folder, there is no logind. This is checked again for each new client.
  private func watchFolders() {
    if clients.isEmpty { resume() }
    for path in [logins.sessions, logins.users] where !folders.contains(where: { $0.path == path }) {
      guard let folder = try? Folder(path: path) else { continue }
      folder.id = try? loop.watch(folder.changes.descriptor) { [unowned self, unowned folder] _ in receive(folder) }
      if folder.id != nil { folders.append(folder) }
    }
  }

  /// Discards the changes that happened while there was no client.
  private func resume() {
    for folder in folders {
      var isGone = false
      while case let events = folder.changes.drain(), !events.isEmpty {
        isGone = isGone || events.contains(.folderGone)
      }
      if isGone { drop(folder) } else { folder.id.map(loop.resume) }
    }
  }

  private func drop(_ folder: Folder) {
    folder.id.map(loop.unwatch)
    folders.removeAll { $0 === folder }
  }

  private func receive(_ folder: Folder) {
    if folder.changes.drain().contains(.folderGone) { drop(folder) }
    // There are few clients and few logins; therefore all are checked.
    for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
      let presence = ClientPresence(client.process, logins: logins)
      // A previous callback may have removed this client.
      guard presence != client.presence, clients[id] === client else { continue }
      client.presence = presence
      notify(.changed(id, presence))
    }
  }
}
