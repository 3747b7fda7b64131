import Geodesy
import LinuxIO
package import LocationIPC
import LocationPolicy
package import LocationdClient
package import LocationdConfiguration
import LocationdHost
package import LocationdRecords
package import LocationdService

/// The service as a separate process: clients connect to its socket, SIGHUP loads changes of the configuration and of
/// the state folder, SIGTERM ends it after the receivers' settings are restored, and systemd, if present, is notified.
package final class DaemonHost {
  /// The daemon's configuration.
  package struct Configuration: Sendable {
    package var source = SourceSelection.automatic
    /// Whether a replay keeps the recording's pace.
    package var isRealtime = true
    /// The settings at the start. Those for which there are other properties are taken from these properties.
    package var settings: ServiceConfiguration
    /// Reads the settings again.
    package var reads: @Sendable () -> ServiceConfiguration
    /// The daemon's own version.
    package var release: String
    /// The limits of one client.
    package var limits = ServerSession.Limits()

    /// - Parameter reads: reads the settings, now and at each reload.
    package init(release: String, reads: @escaping @Sendable () -> ServiceConfiguration) {
      self.release = release
      self.reads = reads
      settings = reads()
      source = settings.settings.source
    }
  }

  private let surroundings: ProgramLoop
  let journal: DaemonJournal
  private let serviceConfiguration: HostedService.Configuration
  private let listener: SocketServer.Listener
  private let grants: GrantWriter?
  private let lamp: IndicatorOutput
  private(set) lazy var service = HostedService(serviceConfiguration, loop: loop, clients: access, host: self)
  private(set) lazy var access = AccessControl(
    loop: loop, host: self, journal: journal, grantWriter: grants, stateFolder: serviceConfiguration.stateFolder,
    lamp: lamp)
  private(set) lazy var server = SocketServer(
    listener, loop: loop, access: access, journal: journal, release: configuration.release,
    limits: configuration.limits)
  /// Programs at TCP ports; `nil`: no port is served.
  var network: NetworkServer?
  /// Addresses to which NMEA 0183 is sent; `nil`: none.
  var targets: NMEATargets?
  /// The TCP sockets that systemd has opened, until they are served.
  var passedSockets: [(NetworkProtocol, TCPListener)]
  /// Launches users' commands for monitoring events; `nil` if nothing is stored.
  package private(set) var launches: MonitoringLaunches?
  /// Keeps other daemons from changing this daemon's state folder; `nil` if nothing is stored, or if nothing can be.
  private let stateLock: FolderLock?
  private let notifySocket = NotifySocket()
  private let configuration: Configuration
  /// The settings in effect, as far as they can change at run time.
  private var current: ServiceConfiguration
  private let place: String
  private var isStopping = false

  var loop: EventLoop { surroundings.loop }

  /// The maximum time to wait for clients, logs and receivers when stopping.
  private static let longestStop: Duration = .seconds(8)

  /// Opens the socket; clients are answered only within `run`.
  package init(_ configuration: Configuration, log: any DaemonLogWriter) throws(HostError) {
    // This comes first, because the descriptors are identified by their numbers.
    var activated = ActivatedSockets()
    let passed = activated.takeUnix()
    passedSockets = Self.networkSockets(activated.tcp)
    self.configuration = configuration
    current = configuration.settings
    let settings = current.settings
    surroundings = try ProgramLoop()
    journal = DaemonJournal(loop: surroundings.loop, writer: log)
    let isRoot = ProcessEnvironment.isRoot
    let own = settings.socket ?? Directories.ownSocket(environment: ProcessEnvironment.value, isRoot: isRoot)
    place = passed == nil ? own ?? "" : "the socket of systemd"
    if let passed {
      listener = SocketServer.Listener(passed)
    } else {
      listener = SocketServer.Listener(try Self.listener(at: own, isRoot: isRoot))
    }
    lamp = Self.lamp(beside: own, light: settings.led, journal)
    serviceConfiguration = try HostedService.Configuration(
      source: configuration.source, isRealtime: configuration.isRealtime, stateFolder: settings.state,
      minding: settings.gpsd, recordsLogs: true, settings: settings)
    let stateFolder = serviceConfiguration.stateFolder
    stateLock = try Self.lock(stateFolder)
    do throws(SystemError) {
      grants = if let stateFolder { try GrantWriter(loop: surroundings.loop, stateFolder: stateFolder) } else { nil }
    } catch {
      throw HostError(error)
    }
    try service.open()
    if let stateFolder, let monitoring = service.monitoring {
      let agents = settings.agents.map { AgentEndpoint(folder: $0) } ?? AgentEndpoint()
      launches = MonitoringLaunches(
        loop: loop, stateFolder: stateFolder, monitoring: monitoring, agents: agents, host: access)
    }
  }

  /// Locks the state folder; `nil` if nothing is stored, or if nothing can currently be stored. If the disk is full,
  /// read-only or broken, the daemon still reports locations, and a request that has to write fails with the error; a
  /// folder that can never be written is an error in the configuration.
  private static func lock(_ stateFolder: String?) throws(HostError) -> FolderLock? {
    guard let stateFolder else { return nil }
    var distrust: FolderExposure?
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
    // Any user who can create files in the folder can grant themselves access.
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

  /// The indicator file is in the socket's folder, where every user finds it; systemd's runtime directory takes
  /// precedence.
  private static func lamp(
    beside socket: String?, light: String?, _ journal: DaemonJournal
  ) -> IndicatorOutput {
    let folder = ProcessEnvironment.value("RUNTIME_DIRECTORY") ?? socket.map { PrivateFolder.parent(of: $0) }
    return IndicatorOutput(
      file: folder.map { "\($0)/indicator" }, light: light, journal: journal)
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
      serveNetwork(current.settings)
      sendNMEA(current.settings)
      journal.write(.listening(at: place, source: configuration.source.text))
      notifySocket.send(.ready(status: status))
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
    journal.write(.ended)
  }

  // MARK: -

  /// The only timer of a daemon without clients; runs only if systemd's watchdog is enabled.
  private func keepAlive() {
    guard let interval = notifySocket.watchdogInterval else { return }
    loop.schedule(at: loop.now + interval) { [unowned self] in
      notifySocket.send(.alive)
      keepAlive()
    }
  }

  private var status: String { "Location from \(configuration.source.text)" }

  private func reload() {
    guard !isStopping else { return }
    notifySocket.send(.reloading)
    let new = configuration.reads()
    if new.isIncomplete {
      // A file that cannot be read may be one that switches something off; therefore the defaults must not replace it.
      journal.write(.reloadRefused(new.problems.filter { $0.kind == .unreadable }.map(\.sentence)))
    } else {
      let change = ConfigurationChange(from: current, to: new, started: configuration.settings)
      current = new
      journal.write(.reloaded(change, new.problems.map(\.sentence), new.settings.logLevel))
    }
    service.reload(current.settings)
    access.reload()
    serveNetwork(current.settings)
    sendNMEA(current.settings)
    let refusal =
      new.isIncomplete ? "; the last reload kept the settings, because the configuration cannot be read" : ""
    notifySocket.send(.ready(status: status + refusal))
  }

  /// Ends `run` when the clients are disconnected, the logs are written and the receivers' settings are restored, at the
  /// latest after `longestStop`; a second call ends it at once.
  private func stop() {
    guard !isStopping else { return loop.stop() }
    isStopping = true
    journal.write(.stopping)
    notifySocket.send(.stopping)
    loop.schedule(at: loop.now + Self.longestStop) { [unowned self] in loop.stop() }
    access.release()
    server.end()
    network?.end()
    targets?.end()
    service.endLogs()
    endWhenReleased()
  }

  private func endWhenReleased() {
    guard isStopping, !service.isReleasing, !service.isEndingLogs, server.isEmpty else { return }
    loop.stop()
  }
}

extension DaemonHost: HostedServiceHost {
  package var gate: (any ServiceGate)? { access }
  package var authority: (any RecordsAuthority)? { access }

  package func turnEnded() {
    server.flush()
    network?.flush()
    targets?.flush()
    endWhenReleased()
  }

  package func describe(_ status: inout ServiceStatus) {
    status.version = configuration.release
    status.processID = ProcessEnvironment.processID
    status.bounds = journal.reachedBounds
    status.clients = server.clients.map { link in
      var client = ClientStatus(name: link.hello?.name ?? "")
      client.purpose = link.hello?.usage.whenInUse
      client.processID = link.hello?.caller?.processID ?? link.peer?.processID
      client.userID = link.hello?.caller?.userID ?? link.peer?.userID
      client.connectedFor = loop.now - link.connectedAt
      (client.oneShots, client.streams, client.skies) = service.wants(of: link.id)
      access.describe(link.id, &client)
      return client
    }
    network?.describe(&status)
    targets?.describe(&status)
  }

  package func receive(_ event: HostedServiceEvent) {
    switch event {
    case .device(let event):
      journal.write(.device(event))
      network?.devicesChanged()
    case .log(let event): journal.write(.log(event))
    case .monitoring(let event): journal.write(.monitoring(event))
    case .time(let event): journal.write(.time(event))
    case .fleet(let event): journal.write(.fleet(event))
    case .reached(let bound): journal.reached(bound)
    }
  }
}

extension DaemonHost: AccessHost {}
