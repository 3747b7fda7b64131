import Geodesy
import Positioning
import WireFormats

/// A machine and its kernel: the radio's requests are recorded, and answered as the test requires.
struct RadioBench {
  private(set) var radio = ScanRadio(maximumAge: .seconds(30))
  private(set) var now = ScanSample.start
  private(set) var sent: [[UInt8]] = []
  private(set) var joined: [UInt32] = []
  private(set) var received: [[AccessPointObservation]] = []
  private(set) var asked: [(interface: UInt32, frequencies: [UInt32])] = []
  private(set) var optedOut: Set<BSSID> = []
  private(set) var outlooks: [RadioCapability] = []

  /// nl80211 exists with these interfaces; the list of each radio is empty.
  init(_ interfaces: [WirelessInterface], _ entries: [AccessPointEntry] = []) {
    handle(.start)
    answer(.family(ScanSample.family))
    answer(interfaces.map { .interface($0) } + [.listEnded(errno: 0)])
    for _ in Set(interfaces.map(\.radioIndex)) { list(entries) }
  }

  init() { handle(.start) }

  mutating func handle(_ input: ScanRadio.Input) {
    for action in radio.handle(input, at: now) {
      switch action {
      case .send(let message): sent.append(message)
      case .join(let group): joined.append(group)
      case .know: break
      case .askHelper(let interface, let frequencies): asked.append((interface, frequencies))
      case .received(let observations): received.append(observations)
      case .optedOut(let addresses): optedOut.formUnion(addresses)
      case .outlook(let outlook): outlooks.append(outlook)
      }
    }
  }

  /// The sequence number of the last request.
  var sequence: UInt32 { (0..<4).reduce(0) { $0 | UInt32(sent.last?[8 + $1] ?? 0) << (8 * UInt32($1)) } }
  /// The command of the last request.
  var command: UInt8? { sent.last?[16] }

  /// Messages that answer the last request.
  mutating func answer(_ messages: [NetlinkMessage], isInterrupted: Bool = false) {
    let envelope = NetlinkEnvelope(sequence: sequence, portID: 1, isInterrupted: isInterrupted)
    for message in messages { handle(.received(envelope, message)) }
  }

  mutating func answer(_ message: NetlinkMessage) { answer([message]) }

  /// The requested list.
  mutating func list(_ entries: [AccessPointEntry]) {
    answer(entries.map { .accessPoint($0) } + [.listEnded(errno: 0)])
  }

  /// An unsolicited message.
  mutating func send(_ message: NetlinkMessage) {
    handle(.received(NetlinkEnvelope(sequence: 0, portID: 0, isInterrupted: false), message))
  }

  mutating func pass(_ duration: Duration) { now = now + duration }

  /// Advances to the next deadline; returns how long that took.
  mutating func wait() -> Duration? {
    guard let deadline = radio.nextDeadline else { return nil }
    let duration = max(.zero, deadline - now)
    now = max(now, deadline)
    handle(.deadlinePassed)
    return duration
  }
}
