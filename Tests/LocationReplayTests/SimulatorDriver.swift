import Geodesy
import LocationReplay

/// Runs a simulated receiver in virtual time and keeps what it sends.
struct SimulatorDriver {
  var receiver: SimulatedReceiver
  /// The output, with times in milliseconds since power-on.
  private(set) var sent: [(milliseconds: Int64, bytes: [UInt8])] = []
  private let powerOn = Instant(nanoseconds: 5_000_000_000)

  init(_ configuration: SimulatedReceiver.Configuration) {
    receiver = SimulatedReceiver(configuration)
    receive(receiver.handle(.powered, at: powerOn), at: powerOn)
  }

  /// Calls the receiver at each of its deadlines until `elapsed` after power-on.
  mutating func run(until elapsed: Duration) {
    while let deadline = receiver.nextDeadline, deadline <= powerOn + elapsed {
      receive(receiver.handle(.wake, at: deadline), at: deadline)
    }
  }

  /// Passes bytes from the driver to the receiver.
  mutating func write(_ bytes: [UInt8], at elapsed: Duration) {
    receive(receiver.handle(.received(bytes), at: powerOn + elapsed), at: powerOn + elapsed)
  }

  /// All bytes that were sent.
  var bytes: [UInt8] { sent.flatMap(\.bytes) }

  private mutating func receive(_ actions: [SimulatedReceiver.Action], at now: Instant) {
    for case .send(let bytes) in actions { sent.append(((now - powerOn).wholeNanoseconds / 1_000_000, bytes)) }
  }
}
