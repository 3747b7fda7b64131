import Foundation
import LinuxIO
import Synchronization

/// A receiver whose path does not exist until it is plugged in; from then on it sends an epoch every second. It ends with this
/// object.
final class LateReceiver {
  /// The state that its thread shares with it.
  private final class Line: Sendable {
    let isOver = Atomic(false)
    let isThere = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
  }

  private let folder: TemporaryFolder
  private let line = Line()
  private var isPluggedIn = false

  /// The path of the port.
  var path: String { folder.url.appendingPathComponent("gps").path }

  init() throws { folder = try TemporaryFolder() }

  deinit {
    guard isPluggedIn else { return }
    line.isOver.store(true, ordering: .releasing)
    line.hasEnded.wait()
  }

  /// Makes the path lead to a port.
  func plugIn() {
    isPluggedIn = true
    Thread { [line, path] in
      defer { line.hasEnded.signal() }
      guard let terminal = try? PseudoTerminal() else {
        line.isThere.signal()
        return
      }
      try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: terminal.path)
      line.isThere.signal()
      var said = 0
      while !line.isOver.load(ordering: .acquiring) {
        let now = Int(Date().timeIntervalSince1970)
        if now != said { _ = terminal.write(Array(Self.epoch(at: now).utf8)) }
        said = now
        Thread.sleep(forTimeInterval: 0.1)
      }
    }.start()
    line.isThere.wait()
  }

  /// The sentences of one second, counted from 1970.
  private static func epoch(at second: Int) -> String {
    var time = time_t(second)
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { String(format: "%02d", number % 100) }
    let clock = unsafe two(parts.tm_hour) + two(parts.tm_min) + two(parts.tm_sec) + ".00"
    let day = unsafe two(parts.tm_mday) + two(parts.tm_mon + 1) + two(parts.tm_year)
    return [
      "GPRMC,\(clock),A,4717.1000,N,00833.9000,E,0.0,0.0,\(day),,,A",
      "GPGGA,\(clock),4717.1000,N,00833.9000,E,1,08,1.0,400.0,M,47.0,M,,",
    ].map { "$" + $0 + String(format: "*%02X\r\n", $0.utf8.reduce(0) { $0 ^ $1 }) }.joined()
  }
}
