package import Fleet
import FleetDestinations
import Geodesy
package import LinuxIO

/// One connection of a destination, through the fleet helper's socket, or by a helper that this process starts for it.
package final class FleetLink {
  /// The argument that makes `locationd` run as the helper.
  package static let argument = "fleet-helper"
  /// The socket of the service's helper (`location-fleet.socket`).
  package static let systemHelper = "/run/locationd/fleet"
  /// The most that waits for the helper, bytes: the window of an outbox, with the longest bodies.
  private static let mostOutgoing = 4 * 1024 * 1024

  private let body: (FleetHelperMessage) -> Void
  private var stream: HelperStream?
  private var reader = FleetHelperMessageReader()

  /// Starts; `body` is called from the loop, never during this call. Its last message is `.ended`.
  ///
  /// - Parameters:
  ///   - path: the helper's socket.
  ///   - program: started if no process listens there; `nil`: none.
  package init(
    loop: EventLoop, path: String = systemHelper, program: HelperProgram? = .own(argument),
    _ connection: FleetConnection, _ body: @escaping (FleetHelperMessage) -> Void
  ) {
    self.body = body
    stream = HelperStream(
      loop: loop, path: path, program: program, onRead: { [unowned self] in receive($0) },
      onEnd: { [unowned self] in end(.helperFailed) })
    send(.connect(connection))
  }

  /// Sends a message to the helper; one that does not fit is left out, and the outbox sends it again.
  package func send(_ message: FleetHelperMessage) {
    guard let stream else { return }
    let bytes = message.bytes
    guard stream.outgoingCount + bytes.count <= Self.mostOutgoing else { return }
    stream.write(bytes)
  }

  /// Closes the connection at once; no message follows.
  package func close() { stream?.close() }

  private var isOpen: Bool { stream?.isOpen == true }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    // A message's handler may release this link, which must live until the end of the call.
    withExtendedLifetime(self) {
      for message in reader.push(bytes) where isOpen {
        if case .ended = message { close() }
        body(message)
      }
      if reader.isMalformed, isOpen { end(.helperFailed) }
    }
  }

  private func end(_ problem: FleetProblem) {
    close()
    body(.ended(problem, nil))
  }
}
