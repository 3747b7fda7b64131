import Foundation
import Geodesy
import LocationReplay
import TestSupport
import Testing
import WireFormats

private let dataFolder = ProcessInfo.processInfo.environment["LOCATION_DATA"]

/// Assigns times to `log`, pushed in pieces of `size` bytes.
private func pace(_ log: [UInt8], by size: Int = 4096) -> [TimedBytes] {
  var pacer = PlainLogPacer(latency: .milliseconds(100))
  var chunks: [TimedBytes] = []
  for start in stride(from: 0, to: log.count, by: size) {
    pacer.push(log[start..<min(start + size, log.count)])
    while let chunk = pacer.next() { chunks.append(chunk) }
  }
  pacer.finish()
  while let chunk = pacer.next() { chunks.append(chunk) }
  return chunks
}

private func detect(_ bytes: [UInt8]) -> LogFormat { LogFormat.detect(bytes.span) }

private func sentence(_ content: String) -> [UInt8] { NMEASentence.encode(content) }
private func gll(_ time: String) -> [UInt8] { sentence("GPGLL,4717.1000,N,00833.9000,E,\(time),A,A") }

/// The distinct arrival times in seconds.
private func seconds(_ chunks: [TimedBytes]) -> [Double] {
  chunks.map(\.arrival.inSeconds).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
}

@Suite struct PlainLogTests {
  @Test(arguments: Dialect.allCases) func aSimulatedLogGetsItsTimesBack(dialect: Dialect) {
    for rate in [1, 10, 25] {
      var driver = SimulatorDriver(
        quiet(dialect) {
          $0.rateHertz = rate
          $0.latency = .milliseconds(100)
          // Across midnight, and across the end of the GPS week 18 s before it.
          $0.startTime = GNSSTime(nanosecondsSince1970: 1_785_628_780_000_000_000)
        })
      driver.run(until: .seconds(30))
      let chunks = pace(driver.bytes)
      #expect(chunks.flatMap(\.bytes) == driver.bytes)
      #expect(chunks.map(\.arrival.wholeNanoseconds) == driver.sent.map { $0.milliseconds * 1_000_000 })
      #expect(chunks.map(\.bytes) == driver.sent.map(\.bytes))
    }
  }

  @Test func howTheFileIsReadMakesNoDifference() {
    var driver = SimulatorDriver(
      quiet(.mixed) { $0.faults = [.garbage(.zero..<(.seconds(20)), bytes: 200), .corruption(every: 9)] })
    driver.run(until: .seconds(20))
    let whole = pace(driver.bytes, by: .max / 2)
    #expect(whole.flatMap(\.bytes) == driver.bytes)
    for size in [1, 7, 1000] { #expect(pace(driver.bytes, by: size) == whole) }
  }

  /// Frames that are found without decoding are the same as the decoded ones, at the same times, and no byte between
  /// them is lost.
  @Test(arguments: Dialect.allCases) func framesAreThoseThatAreDecoded(dialect: Dialect) {
    var driver = SimulatorDriver(quiet(dialect))
    driver.run(until: .seconds(10))
    var (decoder, finder) = (WireDecoder(), WireDecoder())
    var (decoded, found, ends): ([FrameTime], [FrameTime], [UInt64]) = ([], [], [])
    decoder.push(driver.bytes.span) { message in
      switch message {
      case .nmea(.rmc(let rmc), _): rmc.time.map { decoded.append(.timeOfDay($0)) }
      case .nmea(.gga(let gga), _): gga.time.map { decoded.append(.timeOfDay($0)) }
      case .nmea(.gll(let gll), _): gll.time.map { decoded.append(.timeOfDay($0)) }
      case .ubx(.navPVT(let pvt)): decoded.append(.timeOfWeek(milliseconds: pvt.timeOfWeekMilliseconds))
      case .ubx(.navPOSLLH(let place)): decoded.append(.timeOfWeek(milliseconds: place.timeOfWeekMilliseconds))
      default: break
      }
    }
    finder.pushFrames(driver.bytes.span) { bytes, frame, end in
      if let time = frame.time(in: bytes) { found.append(time) }
      ends.append(end)
    }
    #expect(finder.counters.validFrames == decoder.counters.validFrames)
    #expect(finder.position == decoder.position && ends == ends.sorted())
    #expect(Set(found) == Set(decoded) && !found.isEmpty)
  }

  @Test func stepsThatCannotBeAreOneSecond() {
    let log =
      sentence("GPTXT,01,01,02,hello") + gll("120000") + gll("120001") + gll("120001") + gll("115900") + gll("115901.5")
      + gll("150000") + gll("155959") + sentence("GPGSV,1,1,00") + gll("")
    #expect(seconds(pace(log)) == [0.1, 1.1, 2.1, 3.6, 4.6, 3603.6])
    #expect(pace(log).flatMap(\.bytes) == log)
    #expect(seconds(pace(gll("235959") + gll("000000") + gll("000002"))) == [0.1, 1.1, 3.1])
  }

  /// The output of a receiver from second `first` of a drive on, one chunk per epoch.
  private func drive(_ dialect: Dialect, from first: Int, seconds: Int) -> [[UInt8]] {
    var driver = SimulatorDriver(
      quiet(dialect) {
        $0.latency = .milliseconds(100)
        $0.startTime = GNSSTime(nanosecondsSince1970: 1_785_628_780_000_000_000) + .seconds(first)
      })
    driver.run(until: .seconds(seconds))
    return driver.sent.map(\.bytes)
  }

  /// The receiver in the log was restarted or replaced: no two epochs may arrive at the same time, because the later one
  /// would count as a repetition.
  @Test(arguments: [
    (Dialect.ublox9, Dialect.nmea411), (.nmea23, .ublox8), (.mixed, .nmea411), (.mixed, .ublox9), (.ublox6, .mixed),
  ]) func aLogGoesOnWhenOneOfItsClocksEnds(first: Dialect, second: Dialect) {
    let epochs = drive(first, from: 0, seconds: 20) + drive(second, from: 20, seconds: 40)
    let chunks = pace(epochs.flatMap(\.self), by: 1000)
    #expect(chunks.flatMap(\.bytes) == epochs.flatMap(\.self))
    let arrivals = seconds(chunks)
    #expect(arrivals.count >= epochs.count)
    #expect(arrivals.last.map { ($0 - Double(epochs.count)).magnitude < 2 } == true)
    // After a while there is again one epoch per second.
    #expect(zip(arrivals.dropFirst(), arrivals).suffix(30).allSatisfy { (($0 - $1) - 1).magnitude < 0.001 })
  }

  @Test func aLogThatBeginsWithTheEndOfAnEpochLosesNone() {
    let log = gll("120000") + drive(.ublox9, from: 0, seconds: 3).flatMap(\.self)
    #expect(seconds(pace(log)).count == 1 + drive(.ublox9, from: 0, seconds: 3).count)
  }

  /// Instruments that repeat the receiver's last fix one or two seconds later do not turn the clock back.
  @Test func aSlowerTalkerThatRepeatsOldTimesMovesNoClock() {
    let repeated = ["120000", "115958", "120002", "120001", "120004", "120002", "120006", "120005"]
    #expect(seconds(pace(repeated.flatMap { gll($0) })) == [0.1, 2.1, 4.1, 6.1])
    // If a receiver sets its clock back, the log continues from there.
    let corrected = ["120000", "120001", "115959", "120000", "120001", "120002"]
    #expect(seconds(pace(corrected.flatMap { gll($0) })) == [0.1, 1.1, 2.1, 3.1, 4.1])
  }

  @Test func aLogWithoutTimesComesImmediatelyInBoundedChunks() {
    let log = [UInt8](repeating: 0x41, count: 100_000) + (0..<5000).flatMap { _ in sentence("GPTXT,01,01,02,x") }
    let chunks = pace(log)
    #expect(chunks.flatMap(\.bytes) == log)
    #expect(chunks.allSatisfy { $0.bytes.count <= PlainLogPacer.longestChunk && $0.arrival == .milliseconds(100) })
    #expect(pace([]) == [])
  }

  @Test func formatsAreReportedFromTheirBeginning() {
    for dialect in Dialect.allCases {
      var driver = SimulatorDriver(quiet(dialect))
      driver.run(until: .seconds(3))
      let expected: LogFormat =
        switch dialect {
        case .nmea23, .nmea411, .mixed: .nmea
        case .ublox6, .ublox7, .ublox8, .ublox9: .ubx
        }
      #expect(detect(driver.bytes) == expected)
      #expect(detect([UInt8](repeating: 0xFF, count: 2000) + driver.bytes.dropFirst(33)) == expected)
    }
    var writer = CaptureWriter()
    #expect(detect(writer.comment("made by a test")) == .capture)
    #expect(detect([]) == .empty)
    var random = SplitMix64(seed: 3)
    let junk = (0..<LogFormat.prefixLength).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(detect(junk) == .unknown)
    #expect(detect(Array("latitude,longitude\n47.1,8.5\n".utf8)) == .unknown)
  }

  @Test(.enabled(if: dataFolder != nil, "LOCATION_DATA names no data folder")) func aRealLogIsPacedBySeconds() throws {
    let folder = try #require(dataFolder)
    let path = folder + "/gnss/MTV.Local1.ublox-F9K.20200206-181434.nmea"
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(detect(log) == .nmea)
    let chunks = pace(log, by: 65_536)
    #expect(chunks.flatMap(\.bytes) == log)
    let arrivals = seconds(chunks)
    #expect(arrivals.first == 0.1)
    let steps = zip(arrivals.dropFirst(), arrivals).map { (($0 - $1) * 1000).rounded() / 1000 }
    // Where the recorder in the car lost seconds, the log has none either.
    #expect(steps.filter { $0 != 1 } == [10, 6, 3, 40, 2, 19])
    #expect(arrivals.count == 1654)
  }
}
