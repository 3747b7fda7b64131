import Foundation
import Geodesy
import LinuxDevices
import LinuxIO
import Testing
import TimeService

/// The helper of the time at real sockets.
@Suite struct TimeHelperTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "time-\(UUID().uuidString.prefix(8))")
  private var path: String { folder.appendingPathComponent("socket").path }
  private let sample = TimeSample(
    system: GNSSTime(nanosecondsSince1970: 1_800_000_000_123_456_789), offsetSeconds: 0.25, uncertaintySeconds: 0.1,
    isPulse: false, leap: .insert)

  /// - Parameter settings: what the helper reads from the configuration.
  private func serve(
    _ settings: @escaping () -> TimeSettings = { TimeSettings() },
    _ body: (EventLoop, TimeHelperLink) throws -> Void
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let loop = try EventLoop()
    let listener = try UnixListener(at: path, UnixListener.Access(mode: 0o600))
    let server = try TimeHelperServer(
      loop: loop, listener: listener, mark: folder.appendingPathComponent("mark").path,
      settings: settings, onSet: { _ in Issue.record("the clock was set") }, onIdle: {})
    loop.schedule(at: loop.now + .seconds(30)) {
      Issue.record("nothing came")
      loop.stop()
    }
    try withExtendedLifetime(server) { try body(loop, TimeHelperLink(loop: loop, path: path)) }
  }

  /// Only root may create a socket where chronyd has its own.
  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func aSampleReachesTheSocketByItsPathEachTime() throws {
    let target = "/run/chrony.test-\(UUID().uuidString.prefix(8)).sock"
    try serve({ [self] in settings(chrony: target) }) { loop, link in
      var answers: [TimeAnswer?] = []
      func send() throws {
        link.send(.socket(target, sample)) {
          answers.append($0)
          loop.stop()
        }
        try loop.run()
      }
      try send()
      for _ in 1...2 {
        let socket = try BoundSocket(target)
        try send()
        #expect(socket.receive()?.count == SockSample.size)
        _ = unsafe unlink(target)
      }
      try send()
      let none = TimeAnswer.sample(errno: ENOENT)
      #expect(answers == [none, .sample(errno: 0), .sample(errno: 0), none])
    }
  }

  private func settings(chrony socket: String, setsClock: Bool = false) -> TimeSettings {
    var settings = TimeSettings()
    settings.sinks.chrony = true
    (settings.socket, settings.setsClock) = (socket, setsClock)
    return settings
  }

  private func answers(to orders: [TimeOrder], _ loop: EventLoop, _ link: TimeHelperLink) throws -> [TimeAnswer?] {
    var answers: [TimeAnswer?] = []
    for order in orders {
      link.send(order) {
        answers.append($0)
        if answers.count == orders.count { loop.stop() }
      }
    }
    try loop.run()
    return answers
  }

  /// A service that is compromised reaches no clock that the administrator has not given it, and the settings are read again for each
  /// connection.
  @Test func ordersThatAreNotInTheSettingsAreRefused() throws {
    let refused = TimeAnswer.sample(errno: TimeAnswer.notInSettings)
    let (ours, other) = ("/run/chrony.test-none.sock", "/run/chrony.test-other.sock")
    var current = TimeSettings()
    try serve({ current }) { loop, link in
      let orders: [TimeOrder] = [
        .socket(ours, sample), .socket(other, sample), .sharedMemory(unit: 200, sample), .setClock(.seconds(3600)),
      ]
      #expect(try answers(to: orders, loop, link) == [refused, refused, refused, .clock(.refused(.disabled))])
      current = settings(chrony: ours)
      link.close()
      #expect(try answers(to: Array(orders.prefix(3)), loop, link) == [.sample(errno: ENOENT), refused, refused])
      link.close()
      guard case .circumstances(let known)? = try answers(to: [.circumstances], loop, link)[0] else {
        Issue.record("no circumstances")
        return
      }
      #expect(!known.isEnabled)
    }
  }

  /// A second is too small an error on every machine, so that no test can set a clock.
  @Test func theClockIsNotSetWithoutReason() throws {
    try serve { loop, link in
      var answers: [TimeAnswer?] = []
      link.send(.circumstances) { answers.append($0) }
      link.send(.setClock(.seconds(1))) {
        answers.append($0)
        loop.stop()
      }
      try loop.run()
      try #require(answers.count == 2)
      guard case .circumstances? = answers[0], case .clock(.refused)? = answers[1] else {
        Issue.record("\(answers)")
        return
      }
    }
  }

  @Test func nobodyAnswers() throws {
    let loop = try EventLoop()
    let link = TimeHelperLink(loop: loop, path: path)
    var answers: [TimeAnswer?] = []
    link.send(.circumstances) { answers.append($0) }
    #expect(answers == [nil])
  }

  /// A client that sends anything else is disconnected, and the next one is served.
  @Test func invalidOrdersAreDropped() throws {
    try serve { loop, link in
      let stream = try UnixStream(connectingTo: try UnixAddress(path: path))
      _ = stream.write(ArraySlice([UInt8](repeating: 9, count: TimeOrder.size)))
      var hungUp = false
      _ = try loop.watch(stream.descriptor) { _ in
        hungUp = true
        loop.stop()
      }
      try loop.run()
      #expect(hungUp)
    }
  }
}

/// A datagram socket at a path.
private final class BoundSocket {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (index, byte) in path.utf8.enumerated() { unsafe buffer[index] = byte }
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size)
      }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(buffer[..<count])
  }
}
