import LocationdService

#if GPSD
  import Geodesy
  import LinuxDevices
  import LinuxIO

  /// Knows which receivers are gpsd's: a connection on which nothing is watched, so that gpsd need not open any.
  final class GPSDDirectory {
    /// A gpsd that takes a connection and says nothing for so long is none. While it opens a receiver it hears nobody: for
    /// five seconds (3.22), in which it tries one protocol after the other.
    private static let patience: Duration = .seconds(8)
    /// How soon it is looked for again: first at once, as where it was restarted, then less and less often.
    private static let delays: [Duration] = [
      .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(5),
    ]
    /// Vain attempts after which a gpsd that was there is taken for gone: its receivers are everyone's again.
    private static let attemptsUntilGone = 4

    private let loop: EventLoop
    private let endpoint: GPSDEndpoint
    /// Whether it is looked for as long as it takes: somebody wants this gpsd and no other source.
    private let isInsistent: Bool
    private var client: GPSDClient?
    private var timer: TimerID?
    private var failures = 0
    private var hasAnswered = false
    /// Called with each list; `nil`: no gpsd is there.
    var onChange: (([GPSDDevice]?) -> Void)?

    init(loop: EventLoop, endpoint: GPSDEndpoint, isInsistent: Bool) {
      self.loop = loop
      self.endpoint = endpoint
      self.isInsistent = isInsistent
    }

    /// Whether a gpsd is there, as far as is known.
    private(set) var isPresent = false

    /// Asks, or asks again; answered by `onChange`.
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
          onChange?(devices)
        case .report, .bytes: break
        case .ended: failed()
        }
      }
      wait(Self.patience) { [unowned self] in failed() }
    }

    /// It could not be asked, or has gone.
    private func failed() {
      client?.close()
      client = nil
      failures += 1
      let isGone = !isPresent || failures >= Self.attemptsUntilGone
      if isGone, failures == 1 || isPresent {
        isPresent = false
        onChange?(nil)
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

  extension GPSDEndpoint {
    /// The same for the sockets.
    init(_ address: GPSDAddress) { self.init(host: address.host, port: address.port) }
  }
#endif
