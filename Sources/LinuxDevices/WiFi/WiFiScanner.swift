internal import Geodesy
package import LinuxIO
package import Positioning
package import WireFormats

/// What this machine's radios hear, on an event loop: feeds `ScanRadio`, and does what it says.
///
/// Reading what others scan for takes no privilege, and nothing of the radio's time. Nothing happens between scans.
package final class WiFiScanner {
  package enum Event: Hashable, Sendable {
    /// All that the radios hear and that may be used; perhaps nothing. Comes after every scan, whoever asked for it.
    case heard([AccessPointSighting])
    /// Who asks to be left out of everything.
    case optedOut(Set<BSSID>)
    /// What is to be had, where that has changed.
    case outlook(RadioOutlook)
  }

  /// Where the service's helper listens (`location-scan.socket`).
  package static let systemHelper = "/run/locationd/scan"

  /// Datagrams taken at once: a flood keeps the descriptor readable instead of the loop busy.
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

  /// Begins; `body` is called from the loop, never from here.
  ///
  /// - Parameters:
  ///   - maximumAge: what was heard longer ago is not told.
  ///   - helper: the socket of who has the privilege to scan; `nil`: this process tries by itself.
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

  /// What is to be had now.
  package private(set) var outlook = RadioOutlook.starting

  /// Messages of the kernel that were not what their head says.
  package var malformedMessages: UInt64 { decoder.malformed }

  /// Requests that the socket did not take.
  package private(set) var refusedRequests: UInt64 = 0

  /// Has the machine scan that often, where nobody else does.
  package func want(_ wish: ScanWish) { handle(.wanted(wish)) }

  /// Asks for what the kernel knows now, which costs nothing.
  package func list() { handle(.list) }

  /// Ends; no event follows.
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
        case .datagram(let count): take(count)
        case .rejected: break
        case .overflow: handle(.lost)
        case .nothing: return
        case .failed(let error): return fail(error)
        }
      }
    }
  }

  private func take(_ count: Int) {
    var actions: [ScanRadio.Action] = []
    decoder.decode(buffer.span.extracting(0..<count)) { envelope, message in
      actions += radio.handle(.received(envelope, message), at: loop.now)
    }
    perform(actions)
  }

  private func handle(_ input: ScanRadio.Input) {
    guard !isOver else { return }
    perform(radio.handle(input, at: loop.now))
  }

  private func perform(_ actions: [ScanRadio.Action]) {
    // What an event makes of this scanner must not end it under our feet.
    withExtendedLifetime(self) {
      for action in actions where !isOver {
        switch action {
        // What is not sent is not answered, and the machine waits for no answer for long.
        case .send(let message): if (try? socket?.send(message)) == nil { refusedRequests &+= 1 }
        case .join(let group): if (try? socket?.join(group)) == nil { refusedRequests &+= 1 }
        case .know(let family): decoder.family = family
        case .askHelper(let interface, let frequencies): ask(interface, frequencies)
        case .heard(let sightings): body(.heard(sightings))
        case .optedOut(let addresses): body(.optedOut(addresses))
        case .outlook(let outlook): tell(outlook)
        }
      }
      if !isOver { timer?.arm(for: radio.nextDeadline) }
    }
  }

  private func ask(_ interface: UInt32, _ frequencies: [UInt32]) {
    guard let helper, let order = ScanOrder(interface: interface, frequencies: frequencies) else {
      return handle(.helperAnswered(interface: interface, errno: nil))
    }
    helper.ask(order) { [unowned self] errno in handle(.helperAnswered(interface: interface, errno: errno)) }
  }

  private func tell(_ outlook: RadioOutlook) {
    self.outlook = outlook
    body(.outlook(outlook))
  }

  private func fail(_ error: SystemError) {
    drop()
    tell(.deaf(.noSocket(errno: error.errno)))
  }

  private func drop() {
    timer?.cancel()
    if let watch { loop.unwatch(watch) }
    watch = nil
    socket = nil
  }
}

extension WiFiScanner {
  /// Whether the kernel has what every driver of a Wi-Fi radio brings with it (`cfg80211`).
  package static var isSupported: Bool { FileTree().exists("/sys/class/ieee80211") }
}
