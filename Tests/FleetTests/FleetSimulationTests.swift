import Fleet
import FleetDestinations
import Geodesy
import TestSupport
import Testing

/// The outbox with a disk that loses what was not synced, a broker that ends at any time, and a network that is away: in virtual time.
@Suite struct FleetSimulationTests {
  /// What a server received, in order.
  private struct Received {
    var places: [FleetPlace] = []
    var seen: Set<FleetPlace> = []
    var duplicates = 0
    var isOrdered = true

    mutating func add(_ record: FleetRecord) {
      guard seen.insert(record.place).inserted else {
        duplicates += 1
        return
      }
      if let last = places.last, last > record.place { isOrdered = false }
      places.append(record.place)
    }
  }

  /// A machine with its disk; a power cut takes everything that is not synced.
  private struct Machine {
    var records: [FleetRecord] = []
    var synced = 0
    var cursor = FleetPlace.start
    var syncAt: Instant?
    var outbox: FleetOutbox
    var isConnected = false
    var unanswered: [[FleetRecord]] = []
    var cursorWrites = 0

    init(_ limits: FleetOutbox.Limits, at now: Instant) {
      outbox = FleetOutbox(limits, cursor: .start, waiting: 0, seed: 1, at: now)
    }

    mutating func apply(_ input: FleetOutbox.Input, isReachable: Bool, at now: Instant) {
      var inputs = [input]
      while !inputs.isEmpty {
        for action in outbox.handle(inputs.removeFirst(), at: now) {
          switch action {
          case .load(let place):
            let index = records.partition(after: place)
            let rest = records[index...].prefix(FleetOutbox.loadLimit)
            inputs.append(.loaded(Array(rest), isEnd: rest.endIndex == records.endIndex))
          case .connect:
            if isReachable { isConnected = true } else { inputs.append(.ended(.unreachable, nil)) }
            if isConnected { inputs.append(.connected(FleetSession(version: 5))) }
          case .disconnect: (isConnected, unanswered) = (false, [])
          case .send(let group): unanswered.append(group)
          case .saveCursor(let place):
            // The log is synced before the cursor is written.
            (synced, cursor) = (records.count, place)
            cursorWrites += 1
          case .setAside, .acknowledged: break
          }
        }
      }
    }
  }

  private func record(_ number: Int, segment: Int) -> FleetRecord {
    var record = FleetOutboxTests.record(number, isEvent: false)
    record.place = FleetPlace(segment: segment, block: number & 0xF_FFFF, entry: 0)
    return record
  }

  @Test func threeDaysOfflineLoseNothing() {
    var limits = FleetOutbox.Limits()
    limits.rate = 1000
    var now = Instant(nanoseconds: 0)
    var machine = Machine(limits, at: now)
    var server = Received()
    let count = 259_200
    machine.apply(.wake, isReachable: false, at: now)
    for second in 0..<count {
      now = Instant(nanoseconds: Int64(second) * 1_000_000_000)
      machine.records.append(record(second, segment: 1))
      machine.apply(.appended(machine.records[second]), isReachable: false, at: now)
    }
    #expect(machine.outbox.waiting == count && machine.outbox.state == .waiting)
    // The network is back. The server acknowledges at once.
    machine.apply(.retry, isReachable: true, at: now)
    var rounds = 0
    while machine.outbox.waiting > 0, rounds < 2_000_000 {
      rounds += 1
      for group in machine.unanswered {
        for record in group { server.add(record) }
      }
      let groups = machine.unanswered
      machine.unanswered = []
      for group in groups { machine.apply(.answered(group[0].place.rawValue, .mqtt(0)), isReachable: true, at: now) }
      if let next = machine.outbox.nextDeadline, machine.unanswered.isEmpty {
        now = max(now, next)
        machine.apply(.wake, isReachable: true, at: now)
      }
    }
    #expect(server.places.count == count && server.isOrdered && server.duplicates == 0)
    // At 1,000 a second it takes 260 s: a cursor each 30 s.
    #expect(machine.cursorWrites <= 12)
  }

  /// The OwnTracks Recorder takes 15 messages a second, and mosquitto, which acknowledges each at once, deletes what is more than 1,000 behind.
  @Test(arguments: [(10, 0), (1000, 50_000)]) func aBacklogDoesNotOverflowTheQueueOfABroker(rate: Int, lostAtLeast: Int)
  {
    var limits = FleetOutbox.Limits()
    limits.rate = rate
    var now = Instant(nanoseconds: 0)
    var machine = Machine(limits, at: now)
    let count = 100_000
    machine.records = (0..<count).map { record($0, segment: 1) }
    machine.outbox = FleetOutbox(limits, cursor: .start, waiting: count, seed: 1, at: now)
    machine.apply(.wake, isReachable: true, at: now)
    var (queue, lost, received) = (0.0, 0, 0)
    while machine.outbox.waiting > 0 {
      let groups = machine.unanswered
      machine.unanswered = []
      for group in groups {
        if queue < 1000 { (queue, received) = (queue + 1, received + 1) } else { lost += 1 }
        machine.apply(.answered(group[0].place.rawValue, .mqtt(0)), isReachable: true, at: now)
      }
      guard machine.unanswered.isEmpty, let next = machine.outbox.nextDeadline else { continue }
      let later = max(now, next)
      queue = max(0, queue - (later - now).inSeconds * 15)
      now = later
      machine.apply(.wake, isReachable: true, at: now)
    }
    #expect(received + lost == count)
    #expect(lostAtLeast == 0 ? lost == 0 : lost >= lostAtLeast, "\(lost)")
  }

  /// Fixes once a second, with the server, the connection and the machine failing at random.
  @Test(arguments: 0..<40) func failuresAtRandomLoseNothingThatWasSynced(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var limits = FleetOutbox.Limits()
    limits.rate = Int.random(in: 20...100, using: &random)
    var now = Instant(nanoseconds: 0)
    var machine = Machine(limits, at: now)
    var server = Received()
    var segment = 1
    var next = 0
    var isReachable = true
    var cuts = 0
    machine.apply(.wake, isReachable: true, at: now)
    for step in 0..<12_000 {
      now = now + .milliseconds(100)
      if step.isMultiple(of: 10), step < 5000 {
        let added = record(next, segment: segment)
        next += 1
        machine.records.append(added)
        if machine.syncAt == nil { machine.syncAt = now + .seconds(30) }
        machine.apply(.appended(added), isReachable: isReachable, at: now)
      }
      if let due = machine.syncAt, now >= due { (machine.synced, machine.syncAt) = (machine.records.count, nil) }
      // The server takes some, and acknowledges some of them.
      while !machine.unanswered.isEmpty, Bool.random(using: &random) {
        let group = machine.unanswered.removeFirst()
        for record in group { server.add(record) }
        if step < 5000, Int.random(in: 0..<50, using: &random) == 0 { break }
        machine.apply(.answered(group[0].place.rawValue, .mqtt(0)), isReachable: isReachable, at: now)
      }
      guard step < 5000 else {
        isReachable = true
        machine.apply(.wake, isReachable: true, at: now)
        if step.isMultiple(of: 100) { machine.apply(.retry, isReachable: true, at: now) }
        continue
      }
      switch Int.random(in: 0..<400, using: &random) {
      case 0:
        // The connection breaks; messages in flight may have arrived.
        if machine.isConnected {
          for group in machine.unanswered.prefix(.random(in: 0...machine.unanswered.count, using: &random)) {
            for record in group { server.add(record) }
          }
          (machine.isConnected, machine.unanswered) = (false, [])
          machine.apply(.ended(.closed, nil), isReachable: isReachable, at: now)
        }
      case 1: isReachable.toggle()
      case 2:
        // The power is cut, and the machine starts again with what was synced.
        cuts += 1
        var fresh = Machine(limits, at: now)
        fresh.records = Array(machine.records[..<machine.synced])
        (fresh.synced, fresh.cursor) = (machine.synced, machine.cursor)
        let index = fresh.records.partition(after: fresh.cursor)
        fresh.outbox = FleetOutbox(
          limits, cursor: fresh.cursor, waiting: fresh.records.count - index, seed: UInt64(step), at: now)
        // Duplicates are at most the window, and what was acknowledged in 30 s.
        let again = fresh.records[index...].count { server.seen.contains($0.place) }
        #expect(again <= limits.window + 30 * limits.rate)
        machine = fresh
        segment += 1
        machine.apply(.wake, isReachable: isReachable, at: now)
      default: machine.apply(.wake, isReachable: isReachable, at: now)
      }
    }
    // Everything that was synced has arrived, in order. What a power cut took may have been sent before.
    let missing = machine.records.filter { !server.seen.contains($0.place) }
    #expect(missing.isEmpty && server.isOrdered, "\(missing.count) missing after \(cuts) cuts")
    #expect(machine.outbox.waiting == 0)
  }
}

extension Array where Element == FleetRecord {
  /// The index of the first record after a place.
  fileprivate func partition(after place: FleetPlace) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].place > place { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
