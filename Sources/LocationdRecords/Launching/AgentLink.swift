import LinuxDevices
import LinuxIO
import LocationIPC
package import LocationPolicy

/// Receives the answers of an agent.
protocol AgentLinkObserver: AnyObject {
  func receive(_ answer: LaunchResponse, fromAgentOf userID: UInt32)
  /// The connection to the agent was lost, or the peer is not a valid agent.
  func lostAgent(of userID: UInt32)
}

/// Connection to one user's agent: through the agent's socket, or to a child process that this process starts.
package final class AgentLink {
  /// The argument that makes `locationd` run as an agent.
  package static let argument = "event-agent"

  /// Maximum size of unread requests, bytes: at most four requests are pending at a time, so an agent with more has
  /// stopped reading.
  private static let mostWaiting = 4 * LaunchRequest.limit

  private let loop: EventLoop
  private let userID: UInt32
  private let place: AgentEndpoint
  private var stream: UnixStream?
  private var child: SocketChild?
  private var watch: WatchID?
  private var frames = FrameReader(limit: LaunchResponse.limit)
  private var orders: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private unowned let observer: any AgentLinkObserver

  init(loop: EventLoop, userID: UInt32, at place: AgentEndpoint, observer: any AgentLinkObserver) {
    (self.loop, self.userID, self.place, self.observer) = (loop, userID, place, observer)
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

  /// Sends a request. If the connection to the agent is lost, `lostAgent` is called later, from the loop.
  package func send(_ order: LaunchRequest) {
    orders += order.frame
    flush()
  }

  /// Closes the connection; the agent then exits by itself.
  package func close() { drop() }

  /// Closes the connection when this process exits: an agent that this process started interrupts its runs.
  package func leave() {
    child?.leave()
    drop()
  }

  // MARK: -

  private func connect() throws(AgentProblem) -> UnixStream {
    do throws(SystemError) {
      return try UnixStream(connectingTo: UnixAddress(path: place.socket(of: userID)))
    } catch {
      guard error.isNoServerListening else { throw .system(errno: error.errno) }
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
    case .bytes(let count): receive(buffer[..<count])
    case .wouldBlock: break
    case .endOfFile, .failed: lose()
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    frames.push(bytes)
    do throws(MessageError) {
      // The handler of an answer may close the connection.
      while stream != nil, let payload = try frames.next() {
        observer.receive(try LaunchResponse(Array(payload).span), fromAgentOf: userID)
      }
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
        // Wait until the socket is writable. The timeout of the launch queue handles an agent that does not read.
        guard orders.count <= Self.mostWaiting else { return }
        return loop.change(watch, to: [.readable, .writable])
      // Continue to read: the agent's last answers and the end of file may still be in the socket.
      case .failed?, nil: orders = []
      }
    }
    loop.change(watch, to: .readable)
  }

  private func lose() {
    drop()
    observer.lostAgent(of: userID)
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    stream = nil
    child = nil
    frames = FrameReader(limit: LaunchResponse.limit)
    orders = []
  }
}
