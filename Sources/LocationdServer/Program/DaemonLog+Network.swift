import LinuxIO
import LocationIPC
import LocationdConfiguration
import LocationdHost
import NetworkSources

/// Log lines about programs at TCP ports, for the administrator.
extension DaemonLog {
  func write(_ event: NetworkEvent) {
    switch event {
    case .listening(let protocolName, let address):
      line(.notice, "Serving \(Self.name(protocolName)) at \(clean(address)).")
    case .cannotListen(let protocolName, let address, let error) where error.errno == SystemError.addressInUse:
      line(
        .warning,
        "Cannot serve \(Self.name(protocolName)) at \(clean(address)): another program, such as gpsd, listens there. End it and reload "
          + "locationd, or set \(Self.setting(protocolName)) to another port.")
    case .cannotListen(let protocolName, let address, let error):
      line(
        .warning,
        "Cannot serve \(Self.name(protocolName)) at \(clean(address)) (\(ErrorDescription.of(error.errno))): set "
          + "\(Self.setting(protocolName)) to another address.")
    case .cannotAccept(let error): line(.error, "Cannot accept a program at a TCP port: \(error.description).")
    case .unidentified(let protocolName, .notLocal):
      line(.warning, "A connection of another machine for \(Self.name(protocolName)) was closed.")
    case .unidentified(let protocolName, .gone), .unidentified(let protocolName, .closing):
      line(.debug, "A program that reads \(Self.name(protocolName)) closed its connection before it was served.")
    case .unidentified(let protocolName, .system(let error)):
      line(
        .warning,
        "A program that reads \(Self.name(protocolName)) gets no location, because the kernel cannot identify it "
          + "(\(ErrorDescription.of(error.errno))).")
    case .cannotIdentify:
      line(
        .warning,
        "No program at a TCP port gets a location: the kernel cannot identify them, because its module is missing. Run 'modprobe tcp_diag'."
      )
    case .noAllowList(let protocolName, let address):
      line(
        .warning,
        "Other machines are not served at \(clean(address)): name those that may connect in \(protocolName.name)-allow."
      )
    case .cannotServeMachines(let protocolName, let address):
      line(
        .warning,
        "The network helper cannot serve \(Self.name(protocolName)) at \(clean(address)): check that this machine has the address, and "
          + "that no other program has the port. It is tried again.")
    case .sending(let target): line(.notice, "Sending the position as NMEA 0183 to \(clean(target.text)).")
    case .cannotSend(let target) where target.mayBroadcast:
      line(
        .warning,
        "Cannot send NMEA 0183 to \(clean(target.text)): check the network and the address in nmea-send. It is tried again."
      )
    case .cannotSend(let target):
      line(
        .warning,
        "Cannot send NMEA 0183 to \(clean(target.text)): check the network and the address in nmea-send; the broadcast address of a network "
          + "needs '?broadcast=yes'. It is tried again.")
    case .reached: break
    }
  }

  private static func name(_ protocolName: NetworkProtocol) -> String {
    switch protocolName {
    case .gpsd: "gpsd's protocol"
    case .nmea: "NMEA 0183"
    }
  }

  private static func setting(_ protocolName: NetworkProtocol) -> String {
    switch protocolName {
    case .gpsd: "gpsd-listen"
    case .nmea: "nmea-listen"
    }
  }
}
