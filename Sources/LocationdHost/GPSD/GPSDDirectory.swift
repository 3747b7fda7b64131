import LocationdService

#if GPSD
  import Geodesy
  import LinuxDevices
  import LinuxIO

  /// Determines which receivers gpsd owns, over a connection without a watch, so that gpsd need not open any of them.
  final class GPSDDirectory {
    /// A gpsd that accepts a connection and then sends nothing for this long counts as absent. gpsd answers no client
    /// while it opens a receiver: for five seconds (3.22), during which it tries one protocol after the other.
    private static let patience: Duration = .seconds(8)
    /// The pauses between connection attempts: short at first, in case gpsd is restarting, then longer.
    private static let delays: [Duration] = [
      .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(5),
    ]
    /// The number of failed attempts after which a gpsd that was present counts as gone: its receivers are then
    /// available to every program.
    private static let attemptsUntilGone = 4

    private let loop: EventLoop
    private let endpoint: GPSDEndpoint
    /// Whether to try without limit, because the user requested this gpsd and no other source.
    private let isInsistent: Bool
    private var client: GPSDClient?
    private var timer: TimerID?
    private var failures = 0
    private var hasAnswered = false
    private unowned let observer: any GPSDDirectoryObserver

    init(loop: EventLoop, endpoint: GPSDEndpoint, isInsistent: Bool, observer: any GPSDDirectoryObserver) {
      self.observer = observer
      self.loop = loop
      self.endpoint = endpoint
      self.isInsistent = isInsistent
    }

    /// Whether a gpsd is running, as of the last answer or failure.
    private(set) var isPresent = false

    /// Requests the list, for the first time or again; the observer receives the answer.
    func ask() {
      if hasAnswered, let client {
        client.askForDevices()
        wait(Self.patience) { [unowned self] in failed() }
      } else if client == nil {
        connect()
      }
    }

    private func connect() {
      hasAnswered = false
      client = GPSDClient(loop: loop, endpoint: endpoint, request: .devices) { [unowned self] event in
        switch event {
        case .report(.devices(let devices)):
          wait(nil)
          hasAnswered = true
          isPresent = true
          failures = 0
          observer.receive(devices)
        case .report, .bytes: break
        case .ended: failed()
        }
      }
      wait(Self.patience) { [unowned self] in failed() }
    }

    /// Handles a failed request or a closed connection.
    private func failed() {
      client?.close()
      client = nil
      failures += 1
      let isGone = !isPresent || failures >= Self.attemptsUntilGone
      if isGone, failures == 1 || isPresent {
        isPresent = false
        observer.receive(nil)
      }
      guard isInsistent || !isGone else {
        wait(nil)
        failures = 0
        return
      }
      wait(Self.delays[min(failures - 1, Self.delays.count - 1)]) { [unowned self] in connect() }
    }

    private func wait(_ delay: Duration?, then body: @escaping () -> Void = {}) {
      if let timer { loop.cancel(timer) }
      timer = delay.map { delay in
        loop.schedule(at: loop.now + delay) { [unowned self] in
          timer = nil
          body()
        }
      }
    }
  }

  /// Receives the list of gpsd's devices.
  protocol GPSDDirectoryObserver: AnyObject {
    /// - Parameter devices: gpsd's devices; `nil` if no gpsd is running.
    func receive(_ devices: [GPSDDevice]?)
  }

  extension GPSDEndpoint {
    /// Converts an address for the socket layer.
    init(_ address: GPSDAddress) { self.init(host: address.host, port: address.port) }
  }
#endif
