import Geodesy
import LocationPolicy
import Testing

@Suite struct AutoPauseTests {
  private func background(_ limits: AutoPauseLimits? = .other) -> AutoPause {
    var machine = AutoPause(limits: limits, isInForeground: false)
    #expect(machine.handle(.start, at: .start) == [])
    return machine
  }

  /// Sends one fix every ten seconds during these minutes; returns the resulting action and its time.
  private func feed(
    _ machine: inout AutoPause, minutes: Range<Int>, speed: Double?, drift: Double = 0
  ) -> (second: Double, action: AutoPause.Action)? {
    for second in stride(from: Double(minutes.lowerBound * 60), to: Double(minutes.upperBound * 60), by: 10) {
      let fix = PositionFix.at(second, radius: 5, speed: speed, latitude: 50 + drift * second / 111_229)
      if let action = machine.handle(.fix(fix), at: .seconds(second)).first { return (second, action) }
    }
    return nil
  }

  @Test func pausesWhatDoesNotMove() throws {
    var machine = background()
    let paused = try #require(feed(&machine, minutes: 0..<60, speed: 0))
    #expect(paused.second == 900 && paused.action == .pause(.standstill))
    #expect(machine.isPaused && machine.nextDeadline == nil)
    // No fix comes any more, and none would have an effect.
    #expect(feed(&machine, minutes: 60..<62, speed: 20, drift: 20) == nil)
  }

  @Test func withoutASpeedThePlaceReports() throws {
    var machine = background()
    #expect(feed(&machine, minutes: 0..<30, speed: nil, drift: 2) == nil)
    let paused = try #require(feed(&machine, minutes: 30..<60, speed: nil))
    #expect(paused.action == .pause(.standstill) && paused.second == 30 * 60 + 900)
  }

  @Test func movementStartsOver() throws {
    var machine = background()
    #expect(feed(&machine, minutes: 0..<14, speed: 0) == nil)
    #expect(feed(&machine, minutes: 14..<15, speed: 5, drift: 5) == nil)
    #expect(feed(&machine, minutes: 15..<29, speed: 0, drift: 0) == nil)
    let paused = try #require(feed(&machine, minutes: 29..<40, speed: 0))
    #expect(paused.second == 30 * 60)
  }

  @Test func pausesWhereNoFixCanBeHad() {
    var machine = background()
    #expect(machine.nextDeadline == .seconds(900))
    _ = machine.handle(.fix(.at(60, radius: 5, speed: 10)), at: .seconds(60))
    #expect(machine.nextDeadline == .seconds(960))
    // A fix of a jammed or frozen receiver does not count.
    _ = machine.handle(.fix(.at(500, radius: 5, speed: 0, qualityFlag: .frozen)), at: .seconds(500))
    #expect(machine.handle(.wake, at: .seconds(959)) == [])
    #expect(machine.handle(.wake, at: .seconds(960)) == [.pause(.silence)])
    #expect(machine.handle(.wake, at: .seconds(2000)) == [])
  }

  @Test func aRunnerInACarIsOver() throws {
    var machine = background(.fitness)
    #expect(feed(&machine, minutes: 0..<30, speed: 4, drift: 4) == nil)
    // A descent by bicycle.
    #expect(feed(&machine, minutes: 30..<34, speed: 16, drift: 16) == nil)
    #expect(feed(&machine, minutes: 34..<35, speed: 8, drift: 8) == nil)
    let paused = try #require(feed(&machine, minutes: 35..<50, speed: 16, drift: 16))
    #expect(paused.second == 40 * 60 && paused.action == .pause(.activityOver))
    var driver = background(.automotive)
    #expect(feed(&driver, minutes: 0..<50, speed: 30, drift: 30) == nil)
  }

  /// A vessel at anchor does not move, but is under way; its updates pause only if there is no fix.
  @Test func aVesselAtAnchorIsNotPaused() {
    var vessel = background(.maritime)
    #expect(feed(&vessel, minutes: 0..<(24 * 60), speed: 0) == nil)
    #expect(!vessel.isPaused)
    // Half an hour after the last fix.
    let silentAt = Instant.seconds(24 * 3600 - 10 + 30 * 60)
    #expect(vessel.nextDeadline == silentAt)
    #expect(vessel.handle(.wake, at: silentAt) == [.pause(.silence)])
  }

  @Test func foregroundIsNeverPausedAndResumes() throws {
    var machine = AutoPause(limits: .other, isInForeground: true)
    #expect(machine.handle(.start, at: .start) == [])
    #expect(feed(&machine, minutes: 0..<60, speed: 0) == nil)
    #expect(machine.nextDeadline == nil)
    // Time in the foreground does not count in the background.
    #expect(machine.handle(.foreground(false), at: .seconds(3600)) == [])
    #expect(machine.nextDeadline == .seconds(4500))
    let paused = try #require(feed(&machine, minutes: 60..<120, speed: 0))
    #expect(paused.second == 4500)
    #expect(machine.handle(.foreground(true), at: .seconds(5000)) == [.resume])
    #expect(!machine.isPaused)
    #expect(machine.handle(.foreground(true), at: .seconds(5001)) == [])
  }

  @Test func startOverrulesAPauseAndAFurtherOneMayFollow() throws {
    var machine = background()
    _ = try #require(feed(&machine, minutes: 0..<60, speed: 0))
    #expect(machine.handle(.start, at: .seconds(3600)) == [.resume])
    let again = try #require(feed(&machine, minutes: 60..<120, speed: 0))
    #expect(again.second == 3600 + 900)
  }

  @Test func clientsThatForbidPausesAreNotPaused() throws {
    var machine = background(nil)
    #expect(feed(&machine, minutes: 0..<60, speed: 0) == nil)
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.limits(.other), at: .seconds(3600)) == [])
    _ = try #require(feed(&machine, minutes: 60..<120, speed: 0))
    #expect(machine.handle(.limits(nil), at: .seconds(8000)) == [.resume])
  }

  // MARK: Clients that never come to the foreground

  private func service() throws -> AutoPause {
    var machine = AutoPause(limits: .other, isInForeground: false, movementResumes: true)
    #expect(machine.handle(.start, at: .start) == [])
    let paused = try #require(feed(&machine, minutes: 0..<60, speed: 0))
    #expect(paused.second == 900)
    return machine
  }

  private func fix(_ second: Double, north: Double, radius: Double = 5) -> PositionFix {
    .at(second, radius: radius, speed: nil, latitude: 50 + north / 111_229)
  }

  @Test func checksComeLessAndLessOften() throws {
    var machine = try service()
    var checks: [Instant] = []
    while checks.last.map({ $0 < .seconds(900 + 6 * 3600) }) ?? true {
      let due = try #require(machine.nextDeadline)
      #expect(machine.handle(.wake, at: due) == [.checkPosition] && machine.isCheckingPosition)
      checks.append(due)
      var here = fix(0, north: 3)
      here.receivedAt = due + .seconds(5)
      #expect(machine.handle(.fix(here), at: due + .seconds(5)) == [.rest])
    }
    let intervals = zip(checks, checks.dropFirst()).map { ($1 - $0).inSeconds }
    #expect(checks.first == .seconds(900 + 120) && intervals.allSatisfy { (120...905).contains($0) })
    #expect(intervals == intervals.sorted() && intervals.last == 905)
    // During a pause of one hour, the position is checked about fifteen times.
    #expect((12...20).contains(checks.count { $0 < .seconds(900 + 3600) }))
  }

  @Test func movementEndsAPause() throws {
    var machine = try service()
    #expect(machine.handle(.wake, at: .seconds(1020)) == [.checkPosition])
    // A position that may be far away, but whose radius is too large to be certain.
    #expect(machine.handle(.fix(fix(1021, north: 600, radius: 400)), at: .seconds(1021)) == [])
    // A position from before the pause.
    #expect(machine.handle(.fix(fix(890, north: 6000)), at: .seconds(1022)) == [])
    #expect(machine.handle(.fix(fix(1023, north: 99)), at: .seconds(1023)) == [.rest])
    #expect(machine.handle(.wake, at: .seconds(1143)) == [.checkPosition])
    #expect(machine.handle(.fix(fix(1144, north: 130)), at: .seconds(1144)) == [.resume, .rest])
    #expect(!machine.isPaused && machine.nextDeadline == .seconds(1144 + 900))
  }

  @Test func aPositionOfOthersEndsItWithoutACheck() throws {
    var machine = try service()
    #expect(machine.handle(.fix(fix(910, north: 2)), at: .seconds(910)) == [])
    #expect(machine.handle(.fix(fix(930, north: 150)), at: .seconds(930)) == [.resume])
  }

  @Test func aPauseForLackOfAFixEndsWithTheFirst() {
    var machine = AutoPause(limits: .other, isInForeground: false, movementResumes: true)
    #expect(machine.handle(.start, at: .start) == [])
    #expect(machine.handle(.wake, at: .seconds(900)) == [.pause(.silence)])
    #expect(machine.handle(.wake, at: .seconds(1020)) == [.checkPosition])
    #expect(machine.handle(.wake, at: .seconds(1079)) == [])
    #expect(machine.handle(.wake, at: .seconds(1080)) == [.rest])
    #expect(machine.handle(.wake, at: .seconds(1200)) == [.checkPosition])
    #expect(machine.handle(.positionCheckFailed, at: .seconds(1201)) == [.rest])
    #expect(machine.handle(.wake, at: .seconds(1321)) == [.checkPosition])
    #expect(machine.handle(.fix(fix(1330, north: 0)), at: .seconds(1330)) == [.resume, .rest])
  }

  @Test func foregroundClientsAreNotCheckedForPauses() throws {
    var machine = background()
    _ = try #require(feed(&machine, minutes: 0..<60, speed: 0))
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.fix(fix(1000, north: 5000)), at: .seconds(1000)) == [])
  }

  @Test func whatWasKnownBeforeIsNoStandstill() {
    var machine = AutoPause(limits: .other, isInForeground: false)
    #expect(machine.handle(.start, at: .seconds(2000)) == [])
    #expect(machine.handle(.fix(fix(100, north: 0)), at: .seconds(2000)) == [])
    #expect(machine.handle(.fix(fix(2001, north: 0)), at: .seconds(2001)) == [])
  }

  @Test func anotherActivityIsTheSameOuting() throws {
    var machine = background(.other)
    #expect(feed(&machine, minutes: 0..<12, speed: 0) == nil)
    var next = AutoPause(limits: .automotive, isInForeground: false)
    #expect(next.handle(.start, at: .seconds(720)) == [])
    next.merge(with: machine)
    let paused = try #require(feed(&next, minutes: 12..<30, speed: 0))
    #expect(paused.second == 720, "it has stood for longer than a car does")
  }

  @Test func stopEndsAPauseSilently() throws {
    var machine = background()
    _ = try #require(feed(&machine, minutes: 0..<60, speed: 0))
    #expect(machine.handle(.stop, at: .seconds(4000)) == [])
    #expect(machine.handle(.foreground(true), at: .seconds(4001)) == [])
    #expect(machine.handle(.start, at: .seconds(4002)) == [])
  }
}
