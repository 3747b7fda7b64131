import Geodesy
package import LinuxIO

/// A stream of bytes to a helper process: through its socket or, if no process listens there, to a helper that this process starts.
package final class HelperStream {
  private let loop: EventLoop
  private let onRead: (ArraySlice<UInt8>) -> Void
  private let onEnd: () -> Void
  /// `nil`: nothing but bytes is expected.
  private let onConnection: ((consuming TCPConnection) -> Void)?
  private var stream: UnixStream?
  private var child: SocketChild?
  private var watch: WatchID?
  private var timer: TimerID?
  private var outgoing: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Connects. Both functions are called from the loop, never during this call, and not after `close`.
  ///
  /// - Parameters:
  ///   - path: the helper's socket.
  ///   - program: started if no process listens there; `nil`: none.
  ///   - onConnection: a connection that the helper passes, before the bytes with which it came.
  ///   - onEnd: the helper could not be reached, has failed, or has closed the stream.
  package init(
    loop: EventLoop, path: String, program: HelperProgram?, onRead: @escaping (ArraySlice<UInt8>) -> Void,
    onConnection: ((consuming TCPConnection) -> Void)? = nil, onEnd: @escaping () -> Void
  ) {
    (self.loop, self.onRead, self.onEnd) = (loop, onRead, onEnd)
    self.onConnection = onConnection
    stream = Self.connect(path, program, &child)
    guard let descriptor = stream?.descriptor,
      let watch = try? loop.watch(descriptor, { [unowned self] in ready($0) })
    else {
      timer = loop.schedule(at: loop.now) { onEnd() }
      return
    }
    self.watch = watch
  }

  deinit { close() }

  /// A stream to the helper, and the helper if it was started for that; `nil` if neither is possible.
  static func connect(_ path: String, _ program: HelperProgram?, _ child: inout SocketChild?) -> UnixStream? {
    if let address = try? UnixAddress(path: path), let stream = try? UnixStream(connectingTo: address) { return stream }
    guard let program, let started = try? SocketChild(program.path, as: program.name, program.arguments) else {
      return nil
    }
    child = started
    return started.takeStream()
  }

  /// Whether bytes can be sent and may still arrive.
  package var isOpen: Bool { watch != nil }

  /// The number of bytes that wait for the helper.
  package var outgoingCount: Int { outgoing.count }

  /// Sends bytes to the helper.
  package func write(_ bytes: [UInt8]) {
    outgoing += bytes
    flush()
  }

  /// Closes the stream at once.
  package func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    stream = nil
    child = nil
  }

  private func ready(_ readiness: Readiness) {
    if readiness.writable { flush() }
    guard readiness.readable || readiness.hangUp || readiness.error else { return }
    // The reader may release this stream, which must live until the end of the call.
    withExtendedLifetime(self) { read() }
  }

  private func read() {
    var connection: TCPConnection?
    let outcome = onConnection == nil ? stream?.read(into: &buffer) : stream?.read(into: &buffer, taking: &connection)
    guard let outcome else { return }
    if let onConnection, let passed = connection.take() { onConnection(passed) }
    switch outcome {
    case .bytes(let count): onRead(buffer[..<count])
    case .wouldBlock: break
    case .endOfFile, .failed: onEnd()
    }
  }

  private func flush() {
    guard let watch else { return }
    while !outgoing.isEmpty {
      switch stream?.write(outgoing) {
      case .written(let count): outgoing = outgoing.dropFirst(count)
      case .wouldBlock: return loop.change(watch, to: [.readable, .writable])
      // The next read reports it.
      case .failed, nil: outgoing = []
      }
    }
    loop.change(watch, to: .readable)
  }
}
