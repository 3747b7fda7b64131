package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdService
package import NetworkSources

/// One port that is served, or that cannot be.
final class NetworkPort {
  let protocolName: NetworkProtocol
  let address: String
  /// Whether systemd has opened it.
  let isPassed: Bool
  var listener: TCPListener?
  var watch: WatchID?
  /// In place of both, for other machines.
  var machines: MachineListener?
  /// Whether the kernel reports whose its connections are.
  var isIdentified = true
  /// Why it is not served.
  var problem: SystemError?
  /// Why other machines cannot connect.
  var isUnreachable = false

  init(_ protocolName: NetworkProtocol, address: String, isPassed: Bool) {
    (self.protocolName, self.address, self.isPassed) = (protocolName, address, isPassed)
  }

  var state: PortStatus.State {
    guard !isUnreachable else { return .failed }
    guard let problem else { return isIdentified ? .listening : .unidentified }
    return problem.errno == SystemError.addressInUse ? .inUse : .failed
  }
}

/// The daemon around the server of network clients.
package protocol NetworkServerHost: AnyObject {
  /// The devices of the service.
  var devices: [DeviceDescription] { get }
  /// The accounts of this machine.
  var accounts: AccountFiles { get }
  /// The rank of a process's user, for the limits.
  func member(_ process: PeerProcess) -> ClientBounds.Member
  /// A new client of the service.
  func arrive(_ client: ClientID, _ process: PeerProcess, _ protocolName: NetworkProtocol)
  /// A new client to which the settings send positions.
  func arrive(_ client: ClientID, at target: DatagramTarget)
  /// The rank of another machine, for the limits.
  func member(_ machine: IPAddress) -> ClientBounds.Member
  /// A new client of the service: the programs of another machine.
  func arrive(_ client: ClientID, _ machine: IPAddress, _ protocolName: NetworkProtocol)
  func leave(_ client: ClientID)
  func send(_ requests: [ClientRequest], from client: ClientID)
  /// Fills in a client's identity and authorization.
  func describe(_ client: ClientID, _ status: inout ClientStatus)
  func receive(_ event: NetworkEvent)
}

/// Events of network clients for the journal; they never contain a position.
package enum NetworkEvent: Hashable, Sendable {
  case listening(NetworkProtocol, at: String)
  case cannotListen(NetworkProtocol, at: String, SystemError)
  case cannotAccept(SystemError)
  case unidentified(NetworkProtocol, SocketOwnerError)
  /// The kernel reports the owner of no connection: its module is missing.
  case cannotIdentify
  case reached(ServiceBound)
  /// An address at which other machines could connect, without a list of those that may.
  case noAllowList(NetworkProtocol, at: String)
  /// The network helper cannot listen there; it is tried again.
  case cannotServeMachines(NetworkProtocol, at: String)
  /// NMEA 0183 is sent to an address.
  case sending(to: DatagramTarget)
  case cannotSend(to: DatagramTarget)
}

extension ClientBounds {
  /// For clients at ports: as many as users may have, and a reserve for administrators.
  package static var ofPorts: ClientBounds {
    var bounds = ClientBounds()
    (bounds.all, bounds.reserved) = (1056, 32)
    // Half of the clients of others: one user without a grant may have 65,536 user IDs (subuid(5)).
    (bounds.untrusted, bounds.ofGrantedUser, bounds.ofUntrustedUser) = (512, 128, 128)
    return bounds
  }
}

extension NetworkProtocol {
  /// The name of such clients in lists and prompts.
  package var clientName: String {
    switch self {
    case .gpsd: "gpsd client"
    case .nmea: "NMEA client"
    }
  }
}
