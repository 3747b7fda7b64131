import LinuxIO
import LocationIPC
import LocationPolicy

/// One connection to a user's agent: reads requests, sends answers.
final class AgentClient {
  /// Maximum number of unread bytes of answers; a client with more is assumed to have stopped reading.
  private static let mostWaiting = 65_536

  private let loop: EventLoop
  private let stream: UnixStream
  private var watch: WatchID?
  private var frames = FrameReader(limit: LaunchRequest.limit)
  private var answers: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  private let number: UInt64
  private unowned let agent: EventAgent

  init(loop: EventLoop, _ stream: consuming UnixStream, number: UInt64, of agent: EventAgent) {
    (self.loop, self.number, self.agent) = (loop, number, agent)
    self.stream = stream
  }

  deinit { close() }

  func begin() throws(SystemError) { watch = try loop.watch(stream.descriptor) { [unowned self] in ready($0) } }

  /// The next request; `nil` if none has arrived in full yet.
  func next() throws(MessageError) -> LaunchRequest? {
    guard let payload = try frames.next() else { return nil }
    return try LaunchRequest(Array(payload).span)
  }

  func answer(_ answer: LaunchResponse) {
    answers += answer.frame
    flush()
  }

  /// Stops or resumes reading. During a pause, requests stay in the socket because no run can start.
  func pause(_ isPaused: Bool) {
    guard let watch else { return }
    loop.change(watch, to: interest(isPaused: isPaused))
    self.isPaused = isPaused
  }

  func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  // MARK: -

  private var isPaused = false

  private func interest(isPaused: Bool) -> Interest {
    var interest: Interest = isPaused ? [] : .readable
    if !answers.isEmpty { interest.insert(.writable) }
    return interest
  }

  private func ready(_ readiness: Readiness) {
    if readiness.writable { flush() }
    guard watch != nil else { return }
    if readiness.hangUp || readiness.error || (readiness.readable && !isPaused) { read() }
  }

  private func read() {
    switch stream.read(into: &buffer) {
    case .bytes(let count):
      frames.push(buffer[..<count])
      agent.takeOrders()
    case .wouldBlock: break
    case .endOfFile, .failed: end()
    }
  }

  private func flush() {
    guard let watch else { return }
    while !answers.isEmpty {
      switch stream.write(answers) {
      case .written(let count): answers = answers.dropFirst(count)
      case .wouldBlock:
        guard answers.count <= Self.mostWaiting else { return end() }
        return loop.change(watch, to: interest(isPaused: isPaused))
      case .failed: return end()
      }
    }
    loop.change(watch, to: interest(isPaused: isPaused))
  }

  private func end() {
    guard watch != nil else { return }
    close()
    agent.lost(number)
  }
}
