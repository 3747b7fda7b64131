import Geodesy
import LinuxIO
package import LocationIPC
import LocationPolicy
package import LocationdClient
package import LocationdHost
import LocationdRecords
package import LocationdService

/// The service as a process of its own: clients connect to its socket, SIGHUP loads what has changed in the state folder,
/// SIGTERM ends it after the receivers are restored, and systemd, if present, is notified.
package final class DaemonHost {
  /// The daemon's configuration.
  package struct Configuration: Sendable {
    package var source = SourceSelection.automatic
    /// Whether a replay keeps its own pace.
    package var isRealtime = true
    package var gpsd: GPSDAddress? = .local
    /// The daemon's own version.
    package var release: String
    /// The bounds of one client.
    package var limits = ServerSession.Limits()

    package init(release: String) { self.release = release }
  }

  /// Receives events for the journal.
  package var onNews: ((DaemonNews) -> Void)?

  private let surroundings: ProgramLoop
  private let service: HostedService
  private let access: AccessControl
  private let server: SocketServer
  /// Launches users' commands for monitoring events; `nil`: nothing is stored.
  private let launches: MonitoringLaunches?
  /// Keeps other daemons from changing this one's state folder; `nil`: nothing is stored, or nothing can be.
  private let stateLock: FolderLock?
  private let notifySocket = NotifySocket()
  private let configuration: Configuration
  private let place: String
  private var isStopping = false
  private var bounds = BoundHistory()
  /// Why the connection of a user's client was closed.
  private struct Complaint: Hashable {
    let userID: UInt32
    let reason: Refusal
  }

  /// Paces the journal lines about clients of one user that are disconnected for one reason.
  private var complaints = ComplaintPace<Complaint>()

  private var loop: EventLoop { surroundings.loop }

  /// The maximum time to wait for clients and receivers when stopping.
  private static let longestStop: Duration = .seconds(8)

  /// Opens the socket; clients are answered only within `run`.
  package init(_ configuration: Configuration) throws(HostError) {
    // This comes first, because the descriptors are found by their numbers.
    let activated = ActivatedSockets.take()
    self.configuration = configuration
    surroundings = try ProgramLoop()
    let isRoot = ProcessEnvironment.isRoot
    let own = Directories.ownSocket(environment: ProcessEnvironment.value, isRoot: isRoot)
    place = activated == nil ? own ?? "" : "the socket of systemd"
    let listener: UnixListener
    if let activated { listener = activated } else { listener = try Self.listener(at: own, isRoot: isRoot) }
    service = try HostedService(
      loop: surroundings.loop, source: configuration.source, realtime: configuration.isRealtime, stateFolder: nil,
      minding: configuration.gpsd, recordsLogs: true)
    stateLock = try Self.lock(service.stateFolder)
    do throws(SystemError) {
      access = try AccessControl(
        loop: surroundings.loop, service: service, stateFolder: service.stateFolder, lamp: Self.lamp(beside: own))
    } catch {
      throw HostError(error)
    }
    server = SocketServer(
      listener, loop: surroundings.loop, access: access, release: configuration.release, limits: configuration.limits)
    launches = service.stateFolder.map { [service] folder in
      MonitoringLaunches(loop: service.loop, stateFolder: folder) { [unowned service] in service.tellMonitoring($0) }
    }
    connect()
  }

  /// Locks the state folder; `nil`: nothing is stored, or nothing can be for now. If the disk is full, read-only or broken, the
  /// daemon still reports locations, and a request that has to write gets the error; a folder that can never be written is an error
  /// in the configuration.
  private static func lock(_ stateFolder: String?) throws(HostError) -> FolderLock? {
    guard let stateFolder else { return nil }
    var distrust: FolderDistrust?
    do throws(SystemError) {
      try PrivateFolder.make(stateFolder)
      distrust = try PrivateFolder.distrust(of: stateFolder)
      if distrust == nil {
        let lock = try FolderLock(stateFolder)
        try PrivateFolder.checkWritable(stateFolder)
        return lock
      }
    } catch {
      guard error.isHeldByOther else {
        if error.isOfTheDisk { return nil }
        throw .stateUnwritable(path: stateFolder, errno: error.errno)
      }
      throw .stateInUse(path: stateFolder, processID: FolderLock.holder(of: stateFolder))
    }
    // Anyone who can put files there can grant themselves access.
    if let distrust { throw .stateOpenToOthers(path: stateFolder, distrust) }
    return nil
  }

  private static func listener(at path: String?, isRoot: Bool) throws(HostError) -> UnixListener {
    do throws(SystemError) {
      guard let path else {
        throw SystemError(operation: "find a place for the socket", errno: SystemError.noSuchThing)
      }
      return try UnixListener(at: path, UnixListener.access(isRoot: isRoot))
    } catch {
      throw HostError(error)
    }
  }

  /// The indicator file is in the socket's folder, where everybody finds it; systemd's runtime directory takes precedence.
  private static func lamp(beside socket: String?) -> IndicatorLamp {
    let folder = ProcessEnvironment.value("RUNTIME_DIRECTORY") ?? socket.map { PrivateFolder.parent(of: $0) }
    return IndicatorLamp(
      file: folder.map { "\($0)/indicator" }, light: ProcessEnvironment.value("LOCATIOND_LED"))
  }

  package func run() throws(HostError) {
    var isOver = false
    // If the loop fails, the logs are still written to disk.
    defer { if !isOver { service.finishLogs() } }
    try surroundings.onSignal { [unowned self] in
      if $0 == SignalNumber.hangUp { reload() } else { stop() }
    }
    do throws(SystemError) {
      access.begin()
      try server.begin()
      onNews?(.listening(at: place, source: configuration.source.text))
      notifySocket.tell(.ready(status: status))
      keepAlive()
      try service.begin()
      try loop.run()
    } catch {
      throw HostError(error)
    }
    isOver = true
    launches?.close()
    access.finish()
    service.save()
    onNews?(.ended)
  }

  // MARK: -

  private func connect() {
    server.onNews = { [unowned self] in hear($0) }
    service.onEvent = { [unowned self] in access.take($1, for: $0) }
    access.onEvent = { [unowned self] id, event in
      switch id {
      case .process: server.tell(id, event)
      case .log: service.hear(event, for: id)
      case .list, .monitoring: break
      }
    }
    service.onRecording = { [unowned self] in access.take($0) }
    service.onMonitoring = { [unowned self] in access.take($0) }
    service.onLaunch = { [unowned self] in launches?.take($0) }
    service.onCounted = { [unowned self] in launches?.counted($0, $1, attempt: $2) }
    service.onCommandNoted = { [unowned self] in launches?.noted($0) }
    launches?.seen = { [unowned self] in access.seen($0, of: $1, isShown: $2) }
    launches?.onNews = { [unowned self] in onNews?(.launch($0)) }
    service.onMonitoringNews = { [unowned self] in onNews?(.monitoring($0)) }
    access.onNews = { [unowned self] in onNews?(.access($0)) }
    access.onBoundReached = { [unowned self] in reached($0) }
    service.onBoundReached = { [unowned self] in reached($0) }
    service.onSettled = { [unowned self] in
      server.flush()
      endWhenReleased()
    }
    service.describe = { [unowned self] in describe(&$0) }
    service.onDeviceNews = { [unowned self] in onNews?(.device($0)) }
    service.onLogNews = { [unowned self] in onNews?(.log($0)) }
    // Deferred, so that it does not run while the requester is being answered.
    access.onOthersTold = { [unowned self] in loop.schedule(at: loop.now) { [unowned self] in server.flush() } }
  }

  private func describe(_ status: inout ServiceStatus) {
    status.version = configuration.release
    status.processID = ProcessEnvironment.processID
    status.bounds = bounds.reached(at: loop.now)
    status.clients = server.clients.map { link in
      var client = ClientStatus(name: link.hello?.name ?? "")
      client.purpose = link.hello?.usage.whenInUse
      client.processID = link.peer?.processID
      client.userID = link.peer?.userID
      client.connectedFor = loop.now - link.connectedAt
      (client.oneShots, client.streams, client.skies) = service.wants(of: link.id)
      access.describe(link.id, &client)
      return client
    }
  }

  private func hear(_ news: SocketServer.News) {
    switch news {
    case .joined(let link):
      onNews?(.clientJoined(name: link.hello?.name ?? "", processID: link.peer?.processID))
    case .left(let link, let reason):
      let isForced = reason.map { $0 != .stopping } ?? false
      if isForced, let reason,
        !complaints.isNew(Complaint(userID: link.peer?.userID ?? .max, reason: reason), at: loop.now)
      {
        return
      }
      if link.hello != nil || isForced {
        onNews?(.clientLeft(name: link.hello?.name ?? "", processID: link.peer?.processID, reason))
      }
    case .cannotAccept(let error): onNews?(.cannotAccept(error.description))
    case .reached(let bound): reached(bound)
    }
  }

  private func reached(_ bound: ServiceBound) {
    if bounds.note(bound, at: loop.now) { onNews?(.reached(bound)) }
  }

  /// The only timer of a daemon without clients; runs only if systemd's watchdog is enabled.
  private func keepAlive() {
    guard let interval = notifySocket.watchdogInterval else { return }
    loop.schedule(at: loop.now + interval) { [unowned self] in
      notifySocket.tell(.alive)
      keepAlive()
    }
  }

  private var status: String { "Location from \(configuration.source.text)" }

  private func reload() {
    guard !isStopping else { return }
    notifySocket.tell(.reloading)
    service.reload()
    access.reload()
    onNews?(.reloaded)
    notifySocket.tell(.ready(status: status))
  }

  /// Ends `run` when the clients are notified and the receivers are restored; at once if called a second time.
  private func stop() {
    guard !isStopping else { return loop.stop() }
    isStopping = true
    onNews?(.stopping)
    notifySocket.tell(.stopping)
    loop.schedule(at: loop.now + Self.longestStop) { [unowned self] in loop.stop() }
    server.end()
    service.endLogs()
    endWhenReleased()
  }

  private func endWhenReleased() {
    guard isStopping, !service.isReleasing, !service.isEndingLogs, server.isEmpty else { return }
    loop.stop()
  }
}
