import Foundation
import Geodesy
import LocationReplay

/// A simulated receiver at the other end of a pseudo-terminal; it sends an epoch whenever the test calls `speak`.
final class SimulatedPort {
  let path: String
  private let master: FileHandle
  private var receiver: SimulatedReceiver
  private var now = Instant(nanoseconds: 0)

  init(_ dialect: Dialect, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }) throws {
    var (master, slave) = (Int32(-1), Int32(-1))
    guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else { throw TerminalRun.NoTerminal() }
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(slave)")
    // The program that opens the port is then the only one that has it open.
    close(slave)
    self.master = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    change(&configuration)
    receiver = SimulatedReceiver(configuration)
    send(receiver.handle(.powered, at: now))
  }

  /// Advances the receiver's time by one second; the receiver answers the requests that it received, and sends its epoch.
  func speak() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(master.fileDescriptor, &buffer, buffer.count)
    if count > 0 { send(receiver.handle(.received(Array(buffer[..<count])), at: now)) }
    now = now + .seconds(1)
    send(receiver.handle(.wake, at: now))
  }

  private func send(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions { _ = unsafe write(master.fileDescriptor, bytes, bytes.count) }
  }
}
