import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import TestSupport
import Testing

/// Random sequences of everything that can happen to a client that defers its updates.
@Suite struct DeferralSequenceTests {
  /// Every fix is delivered exactly once and in order, or dropped by a decision that took access away; every call ends exactly once;
  /// and never more is held than the bounds allow.
  @Test(arguments: 0..<10)
  func everyFixIsDeliveredOnceAndEveryCallEndsOnce(part: Int) {
    for number in 0..<1000 {
      var sequence = Sequence(seed: UInt64(part * 1000 + number))
      for _ in 0..<30 { sequence.step() }
      sequence.finish()
      if let problem = sequence.problem {
        Issue.record("seed \(part * 1000 + number): \(problem)\n\(sequence.history.joined(separator: "\n"))")
        return
      }
    }
  }

  private struct Sequence {
    private var bed = DeferralBed()
    private var random: SplitMix64
    private static let other = ClientID.process(3)
    /// The fixes that the gate has taken for the tracker and not delivered yet.
    private var owed: [Int] = []
    private var lastDelivered = -1
    private var calls: Set<UInt32> = []
    private var nextCall: UInt32 = 100
    private var isStreaming = false
    private(set) var history: [String] = []
    private(set) var problem: String?

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      bed.arrive(2)
      bed.arrive(3, user: 1002)
      begin()
    }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func one<T>(of choices: [T]) -> T { choices[int(0...choices.count - 1)] }

    private mutating func begin() {
      isStreaming = true
      let isAllowed = Bool.random(using: &random)
      bed.ask(
        .startUpdates(
          RequestID(1), UpdateOptions(waitsForSource: true, whenNotDetermined: .waits, allowsBackground: isAllowed)))
      check()
    }

    private var isExact: Bool {
      let state = bed.gate.gatedClient(DeferralBed.tracker)?.state
      return state?.authorization.isReduced == false
    }

    mutating func step() {
      var mayDrop = false
      switch int(0...15) {
      // Long enough to reach the bounds in some sequences.
      case 0...5: fixes(int(1...(int(0...300) == 0 ? 1500 : 6)))
      case 6:
        note("other client is served")
        bed.ask(.startUpdates(RequestID(7), UpdateOptions()), Self.other)
        bed.run(1, Self.other)
        bed.ask(.cancel(RequestID(7)), Self.other)
      case 7, 8:
        let timeout: Duration? = one(of: [nil, .zero, .seconds(int(1...300))])
        let distance: Double? = one(of: [nil, Double(int(1...3000))])
        note("call \(nextCall) \(timeout.map { "\($0)" } ?? "") \(distance ?? 0) m")
        calls.insert(nextCall)
        bed.deferUpdates(nextCall, distance: distance, timeout: timeout)
        nextCall += 1
      case 9:
        guard let call = calls.sorted().last else { return }
        note("cancel \(call)")
        calls.remove(call)
        bed.ask(.cancel(RequestID(call)))
      case 10:
        let presence: ClientPresence = Bool.random(using: &random) ? .inUse : .background
        note("\(presence)")
        bed.handle(.presence(DeferralBed.tracker, presence))
      case 11:
        let decision: Decision = one(of: [
          .denied, .always(isReduced: true), .whenInUse(isReduced: false), .forget, .always(isReduced: false),
        ])
        note("\(decision)")
        mayDrop = true
        bed.decide(decision)
      case 12:
        note("one fix")
        bed.ask(.locate(RequestID(50), OneShotOptions()))
        bed.ask(.cancel(RequestID(50)))
      case 13:
        note(isStreaming ? "stop" : "start")
        if isStreaming { bed.ask(.cancel(RequestID(1))) } else { bed.decide(.always(isReduced: false)) }
        if isStreaming { isStreaming = false } else { begin() }
      case 14:
        note("lost")
        bed.handle(.event(DeferralBed.tracker, .streamChanged(RequestID(1), .lost)))
      default:
        let seconds = int(1...400)
        note("\(seconds) s without a fix")
        bed.advance(seconds)
      }
      check(mayDrop: mayDrop)
    }

    /// Everything is delivered at the end.
    mutating func finish() {
      note("end")
      bed.handle(.release)
      check()
      if problem == nil, !owed.isEmpty { problem = "not delivered: \(owed)" }
      bed.ask(.cancel(RequestID(1)))
      check()
      if problem == nil, !calls.isEmpty { problem = "calls did not end: \(calls.sorted())" }
    }

    private mutating func fixes(_ count: Int) {
      note("\(count) fixes")
      for _ in 0..<count {
        bed.advance(1)
        // The deadline of a call may have come before the fix.
        check()
        if bed.running[DeferralBed.tracker]?.contains(RequestID(1)) == true, isExact { owed.append(bed.second) }
        bed.send()
        check()
      }
    }

    private mutating func note(_ text: String) { history.append("\(bed.second) s: \(text)") }

    /// Compares what the tracker has received with what it is owed.
    private mutating func check(mayDrop: Bool = false) {
      var isRevoked = false
      for received in bed.taken() {
        history.append("  \(received)")
        switch received {
        case .fix(let second): if isExact { deliver([second]) }
        case .batch(let seconds):
          if !isExact { problem = problem ?? "exact fixes after a reduction" }
          if isRevoked { problem = problem ?? "fixes after the access was revoked" }
          deliver(seconds)
        case .done(let call), .failed(let call, .deferral): end(call)
        case .failed(let call, .notAuthorized):
          if call >= 100 { end(call) }
          if call == 1 { isStreaming = false }
          isRevoked = true
        case .failed, .change, .other: break
        }
      }
      if isRevoked, mayDrop { owed = [] }
      let held = bed.gate.held(for: DeferralBed.tracker)
      if held.fixes > FixBatch.capacity || held.bytes > FixBatch.byteCapacity { problem = problem ?? "holds \(held)" }
      if held.fixes != owed.count { problem = problem ?? "holds \(held.fixes), owes \(owed.count)" }
    }

    private mutating func deliver(_ seconds: [Int]) {
      for second in seconds {
        if second <= lastDelivered { problem = problem ?? "\(second) after \(lastDelivered)" }
        lastDelivered = second
        if owed.first == second { owed.removeFirst() } else { problem = problem ?? "\(second) was not owed: \(owed)" }
      }
    }

    private mutating func end(_ call: UInt32) {
      if calls.remove(call) == nil { problem = problem ?? "call \(call) ended twice" }
    }
  }
}
