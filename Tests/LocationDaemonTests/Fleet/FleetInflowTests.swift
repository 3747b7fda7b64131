import Fleet
import FleetDestinations
import Foundation
import LinuxIO
import LocationdRecords
import LocationdServer
import Testing

/// A server or a helper that sends more than it was asked for.
@Suite struct FleetInflowTests {
  @Test func commandsAreDroppedBeforeAnswersAndAFloodEndsTheConnection() {
    let inflow = FleetInflow()
    for _ in 0..<FleetInflow.mostBesideCommand { #expect(inflow.arrive(.command([1])) == .accepted) }
    #expect(inflow.arrive(.command([1])) == .dropped)
    for id in FleetInflow.mostBesideCommand..<FleetInflow.most {
      #expect(inflow.arrive(.answered(UInt64(id), .mqtt(0))) == .accepted)
    }
    #expect(inflow.arrive(.answered(0, .mqtt(0))) == .flooded)
    #expect(inflow.arrive(.ended(.closed, nil)) == .accepted)
    inflow.handled()
    inflow.handled()
    #expect(inflow.arrive(.answered(0, .mqtt(0))) == .accepted)
  }

  /// A process in the helper's place that sends answers nobody has asked for, while the thread of the destinations hangs.
  @Test func aFloodOfAnswersEndsTheConnection() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(folder.path + "/socket")
    let loop = try EventLoop(ownsProcess: false)
    let links = FleetLinks(loop: loop, socket: folder.path + "/socket", program: nil)
    var received: [FleetHelperMessage] = []
    links.onMessage = { _, message, _ in
      received.append(message)
      if case .ended = message { loop.stop() }
    }
    let frames = (0..<1000).flatMap { FleetHelperMessage.answered(UInt64($0), .mqtt(0)).bytes }
    let flood = Thread { listener.acceptAndWrite(frames) }
    flood.start()
    let address = try FleetAddress(parsing: "mqtts://h")
    links.open(FleetLinkID(1), FleetConnection(kind: .mqtt, server: address.server, isEncrypted: true))
    try loop.run()
    #expect(received.count == FleetInflow.most + 1 && received.last == .ended(.helperFailed, nil))
  }

  /// All answers that may be in flight have room.
  @Test func theWindowsHaveRoom() {
    for kind in FleetKind.allCases { #expect(kind.window + kind.stateWindow < FleetInflow.most) }
  }
}

/// A socket that one client connects to.
private final class UnixListener: Sendable {
  private let descriptor: Int32

  struct Failed: Error {}

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < 107 else { throw Failed() }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    guard isBound == 0, listen(descriptor, 1) == 0 else { throw Failed() }
  }

  deinit { close(descriptor) }

  /// Writes until the client closes the connection.
  func acceptAndWrite(_ bytes: [UInt8]) {
    let client = accept(descriptor, nil, nil)
    defer { close(client) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
