import GPSDServer
import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdService
package import NetworkSources
package import TimeService

/// Programs that speak gpsd's protocol or NMEA 0183 over TCP: accepts them, finds out whose they are, and passes on what
/// they request and receive. It has no thread and no timer of its own, and exists only while a port is served.
package final class NetworkServer {
  /// The most connections accepted before other work gets its turn.
  private static let acceptsPerTurn = 16
  /// More connections wait in the kernel: a flood of them must not take the processor from clients of the service's own socket.
  private static let acceptsPerSecond = 500
  /// Descriptors that are left to receivers, files and the service's own clients.
  private static let descriptorsOfOthers = 512
  /// The most connections of one other machine.
  private static let connectionsOfMachine = 16
  /// After a peak of at least this many clients, their memory is returned to the system.
  private static let peak = 32

  private let loop: EventLoop
  private unowned let host: any NetworkServerHost
  private let diagnosis: SocketDiagnosis
  private var groups: ControlGroupSearches
  private var accepts: RateLimit
  private var bounds: ClientBounds
  private var ports: [NetworkPort] = []
  private var clients: [Int: NetworkClient] = [:]
  private var subscribers: [NetworkSubscriber.Key: NetworkSubscriber] = [:]
  private var subscribersByID: [ClientID: NetworkSubscriber] = [:]
  /// Subscribers with something to write, once each, and those whose clients need something else.
  private var (unflushed, unsettled): ([NetworkSubscriber], Set<ClientID>) = ([], [])
  private var (isFlushing, isSettling) = (false, false)
  private var (nextClient, nextSubscriber) = (1, 1)
  /// The devices as clients see them, and as the service last described them.
  private var (devices, served): (GPSDDeviceList, [DeviceDescription]) = (GPSDDeviceList(), [])
  /// Encoders for exact and for reduced positions.
  private var (exact, reduced) = (GPSDEpochEncoder(access: .full), GPSDEpochEncoder(access: .reduced))
  private var buffer = [UInt8](repeating: 0, count: GPSDSession.mostBytesRead)
  private var mostClients = 0

  package init(loop: EventLoop, host: any NetworkServerHost, bounds: ClientBounds = .ofPorts) throws(SystemError) {
    (self.loop, self.host, self.bounds) = (loop, host, bounds)
    diagnosis = try SocketDiagnosis()
    groups = ControlGroupSearches(accounts: host.accounts)
    accepts = RateLimit(perSecond: Self.acceptsPerSecond, burst: Self.acceptsPerSecond, at: loop.now)
    let room = DescriptorLimit.raise(to: bounds.all + Self.descriptorsOfOthers) - Self.descriptorsOfOthers
    self.bounds.all = min(bounds.all, max(bounds.reserved + 32, room))
  }

  deinit { for port in ports { port.watch.map(loop.unwatch) } }

  // MARK: - Ports

  /// Serves a socket that was passed to this process.
  package func serve(_ listener: TCPListener, _ protocolName: NetworkProtocol) {
    let port = NetworkPort(protocolName, address: listener.address, isPassed: true)
    port.listener = listener
    watch(port)
    ports.append(port)
  }

  /// Listens at exactly these addresses, beside the sockets that were passed to this process; of protocols that are `off`, these are
  /// closed, too.
  ///
  /// - Parameter allowed: the other machines that may connect, by protocol; they are served at addresses beyond the loopback interface.
  package func listen(
    at addresses: [(protocolName: NetworkProtocol, address: ListenAddress)], off: Set<NetworkProtocol>,
    allowed: [NetworkProtocol: AllowList] = [:]
  ) {
    for port in ports where !port.isPassed || off.contains(port.protocolName) {
      let isWanted =
        !off.contains(port.protocolName)
        && addresses.contains { $0.protocolName == port.protocolName && $0.address.text == port.address }
      let isOther = port.isUnreachable || port.machines.map { $0.allowed != allowed[port.protocolName] } == true
      if !isWanted || port.problem != nil || isOther { close(port) }
      // Switched off, or no longer allowed: its clients go, too.
      for client in Array(clients.values) where client.port === port && (!isWanted || isOther) { client.end() }
    }
    settle()
    for (protocolName, address) in addresses {
      guard !ports.contains(where: { $0.protocolName == protocolName && $0.address == address.text }) else { continue }
      let port = NetworkPort(protocolName, address: address.text, isPassed: false)
      if !address.isLocal {
        ports.append(port)
        serveMachines(port, at: address, allowed[protocolName])
        continue
      }
      do throws(SystemError) {
        guard let address = NetworkAddress(numeric: address.host, port: address.port) else { continue }
        port.listener = try TCPListener(at: address)
        watch(port)
      } catch {
        port.problem = error
        // Without IPv6 there is no such address, and nobody can connect to it.
        if address.isOptional, error.isMissingAddress { continue }
        host.receive(.cannotListen(protocolName, at: address.text, error))
      }
      ports.append(port)
    }
  }

  /// Whether there is no port.
  package var isUnused: Bool { ports.isEmpty }

  /// Closes all ports and connections.
  package func end() {
    for port in ports { close(port) }
    for client in Array(clients.values) { client.end() }
    settle()
  }

  private func watch(_ port: NetworkPort) {
    guard let descriptor = port.listener?.descriptor else { return }
    do throws(SystemError) {
      port.watch = try loop.watch(descriptor) { [unowned self, unowned port] _ in accept(port) }
      host.receive(.listening(port.protocolName, at: port.address))
      check(port)
    } catch {
      port.problem = error
      port.listener = nil
      host.receive(.cannotListen(port.protocolName, at: port.address, error))
    }
  }

  /// Whether the kernel can say whose the connections at a port are. It is said once, not for each port.
  private func check(_ port: NetworkPort) {
    guard let listener = port.listener else { return }
    let isKnown = ports.contains { !$0.isIdentified }
    port.isIdentified = diagnosis.isAvailable(for: listener)
    if !port.isIdentified, !isKnown { host.receive(.cannotIdentify) }
  }

  /// Serves the other machines of a list.
  private func serveMachines(_ port: NetworkPort, at address: ListenAddress, _ allowed: AllowList?) {
    guard let allowed else {
      port.isUnreachable = true
      return host.receive(.noAllowList(port.protocolName, at: port.address))
    }
    port.machines = MachineListener(loop: loop, at: address, allowed: allowed) { [unowned self, unowned port] event in
      port.isUnreachable = event == .failed
      switch event {
      case .listening: host.receive(.listening(port.protocolName, at: port.address))
      case .failed: host.receive(.cannotServeMachines(port.protocolName, at: port.address))
      }
    } onConnection: { [unowned self, unowned port] (connection: consuming TCPConnection, machine: IPAddress) in
      accept(connection, of: machine, at: port)
      settle()
    }
  }

  private func accept(_ stream: consuming TCPConnection, of machine: IPAddress, at port: NetworkPort) {
    let key = NetworkSubscriber.Key(peer: .machine(machine), protocolName: port.protocolName)
    if subscribers[key].map({ $0.clients.count >= Self.connectionsOfMachine }) == true {
      return stream.refuse(with: port.protocolName == .gpsd ? GPSDSession.tooManyClients : [])
    }
    guard clients.count < bounds.all else {
      return refuse(stream, port, ServiceBound(.clients, limit: bounds.all, userID: nil))
    }
    let member = host.member(machine)
    if let bound = bounds.bound(for: member, beside: clients.values.lazy.map(\.member)) {
      return refuse(stream, port, bound)
    }
    stream.keepAlive()
    begin(stream, of: nil, member, key, port)
  }

  private func close(_ port: NetworkPort) {
    port.machines?.close()
    port.machines = nil
    port.watch.map(loop.unwatch)
    (port.watch, port.listener) = (nil, nil)
    ports.removeAll { $0 === port }
  }

  /// Adds the ports and their clients to the service's status.
  package func describe(_ status: inout ServiceStatus) {
    status.ports = ports.map {
      PortStatus(protocolName: $0.protocolName, address: $0.address, state: $0.state, isPassed: $0.isPassed)
    }
    for subscriber in subscribersByID.values.sorted(by: { $0.id < $1.id }) {
      var description = ClientStatus(name: subscriber.protocolName.clientName)
      description.port = subscriber.protocolName
      description.userID = subscriber.userID
      description.connectedFor = subscriber.clients.first.map { loop.now - $0.connectedAt }
      description.connections = subscriber.clients.count
      description.streams = subscriber.clients.count { $0.updates != nil }
      description.skies = subscriber.clients.count { $0.updates?.satellites == true }
      host.describe(subscriber.id, &description)
      status.clients.append(description)
    }
  }

  // MARK: - Connections

  private func accept(_ port: NetworkPort) {
    defer { settle() }
    for _ in 0..<Self.acceptsPerTurn {
      guard let listener = port.listener else { return }
      guard accepts.nextAt <= loop.now else { return rest(port, until: accepts.nextAt) }
      do throws(SystemError) {
        guard let stream = try listener.accept() else { return }
        _ = accepts.tryAcquire(at: loop.now)
        accept(stream, at: port)
      } catch {
        host.receive(.cannotAccept(error))
        // Out of descriptors.
        return rest(port, until: loop.now + .seconds(1))
      }
    }
  }

  /// Leaves connections in the kernel's queue until then.
  private func rest(_ port: NetworkPort, until end: Instant) {
    guard let watch = port.watch else { return }
    loop.pause(watch)
    loop.schedule(at: end) { [weak self, weak port] in
      guard let self, let watch = port?.watch else { return }
      loop.resume(watch)
    }
  }

  private func accept(_ stream: consuming TCPConnection, at port: NetworkPort) {
    guard clients.count < bounds.all else {
      return refuse(stream, port, ServiceBound(.clients, limit: bounds.all, userID: nil))
    }
    do throws(SocketOwnerError) {
      let owner = try diagnosis.owner(of: stream)
      guard let process = groups.process(of: owner, at: loop.now) else {
        // Too many searches of its user: a client that connects again later is identified then. A wrong identity would last.
        return stream.refuse(with: [])
      }
      let member = host.member(process)
      if let bound = bounds.bound(for: member, beside: clients.values.lazy.map(\.member)) {
        return refuse(stream, port, bound)
      }
      port.isIdentified = true
      begin(
        stream, of: owner, member, NetworkSubscriber.Key(peer: .process(process), protocolName: port.protocolName), port
      )
    } catch {
      // The kernel does not say whose it is: it is closed without an answer. Its module may have been loaded or removed since.
      check(port)
      guard port.isIdentified else { return }
      host.receive(.unidentified(port.protocolName, error))
    }
  }

  private func refuse(_ stream: consuming TCPConnection, _ port: NetworkPort, _ bound: ServiceBound) {
    host.receive(.reached(bound))
    stream.refuse(with: port.protocolName == .gpsd ? GPSDSession.tooManyClients : [])
  }

  private func begin(
    _ stream: consuming TCPConnection, of owner: SocketOwner?, _ member: ClientBounds.Member,
    _ key: NetworkSubscriber.Key,
    _ port: NetworkPort
  ) {
    if clients.isEmpty { updateDevices(host.devices, clock: WallClock.now()) }
    let subscriber = subscriber(key)
    defer { if subscriber.clients.isEmpty { remove(subscriber) } }
    do throws(SystemError) {
      let client = try NetworkClient(
        nextClient, stream, of: owner, member, subscriber, at: port, devices: devices, loop: loop, server: self)
      nextClient += 1
      clients[client.number] = client
      mostClients = max(mostClients, clients.count)
      subscriber.add(client)
      client.begin()
    } catch {
      host.receive(.cannotAccept(error))
    }
  }

  private func subscriber(_ key: NetworkSubscriber.Key) -> NetworkSubscriber {
    if let known = subscribers[key] { return known }
    let subscriber = NetworkSubscriber(ClientID.network(nextSubscriber), key)
    nextSubscriber += 1
    (subscribers[key], subscribersByID[subscriber.id]) = (subscriber, subscriber)
    switch key.peer {
    case .process(let process): host.arrive(subscriber.id, process, key.protocolName)
    case .machine(let machine): host.arrive(subscriber.id, machine, key.protocolName)
    }
    host.send([.authorization(NetworkSubscriber.authorizationRequest, .watch)], from: subscriber.id)
    return subscriber
  }

  private func remove(_ subscriber: NetworkSubscriber) {
    guard subscribersByID[subscriber.id] != nil else { return }
    (subscribers[subscriber.key], subscribersByID[subscriber.id]) = (nil, nil)
    unsettled.remove(subscriber.id)
    host.leave(subscriber.id)
  }

  // MARK: - The service

  /// Handles an event of the service for one of the subscribers.
  package func receive(_ event: ServiceEvent, for id: ClientID) {
    guard let subscriber = subscribersByID[id], subscriber.receive(event, at: loop.now) else { return }
    if !subscriber.isUnflushed { unflushed.append(subscriber) }
    subscriber.isUnflushed = true
    // What the service has refused is requested again.
    if case .authorization = event { unsettled.insert(id) }
  }

  /// A moment by a receiver's time, for the clients that requested such.
  package func receive(_ sample: TimeSample, of device: String) {
    let watching = clients.values.filter { $0.updates?.marks == true }
    guard !watching.isEmpty else { return }
    let (mark, clock) = (GPSDTimeMark(sample, device: device), WallClock.now())
    for client in watching {
      client.receive(mark, clock: clock)
      client.flush()
    }
  }

  /// The devices may have changed.
  package func devicesChanged() {
    guard !clients.isEmpty, case let present = host.devices, present != served else { return }
    let clock = WallClock.now()
    let old = devices
    updateDevices(present, clock: clock)
    guard devices != old else { return }
    for client in Array(clients.values) {
      client.receive(devices, clock: clock)
      client.flush()
    }
  }

  private func updateDevices(_ present: [DeviceDescription], clock: GNSSTime) {
    served = present
    devices.update(present, clock: clock)
  }

  /// Writes what the service's turn has brought.
  package func flush() {
    guard !unflushed.isEmpty, !isFlushing else { return }
    isFlushing = true
    defer { isFlushing = false }
    devicesChanged()
    let clock = WallClock.now()
    // One that is gone has no clients.
    while let subscriber = unflushed.popLast() {
      subscriber.isUnflushed = false
      if subscriber.access == .reduced {
        subscriber.flush(&reduced, devices: devices, at: loop.now, clock: clock)
      } else {
        subscriber.flush(&exact, devices: devices, at: loop.now, clock: clock)
      }
    }
    settleSoon()
  }

  /// The service is in its turn: what its clients need now follows after it.
  private func settleSoon() {
    guard !unsettled.isEmpty else { return }
    loop.schedule(at: loop.now) { [weak self] in self?.settle() }
  }
}

extension NetworkServer: NetworkClientServer {
  func receive(_ updates: GPSDUpdates?, of client: NetworkClient) -> Bool {
    unsettled.insert(client.subscriber.id)
    guard updates != nil, client.owner != nil else { return true }
    // Asked again before the first position: the process may have closed its socket since it connected.
    guard let owner = try? client.currentOwner(by: diagnosis), owner == client.owner else { return false }
    return true
  }

  func read(_ stream: borrowing TCPConnection, _ body: (ArraySlice<UInt8>) -> Void) -> ReadResult {
    let outcome = stream.read(into: &buffer)
    if case .bytes(let count) = outcome { body(buffer[..<count]) }
    return outcome
  }

  func receiveEnd(of client: NetworkClient) {
    guard clients.removeValue(forKey: client.number) != nil else { return }
    client.subscriber.remove(client)
    unsettled.insert(client.subscriber.id)
    if client.subscriber.clients.isEmpty { remove(client.subscriber) }
    guard mostClients >= Self.peak, clients.count <= mostClients / 4 else { return }
    mostClients = clients.count
    loop.schedule(at: loop.now + .seconds(2)) { Heap.trim() }
  }

  func settle() {
    guard !isSettling else { return }
    isSettling = true
    defer { isSettling = false }
    while let id = unsettled.popFirst() {
      guard let subscriber = subscribersByID[id], case let requests = subscriber.settle(), !requests.isEmpty else {
        continue
      }
      host.send(requests, from: id)
    }
  }
}
