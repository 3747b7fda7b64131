import Geodesy
import LinuxIO
import LocationReplay
import LocationdClient
import LocationdServer
import LocationdService
import TestSupport

/// A simulated receiver at the other end of a pseudo-terminal that receives nothing correctly at a wrong baud rate, like a UART.
final class SimulatedLine {
  private let terminal: PseudoTerminal
  private var receiver: SimulatedReceiver
  private let baud: Int
  /// The number of bytes that were written to it.
  private(set) var written = 0
  private var buffer = [UInt8](repeating: 0, count: 1024)
  /// If set, it sends nothing more.
  var isMute = false

  var path: String { terminal.path }

  init(_ configuration: SimulatedReceiver.Configuration) throws {
    terminal = try PseudoTerminal()
    receiver = SimulatedReceiver(configuration)
    baud = configuration.baud
  }

  /// Runs on the host's loop, as long as the loop runs.
  func begin(on host: EmbeddedHost) {
    execute(receiver.handle(.powered, at: host.now), host)
  }

  private func execute(_ actions: [SimulatedReceiver.Action], _ host: EmbeddedHost) {
    if case .bytes(let count) = terminal.read(into: &buffer) { written += count }
    for case .send(let bytes) in actions where !isMute {
      _ = terminal.write(LineGarbler.garble(bytes, talked: baud, received: terminal.slaveSpeed ?? baud))
    }
    guard let deadline = receiver.nextDeadline else { return }
    host.setTimer(after: max(.zero, deadline - host.now)) { [weak self, unowned host] in
      guard let self else { return }
      execute(receiver.handle(.wake, at: host.now), host)
    }
  }
}
