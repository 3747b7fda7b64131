import Geodesy
import NetworkSources
import Testing

/// A session with a caster in virtual time: the caster's side is a script of bytes and times for each connection.
struct VirtualCaster {
  /// Something that the caster does, at a time after the request.
  struct Step {
    fileprivate enum Event {
      case connected
      case unreachable
      case bytes([UInt8])
      case close
    }

    fileprivate var after: Duration
    fileprivate var event: Event

    static func bytes(_ bytes: [UInt8], after: Duration) -> Step { Step(after: after, event: .bytes(bytes)) }
    static func close(after: Duration) -> Step { Step(after: after, event: .close) }
  }

  /// What the caster does on the connection with this number (from 0) after it has read the request.
  typealias Script = (_ connection: Int, _ request: String) -> [Step]

  var session: NTRIPSession
  private(set) var now: Instant
  private let script: Script
  /// Whether connections are refused.
  var isDown = false
  private var events: [(at: Instant, event: Step.Event)] = []
  private var isAnswered = false

  private(set) var connects: [Instant] = []
  private(set) var requests: [String] = []
  /// What is sent after the request, with its time.
  private(set) var sent: [(at: Instant, text: String)] = []
  private(set) var frames: [RTCMFrame] = []
  private(set) var statuses: [NTRIPStatus] = []
  private(set) var memory: NTRIPMemory?
  private(set) var storedAt: Instant

  init(_ session: NTRIPSession, at start: Instant, _ script: @escaping Script) {
    self.session = session
    now = start
    storedAt = start
    self.script = script
  }

  mutating func input(_ input: NTRIPSession.Input) { carryOut(session.handle(input, at: now)) }

  /// Lets time pass.
  mutating func run(for duration: Duration) {
    let end = now + duration
    var steps = 0
    while true {
      let event = events.first?.at
      guard let next = [event, session.nextDeadline].compactMap({ $0 }).min(), next <= end else { break }
      // A deadline that does not move would keep the processor busy.
      steps = next > now ? 0 : steps + 1
      guard steps < 100 else {
        Issue.record("the deadline does not move")
        return
      }
      now = max(now, next)
      if let event, event <= now {
        switch events.removeFirst().event {
        case .connected: carryOut(session.handle(.connected, at: now))
        case .unreachable: carryOut(session.handle(.failed(.unreachable), at: now))
        case .bytes(let bytes): carryOut(session.receive(bytes.span, at: now))
        case .close:
          events = []
          carryOut(session.handle(.closed, at: now))
        }
      } else {
        carryOut(session.handle(.wake, at: now))
      }
    }
    now = end
  }

  private mutating func carryOut(_ actions: [NTRIPSession.Action]) {
    for action in actions {
      switch action {
      case .connect:
        connects.append(now)
        (events, isAnswered) = ([(now, isDown ? .unreachable : .connected)], false)
      case .send(let bytes):
        let text = String(decoding: bytes, as: UTF8.self)
        if isAnswered {
          sent.append((now, text))
        } else {
          isAnswered = true
          requests.append(text)
          events = script(requests.count - 1, text).map { (now + $0.after, $0.event) }
        }
      case .close: events = []
      case .pass(let frame): frames.append(frame)
      case .store(let memory): (self.memory, storedAt) = (memory, now)
      case .report(let status): statuses.append(status)
      }
    }
  }
}

/// What casters send.
enum Transcript {
  static let version2 = Array("HTTP/1.1 200 OK\r\nNtrip-Version: Ntrip/2.0\r\nContent-Type: gnss/data\r\n\r\n".utf8)
  static let version1 = Array("ICY 200 OK\r\n\r\n".utf8)
  static let chunked = Array("HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

  static let frame = RTCMSample.example

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  /// The head, and then a frame each second.
  static func stream(_ head: [UInt8] = version2, seconds: Int) -> [VirtualCaster.Step] {
    var steps: [VirtualCaster.Step] = [.bytes(head, after: .milliseconds(100))]
    for second in 0..<seconds { steps.append(.bytes(frame, after: .milliseconds(200 + 1000 * second))) }
    return steps
  }
}
