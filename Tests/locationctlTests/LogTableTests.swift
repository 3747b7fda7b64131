import Geodesy
import LocationIPC
import LocationPolicy
import Testing
import locationctl

@Suite struct LogTableTests {
  @Test func aSmallDiskIsReportedInKilobytes() {
    var log = LogDescription(name: "a", isRunning: true, options: LogOptions(), bytes: 4096)
    log.problem = .noRoom(free: 300_000, needed: 312_144)
    let text = String(decoding: LogTable.table([log], .pipe), as: UTF8.self)
    #expect(text.contains("not recorded: only 300 kB are free, and 312 kB are required"))
    log.problem = .noRoom(free: 300_000_000, needed: 1_600_262_144)
    let line = String(decoding: LogTable.jsonLines([log]), as: UTF8.self)
    #expect(line.contains("only 300 MB are free, and 1600 MB are required"))
  }

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func additionalRecordingsAreShown(standing: Bool, suspect: Bool) {
    var options = LogOptions()
    (options.keepsStandstill, options.keepsSuspects) = (standing, suspect)
    let log = LogDescription(name: "a", isRunning: true, options: options, bytes: 4096)
    let line = String(decoding: LogTable.jsonLines([log]), as: UTF8.self)
    #expect(line.contains("\"standing\":\(standing),\"suspect\":\(suspect)"), "\(line)")
    let text = String(decoding: LogTable.table([log], .pipe), as: UTF8.self)
    #expect(text.contains(standing ? "every fix" : "every fix while moving"))
    #expect(text.contains("while moving") != standing && text.contains("also suspect fixes") == suspect, "\(text)")
  }

  @Test func standingIsShownBesideAnInterval() {
    var options = LogOptions()
    (options.interval, options.keepsStandstill) = (.seconds(60), true)
    let log = LogDescription(name: "a", isRunning: true, options: options, bytes: 4096)
    #expect(
      String(decoding: LogTable.table([log], .pipe), as: UTF8.self).contains(
        "fixes at least 1 min apart, also while standing still"))
    options.distanceFilter = Meters(100)
    let both = LogDescription(name: "a", isRunning: true, options: options, bytes: 4096)
    #expect(
      String(decoding: LogTable.table([both], .pipe), as: UTF8.self).contains("fixes at least 100.0 m and 1 min apart"))
  }

  /// In the first half minute, nothing is on the disk.
  @Test func aLogThatBeginsIsNotEmpty() {
    var log = LogDescription(name: "a", isRunning: true, options: LogOptions(), bytes: 0)
    (log.points, log.distance) = (0, Meters(0))
    let empty = String(decoding: LogTable.table([log], .pipe), as: UTF8.self)
    #expect(empty.contains("recording: no fix yet       0       0 m  "), "\(empty)")
    (log.points, log.distance) = (12, Meters(345))
    log.begin = GNSSTime(nanosecondsSince1970: 0)
    let text = String(decoding: LogTable.table([log], .pipe), as: UTF8.self)
    #expect(
      text.contains("recording      12     345 m  1970-01-01 00:00  ") && text.contains("in memory"), "\(text)")
    let line = String(decoding: LogTable.jsonLines([log]), as: UTF8.self)
    #expect(line.contains("\"bytes\":0,\"points\":12,\"distance\":345.0"), "\(line)")
    // Of an encrypted log, neither is known.
    (log.points, log.distance, log.publicKey) = (nil, nil, "seal1abc")
    #expect(!String(decoding: LogTable.jsonLines([log]), as: UTF8.self).contains("points"))
  }

  @Test func aEncryptedLogReportsDays() {
    var log = LogDescription(name: "a", isRunning: false, options: LogOptions(), bytes: 4096)
    (log.begin, log.end) = (GNSSTime(nanosecondsSince1970: 0), GNSSTime(nanosecondsSince1970: 86_400_000_000_000))
    #expect(
      String(decoding: LogTable.jsonLines([log]), as: UTF8.self).contains("\"begin\":\"1970-01-01T00:00:00.000Z\""))
    log.publicKey = "seal1abc"
    let line = String(decoding: LogTable.jsonLines([log]), as: UTF8.self)
    #expect(line.contains("\"begin\":\"1970-01-01\",\"end\":\"1970-01-02\""))
    #expect(line.contains("\"sealedTo\":\"seal1abc\""))
    let text = String(decoding: LogTable.table([log], .pipe), as: UTF8.self)
    #expect(text.contains("1970-01-01  1970-01-02") && !text.contains("00:00"))
    #expect(text.contains("every fix while moving, encrypted"))
  }

  /// On a narrow terminal, a line ends between two values, and the zone of a time stays as it is.
  @Test func aNarrowTerminalBreaksBetweenValues() {
    var options = LogOptions()
    options.interval = .seconds(60)
    var log = LogDescription(name: "drive", isRunning: true, options: options, bytes: 4096)
    (log.points, log.distance) = (1234, Meters(12_345))
    (log.begin, log.end) = (GNSSTime(nanosecondsSince1970: 0), GNSSTime(nanosecondsSince1970: 86_400_000_000_000))
    let look = Presentation(usesColor: false, usesUnicode: true, width: 60, showsLocalTime: false)
    let lines = String(decoding: LogTable.table([log], look), as: UTF8.self).split(separator: "\n")
    #expect(
      lines == [
        "LOG    STATE        POINTS  DISTANCE  FROM (UTC)",
        "drive  ● recording    1234   12.3 km  1970-01-01 00:00",
        "    to (UTC) 1970-01-02 00:00  size 4 kB",
        "    records fixes at least 1 min apart",
      ], "\(lines)")
  }

  /// Minutes would not show how long a short log is.
  @Test(arguments: [
    (0, "2026-03-01 12:34  2026-03-01 12:34"), (32, "2026-03-01 12:34  32 s later"),
    (599, "2026-03-01 12:34  9 min 59 s later"), (600, "2026-03-01 12:34  2026-03-01 12:44"),
  ]) func aShortLogShowsItsLength(length: Int64, times: String) {
    var log = LogDescription(name: "walk", isRunning: false, options: LogOptions(), bytes: 4096)
    let begin = GNSSTime(nanosecondsSince1970: 1_772_368_496_000_000_000)
    (log.begin, log.end) = (begin, begin + .seconds(length))
    let text = String(decoding: LogTable.table([log], .pipe), as: UTF8.self)
    #expect(text.contains(times + "  "), "\(text)")
  }
}
