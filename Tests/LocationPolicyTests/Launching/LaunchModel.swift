import Geodesy
import LocationPolicy
import TestSupport

/// A queue between a store and an agent, each of which does anything that it may do: the store is slow or cannot write, the agent
/// answers in any order, is killed or is absent, and the service restarts with the content of the store.
struct LaunchModel {
  /// The content of the store: events that are not done, and how often each was attempted.
  private(set) var store: [UInt64: Int] = [:]
  private(set) var starts = 0
  private(set) var failures: [String] = []

  /// The attempt number of the last start of each event.
  private var lastStart: [UInt64: Int] = [:]
  /// The latest event that was started.
  private var latest: UInt64 = 0
  private var queue = LaunchQueue()
  private var now = Instant(nanoseconds: 1_000_000_000_000)
  private var generator: SplitMix64
  private var isConnected = false
  private var underWay: [(event: UInt64, run: UInt64)] = []
  private var pending: [LaunchQueue.Action] = []
  private var inMemory: Set<UInt64> = []
  private var nextEvent: UInt64 = 1
  private var isQuiet = false
  /// The most recent starts, to check the rate limit.
  private var startTimes: [Instant] = []

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// One random event.
  mutating func step() {
    if !pending.isEmpty, Bool.random(using: &generator) { return execute(pending.removeFirst()) }
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<4:
      for _ in 0..<Int.random(in: 1...6, using: &generator) { happen() }
    case 4..<11: answer()
    case 11: loseAgent()
    case 12: if Int.random(in: 0..<20, using: &generator) == 0 { restart() }
    default: pass()
    }
  }

  /// From now on everything succeeds, until nothing is left.
  mutating func settle() {
    isQuiet = true
    for _ in 0..<200_000 {
      if !pending.isEmpty {
        execute(pending.removeFirst())
      } else if !underWay.isEmpty {
        answer()
      } else if store.isEmpty {
        return
      } else {
        pass()
      }
    }
    failures.append("\(store.count) events are never done")
  }

  // MARK: -

  private mutating func happen() {
    store[nextEvent] = 0
    nextEvent += 1
    offer()
  }

  /// Like the service, launches the events in the store that are not in memory, in their order.
  private mutating func offer() {
    for event in store.keys.sorted() where !inMemory.contains(event) {
      inMemory.insert(event)
      feed(.launch(event))
      if !inMemory.contains(event) { return }
    }
  }

  private mutating func feed(_ input: LaunchQueue.Input) {
    for action in queue.handle(input, at: now) {
      if case .refused(let event) = action { inMemory.remove(event) } else { pending.append(action) }
    }
  }

  private mutating func execute(_ action: LaunchQueue.Action) {
    switch action {
    case .connect:
      isConnected = isQuiet || Int.random(in: 0..<3, using: &generator) > 0
      feed(isConnected ? .connected : .unreachable)
    case .disconnect:
      isConnected = false
      underWay = []
    case .keepAttempt(let event):
      guard isQuiet || Int.random(in: 0..<10, using: &generator) > 0 else { return feed(.attemptNotKept(event)) }
      guard let attempt = store[event] else { return failures.append("event \(event) was done") }
      store[event] = attempt + 1
      feed(.attemptKept(event, attempt: attempt + 1))
    case .send(let event, let attempt, let run): send(event, attempt, run)
    case .done(let event, _):
      if store.removeValue(forKey: event) == nil { failures.append("event \(event) is done twice") }
      inMemory.remove(event)
    case .room: offer()
    case .refused, .slowed, .caughtUp, .failing, .answering: break
    }
  }

  private mutating func send(_ event: UInt64, _ attempt: Int, _ run: UInt64) {
    // Sent to an agent that has gone meanwhile: nothing starts.
    guard isConnected else { return }
    if attempt != store[event] {
      failures.append("event \(event) is started as attempt \(attempt), not \(store[event] ?? 0)")
    }
    if let last = lastStart[event], last >= attempt {
      failures.append("event \(event) is started twice, and not marked")
    }
    if lastStart[event] == nil, attempt == 1, event < latest {
      failures.append("event \(event) comes after a later one")
    }
    starts += 1
    lastStart[event] = attempt
    latest = max(latest, event)
    underWay.append((event, run))
    if underWay.count > LaunchQueue.mostUnderWay { failures.append("\(underWay.count) are under way") }
    startTimes = startTimes.filter { now - $0 < .seconds(20) } + [now]
    let recent = startTimes.count
    // A burst of 10, and one more every 2 s.
    if recent > 20 { failures.append("\(recent) starts in 20 s") }
  }

  private mutating func answer() {
    guard !underWay.isEmpty else { return }
    let index = Int.random(in: 0..<underWay.count, using: &generator)
    let run = underWay[index].run
    let choice = isQuiet ? 9 : Int.random(in: 0..<10, using: &generator)
    if choice < 3 { return feed(.answer(LaunchResponse(run: run, .started))) }
    underWay.remove(at: index)
    feed(.answer(LaunchResponse(run: run, choice == 3 ? .ended(.exited(75)) : .ended(.exited(0)))))
  }

  private mutating func loseAgent() {
    guard isConnected else { return }
    isConnected = false
    underWay = []
    feed(.lost)
  }

  /// The service is killed and restarts; nobody receives the results of what the agent runs for the old service.
  private mutating func restart() {
    (queue, pending, inMemory, underWay, isConnected) = (LaunchQueue(), [], [], [], false)
    // A new service does not know how many commands the old one has started.
    startTimes = []
    offer()
  }

  /// Time passes, to the next deadline or for a short while.
  private mutating func pass() {
    if let deadline = queue.nextDeadline, isQuiet || Bool.random(using: &generator) {
      now = max(now, deadline)
    } else {
      now = now + .milliseconds(Int.random(in: 0..<500, using: &generator))
    }
    feed(.wake)
  }
}
