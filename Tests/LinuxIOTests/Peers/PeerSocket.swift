import Glibc
import LinuxIO
import Testing
import TestSupport

/// A socket to which every user of this machine may connect, with clients in separate processes.
final class PeerSocket {
  let path: String
  private let folder: TemporaryFolder
  private let listener: UnixListener

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/socket"
    #expect(unsafe chmod(folder.path, 0o755) == 0)
    listener = try UnixListener(at: path, UnixListener.Access(mode: 0o666))
  }

  /// Waits for the next connection.
  func accept() throws -> UnixStream {
    try #require(waitReadable(listener.descriptor))
    guard let stream = try listener.accept() else { throw SystemError(operation: "accept", errno: EAGAIN) }
    return stream
  }

  /// A client in a separate process; see `peer-bed`.
  func client(_ words: String...) throws -> HelperProcess {
    try HelperProcess("peer-bed", ["client", path] + words, environment: [:])
  }

  /// A connection of this process.
  func connect() throws -> UnixStream { try UnixStream(connectingTo: UnixAddress(path: path)) }
}
