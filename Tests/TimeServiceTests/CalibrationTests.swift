import Geodesy
import Testing
import TestSupport
import TimeService

@Suite struct CalibrationTests {
  private func at(_ second: Int) -> Instant { Instant(nanoseconds: Int64(second) * 1_000_000_000) }

  private func offset(_ seconds: Double, second: Int = 0) -> FilteredOffset {
    var bursts = SimulatedBursts(seed: 1)
    bursts.systemError = 0
    var filter = OffsetFilter()
    for index in 0..<4 {
      let sample = RawSample(
        time: bursts.reading(at: Double(second + index)).system,
        arrival: bursts.reading(at: Double(second + index) - seconds))
      if index == 3, case .offset(let offset) = filter.handle(sample) { return offset }
      if index < 3 { _ = filter.handle(sample) }
    }
    preconditionFailure("no offset after four samples")
  }

  @Test func references() {
    func choose(_ pulse: Double? = nil, error: Duration?, sent: Int? = nil, now: Int = 1000) -> CalibrationReference? {
      CalibrationReference.choose(
        pulseOffsetSeconds: pulse, clockError: error, lastSampleSentAt: sent.map(at), at: at(now))
    }
    #expect(choose(0.25, error: nil) == .pulse(offsetSeconds: 0.25))
    #expect(choose(0.25, error: .milliseconds(1)) == .pulse(offsetSeconds: 0.25))
    #expect(choose(error: nil) == nil && choose(error: .milliseconds(20)) == nil)
    #expect(choose(error: .microseconds(19_999)) == .systemClock)
    // A clock that our own samples discipline is no reference.
    #expect(
      choose(error: .milliseconds(1), sent: 401) == nil && choose(error: .milliseconds(1), sent: 400) == .systemClock)
  }

  /// The median of five minutes, in which a tenth of the offsets is far off.
  @Test func medianOfFiveMinutes() throws {
    var random = SplitMix64(seed: 31)
    var calibrator = OffsetCalibrator()
    var result: ReceiverDelay?
    var first: Int?
    var sample = offset(-0.1)
    for second in 0..<400 {
      sample.offsetSeconds = -0.085 + Double.random(in: -0.002...0.002, using: &random)
      if second % 10 == 3 { sample.offsetSeconds = -0.3 }
      if let delay = calibrator.handle(offset: sample, reference: .systemClock, at: at(second)) {
        result = delay
        first = first ?? second
      }
    }
    let delay = try #require(result)
    #expect(first ?? 0 >= 300 && first ?? 999 < 311 && delay.basis == .systemClock)
    #expect(abs(delay.seconds - 0.085) < 0.0005, "\(delay)")
    #expect(delay.uncertaintySeconds >= 0.001 && delay.uncertaintySeconds < 0.003)
    #expect(delay.measuredAt == sample.reading.system && calibrator.progress(at: at(400)) == 1)
  }

  @Test func againstAPulse() throws {
    var calibrator = OffsetCalibrator()
    var result: ReceiverDelay?
    var sample = offset(-0.1)
    for second in 0..<320 {
      // The system's clock drifts: the difference stays.
      let clock = 0.4 + Double(second) * 1e-4
      sample.offsetSeconds = clock - 0.06
      result = calibrator.handle(offset: sample, reference: .pulse(offsetSeconds: clock), at: at(second)) ?? result
    }
    #expect(abs(try #require(result).seconds - 0.06) < 1e-9 && result?.basis == .pulse)
  }

  @Test func interruptionsBeginAgain() {
    let sample = offset(-0.1)
    var calibrator = OffsetCalibrator()
    for second in 0..<250 { _ = calibrator.handle(offset: sample, reference: .systemClock, at: at(second)) }
    #expect(abs(calibrator.progress(at: at(250)) - 250.0 / 300) < 0.01)
    // Without a reference nothing counts; after 30 s everything is lost.
    for second in 250..<290 { #expect(calibrator.handle(offset: sample, reference: nil, at: at(second)) == nil) }
    _ = calibrator.handle(offset: sample, reference: .systemClock, at: at(290))
    #expect(calibrator.progress(at: at(290)) < 0.01)
    // Another reference too.
    for second in 291..<400 { _ = calibrator.handle(offset: sample, reference: .systemClock, at: at(second)) }
    _ = calibrator.handle(offset: sample, reference: .pulse(offsetSeconds: 0), at: at(400))
    #expect(calibrator.progress(at: at(400)) < 0.01)
  }

  // MARK: The table

  private func key(_ receiver: String, cycle: UInt16 = 1000, first: String = "RMC") throws -> CalibrationKey {
    let message = try #require(FirstMessage(formatter: first))
    return try #require(
      CalibrationKey(receiver: receiver, port: .usb, cycleMilliseconds: cycle, firstMessage: message))
  }

  private func delay(_ seconds: Double, day: Int64 = 1) -> ReceiverDelay {
    ReceiverDelay(
      seconds: seconds, uncertaintySeconds: 0.002, basis: .pulse,
      measuredAt: GNSSTime(nanosecondsSince1970: day * GNSSTime.nanosecondsPerDay))
  }

  @Test func delaysByKey() throws {
    var table = CalibrationTable()
    #expect(table.delay(of: try key("a"), port: .usb).basis == .portClass)
    #expect(
      table.delay(of: nil, port: .usb).seconds == 0.070 && table.delay(of: nil, port: .uart).uncertaintySeconds == 0.15)
    table.store(delay(0.08), for: try key("a"))
    table.store(delay(0.09), for: try key("a"))
    table.store(delay(0.5), for: try key("a", cycle: 200))
    table.store(delay(0.2), for: try key("a", first: "GGA"))
    table.store(ReceiverDelay.usual(of: .usb), for: try key("b"))
    #expect(table.entries.count == 3)
    #expect(table.delay(of: try key("a"), port: .usb).seconds == 0.09)
    #expect(table.delay(of: try key("a", cycle: 200), port: .usb).seconds == 0.5)
    #expect(table.delay(of: try key("b"), port: .usb).basis == .portClass)
  }

  @Test func bounded() throws {
    var table = CalibrationTable()
    for number in 0..<100 { table.store(delay(0.1), for: try key("receiver \(number)")) }
    #expect(table.entries.count == CalibrationTable.mostEntries && table.entries.last?.key.receiver == "receiver 99")
    #expect(CalibrationKey(receiver: "", port: .usb, cycleMilliseconds: 1, firstMessage: .ubx(class: 1, id: 7)) == nil)
    let long = String(repeating: "x", count: 65)
    #expect(
      CalibrationKey(receiver: long, port: .usb, cycleMilliseconds: 1, firstMessage: .ubx(class: 1, id: 7)) == nil)
    #expect(FirstMessage(formatter: "RM") == nil && FirstMessage(formatter: "rmc") == nil)
  }

  @Test func encoding() throws {
    var table = CalibrationTable()
    table.store(delay(0.0812, day: 20_000), for: try key("u-blox 0123456789"))
    let ubx = try #require(
      CalibrationKey(receiver: "é", port: .uart, cycleMilliseconds: 100, firstMessage: .ubx(class: 1, id: 7)))
    table.store(delay(-0.003), for: ubx)
    let bytes = table.encoded
    #expect(CalibrationTable(bytes) == table)
    #expect(CalibrationTable(CalibrationTable().encoded) == CalibrationTable())
    for length in 0..<bytes.count { #expect(CalibrationTable(Array(bytes.prefix(length))) == nil) }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(CalibrationTable(damaged) == nil, "byte \(index)")
    }
    #expect(CalibrationTable(bytes + [0]) == nil)
  }
}
