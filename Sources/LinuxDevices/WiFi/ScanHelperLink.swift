internal import Geodesy
internal import LinuxIO
internal import Positioning

/// The way to who has the privilege to scan: a connection for each order, one after the other.
final class ScanHelperLink {
  /// It is started by its first client, and the kernel answers at once.
  private static let patience: Duration = .seconds(5)
  /// More radios than a machine has; beyond them the answer is that there is none.
  private static let mostWaiting = 16

  private let loop: EventLoop
  private let path: String
  private var stream: UnixStream?
  private var watch: WatchID?
  private var timer: TimerID?
  private var waiting: [(order: ScanOrder, body: (Int32?) -> Void)] = []
  private var answer: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: ScanOrder.answerSize + 1)

  init(loop: EventLoop, path: String) {
    self.loop = loop
    self.path = path
  }

  /// `body` is called from the loop, once: with `errno` of what the kernel said, or `nil` where nobody answers.
  func ask(_ order: ScanOrder, _ body: @escaping (Int32?) -> Void) {
    guard waiting.count < Self.mostWaiting else {
      loop.schedule(at: loop.now) { body(nil) }
      return
    }
    waiting.append((order, body))
    if waiting.count == 1 { begin() }
  }

  /// Ends; no answer follows.
  func close() {
    waiting = []
    drop()
  }

  private func begin() {
    guard let order = waiting.first?.order else { return }
    do throws(SystemError) {
      let stream = try UnixStream(connectingTo: try UnixAddress(path: path))
      watch = try loop.watch(stream.descriptor) { [unowned self] _ in read() }
      timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in end(nil) }
      // A few hundred bytes into an empty socket.
      if case .written(ScanOrder.size) = stream.write(order.bytes[...]) {
        self.stream = consume stream
        return
      }
    } catch {}
    drop()
    timer = loop.schedule(at: loop.now) { [unowned self] in end(nil) }
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      answer += buffer[..<count]
      if answer.count >= ScanOrder.answerSize { end(ScanOrder.errno(answer.span)) }
    case .wouldBlock: break
    case .endOfFile, .failed: end(nil)
    }
  }

  private func end(_ errno: Int32?) {
    drop()
    guard !waiting.isEmpty else { return }
    let body = waiting.removeFirst().body
    if !waiting.isEmpty { begin() }
    body(errno)
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    stream = nil
    answer = []
  }
}
