import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// When the gate delivers updates that a client in the background defers, and how each call ends (Documentation/Behavior.md, "Deferred
/// updates").
@Suite struct DeferralGateTests {
  private var bed = DeferralBed()
  private static let (tracker, other, log) = (ClientID.process(2), ClientID.process(3), ClientID.log(1))
  private static let denied = LocationFailure.notAuthorized(
    .denied(inBackground: true), identity: ClientIdentity(userID: 1001))

  /// A tracker with a stream whose updates are deferred by the call 10, after three fixes.
  private static func deferring(
    distance: Double? = nil, timeout: Duration? = .seconds(900), options: UpdateOptions = UpdateOptions()
  ) -> DeferralBed {
    var bed = DeferralBed()
    bed.arrive(2)
    bed.ask(.startUpdates(RequestID(1), options))
    _ = bed.taken()
    bed.deferUpdates(10, distance: distance, timeout: timeout)
    bed.run(3)
    #expect(bed.taken() == [])
    return bed
  }

  @Test func endsAtTheTime() {
    var bed = Self.deferring(timeout: .seconds(10))
    bed.run(6)
    #expect(bed.taken() == [])
    bed.run(1)
    // From now on, updates arrive at once.
    #expect(bed.taken() == [.batch(Array(1...9)), .done(10), .fix(10)])
    bed.run(2)
    #expect(bed.taken() == [.fix(11), .fix(12)])
  }

  /// Without fixes, the timer ends the call.
  @Test func endsAtTheTimeWithoutAFix() {
    var bed = Self.deferring(timeout: .seconds(10))
    bed.advance(6)
    #expect(bed.taken() == [])
    bed.advance(1)
    #expect(bed.taken() == [.batch([1, 2, 3]), .done(10)])
    bed.deferUpdates(11, timeout: .seconds(10))
    bed.advance(10)
    #expect(bed.taken() == [.done(11)])
  }

  @Test func endsAtTheDistance() {
    var bed = Self.deferring(distance: 95)
    bed.run(7)
    #expect(bed.taken() == [])
    bed.run(1)
    #expect(bed.taken() == [.batch(Array(1...11)), .done(10)])
  }

  @Test func theAgeIsThatOfTheNewestFix() throws {
    var gate = GateBed()
    gate.arrive(2, user: 0, .administrator, presence: .background)
    _ = gate.ask(2, stream(1))
    _ = gate.ask(2, .deferUpdates(RequestID(9), of: RequestID(1), DeferralLimits(timeout: .seconds(5))))
    var fix = fix()
    fix.receivedAt = gate.now
    #expect(gate.gate.passing(.update(RequestID(1), fix, age: .zero), to: Self.tracker, at: gate.now) == nil)
    #expect(gate.gate.nextPauseDeadline == gate.now + .seconds(5))
    gate.now = gate.now + .seconds(5)
    #expect(
      gate.handle(.wake).filter { !$0.isOfRecord } == [
        .send(Self.tracker, .batch(RequestID(1), FixBatch([fix]), age: .seconds(5))),
        .send(Self.tracker, .done(RequestID(9))),
      ])
  }

  // MARK: Conditions

  @Test func conditionsAreCheckedOnCall() {
    let cases: [(UpdateOptions, hasReceiver: Bool, DeferralFailure)] = [
      (UpdateOptions(), false, .failed),
      (UpdateOptions(sufficientRadius68: Meters(100)), true, .accuracyTooLow),
      (UpdateOptions(desiredRadius68: Meters(100)), true, .accuracyTooLow),
      (UpdateOptions(distanceFilter: Meters(10)), true, .distanceFiltered),
    ]
    for (options, hasReceiver, failure) in cases {
      var bed = DeferralBed()
      bed.arrive(2)
      bed.ask(.startUpdates(RequestID(1), options))
      bed.setReceiver(hasReceiver)
      bed.deferUpdates(10, timeout: .seconds(60))
      #expect(bed.taken() == [.failed(10, .deferral(failure))])
      bed.run(1)
      #expect(bed.taken() == [.fix(1)])
      #expect(!bed.gate.isHolding && bed.gate.nextPauseDeadline == nil)
    }
  }

  @Test mutating func onlyARunningStreamIsDeferred() {
    bed.arrive(2)
    bed.deferUpdates(10)
    bed.ask(.locate(RequestID(1), OneShotOptions()))
    bed.deferUpdates(11)
    let failures = bed.taken().filter { if case .failed = $0 { true } else { false } }
    #expect(failures == [.failed(10, .deferral(.notUpdating)), .failed(11, .deferral(.notUpdating))])
  }

  @Test mutating func anUnknownClientDefersNothing() {
    bed.deferUpdates(10)
    #expect(bed.taken() == [.failed(10, .notAuthorized(.unidentified, identity: nil))])
  }

  @Test func aSecondCallEndsTheFirst() {
    var bed = Self.deferring()
    bed.deferUpdates(11, timeout: .seconds(10))
    #expect(bed.taken() == [.batch([1, 2, 3]), .failed(10, .deferral(.canceled))])
    bed.run(10)
    #expect(bed.taken() == [.batch(Array(4...12)), .done(11), .fix(13)])
    // A second call that cannot succeed ends the first, too.
    bed.deferUpdates(12)
    bed.setReceiver(false)
    bed.deferUpdates(13)
    #expect(bed.taken() == [.failed(12, .deferral(.canceled)), .failed(13, .deferral(.failed))])
  }

  /// How a client ends the deferral and learns when everything has been delivered.
  @Test func aCallWithoutTimeAsksForWhatIsHeld() {
    var bed = Self.deferring()
    bed.deferUpdates(11, timeout: .zero)
    #expect(bed.taken() == [.batch([1, 2, 3]), .failed(10, .deferral(.canceled)), .done(11)])
    bed.run(1)
    #expect(bed.taken() == [.fix(4)])
  }

  @Test func aCanceledCallDeliversWhatIsHeldAndEndsSilently() {
    var bed = Self.deferring()
    bed.ask(.cancel(RequestID(10)))
    #expect(bed.taken() == [.batch([1, 2, 3])])
    bed.run(1)
    #expect(bed.taken() == [.fix(4)])
    #expect(bed.running[Self.tracker] == [RequestID(1)])
  }

  // MARK: Delivered early

  @Test func inTheForegroundUpdatesArriveAtOnceAndTheCallContinues() {
    var bed = Self.deferring(timeout: .seconds(10))
    bed.handle(.presence(Self.tracker, .inUse))
    #expect(bed.taken() == [.batch([1, 2, 3])])
    bed.run(2)
    #expect(bed.taken() == [.fix(4), .fix(5)])
    bed.handle(.presence(Self.tracker, .background))
    bed.run(5)
    #expect(bed.taken() == [.batch(Array(6...9)), .done(10), .fix(10)])
  }

  @Test func anotherClientThatIsServedHasTheFixesDelivered() {
    var bed = Self.deferring()
    bed.arrive(3, user: 1002)
    bed.ask(.startUpdates(RequestID(1), UpdateOptions()), Self.other)
    #expect(bed.taken() == [])
    bed.run(1, Self.tracker, Self.other)
    #expect(bed.taken() == [.batch(Array(1...4))])
    // The call continues.
    bed.ask(.cancel(RequestID(1)), Self.other)
    bed.run(2)
    #expect(bed.taken() == [])
    // One fix for the other client.
    bed.ask(.locate(RequestID(2), OneShotOptions()), Self.other)
    #expect(bed.taken() == [])
    let fix = DeferralBed.fix(6)
    bed.handle(.event(Self.other, .located(RequestID(2), fix, age: .zero, isCached: false)))
    #expect(bed.taken() == [.batch([5, 6])])
    // Two clients that both defer save both.
    bed.ask(.startUpdates(RequestID(3), UpdateOptions()), Self.other)
    bed.deferUpdates(9, of: 3, Self.other)
    bed.run(5, Self.tracker, Self.other)
    #expect(bed.taken() == [])
  }

  /// A log is a part of the service: its fixes wake no program.
  @Test func aLogIsNoOtherClient() {
    var bed = Self.deferring()
    bed.handle(
      .arrived(
        Self.log,
        AuthorizationClient(ClientIdentity(userID: 1001), privilege: .asks, presence: .background, name: "log")))
    bed.ask(.startUpdates(RequestID(1), UpdateOptions(waitsForSource: true, whenNotDetermined: .waits)), Self.log)
    bed.run(2, Self.tracker, Self.log)
    #expect(bed.taken(Self.log) == [.fix(4), .fix(5)])
    #expect(bed.taken() == [])
  }

  @Test func anyRequestOfTheClientDeliversFirst() {
    var bed = Self.deferring()
    bed.ask(.authorization(RequestID(20), .watch))
    #expect(bed.taken() == [.batch([1, 2, 3]), .other(RequestID(20))])
    bed.run(1)
    // Another stream of the client that is not deferred.
    bed.ask(.startUpdates(RequestID(2), UpdateOptions(activity: .fitness)))
    #expect(bed.taken() == [.batch([4])])
    bed.run(1)
    #expect(bed.taken() == [.fix(5), .batch([5])])
  }

  @Test func anEventOfTheStreamFollowsTheFixesBeforeIt() {
    var bed = Self.deferring()
    bed.handle(.event(Self.tracker, .streamChanged(RequestID(1), .lost)))
    #expect(bed.taken() == [.batch([1, 2, 3]), .change(.lost)])
  }

  @Test func aStreamThatEndsDeliversFirst() {
    var bed = Self.deferring()
    bed.handle(.event(Self.tracker, .failed(RequestID(1), .sourceEnded(path: "/dev/ttyACM0"))))
    #expect(
      bed.taken() == [
        .batch([1, 2, 3]), .failed(10, .deferral(.notUpdating)), .failed(1, .sourceEnded(path: "/dev/ttyACM0")),
      ])
    var stopped = Self.deferring()
    stopped.ask(.cancel(RequestID(1)))
    #expect(stopped.taken() == [.batch([1, 2, 3]), .failed(10, .deferral(.notUpdating))])
    #expect(stopped.running[Self.tracker] == [])
  }

  @Test func theEndOfTheServiceDeliversFirst() {
    var bed = Self.deferring()
    #expect(bed.gate.isHolding)
    bed.handle(.release)
    #expect(bed.taken() == [.batch([1, 2, 3])])
    #expect(!bed.gate.isHolding)
  }

  @Test func aPauseComesAfterTheFixesBeforeIt() {
    var bed = Self.deferring(
      timeout: nil, options: UpdateOptions(activity: .automotiveNavigation, pausesAutomatically: true))
    // Nothing for 15 minutes.
    bed.advance(15 * 60 + 1)
    #expect(bed.taken() == [.batch([1, 2, 3]), .change(.paused)])
  }

  @Test mutating func suspensionComesAfterTheFixesBeforeIt() {
    // With access while in use, and without updates in the background.
    bed.arrive(2, presence: .inUse)
    bed.decide(.whenInUse(isReduced: false))
    bed.ask(.startUpdates(RequestID(1), UpdateOptions(allowsBackground: false)))
    bed.deferUpdates(10, timeout: .seconds(900))
    bed.run(1)
    #expect(bed.taken() == [.fix(1)])
    bed.handle(.presence(Self.tracker, .background))
    #expect(bed.taken() == [.change(.suspended)])
    bed.run(2)
    bed.handle(.presence(Self.tracker, .inUse))
    #expect(bed.taken() == [.change(.resumed)])
  }

  // MARK: Access

  @Test func revokedAccessDropsWhatIsHeld() {
    var bed = Self.deferring()
    bed.decide(.denied)
    #expect(bed.taken() == [.failed(10, Self.denied), .failed(1, Self.denied)])
    #expect(!bed.gate.isHolding && bed.gate.nextPauseDeadline == nil)
    // What comes later is as without a deferral.
    bed.advance(1000)
    #expect(bed.taken() == [])
  }

  @Test func reducedAccuracyDropsWhatIsHeld() {
    var bed = Self.deferring()
    bed.decide(.always(isReduced: true))
    let reduced = LocationFailure.notAuthorized(
      .needsFullAccuracy(always: true), identity: ClientIdentity(userID: 1001))
    #expect(bed.taken() == [.failed(10, reduced)])
    bed.deferUpdates(11)
    #expect(bed.taken() == [.failed(11, reduced)])
    bed.decide(.always(isReduced: false))
    bed.run(1)
    #expect(bed.taken() == [.fix(4)])
  }

  @Test func accessOnlyInUseDropsWhatIsHeldOfAServiceInTheBackground() {
    var bed = Self.deferring(options: UpdateOptions(allowsBackground: false))
    bed.decide(.whenInUse(isReduced: false))
    let taken = bed.taken()
    #expect(
      taken.first
        == .failed(10, .notAuthorized(.inBackground, identity: ClientIdentity(userID: 1001))), "\(taken)")
    #expect(!taken.contains { if case .batch = $0 { true } else { false } }, "\(taken)")
  }

  @Test func aForgottenDecisionDropsWhatIsHeld() {
    var bed = Self.deferring(options: UpdateOptions(whenNotDetermined: .waits))
    bed.decide(.forget)
    let undecided = LocationFailure.notAuthorized(.undecided(isAsked: false), identity: ClientIdentity(userID: 1001))
    #expect(bed.taken() == [.failed(10, undecided)])
    #expect(!bed.gate.isHolding)
  }

  @Test func aClientThatLeavesIsForgotten() {
    var bed = Self.deferring()
    bed.handle(.left(Self.tracker))
    #expect(!bed.gate.isHolding && bed.gate.nextPauseDeadline == nil)
  }

  // MARK: Bounds

  @Test func aFullBatchIsDeliveredEarlyAndTheCallContinues() {
    var bed = Self.deferring(timeout: .seconds(3000))
    bed.run(FixBatch.capacity - 3)
    #expect(bed.taken() == [])
    bed.run(1)
    #expect(bed.taken() == [.batch(Array(1...FixBatch.capacity))])
    #expect(bed.gate.held(for: Self.tracker).fixes == 1)
    bed.run(3000 - FixBatch.capacity - 1)
    #expect(bed.taken().contains(.done(10)))
  }

  /// The bounds are those of a client, however many streams it defers.
  @Test mutating func theBoundIsOfAllStreamsOfAClient() {
    bed.arrive(2)
    for stream: UInt32 in 1...3 {
      bed.ask(.startUpdates(RequestID(stream), UpdateOptions(rateHertz: Int(stream))))
      bed.deferUpdates(10 + stream, of: stream)
    }
    _ = bed.taken()
    var fixes = 0
    for _ in 0..<2000 {
      bed.run(1)
      let held = bed.gate.held(for: Self.tracker)
      #expect(held.fixes <= FixBatch.capacity && held.bytes <= FixBatch.byteCapacity)
      fixes = max(fixes, held.fixes)
    }
    // Three fixes arrive at a time.
    #expect(fixes > FixBatch.capacity - 3)
  }
}
