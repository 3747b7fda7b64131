import LocationIPC
import Testing
import locationctl

@Suite struct LogTableTests {
  @Test func aSmallDiskIsToldInKilobytes() {
    var log = LogDescription(name: "a", isRunning: true, options: LogOptions(), bytes: 4096)
    log.problem = .noRoom(free: 300_000, needed: 312_144)
    let text = String(decoding: LogTable.table([log]), as: UTF8.self)
    #expect(text.contains("not recorded: 300 kB are free, and 312 kB have to be"))
    log.problem = .noRoom(free: 300_000_000, needed: 1_600_262_144)
    let line = String(decoding: LogTable.jsonLines([log]), as: UTF8.self)
    #expect(line.contains("300 MB are free, and 1600 MB have to be"))
  }
}
