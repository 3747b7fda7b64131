import Geodesy
import LinuxIO
import LocationReplay

/// A simulated receiver on an event loop, from power-on on.
final class PoweredReceiver {
  private let loop: EventLoop
  private let terminal: PseudoTerminal
  private var receiver: SimulatedReceiver
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private var timer: TimerID?
  private let extra: [UInt8]
  private let isMute: Bool
  private var isSendingExtra = false

  var path: String { terminal.path }

  init(_ arguments: Arguments, loop: EventLoop) throws(SystemError) {
    self.loop = loop
    (extra, isMute) = (arguments.extra, arguments.isMute)
    terminal = try PseudoTerminal()
    receiver = SimulatedReceiver(arguments.configuration)
    say(receiver.handle(.powered, at: loop.now))
    listen()
    if !arguments.waitsForDriver { sendExtra() }
  }

  private func sendExtra() {
    guard !extra.isEmpty else { return }
    isSendingExtra = true
    _ = terminal.write(extra)
    loop.schedule(at: loop.now + .seconds(1)) { [unowned self] in sendExtra() }
  }

  /// A terminal whose other end is closed reports that continuously, so it is polled at intervals.
  private func listen() {
    while case .bytes(let count) = terminal.read(into: &buffer) {
      say(receiver.handle(.received(Array(buffer[..<count])), at: loop.now))
      if !isSendingExtra { sendExtra() }
    }
    loop.schedule(at: loop.now + .milliseconds(10)) { [unowned self] in listen() }
  }

  private func say(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions where !isMute { _ = terminal.write(bytes) }
    guard let deadline = receiver.nextDeadline else { return }
    if let timer, loop.reschedule(timer, at: deadline) { return }
    timer = loop.schedule(at: deadline) { [unowned self] in
      timer = nil
      say(receiver.handle(.wake, at: loop.now))
    }
  }
}
