package import Fleet
import FleetDestinations
import Geodesy
package import LinuxDevices
package import LinuxIO
package import LocationdRecords

/// The connections of destinations to the fleet helper.
package final class FleetLinks {
  private let loop: EventLoop
  private let socket: String
  private let program: HelperProgram?
  private var links: [FleetLinkID: FleetLink] = [:]
  /// Connections that are being closed properly.
  private var closing: [FleetLinkID: FleetLink] = [:]
  /// Receives what the helper sends, with what waits on its connection; `handled` has to be called for each message.
  package var onMessage: (FleetLinkID, FleetHelperMessage, FleetInflow) -> Void = { _, _, _ in }
  /// How long the helper may take to disconnect.
  private static let patience: Duration = .seconds(10)

  package init(loop: EventLoop, socket: String, program: HelperProgram?) {
    (self.loop, self.socket, self.program) = (loop, socket, program)
  }

  package func open(_ id: FleetLinkID, _ connection: FleetConnection) {
    let inflow = FleetInflow()
    links[id] = FleetLink(loop: loop, path: socket, program: program, connection) { [unowned self] message in
      if case .ended = message {
        guard links.removeValue(forKey: id) != nil else {
          closing[id] = nil
          return
        }
      }
      guard closing[id] == nil else { return }
      switch inflow.arrive(message) {
      case .accepted: onMessage(id, message, inflow)
      case .dropped: break
      case .flooded:
        guard let link = links.removeValue(forKey: id) else { return }
        link.close()
        let end = FleetHelperMessage.ended(.helperFailed, nil)
        if inflow.arrive(end) == .accepted { onMessage(id, end, inflow) }
      }
    }
  }

  func send(_ id: FleetLinkID, _ message: FleetHelperMessage) { links[id]?.send(message) }

  /// Closes all connections, whose numbers are used again.
  func closeAll() {
    for link in links.values { link.close() }
    links = [:]
  }

  func close(_ id: FleetLinkID, isProper: Bool) {
    guard let link = links.removeValue(forKey: id) else { return }
    guard isProper else { return link.close() }
    link.send(.close)
    closing[id] = link
    loop.schedule(at: loop.now + Self.patience) { [weak self] in self?.closing.removeValue(forKey: id)?.close() }
  }
}
