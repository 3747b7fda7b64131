internal import Geodesy
package import LinuxIO
package import TimeService

/// Client of the privileged process of the service's time: one connection, which is opened again after an error.
package final class TimeHelperLink {
  /// The argument that makes `locationd` run as that process.
  package static let argument = "time-helper"
  /// Its socket (`location-time.socket`).
  package static let systemSocket = "/run/locationd/time"

  /// More orders than a second has; further ones are dropped, because an old sample is of no use.
  private static let mostUnanswered = 32

  private let loop: EventLoop
  private let path: String
  private var stream: UnixStream?
  private var watch: WatchID?
  private var answers: [UInt8] = []
  private var waiting: [(TimeAnswer?) -> Void] = []
  private var buffer = [UInt8](repeating: 0, count: 16 * TimeAnswer.size)

  package init(loop: EventLoop, path: String = systemSocket) { (self.loop, self.path) = (loop, path) }

  deinit { drop() }

  /// `body` is called once from the loop, at once if there is no helper: with its answer, or `nil`.
  package func send(_ order: TimeOrder, _ body: @escaping (TimeAnswer?) -> Void) {
    guard waiting.count < Self.mostUnanswered, connect() else { return body(nil) }
    guard case .written(TimeOrder.size)? = stream?.write(order.encoded[...]) else {
      fail()
      return body(nil)
    }
    waiting.append(body)
  }

  /// Closes the connection; no answers follow.
  package func close() {
    waiting = []
    drop()
  }

  private func connect() -> Bool {
    if watch != nil { return true }
    do throws(SystemError) {
      let stream = try UnixStream(connectingTo: try UnixAddress(path: path))
      watch = try loop.watch(stream.descriptor) { [unowned self] _ in read() }
      self.stream = consume stream
      return true
    } catch {
      return false
    }
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count): answers += buffer[..<count]
    case .wouldBlock: return
    case .endOfFile, .failed: return fail()
    }
    while answers.count >= TimeAnswer.size, !waiting.isEmpty {
      let answer = TimeAnswer(answers.prefix(TimeAnswer.size))
      answers.removeFirst(TimeAnswer.size)
      waiting.removeFirst()(answer)
    }
  }

  private func fail() {
    drop()
    let unanswered = waiting
    waiting = []
    for body in unanswered { body(nil) }
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    stream = nil
    answers = []
  }
}
