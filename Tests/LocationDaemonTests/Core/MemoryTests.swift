import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import TestSupport
import Testing

/// The stored state: its use for a request that accepts the last known fix, and its text, edited or damaged.
@Suite struct MemoryTests {
  typealias Bench = CoreBench

  private func fix(_ change: (inout PositionFix) -> Void = { _ in }) -> PositionFix {
    var fix = PositionFix(
      time: Bench.wallClock + .seconds(-600), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: 47.283333333), longitude: Angle(degrees: -8.55)),
      horizontalRadius68: Meters(4.6), kind: .threeDimensional, technologies: .gnss)
    change(&fix)
    return fix
  }

  private func memory(_ fix: PositionFix?) -> ServiceMemory {
    var memory = ServiceMemory()
    memory.lastFix = fix
    return memory
  }

  // MARK: - The last known fix

  @Test func theLastFixOfAnEarlierRunIsGivenWithItsAgeAndAGrownRadius() throws {
    var bench = Bench(memory: memory(fix { $0.speedMetersPerSecond = 2 }))
    #expect(bench.send(Bench.locate { $0.acceptsLastKnown = true }, at: 1) == [])
    let events = bench.send(.wake, at: 4).events
    guard case .located(RequestID(1), let last, let age, isCached: true)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(age == .seconds(604))
    #expect(abs(last.horizontalRadius68.value - (4.6 + 2 * 604)) < 0.001)
    #expect(last.time == Bench.wallClock + .seconds(-600))
  }

  @Test(arguments: [true, false])
  func aRequestWithoutPatienceIsOverImmediatelyAndOpensNothing(isKnown: Bool) {
    var bench = Bench(memory: memory(isKnown ? fix() : nil))
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-1")), at: 0)
    let impatient = Bench.locate {
      $0.acceptsLastKnown = true
      $0.timeout = .zero
    }
    let reported = bench.send(impatient, at: 1)
    #expect((reported.located != nil) == isKnown && (reported.failure != nil) != isKnown)
    #expect(reported.count == 1 && !bench.core.isBusy)
  }

  @Test func withoutAClockItsAgeIsNotKnownAndTheRequestFails() {
    var bench = Bench(memory: memory(fix()), wallClock: nil)
    #expect(bench.send(Bench.locate { $0.acceptsLastKnown = true }, at: 1).failure == nil)
    #expect(bench.send(.wake, at: 4).failure == .noSource)
  }

  @Test func onlySubscribersReceiveIt() {
    var bench = Bench(memory: memory(fix()))
    #expect(bench.send(Bench.locate(), at: 1).failure == nil)
    #expect(bench.send(.wake, at: 4).failure == .noSource)
  }

  @Test func theLastFixOfThisRunIsAsOldAsItIs() throws {
    var bench = Bench(memory: memory(fix()))
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-1")), at: 0)
    _ = bench.send(Bench.locate(1), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    #expect(bench.receive(Bench.burst(1), on: Bench.first, at: 1).located != nil)
    _ = bench.send(.deviceVanished(id: "usb-1", path: "/dev/ttyACM0"), at: 50)
    #expect(bench.send(Bench.locate(2) { $0.acceptsLastKnown = true }, at: 98) == [])
    let events = bench.send(.wake, at: 101).events
    guard case .located(RequestID(2), let last, let age, isCached: true)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(age == .seconds(100))
    #expect(last.time == Bench.wallClock + .seconds(1))
  }

  /// A recent fix answers immediately, and nothing is opened for it.
  @Test func aYoungFixAnswersTheNextRequestImmediately() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-1")), at: 0)
    _ = bench.send(Bench.locate(1), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    #expect(bench.receive(Bench.burst(1), on: Bench.first, at: 1).located != nil)
    let second = bench.send(Bench.locate(2), at: 2)
    #expect(second.located != nil)
    #expect(!second.contains { if case .open = $0 { true } else { false } })
    let fresh = bench.send(Bench.locate(3) { $0.maximumAge = .zero }, at: 2)
    #expect(fresh.located == nil)
    #expect(fresh.contains { if case .open = $0 { true } else { false } })
  }

  // MARK: - Text

  @Test func theTextGivesBackAllThatIsRemembered() {
    var memory = ServiceMemory()
    for number in 1...5 { _ = memory.remember(speed: 4800 * number, of: "usb-1546:01a8 u-blox \(number)") }
    memory.lastGoodTime = Bench.wallClock
    memory.lastFix = fix {
      $0.heightAboveEllipsoid = Meters(455.125)
      $0.heightAboveMeanSeaLevel = Meters(407.5)
      $0.verticalRadius68 = Meters(7.25)
      $0.speedMetersPerSecond = 0.1
      $0.speedRadius68MetersPerSecond = 0.05
      $0.course = Angle(degrees: 359.99)
      $0.courseRadius68 = Angle(degrees: 12)
      $0.satellitesUsed = 22
      $0.receiver = "ublox-5C0FFEE001"
      $0.device = "/dev/ttyACM0"
    }
    #expect(ServiceMemory(text: memory.text) == memory)
    #expect(ServiceMemory(text: ServiceMemory().text) == ServiceMemory())
  }

  /// A receiver with a new name is first opened at the last baud rate at which a receiver was received.
  @Test func anotherNameIsTriedAtTheLastGoodSpeed() {
    var memory = ServiceMemory()
    #expect(memory.likelySpeed(of: "usb-1") == nil)
    _ = memory.remember(speed: 9600, of: "usb-1")
    _ = memory.remember(speed: 115_200, of: "usb-2")
    #expect(memory.likelySpeed(of: "usb-1") == 9600)
    #expect(memory.likelySpeed(of: "usb-3") == 115_200)
    var bench = Bench(memory: memory)
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-3")), at: 0)
    _ = bench.send(Bench.locate(), at: 0)
    let opened = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    #expect(opened.contains(.setSpeed(Bench.first, baud: 115_200)))
  }

  @Test func whatReceiversAreIsKeptInTheText() {
    var note = RememberedReceiver()
    note.model = "NEO-M9N"
    note.firmware = "SPG 4.04"
    note.speaksNMEA = true
    var memory = ServiceMemory()
    _ = memory.remember(note, of: "usb-1546-01a9 port 1")
    note.uniqueID = "5C0FFEE001"
    note.speaksUBX = true
    let isNew = memory.remember(note, of: "usb-2")
    let isNewAgain = memory.remember(note, of: "usb-2")
    #expect(isNew && !isNewAgain)
    #expect(ServiceMemory(text: memory.text) == memory)
    // The content of a file or a path cannot add a line or a field.
    _ = memory.remember(note, of: "/tmp/a\nspeed 4800 x")
    _ = memory.remember(note, of: "/tmp/a\tb")
    #expect(ServiceMemory(text: memory.text).receivers.count == 2)
    for line in [
      "receiver", "receiver x", "receiver x\tnmea", "receiver x\tnmea\ta\tb\tc\td", "receiver x\tnmea\t\u{1B}[2J\t\t",
    ] {
      #expect(ServiceMemory(text: line).receivers.isEmpty)
    }
  }

  @Test func speedsAreBoundedAndTheOldestGoes() {
    var memory = ServiceMemory()
    for number in 0..<(ServiceMemory.maximumSpeeds + 6) { _ = memory.remember(speed: 9600, of: "usb-\(number)") }
    #expect(memory.speeds.count == ServiceMemory.maximumSpeeds)
    #expect(memory.speed(of: "usb-5") == nil)
    #expect(memory.speed(of: "usb-6") == 9600)
    #expect(ServiceMemory(text: memory.text) == memory)
  }

  @Test(arguments: [
    "", "\n\n\n", "time", "time ", "time 99999999999999999999", "speed", "speed 9600", "speed x y", "speed -1 usb",
    "speed 0 usb", "speed 99999999999999999999 usb", "fix", "fix time", "fix time=1 validity=9 latitude=1 longitude=2",
    "fix time=1 validity=1 latitude=91 longitude=2 radius68=1 kind=2 technologies=1",
    "fix time=1 validity=1 latitude=nan longitude=2 radius68=1 kind=2 technologies=1",
    "fix time=1 validity=1 latitude=1 longitude=2 radius68=-1 kind=2 technologies=1",
    "fix time=1 validity=1 latitude=1 longitude=2 radius68=inf kind=2 technologies=1",
    "fix time=1 validity=1 latitude=1 longitude=2 radius68=1 kind=200 technologies=1", "\u{0}\u{FFFD}\u{1B}[2J",
    "= = = =",
  ])
  func aDamagedLineIsLeftOut(line: String) {
    #expect(ServiceMemory(text: line) == ServiceMemory())
    let mended = ServiceMemory(text: "speed 9600 usb-1\n\(line)\ntime 1785585600000000000\n")
    #expect(mended.speed(of: "usb-1") == 9600)
    #expect(mended.lastGoodTime == Bench.wallClock)
    #expect(mended.lastFix == nil)
  }

  /// Values that no fix can have are not used: an incomplete fix counts as none.
  @Test(arguments: [
    "speed=-3", "speed=1e300", "speed68=-1", "vertical68=0", "vertical68=-5", "course=1e9", "course=-1", "course=360",
    "course68=-2", "course68=400", "satellites=-4", "hdop=0", "hdop=100", "hdop=nan", "satellites=999999999999",
    "ellipsoid=1e12", "sealevel=-1e12",
  ])
  func aDamagedPartOfAFixIsLeftOut(part: String) throws {
    let line = "fix time=1785585600000000000 validity=3 latitude=1 longitude=2 radius68=5 kind=2 technologies=1 "
    let plain = try #require(ServiceMemory(text: line).lastFix)
    #expect(ServiceMemory(text: line + part).lastFix == plain)
  }

  @Test func anIDWithALineEndCannotForgeALine() {
    var memory = ServiceMemory()
    _ = memory.remember(speed: 9600, of: "/tmp/a\ntime 4102444800000000000")
    #expect(ServiceMemory(text: memory.text).lastGoodTime == nil)
  }

  @Test func randomTextIsBorne() {
    var random = SplitMix64(seed: 7)
    let words = ["time", "speed", "fix", "=", " ", "\n", "9600", "latitude=", "1e400", "-", "\u{7F}", "kind=2", "usb"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined()
      let memory = ServiceMemory(text: text)
      #expect(memory.speeds.count <= ServiceMemory.maximumSpeeds)
      #expect(ServiceMemory(text: memory.text) == memory)
    }
  }

  @Test func mergingKeepsTheLaterAndAddsWhatIsMissing() {
    var ours = ServiceMemory()
    _ = ours.remember(speed: 9600, of: "a")
    ours.lastGoodTime = Bench.wallClock
    ours.lastFix = fix()
    var theirs = ServiceMemory()
    _ = theirs.remember(speed: 4800, of: "a")
    _ = theirs.remember(speed: 115_200, of: "b")
    theirs.lastGoodTime = Bench.wallClock + .seconds(5)
    theirs.lastFix = fix { $0.time = Bench.wallClock + .seconds(-900) }
    ours.merge(theirs)
    #expect(ours.speed(of: "a") == 9600)
    #expect(ours.speed(of: "b") == 115_200)
    #expect(ours.lastGoodTime == Bench.wallClock + .seconds(5))
    #expect(ours.lastFix == fix())
  }

  // MARK: - False years

  @Test func whatLiesInTheFutureIsForgotten() {
    var memory = memory(fix { $0.time = Bench.wallClock + .seconds(8 * 31_557_600) })
    memory.lastGoodTime = Bench.wallClock + .seconds(8 * 31_557_600)
    memory.forgetFuture(of: Bench.wallClock)
    #expect(memory.lastFix == nil && memory.lastGoodTime == nil)
    // A clock that was set at the last shutdown is behind.
    memory = self.memory(fix { $0.time = Bench.wallClock + .seconds(100 * 86_400) })
    memory.lastGoodTime = Bench.wallClock + .seconds(100 * 86_400)
    memory.forgetFuture(of: Bench.wallClock)
    #expect(memory.lastFix != nil && memory.lastGoodTime != nil)
  }
}
