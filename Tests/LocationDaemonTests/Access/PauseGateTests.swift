import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// Clients that cannot come to the foreground: when their updates are suspended or paused, and what ends a pause.
@Suite struct PauseGateTests {
  private var bed = GateBed()
  private static let check = RequestID(1 | 1 << 31)
  private static let tracker = ClientID.process(2)

  init() { _ = bed.handle(.loaded([], isOn: true)) }

  private mutating func reported(_ input: AccessGate.Input) -> [AccessGate.Action] {
    bed.handle(input).filter { !$0.isOfRecord }
  }

  /// Starts updates of a service of root with Apple's defaults.
  private mutating func service(_ privilege: ClientPrivilege = .administrator) -> ClientRequest {
    bed.arrive(2, user: privilege == .asks ? 1001 : 0, privilege, presence: .background, canReturn: false)
    let request = ClientRequest.startUpdates(
      RequestID(1),
      UpdateOptions(waitsForSource: true, whenNotDetermined: .waits, allowsBackground: false, pausesAutomatically: true)
    )
    if privilege == .asks {
      #expect(bed.ask(2, request) == [])
      #expect(bed.decide(.always(isReduced: false), for: 1001).contains(.pass(Self.tracker, request)))
    } else {
      #expect(bed.ask(2, request) == [.pass(Self.tracker, request)])
    }
    return request
  }

  /// Stands still until the updates pause.
  private mutating func pause() {
    for _ in 0...15 {
      bed.now = bed.now + .seconds(60)
      #expect(bed.update(2, 1, speed: 0) != nil)
    }
    #expect(bed.gate.isWakeDue)
    #expect(
      reported(.wake) == [
        .pass(Self.tracker, .cancel(RequestID(1))), .send(Self.tracker, .streamChanged(RequestID(1), .paused)),
      ])
  }

  /// Advances to the next position check.
  private mutating func look() throws {
    bed.now = try #require(bed.gate.nextPauseDeadline)
    let asked = reported(.wake)
    guard case .pass(Self.tracker, .startUpdates(Self.check, let options))? = asked.first, asked.count == 1 else {
      Issue.record("\(asked)")
      return
    }
    #expect(options.isUnhurried && options.sufficientRadius68 == Meters(100) && !options.setsReceivers)
  }

  @Test(arguments: [ClientPrivilege.administrator, .entitled, .asks])
  mutating func movementResumesAService(privilege: ClientPrivilege) throws {
    let request = service(privilege)
    pause()
    #expect(bed.gate.awaitsMovement)
    try look()
    // The device has not moved, so the client receives nothing.
    bed.now = bed.now + .seconds(5)
    #expect(bed.update(2, Self.check.rawValue, north: 4, speed: 0) == nil)
    #expect(bed.gate.isWakeDue)
    #expect(reported(.wake) == [.pass(Self.tracker, .cancel(Self.check))])
    try look()
    bed.now = bed.now + .seconds(5)
    #expect(bed.update(2, Self.check.rawValue, north: 800, speed: 15) == nil)
    #expect(
      reported(.wake) == [
        .send(Self.tracker, .streamChanged(RequestID(1), .unpaused)), .pass(Self.tracker, request),
        .pass(Self.tracker, .cancel(Self.check)),
      ])
    #expect(bed.update(2, 1, north: 815, speed: 15) != nil && !bed.gate.awaitsMovement)
  }

  @Test mutating func aPositionForOthersResumesItToo() {
    let request = service()
    pause()
    bed.now = bed.now + .seconds(30)
    var elsewhere = fix(north: 300)
    elsewhere.receivedAt = bed.now
    #expect(
      reported(.monitoringFix(elsewhere)) == [
        .send(Self.tracker, .streamChanged(RequestID(1), .unpaused)), .pass(Self.tracker, request),
      ])
  }

  @Test mutating func aCheckThatFailsIsTriedAgain() throws {
    _ = service()
    pause()
    try look()
    #expect(reported(.event(Self.tracker, .failed(Self.check, .noSource))) == [])
    try look()
    // The client receives no event of the check.
    #expect(reported(.event(Self.tracker, .progress(Self.check, .waitingForSource))) == [])
    // One minute passes without a position.
    bed.now = bed.now + .seconds(60)
    #expect(reported(.wake) == [.pass(Self.tracker, .cancel(Self.check))])
  }

  @Test mutating func finishedSegmentsAreNotExamined() throws {
    _ = service()
    pause()
    try look()
    #expect(
      bed.ask(2, .cancel(RequestID(1))) == [.pass(Self.tracker, .cancel(Self.check))])
    #expect(!bed.gate.awaitsMovement && bed.gate.nextPauseDeadline == nil)
  }

  @Test mutating func withTheSwitchForAllAPauseEndsInAFailure() throws {
    _ = service()
    pause()
    try look()
    bed.arrive(9, user: 0, .administrator)
    let off = bed.ask(9, .authorization(RequestID(7), .setServices(isOn: false)))
    #expect(off.contains(.pass(Self.tracker, .cancel(Self.check))))
    #expect(off.contains { $0.isFailure })
  }

  /// Pauses use virtual time: half an hour of it takes no real time.
  @Test mutating func pausesGoByTheServicesTime() throws {
    _ = service()
    var present = bed.now + .seconds(100_000)
    for _ in 0...16 {
      present = present + .seconds(60)
      var place = fix()
      (place.receivedAt, place.speedMetersPerSecond) = (present, 0)
      _ = bed.gate.passing(.update(RequestID(1), place, age: .zero), to: Self.tracker, at: present)
    }
    #expect(bed.gate.isWakeDue)
    let paused = bed.gate.handle(.wake, at: bed.now, clock: nil, present: present)
    #expect(paused.contains(.send(Self.tracker, .streamChanged(RequestID(1), .paused))))
    #expect(bed.gate.nextPauseDeadline == present + .seconds(120))
  }

  // MARK: In the background

  /// A program in a session whose user needs no grant: its updates are suspended when the session ends, because it has not requested
  /// background updates.
  @Test(arguments: [ClientPrivilege.administrator, .entitled])
  mutating func exemptClientsAlsoRestInTheBackground(privilege: ClientPrivilege) {
    bed.arrive(2, user: 0, privilege, canReturn: false)
    let request = ClientRequest.startUpdates(RequestID(1), UpdateOptions(allowsBackground: false))
    #expect(bed.ask(2, request) == [.pass(Self.tracker, request)])
    #expect(
      reported(.presence(Self.tracker, .background)) == [
        .pass(Self.tracker, .cancel(RequestID(1))), .send(Self.tracker, .streamChanged(RequestID(1), .suspended)),
      ])
    // A script requests background updates.
    #expect(bed.ask(2, stream(3)) == [.pass(Self.tracker, stream(3))])
    var status = ClientStatus(name: "tracker")
    bed.gate.describe(Self.tracker, &status)
    #expect(status.resting == 1 && status.paused == 0)
  }

  @Test mutating func whileInUseIsNotEnoughForAService() {
    bed.arrive(2, user: 1001, .asks, presence: .background, canReturn: false)
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    let request = ClientRequest.startUpdates(RequestID(1), UpdateOptions(allowsBackground: false))
    #expect(bed.ask(2, request) == [.send(Self.tracker, .streamChanged(RequestID(1), .suspended))])
  }

  // MARK: Another activity

  /// As in a manager whose activity type is set while it updates.
  @Test mutating func anotherActivityKeepsTheOuting() {
    bed.arrive(2, user: 0, .administrator, presence: .background)
    func updates(_ number: UInt32, _ activity: Activity) -> ClientRequest {
      .startUpdates(RequestID(number), UpdateOptions(activity: activity, pausesAutomatically: true))
    }
    _ = bed.ask(2, updates(1, .fitness))
    for _ in 0..<9 {
      bed.now = bed.now + .seconds(60)
      #expect(bed.update(2, 1, speed: 0) != nil)
    }
    bed.now = bed.now + .milliseconds(10)
    _ = bed.ask(2, updates(2, .automotiveNavigation))
    _ = bed.ask(2, .cancel(RequestID(1)))
    // The ten minutes of standing still count from their beginning, although the activity has changed since.
    bed.now = bed.now + .seconds(121)
    #expect(bed.update(2, 2, speed: 0) != nil && bed.gate.isWakeDue)
  }

  @Test mutating func anotherManagerIsAnotherOuting() {
    bed.arrive(2, user: 0, .administrator, presence: .background)
    func updates(_ number: UInt32, _ activity: Activity) -> ClientRequest {
      .startUpdates(RequestID(number), UpdateOptions(activity: activity, pausesAutomatically: true))
    }
    _ = bed.ask(2, updates(1, .fitness))
    for _ in 0..<9 {
      bed.now = bed.now + .seconds(60)
      #expect(bed.update(2, 1, speed: 0) != nil)
    }
    _ = bed.ask(2, updates(2, .automotiveNavigation))
    bed.now = bed.now + .seconds(121)
    _ = bed.ask(2, .cancel(RequestID(1)))
    #expect(bed.update(2, 2, speed: 0) != nil && !bed.gate.isWakeDue)
  }

  // MARK: Reports to clients

  @Test mutating func theIndicatorIsNamedToWhomItConcerns() throws {
    bed.arrive(1, user: 0, .administrator)
    bed.arrive(2, user: 1001, .asks, name: "walk")
    bed.arrive(3, user: 1002, .asks)
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    _ = bed.ask(2, stream(1))
    _ = bed.handle(.presence(Self.tracker, .background))
    for (client, name) in [(1, "walk"), (2, "walk"), (3, nil)] {
      let reported = bed.handle(.event(ClientID.process(client), .status(RequestID(5), ServiceStatus(source: "auto"))))
      guard case .send(_, .status(_, let seen))? = reported.first else {
        Issue.record("no status: \(reported)")
        return
      }
      #expect(seen.backgroundCount == 1 && seen.background?.name == name)
    }
  }

  @Test mutating func heldBackFixesAreReported() {
    _ = service()
    pause()
    bed.arrive(3, user: 1002, .asks, presence: .background)
    _ = bed.ask(3, .startUpdates(RequestID(1), UpdateOptions(whenNotDetermined: .waits)))
    var (paused, waiting) = (ClientStatus(name: "a"), ClientStatus(name: "b"))
    bed.gate.describe(Self.tracker, &paused)
    bed.gate.describe(ClientID.process(3), &waiting)
    #expect((paused.paused, paused.resting, paused.undecided) == (1, 0, 0))
    #expect((waiting.paused, waiting.resting, waiting.undecided) == (0, 0, 1))
  }
}
