internal import Geodesy
package import LinuxIO
package import Positioning
package import WireFormats

/// The access points that this system's radios receive: runs `ScanRadio` on an event loop and executes its actions.
///
/// Reading the results of other programs' scans needs no privilege and no radio time. The scanner does nothing between
/// scans.
package final class WiFiScanner {
  package enum Event: Hashable, Sendable {
    /// All received access points that may be used, possibly none. Sent after every scan, whichever program started it.
    case received([AccessPointObservation])
    /// Access points whose owners opted out of all use.
    case optedOut(Set<BSSID>)
    /// The availability of Wi-Fi positioning, sent when it has changed.
    case outlook(RadioCapability)
  }

  /// The socket of the service's helper (`location-scan.socket`).
  package static let systemHelper = "/run/locationd/scan"

  /// Maximum number of datagrams per call, so that a flood does not keep the loop busy; the descriptor stays readable.
  private static let maximumDatagrams = 64

  private let loop: EventLoop
  private let helper: ScanHelperLink?
  private let body: (Event) -> Void
  private var radio: ScanRadio
  private var decoder = NetlinkDecoder()
  private var socket: NetlinkSocket?
  private var watch: WatchID?
  private var timer: EarliestTimer?
  private var beginning: TimerID?
  private var isOver = false
  private var buffer: [UInt8] = []

  /// Starts scanning; `body` is called from the loop, never during this call.
  ///
  /// - Parameters:
  ///   - maximumAge: older observations are not reported.
  ///   - helper: the socket of the privileged scan helper; `nil`: this process scans by itself.
  package init(
    loop: EventLoop, maximumAge: Duration = .seconds(30), helper: String? = nil, _ body: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.helper = helper.map { ScanHelperLink(loop: loop, path: $0) }
    self.body = body
    radio = ScanRadio(maximumAge: maximumAge)
    timer = EarliestTimer(loop) { [unowned self] in handle(.deadlinePassed) }
    beginning = loop.schedule(at: loop.now) { [unowned self] in begin() }
  }

  deinit { close() }

  /// The current availability.
  package private(set) var outlook = RadioCapability.starting

  /// Number of malformed kernel messages.
  package var malformedMessages: UInt64 { decoder.malformed }

  /// Number of requests that could not be sent.
  package private(set) var refusedRequests: UInt64 = 0

  /// Sets how often to scan if no other program does.
  package func setPolicy(_ policy: ScanPolicy) { handle(.wanted(policy)) }

  /// Requests the kernel's current results, which costs no radio time.
  package func list() { handle(.list) }

  /// Closes the radio and the connection to the helper; no event follows.
  package func close() {
    isOver = true
    if let beginning { loop.cancel(beginning) }
    beginning = nil
    drop()
    helper?.close()
  }

  // MARK: -

  private func begin() {
    beginning = nil
    do throws(SystemError) {
      let socket = try NetlinkSocket()
      watch = try loop.watch(socket.fileDescriptor) { [unowned self] _ in receive() }
      self.socket = consume socket
      buffer = [UInt8](repeating: 0, count: NetlinkSocket.datagramSize)
      handle(.start)
    } catch {
      fail(error)
    }
  }

  private func receive() {
    withExtendedLifetime(self) {
      for _ in 0..<Self.maximumDatagrams {
        guard !isOver, let reception = socket?.receive(into: &buffer) else { return }
        switch reception {
        case .datagram(let count): receive(count)
        case .rejected: break
        case .overflow: handle(.lost)
        case .nothing: return
        case .failed(let error): return fail(error)
        }
      }
    }
  }

  private func receive(_ count: Int) {
    var actions: [ScanRadio.Action] = []
    decoder.decode(buffer.span.extracting(0..<count)) { envelope, message in
      actions += radio.handle(.received(envelope, message), at: loop.now)
    }
    execute(actions)
  }

  private func handle(_ input: ScanRadio.Input) {
    guard !isOver else { return }
    execute(radio.handle(input, at: loop.now))
  }

  private func execute(_ actions: [ScanRadio.Action]) {
    // The event's handler may release this scanner, which must live until the end of the call.
    withExtendedLifetime(self) {
      for action in actions where !isOver {
        switch action {
        // A request that was not sent gets no answer; the state machine handles that by its timeout.
        case .send(let message): if (try? socket?.send(message)) == nil { refusedRequests &+= 1 }
        case .join(let group): if (try? socket?.join(group)) == nil { refusedRequests &+= 1 }
        case .know(let family): decoder.family = family
        case .askHelper(let interface, let frequencies): ask(interface, frequencies)
        case .received(let observations): body(.received(observations))
        case .optedOut(let addresses): body(.optedOut(addresses))
        case .outlook(let outlook): report(outlook)
        }
      }
      if !isOver { timer?.arm(for: radio.nextDeadline) }
    }
  }

  private func ask(_ interface: UInt32, _ frequencies: [UInt32]) {
    guard let helper, let order = ScanRequest(interface: interface, frequencies: frequencies) else {
      return handle(.helperAnswered(interface: interface, errno: nil))
    }
    helper.ask(order) { [unowned self] errno in handle(.helperAnswered(interface: interface, errno: errno)) }
  }

  private func report(_ outlook: RadioCapability) {
    self.outlook = outlook
    body(.outlook(outlook))
  }

  private func fail(_ error: SystemError) {
    drop()
    report(.deaf(.noSocket(errno: error.errno)))
  }

  private func drop() {
    timer?.cancel()
    if let watch { loop.unwatch(watch) }
    watch = nil
    socket = nil
  }
}

extension WiFiScanner {
  /// Whether the kernel has `cfg80211`, which every Wi-Fi driver loads.
  package static var isSupported: Bool { FileTree().exists("/sys/class/ieee80211") }
}
