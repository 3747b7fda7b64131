import Geodesy
import Testing
import TimeService
import WireFormats

/// A u-blox from its bytes to the samples, in virtual time: its bursts begin 120 ms after the second.
@Suite struct ReceiverTimeTests {
  private struct Run {
    var time: ReceiverTime
    let bursts: SimulatedBursts = {
      var bursts = SimulatedBursts(seed: 5)
      bursts.systemRate = 0
      return bursts
    }()
    var actions: [(second: Int, action: ReceiverTime.Action)] = []

    init(table: CalibrationTable = CalibrationTable(), setting: Double? = nil) {
      time = ReceiverTime(receiver: "u-blox 1", port: .usb, baudRate: nil, table: table, setting: setting)
    }

    /// Feeds these seconds. `pulses`: the error of the pulses, seconds; `nil`: there are none.
    mutating func feed(
      _ seconds: Range<Int>, pulses: Double? = nil, first: FirstMessage = .ubx(class: 1, id: 7),
      change: (inout TimeEvidence) -> Void = { _ in }
    ) {
      for second in seconds {
        let reading = bursts.reading(at: Double(second) + 0.12)
        let now = reading.monotonic
        add(.bytes(BurstStamp.Arrival(byteCount: 100, reading: reading)), second, now)
        if let pulses {
          let edge = bursts.reading(at: Double(second) + pulses)
          add(.pulse(PulseReading(system: edge.system, sequence: UInt32(second + 1))), second, now)
        }
        let true0 = bursts.reading(at: Double(second)).system.nanosecondsSince1970 + 3_200_000_000
        var evidence = TimeEvidence(
          origin: .localReceiver, time: GNSSTime(nanosecondsSince1970: true0), validity: .confirmed, receivedAt: now)
        evidence.receiverConfirms = true
        evidence.leapSeconds = 18
        evidence.is3DFix = true
        evidence.isEraCertain = true
        change(&evidence)
        add(.epoch(evidence, beganAt: now, firstMessage: first), second, now)
      }
    }

    mutating func add(_ input: ReceiverTime.Input, _ second: Int, _ now: Instant) {
      for action in time.handle(input, at: now) { actions.append((second, action)) }
    }

    func samples(pulses: Bool = false) -> [(second: Int, sample: TimeSample)] {
      actions.compactMap { entry in
        guard case .send(let sample) = entry.action, sample.isPulse == pulses else { return nil }
        return (entry.second, sample)
      }
    }
  }

  @Test func oneSampleASecond() {
    var run = Run()
    run.feed(0..<60)
    let samples = run.samples()
    #expect(samples.map(\.second) == Array(3..<60))
    // The system's clock is 3.2 s behind; the delay of 120 ms counts as 70 ms.
    #expect(samples.allSatisfy { abs($0.sample.offsetSeconds - (3.2 - 0.05)) < 0.001 && $0.sample.leap == .none })
    #expect(samples.allSatisfy { $0.sample.uncertaintySeconds >= 0.1 })
    guard case .filter(.offset) = run.time.state else {
      Issue.record("\(run.time.state)")
      return
    }
  }

  @Test func theSettingCounts() {
    var run = Run(setting: 0.12)
    run.feed(0..<20)
    #expect(run.samples().allSatisfy { abs($0.sample.offsetSeconds - 3.2) < 0.001 })
  }

  @Test func refusedTimes() {
    var run = Run()
    run.feed(0..<20) { $0.origin = .gpsd }
    #expect(run.samples().isEmpty && run.time.state == .refused(.notLocal))
    #expect(run.actions.allSatisfy { $0.action == .clock(.unconfirmed) })
  }

  /// Five minutes of pulses measure the delay; then the samples of the messages are right, and so is the next start.
  @Test func calibratesWithPulses() throws {
    var run = Run()
    run.feed(0..<340, pulses: 0)
    let measured = try #require(
      run.actions.lazy.compactMap { entry -> (CalibrationKey, ReceiverDelay)? in
        guard case .calibrated(let key, let delay) = entry.action else { return nil }
        return (key, delay)
      }.first)
    #expect(abs(measured.1.seconds - 0.12) < 0.001 && measured.1.basis == .pulse)
    #expect(measured.0.cycleMilliseconds == 1000 && measured.0.firstMessage == .ubx(class: 1, id: 7))
    let last = try #require(run.samples().last)
    #expect(abs(last.sample.offsetSeconds - 3.2) < 0.001 && last.sample.uncertaintySeconds < 0.01)
    let pulse = try #require(run.samples(pulses: true).last)
    #expect(abs(pulse.sample.offsetSeconds - 3.2) < 2e-3)
    #expect(run.time.pulseFindings.isEmpty)
    var table = CalibrationTable()
    table.store(measured.1, for: measured.0)
    var again = Run(table: table)
    again.feed(0..<20)
    #expect(again.samples().allSatisfy { abs($0.sample.offsetSeconds - 3.2) < 0.001 })
    // With another first message the measurement does not apply.
    again.feed(20..<40, first: .ubx(class: 1, id: 0x21))
    #expect(again.time.delay.basis == .portClass)
  }

  /// During a calibration against the system's clock nothing is sent.
  @Test func calibratesWithTheSystemClock() throws {
    var run = Run()
    run.add(.calibrate(true), 0, Instant(nanoseconds: 0))
    run.add(.systemClock(maximumError: .milliseconds(2), lastSampleSentAt: nil), 0, Instant(nanoseconds: 0))
    run.feed(0..<340)
    #expect(run.samples().isEmpty && run.time.delay.basis == .systemClock)
    // The clock is 3.2 s behind, which it would not be: the delay contains that.
    #expect(abs(run.time.delay.seconds - (0.12 - 3.2)) < 0.002)
    run.add(.calibrate(false), 340, Instant(nanoseconds: 0))
    run.feed(340..<350)
    #expect(run.samples().count == 10)
  }

  @Test func pulsesBesideTheSeconds() {
    var run = Run()
    run.feed(0..<60, pulses: 0.5)
    #expect(run.samples(pulses: true).isEmpty)
    #expect(run.actions.contains { $0.action == .pulses(.found(.pulseOffSecond)) })
  }

  @Test func leapSecondsGoWithTheSamples() throws {
    var run = Run()
    run.feed(0..<10)
    var payload: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 18, 2, 1, 100, 0, 0, 0]
    payload += [0x89, 7, 7, 0, 0, 0, 0, 3]
    var message: NavTIMELS?
    var decoder = WireDecoder()
    decoder.push(UBXFrame.encode(class: 1, id: 0x26, payload: payload).span) {
      if case .ubx(.navTIMELS(let leap)) = $0 { message = leap }
    }
    run.add(.leapSeconds(try #require(message)), 10, run.bursts.reading(at: 10).monotonic)
    run.feed(10..<120)
    let samples = run.samples()
    #expect(samples.filter { $0.second < 10 }.allSatisfy { $0.sample.leap == .none })
    #expect(samples.filter { (10..<109).contains($0.second) }.allSatisfy { $0.sample.leap == .insert })
    #expect(samples.filter { $0.second > 110 }.allSatisfy { $0.sample.leap == .none })
  }

  /// The machine that sets the clock gets the confirmed seconds, with the delay, and the suspicion.
  @Test func feedsTheClockSetter() {
    var run = Run(setting: 0.12)
    run.feed(0..<5)
    run.feed(5..<6) { $0.qualityFlag = .jammed }
    run.feed(6..<10)
    run.feed(320..<322)
    let inputs = run.actions.compactMap { entry -> ClockSetter.Input? in
      if case .clock(let input) = entry.action { input } else { nil }
    }
    #expect(inputs.filter { $0 == .interference(true) }.count == 1)
    #expect(inputs.filter { $0 == .interference(false) }.count == 1)
    #expect(inputs.filter { $0 == .unconfirmed }.count == 5)
    let offsets = inputs.compactMap { input -> Double? in
      if case .confirmed(let time, let reading) = input { (time - reading.system).inSeconds } else { nil }
    }
    #expect(offsets.count == 6 && offsets.allSatisfy { abs($0 - 3.2) < 0.002 })
  }

  @Test func aRestartBeginsAgain() {
    var run = Run()
    run.feed(0..<10)
    run.add(.restarted, 10, run.bursts.reading(at: 10).monotonic)
    run.feed(10..<20)
    // The first burst is unknown again, and the filter needs three samples.
    #expect(run.samples().map(\.second) == Array(3..<10) + Array(13..<20))
  }
}
