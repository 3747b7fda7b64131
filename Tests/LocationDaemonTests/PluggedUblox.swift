import Geodesy
import LinuxIO
import LocationReplay

/// A simulated u-blox at the other end of a pseudo-terminal, which only runs when `live` is called.
final class PluggedUblox {
  private let terminal: PseudoTerminal
  private(set) var receiver: SimulatedReceiver
  private var buffer = [UInt8](repeating: 0, count: 4096)

  var path: String { terminal.path }

  init(_ configuration: SimulatedReceiver.Configuration) throws {
    terminal = try PseudoTerminal()
    receiver = SimulatedReceiver(configuration)
    say(receiver.handle(.powered, at: MonotonicClock.now()))
  }

  /// A receiver with its factory settings, except for five epochs per second.
  convenience init(factorySet dialect: Dialect) throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.isFactorySet = true
    configuration.rateHertz = 5
    try self.init(configuration)
  }

  /// Receives the bytes that were written, and sends what is due.
  func live() {
    if case .bytes(let count) = terminal.read(into: &buffer) {
      say(receiver.handle(.received(Array(buffer[..<count])), at: MonotonicClock.now()))
    }
    say(receiver.handle(.wake, at: MonotonicClock.now()))
  }

  private func say(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions { _ = terminal.write(bytes) }
  }
}
