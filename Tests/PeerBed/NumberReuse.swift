import Glibc
import LinuxIO

/// Clients that connect and end, whose connection stays open, and whose process ID is given to another process: is that process
/// ever taken for the client?
struct NumberReuse {
  private let path: String

  init(socket path: String) { self.path = path }

  /// The results of the attempts.
  private struct Counts {
    var known = 0
    var reused = 0
    var taken = 0
    var ended = 0
  }

  func run(tries: Int) {
    guard let listener = try? UnixListener(at: path, UnixListener.Access(mode: 0o600)) else { exit(73) }
    var counts = Counts()
    for number in 0..<tries { attempt(number, listener, &counts) }
    Kernel.say(
      "tries \(tries) known \(counts.known) reused \(counts.reused) taken \(counts.taken) ended \(counts.ended)")
  }

  private func attempt(_ number: Int, _ listener: borrowing UnixListener, _ counts: inout Counts) {
    // This process keeps the socket open, so that the connection outlives its client.
    let socket = Kernel.makeSocket()
    defer { close(socket) }
    let client = begin { Kernel.connect(socket, to: path) }
    var wait = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, 10_000) == 1 else { exit(74) }
    // In one case, the service does not run until another process has the process ID, and then only the socket itself can show
    // that; in the others, it runs.
    if number % 3 == 2, let stream = try? listener.accept() {
      reuse(client, &counts) { count(Result { () throws(PeerError) in try Self.identify(stream, .bySocket) }, &$0) }
    } else if let stream = try? listener.accept() {
      guard let peer = try? ConnectedPeer(stream, best: number % 3 == 0 ? .bySocket : .byNumber),
        let process = try? peer.identify(), process.credentials.processID == client
      else { return }
      counts.known += 1
      reuse(client, &counts) { counts in
        do throws(PeerError) {
          _ = try peer.identify()
          counts.taken += 1
        } catch {
          if error == .ended { counts.ended += 1 }
        }
      }
    }
  }

  private static func identify(_ stream: borrowing UnixStream, _ best: ConnectedPeer.Hold) throws(PeerError)
    -> PeerProcess
  {
    try ConnectedPeer(stream, best: best).identify()
  }

  private func count(_ result: Result<PeerProcess, PeerError>, _ counts: inout Counts) {
    switch result {
    case .success: counts.taken += 1
    case .failure(.ended): counts.ended += 1
    case .failure: break
    }
  }

  /// Ends the process and starts another one with its process ID while `body` runs.
  private func reuse(_ process: Int32, _ counts: inout Counts, _ body: (inout Counts) -> Void) {
    end(process)
    Kernel.write("\(process - 1)", to: "/proc/sys/kernel/ns_last_pid")
    let other = begin {}
    if other == process { counts.reused += 1 }
    body(&counts)
    end(other)
  }

  /// Starts a process that executes `body` and then does nothing.
  private func begin(_ body: () -> Void) -> Int32 {
    let child = Kernel.fork()
    Kernel.check(child, "fork")
    guard child == 0 else { return child }
    body()
    while true { pause() }
  }

  private func end(_ process: Int32) {
    kill(process, SIGKILL)
    var status: Int32 = 0
    _ = unsafe waitpid(process, &status, 0)
  }
}
