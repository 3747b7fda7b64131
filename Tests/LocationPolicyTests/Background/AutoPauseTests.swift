import Geodesy
import LocationPolicy
import Testing

@Suite struct AutoPauseTests {
  private func background(_ limits: AutoPauseLimits? = .other) -> AutoPause {
    var machine = AutoPause(limits: limits, isInForeground: false)
    #expect(machine.handle(.start, at: .start) == [])
    return machine
  }

  /// A fix each ten seconds over a stretch of minutes; what came of them, and when.
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
    // No fix comes any more, and none would count.
    #expect(feed(&machine, minutes: 60..<62, speed: 20, drift: 20) == nil)
  }

  @Test func withoutASpeedThePlaceTells() throws {
    var machine = background()
    #expect(feed(&machine, minutes: 0..<30, speed: nil, drift: 2) == nil)
    let paused = try #require(feed(&machine, minutes: 30..<60, speed: nil))
    #expect(paused.action == .pause(.standstill) && paused.second == 30 * 60 + 900)
  }

  @Test func movementBeginsAnew() throws {
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
    // A jammed or frozen receiver is none.
    _ = machine.handle(.fix(.at(500, radius: 5, speed: 0, suspicion: .frozen)), at: .seconds(500))
    #expect(machine.handle(.wake, at: .seconds(959)) == [])
    #expect(machine.handle(.wake, at: .seconds(960)) == [.pause(.silence)])
    #expect(machine.handle(.wake, at: .seconds(2000)) == [])
  }

  @Test func aRunnerInACarIsOver() throws {
    var machine = background(.fitness)
    #expect(feed(&machine, minutes: 0..<30, speed: 4, drift: 4) == nil)
    // A descent on a bicycle.
    #expect(feed(&machine, minutes: 30..<34, speed: 16, drift: 16) == nil)
    #expect(feed(&machine, minutes: 34..<35, speed: 8, drift: 8) == nil)
    let paused = try #require(feed(&machine, minutes: 35..<50, speed: 16, drift: 16))
    #expect(paused.second == 40 * 60 && paused.action == .pause(.activityOver))
    var driver = background(.automotive)
    #expect(feed(&driver, minutes: 0..<50, speed: 30, drift: 30) == nil)
  }

  @Test func foregroundIsNeverPausedAndResumes() throws {
    var machine = AutoPause(limits: .other, isInForeground: true)
    #expect(machine.handle(.start, at: .start) == [])
    #expect(feed(&machine, minutes: 0..<60, speed: 0) == nil)
    #expect(machine.nextDeadline == nil)
    // What lasted in the foreground does not count in the background.
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

  @Test func whoeverForbidsItIsNotPaused() throws {
    var machine = background(nil)
    #expect(feed(&machine, minutes: 0..<60, speed: 0) == nil)
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.limits(.other), at: .seconds(3600)) == [])
    _ = try #require(feed(&machine, minutes: 60..<120, speed: 0))
    #expect(machine.handle(.limits(nil), at: .seconds(8000)) == [.resume])
  }

  @Test func stopEndsAPauseWithoutAWord() throws {
    var machine = background()
    _ = try #require(feed(&machine, minutes: 0..<60, speed: 0))
    #expect(machine.handle(.stop, at: .seconds(4000)) == [])
    #expect(machine.handle(.foreground(true), at: .seconds(4001)) == [])
    #expect(machine.handle(.start, at: .seconds(4002)) == [])
  }
}
