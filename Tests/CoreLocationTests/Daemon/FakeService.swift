import Foundation
import LinuxIO

/// Some other program that listens on the socket of `locationd`: it answers every connection with the same bytes and keeps it
/// open. It ends when this object is released.
final class FakeService {
  private let mailbox: LoopMailbox<Void>
  private let done = DispatchSemaphore(value: 0)

  /// The objects on its thread.
  private final class Listening {
    let socket: UnixListener
    var connections: [Connection] = []

    final class Connection {
      let stream: UnixStream
      init(_ stream: consuming UnixStream) { self.stream = stream }
    }

    init(at path: String) throws(SystemError) {
      socket = try UnixListener(at: path, UnixListener.Access(mode: 0o600))
    }

    func accept(answering answer: [UInt8]) {
      while let stream = try? socket.accept() {
        let connection = Connection(stream)
        _ = connection.stream.write(answer[...])
        connections.append(connection)
      }
    }
  }

  init(at path: String, answering answer: [UInt8]) throws {
    let mailbox = try LoopMailbox<Void>()
    self.mailbox = mailbox
    let (ready, done) = (DispatchSemaphore(value: 0), done)
    Thread {
      try? Self.serve(at: path, answering: answer, until: mailbox) { _ = ready.signal() }
      // For the case that `serve` threw before.
      ready.signal()
      done.signal()
    }.start()
    ready.wait()
    guard FileManager.default.fileExists(atPath: path) else { throw CocoaError(.fileNoSuchFile) }
  }

  /// Everything is released when this function returns.
  private static func serve(
    at path: String, answering answer: [UInt8], until mailbox: LoopMailbox<Void>, whenReady: () -> Void
  ) throws(SystemError) {
    let loop = try EventLoop(ownsProcess: false)
    let listening = try Listening(at: path)
    try loop.receive(from: mailbox) { [unowned loop] _ in loop.stop() }
    _ = try loop.watch(listening.socket.descriptor) { [unowned listening] _ in listening.accept(answering: answer) }
    whenReady()
    try loop.run()
    withExtendedLifetime(listening) {}
  }

  deinit {
    mailbox.post(())
    done.wait()
  }
}
