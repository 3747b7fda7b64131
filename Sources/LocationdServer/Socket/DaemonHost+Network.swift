package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationdConfiguration
package import LocationdHost
package import LocationdService
package import NetworkSources

/// Programs at TCP ports as clients of the daemon.
extension DaemonHost {
  /// The sockets that systemd has opened for such programs; other TCP sockets are closed.
  static func networkSockets(_ sockets: [(name: String, listener: TCPListener)]) -> [(NetworkProtocol, TCPListener)] {
    sockets.compactMap { name, listener in
      NetworkProtocol.allCases.first { $0.name == name }.map { ($0, listener) }
    }
  }

  /// Serves the ports of the settings and the passed sockets. As long as there is neither, nothing exists for it.
  func serveNetwork(_ settings: ServiceSettings) {
    let wanted: [(NetworkProtocol, [ListenAddress]?)] = [(.gpsd, settings.gpsdListen), (.nmea, settings.nmeaListen)]
    let addresses = wanted.flatMap { name, list in (list ?? []).map { (protocolName: name, address: $0) } }
    // Off, and not only without a setting.
    let off = Set(wanted.filter { $0.1 == [] }.map(\.0))
    passedSockets.removeAll { off.contains($0.0) }
    guard network != nil || !addresses.isEmpty || !passedSockets.isEmpty else { return }
    do throws(SystemError) {
      let server = if let network { network } else { try NetworkServer(loop: loop, host: self) }
      network = server
      service.followTime { [weak self] sample, path in self?.network?.receive(sample, of: path) }
      for (protocolName, listener) in passedSockets { server.serve(listener, protocolName) }
      passedSockets = []
      var allowed: [NetworkProtocol: AllowList] = [:]
      (allowed[.gpsd], allowed[.nmea]) = (settings.gpsdAllowed, settings.nmeaAllowed)
      server.listen(at: addresses, off: off, allowed: allowed)
    } catch {
      journal.write(.network(.cannotAccept(error)))
    }
    closeNetworkIfIdle()
  }

  /// Sends NMEA 0183 to the targets of the settings, which grant them access unless it is revoked.
  func sendNMEA(_ settings: ServiceSettings) {
    access.configure(settings.nmeaTargets.map { ClientIdentity($0) })
    guard targets != nil || !settings.nmeaTargets.isEmpty else { return }
    let sender = targets ?? NMEATargets(loop: loop, host: self)
    targets = sender
    sender.send(to: settings.nmeaTargets)
    if sender.isUnused { targets = nil }
  }

  private func closeNetworkIfIdle() {
    guard let network, network.isUnused else { return }
    network.end()
    self.network = nil
  }
}

extension DaemonHost: NetworkServerHost {
  package var devices: [DeviceDescription] { service.runner.devices }

  package var accounts: AccountFiles { AccountFiles(SystemFolders().accounts) }

  package func member(_ process: PeerProcess) -> ClientBounds.Member { access.member(process) }

  package func arrive(_ client: ClientID, _ process: PeerProcess, _ protocolName: NetworkProtocol) {
    access.arrive(client, process, name: protocolName.clientName, purpose: protocolName.purpose)
  }

  package func arrive(_ client: ClientID, _ machine: IPAddress, _ protocolName: NetworkProtocol) {
    access.arrive(
      client, machine: ClientIdentity(networkAddress: machine.text), name: protocolName.clientName,
      purpose: protocolName.purpose)
  }

  package func member(_ machine: IPAddress) -> ClientBounds.Member {
    access.member(machine: ClientIdentity(networkAddress: machine.text))
  }

  package func arrive(_ client: ClientID, at target: DatagramTarget) {
    access.arrive(client, at: ClientIdentity(target), name: target.text)
  }

  package func leave(_ client: ClientID) { access.leave(client) }

  package func send(_ requests: [ClientRequest], from client: ClientID) {
    access.batch { for request in requests { access.send(request, from: client) } }
  }

  package func describe(_ client: ClientID, _ status: inout ClientStatus) { access.describe(client, &status) }

  package func receive(_ event: NetworkEvent) {
    if case .reached(let bound) = event { journal.reached(bound) } else { journal.write(.network(event)) }
  }
}

extension NetworkProtocol {
  /// What such clients are for, in requests for access.
  fileprivate var purpose: String {
    switch self {
    case .gpsd: "A program reads the position at the port of gpsd."
    case .nmea: "A program reads the position as NMEA 0183."
    }
  }
}

extension ClientIdentity {
  /// The identity of a target.
  fileprivate init(_ target: DatagramTarget) { self.init(networkAddress: target.address.text) }
}
