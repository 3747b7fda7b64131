import Foundation
import Geodesy
@testable import LinuxDevices
import LinuxIO
import Positioning
import TestSupport
import Testing

/// The helper at a real socket, with the kernel of the machine that runs the tests.
@Suite struct ScanHelperTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scan-helper-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("socket").path }

  private func serve(_ body: (EventLoop) throws -> Void, onIdle: @escaping () -> Void = {}) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let loop = try EventLoop()
    let listener = try UnixListener(at: path, UnixListener.Access(mode: 0o600))
    let server = try ScanHelperServer(loop: loop, listener: listener, onIdle: onIdle)
    loop.schedule(at: loop.now + .seconds(30)) {
      Issue.record("nothing came")
      loop.stop()
    }
    try withExtendedLifetime(server) { try body(loop) }
  }

  /// If the kernel has no Wi-Fi, the answer says so; if it has, there is no interface with that number.
  @Test func anOrderIsAnswered() throws {
    let hasWiFi = FileManager.default.fileExists(atPath: "/sys/class/ieee80211")
    try serve { loop in
      let order = try #require(ScanRequest(interface: 2_000_000_000, frequencies: [2412, 5180]))
      let link = ScanHelperLink(loop: loop, path: path)
      var answers: [Int32?] = []
      for _ in 1...3 {
        link.ask(order) { errno in
          answers.append(errno)
          if answers.count == 3 { loop.stop() }
        }
      }
      try loop.run()
      // ENODEV requires the privilege; without it, the kernel reports EPERM first.
      let expected: [Int32?] = hasWiFi ? [19, 1] : [95]
      #expect(answers.count == 3 && answers.allSatisfy { expected.contains($0) })
    }
  }

  @Test func nobodyAnswers() throws {
    let loop = try EventLoop()
    let order = try #require(ScanRequest(interface: 1, frequencies: []))
    let link = ScanHelperLink(loop: loop, path: path)
    var answers: [Int32?] = []
    link.ask(order) { errno in
      answers.append(errno)
      loop.stop()
    }
    #expect(answers.isEmpty)
    try loop.run()
    #expect(answers == [nil])
  }

  /// An invalid order gets no answer, and its sender is disconnected.
  @Test(arguments: [
    [UInt8](repeating: 0, count: ScanRequest.size), [UInt8](repeating: 0xFF, count: ScanRequest.size),
    [UInt8](repeating: 1, count: ScanRequest.size + 1),
  ]) func whatIsNoOrder(_ bytes: [UInt8]) throws {
    try serve { loop in
      let stream = try UnixStream(connectingTo: try UnixAddress(path: path))
      #expect(stream.write(bytes[...]) == .written(bytes.count))
      var outcome: ReadResult?
      let watch = try loop.watch(stream.descriptor) { _ in loop.stop() }
      try loop.run()
      var buffer = [UInt8](repeating: 0, count: 16)
      outcome = stream.read(into: &buffer)
      loop.unwatch(watch)
      // If it has unread bytes, the helper resets the connection instead.
      switch outcome {
      case .endOfFile?, .failed?: break
      case .bytes?, .wouldBlock?, nil: Issue.record("an answer, or none")
      }
    }
  }

  /// Each client after the eighth is disconnected at once.
  @Test func manyClients() throws {
    try serve { loop in
      var descriptors: [Int32] = []
      for _ in 0..<9 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
          for (index, byte) in path.utf8.enumerated() { unsafe target[index] = byte }
        }
        let length = socklen_t(2 + path.utf8.count + 1)
        let result = unsafe withUnsafePointer(to: &address) {
          unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
        }
        #expect(result == 0)
        descriptors.append(descriptor)
      }
      defer { for descriptor in descriptors { close(descriptor) } }
      let last = try #require(descriptors.last)
      let watch = try loop.watch(last) { _ in loop.stop() }
      try loop.run()
      loop.unwatch(watch)
      var byte: UInt8 = 0
      #expect(unsafe read(last, &byte, 1) == 0)
      #expect(unsafe recv(descriptors[0], &byte, 1, Int32(MSG_DONTWAIT)) == -1)
    }
  }
}
