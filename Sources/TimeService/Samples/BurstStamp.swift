package import Geodesy

/// Relates epochs to the arrival of the first byte of their burst.
///
/// The end of a burst depends on the baud rate and on the number of satellites; its first byte does not. A burst begins with the first
/// byte after a silence of a quarter of the cycle. A receiver whose bursts leave no such silence gives no samples.
package struct BurstStamp: Sendable {
  /// Bytes that one read of the port returned.
  package struct Arrival: Hashable, Sendable {
    /// The number of bytes, ≥ 1.
    package var byteCount: Int
    /// The clocks when the event loop woke up for them.
    package var reading: ClockReading
    /// The longest time for which the bytes can have waited because the loop was busy: zero if the loop was waiting when they
    /// arrived, otherwise the time since its previous wake-up.
    package var lateness: Duration
    /// Whether the port was paused before, so that bytes were left in the kernel (`ReceiverSession.rest`).
    package var wasLeftUnread: Bool

    package init(byteCount: Int, reading: ClockReading, lateness: Duration = .zero, wasLeftUnread: Bool = false) {
      self.byteCount = byteCount
      self.reading = reading
      self.lateness = lateness
      self.wasLeftUnread = wasLeftUnread
    }
  }

  /// The result for an epoch.
  package enum Outcome: Hashable, Sendable {
    case sample(RawSample)
    case refused(SampleRefusal)
  }

  /// A burst begins after a silence of the cycle divided by this.
  package static let silentShare = 4
  /// An event loop that wakes up later than this gives no sample.
  package static let longestLateness: Duration = .milliseconds(2)
  /// More bytes than this in the first read come from several transfers, with unknown pauses.
  package static let mostBytesOfFirstRead = 256
  /// The cycle of a receiver whose epochs are not known yet.
  private static let usualCycle: Duration = .seconds(1)
  private static let cycles = Duration.milliseconds(20)...Duration.seconds(10)

  private struct Burst {
    var start: ClockReading
    /// When its latest bytes arrived.
    var last: Instant
    var refusal: SampleRefusal?
    var hasEpoch = false
  }

  private let baudRate: Int?
  private var bursts: [Burst] = []
  /// An epoch can be completed by the first message of the next one.
  private static let mostBursts = 3
  private var lastByteAt: Instant?
  private var lastTime: GNSSTime?
  private var cycle = usualCycle

  /// - Parameter baudRate: the baud rate of a UART or of an adapter with one; `nil` for USB without a line (CDC), and for pipes,
  ///   which transfer all bytes of a write at once.
  package init(baudRate: Int?) {
    self.baudRate = baudRate.flatMap { $0 > 0 ? $0 : nil }
    bursts.reserveCapacity(Self.mostBursts + 1)
  }

  /// The time between epochs, as their own times show it.
  package var epochCycle: Duration { cycle }

  /// Handles the bytes of a read, before their messages.
  package mutating func received(_ arrival: Arrival) {
    let now = arrival.reading.monotonic
    defer { self.lastByteAt = now }
    guard let lastByteAt else { return }
    guard now - lastByteAt >= cycle / Self.silentShare else {
      if let index = bursts.indices.last { bursts[index].last = now }
      return
    }
    if bursts.count == Self.mostBursts { bursts.removeFirst() }
    bursts.append(Burst(start: start(of: arrival), last: now, refusal: refusal(of: arrival)))
  }

  /// Handles a complete epoch. `beganAt`: when the read returned that completed the epoch's first message.
  package mutating func completed(time: GNSSTime, beganAt: Instant) -> Outcome {
    learnCycle(time)
    guard let index = bursts.lastIndex(where: { $0.start.monotonic <= beganAt }), bursts[index].last >= beganAt else {
      return .refused(.noSilence)
    }
    guard !bursts[index].hasEpoch else { return .refused(.sharesBurst) }
    bursts[index].hasEpoch = true
    if let refusal = bursts[index].refusal { return .refused(refusal) }
    return .sample(RawSample(time: time, arrival: bursts[index].start))
  }

  /// The port was opened again, or its baud rate has changed.
  package mutating func reset() {
    bursts.removeAll(keepingCapacity: true)
    lastByteAt = nil
    lastTime = nil
    cycle = Self.usualCycle
  }

  private mutating func learnCycle(_ time: GNSSTime) {
    if let lastTime, Self.cycles.contains(time - lastTime) { cycle = time - lastTime }
    lastTime = time
  }

  /// When the first byte began to arrive: a UART reports bytes after their transfer, several at once. A byte has ten bits with its
  /// start and stop bit.
  private func start(of arrival: Arrival) -> ClockReading {
    guard let baudRate, arrival.byteCount <= Self.mostBytesOfFirstRead else { return arrival.reading }
    return arrival.reading.earlier(by: .nanoseconds(Int64(arrival.byteCount) * 10_000_000_000 / Int64(baudRate)))
  }

  private func refusal(of arrival: Arrival) -> SampleRefusal? {
    if arrival.wasLeftUnread { return .leftUnread }
    if arrival.lateness > Self.longestLateness { return .lateLoop }
    // Without a line, all bytes of a write arrive at once.
    return baudRate != nil && arrival.byteCount > Self.mostBytesOfFirstRead ? .largeRead : nil
  }
}
