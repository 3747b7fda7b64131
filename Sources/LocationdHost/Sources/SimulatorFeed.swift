import Geodesy
package import LinuxIO
package import LocationReplay

/// A simulated receiver at the other end of a pseudo-terminal: everything from the serial port on is the real
/// implementation.
package final class SimulatorFeed {
  private let loop: EventLoop
  private let terminal: PseudoTerminal
  private var receiver: SimulatedReceiver
  private var buffer = [UInt8](repeating: 0, count: 1024)
  private var watch: WatchID?
  private var timer: TimerID?

  /// The path of the terminal that the driver opens.
  package var path: String { terminal.path }

  package init(loop: EventLoop, _ configuration: SimulatedReceiver.Configuration) throws(SystemError) {
    self.loop = loop
    terminal = try PseudoTerminal()
    receiver = SimulatedReceiver(configuration)
  }

  /// Powers the receiver on.
  package func begin() throws(SystemError) {
    watch = try loop.watch(terminal.descriptor) { [unowned self] readiness in
      // While the other end is closed, a terminal reports a hang-up repeatedly, until the driver opens it.
      if readiness.hangUp { pauseUntilOpened() } else { answer() }
    }
    execute(receiver.handle(.powered, at: loop.now))
  }

  private func answer() {
    guard case .bytes(let count) = terminal.read(into: &buffer) else { return }
    execute(receiver.handle(.received(Array(buffer[..<count])), at: loop.now))
  }

  private func pauseUntilOpened() {
    guard let watch else { return }
    loop.unwatch(watch)
    self.watch = nil
  }

  private func execute(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions { _ = terminal.write(bytes) }
    guard let deadline = receiver.nextDeadline else { return }
    if let timer, loop.reschedule(timer, at: deadline) { return }
    timer = loop.schedule(at: deadline) { [unowned self] in
      timer = nil
      listenAgain()
      execute(receiver.handle(.wake, at: loop.now))
    }
  }

  /// Checks once an epoch whether the driver has opened the terminal.
  private func listenAgain() {
    guard watch == nil else { return }
    watch = try? loop.watch(terminal.descriptor) { [unowned self] readiness in
      if readiness.hangUp { pauseUntilOpened() } else { answer() }
    }
  }
}
