import Geodesy
import Testing
import TimeService

@Suite struct BurstStampTests {
  private func reading(_ seconds: Double) -> ClockReading {
    let nanoseconds = Int64((seconds * 1e9).rounded())
    return ClockReading(
      system: GNSSTime(nanosecondsSince1970: 1_772_323_200_000_000_000 + nanoseconds),
      monotonic: Instant(nanoseconds: nanoseconds), rawNanoseconds: nanoseconds)
  }

  private func time(_ seconds: Double) -> GNSSTime { reading(seconds).system }

  private func arrival(
    _ seconds: Double, bytes: Int = 8, late: Duration = .zero, unread: Bool = false
  ) -> BurstStamp.Arrival {
    BurstStamp.Arrival(byteCount: bytes, reading: reading(seconds), lateness: late, wasLeftUnread: unread)
  }

  /// A stamp that has received the burst of second 0.
  private func begun(baud: Int? = nil) -> BurstStamp {
    var stamp = BurstStamp(baudRate: baud)
    stamp.received(arrival(0.1))
    _ = stamp.completed(time: time(0), beganAt: reading(0.1).monotonic)
    return stamp
  }

  @Test func firstByteAfterASilence() {
    var stamp = begun()
    stamp.received(arrival(1.1))
    stamp.received(arrival(1.15))
    stamp.received(arrival(1.2))
    #expect(
      stamp.completed(time: time(1), beganAt: reading(1.15).monotonic)
        == .sample(RawSample(time: time(1), arrival: reading(1.1))))
  }

  /// Eight bytes at 9600 baud take 8.333 ms; they were complete when they were read.
  @Test func subtractsTheTransferOfTheFirstBytes() {
    var stamp = begun(baud: 9600)
    stamp.received(arrival(1.1))
    guard case .sample(let sample) = stamp.completed(time: time(1), beganAt: reading(1.1).monotonic) else {
      Issue.record("no sample")
      return
    }
    #expect(abs((sample.arrival.system - time(1)).inSeconds - (0.1 - 80.0 / 9600)) < 1e-8)
    #expect(sample.arrival.rawNanoseconds == sample.arrival.monotonic.nanoseconds)
  }

  /// The first bytes after the port was opened may be the middle of a burst.
  @Test func theFirstBurstIsUnknown() {
    var stamp = BurstStamp(baudRate: nil)
    stamp.received(arrival(0.1))
    #expect(stamp.completed(time: time(0), beganAt: reading(0.1).monotonic) == .refused(.noSilence))
  }

  /// A burst of 0.8 s leaves 0.2 s, less than a quarter of the cycle.
  @Test func noSilence() {
    var stamp = begun()
    for step in 1...30 { stamp.received(arrival(0.1 + 0.2 * Double(step))) }
    #expect(stamp.completed(time: time(1), beganAt: reading(1.1).monotonic) == .refused(.noSilence))
    stamp.received(arrival(6.36))
    #expect(
      stamp.completed(time: time(6), beganAt: reading(6.36).monotonic)
        == .sample(RawSample(time: time(6), arrival: reading(6.36))))
  }

  @Test func lateLoop() {
    var stamp = begun()
    stamp.received(arrival(1.1, late: .milliseconds(2)))
    guard case .sample = stamp.completed(time: time(1), beganAt: reading(1.1).monotonic) else {
      Issue.record("2 ms are not too late")
      return
    }
    stamp.received(arrival(2.1, late: .microseconds(2001)))
    #expect(stamp.completed(time: time(2), beganAt: reading(2.1).monotonic) == .refused(.lateLoop))
    // The lateness of further bytes of a burst does not matter.
    stamp.received(arrival(3.1))
    stamp.received(arrival(3.15, late: .milliseconds(40)))
    guard case .sample = stamp.completed(time: time(3), beganAt: reading(3.15).monotonic) else {
      Issue.record("only the first byte counts")
      return
    }
  }

  @Test func leftUnread() {
    var stamp = begun()
    stamp.received(arrival(1.1, unread: true))
    #expect(stamp.completed(time: time(1), beganAt: reading(1.1).monotonic) == .refused(.leftUnread))
  }

  @Test func severalEpochsInOneRead() {
    var stamp = begun()
    stamp.received(arrival(2.1, bytes: 800, late: .milliseconds(1000)))
    #expect(stamp.completed(time: time(1), beganAt: reading(2.1).monotonic) == .refused(.lateLoop))
    #expect(stamp.completed(time: time(2), beganAt: reading(2.1).monotonic) == .refused(.sharesBurst))
  }

  /// The transfer of so many bytes is not one piece.
  @Test func largeRead() {
    var stamp = begun(baud: 9600)
    stamp.received(arrival(1.4, bytes: 300))
    #expect(stamp.completed(time: time(1), beganAt: reading(1.4).monotonic) == .refused(.largeRead))
    var usb = begun()
    usb.received(arrival(1.1, bytes: 300))
    #expect(
      usb.completed(time: time(1), beganAt: reading(1.1).monotonic)
        == .sample(RawSample(time: time(1), arrival: reading(1.1))))
  }

  /// An epoch whose last message is not known yet is completed by the first message of the next one, after the next burst has begun.
  @Test func completedByTheNextEpoch() {
    var stamp = begun()
    stamp.received(arrival(1.1))
    stamp.received(arrival(2.1))
    #expect(
      stamp.completed(time: time(1), beganAt: reading(1.1).monotonic)
        == .sample(RawSample(time: time(1), arrival: reading(1.1))))
    #expect(
      stamp.completed(time: time(2), beganAt: reading(2.1).monotonic)
        == .sample(RawSample(time: time(2), arrival: reading(2.1))))
  }

  /// At 5 Hz, 50 ms are a quarter of the cycle, as soon as the cycle is known.
  @Test func learnsTheCycle() {
    var stamp = BurstStamp(baudRate: nil)
    var samples = 0
    for epoch in 0..<10 {
      let second = Double(epoch) * 0.2
      stamp.received(arrival(second + 0.1))
      if case .sample = stamp.completed(time: time(second), beganAt: reading(second + 0.1).monotonic) { samples += 1 }
    }
    #expect(stamp.epochCycle == .milliseconds(200) && samples == 8)
    stamp.reset()
    #expect(stamp.epochCycle == .seconds(1))
  }

  @Test func steppedAndSuspendedClocks() {
    let before = reading(1)
    #expect(!reading(2).hasStepped(since: before) && !reading(2).wasSuspended(since: before))
    var stepped = reading(2)
    stepped.system = stepped.system + .milliseconds(2)
    #expect(stepped.hasStepped(since: before))
    stepped.system = reading(2).system + .milliseconds(-2)
    #expect(stepped.hasStepped(since: before))
    var suspended = reading(20)
    suspended.rawNanoseconds = 2_000_000_000
    #expect(suspended.wasSuspended(since: before) && !suspended.hasStepped(since: before))
  }
}
