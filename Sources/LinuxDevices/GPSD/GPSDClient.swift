#if GPSD
  import Geodesy
  package import LinuxIO

  /// One connection to gpsd with one thing asked: connects to the first address that answers, hands on what comes.
  package final class GPSDClient {
    /// What happens on the connection.
    package enum Event {
      /// A line of JSON.
      case report(GPSDReport)
      /// The receiver's own bytes.
      case bytes([UInt8])
      /// The connection could not be made, or has ended; nothing follows.
      case ended(SystemError?)
    }

    /// An address that does not answer for so long is none.
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

    /// Begins to connect; `body` is called from the loop, never from here.
    package init(loop: EventLoop, endpoint: GPSDEndpoint, request: GPSDRequest, _ body: @escaping (Event) -> Void) {
      self.loop = loop
      self.request = request
      self.body = body
      parser = GPSDParser()
      timer = loop.schedule(at: loop.now) { [unowned self] in begin(endpoint) }
    }

    deinit { close() }

    /// Ends the connection; no event follows.
    package func close() {
      isOver = true
      drop()
      lookup = nil
    }

    /// Asks for the devices once more.
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

    /// Connects to the next address; `failure`: why the last one would not do.
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
      // A few dozen bytes into an empty socket.
      _ = socket?.write(Array(line.utf8))
    }

    private func read() {
      guard let outcome = socket?.read(into: &buffer) else { return }
      switch outcome {
      case .bytes(let count): take(buffer[..<count])
      case .wouldBlock: break
      case .endOfFile: end(nil)
      case .failed(let error): end(error)
      }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
      guard !isRaw else { return body(.bytes(Array(bytes))) }
      var begun = false
      // What an event makes of this connection must not end it under our feet.
      withExtendedLifetime(self) {
        let rest = lines.take(bytes) { line in
          guard !isOver else { return false }
          // What is cut, or is no object at all, is left out.
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
