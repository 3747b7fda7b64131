import LinuxDevices
package import LinuxIO
import LocationIPC
package import LocationPolicy

/// The way to one user's agent, by its socket, or else to one that this process starts.
package final class AgentLink {
  /// What makes `locationd` an agent.
  package static let argument = "event-agent"

  /// An agent that leaves so many bytes of orders unread has stopped: four orders are under way at most.
  private static let mostWaiting = 4 * LaunchOrder.limit

  private let loop: EventLoop
  private let userID: UInt32
  private let place: AgentPlace
  private var stream: UnixStream?
  private var child: SocketChild?
  private var watch: WatchID?
  private var frames = FrameReader(limit: LaunchAnswer.limit)
  private var orders: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 4096)
  package var onAnswer: (LaunchAnswer) -> Void = { _ in }
  /// The agent has gone, or is none.
  package var onLost: () -> Void = {}

  package init(loop: EventLoop, userID: UInt32, at place: AgentPlace) {
    (self.loop, self.userID, self.place) = (loop, userID, place)
  }

  deinit { drop() }

  package func open() throws(AgentProblem) {
    drop()
    let stream = try connect()
    do throws(SystemError) {
      watch = try loop.watch(stream.descriptor) { [unowned self] in ready($0) }
    } catch {
      throw .system(errno: error.errno)
    }
    self.stream = consume stream
  }

  /// Sends an order; where the agent is not there any more, `onLost` follows from the loop.
  package func send(_ order: LaunchOrder) {
    orders += order.frame
    flush()
  }

  /// Lets the agent be; it ends by itself.
  package func close() { drop() }

  /// The same where this process ends: an agent of its own interrupts what runs.
  package func leave() {
    child?.leave()
    drop()
  }

  // MARK: -

  private func connect() throws(AgentProblem) -> UnixStream {
    do throws(SystemError) {
      return try UnixStream(connectingTo: UnixAddress(path: place.socket(of: userID)))
    } catch {
      guard error.isNobodyServing else { throw .system(errno: error.errno) }
    }
    let (program, sharesErrors) = try place.start(for: userID, own: ProcessEnvironment.userID)
    do throws(SystemError) {
      let child = try SocketChild(program.path, as: program.name, program.arguments, sharesErrors: sharesErrors)
      self.child = child
      if let stream = child.takeStream() { return stream }
      throw SystemError(operation: "start", errno: SystemError.noSuchThing)
    } catch {
      throw .cannotStart(errno: error.errno)
    }
  }

  private func ready(_ readiness: Readiness) {
    if readiness.writable { flush() }
    if readiness.readable || readiness.hangUp || readiness.error { read() }
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count): hear(buffer[..<count])
    case .wouldBlock: break
    case .endOfFile, .failed: lose()
    }
  }

  private func hear(_ bytes: ArraySlice<UInt8>) {
    frames.push(bytes)
    do throws(MessageError) {
      // Who hears an answer may close.
      while stream != nil, let payload = try frames.next() { onAnswer(try LaunchAnswer(Array(payload).span)) }
    } catch {
      lose()
    }
  }

  private func flush() {
    guard let watch else { return }
    while !orders.isEmpty {
      switch stream?.write(orders) {
      case .written(let count)?: orders = orders.dropFirst(count)
      case .wouldBlock?:
        // The kernel says when there is room; an agent that takes nothing is given up in its time.
        guard orders.count <= Self.mostWaiting else { return }
        return loop.change(watch, to: [.readable, .writable])
      // What it had to say may still be there to be read, and its end behind that.
      case .failed?, nil: orders = []
      }
    }
    loop.change(watch, to: .readable)
  }

  private func lose() {
    drop()
    onLost()
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    stream = nil
    child = nil
    frames = FrameReader(limit: LaunchAnswer.limit)
    orders = []
  }
}
