internal import Geodesy
internal import LinuxIO

/// The clients of a helper process of the service: each sends one request, receives one answer, and is disconnected.
/// The first connection starts the helper, and `onIdle` reports a period without clients.
final class HelperClients {
  /// The next step for the bytes received from a client so far.
  enum Step {
    /// Wait for more bytes, or for the answer.
    case wait
    case answer([UInt8])
    /// Disconnect: the bytes are not a valid request.
    case drop
  }

  /// Maximum time for a request to arrive, and for an answer to be read: clients send their request right after
  /// connecting, and wait for the answer.
  private static let patience: Duration = .seconds(5)
  /// The helper keeps running for this time after the last client, to serve further requests.
  private static let idleTime: Duration = .seconds(10)

  private final class Client {
    let stream: UnixStream
    let watch: WatchID
    let timer: TimerID
    var received: [UInt8] = []
    var answer: ArraySlice<UInt8> = []

    init(stream: consuming UnixStream, watch: WatchID, timer: TimerID) {
      self.stream = stream
      self.watch = watch
      self.timer = timer
    }
  }

  private let loop: EventLoop
  /// `nil` if the only client is the process that started the helper.
  private let listener: UnixListener?
  private let most: Int
  private let longestOrder: Int
  private let onIdle: () -> Void
  private var clients: [UInt64: Client] = [:]
  private var nextClient: UInt64 = 1
  private var idleTimer: TimerID?
  /// Called with the client's number and all bytes received from it, whenever there are more.
  var onReceived: ((UInt64, [UInt8]) -> Step)?

  /// - Parameters:
  ///   - most: maximum number of concurrent clients; further connections are closed.
  ///   - longestOrder: maximum size of a request, bytes.
  init(
    loop: EventLoop, listener: consuming UnixListener, most: Int, longestOrder: Int, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    let descriptor = listener.descriptor
    self.listener = consume listener
    (self.most, self.longestOrder, self.onIdle) = (most, longestOrder, onIdle)
    _ = try loop.watch(descriptor) { [unowned self] _ in accept() }
    waitIdle()
  }

  /// For a helper that was started by one client for itself.
  init(loop: EventLoop, client: consuming UnixStream, longestOrder: Int, onIdle: @escaping () -> Void) {
    self.loop = loop
    listener = nil
    (most, self.longestOrder, self.onIdle) = (1, longestOrder, onIdle)
    accept(client)
  }

  private func accept() {
    while let stream = try? listener?.accept() { accept(stream) }
    waitIdle()
  }

  private func accept(_ stream: consuming UnixStream) {
    guard clients.count < most else { return }
    let number = nextClient
    nextClient += 1
    guard let watch = try? loop.watch(stream.descriptor, { [unowned self] _ in ready(number) }) else { return }
    let timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in drop(number) }
    clients[number] = Client(stream: stream, watch: watch, timer: timer)
  }

  private func ready(_ number: UInt64) {
    guard let client = clients[number] else { return }
    if client.answer.isEmpty { read(client, number) } else { write(client, number) }
  }

  private func read(_ client: Client, _ number: UInt64) {
    // One byte more than a request, to detect a client that sends too much.
    var bytes = [UInt8](repeating: 0, count: longestOrder + 1)
    switch client.stream.read(into: &bytes) {
    case .bytes(let count):
      client.received += bytes[..<count]
      switch onReceived?(number, client.received) ?? .drop {
      case .wait: break
      case .answer(let answer): self.answer(number, answer)
      case .drop: drop(number)
      }
    case .wouldBlock: break
    case .endOfFile, .failed: drop(number)
    }
  }

  /// Sends the answer and then disconnects; does nothing if the client has disconnected.
  func answer(_ number: UInt64, _ bytes: [UInt8]) {
    guard let client = clients[number] else { return }
    client.answer = bytes[...]
    // The client gets the full time to read the answer, however long the work took. The loop's `now` is the time before
    // the work.
    loop.reschedule(client.timer, at: MonotonicClock.now() + Self.patience)
    write(client, number)
  }

  private func write(_ client: Client, _ number: UInt64) {
    while !client.answer.isEmpty {
      switch client.stream.write(client.answer) {
      case .written(let count): client.answer = client.answer.dropFirst(count)
      case .wouldBlock: return loop.change(client.watch, to: .writable)
      case .failed: return drop(number)
      }
    }
    drop(number)
  }

  private func drop(_ number: UInt64) {
    guard let client = clients.removeValue(forKey: number) else { return }
    loop.unwatch(client.watch)
    loop.cancel(client.timer)
    waitIdle()
  }

  private func waitIdle() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = nil
    guard clients.isEmpty else { return }
    // A helper without a listener cannot get another client.
    let time: Duration = listener == nil ? .zero : Self.idleTime
    idleTimer = loop.schedule(at: MonotonicClock.now() + time) { [unowned self] in onIdle() }
  }
}

/// The program that a process starts as its helper if no systemd unit provides one.
package struct HelperProgram: Hashable, Sendable {
  /// Searched for in PATH if it contains no slash.
  package var path: String
  /// The program's `argv[0]`.
  package var name: String
  package var arguments: [String]

  package init(path: String, name: String, arguments: [String]) {
    (self.path, self.name, self.arguments) = (path, name, arguments)
  }

  /// This program itself if it can run as `locationd`, which both programs of the package can; otherwise the installed
  /// `locationd`.
  ///
  /// - Parameter argument: the argument that makes `locationd` run as that helper.
  package static func own(_ argument: String) -> HelperProgram {
    let file = ProcessEnvironment.executable?.split(separator: "/").last ?? ""
    let isOurs = file == "locationd" || file == "locationctl"
    return HelperProgram(path: isOurs ? "/proc/self/exe" : "locationd", name: "locationd", arguments: [argument])
  }
}
