import Geodesy
import LocationDaemon
import Testing

@Suite struct ServiceMemoryTests {
  private func full() throws -> ServiceMemory {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_790_000_000_123_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: 0),
      coordinate: try #require(Coordinate(checkingLatitude: -37.123456789, longitude: 179.999999999)),
      horizontalRadius68: Meters(2.5), kind: .rtkFloat, technologies: [.gnss, .wifi])
    fix.heightAboveEllipsoid = Meters(12.25)
    fix.heightAboveMeanSeaLevel = Meters(-3)
    fix.verticalRadius68 = Meters(4)
    fix.speedMetersPerSecond = 0
    fix.speedRadius68MetersPerSecond = 0.5
    fix.course = Angle(degrees: 359.5)
    fix.courseRadius68 = Angle(degrees: 10)
    fix.satellitesUsed = 12
    fix.receiver = "ublox-0102030405"
    fix.device = "/dev/ttyACM0"
    var memory = ServiceMemory()
    memory.lastFix = fix
    memory.lastGoodTime = fix.time
    _ = memory.remember(speed: 9600, of: "usb-1546-01a7-1")
    _ = memory.remember(speed: 250_000, of: "/dev/odd name")
    return memory
  }

  @Test func comesBackFromItsText() throws {
    let memory = try full()
    #expect(ServiceMemory(text: memory.text) == memory)
  }

  @Test func remembersTheLatestSpeedOnce() {
    var memory = ServiceMemory()
    let isNew = memory.remember(speed: 9600, of: "a")
    #expect(isNew)
    let isNews = memory.remember(speed: 9600, of: "a")
    #expect(!isNews)
    let isChanged = memory.remember(speed: 4800, of: "a")
    #expect(isChanged)
    #expect(memory.speed(of: "a") == 4800)
    #expect(memory.speeds.count == 1)
    for number in 0..<1000 { _ = memory.remember(speed: 9600, of: "r\(number)") }
    #expect(memory.speeds.count == ServiceMemory.maximumSpeeds)
    #expect(memory.speed(of: "r999") == 9600)
    #expect(memory.speed(of: "a") == nil)
  }

  @Test(arguments: [
    "", "\n\n", "time", "time x", "speed 9600", "speed -1 a", "speed 99999999999999999999 a", "fix", "fix time=1",
    "fix latitude=91 longitude=0 time=1 validity=3 radius68=1 kind=2 technologies=1",
    "fix latitude=nan longitude=0 time=1 validity=3 radius68=1 kind=2 technologies=1",
    "fix latitude=1 longitude=0 time=1 validity=9 radius68=1 kind=2 technologies=1",
    "fix latitude=1 longitude=0 time=1 validity=3 radius68=-1 kind=2 technologies=1", "\u{0}\u{1}\u{7f}",
  ])
  func aDamagedFileIsAnEmptyMemory(text: String) {
    #expect(ServiceMemory(text: text) == ServiceMemory())
  }

  @Test func everyPrefixOfAFileIsRead() throws {
    let text = try full().text
    for length in 0..<text.count { _ = ServiceMemory(text: String(text.prefix(length))) }
    #expect(ServiceMemory(text: String(text.prefix(text.count - 1))).lastFix != nil)
  }

  @Test func mergesWhatOthersKnowBetter() throws {
    var memory = try full()
    var other = ServiceMemory()
    other.lastGoodTime = GNSSTime(nanosecondsSince1970: 1_800_000_000_000_000_000)
    _ = other.remember(speed: 115_200, of: "usb-1546-01a7-1")
    _ = other.remember(speed: 4800, of: "new")
    memory.merge(other)
    #expect(memory.lastGoodTime == other.lastGoodTime)
    #expect(memory.lastFix != nil)
    #expect(memory.speed(of: "usb-1546-01a7-1") == 9600)
    #expect(memory.speed(of: "new") == 4800)
  }
}
