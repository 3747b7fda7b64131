import Fleet
import FleetDestinations
import Geodesy
import Testing

/// The outbox, one input after the other.
@Suite struct FleetOutboxTests {
  private static let start = Instant(nanoseconds: 0)

  static func record(_ number: Int, isEvent: Bool = false) -> FleetRecord {
    let coordinate = Coordinate(latitude: Angle(degrees: 52), longitude: Angle(degrees: 0))
    let time = GNSSTime(nanosecondsSince1970: Int64(number) * 1_000_000_000)
    if isEvent {
      let crossing = FleetCrossing(
        region: "a", isEntry: true, time: time, addedAt: time, coordinate: coordinate, radius68: Meters(5))
      return FleetRecord(
        place: FleetPlace(segment: 1, before: number, event: 0), box: 1, content: .event(.crossing(crossing)))
    }
    let fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: start, coordinate: coordinate, horizontalRadius68: Meters(5),
      kind: .threeDimensional, technologies: .gnss)
    return FleetRecord(place: FleetPlace(segment: 1, block: number, entry: 0), box: 1, content: .fix(fix))
  }

  /// A machine that is connected and has loaded these records.
  private func connected(
    _ records: [FleetRecord], _ limits: FleetOutbox.Limits = FleetOutbox.Limits(), receiveMaximum: UInt16? = nil
  ) -> (FleetOutbox, [FleetOutbox.Action]) {
    var outbox = FleetOutbox(limits, cursor: .start, waiting: records.count, seed: 1, at: Self.start)
    #expect(outbox.handle(.wake, at: Self.start) == [.load(after: .start), .connect])
    #expect(outbox.handle(.loaded(records, isEnd: true), at: Self.start) == [])
    var session = FleetSession(version: 5)
    session.receiveMaximum = receiveMaximum
    let actions = outbox.handle(.connected(session), at: Self.start)
    return (outbox, actions)
  }

  private static func fast() -> FleetOutbox.Limits {
    var limits = FleetOutbox.Limits()
    limits.rate = 1000
    return limits
  }

  /// Handles an input, and then wakes the machine until nothing is due within a second.
  private func settle(
    _ outbox: inout FleetOutbox, _ input: FleetOutbox.Input, at now: inout Instant
  ) -> [FleetOutbox.Action] {
    var actions = outbox.handle(input, at: now)
    let end = now + .seconds(1)
    while let deadline = outbox.nextDeadline, deadline <= end {
      now = max(now, deadline)
      actions += outbox.handle(.wake, at: now)
    }
    return actions
  }

  @Test func theFirstMessageIsATrialAndTheWindowGrows() {
    let records = (1...9).map { Self.record($0) }
    var (outbox, first) = connected(records, Self.fast())
    var now = Self.start
    #expect(first == [.send([records[0]])])
    #expect(settle(&outbox, .wake, at: &now) == [])
    #expect(
      settle(&outbox, .answered(records[0].place.rawValue, .mqtt(0)), at: &now)
        == [.acknowledged(records[0]), .send([records[1]]), .send([records[2]])])
    #expect(settle(&outbox, .answered(records[2].place.rawValue, .mqtt(0)), at: &now).count == 2)
    // The cursor waits for the first.
    #expect(outbox.cursor == records[0].place)
    _ = settle(&outbox, .answered(records[1].place.rawValue, .mqtt(0)), at: &now)
    #expect(outbox.cursor == records[2].place && outbox.waiting == 6)
  }

  @Test func neverMoreThanTheServerAccepts() {
    let records = (1...9).map { Self.record($0) }
    var (outbox, _) = connected(records, Self.fast(), receiveMaximum: 2)
    var now = Self.start
    var unanswered = 1
    for record in records {
      let actions = settle(&outbox, .answered(record.place.rawValue, .mqtt(0)), at: &now)
      unanswered += actions.count { if case .send = $0 { true } else { false } } - 1
      #expect(unanswered <= 2)
    }
    #expect(outbox.waiting == 0)
  }

  @Test func anEventIsABarrier() {
    let records = [Self.record(1), Self.record(2), Self.record(3, isEvent: true), Self.record(4), Self.record(5)]
    var (outbox, _) = connected(records, Self.fast())
    var now = Self.start
    #expect(settle(&outbox, .answered(records[0].place.rawValue, .mqtt(0)), at: &now).contains(.send([records[1]])))
    #expect(outbox.nextDeadline.map { $0 > now + .seconds(1) } ?? true)
    let second = settle(&outbox, .answered(records[1].place.rawValue, .mqtt(0)), at: &now)
    #expect(second == [.acknowledged(records[1]), .send([records[2]])])
    let third = settle(&outbox, .answered(records[2].place.rawValue, .mqtt(0)), at: &now)
    // Its acknowledgement is stored at once.
    #expect(
      third
        == [.acknowledged(records[2]), .saveCursor(records[2].place), .send([records[3]]), .send([records[4]])])
  }

  @Test func nobodyListens() {
    let records = (1...3).map { Self.record($0) }
    var (outbox, _) = connected(records, Self.fast())
    var now = Self.start
    #expect(settle(&outbox, .answered(records[0].place.rawValue, .mqtt(0x10)), at: &now) == [])
    #expect(outbox.state == .unheard && outbox.waiting == 3 && outbox.reply == .mqtt(0x10))
    let deadline = outbox.nextDeadline
    #expect(deadline.map { $0 - now >= .seconds(29) && $0 - now <= .seconds(60) } ?? false)
    now = deadline ?? now
    #expect(outbox.handle(.wake, at: now) == [.send([records[0]])])
    _ = settle(&outbox, .answered(records[0].place.rawValue, .mqtt(0)), at: &now)
    #expect(outbox.state == .connected && outbox.waiting == 2 && outbox.reply == nil)
    var limits = Self.fast()
    limits.acceptsUnheard = true
    var (trusting, _) = connected(records, limits)
    _ = settle(&trusting, .answered(records[0].place.rawValue, .mqtt(0x10)), at: &now)
    #expect(trusting.waiting == 2)
  }

  @Test(arguments: [FleetReply.mqtt(0x87), .http(401, retryAfter: nil), .http(404, retryAfter: nil)])
  func aRefusalStopsUntilResumedAndIsTriedOnceAnHour(reply: FleetReply) {
    let records = (1...3).map { Self.record($0) }
    var (outbox, _) = connected(records)
    #expect(outbox.handle(.answered(records[0].place.rawValue, reply), at: Self.start) == [.disconnect])
    #expect(outbox.state == .refused && outbox.waiting == 3)
    #expect(outbox.nextDeadline == Self.start + .seconds(3600))
    #expect(outbox.handle(.wake, at: Self.start + .seconds(3599)) == [])
    var later = outbox
    #expect(later.handle(.wake, at: Self.start + .seconds(3600)) == [.connect])
    #expect(outbox.handle(.retry, at: Self.start + .seconds(5)) == [.connect])
  }

  @Test func retryAfterIsObeyed() {
    let records = (1...3).map { Self.record($0) }
    var (outbox, _) = connected(records)
    #expect(outbox.handle(.answered(records[0].place.rawValue, .http(503, retryAfter: 120)), at: Self.start) == [])
    #expect(outbox.state == .waiting && outbox.nextDeadline == Self.start + .seconds(120))
    #expect(outbox.handle(.wake, at: Self.start + .seconds(120)) == [.send([records[0]])])
  }

  @Test func anInvalidMessageIsSetAsideAfterThreeAttemptsIfTheServerAcceptsOthers() {
    let records = (1...3).map { Self.record($0) }
    var limits = Self.fast()
    limits.window = 1
    var (outbox, _) = connected(records, limits)
    var now = Self.start
    let first = settle(&outbox, .answered(records[0].place.rawValue, .http(200, retryAfter: nil)), at: &now)
    #expect(first == [.acknowledged(records[0]), .send([records[1]])])
    for attempt in 1...3 {
      let actions = outbox.handle(.answered(records[1].place.rawValue, .http(422, retryAfter: nil)), at: now)
      if attempt == 3 {
        #expect(actions.starts(with: [.setAside(records[1]), .acknowledged(records[1])]))
      } else {
        #expect(actions == [])
        now = outbox.nextDeadline ?? now
        #expect(outbox.handle(.wake, at: now) == [.send([records[1]])])
      }
    }
    #expect(outbox.waiting == 1)
  }

  /// Traccar answers 400 for a device that is not registered.
  @Test func aServerThatCallsEverythingInvalidDoesNotDiscardTheBacklog() {
    let records = (1...3).map { Self.record($0) }
    var (outbox, _) = connected(records)
    var now = Self.start
    var setAside = 0
    var refusals = 0
    while now < Self.start + .seconds(20 * 3600) {
      var actions = outbox.handle(.answered(records[0].place.rawValue, .http(400, retryAfter: nil)), at: now)
      setAside += actions.count { if case .setAside = $0 { true } else { false } }
      if outbox.state == .refused { refusals += 1 }
      now = outbox.nextDeadline ?? now
      actions = outbox.handle(.wake, at: now)
      if actions.contains(.connect) { actions += outbox.handle(.connected(FleetSession(version: 0)), at: now) }
      #expect(actions.contains(.send([records[0]])))
    }
    #expect(setAside == 0 && outbox.waiting == 3 && refusals >= 18)
    // Once the device is registered, all of them are sent.
    let sent = outbox.handle(.answered(records[0].place.rawValue, .http(200, retryAfter: nil)), at: now)
    #expect(sent.first == .acknowledged(records[0]))
    #expect(outbox.state == .connected && outbox.waiting == 2)
  }

  @Test func oneInvalidRecordOfABatchIsFoundAndLeavesTheOthers() {
    let records = (1...9).map { Self.record($0) }
    var limits = Self.fast()
    (limits.recordsPerMessage, limits.window) = (8, 1)
    var (outbox, actions) = connected(records, limits)
    var now = Self.start
    var (accepted, left): ([FleetRecord], [FleetRecord]) = ([], [])
    var isFirst = true
    for _ in 0..<100 where outbox.waiting > 0 {
      var next: [FleetOutbox.Action] = []
      for case .send(let group) in actions {
        // The first batch is good.
        let isGood = isFirst || !group.contains(records[8])
        isFirst = false
        if isGood { accepted += group }
        next += outbox.handle(
          .answered(group[0].place.rawValue, .http(isGood ? 200 : 400, retryAfter: nil)), at: now)
      }
      for case .setAside(let record) in next { left.append(record) }
      if !next.contains(where: { if case .send = $0 { true } else { false } }), let due = outbox.nextDeadline {
        now = max(now, due)
        next += outbox.handle(.wake, at: now)
      }
      actions = next
    }
    #expect(accepted == Array(records[..<8]) && left == [records[8]] && outbox.waiting == 0)
    // Somewhere in the middle of a batch.
    var other: FleetOutbox
    (other, actions) = connected(records, limits)
    #expect(actions == [.send(Array(records[..<8]))])
    let again = settle(&other, .answered(records[0].place.rawValue, .http(400, retryAfter: nil)), at: &now)
    #expect(again == [.send(Array(records[..<4]))])
  }

  @Test func aBrokenConnectionSendsAgainInOrderAndNotWhatWasAccepted() {
    let records = (1...6).map { Self.record($0) }
    var (outbox, _) = connected(records, Self.fast())
    var now = Self.start
    _ = settle(&outbox, .answered(records[0].place.rawValue, .mqtt(0)), at: &now)
    _ = settle(&outbox, .answered(records[2].place.rawValue, .mqtt(0)), at: &now)
    #expect(outbox.handle(.ended(.closed, nil), at: now) == [])
    #expect(outbox.state == .waiting && outbox.problem == .closed)
    now = outbox.nextDeadline ?? now
    #expect(outbox.handle(.wake, at: now) == [.connect])
    #expect(outbox.handle(.connected(FleetSession(version: 5)), at: now) == [.send([records[1]])])
    // Record 2 is accepted already: with 1, both are behind the cursor.
    let actions = settle(&outbox, .answered(records[1].place.rawValue, .mqtt(0)), at: &now)
    #expect(actions.contains(.acknowledged(records[2])) && !actions.contains(.send([records[2]])))
    #expect(actions.contains(.send([records[3]])))
  }

  @Test func theReconnectionBacksOff() {
    var outbox = FleetOutbox(FleetOutbox.Limits(), cursor: .start, waiting: 0, seed: 3, at: Self.start)
    var now = Self.start
    _ = outbox.handle(.wake, at: now)
    _ = outbox.handle(.loaded([], isEnd: true), at: now)
    var pauses: [Double] = []
    for _ in 0..<14 {
      _ = outbox.handle(.ended(.unreachable, nil), at: now)
      let next = outbox.nextDeadline ?? now
      pauses.append((next - now).inSeconds)
      now = next
      #expect(outbox.handle(.wake, at: now) == [.connect])
    }
    for (index, pause) in pauses.enumerated() {
      let whole = min(300, Double(1 << index))
      #expect(pause >= whole / 2 && pause <= whole, "\(index)")
    }
    // The network is back: at once.
    _ = outbox.handle(.ended(.unreachable, nil), at: now)
    #expect(outbox.handle(.retry, at: now) == [.connect])
  }

  @Test func aServerThatDoesNotAnswerIsLeft() {
    let records = (1...2).map { Self.record($0) }
    var (outbox, _) = connected(records)
    #expect(outbox.nextDeadline == Self.start + .seconds(60))
    #expect(outbox.handle(.wake, at: Self.start + .seconds(60)) == [.disconnect])
    #expect(outbox.state == .waiting && outbox.problem == .tooLate)
  }

  /// What was accepted after a message that was not comes again after it: Home Assistant believes whatever arrives last.
  @Test func whatFollowedARefusedMessageIsSentAgainAfterIt() {
    let records = (1...6).map { Self.record($0) }
    var (outbox, _) = connected(records, Self.fast())
    var now = Self.start
    _ = settle(&outbox, .answered(records[0].place.rawValue, .mqtt(0)), at: &now)
    #expect(settle(&outbox, .answered(records[1].place.rawValue, .mqtt(0x10)), at: &now) == [])
    #expect(settle(&outbox, .answered(records[2].place.rawValue, .mqtt(0)), at: &now) == [])
    #expect(outbox.cursor == records[0].place)
    now = outbox.nextDeadline ?? now
    #expect(outbox.handle(.wake, at: now) == [.send([records[1]])])
    let actions = settle(&outbox, .answered(records[1].place.rawValue, .mqtt(0)), at: &now)
    #expect(actions.contains(.send([records[2]])))
  }

  @Test func theReturnOfTheNetworkHelpsOnlyAgainstItsAbsence() {
    let records = (1...2).map { Self.record($0) }
    var (outbox, _) = connected(records)
    _ = outbox.handle(.ended(.closed, nil), at: Self.start)
    #expect(outbox.handle(.networkChanged, at: Self.start) == [.connect])
    var (refused, _) = connected(records)
    _ = refused.handle(.answered(records[0].place.rawValue, .mqtt(0x87)), at: Self.start)
    #expect(refused.handle(.networkChanged, at: Self.start) == [] && refused.state == .refused)
    var (busy, _) = connected(records)
    _ = busy.handle(.answered(records[0].place.rawValue, .http(503, retryAfter: 120)), at: Self.start)
    #expect(busy.handle(.networkChanged, at: Self.start) == [] && busy.state == .waiting)
  }

  @Test func aPauseDisconnectsAndKeepsWhatWaits() {
    let records = (1...2).map { Self.record($0) }
    var (outbox, _) = connected(records)
    #expect(outbox.handle(.allowed(false), at: Self.start) == [.disconnect])
    #expect(outbox.nextDeadline == nil && outbox.handle(.wake, at: Self.start + .seconds(9)) == [])
    #expect(outbox.handle(.appended(Self.record(3)), at: Self.start) == [])
    let later = Self.start + .seconds(1)
    #expect(outbox.handle(.allowed(true), at: later) == [.connect])
    #expect(outbox.handle(.connected(FleetSession(version: 5)), at: later) == [.send([records[0]])])
    #expect(outbox.waiting == 3)
  }

  @Test func recordsThatCannotBeReadAreNotPassed() {
    var outbox = FleetOutbox(FleetOutbox.Limits(), cursor: .start, waiting: 2, seed: 1, at: Self.start)
    #expect(outbox.handle(.wake, at: Self.start) == [.load(after: .start), .connect])
    #expect(outbox.handle(.loadFailed, at: Self.start) == [])
    #expect(outbox.handle(.connected(FleetSession(version: 5)), at: Self.start) == [])
    // What is added now waits for what is on the disk.
    #expect(outbox.handle(.appended(Self.record(3)), at: Self.start) == [])
    let later = Self.start + .seconds(30)
    #expect(outbox.nextDeadline == later)
    #expect(outbox.handle(.wake, at: later) == [.load(after: .start)])
    #expect(outbox.handle(.loadFailed, at: later) == [] && outbox.nextDeadline == later + .seconds(30))
    #expect(outbox.handle(.retry, at: later) == [.load(after: .start)])
    let records = (1...3).map { Self.record($0) }
    #expect(outbox.handle(.loaded(records, isEnd: true), at: later) == [.send([records[0]])])
    #expect(outbox.waiting == 3)
  }

  @Test func aPauseFromBeforeTheStartSendsNothing() {
    var outbox = FleetOutbox(FleetOutbox.Limits(), cursor: .start, waiting: 2, seed: 1, at: Self.start)
    #expect(outbox.handle(.allowed(false), at: Self.start) == [])
    for second in 1...10 { #expect(outbox.handle(.wake, at: Self.start + .seconds(second)) == []) }
    #expect(outbox.nextDeadline == nil && outbox.waiting == 2)
    #expect(outbox.handle(.allowed(true), at: Self.start) == [.load(after: .start), .connect])
  }

  @Test func aBatchConnectsForItsTimeAndAtOnceForAnEvent() {
    var limits = Self.fast()
    limits.batch = .seconds(600)
    var (outbox, sent) = connected([Self.record(1)], limits)
    #expect(sent == [.send([Self.record(1)])])
    let done = outbox.handle(.answered(Self.record(1).place.rawValue, .http(200, retryAfter: nil)), at: Self.start)
    #expect(done == [.acknowledged(Self.record(1)), .disconnect])
    #expect(outbox.handle(.appended(Self.record(2)), at: Self.start) == [])
    var early = outbox
    #expect(early.handle(.appended(Self.record(3, isEvent: true)), at: Self.start + .seconds(1)) == [.connect])
    #expect(outbox.nextDeadline == Self.start + .seconds(600))
    #expect(outbox.handle(.wake, at: Self.start + .seconds(600)) == [.connect])
  }

  /// The helper counts messages in flight: a deletion must not send one again on the same connection.
  @Test func aDeletionDoesNotSendAMessageTwiceOnAConnection() {
    let records = (1...3).map { Self.record($0) }
    var (outbox, _) = connected(records)
    let actions = outbox.handle(.dropped(upTo: FleetPlace(segment: 1, block: 2, entry: 0), waiting: 1), at: Self.start)
    #expect(actions.first == .disconnect && actions.contains(.connect))
    #expect(!actions.contains { if case .send = $0 { true } else { false } })
    #expect(outbox.cursor == records[1].place && outbox.waiting == 1)
  }

  @Test func theRateIsKept() {
    let records = (1...60).map { Self.record($0) }
    var limits = FleetOutbox.Limits()
    limits.rate = 10
    var (outbox, actions) = connected(records, limits)
    var now = Self.start
    var sent = 0
    while now < Self.start + .seconds(3) {
      for case .send(let group) in actions {
        sent += 1
        actions = outbox.handle(.answered(group[0].place.rawValue, .mqtt(0)), at: now)
      }
      guard let next = outbox.nextDeadline else { break }
      now = max(next, now)
      actions = outbox.handle(.wake, at: now)
    }
    #expect((29...31).contains(sent))
  }

  @Test func whatIsWithheldCountsAsSentButNotAsAcknowledged() {
    let records = (1...2).map { Self.record($0) }
    var (outbox, _) = connected(records, Self.fast())
    var now = Self.start
    #expect(settle(&outbox, .withheld(records[0].place.rawValue), at: &now) == [.send([records[1]])])
    #expect(outbox.cursor == records[0].place && outbox.waiting == 1)
  }

  @Test func batchesOfRecordsEndAtAnEvent() {
    var limits = Self.fast()
    (limits.recordsPerMessage, limits.window) = (100, 1)
    let records = [Self.record(1), Self.record(2), Self.record(3, isEvent: true), Self.record(4)]
    let (_, sent) = connected(records, limits)
    #expect(sent == [.send([records[0], records[1]])])
  }
}
