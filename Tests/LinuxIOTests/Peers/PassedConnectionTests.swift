import Glibc
import LinuxIO
import TestSupport
import Testing

/// TCP connections that one process accepts and another one serves.
@Suite struct PassedConnectionTests {
  private func pair() throws -> (listener: TCPListener, port: UInt16) {
    for _ in 0..<64 {
      let port = UInt16.random(in: 20_000..<60_000)
      let address = try #require(NetworkAddress(numeric: "127.0.0.1", port: port))
      do throws(SystemError) {
        return (try TCPListener(at: address), port)
      } catch {
        guard error.errno == EADDRINUSE else { throw error }
      }
    }
    throw SystemError(operation: "bind", errno: EADDRINUSE)
  }

  /// The connection arrives with its message, and works when the sender's copy is closed.
  @Test func aConnectionArrivesWithItsMessage() throws {
    let folder = try TemporaryFolder()
    let server = try UnixListener(at: folder.path + "/socket", UnixListener.Access(mode: 0o600))
    let sender = try UnixStream(connectingTo: UnixAddress(path: folder.path + "/socket"))
    #expect(waitReadable(server.descriptor))
    guard let receiver = try server.accept() else { throw SystemError(operation: "accept", errno: EAGAIN) }
    let (listener, port) = try pair()
    let client = try TCPConnection(to: try #require(NetworkAddress(numeric: "127.0.0.1", port: port)))
    #expect(waitReadable(listener.descriptor))
    do {
      guard let accepted = try listener.accept() else { throw SystemError(operation: "accept", errno: EAGAIN) }
      guard case .written(3) = sender.write([7, 0, 0], passing: accepted) else {
        Issue.record("The message was not written.")
        return
      }
    }
    #expect(waitReadable(receiver.descriptor))
    var buffer = [UInt8](repeating: 0, count: 64)
    var passed: TCPConnection?
    guard case .bytes(3) = receiver.read(into: &buffer, taking: &passed) else {
      Issue.record("The message did not arrive.")
      return
    }
    guard let connection = passed.take() else {
      Issue.record("The connection did not arrive.")
      return
    }
    #expect(Array(buffer[..<3]) == [7, 0, 0])
    guard case .written(2) = connection.write([1, 2]) else {
      Issue.record("The connection cannot be written.")
      return
    }
    #expect(waitReadable(client.descriptor))
    guard case .bytes(2) = client.read(into: &buffer) else {
      Issue.record("The client received nothing.")
      return
    }
    // Nothing comes with ordinary bytes.
    _ = sender.write([9][...])
    #expect(waitReadable(receiver.descriptor))
    guard case .bytes(1) = receiver.read(into: &buffer, taking: &passed) else {
      Issue.record("The byte did not arrive.")
      return
    }
    let isEmpty = passed.take() == nil
    #expect(isEmpty)
  }

  /// Addresses of this machine, and one for documentation (RFC 5737), which no machine has.
  @Test func addressesOfThisMachine() throws {
    #expect(try #require(NetworkAddress(numeric: "127.0.0.1", port: 2947)).isOfThisMachine)
    #expect(try #require(NetworkAddress(numeric: "::1", port: 2947)).isOfThisMachine)
    #expect(try !#require(NetworkAddress(numeric: "192.0.2.77", port: 2947)).isOfThisMachine)
  }
}
