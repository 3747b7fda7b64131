import Foundation
import LinuxIO
import LocationIPC
import TestSupport
import Testing

/// The daemon under a service manager that starts it, listens on its socket and expects notifications from it, like systemd.
@Suite(.serialized) struct SystemdTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  @Test func itTakesTheSocketThatItIsGivenAndLeavesItsNameAlone() throws {
    let listener = try UnixListener(at: place.socket, UnixListener.Access(mode: 0o600))
    // A client that connects before the daemon runs.
    let early = try RawClient(place)
    early.send(.hello(ClientHello(name: "early")))
    let daemon = try RunningDaemon.listening(
      at: place, shell: "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$@\" 3<&0 0</dev/null", standardInput: listener.descriptor)
    guard case .hello? = try early.next() else {
      Issue.record("no greeting")
      return
    }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    #expect(FileManager.default.fileExists(atPath: place.socket), "it was not its own")
    withExtendedLifetime(listener.descriptor) {}
  }

  @Test func socketsThatWereMeantForAnotherProcessAreNotTaken() throws {
    let daemon = try RunningDaemon.listening(at: place, environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"])
    _ = try RawClient.greeted(place)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func itReportsHowItIs() throws {
    let ear = try NotificationSocket(place.folder.appendingPathComponent("notify").path)
    let daemon = try RunningDaemon.listening(
      at: place, environment: ["NOTIFY_SOCKET": ear.path, "WATCHDOG_USEC": "200000"])
    #expect(ear.next()?.first == "READY=1")
    #expect(ear.next() == ["WATCHDOG=1"])
    #expect(ear.next() == ["WATCHDOG=1"])
    daemon.send(SIGHUP)
    #expect(ear.next { $0 != ["WATCHDOG=1"] }?.first == "RELOADING=1")
    #expect(ear.next { $0 != ["WATCHDOG=1"] }?.first == "READY=1")
    daemon.send(SIGTERM)
    #expect(ear.next { $0 != ["WATCHDOG=1"] } == ["STOPPING=1"])
    #expect(daemon.end() == 0)
  }

  @Test func theJournalGetsAPriorityBeforeEachLine() throws {
    let daemon = try RunningDaemon(at: place, environment: ["JOURNAL_STREAM": "8:1"])
    #expect(try daemon.awaitLine("Listening").hasPrefix("<5>"))
  }
}

/// The socket on which systemd listens for the notifications of its services.
private final class NotificationSocket {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  /// The lines of the next notification for which `passes` returns `true`; `nil`: none came (a guard against hanging).
  func next(_ passes: ([String]) -> Bool = { _ in true }) -> [String]? {
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, 60_000) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      let lines = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
      if passes(lines) { return lines }
    }
  }
}
