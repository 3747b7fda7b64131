internal import Geodesy
internal import LinuxIO

/// Those who have connected to a helper of the service: each gives one order, is answered once, and is let go. The helper is started
/// when somebody connects, and is told when nobody has for a while.
final class HelperClients {
  /// What is to be done with what a client has sent so far.
  enum Step {
    /// Nothing: more has to come, or its answer will.
    case wait
    case answer([UInt8])
    /// It does not know what an order is.
    case drop
  }

  /// An order stands in the socket when its client has connected; an answer is read by who waits for it.
  private static let patience: Duration = .seconds(5)
  /// Orders that follow sooner find it running.
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
  /// `nil`: there is only the one that has started it.
  private let listener: UnixListener?
  private let most: Int
  private let longestOrder: Int
  private let onIdle: () -> Void
  private var clients: [UInt64: Client] = [:]
  private var nextClient: UInt64 = 1
  private var idleTimer: TimerID?
  /// Called with the client's number and all that it has sent, whenever that is more.
  var onReceived: ((UInt64, [UInt8]) -> Step)?

  /// - Parameters:
  ///   - most: who is there at once; whoever comes beyond that is let go.
  ///   - longestOrder: bytes.
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

  /// Those of a helper that one client has started for itself.
  init(loop: EventLoop, client: consuming UnixStream, longestOrder: Int, onIdle: @escaping () -> Void) {
    self.loop = loop
    listener = nil
    (most, self.longestOrder, self.onIdle) = (1, longestOrder, onIdle)
    take(client)
  }

  private func accept() {
    while let stream = try? listener?.accept() { take(stream) }
    waitIdle()
  }

  private func take(_ stream: consuming UnixStream) {
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
    // One byte more than an order has: who sends that, at once or later, does not know what an order is.
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

  /// Answers a client that is still there, and lets it go.
  func answer(_ number: UInt64, _ bytes: [UInt8]) {
    guard let client = clients[number] else { return }
    client.answer = bytes[...]
    // The time that it took was not the client's; nor does the loop's clock know of it.
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
    // Nobody else will come to one that has no socket of its own.
    let time: Duration = listener == nil ? .zero : Self.idleTime
    idleTimer = loop.schedule(at: MonotonicClock.now() + time) { [unowned self] in onIdle() }
  }
}

/// The program that a process starts as its helper, where no unit of the service does.
package struct HelperProgram: Hashable, Sendable {
  /// Is looked for in PATH where it has no slash.
  package var path: String
  /// What it sees as its own name.
  package var name: String
  package var arguments: [String]

  package init(path: String, name: String, arguments: [String]) {
    (self.path, self.name, self.arguments) = (path, name, arguments)
  }

  /// This program itself, where it can be `locationd`, as both programs of the package can; else the one that is installed.
  ///
  /// - Parameter argument: what makes `locationd` that helper.
  package static func own(_ argument: String) -> HelperProgram {
    let file = ProcessEnvironment.executable?.split(separator: "/").last ?? ""
    let isOurs = file == "locationd" || file == "locationctl"
    return HelperProgram(path: isOurs ? "/proc/self/exe" : "locationd", name: "locationd", arguments: [argument])
  }
}
