#if GPSD
  import Geodesy
  package import LinuxIO

  /// One connection to gpsd for one request: connects to the first address that answers, and forwards the received
  /// data.
  package final class GPSDClient {
    /// An event of the connection.
    package enum Event {
      /// A line of JSON.
      case report(GPSDReport)
      /// Raw bytes of the receiver.
      case bytes([UInt8])
      /// Connecting failed, or the connection has ended; nothing follows.
      case ended(SystemError?)
    }

    /// Time after which an address counts as unreachable.
    private static let patience: Duration = .seconds(3)

    private let loop: EventLoop
    private let request: GPSDRequest
    private let body: (Event) -> Void
    private let parser: GPSDParser?
    private var addresses: [NetworkAddress] = []
    private var lookup: NameLookup?
    private var socket: TCPConnection?
    private var watch: WatchID?
    private var timer: TimerID?
    private var lines = GPSDLines()
    private var isConnected = false
    private var isRaw = false
    private var isOver = false
    private var buffer = [UInt8](repeating: 0, count: 8192)

    /// Starts to connect; `body` is called from the loop, never during this call.
    package init(loop: EventLoop, endpoint: GPSDEndpoint, request: GPSDRequest, _ body: @escaping (Event) -> Void) {
      self.loop = loop
      self.request = request
      self.body = body
      parser = GPSDParser()
      timer = loop.schedule(at: loop.now) { [unowned self] in begin(endpoint) }
    }

    deinit { close() }

    /// Closes the connection; no event follows.
    package func close() {
      isOver = true
      drop()
      lookup = nil
    }

    /// Requests the list of devices again.
    package func askForDevices() { send(.devices) }

    // MARK: -

    private func begin(_ endpoint: GPSDEndpoint) {
      timer = nil
      if let numeric = endpoint.numericAddresses {
        addresses = numeric
        return connect(after: nil)
      }
      do throws(SystemError) {
        let lookup = try NameLookup(host: endpoint.host, port: endpoint.port)
        self.lookup = lookup
        watch = try loop.watch(lookup.descriptor) { [unowned self] _ in
          addresses = lookup.addresses
          connect(after: nil)
        }
        timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in end(nil) }
      } catch {
        end(error)
      }
    }

    /// Connects to the next address; `failure` is the error of the previous one.
    private func connect(after failure: SystemError?) {
      drop()
      lookup = nil
      guard !addresses.isEmpty else { return end(failure) }
      let address = addresses.removeFirst()
      do throws(SystemError) {
        let connection = try TCPConnection(to: address)
        watch = try loop.watch(connection.descriptor, for: .writable) { [unowned self] _ in connected() }
        socket = consume connection
        timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in connect(after: failure) }
      } catch {
        connect(after: error)
      }
    }

    private func connected() {
      if let failure = socket?.failure() { return connect(after: failure) }
      cancelTimer()
      isConnected = true
      addresses = []
      guard let watch else { return }
      loop.unwatch(watch)
      guard let descriptor = socket?.descriptor else { return }
      do throws(SystemError) {
        self.watch = try loop.watch(descriptor) { [unowned self] _ in read() }
      } catch {
        return end(error)
      }
      send(request)
    }

    private func send(_ request: GPSDRequest) {
      guard isConnected, let line = request.line else { return }
      // A few dozen bytes always fit into an empty socket.
      _ = socket?.write(Array(line.utf8))
    }

    private func read() {
      guard let outcome = socket?.read(into: &buffer) else { return }
      switch outcome {
      case .bytes(let count): receive(buffer[..<count])
      case .wouldBlock: break
      case .endOfFile: end(nil)
      case .failed(let error): end(error)
      }
    }

    private func receive(_ bytes: ArraySlice<UInt8>) {
      guard !isRaw else { return body(.bytes(Array(bytes))) }
      var begun = false
      // The event's handler may release this connection, which must live until the end of the call.
      withExtendedLifetime(self) {
        let rest = lines.receive(bytes) { line in
          guard !isOver else { return false }
          // A locationd that serves gpsd's clients has no receivers to leave to it.
          if request == .devices, GPSDLines.isOfLocationService(line) {
            end(nil)
            return false
          }
          // Truncated lines and lines that are not an object are ignored.
          guard let report = parser?.parse(line) else { return true }
          if case .raw = request, report == .watching {
            isRaw = true
            begun = true
          }
          body(.report(report))
          return !begun
        }
        if begun, !isOver, rest < bytes.endIndex { body(.bytes(Array(bytes[rest...]))) }
      }
    }

    private func end(_ error: SystemError?) {
      guard !isOver else { return }
      close()
      body(.ended(error))
    }

    private func drop() {
      if let watch { loop.unwatch(watch) }
      watch = nil
      cancelTimer()
      socket = nil
    }

    private func cancelTimer() {
      if let timer { loop.cancel(timer) }
      timer = nil
    }
  }
#endif
